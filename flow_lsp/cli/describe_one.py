"""`flow-lsp describe --command "…"` and `--mcp "…"`: asks one program directly, without a workspace.

Naming a command on the command line is consent to run it, this once.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import sys

from flow_lsp.analysis.snapshot import Described, Standing
from flow_lsp.binding.model import CommandKey
from flow_lsp.cli.described import described_json, described_text, is_sound
from flow_lsp.cli.implementations import ended_by_signal
from flow_lsp.cli.terminal import json_text, write
from flow_lsp.cli.usage import UsageError
from flow_lsp.files.paths import with_slashes
from flow_lsp.findings.model import shown
from flow_lsp.host.implementations import describe
from flow_lsp.host.settings import DEFAULT_TIMEOUT
from flow_lsp.manifest.model import BindingKind
from flow_lsp.manifest.words import WordsProblem, split_words
from flow_lsp.processes.programs import ProgramProblem, resolve_program

MCP_TIMEOUT = 60.0  # seconds: npx and the like fetch a server before they start it


def describe_one(options: argparse.Namespace) -> int:
    """Prints; the exit status is 1 where the command gave no listing that can be relied on. Raises UsageError."""
    _refuse_a_workspace(options)
    if options.mcp is None:
        key = CommandKey(working_directory(), command_words(options.program, "--command"))
    else:
        key = CommandKey(working_directory(), command_words(options.mcp, "--mcp"), BindingKind.MCP)
    described, reason = ask_named(key, options.timeout)
    if options.format == "json":
        write(json_text({"version": 1, "commands": [described_json(key, described, reason)]}))
    else:
        write(described_text(key, described, reason))
    return 0 if is_sound(described) else 1


def ask_named(key: CommandKey, timeout: float | None) -> tuple[Described, str]:
    """What the command of `key`, which the user named, says; and why it was not run, where it was not. Without a
    `timeout` the usual one holds, a longer one for an MCP server."""
    program = resolve_program(key.directory, key.words[0])
    if isinstance(program, ProgramProblem):
        return Described(Standing.UNKNOWN), program.sentence
    seconds = timeout or (MCP_TIMEOUT if key.kind is BindingKind.MCP else DEFAULT_TIMEOUT)
    with ended_by_signal():
        outcome = asyncio.run(describe(key, program, timeout=seconds))
    return Described(Standing.CURRENT, outcome), ""


def _refuse_a_workspace(options: argparse.Namespace) -> None:
    if options.program is not None and options.mcp is not None:
        raise UsageError("--command and --mcp each ask one program: give one of them.")
    option = "--command" if options.mcp is None else "--mcp"
    given = {
        "PATHs": options.paths,
        "--workspace": options.workspace,
        "--repository": options.repository,
        "--override": options.override,
        "--record": options.record,
    }
    for name, value in given.items():
        if value:
            raise UsageError(f"{option} asks one program without a workspace, so {name} cannot stand beside it.")


def command_words(text: str, named: str) -> tuple[str, ...]:
    """The words of a command line that stands behind `named`. Raises UsageError."""
    words = split_words(text, sys.platform == "win32")
    if isinstance(words, WordsProblem):
        raise UsageError(f"{named} {shown(text)}: {words.reason}.")
    if not words.words:
        raise UsageError(f"{named} names no program. Write it as in a flow.toml, such as 'python3 serve.py'.")
    return words.words


def working_directory() -> str:
    """The working directory. Raises UsageError where there is none any more."""
    try:
        return with_slashes(os.getcwd())
    except OSError as error:
        raise UsageError("the working directory does not exist any more.") from error
