"""The last good answer of each command, kept across sessions.

What it is for: without consent, or before the first run of a session, the last known answer is shown with its
age. A kept file is as hostile as a process: it is read under the same bounds and checked in full again.
"""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass
from typing import cast

from flow_lsp.host.store import FileStore, state_directory
from flow_lsp.protocol.listing import read_listing
from flow_lsp.protocol.outcome import DescribeListing, DescribeOutcome
from flow_lsp.values.canonical import canonical_text
from flow_lsp.values.limits import DEFAULT_LIMITS, ENVELOPE_NESTING
from flow_lsp.values.strict_json import Json, JsonRefused, read_json

SIZE_LIMIT = 8 * 1024 * 1024
COUNT_LIMIT = 500


@dataclass(frozen=True, slots=True)
class RememberedAnswer:
    """A good answer of an earlier run; `time` is when it was given, in seconds since 1970."""

    listing: DescribeListing
    program: str
    time: float

    @property
    def outcome(self) -> DescribeOutcome:
        """It as the outcome of a run, of which no more is known."""
        return DescribeOutcome(listing=self.listing, program=self.program, started_at=self.time)


class AnswerStore:
    """The remembered answers, in `directory`, or in the user's state directory where it is None."""

    def __init__(self, directory: str | None = None) -> None:
        self._directory = directory
        self._files: FileStore | None = None

    def remember(self, directory: str, words: tuple[str, ...], outcome: DescribeOutcome) -> bool:
        """Keep the listing of `outcome` as the last good answer of `words` in `directory`; whether that was
        possible. An outcome without a listing changes nothing."""
        if outcome.listing is None:
            return False
        head = {
            "version": 1,
            "directory": directory,
            "words": list(words),
            "program": outcome.program,
            "time": int(outcome.started_at),
        }
        # A path that is no UTF-8 is held as lone surrogates, which the strict reader refuses: then nothing is
        # kept.
        text = f'{json.dumps(head)[:-1]},"result":{canonical_text(_result(outcome.listing))}}}'
        return self._store().write(_name(directory, words), text.encode("utf-8", "replace"))

    def recall(self, directory: str, words: tuple[str, ...]) -> RememberedAnswer | None:
        """The last good answer of `words` in `directory`; None where there is none, or none to rely on.

        Hashes every signature again: keep it off an event loop's thread.
        """
        data = self._store().read(_name(directory, words))
        if data is None:
            return None
        try:
            kept = read_json(data, DEFAULT_LIMITS, ENVELOPE_NESTING)
        except JsonRefused:
            return None
        if not isinstance(kept, dict) or kept.get("directory") != directory or kept.get("words") != list(words):
            return None
        program, time = kept.get("program"), _seconds(kept.get("time"))
        listing = read_listing(kept.get("result"))
        if not isinstance(listing, DescribeListing) or not isinstance(program, str) or time is None:
            return None
        return RememberedAnswer(listing, program, time)

    def forget(self, directory: str, words: tuple[str, ...]) -> None:
        """Remove what is kept of `words` in `directory`."""
        self._store().remove(_name(directory, words))

    def _store(self) -> FileStore:
        if self._files is None:
            directory = self._directory or state_directory("answers")
            self._files = FileStore(directory, size_limit=SIZE_LIMIT, count_limit=COUNT_LIMIT)
        return self._files


def _name(directory: str, words: tuple[str, ...]) -> str:
    key = json.dumps([directory, list(words)], separators=(",", ":")).encode("ascii")
    return f"{hashlib.sha256(key).hexdigest()}.json"


def _result(listing: DescribeListing) -> dict[str, Json]:
    tools: list[Json] = [
        {"tool": tool.identity, "fingerprint": tool.fingerprint, "signature": tool.signature} for tool in listing.tools
    ]
    return {"data": listing.data, "tools": tools}


def _seconds(value: Json) -> float | None:
    is_time = isinstance(value, int) and not isinstance(value, bool) and 0 <= value < 10**12
    return float(cast(int, value)) if is_time else None
