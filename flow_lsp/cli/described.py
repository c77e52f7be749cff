"""What one command said to describe, as text and as JSON: of a workspace, or named on the command line."""

from __future__ import annotations

from typing import Any

from flow_lsp.analysis.snapshot import Described
from flow_lsp.binding.model import CommandKey
from flow_lsp.cli.terminal import amount, printable
from flow_lsp.cli.workspace import shown_path
from flow_lsp.findings.model import shown

_ERROR_LINES = 5  # how many of the last lines of standard error are shown


def is_sound(described: Described) -> bool:
    """Whether the command gave a listing that can be relied on."""
    listing = described.outcome.listing if described.outcome is not None else None
    return listing is not None and all(tool.problem is None for tool in listing.tools)


def described_text(key: CommandKey, described: Described, reason: str) -> str:
    """What a command said, for people. `reason` says why it was not run, where it was not."""
    lines = [f"{shown(key.command)}  (in {printable(shown_path(key.directory))})"]
    outcome = described.outcome
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


def described_json(key: CommandKey, described: Described, reason: str) -> dict[str, Any]:
    """The same for programs (docs/json-output.md)."""
    outcome = described.outcome
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
