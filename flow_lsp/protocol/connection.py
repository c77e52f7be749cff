"""The host's side of one process: bytes of its standard output in, events out; first describe, then replies.

Rules ("The Tool process protocol", decisions 7):
- `request` is sent first. The first response that carries its id counts, later ones are ignored. Replies are read
  before it, too: what they answer is for the ledger to say, and no call is sent before it;
- a reply is read and given on (`replies`); it is decoded by the ledger, and only where a call waits for it;
- any other line is treated as `describe` does: noise is told, notifications are ignored, requests answered with
  -32601, up to a bound that a process which only asks now and then never meets;
- a line past the limit is read past. Past eight times the limit the process is to be ended, and is said to be once;
  the reply that such a line is does not wait for a line end that may never come.

At most one line, up to the limit, is kept. Work is linear in the bytes received, however they are cut. What came
from outside never raises. A connection serves one process: for the next one there is another.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, TypeAlias

from flow_lsp.protocol.describe import DescribeConversation, DescribeEvent
from flow_lsp.protocol.framer import ENDLESS, LINE_LIMIT, EndlessLine, FramerEvent, LineFramer, LongLine
from flow_lsp.protocol.messages import NoMessage, Notification, Request, read_message
from flow_lsp.protocol.outcome import DescribeFailure, FailureKind
from flow_lsp.protocol.replies import REPLY, FaultyReply, ReplyReceived, faulty_reply, read_reply, reply_in_head
from flow_lsp.values.data_version import DATA_VERSION

ANSWERED: Final = 10_000  # requests of one process that are answered: 1 MB of answers, should it never read them


@dataclass(frozen=True, slots=True)
class MustEnd:
    """The process is to be ended, for `reason`, a predicate with a full stop. What it wrote is still read."""

    reason: str


ConnectionEvent: TypeAlias = DescribeEvent | ReplyReceived | FaultyReply | MustEnd


class HostConnection:
    """One process, from its start to its end. `limit` is the greatest length of a line in bytes."""

    def __init__(self, limit: int = LINE_LIMIT, data_version: str = DATA_VERSION) -> None:
        self._framer = LineFramer(limit)
        self._describe = DescribeConversation(limit, data_version, ANSWERED)
        self._endless = False  # the line that is being read past was told of

    @property
    def described(self) -> bool:
        """Whether describe was answered, or will not be."""
        return self._describe.over

    @property
    def pending(self) -> int:
        """How many bytes the line that has not ended yet has so far."""
        return self._framer.pending

    @property
    def noise_count(self) -> int:
        """How many lines were no messages."""
        return self._describe.noise_count

    def request(self) -> bytes:
        """The line to send first."""
        return self._describe.request()

    def receive(self, data: bytes) -> list[ConnectionEvent]:
        """What `data`, the next bytes of standard output, brings. Heavy where it completes the answer to describe,
        or many replies: keep it off an event loop's thread, but let only one thread at a time call it."""
        events: list[ConnectionEvent] = []
        for framed in self._framer.receive(data):
            events.extend(self._framed(framed))
        return events

    def end(self) -> list[ConnectionEvent]:
        """Standard output has ended, or its end counts: what is left without a line end is noise."""
        return [*self._describe.cut_off(self._framer.finish())]

    def failure(self, kind: FailureKind, sentence: str) -> DescribeFailure:
        """Why there is no answer to describe, where the caller knows `kind` and `sentence`."""
        return self._describe.failure(kind, sentence)

    def _framed(self, framed: FramerEvent) -> list[ConnectionEvent]:
        if isinstance(framed, EndlessLine):
            self._endless = True
            return self._endless_line(framed)
        self._describe.log.next_line()
        if isinstance(framed, LongLine):
            told, self._endless = self._endless, False
            return [] if told else self._long_line(framed)
        return [] if self._describe.log.skips(framed.data) else self._line(framed.data)

    def _line(self, line: bytes) -> list[ConnectionEvent]:
        message = read_message(line)
        reply: ReplyReceived | FaultyReply | NoMessage | None = None
        if isinstance(message, Notification) and message.method == REPLY:
            reply = read_reply(message.params)
        elif isinstance(message, NoMessage) and message.refused:
            reply = faulty_reply(line, message)
        elif isinstance(message, Request) and message.method == REPLY:
            reply = NoMessage("it is a reply with an id, and replies have none")
        if reply is None or isinstance(reply, NoMessage):
            return [*self._describe.line(line, reply or message)]
        return [reply]

    def _long_line(self, line: LongLine) -> list[ConnectionEvent]:
        reply = reply_in_head(line.head, self._too_large(f"has {line.length} bytes"))
        return [*self._describe.long(line)] if reply is None else [reply]

    def _endless_line(self, line: EndlessLine) -> list[ConnectionEvent]:
        events: list[ConnectionEvent] = []
        reply = reply_in_head(line.head, self._too_large("does not end"))
        if reply is not None:
            events.append(reply)
        most = ENDLESS * self._framer.limit
        return [*events, *self._describe.endless(), MustEnd(f"wrote a line of more than {most} bytes.")]

    def _too_large(self, what: str) -> str:
        return f"The reply's line {what}; {self._framer.limit} is the limit of one message."
