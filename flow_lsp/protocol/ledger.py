"""All calls of one bound implementation, from the first process of it to the last: what is open, and each outcome.

Rules beside those of `ledger_table` ("The Tool process protocol", "Versioning", decisions 7):
- the pair of run id and call id is the only key. A pair that is open is not opened again; one that has its outcome
  may be, since a call that is sent again after a crash carries the same pair;
- a process that answered describe decides about every call that waits, and about those opened while it runs: its
  data version has this host's major, and it lists the declaration, by its identity with the version left out, with
  the fingerprint. Else the call is NotRun, and the reason says what differs;
- a reply that no call waits for is dropped, counted, and told for the log a bounded number of times per process.

The caller reports each happening in the order it came about: above all, that a line was handed over before that the
process ended to which it was. It opens a pair again only when it has reported all about the call before. What it must
not do raises ProtocolMisuse; nothing that came from outside does. Every method but `ended` and `described` takes the
same time however many calls are open.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from itertools import islice
from typing import Final, TypeAlias

from flow_lsp.codecs.codec import Codec
from flow_lsp.findings.model import shown
from flow_lsp.protocol.call_outcomes import BadReply, CallOutcome, NotRun, Unknown, read_outcome
from flow_lsp.protocol.framer import LINE_LIMIT
from flow_lsp.protocol.ledger_table import TABLE, Action, Happening, State
from flow_lsp.protocol.lines import IdUsed, ProtocolMisuse, TooLong, call_line, cancel_line, check_pair
from flow_lsp.protocol.replies import FaultyReply, ReplyReceived
from flow_lsp.protocol.served import Served
from flow_lsp.protocol.stream import Send
from flow_lsp.values.data_version import DATA_VERSION
from flow_lsp.values.limits import DEFAULT_LIMITS, Limits

DROPPED_TOLD: Final = 20  # dropped replies of one process that become events; the others are counted alone
REMEMBERED: Final = 1_000  # closed calls of which is known how they were closed; the log of dropped replies says it

Pair: TypeAlias = tuple[str, str]


@dataclass(
    slots=True
)  # not frozen, as little here that each call makes: a frozen one takes three times as long to make
class Call:
    """A call to make. `ok` and `err` decode what it may come to, without building opaque types.

    `tool` is the declaration's identity and `fingerprint` its own; None where that is not to be compared. The texts
    are canonical ones; the views are those of a generic call.
    """

    run: str
    call: str
    ok: Codec
    err: Codec
    tool: str | None = None
    fingerprint: str | None = None
    args_text: str = "{}"
    schema_text: str | None = None
    types_text: str | None = None


@dataclass(slots=True)
class ReadyCall:
    """A call that may be begun, and its declaration's identity as the process lists it."""

    call: Call
    tool: str

    def line(self, limit: int = LINE_LIMIT) -> bytes | TooLong:
        """The line to send."""
        call = self.call
        return call_line(call.run, call.call, self.tool, call.args_text, call.schema_text, call.types_text, limit)


@dataclass(slots=True)
class Admitted:
    """The one outcome of a call."""

    run: str
    call: str
    outcome: CallOutcome


@dataclass(frozen=True, slots=True)
class Dropped:
    """A reply that changes nothing, and why, as a clause. The ids are cut and can be shown."""

    run: str
    call: str
    reason: str


LedgerEvent: TypeAlias = Admitted | Dropped | Send  # what is sent is a cancel


class Ledger:
    """See the module's rules."""

    def __init__(
        self,
        limits: Limits = DEFAULT_LIMITS,
        data_version: str = DATA_VERSION,
        cancel: Callable[[str, str], bytes] = cancel_line,
    ) -> None:
        """`cancel` writes the line that asks to stop the call of a pair; an adapter's is another."""
        self._cancel_line = cancel
        self._limits = limits
        self._data_version = data_version
        self._open: dict[Pair, Call] = {}
        self._states: dict[Pair, State] = {}  # of the same; no object for both, since ten thousand may be open
        self._queue: OrderedDict[Pair, Call] = OrderedDict()  # the calls in the state QUEUED, in order
        self._closed: OrderedDict[Pair, str] = OrderedDict()
        self._served: Served | None = None
        self._told = 0
        self.dropped = 0

    @property
    def open_pairs(self) -> list[Pair]:
        """The calls without an outcome, as they were opened."""
        return list(self._open)

    @property
    def waits(self) -> bool:
        """Whether a call waits to be sent that was not cancelled."""
        return bool(self._queue)

    def open(self, call: Call) -> list[LedgerEvent]:
        """`call` is to be made. It waits, or is NotRun at once where the process that runs does not serve it."""
        check_pair(call.run, call.call)
        pair = (call.run, call.call)
        if pair in self._open:
            raise ProtocolMisuse("A call is open under these ids.")
        self._closed.pop(pair, None)
        self._open[pair] = call
        self._states[pair] = State.QUEUED
        self._queue[pair] = call
        return [] if self._served is None else self._refuse_unfit(pair)

    def next_call(self) -> ReadyCall | None:
        """The first call that may be begun; None where none waits, or no process has answered describe.

        It stays the next until `begun` or `sent` is told of it, or `refused`.
        """
        if self._served is None or not self._queue:
            return None
        call = next(iter(self._queue.values()))
        return ReadyCall(call, self._served.identity(call.tool, call.fingerprint))

    def next_calls(self, most: int) -> list[ReadyCall]:
        """The first calls that may be begun, as `next_call` says, at most so many, in their order."""
        served = self._served
        if served is None:
            return []
        return [
            ReadyCall(call, served.identity(call.tool, call.fingerprint)) for call in islice(self._queue.values(), most)
        ]

    def begun(self, run: str, call: str) -> list[LedgerEvent]:
        """The first byte of the call's line is being handed to the operating system."""
        return self._happens((run, call), Happening.BEGUN)

    def sent(self, run: str, call: str) -> list[LedgerEvent]:
        """The whole line, LF included, was handed to the operating system. It may have its reply by now."""
        pair = (run, call)
        return self._happens(pair, Happening.SENT) if pair in self._open else []

    def refused(self, run: str, call: str, why: TooLong | IdUsed) -> list[LedgerEvent]:
        """No line can be made of the call: NotRun."""
        return self._happens((run, call), Happening.REFUSED, why.reason)

    def reply(self, reply: ReplyReceived | FaultyReply) -> list[LedgerEvent]:
        """A reply came. Decoding takes time linear in it, and no time where no call waits for it."""
        pair = (reply.run, reply.call)
        if pair not in self._open:
            return self._drop(pair, self._closed.get(pair, "no call with these ids is open"))
        return self._happens(pair, Happening.REPLY, reply=reply)

    def cancel(self, run: str, call: str) -> list[LedgerEvent]:
        """The host asks to stop. Where the call has been closed this changes nothing."""
        return self._happens((run, call), Happening.CANCEL) if (run, call) in self._open else []

    def close(self, run: str, call: str) -> list[LedgerEvent]:
        """A cancelled call is closed without a reply. Where it has been closed this changes nothing."""
        return self._happens((run, call), Happening.CLOSE) if (run, call) in self._open else []

    def ended(self, how: str = "The process ended.") -> list[LedgerEvent]:
        """The process ended, and all it wrote has been given to `reply`; `how` is a sentence."""
        self._served = None
        self._told = 0
        return [event for pair in tuple(self._open) for event in self._happens(pair, Happening.ENDED, how)]

    def described(self, data: str, tools: Mapping[str, str]) -> list[LedgerEvent]:
        """A process answered describe: its data version, and the fingerprint of each identity it serves."""
        self._served = Served(data, tools, self._data_version)
        return [event for pair in tuple(self._waiting()) for event in self._refuse_unfit(pair)]

    def not_started(self, why: str) -> list[LedgerEvent]:
        """No process will be started, or none that answers describe: the calls that wait are NotRun. `why` is a
        sentence."""
        return [event for pair in tuple(self._waiting()) for event in self._happens(pair, Happening.REFUSED, why)]

    def _waiting(self) -> list[Pair]:
        return [pair for pair, state in self._states.items() if Happening.REFUSED in TABLE[state]]

    def _refuse_unfit(self, pair: Pair) -> list[LedgerEvent]:
        if self._served is None:
            return []
        call = self._open[pair]
        why = self._served.unfit(call.tool, call.fingerprint)
        return [] if why is None else self._happens(pair, Happening.REFUSED, why)

    def _happens(
        self, pair: Pair, happening: Happening, why: str = "", reply: ReplyReceived | FaultyReply | None = None
    ) -> list[LedgerEvent]:
        state = self._states.get(pair)
        step = None if state is None else TABLE[state].get(happening)
        if step is None:
            stands = "not open" if state is None else state.name.lower().replace("_", " and ")
            raise ProtocolMisuse(f"{happening.name.capitalize()} is told of a call that is {stands}.")
        if step.state is not None:
            self._states[pair] = step.state
        if step.state is not State.QUEUED:
            self._queue.pop(pair, None)
        if step.action is Action.NOTHING:
            return []
        match step.action:
            case Action.ADMIT:
                assert reply is not None
                return self._close(pair, self._outcome(self._open[pair], reply), "the call has been answered")
            case Action.DROP:
                return self._drop(pair, "the call has not been sent to this process")
            case Action.TELL:
                return [Send(self._cancel_line(*pair))]
            case Action.NOT_RUN:
                return self._close(pair, NotRun(_not_run_reason(happening, why)), "the call was not made")
            case Action.UNKNOWN:
                return self._close(pair, Unknown(_unknown_reason(happening, why)), "the call was closed before")
        return []

    def _outcome(self, call: Call, reply: ReplyReceived | FaultyReply) -> CallOutcome:
        if isinstance(reply, FaultyReply):
            return BadReply(reply.reason)
        return read_outcome(reply.outcome, call.ok, call.err, self._limits)

    def _close(self, pair: Pair, outcome: CallOutcome, how: str) -> list[LedgerEvent]:
        del self._open[pair], self._states[pair]
        self._closed[pair] = how
        if len(self._closed) > REMEMBERED:
            self._closed.popitem(last=False)
        return [Admitted(*pair, outcome)]

    def _drop(self, pair: Pair, why: str) -> list[LedgerEvent]:
        self.dropped += 1
        self._told += 1
        run, call = pair
        return [Dropped(shown(run), shown(call), why)] if self._told <= DROPPED_TOLD else []


def _not_run_reason(happening: Happening, why: str) -> str:
    if happening is Happening.CLOSE:
        return "The call was cancelled before it was sent."
    if happening is Happening.ENDED:
        return f"{why} The call had not reached it in full."
    return why


def _unknown_reason(happening: Happening, why: str) -> str:
    if happening is Happening.ENDED:
        return f"{why} The call had reached it and was not answered."
    return "The call was cancelled, and no reply came; it had been sent."
