"""The describe conversation: the host's side of the first message, bytes in and events out.

Realizes "The Tool process protocol" (describe) and decisions 7:
- the request goes out first; the first response that carries its id counts, later ones are ignored;
- a line that is no message is noise, before and after the answer, and never ends anything by itself;
- a notification is ignored, and a request from the implementation is answered with -32601;
- an error response, or an answer that is not valid in full, fails the binding.

The caller gives every byte of standard output to `receive`, and calls `end` when no more will come.
"""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal
from typing import TypeAlias

from flow_lsp.findings.model import shown
from flow_lsp.protocol.framer import LINE_LIMIT, EndlessLine, FramerEvent, LineFramer, LongLine
from flow_lsp.protocol.listing import read_listing
from flow_lsp.protocol.messages import (
    ErrorResponse,
    MalformedResponse,
    Message,
    NoMessage,
    Request,
    Response,
    read_message,
    request_line,
)
from flow_lsp.protocol.outcome import DescribeFailure, DescribeListing, FailureKind
from flow_lsp.protocol.printable import printable
from flow_lsp.protocol.stream import Noise, NoiseLog, Send, UnknownRequests
from flow_lsp.values.data_version import DATA_VERSION
from flow_lsp.values.strict_json import Json

REQUEST_ID = 1
ANSWERED = 100  # requests of the implementation that are answered while it is asked for nothing else


@dataclass(frozen=True, slots=True)
class Answered:
    """The answer, valid in full. The conversation is over; what comes after it is noise or ignored."""

    listing: DescribeListing


@dataclass(frozen=True, slots=True)
class Refused:
    """There will be no listing, and why. The conversation is over."""

    failure: DescribeFailure


DescribeEvent: TypeAlias = Noise | Send | Answered | Refused


class DescribeConversation:
    """One conversation with one process. `limit` is the greatest length of a line in bytes, `answers` how many
    requests of the implementation are answered.

    A connection that goes on to calls frames the bytes itself and gives what is not a reply to `line`, `long`
    and `endless`; nobody does both.
    """

    def __init__(self, limit: int = LINE_LIMIT, data_version: str = DATA_VERSION, answers: int = ANSWERED) -> None:
        self._framer = LineFramer(limit)
        self._data_version = data_version
        self._over = False
        self._requests = UnknownRequests(answers)
        self._long_line = False
        self.log = NoiseLog()

    @property
    def over(self) -> bool:
        """Whether the answer, or the refusal, has been given."""
        return self._over

    @property
    def noise_count(self) -> int:
        """How many lines were no messages."""
        return self.log.count

    def request(self) -> bytes:
        """The line to send first."""
        return request_line(REQUEST_ID, "describe", {"data": self._data_version})

    def receive(self, data: bytes) -> list[DescribeEvent]:
        """What `data`, the next bytes of standard output, brings. Heavy where it completes the answer."""
        events: list[DescribeEvent] = []
        for framed in self._framer.receive(data):
            events.extend(self._framed(framed))
        return events

    def end(self) -> list[DescribeEvent]:
        """Standard output has ended: what is left of it is noise. Ask `failure` for what is missing."""
        return self.cut_off(self._framer.finish())

    def cut_off(self, left: bytes | None) -> list[DescribeEvent]:
        """What stands without a line end at the end of the output is noise."""
        if left is None:
            return []
        self.log.next_line()
        return [*self.log.noise(left, "it has no line end, so it was cut off")]

    def failure(self, kind: FailureKind, sentence: str) -> DescribeFailure:
        """The failure of a conversation without an answer, for which the caller knows `kind` and `sentence`.

        Where a line that is no message may well have been the answer, the sentence goes on to say so.
        """
        if self._long_line:
            return self._too_large()
        if not self.log.last_reason:
            return DescribeFailure(kind, sentence)
        return DescribeFailure(
            kind, f"{sentence} The last line on its standard output is no message: {self.log.last_reason}."
        )

    def line(self, line: bytes, message: Message) -> list[DescribeEvent]:
        """What `line`, which reads as `message`, brings."""
        if isinstance(message, NoMessage):
            return [*self.log.noise(line, message.reason)]
        if isinstance(message, Request):
            return [*self._requests.answer(message)]
        if isinstance(message, Response | ErrorResponse | MalformedResponse):
            return self._response(line, message)
        return []

    def long(self, line: LongLine) -> list[DescribeEvent]:
        """What a line past the limit brings."""
        beginning = line.head[:1024].lstrip()
        meant_as_answer = beginning.startswith(b"{") and b'"jsonrpc"' in beginning and b'"result"' in beginning
        if meant_as_answer and not self._over:
            self._over = True
            return [Refused(self._too_large())]
        self._long_line = True
        return [*self.log.noise(line.head, f"it has {line.length} bytes, more than {self._framer.limit}")]

    def endless(self) -> list[DescribeEvent]:
        """What a line without end brings: no answer is waited for behind it."""
        if self._over:
            return []
        self._over = True
        return [Refused(self._too_large())]

    def _framed(self, framed: FramerEvent) -> list[DescribeEvent]:
        if isinstance(framed, EndlessLine):
            return self.endless()
        self.log.next_line()
        if isinstance(framed, LongLine):
            return self.long(framed)
        return [] if self.log.skips(framed.data) else self.line(framed.data, read_message(framed.data))

    def _response(self, line: bytes, message: Response | ErrorResponse | MalformedResponse) -> list[DescribeEvent]:
        ours = _is_ours(message.id)
        if self._over:
            return []
        if not ours and not (isinstance(message, ErrorResponse) and message.id is None):
            return [*self.log.noise(line, "it answers a request that was not made")]
        self._over = True
        if isinstance(message, ErrorResponse):
            code = f" {shown(message.code)}" if message.code else ""
            return [
                Refused(
                    DescribeFailure(
                        FailureKind.ERROR_RESPONSE,
                        f"answered describe with error{code}: {_stopped(message.message)}",
                    )
                )
            ]
        if isinstance(message, MalformedResponse):
            return [Refused(DescribeFailure(FailureKind.INVALID, f"answered describe wrongly: {message.reason}."))]
        read = read_listing(message.result, self._data_version)
        return [Answered(read) if isinstance(read, DescribeListing) else Refused(read)]

    def _too_large(self) -> DescribeFailure:
        return DescribeFailure(
            FailureKind.TOO_LARGE,
            f"answered with a line of more than {self._framer.limit} bytes, the limit of one message.",
        )


def _is_ours(request_id: Json) -> bool:
    # By value, as numbers go everywhere here: some languages write 1.0. A text is another id.
    return isinstance(request_id, int | Decimal) and not isinstance(request_id, bool) and request_id == REQUEST_ID


def _stopped(message: str) -> str:
    return printable(message.encode("utf-8", "replace")).rstrip(".") + "."
