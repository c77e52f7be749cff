"""`flow-lsp describe`: asks the implementations of a workspace, and prints what each said."""

from __future__ import annotations

import argparse
import json
from typing import Any

from flow_lsp.analysis.snapshot import Described
from flow_lsp.binding.model import CommandKey
from flow_lsp.cli import workspace
from flow_lsp.findings.model import shown


def run(options: argparse.Namespace) -> int:
    """Prints; the exit status is 1 where a command gave no listing or was not run."""
    opened = workspace.open_workspaces(options)
    workspace.describe(opened, options)
    answers = [
        (key, each.project.snapshot().described_by(key)) for each in opened for key in each.commands()
    ]
    if options.format == "json":
        print(json.dumps({"version": 1, "commands": [_json(*answer) for answer in answers]}, indent=2))
    elif not answers:
        print("No table of a flow.toml names a command here.")
    else:
        print("\n\n".join(_text(*answer) for answer in answers))
    clean = all(described.outcome is not None and described.outcome.listing for _, described in answers)
    return 0 if clean else 1


def _text(key: CommandKey, described: Described) -> str:
    lines = [f"{shown(key.command)}  (in {key.directory})"]
    outcome = described.outcome
    if outcome is None:
        lines.append(f"  not run. {described.reason}")
        return "\n".join(lines)
    if outcome.failure is not None:
        lines.append(f"  {outcome.failure.sentence}")
    if outcome.listing is not None:
        took = f"{outcome.duration:.2f} s"
        lines.append(f"  data version {outcome.listing.data}, {len(outcome.listing.tools)} Tools, {took}")
        for tool in outcome.listing.tools:
            lines.append(f"  {shown(tool.fingerprint)}  {shown(tool.identity)}")
            if tool.problem is not None:
                lines.append(f"    {shown(tool.problem)}")
    lines.extend(f"  standard output, no message: {shown(line)}" for line in outcome.noise)
    lines.extend(f"  standard error: {shown(line)}" for line in outcome.stderr_tail[-5:])
    return "\n".join(lines)


def _json(key: CommandKey, described: Described) -> dict[str, Any]:
    outcome = described.outcome
    answer: dict[str, Any] = {
        "directory": key.directory,
        "words": list(key.words),
        "state": str(described.standing),
    }
    if outcome is None:
        return answer | {"reason": described.reason}
    answer |= {
        "program": outcome.program,
        "exit_status": outcome.exit_status,
        "seconds": round(outcome.duration, 3),
        "noise": list(outcome.noise),
        "standard_error": list(outcome.stderr_tail),
    }
    if outcome.failure is not None:
        answer["failure"] = {"kind": str(outcome.failure.kind), "message": outcome.failure.sentence}
    if outcome.listing is not None:
        answer["data"] = outcome.listing.data
        answer["tools"] = [
            {"tool": tool.identity, "fingerprint": tool.fingerprint, "problem": tool.problem}
            for tool in outcome.listing.tools
        ]
    return answer
