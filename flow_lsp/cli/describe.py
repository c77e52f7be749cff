"""`flow-lsp describe`: asks the implementations of a workspace, or the one that is named, and prints what each said."""

from __future__ import annotations

import argparse

from flow_lsp.analysis.snapshot import Described
from flow_lsp.binding.model import CommandKey
from flow_lsp.cli.described import described_json, described_text, is_sound
from flow_lsp.cli.terminal import json_text, write
from flow_lsp.cli.workspace import Workspace, open_workspace


def run(options: argparse.Namespace) -> int:
    """Prints; the exit status is 1 where a command gave no listing that can be relied on, or was not run."""
    if options.program is not None or options.mcp is not None:
        from flow_lsp.cli.describe_one import describe_one

        return describe_one(options)
    file = None
    if options.record is not None:
        from flow_lsp.cli.record import ContractsFile

        file = ContractsFile(options.record)
    opened = open_workspace(options)
    answers = _answers(opened)
    recording = file.write(opened, answers) if file is not None else None
    bound = opened.bound_tools
    said = [(key, each, _reason(opened, key, each), bound.get(key, {})) for key, each in answers]
    if options.format == "json":
        commands = [described_json(key, described, reason, bound) for key, described, reason, bound in said]
        whole: dict[str, object] = {"version": 1, "commands": commands}
        if file is not None and recording is not None:
            whole["record"] = file.json(recording)
        write(json_text(whole))
    else:
        parts = [described_text(key, described, reason, bound) for key, described, reason, bound in said]
        if not answers:
            parts.append("No table of a flow.toml names a command here.")
        if file is not None and recording is not None:
            parts.append(file.text(recording))
        write("\n\n".join(parts))
    complete = recording is None or recording.complete
    return 0 if complete and all(is_sound(described) and not reason for _, described, reason, _ in said) else 1


def _answers(opened: Workspace) -> list[tuple[CommandKey, Described]]:
    keys = opened.commands
    if keys:
        from flow_lsp.cli.implementations import ask_all

        ask_all(opened, by_person=True)
    snapshot = opened.project.snapshot()
    return [(key, snapshot.described_by(key)) for key in keys]


def _reason(opened: Workspace, key: CommandKey, described: Described) -> str:
    """Why a command was not run."""
    problem = opened.project.resolve(key).problem
    return problem or described.reason
