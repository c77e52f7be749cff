"""`flow-lsp describe --command "…"`: asks one program directly, without a workspace.

Naming a command on the command line is consent to run it, this once. An MCP server is another way to ask and will
stand beside `_asked`.
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
from flow_lsp.host.describe import describe_program
from flow_lsp.host.settings import DEFAULT_TIMEOUT
from flow_lsp.manifest.words import WordsProblem, split_words
from flow_lsp.processes.programs import Program, ProgramProblem, resolve_program


def describe_one(options: argparse.Namespace) -> int:
    """Prints; the exit status is 1 where the command gave no listing that can be relied on. Raises UsageError."""
    _refuse_a_workspace(options)
    key = CommandKey(_working_directory(), _words(options.program))
    program = resolve_program(key.directory, key.words[0])
    if isinstance(program, ProgramProblem):
        described, reason = Described(Standing.UNKNOWN), program.sentence
    else:
        described, reason = _asked(key, program, options.timeout or DEFAULT_TIMEOUT), ""
    if options.format == "json":
        write(json_text({"version": 1, "commands": [described_json(key, described, reason)]}))
    else:
        write(described_text(key, described, reason))
    return 0 if is_sound(described) else 1


def _asked(key: CommandKey, program: Program, timeout: float) -> Described:
    with ended_by_signal():
        outcome = asyncio.run(describe_program(key.directory, key.words, program, timeout=timeout))
    return Described(Standing.CURRENT, outcome)


def _refuse_a_workspace(options: argparse.Namespace) -> None:
    given = {
        "PATHs": options.paths,
        "--workspace": options.workspace,
        "--repository": options.repository,
        "--override": options.override,
        "--record": options.record,
    }
    for name, value in given.items():
        if value:
            raise UsageError(f"--command asks one program without a workspace, so {name} cannot stand beside it.")


def _words(text: str) -> tuple[str, ...]:
    words = split_words(text, sys.platform == "win32")
    if isinstance(words, WordsProblem):
        raise UsageError(f"--command {shown(text)}: {words.reason}.")
    if not words.words:
        raise UsageError("--command names no program. Write it as in a flow.toml, such as 'python3 serve.py'.")
    return words.words


def _working_directory() -> str:
    try:
        return with_slashes(os.getcwd())
    except OSError as error:
        raise UsageError("the working directory does not exist any more.") from error
