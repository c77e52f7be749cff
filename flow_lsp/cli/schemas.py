"""`flow-lsp schema` and `flow-lsp fingerprint`: what the declarations of one file come to."""

from __future__ import annotations

import argparse
import os
from collections.abc import Iterable, Sequence
from typing import Any

from flow_lsp.analysis.engine import FileTool
from flow_lsp.cli.terminal import complain, json_text, printable, write
from flow_lsp.cli.usage import UsageError
from flow_lsp.cli.workspace import Workspace, open_file
from flow_lsp.findings.model import shown
from flow_lsp.text.distance import nearest_name


def run(options: argparse.Namespace) -> int:
    """Prints; the exit status is 1 where a signature is not known, 2 where there is no such file or name."""
    path, name = split_target(options.target)
    opened, key = open_file(path, options)
    tools = list(opened.tools_of(key))
    types = opened.type_names(key) if options.command == "schema" else []
    chosen = tools if name is None else [tool for tool in tools if tool.declared.name == name]
    if not chosen:
        schema = opened.type_schema(key, name) if options.command == "schema" and name is not None else None
        if schema is not None:  # a type of the file, or one that it imports
            _print(schema)
            return 0
        if name in types:
            complain(f"the schema of {shown(name)} is not known; `flow-lsp check {shown(path)}` says why.")
            return 1
        if name is not None or not types:
            raise UsageError(_nothing(path, name, options.command, [*_names(tools), *types]))
    known = [tool for tool in chosen if tool.declared.signature is not None]
    complete = len(known) == len(chosen)
    for missing in (tool.declared.name for tool in chosen if tool.declared.signature is None):
        complain(f"the signature of {shown(missing)} is not known; `flow-lsp check {shown(path)}` says why.")
    if options.command == "fingerprint":
        _print_fingerprints(known, options.canonical)
    elif name is None:
        complete &= _print_file(opened, key, known, types)
    elif known:
        _print(_signature(known[0]))
    return 0 if complete else 1


def split_target(target: str) -> tuple[str, str | None]:
    """FILE[:NAME] as its two parts. A colon before the suffix is part of the file's path."""
    head, colon, name = target.rpartition(":")
    if colon and name and head.endswith(".flow") and not os.path.exists(target):
        return head, name
    return target, None


def _names(tools: Iterable[FileTool]) -> list[str]:
    return [tool.declared.name for tool in tools]


def _nothing(path: str, name: str | None, command: str, names: Sequence[str]) -> str:
    what = "Tool" if command == "fingerprint" else "Tool or type"
    if name is None:
        return f"{shown(path)} declares no {what}."
    near = nearest_name(name, names)
    hint = f" Is {shown(near)} meant?" if near else f" It has {', '.join(map(shown, names))}." if names else ""
    return f"{shown(path)} declares no {what} {shown(name)}.{hint}"


def _signature(tool: FileTool) -> Any:
    signature = tool.declared.signature
    assert signature is not None
    return signature.served


def _print(value: object) -> None:
    write(json_text(value))


def _print_file(opened: Workspace, key: str, tools: Sequence[FileTool], types: Sequence[str]) -> bool:
    """Prints all of a file; whether every type has its schema."""
    schemas = {name: opened.type_schema(key, name) for name in types}
    known = {name: schema for name, schema in schemas.items() if schema is not None}
    _print({"tools": {tool.declared.name: _signature(tool) for tool in tools}, "types": known})
    for name in schemas.keys() - known.keys():
        complain(f"the schema of {shown(name)} is not known.")
    return len(known) == len(schemas)


def _print_fingerprints(tools: Sequence[FileTool], canonical: bool) -> None:
    for tool in tools:
        signature = tool.declared.signature
        assert signature is not None
        write(f"{signature.fingerprint}  {printable(tool.declared.identity)}")
        if canonical:
            write(signature.canonical)
