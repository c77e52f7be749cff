"""`flow-lsp schema` and `flow-lsp fingerprint`: what the declarations of one file come to."""

from __future__ import annotations

import argparse
import json
import sys

from flow_lsp.analysis.engine import FileTool
from flow_lsp.cli import workspace
from flow_lsp.cli.usage import UsageProblem
from flow_lsp.findings.model import shown
from flow_lsp.text.distance import nearest_name


def run(options: argparse.Namespace) -> int:
    """Prints; the exit status is 1 where a signature is not known, 2 where there is no such file or name."""
    path, name = split_target(options.target)
    opened = workspace.open_file(path, options)
    if options.command == "schema" and name is not None:
        schema = opened.type_schema(name)
        if schema is not None:
            print(json.dumps(schema, indent=2, ensure_ascii=False))
            return 0
    tools = opened.tools_of_file(path)
    chosen = [tool for tool in tools if name is None or tool.declared.name == name]
    if not chosen:
        raise UsageProblem(_nothing(path, name, [tool.declared.name for tool in tools]))
    known = [tool for tool in chosen if tool.declared.signature is not None]
    for tool in chosen:
        if tool.declared.signature is None:
            print(
                f"flow-lsp: {tool.declared.name}: its signature is not known; `flow-lsp check` says why.",
                file=sys.stderr,
            )
    if options.command == "schema":
        _print_schemas(known, name is not None)
    else:
        _print_fingerprints(known, options.canonical)
    return 0 if len(known) == len(chosen) else 1


def split_target(target: str) -> tuple[str, str | None]:
    """FILE[:NAME] as its two parts. A colon before the suffix is part of the file's path."""
    head, colon, name = target.rpartition(":")
    if colon and head.endswith(".flow") and name:
        return head, name
    return target, None


def _nothing(path: str, name: str | None, names: list[str]) -> str:
    if name is None:
        return f"{shown(path)} declares no Tool."
    near = nearest_name(name, names)
    hint = f" Is {near} meant?" if near else f" It declares {', '.join(names)}." if names else ""
    return f"{shown(path)} declares no Tool or type {shown(name)}.{hint}"


def _print_schemas(tools: list[FileTool], single: bool) -> None:
    found = {}
    for tool in tools:
        assert tool.declared.signature is not None
        found[tool.declared.name] = tool.declared.signature.served
    print(json.dumps(next(iter(found.values())) if single and found else found, indent=2, ensure_ascii=False))


def _print_fingerprints(tools: list[FileTool], canonical: bool) -> None:
    for tool in tools:
        signature = tool.declared.signature
        assert signature is not None
        print(f"{signature.fingerprint}  {tool.declared.identity}")
        if canonical:
            print(signature.canonical)
