"""The ledger against a model that knows no table: what happened to each call decides what may come of it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from hypothesis import given, settings
from hypothesis import strategies as st

from flow_lsp.codecs.codec import Codecs
from flow_lsp.protocol.call_outcomes import BadReply, Failed, NotRun, Ok, Unknown
from flow_lsp.protocol.ledger import Admitted, Call, Dropped, Ledger, LedgerEvent
from flow_lsp.protocol.lines import ProtocolMisuse, TooLong
from flow_lsp.protocol.replies import FaultyReply, ReplyReceived
from flow_lsp.protocol.stream import Send
from flow_lsp.types.terms import Primitive

CODECS = Codecs({}, builds_opaque=False)
INT, TEXT = CODECS.codec(Primitive.INT), CODECS.codec(Primitive.TEXT)
PAIRS = [(run, call) for run in "ab" for call in "xy"]
TOOLS = ["k.f", "k.g"]
OUTCOMES = [
    ({"Ok": 1}, Ok),
    ({"Failed": "no"}, Failed),
    ({"NotRun": "no"}, NotRun),
    ({"Unknown": "no"}, Unknown),
    ({"Ok": "1"}, BadReply),
    ({}, BadReply),
]


@dataclass
class Told:
    """What the model was told of one open call."""

    tool: str
    fingerprint: str
    begun: bool = False  # a byte was handed over
    reached: bool = False  # all were
    cancelled: bool = False


@dataclass
class Model:
    """The rules as sentences. Each method gives what the ledger must, as pairs and types; None for a mistake."""

    calls: dict[tuple[str, str], Told] = field(default_factory=dict)
    serves: dict[str, str] | None = None
    dropped: int = 0

    def fits(self, told: Told) -> bool:
        return self.serves is None or self.serves.get(told.tool) == told.fingerprint

    def end(self, pair: tuple[str, str], outcome: type) -> list[tuple[object, ...]]:
        del self.calls[pair]
        return [(pair, outcome)]

    def open(self, pair: tuple[str, str], tool: str, fingerprint: str) -> list[tuple[object, ...]] | None:
        if pair in self.calls:
            return None
        self.calls[pair] = Told(tool, fingerprint)
        return [] if self.fits(self.calls[pair]) else self.end(pair, NotRun)

    def begun(self, pair: tuple[str, str]) -> list[tuple[object, ...]] | None:
        told = self.calls.get(pair)
        if told is None or told.begun:
            return None
        told.begun = True
        return [(pair, Send)] if told.cancelled else []

    def sent(self, pair: tuple[str, str]) -> list[tuple[object, ...]] | None:
        told = self.calls.get(pair)
        if told is None:
            return []
        if told.reached:
            return None
        cancel_is_due = told.cancelled and not told.begun
        told.begun = told.reached = True
        return [(pair, Send)] if cancel_is_due else []

    def reply(self, pair: tuple[str, str], outcome: type) -> list[tuple[object, ...]]:
        if pair in self.calls and self.calls[pair].begun:
            return self.end(pair, outcome)
        self.dropped += 1
        return [(pair, Dropped)]

    def cancel(self, pair: tuple[str, str]) -> list[tuple[object, ...]]:
        told = self.calls.get(pair)
        if told is None or told.cancelled:
            return []
        told.cancelled = True
        return [(pair, Send)] if told.begun else []

    def close(self, pair: tuple[str, str]) -> list[tuple[object, ...]] | None:
        told = self.calls.get(pair)
        if told is None:
            return []
        if not told.cancelled:
            return None
        return self.end(pair, Unknown if told.begun else NotRun)  # what is begun goes on to the process

    def too_long(self, pair: tuple[str, str]) -> list[tuple[object, ...]] | None:
        return self.end(pair, NotRun) if pair in self.calls and not self.calls[pair].begun else None

    def ended(self) -> list[tuple[object, ...]]:
        self.serves = None
        out = [(pair, told.reached) for pair, told in self.calls.items() if told.begun]
        return [end for pair, reached in out for end in self.end(pair, Unknown if reached else NotRun)]

    def described(self, major: str, serves: dict[str, str]) -> list[tuple[object, ...]]:
        self.serves = serves if major == "0" else {}
        unfit = [pair for pair, told in self.calls.items() if not told.begun and not self.fits(told)]
        return [end for pair in unfit for end in self.end(pair, NotRun)]

    def not_started(self) -> list[tuple[object, ...]]:
        waiting = [pair for pair, told in self.calls.items() if not told.begun]
        return [end for pair in waiting for end in self.end(pair, NotRun)]

    def next(self) -> tuple[str, str] | None:
        waiting = (pair for pair, told in self.calls.items() if not told.begun and not told.cancelled)
        return None if self.serves is None else next(waiting, None)


pairs = st.sampled_from(PAIRS)
tools = st.sampled_from(TOOLS)
prints = st.sampled_from(["sha256:aa", "sha256:bb"])
happenings = st.one_of(
    st.tuples(st.just("open"), pairs, tools, prints),
    st.tuples(st.just("open"), pairs, tools, prints),
    st.tuples(st.just("begun"), pairs),
    st.tuples(st.just("sent"), pairs),
    st.tuples(st.just("reply"), pairs, st.sampled_from(OUTCOMES)),
    st.tuples(st.just("faulty"), pairs),
    st.tuples(st.just("cancel"), pairs),
    st.tuples(st.just("close"), pairs),
    st.tuples(st.just("too_long"), pairs),
    st.just(("ended",)),
    st.tuples(st.just("described"), st.sampled_from(["0", "0", "1"]), st.dictionaries(tools, prints)),
    st.just(("not_started",)),
)


def as_model_says(events: list[LedgerEvent], pair: tuple[str, str]) -> list[tuple[object, ...]]:
    return [
        ((event.run, event.call), type(event.outcome))
        if isinstance(event, Admitted)
        else ((event.run, event.call) if isinstance(event, Dropped) else pair, type(event))
        for event in events
    ]


def told_to_both(
    ledger: Ledger, model: Model, happening: tuple[object, ...]
) -> tuple[Callable[[], list[LedgerEvent]], list[tuple[object, ...]] | None]:
    """What to do to the ledger, and what the model says of it."""
    match happening:
        case ("open", (str() as run, str() as call), str() as tool, str() as fingerprint):
            made = Call(run, call, INT, TEXT, tool, fingerprint)
            return lambda: ledger.open(made), model.open((run, call), tool, fingerprint)
        case ("begun", (str() as run, str() as call)):
            return lambda: ledger.begun(run, call), model.begun((run, call))
        case ("sent", (str() as run, str() as call)):
            return lambda: ledger.sent(run, call), model.sent((run, call))
        case ("reply", (str() as run, str() as call), (outcome, type() as wanted)):
            reply = ReplyReceived(run, call, outcome)  # type: ignore[arg-type]
            return lambda: ledger.reply(reply), model.reply((run, call), wanted)
        case ("faulty", (str() as run, str() as call)):
            return lambda: ledger.reply(FaultyReply(run, call, "It is bad.")), model.reply((run, call), BadReply)
        case ("cancel", (str() as run, str() as call)):
            return lambda: ledger.cancel(run, call), model.cancel((run, call))
        case ("close", (str() as run, str() as call)):
            return lambda: ledger.close(run, call), model.close((run, call))
        case ("too_long", (str() as run, str() as call)):
            return lambda: ledger.refused(run, call, TooLong(2, 1)), model.too_long((run, call))
        case ("ended",):
            return ledger.ended, model.ended()
        case ("described", str() as major, dict() as serves):
            return lambda: ledger.described(f"{major}.1", serves), model.described(major, serves)
        case _:
            return lambda: ledger.not_started("No more."), model.not_started()


@settings(deadline=None, max_examples=500)
@given(st.lists(happenings, max_size=40))
def test_a_ledger_does_what_the_rules_say_whatever_happens(sequence: list[tuple[object, ...]]) -> None:
    ledger, model = Ledger(), Model()
    opened = ended = 0
    for happening in sequence:
        if happening[0] in ("described",) and any(told.begun for told in model.calls.values()):
            continue  # a process is described when the one before has ended
        pair = happening[1] if len(happening) > 1 else ("", "")
        act, wanted = told_to_both(ledger, model, happening)
        try:
            events = act()
        except ProtocolMisuse:
            assert wanted is None
            continue
        assert wanted is not None
        assert as_model_says(events, pair) == wanted  # type: ignore[arg-type]
        opened += happening[0] == "open"
        ended += sum(isinstance(event, Admitted) for event in events)
        assert ledger.open_pairs == list(model.calls)
        assert opened - ended == len(model.calls)  # each call has at most one outcome, and none is lost
        ready = ledger.next_call()
        assert (None if ready is None else (ready.call.run, ready.call.call)) == model.next()
    assert ledger.dropped == model.dropped


@settings(deadline=None, max_examples=200)
@given(st.lists(happenings, max_size=40))
def test_when_the_process_ended_and_none_is_started_no_call_is_open(sequence: list[tuple[object, ...]]) -> None:
    ledger, model = Ledger(), Model()
    for happening in sequence:
        try:
            told_to_both(ledger, model, happening)[0]()
        except ProtocolMisuse:
            continue
    ledger.ended()
    ledger.not_started("No more.")
    assert ledger.open_pairs == []
    assert ledger.next_call() is None
