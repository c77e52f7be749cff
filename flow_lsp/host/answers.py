"""The last good answer of each command, kept across sessions.

What it is for: without consent, or before the first run of a session, the last known answer is shown with its
age. A kept file is as hostile as a process: it is read under the same bounds and checked in full again.
"""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass
from typing import cast

from flow_lsp.binding.model import CommandKey
from flow_lsp.host.store import FileStore, state_directory
from flow_lsp.manifest.model import BindingKind
from flow_lsp.protocol.listing import read_listing
from flow_lsp.protocol.mcp.listing import McpListing, read_mcp_listing, server_data, tool_data
from flow_lsp.protocol.outcome import DescribeListing, DescribeOutcome
from flow_lsp.values.canonical import canonical_text
from flow_lsp.values.limits import DEFAULT_LIMITS, ENVELOPE_NESTING
from flow_lsp.values.strict_json import Json, JsonRefused, read_json

SIZE_LIMIT = 8 * 1024 * 1024
COUNT_LIMIT = 500


@dataclass(frozen=True, slots=True)
class RememberedAnswer:
    """A good answer of an earlier run; `time` is when it was given, in seconds since 1970."""

    answer: DescribeListing | McpListing
    program: str
    time: float

    @property
    def outcome(self) -> DescribeOutcome:
        """It as the outcome of a run, of which no more is known."""
        if isinstance(self.answer, DescribeListing):
            return DescribeOutcome(listing=self.answer, program=self.program, started_at=self.time)
        return DescribeOutcome(mcp=self.answer, program=self.program, started_at=self.time)


class AnswerStore:
    """The remembered answers, in `directory`, or in the user's state directory where it is None."""

    def __init__(self, directory: str | None = None) -> None:
        self._directory = directory
        self._files: FileStore | None = None

    def remember(self, key: CommandKey, outcome: DescribeOutcome) -> bool:
        """Keep the answer of `outcome` as the last good one of `key`; whether that was possible. A failure changes
        nothing."""
        if outcome.answer is None:
            return False
        head = {
            "version": 1,
            "directory": key.directory,
            "words": list(key.words),
            "program": outcome.program,
            "time": int(outcome.started_at),
        }
        # A path that is no UTF-8 is held as lone surrogates, which the strict reader refuses: then nothing is
        # kept.
        text = f'{json.dumps(head)[:-1]},"result":{canonical_text(_result(outcome.answer))}}}'
        return self._store().write(_name(key), text.encode("utf-8", "replace"))

    def recall(self, key: CommandKey) -> RememberedAnswer | None:
        """The last good answer of `key`; None where there is none, or none to rely on.

        Hashes every signature again: keep it off an event loop's thread.
        """
        data = self._store().read(_name(key))
        if data is None:
            return None
        try:
            kept = read_json(data, DEFAULT_LIMITS, ENVELOPE_NESTING)
        except JsonRefused:
            return None
        if not isinstance(kept, dict) or kept.get("directory") != key.directory or kept.get("words") != list(key.words):
            return None
        program, time = kept.get("program"), _seconds(kept.get("time"))
        answer = _answer(key, kept.get("result"))
        if answer is None or not isinstance(program, str) or time is None:
            return None
        return RememberedAnswer(answer, program, time)

    def forget(self, key: CommandKey) -> None:
        """Remove what is kept of `key`."""
        self._store().remove(_name(key))

    def _store(self) -> FileStore:
        if self._files is None:
            directory = self._directory or state_directory("answers")
            self._files = FileStore(directory, size_limit=SIZE_LIMIT, count_limit=COUNT_LIMIT)
        return self._files


def _name(key: CommandKey) -> str:
    parts: list[object] = [key.directory, list(key.words)]
    if key.kind is not BindingKind.COMMAND:
        parts.append(str(key.kind))
    text = json.dumps(parts, separators=(",", ":")).encode("ascii")
    return f"{hashlib.sha256(text).hexdigest()}.json"


def _result(answer: DescribeListing | McpListing) -> dict[str, Json]:
    if not isinstance(answer, DescribeListing):
        return {"server": server_data(answer), "tools": [tool_data(tool) for tool in answer.tools]}
    tools: list[Json] = [
        {"tool": tool.identity, "fingerprint": tool.fingerprint, "signature": tool.signature} for tool in answer.tools
    ]
    return {"data": answer.data, "tools": tools}


def _answer(key: CommandKey, result: Json) -> DescribeListing | McpListing | None:
    """What `result` says that `key` answered, checked in full."""
    if key.kind is BindingKind.MCP:
        mcp = read_mcp_listing(result.get("server"), result.get("tools")) if isinstance(result, dict) else None
        return mcp if isinstance(mcp, McpListing) else None
    listing = read_listing(result)
    return listing if isinstance(listing, DescribeListing) else None


def _seconds(value: Json) -> float | None:
    is_time = isinstance(value, int) and not isinstance(value, bool) and 0 <= value < 10**12
    return float(cast(int, value)) if is_time else None
