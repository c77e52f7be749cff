"""Writing a contracts file: what commands answered now, over what the file held before."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from posixpath import normpath

from flow_lsp.analysis.changes import ListingChanges, listing_changes, says_the_same
from flow_lsp.analysis.snapshot import contract_key
from flow_lsp.binding.model import CommandKey
from flow_lsp.files.paths import is_unicode, resolved, with_slashes
from flow_lsp.files.writing import put_in_place
from flow_lsp.host.contracts import SIZE_LIMIT, Contract, contracts_text, said_text
from flow_lsp.protocol.outcome import DescribeOutcome
from flow_lsp.text.paths import joined, parent

MOST_DIFFERENCES = 4  # in words, of one Tool


class Change(StrEnum):
    """What became of one command's contract."""

    NEW = "new"
    CHANGED = "changed"
    UNCHANGED = "unchanged"
    KEPT = "kept"  # it gave no listing; what was recorded before stays
    MISSING = "missing"  # it gave no listing, and none was recorded before
    REMOVED = "removed"  # no flow.toml names it any more


@dataclass(frozen=True, slots=True)
class RecordedCommand:
    """What became of the contract of `key`, whose words are masked. `before` is when it was recorded before; `reason`
    says in a clause why there is no new one."""

    key: CommandKey
    change: Change
    contract: Contract | None = None
    before: int | None = None
    changes: ListingChanges | None = None
    reason: str = ""


@dataclass(frozen=True, slots=True)
class Recording:
    """What a contracts file will hold, and what became of each command."""

    contracts: tuple[Contract, ...]
    commands: tuple[RecordedCommand, ...]

    @property
    def complete(self) -> bool:
        """Whether every command that was asked has its answer in it."""
        return all(command.change not in (Change.KEPT, Change.MISSING) for command in self.commands)


def record(
    path: str,
    before: Sequence[Contract],
    answers: Iterable[tuple[CommandKey, DescribeOutcome | None]],
    is_gone: Callable[[CommandKey], bool],
) -> Recording:
    """The contracts for the file at `path`, which held `before`, after these answers to describe; None is no answer.

    What says the same as before keeps its moment, so that recording it again changes nothing. `is_gone` is asked of
    the others, by key, whether they are to be removed.
    """
    folder = parent(resolved(path))
    old = {replace(each.key, directory=normpath(joined(folder, each.directory))): each for each in before}
    asked: dict[CommandKey, list[DescribeOutcome | None]] = {}
    for key, outcome in answers:
        asked.setdefault(contract_key(key), []).append(outcome)
    commands = [_recorded(folder, key, outcomes, old.get(key)) for key, outcomes in asked.items()]
    for key, contract in old.items():
        if key not in asked and is_gone(key):
            commands.append(RecordedCommand(key, Change.REMOVED, contract, contract.recorded))
    kept = {key: contract for key, contract in old.items() if key not in asked and not is_gone(key)}
    for command in commands:
        if command.contract is not None and command.change is not Change.REMOVED:
            kept[command.key] = command.contract
    return Recording(tuple(kept.values()), tuple(commands))


def write_contracts(path: str, contracts: Iterable[Contract]) -> str | None:
    """Puts the file in place as a whole, unless it holds this very text; a sentence where that is not possible."""
    data = contracts_text(contracts).encode("utf-8")
    if len(data) > SIZE_LIMIT:
        return (
            f"It would be larger than {SIZE_LIMIT:,} bytes, the most that is read. Record fewer commands in one file."
        )
    return put_in_place(path, data)


def _recorded(
    folder: str, key: CommandKey, outcomes: Sequence[DescribeOutcome | None], old: Contract | None
) -> RecordedCommand:
    before = old.recorded if old is not None else None
    contract, reason = _contract(folder, key, outcomes)
    if contract is None:
        return RecordedCommand(key, Change.MISSING if old is None else Change.KEPT, old, before, None, reason)
    if old is None:
        return RecordedCommand(key, Change.NEW, contract)
    if said_text(old.listing) == said_text(contract.listing):
        return RecordedCommand(key, Change.UNCHANGED, old, before)
    changes = listing_changes(old.listing, contract.listing, MOST_DIFFERENCES)
    return RecordedCommand(key, Change.CHANGED, contract, before, changes)


def _contract(folder: str, key: CommandKey, outcomes: Sequence[DescribeOutcome | None]) -> tuple[Contract | None, str]:
    """The contract of a command; without one, why."""
    good = [(outcome, outcome.answer) for outcome in outcomes if outcome is not None and outcome.answer is not None]
    if len(good) < len(outcomes):
        return None, "it gave no listing"
    first, answer = good[0]
    if not all(says_the_same(answer, other) for _, other in good):
        return None, "two commands that differ only in what looks like a credential list different Tools"
    try:
        directory = with_slashes(os.path.relpath(key.directory, folder))
    except ValueError:
        return None, "it runs on another drive than this file is on"
    if not all(map(is_unicode, (directory, *key.words))):
        return None, "its directory or a word of it is not UTF-8"
    return Contract(directory, key.words, int(first.started_at), answer), ""
