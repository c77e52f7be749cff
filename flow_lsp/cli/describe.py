"""`flow-lsp describe`: asks the implementations of a workspace, and prints what each said."""

from __future__ import annotations

import argparse
from typing import Any

from flow_lsp.analysis.snapshot import Described
from flow_lsp.binding.model import CommandKey
from flow_lsp.cli.terminal import amount, json_text, printable, write
from flow_lsp.cli.workspace import Workspace, open_workspace, shown_path
from flow_lsp.findings.model import shown

_ERROR_LINES = 5  # how many of the last lines of standard error are shown


def run(options: argparse.Namespace) -> int:
    """Prints; the exit status is 1 where a command gave no listing that can be relied on, or was not run."""
    opened = open_workspace(options)
    answers = _answers(opened)
    if options.format == "json":
        commands = [_json(opened, *answer) for answer in answers]
        write(json_text({"version": 1, "commands": commands}))
    elif not answers:
        write("No table of a flow.toml names a command here.")
    else:
        write("\n\n".join(_text(opened, *answer) for answer in answers))
    return 0 if all(_is_sound(described) for _, described in answers) else 1


def _answers(opened: Workspace) -> list[tuple[CommandKey, Described]]:
    keys = opened.commands
    if keys:
        from flow_lsp.cli.implementations import ask_all

        ask_all(opened, by_person=True)
    snapshot = opened.project.snapshot()
    return [(key, snapshot.described_by(key)) for key in keys]


def _is_sound(described: Described) -> bool:
    listing = described.outcome.listing if described.outcome is not None else None
    return listing is not None and all(tool.problem is None for tool in listing.tools)


def _reason(opened: Workspace, key: CommandKey, described: Described) -> str:
    """Why a command was not run."""
    if key in opened.waiting:
        return "Pass --trust to run it, or run this on a terminal to be asked."
    problem = opened.project.resolve(key).problem
    return problem or described.reason


def _text(opened: Workspace, key: CommandKey, described: Described) -> str:
    lines = [f"{shown(key.command)}  (in {printable(shown_path(key.directory))})"]
    outcome = described.outcome
    reason = _reason(opened, key, described)
    if outcome is None or reason:
        lines.append(f"  not run: {reason}")
    if outcome is None:
        return "\n".join(lines)
    if described.as_of_text:
        lines.append(f"  an earlier answer{described.as_of_text}:")
    if outcome.failure is not None:
        lines.append(f"  {outcome.failure.sentence}")
    if outcome.listing is not None:
        tools = amount(len(outcome.listing.tools), "Tool")
        took = "" if described.as_of_text else f", {outcome.duration:.2f} s"
        lines.append(f"  data version {outcome.listing.data}, {tools}{took}")
        for tool in outcome.listing.tools:
            lines.append(f"  {shown(tool.fingerprint)}  {printable(tool.identity)}")
            if tool.problem is not None:
                lines.append(f"    {printable(tool.problem)}")
    lines.extend(f"  standard output, no message: {shown(line)}" for line in outcome.noise)
    lines.extend(f"  standard error: {printable(line)}" for line in outcome.stderr_tail[-_ERROR_LINES:])
    return "\n".join(lines)


def _json(opened: Workspace, key: CommandKey, described: Described) -> dict[str, Any]:
    outcome = described.outcome
    reason = _reason(opened, key, described)
    answer: dict[str, Any] = {
        "directory": shown_path(key.directory),
        "words": list(key.words),
        "state": str(described.standing),
        "reason": reason or None,
    }
    if outcome is None:
        return answer
    listing, failure = outcome.listing, outcome.failure
    return answer | {
        "as_of": described.as_of if described.as_of_text else None,
        "program": outcome.program,
        "exit_status": outcome.exit_status,
        "seconds": round(outcome.duration, 3),
        "noise": list(outcome.noise),
        "standard_error": list(outcome.stderr_tail),
        "failure": None if failure is None else {"kind": str(failure.kind), "message": failure.sentence},
        "data": None if listing is None else listing.data,
        "tools": None
        if listing is None
        else [
            {"tool": tool.identity, "fingerprint": tool.fingerprint, "problem": tool.problem} for tool in listing.tools
        ],
    }
