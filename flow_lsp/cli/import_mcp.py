"""`flow-lsp import-mcp "COMMAND"`: declarations of an MCP server's tools, and the table that binds them to it.

Naming a command on the command line is consent to run it, this once. Everything that can be refused is before anything
is written.
"""

from __future__ import annotations

import argparse
import os
from dataclasses import dataclass

from flow_lsp.binding.model import CommandKey, table_command
from flow_lsp.cli.describe_one import ask_named, command_words, working_directory
from flow_lsp.cli.described import described_text
from flow_lsp.cli.terminal import amount, complain, complain_lines, printable, write
from flow_lsp.cli.usage import UsageError
from flow_lsp.cli.workspace import shown_path
from flow_lsp.files.paths import MANIFEST_NAME, absolute, is_source, is_unicode, manifest_directories, resolved
from flow_lsp.files.reading import ReadProblem, ReadProblemKind, excess, read_text
from flow_lsp.files.writing import put_in_place, write_new
from flow_lsp.findings.model import shown
from flow_lsp.importing.flow_file import ImportResult, flow_text
from flow_lsp.importing.manifest_table import file_name
from flow_lsp.manifest.insertion import with_table
from flow_lsp.manifest.model import BindingKind, Manifest
from flow_lsp.manifest.paths import PathProblem, normalized_path
from flow_lsp.manifest.reader import read_manifest
from flow_lsp.protocol.mcp.listing import McpListing
from flow_lsp.text.paths import inside, joined, parent
from flow_lsp.text.visible import visible


@dataclass(frozen=True, slots=True)
class _Target:
    """Where the declarations go. `directory` is that of the flow.toml which binds them, and where the server runs;
    `key` is the file's there."""

    path: str
    directory: str
    key: str

    @property
    def manifest(self) -> str:
        return joined(self.directory, MANIFEST_NAME)


@dataclass(frozen=True, slots=True)
class _ManifestNow:
    """A flow.toml as it stands; `manifest` is None where there is none."""

    manifest: Manifest | None = None
    byte_order_mark: bool = False


def run(options: argparse.Namespace) -> int:
    """Writes the declarations; the exit status is 1 where the server gave no tool to declare. Raises UsageError for
    what cannot be used or written."""
    words = command_words(options.server, "import-mcp")
    here = resolved(working_directory())
    target = None if options.output is None else _target(options.output, here, options.force)
    directory = target.directory if target is not None else _directory(here, here)
    key = CommandKey(directory, words, BindingKind.MCP)
    manifest = _manifest(joined(directory, MANIFEST_NAME)) if options.manifest else None
    if target is not None and manifest is not None:
        _is_bound(manifest, target, key)
    listing = _asked(key, options.timeout)
    if listing is None:
        return 1
    if target is None:
        target = _target(file_name(listing.name), here, options.force)
    result = flow_text(listing.name, listing.tools, command=options.server, file=target.key)
    if "\n@tool\n" not in result.text:
        _say_notes(result)
        complain(f"{shown(listing.server)} offers no tool that can be declared, so nothing is written.")
        return 1
    if excess(result.text) is not None:
        raise UsageError("these tools are more than what is read of one .flow file, so nothing is written.")
    added = None if manifest is None or _is_bound(manifest, target, key) else _addition(manifest, target, result)
    _write(target, result, listing, options.force)
    if manifest is None:
        write(result.manifest_table.rstrip("\n"))
    elif added is not None:
        _write_manifest(target, manifest, added)
    return 0


def _asked(key: CommandKey, timeout: float | None) -> McpListing | None:
    described, reason = ask_named(key, timeout)
    outcome = described.outcome
    if outcome is None or outcome.mcp is None:
        complain_lines([described_text(key, described, reason)])
        complain("the MCP server gave no list of its tools, so nothing is written.")
        return None
    return outcome.mcp


# -- where it goes ----------------------------------------------------------------------------------------------


def _target(output: str, here: str, force: bool) -> _Target:
    if not output or "\0" in output or not is_unicode(output):
        raise UsageError(f"{shown(output)!r} is no path of a .flow file.")
    full = absolute(output)
    if not is_source(full):
        raise UsageError(f"{shown(output)} does not end in .flow, as a file of declarations must.")
    if not os.path.isdir(os.path.dirname(full)):
        raise UsageError(f"{shown(output)} cannot be written: there is no folder {shown(os.path.dirname(output))}.")
    if os.path.lexists(full) and not (force and os.path.isfile(full)):
        remedy = "Pass --force to write over it." if os.path.isfile(full) else "Name another one."
        raise UsageError(f"{shown(output)} exists already. {remedy}")
    path = resolved(full)
    directory = _directory(parent(path), here)
    key = path[len(directory.rstrip("/")) + 1 :]
    normal = normalized_path(key)
    if isinstance(normal, PathProblem):
        raise UsageError(f"{shown(key)} can be no key of a flow.toml: {normal.reason}")
    return _Target(path, directory, normal)


def _directory(folder: str, here: str) -> str:
    """The directory of the nearest flow.toml of a file in `folder`; where there is none, the one to put it into."""
    nearest = manifest_directories(joined(folder, "x.flow"))
    return nearest[0] if nearest else here if inside(folder, here) else folder


# -- flow.toml --------------------------------------------------------------------------------------------------


def _manifest(path: str) -> _ManifestNow:
    found = read_text(path)
    if isinstance(found, ReadProblem):
        if found.kind is ReadProblemKind.MISSING:
            return _ManifestNow()
        raise UsageError(f"{shown(shown_path(path))} cannot be read, so nothing is done. {found.sentence}")
    manifest = read_manifest(found.text, None, os.name == "nt")
    if manifest.has_error:
        path = shown(shown_path(path))
        raise UsageError(f"{path} has an error, so nothing is added to it. `flow-lsp check {path}` shows it.")
    return _ManifestNow(manifest, found.byte_order_mark)


def _is_bound(now: _ManifestNow, target: _Target, key: CommandKey) -> bool:
    """Whether the file is bound to this very server already. Raises UsageError where it is bound to something else."""
    index = now.manifest.index_by_path.get(target.key) if now.manifest is not None else None
    if now.manifest is None or index is None:
        return False
    bound = table_command(target.directory, now.manifest.tables[index])
    if bound == key:
        return True
    assert bound is not None  # a table without any has an error
    path = shown(shown_path(target.manifest))
    raise UsageError(
        f'{path} has a table [tools."{shown(target.key)}"] already, with {bound.kind} = {shown(bound.command)}. '
        "Change it there, or leave --manifest out."
    )


def _addition(now: _ManifestNow, target: _Target, result: ImportResult) -> str:
    if now.manifest is None:
        return result.manifest_table
    added = with_table(now.manifest, result.manifest_table)
    if added is None:
        path = shown(shown_path(target.manifest))
        complain_lines([f"  {visible(line)}" for line in result.manifest_table.splitlines()])
        raise UsageError(f"no table can be put behind the others in {path}: add the one above by hand.")
    return added


def _write(target: _Target, result: ImportResult, listing: McpListing, force: bool) -> None:
    data = result.text.encode("utf-8")
    problem = put_in_place(target.path, data) if force else write_new(target.path, data)
    path = printable(shown_path(target.path))
    if problem is not None:
        raise UsageError(f"{path} is not written. {problem}")
    _say_notes(result)
    declared = result.text.count("\n@tool\n")
    complain(f"{path} declares {amount(declared, 'Tool')} of {shown(listing.server)}.")


def _say_notes(result: ImportResult) -> None:
    if result.notes:
        complain_lines([f"  {printable(note)}" for note in result.notes])


def _write_manifest(target: _Target, now: _ManifestNow, added: str) -> None:
    path = printable(shown_path(target.manifest))
    if now.manifest is None:
        problem = write_new(target.manifest, added.encode("utf-8"))
    else:
        mark = b"\xef\xbb\xbf" if now.byte_order_mark else b""
        problem = put_in_place(target.manifest, mark + (now.manifest.text + added).encode("utf-8"))
    if problem is not None:
        raise UsageError(f"{path} is as it was. {problem}")
    complain(f"{path} binds it to the server.")
