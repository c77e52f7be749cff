"""Bytes to lines, with bounded memory.

Realizes decisions 7: a message is one line that ends with LF; no other character ends one. A line past the
limit is read past: its beginning is kept, so that what it answers can be picked out, and the next line is
found again. Work is linear in the bytes received, however they are cut into chunks.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from flow_lsp.values.limits import DEFAULT_LIMITS

LINE_LIMIT = DEFAULT_LIMITS.line_bytes  # one message line, in either direction
ENDLESS = 8  # decisions 7: past this many times the limit the process is ended


@dataclass(slots=True)  # not frozen: one is made for each message, and that would take twice as long
class Line:
    """One line, without the LF that ended it."""

    data: bytes


@dataclass(frozen=True, slots=True)
class LongLine:
    """A line of `length` bytes, more than the limit, that has ended. `head` is its beginning, up to the
    limit."""

    head: bytes
    length: int


@dataclass(frozen=True, slots=True)
class EndlessLine:
    """A line that has passed eight times the limit. Said once for it; the process is to be ended."""

    head: bytes


FramerEvent: TypeAlias = Line | LongLine | EndlessLine


class LineFramer:
    """Cuts what a process writes into lines. `limit` is a line's greatest length in bytes, LF not counted."""

    __slots__ = ("_beginning", "_endless", "_length", "limit")

    def __init__(self, limit: int = LINE_LIMIT) -> None:
        if limit < 1:
            raise ValueError("a line's limit is at least one byte")
        self.limit = limit
        self._beginning = bytearray()  # of the line that has not ended yet, up to the limit
        self._length = 0  # of that line so far
        self._endless = False

    @property
    def pending(self) -> int:
        """How many bytes the line that has not ended yet has so far."""
        return self._length

    def receive(self, data: bytes) -> list[FramerEvent]:
        """The lines that `data` completes, in order."""
        first, *others = data.split(b"\n")
        events: list[FramerEvent] = []
        self._extend(first, events)
        for part in others:
            events.append(self._end_line())
            self._extend(part, events)
        return events

    def finish(self) -> bytes | None:
        """What stands after the last LF, up to the limit, which is no message; None where nothing does."""
        left = bytes(self._beginning) if self._length else None
        self._reset()
        return left

    def _extend(self, part: bytes, events: list[FramerEvent]) -> None:
        if not part:
            return
        room = self.limit - len(self._beginning)
        if room > 0:
            self._beginning += part if len(part) <= room else part[:room]
        self._length += len(part)
        if self._length > self.limit * ENDLESS and not self._endless:
            self._endless = True
            events.append(EndlessLine(bytes(self._beginning)))

    def _end_line(self) -> FramerEvent:
        data = bytes(self._beginning)
        event: FramerEvent = Line(data) if self._length <= self.limit else LongLine(data, self._length)
        self._reset()
        return event

    def _reset(self) -> None:
        self._beginning = bytearray()
        self._length = 0
        self._endless = False
