"""What a server writes, as messages: framing, batches, lines past the limit, lines with a fault, noise."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TypeAlias

from flow_lsp.protocol.framer import EndlessLine, LineFramer, LongLine
from flow_lsp.protocol.mcp.faulty import FaultyAnswer, answered_by_head, faulty_answer
from flow_lsp.protocol.messages import (
    ErrorResponse,
    MalformedResponse,
    NoMessage,
    Notification,
    Request,
    Response,
    read_message,
)
from flow_lsp.protocol.stream import Noise, NoiseLog
from flow_lsp.values.canonical import canonical_text
from flow_lsp.values.limits import DEFAULT_LIMITS, ENVELOPE_NESTING
from flow_lsp.values.strict_json import JsonRefused, read_json


@dataclass(frozen=True, slots=True)
class Arrived:
    """A message, and the bytes that it is."""

    message: Response | ErrorResponse | MalformedResponse | Request | Notification
    data: bytes


@dataclass(frozen=True, slots=True)
class LongAnswer:
    """A line past the limit. `id` is that of the request it answers, where it can be told; `may_answer` whether it
    looks like a response at all. `data` is its beginning."""

    id: str | None
    may_answer: bool
    data: bytes
    reason: str


Incoming: TypeAlias = Arrived | FaultyAnswer | LongAnswer | EndlessLine | Noise


class Inbox:
    """Reads what one server writes. `batches` says whether a line may be an array of messages."""

    def __init__(self, limit: int) -> None:
        self._framer = LineFramer(limit)
        self._endless = False  # the line that is being read past was told of
        self.batches = False
        self.log = NoiseLog()

    @property
    def limit(self) -> int:
        """The greatest length of a line in bytes, LF not counted."""
        return self._framer.limit

    @property
    def pending(self) -> int:
        """How many bytes the line that has not ended yet has so far."""
        return self._framer.pending

    def receive(self, data: bytes) -> Iterator[Incoming]:
        """What `data` completes, one after the other: what is done about one decides how the next is read."""
        for framed in self._framer.receive(data):
            if isinstance(framed, EndlessLine):
                self._endless = True
                yield framed
                continue
            self.log.next_line()
            if isinstance(framed, LongLine):
                if not self._endless:
                    yield self._too_long(framed)
                self._endless = False
            elif not self.log.skips(framed.data):
                yield from self._line(framed.data)

    def finish(self) -> list[Noise]:
        """The output has ended: what stands behind the last line end is noise."""
        left = self._framer.finish()
        if left is None:
            return []
        self.log.next_line()
        return self.log.noise(left, "it has no line end, so it was cut off")

    def _line(self, data: bytes) -> Iterator[Incoming]:
        if self.batches and data.lstrip(b" \t\r").startswith(b"["):
            yield from self._batch(data)
            return
        message = read_message(data)
        if not isinstance(message, NoMessage):
            yield Arrived(message, data)
            return
        faulty = faulty_answer(data, message.reason) if message.refused else None
        if faulty is not None:
            yield faulty
        else:
            yield from self.log.noise(data, message.reason)

    def _batch(self, data: bytes) -> Iterator[Incoming]:
        try:
            batch = read_json(data.strip(b" \t\r\n"), DEFAULT_LIMITS, ENVELOPE_NESTING)
        except JsonRefused as refused:
            yield from self.log.noise(data, refused.sentence.rstrip("."))
            return
        assert isinstance(batch, list)
        for item in batch:
            text = canonical_text(item).encode()
            message = read_message(text)
            if isinstance(message, NoMessage):
                yield from self.log.noise(text, message.reason)
            else:
                yield Arrived(message, text)

    def _too_long(self, line: LongLine) -> LongAnswer:
        beginning = line.head[:1024].lstrip()
        may_answer = beginning.startswith(b"{") and (b'"result"' in beginning or b'"error"' in beginning)
        reason = f"it has {line.length} bytes, more than {self.limit}, the limit of one message"
        return LongAnswer(answered_by_head(line.head), may_answer, line.head, reason)
