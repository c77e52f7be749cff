"""The implementation's side: bytes of standard input in, events out, and the lines to write; for toolkits.

Rules ("The Tool process protocol", "Toolkits", decisions 7):
- describe is answered from the listing given here, as often as it is asked and whatever data version the host has:
  the version in the answer is what the host judges by;
- a call that can be read is given on, its arguments and views as JSON that nobody has judged yet. It is open from
  then until it is replied to; a second call under its ids is told and ignored, for its one reply is on the way;
- a call with a fault whose run and call can be read is answered NotRun, since no author's code ran: past the limit
  or not to be read strictly, without an object for args, with a view that is null, nested too deep, with an id. Where
  they cannot be read, it is noise;
- a cancel is given on once, and only while its call is open;
- another request is answered with -32601, another notification ignored; a line that is no message is noise.

At most one line, up to the limit, is kept, and the ids of the open calls. What came from outside never raises.

| happening | not open | OPEN | CANCELLED |
|---|---|---|---|
| a call | OPEN, told | a duplicate | a duplicate |
| a call with a fault | NotRun | a duplicate | a duplicate |
| a cancel | nothing | CANCELLED, told | nothing |
| the reply | ProtocolMisuse | not open | not open |
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum, auto
from typing import Final, TypeAlias

from flow_lsp.findings.model import shown
from flow_lsp.protocol.call_outcomes import NotRun, SentOutcome
from flow_lsp.protocol.envelope import read_envelope
from flow_lsp.protocol.framer import EndlessLine, FramerEvent, LineFramer, LongLine
from flow_lsp.protocol.lines import ProtocolMisuse, TooLong, describe_line, reply_line
from flow_lsp.protocol.messages import NoMessage, Notification, Request, read_message
from flow_lsp.protocol.outcome import DescribeListing
from flow_lsp.protocol.stream import Noise, NoiseLog, Send, UnknownRequests, id_text
from flow_lsp.values.limits import DEFAULT_LIMITS, Limits
from flow_lsp.values.strict_json import Json, JsonObject, deeper_than

ANSWERED: Final = 10_000  # requests that are answered with -32601: 1 MB of answers, should the host never read them
_ARGS_LEVEL: Final = 1  # args itself is no value; each of its members is one


@dataclass(frozen=True, slots=True)
class DescribeRequested:
    """The host asked for the listing, and is being answered. `data` is its data version, None where it names none."""

    data: str | None


@dataclass(frozen=True, slots=True)
class CallReceived:
    """A call to run. `schema` and `types` are None where the call does not have them."""

    run: str
    call: str
    tool: str
    args: JsonObject
    schema: Json = None
    types: Json = None


@dataclass(frozen=True, slots=True)
class CallRefused:
    """A call that is being answered NotRun, for `reason`, a sentence. The ids are cut and can be shown."""

    run: str
    call: str
    reason: str


@dataclass(frozen=True, slots=True)
class CancelReceived:
    """The host asks to stop an open call. It is to be replied to all the same."""

    run: str
    call: str


@dataclass(frozen=True, slots=True)
class EndOfInput:
    """There is no more to come: the host asks the process to end."""


ServingEvent: TypeAlias = Noise | Send | DescribeRequested | CallReceived | CallRefused | CancelReceived | EndOfInput


class _Open(Enum):
    OPEN = auto()
    CANCELLED = auto()


class ServingConnection:
    """See the module's rules. `listing` is what describe is answered with."""

    def __init__(self, listing: DescribeListing, limits: Limits = DEFAULT_LIMITS) -> None:
        self._listing = listing
        self._limits = limits
        self._framer = LineFramer(limits.line_bytes)
        self._log = NoiseLog()
        self._requests = UnknownRequests(ANSWERED, "this implementation answers describe alone")
        self._open: dict[tuple[str, str], _Open] = {}

    @property
    def open_pairs(self) -> list[tuple[str, str]]:
        """The calls to which no reply was made, in the order they came."""
        return list(self._open)

    @property
    def noise_count(self) -> int:
        """How many lines were no messages."""
        return self._log.count

    def receive(self, data: bytes) -> list[ServingEvent]:
        """What `data`, the next bytes of standard input, brings."""
        events: list[ServingEvent] = []
        for framed in self._framer.receive(data):
            events.extend(self._framed(framed))
        return events

    def end(self) -> list[ServingEvent]:
        """Standard input has ended: what is left without a line end is noise."""
        left = self._framer.finish()
        if left is None:
            return [EndOfInput()]
        self._log.next_line()
        return [*self._log.noise(left, "it has no line end, so it was cut off"), EndOfInput()]

    def reply(self, run: str, call: str, outcome: SentOutcome) -> bytes:
        """The line that gives an open call its outcome; it is open no longer. Raises ProtocolMisuse for another."""
        if self._open.pop((run, call), None) is None:
            raise ProtocolMisuse("No call is open under these ids.")
        return reply_line(run, call, outcome, self._limits.line_bytes)

    def _framed(self, framed: FramerEvent) -> list[ServingEvent]:
        if isinstance(framed, EndlessLine):
            return []  # it is answered when it ends, which the host will see to
        self._log.next_line()
        if isinstance(framed, LongLine):
            why = TooLong(framed.length, self._framer.limit)
            return self._faulty(framed.head, f"it has {framed.length} bytes, more than {why.limit}", cut=True)
        return [] if self._log.skips(framed.data) else self._line(framed.data)

    def _line(self, line: bytes) -> list[ServingEvent]:
        message = read_message(line)
        if isinstance(message, NoMessage):
            return self._faulty(line, message.reason) if message.refused else [*self._log.noise(line, message.reason)]
        if isinstance(message, Request):
            return self._request(message)
        if not isinstance(message, Notification):
            return [*self._log.noise(line, "it answers a request that was not made")]
        if message.method not in ("call", "cancel"):
            return []
        pair = _pair(message.params)
        if pair is None:
            return [
                *self._log.noise(
                    line, f"it is a {message.method} without a run and a call that are strings and not empty"
                )
            ]
        assert isinstance(message.params, dict)
        return self._call(pair, message.params) if message.method == "call" else self._cancel(pair)

    def _request(self, request: Request) -> list[ServingEvent]:
        request_id = id_text(request.id)
        if request.method == "describe" and request_id is not None:
            data = request.params.get("data") if isinstance(request.params, dict) else None
            limit = self._framer.limit
            answer = describe_line(request_id, self._listing.data, self._listing.tools, limit)
            return [DescribeRequested(data if isinstance(data, str) else None), Send(answer)]
        events: list[ServingEvent] = [*self._requests.answer(request)]
        pair = _pair(request.params) if request.method == "call" else None
        if pair is not None:
            events += self._refuse(pair, "The call has an id, and calls have none.")
        return events

    def _call(self, pair: tuple[str, str], params: JsonObject) -> list[ServingEvent]:
        tool, args = params.get("tool"), params.get("args")
        if not isinstance(tool, str) or not tool:
            return self._refuse(pair, "The call names no Tool.")
        if not isinstance(args, dict):
            return self._refuse(pair, "The call's args are no object.")
        for view in ("schema", "types"):
            if view in params and params[view] is None:
                return self._refuse(pair, f"The call's {view} is null.")
        if deeper_than(args, self._limits.nesting + _ARGS_LEVEL):
            return self._refuse(pair, f"An argument is nested more than {self._limits.nesting} levels deep.")
        if pair in self._open:
            return self._duplicate(pair)
        self._open[pair] = _Open.OPEN
        return [CallReceived(*pair, tool, args, params.get("schema"), params.get("types"))]

    def _cancel(self, pair: tuple[str, str]) -> list[ServingEvent]:
        if self._open.get(pair) is not _Open.OPEN:
            return []
        self._open[pair] = _Open.CANCELLED
        return [CancelReceived(*pair)]

    def _faulty(self, line: bytes, reason: str, cut: bool = False) -> list[ServingEvent]:
        """A line that is not to be read strictly, or the beginning of one past the limit; `reason` is a clause."""
        envelope = read_envelope(line)
        pair = envelope.pair if envelope is not None and envelope.is_notification("call") else None
        if envelope is None or pair is None or not (envelope.whole or cut):
            return [*self._log.noise(line, reason)]
        return self._refuse(pair, f"The call's message cannot be read: {reason}.")

    def _refuse(self, pair: tuple[str, str], reason: str) -> list[ServingEvent]:
        if pair in self._open:
            return self._duplicate(pair)
        run, call = pair
        line = reply_line(run, call, NotRun(reason), self._limits.line_bytes)
        return [CallRefused(shown(run), shown(call), reason), Send(line)]

    def _duplicate(self, pair: tuple[str, str]) -> list[ServingEvent]:
        run, call = pair
        written = f"run {shown(run)}, call {shown(call)}".encode()
        return [*self._log.noise(written, "it is a call under the ids of one that is open")]


def _pair(params: Json) -> tuple[str, str] | None:
    if not isinstance(params, dict):
        return None
    run, call = params.get("run"), params.get("call")
    if not isinstance(run, str) or not isinstance(call, str) or not run or not call:
        return None
    return run, call
