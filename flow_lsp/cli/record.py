"""`flow-lsp describe --record FILE`: what commands answered, written to a contracts file, and what that changed."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from flow_lsp.analysis.snapshot import Described, Standing, contract_key
from flow_lsp.binding.model import CommandKey, table_command
from flow_lsp.cli.contracts import read_contracts_of, writable_path
from flow_lsp.cli.terminal import amount, complain, printable
from flow_lsp.cli.usage import UsageError
from flow_lsp.cli.workspace import Workspace, shown_path
from flow_lsp.files.paths import MANIFEST_NAME, resolved
from flow_lsp.findings.model import shown
from flow_lsp.host.contracts import Contract, day_and_time
from flow_lsp.host.recording import Change, RecordedCommand, Recording, record, write_contracts
from flow_lsp.manifest.model import BindingKind
from flow_lsp.text.paths import inside, joined

_NAMED = 20  # how many Tools of one change are named


class ContractsFile:
    """The file that `--record` names: read when this is made, before anything runs, and written at the end."""

    def __init__(self, path: str) -> None:
        """Raises UsageError where the file is there and holds no contracts, or cannot be written."""
        self.path = path
        self._full = writable_path(path)
        self._there = os.path.lexists(self._full)
        self._before: Sequence[Contract] = read_contracts_of(path) if self._there else ()

    def write(self, opened: Workspace, answers: Iterable[tuple[CommandKey, Described]]) -> Recording:
        """Writes what these commands answered; says on standard error which of them did not. Raises UsageError."""
        current = (
            (key, described.outcome if described.standing is Standing.CURRENT else None) for key, described in answers
        )
        recording = record(self._full, self._before, current, lambda key: _is_gone(opened, key))
        if recording.contracts or self._there:
            problem = write_contracts(self._full, recording.contracts)
            if problem is not None:
                raise UsageError(f"{shown(self.path)} is as it was. {problem}")
        for command in recording.commands:
            if command.change is Change.KEPT:
                complain(f"{_named(command)}: {command.reason}, so what was recorded of it {_on(command)} stays.")
            elif command.change is Change.MISSING:
                complain(f"{_named(command)}: {command.reason}, so nothing is recorded of it.")
        return recording

    def text(self, recording: Recording) -> str:
        """What became of each command, in short."""
        changed = [each for each in recording.commands if each.change in (Change.NEW, Change.CHANGED, Change.REMOVED)]
        same = sum(each.change is Change.UNCHANGED for each in recording.commands)
        kept = len(recording.contracts)
        head = f"{printable(self.path)} holds {amount(kept, 'contract')}"
        if not changed:
            return f"{head}, and is as it was." if kept or self._there else f"{printable(self.path)} was not written."
        lines = [f"{head}:"]
        for command in changed:
            lines.extend(_lines(command))
        if same:
            lines.append(f"  unchanged: {amount(same, 'command')}")
        return "\n".join(lines)

    def json(self, recording: Recording) -> dict[str, Any]:
        """The same for programs."""
        return {
            "path": shown_path(self._full),
            "commands": [_json(command) for command in recording.commands],
        }


def _is_gone(opened: Workspace, key: CommandKey) -> bool:
    """Whether the contract of `key` is of a folder that was looked at, in which no flow.toml names it any more."""
    if not any(inside(key.directory, resolved(folder)) for folder in opened.whole):
        return False
    snapshot = opened.project.snapshot()
    if any(contract_key(other) == key for other in snapshot.settings.overrides.values()):
        return False
    file = snapshot.manifests.get(key.directory)
    if file is None:
        return not os.path.lexists(joined(key.directory, MANIFEST_NAME))
    if file.manifest is None or file.refuses:
        return False
    named = (table_command(key.directory, table) for table in file.manifest.tables)
    return not any(command is not None and contract_key(command) == key for command in named)


def _lines(command: RecordedCommand) -> Iterator[str]:
    contract = command.contract
    assert contract is not None
    if command.change is Change.NEW:
        word = "tool" if contract.key.kind is BindingKind.MCP else "Tool"
        yield f"  new: {_named(command)}, {amount(len(contract.listing.tools), word)}"
    elif command.change is Change.REMOVED:
        yield f"  removed: {_named(command)}, recorded {_on(command)}; no flow.toml names it any more"
    else:
        yield f"  changed: {_named(command)}, recorded before {_on(command)}"
        yield from _differences(command)


def _differences(command: RecordedCommand) -> Iterator[str]:
    changes = command.changes
    if not changes:
        yield "    only descriptions and the like; every signature is as it was"
        return
    lines = [f"+ {printable(identity)}" for identity in changes.added]
    lines += [f"- {printable(identity)}" for identity in changes.removed]
    lines += [f"~ {printable(identity)}: {difference}" for identity, difference in changes.changed]
    yield from (f"    {line}" for line in lines[:_NAMED])
    if len(lines) > _NAMED:
        yield f"    and {amount(len(lines) - _NAMED, 'more change')}"


def _named(command: RecordedCommand) -> str:
    return f"`{shown(command.key.command)}` (in {printable(shown_path(command.key.directory))})"


def _on(command: RecordedCommand) -> str:
    return f"on {day_and_time(command.before or 0)}"


def _json(command: RecordedCommand) -> dict[str, Any]:
    contract, changes = command.contract, command.changes
    return {
        "directory": shown_path(command.key.directory),
        "words": list(command.key.words),
        "kind": str(command.key.kind),
        "change": str(command.change),
        "recorded": None if contract is None else day_and_time(contract.recorded),
        "recorded_before": None if command.before is None else day_and_time(command.before),
        "added": list(changes.added) if changes else [],
        "removed": list(changes.removed) if changes else [],
        "changed": [{"tool": tool, "detail": detail} for tool, detail in changes.changed] if changes else [],
    }
