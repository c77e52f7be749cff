"""Contracts files named on the command line: read before anything runs, and what is wrong with one said in full."""

from __future__ import annotations

import os
from collections.abc import Sequence

from flow_lsp.cli.json_input import name_of, refusal_lines
from flow_lsp.cli.usage import UsageError
from flow_lsp.files.paths import absolute, is_unicode
from flow_lsp.findings.model import shown
from flow_lsp.host.contracts import Contract, ContractsProblem, in_folder, newest, read_contracts_file
from flow_lsp.host.project import Project


def use_contracts(project: Project, paths: Sequence[str]) -> None:
    """Has `project` use the contracts of these files; of two for one command the newer. Raises UsageError."""
    project.set_contracts(newest(in_folder(read_contracts_of(path), file_path(path)) for path in paths))


def read_contracts_of(path: str) -> tuple[Contract, ...]:
    """The contracts that the file at `path` holds. Raises UsageError, with the place."""
    found = read_contracts_file(file_path(path))
    if not isinstance(found, ContractsProblem):
        return found
    if found.span is None:
        raise UsageError(f"the contracts file {shown(path)} cannot be used. {found.sentence}")
    lines = refusal_lines(name_of(path), found.text, found.span, "contracts", found.sentence, colour=False)
    raise UsageError(f"the contracts file {shown(path)} cannot be used.\n" + "\n".join(lines))


def file_path(path: str) -> str:
    """`path` as an absolute one. Raises UsageError for what is none."""
    if not path or "\0" in path or not is_unicode(path):
        raise UsageError(f"{shown(path)!r} is no path of a contracts file.")
    try:
        return absolute(path)
    except OSError as error:
        raise UsageError("the working directory does not exist any more.") from error


def writable_path(path: str) -> str:
    """The absolute path of a contracts file to be written. Raises UsageError where its folder is none."""
    full = file_path(path)
    if not os.path.isdir(os.path.dirname(full)):
        raise UsageError(f"{shown(path)} cannot be written: there is no folder {shown(os.path.dirname(path))}.")
    return full
