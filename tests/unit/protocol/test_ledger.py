"""The host's book of calls, one transition after the other."""

from __future__ import annotations

import itertools
import json

import pytest
from support.bounds import not_hopeless

from flow_lsp.codecs.codec import Codecs
from flow_lsp.protocol.call_outcomes import BadReply, CallOutcome, NotRun, Ok, Unknown
from flow_lsp.protocol.ledger import Admitted, Call, Dropped, Ledger, LedgerEvent
from flow_lsp.protocol.ledger_table import TABLE, Happening, State
from flow_lsp.protocol.lines import ProtocolMisuse, TooLong, cancel_line
from flow_lsp.protocol.replies import FaultyReply, ReplyReceived
from flow_lsp.protocol.stream import Send
from flow_lsp.types.terms import Primitive

CODECS = Codecs({}, builds_opaque=False)
INT, TEXT = CODECS.codec(Primitive.INT), CODECS.codec(Primitive.TEXT)
CALL = Call("r", "c", INT, TEXT, "k.f", "sha256:aa")
REPLY = ReplyReceived("r", "c", {"Ok": 1})
TOO_LONG = TooLong(11, 10)

# What makes a call, opened and served, stand in each state; and what is done for each happening.
TO_STATE = {
    State.QUEUED: (),
    State.BEGUN: (Happening.BEGUN,),
    State.SENT: (Happening.BEGUN, Happening.SENT),
    State.QUEUED_CANCELLED: (Happening.CANCEL,),
    State.BEGUN_CANCELLED: (Happening.BEGUN, Happening.CANCEL),
    State.SENT_CANCELLED: (Happening.BEGUN, Happening.SENT, Happening.CANCEL),
}
MISUSE = "misuse"
# What comes out of each happening in each state, and whether the call is open then.
EXPECTED = {
    (State.QUEUED, Happening.BEGUN): (None, True),
    (State.QUEUED, Happening.SENT): (None, True),
    (State.QUEUED, Happening.REPLY): (Dropped, True),
    (State.QUEUED, Happening.CANCEL): (None, True),
    (State.QUEUED, Happening.CLOSE): (MISUSE, True),
    (State.QUEUED, Happening.ENDED): (None, True),
    (State.QUEUED, Happening.REFUSED): (NotRun, False),
    (State.BEGUN, Happening.BEGUN): (MISUSE, True),
    (State.BEGUN, Happening.SENT): (None, True),
    (State.BEGUN, Happening.REPLY): (Ok, False),
    (State.BEGUN, Happening.CANCEL): (Send, True),
    (State.BEGUN, Happening.CLOSE): (MISUSE, True),
    (State.BEGUN, Happening.ENDED): (NotRun, False),
    (State.BEGUN, Happening.REFUSED): (MISUSE, True),
    (State.SENT, Happening.BEGUN): (MISUSE, True),
    (State.SENT, Happening.SENT): (MISUSE, True),
    (State.SENT, Happening.REPLY): (Ok, False),
    (State.SENT, Happening.CANCEL): (Send, True),
    (State.SENT, Happening.CLOSE): (MISUSE, True),
    (State.SENT, Happening.ENDED): (Unknown, False),
    (State.SENT, Happening.REFUSED): (MISUSE, True),
    (State.QUEUED_CANCELLED, Happening.BEGUN): (Send, True),
    (State.QUEUED_CANCELLED, Happening.SENT): (Send, True),
    (State.QUEUED_CANCELLED, Happening.REPLY): (Dropped, True),
    (State.QUEUED_CANCELLED, Happening.CANCEL): (None, True),
    (State.QUEUED_CANCELLED, Happening.CLOSE): (NotRun, False),
    (State.QUEUED_CANCELLED, Happening.ENDED): (None, True),
    (State.QUEUED_CANCELLED, Happening.REFUSED): (NotRun, False),
    (State.BEGUN_CANCELLED, Happening.BEGUN): (MISUSE, True),
    (State.BEGUN_CANCELLED, Happening.SENT): (None, True),
    (State.BEGUN_CANCELLED, Happening.REPLY): (Ok, False),
    (State.BEGUN_CANCELLED, Happening.CANCEL): (None, True),
    (State.BEGUN_CANCELLED, Happening.CLOSE): (Unknown, False),
    (State.BEGUN_CANCELLED, Happening.ENDED): (NotRun, False),
    (State.BEGUN_CANCELLED, Happening.REFUSED): (MISUSE, True),
    (State.SENT_CANCELLED, Happening.BEGUN): (MISUSE, True),
    (State.SENT_CANCELLED, Happening.SENT): (MISUSE, True),
    (State.SENT_CANCELLED, Happening.REPLY): (Ok, False),
    (State.SENT_CANCELLED, Happening.CANCEL): (None, True),
    (State.SENT_CANCELLED, Happening.CLOSE): (Unknown, False),
    (State.SENT_CANCELLED, Happening.ENDED): (Unknown, False),
    (State.SENT_CANCELLED, Happening.REFUSED): (MISUSE, True),
}


def happen(ledger: Ledger, happening: Happening) -> list[LedgerEvent]:
    match happening:
        case Happening.BEGUN:
            return ledger.begun("r", "c")
        case Happening.SENT:
            return ledger.sent("r", "c")
        case Happening.REPLY:
            return ledger.reply(REPLY)
        case Happening.CANCEL:
            return ledger.cancel("r", "c")
        case Happening.CLOSE:
            return ledger.close("r", "c")
        case Happening.ENDED:
            return ledger.ended()
        case Happening.REFUSED:
            return ledger.refused("r", "c", TOO_LONG)


def served(*calls: Call) -> Ledger:
    ledger = Ledger()
    ledger.described("0.1", {"k.f": "sha256:aa"})
    for call in calls:
        assert ledger.open(call) == []
    return ledger


def outcome_of(events: list[LedgerEvent]) -> CallOutcome:
    [event] = events
    assert isinstance(event, Admitted)
    assert (event.run, event.call) == ("r", "c")
    return event.outcome


def test_every_state_and_happening_is_tried() -> None:
    assert set(EXPECTED) == set(itertools.product(State, Happening))
    assert {key for key, (comes, _) in EXPECTED.items() if comes != MISUSE} == {
        (state, happening) for state, row in TABLE.items() for happening in row
    }


@pytest.mark.parametrize(("state", "happening"), EXPECTED, ids=lambda value: value.name.lower())
def test_a_happening_in_a_state(state: State, happening: Happening) -> None:
    comes, stays_open = EXPECTED[state, happening]
    ledger = served(CALL)
    for step in TO_STATE[state]:
        happen(ledger, step)
    if comes == MISUSE:
        with pytest.raises(ProtocolMisuse, match=f"call that is {state.name.lower().replace('_', ' and ')}"):
            happen(ledger, happening)
    else:
        events = happen(ledger, happening)
        found = [type(event.outcome) if isinstance(event, Admitted) else type(event) for event in events]
        assert found == ([] if comes is None else [comes])
        if comes is Send:
            assert events == [Send(cancel_line("r", "c"))]
    assert ledger.open_pairs == ([("r", "c")] if stays_open else [])
    assert ledger.dropped == (1 if comes is Dropped else 0)


@pytest.mark.parametrize("happening", [Happening.BEGUN, Happening.REFUSED])
def test_a_line_of_a_call_that_is_not_open_is_a_mistake(happening: Happening) -> None:
    with pytest.raises(ProtocolMisuse, match="not open"):
        happen(served(), happening)


def test_what_is_told_of_a_closed_call_changes_nothing() -> None:
    ledger = served(CALL)
    ledger.begun("r", "c")
    ledger.reply(REPLY)  # it may come before the report that all was handed over
    assert ledger.sent("r", "c") == ledger.cancel("r", "c") == ledger.close("r", "c") == ledger.ended() == []


def test_a_pair_is_open_once_and_may_be_opened_again_when_it_is_closed() -> None:
    ledger = served(CALL)
    with pytest.raises(ProtocolMisuse, match="open under these ids"):
        ledger.open(CALL)
    ledger.sent("r", "c")
    assert outcome_of(ledger.reply(REPLY)) == Ok("1", 1)
    ledger.open(CALL)
    assert ledger.open_pairs == [("r", "c")]
    ledger.sent("r", "c")
    assert outcome_of(ledger.reply(ReplyReceived("r", "c", {"Ok": 2}))) == Ok("2", 2)


def test_ids_are_compared_as_they_are() -> None:
    ledger = served(CALL, Call("c", "r", INT, TEXT), Call("r", "C", INT, TEXT), Call("R", "c", INT, TEXT))
    ledger.sent("r", "c")
    assert outcome_of(ledger.reply(REPLY)) == Ok("1", 1)
    assert ledger.open_pairs == [("c", "r"), ("r", "C"), ("R", "c")]
    with pytest.raises(ProtocolMisuse):
        ledger.open(Call("", "c", INT, TEXT))


def test_a_faulty_reply_is_a_bad_reply_with_its_reason() -> None:
    ledger = served(CALL)
    ledger.sent("r", "c")
    assert outcome_of(ledger.reply(FaultyReply("r", "c", "It is long."))) == BadReply("It is long.")


def test_reasons_say_what_happened() -> None:
    ledger = served(CALL)
    ledger.begun("r", "c")
    assert outcome_of(ledger.ended("It ended with exit status 3.")) == NotRun(
        "It ended with exit status 3. The call had not reached it in full."
    )
    ledger = served(CALL)
    ledger.sent("r", "c")
    assert outcome_of(ledger.ended("It ended with exit status 3.")) == Unknown(
        "It ended with exit status 3. The call had reached it and was not answered."
    )
    assert outcome_of(served(CALL).not_started("It is not started again.")) == NotRun("It is not started again.")
    assert outcome_of(served(CALL).refused("r", "c", TOO_LONG)) == NotRun(TOO_LONG.reason)


def test_a_call_that_waits_is_begun_by_the_next_process_under_the_identity_it_lists() -> None:
    ledger = Ledger()
    call = Call("r", "c", INT, TEXT, "acme/kit@1.2.0/a.f", "sha256:aa", '{"x":1}')
    assert ledger.open(call) == []
    assert ledger.next_call() is None
    assert ledger.described("0.1", {"acme/kit@1.2.0/a.f": "sha256:aa"}) == []
    assert ledger.ended() == []
    assert ledger.next_call() is None
    assert ledger.described("0.1", {"acme/kit@1.3.0/a.f": "sha256:aa"}) == []
    ready = ledger.next_call()
    assert ready is not None
    line = ready.line()
    assert isinstance(line, bytes)
    assert json.loads(line)["params"] == {"run": "r", "call": "c", "tool": "acme/kit@1.3.0/a.f", "args": {"x": 1}}
    assert isinstance(ready.line(20), TooLong)


def test_calls_are_begun_in_their_order_and_a_cancelled_one_is_not() -> None:
    calls = [Call("r", str(number), INT, TEXT) for number in range(5)]
    ledger = served(*calls)
    ledger.cancel("r", "1")
    ledger.sent("r", "2")
    ledger.refused("r", "3", TOO_LONG)
    order = []
    while (ready := ledger.next_call()) is not None:
        assert ledger.next_call() == ready
        order.append(ready.call.call)
        ledger.begun("r", ready.call.call)
    assert order == ["0", "4"]


def test_several_calls_that_may_be_begun_are_given_in_their_order() -> None:
    ledger = Ledger()
    assert not ledger.waits
    for number in range(5):
        ledger.open(Call("r", str(number), INT, TEXT))
    assert ledger.waits
    assert ledger.next_calls(5) == []
    ledger.described("0.1", {})
    ledger.cancel("r", "0")
    ledger.sent("r", "2")
    assert [ready.call.call for ready in ledger.next_calls(2)] == ["1", "3"]
    assert [ready.call.call for ready in ledger.next_calls(9)] == ["1", "3", "4"]


def test_a_cancelled_call_that_waited_is_not_begun_by_the_next_process() -> None:
    ledger = served(CALL)
    ledger.cancel("r", "c")
    ledger.ended()
    ledger.described("0.1", {"k.f": "sha256:aa"})
    assert ledger.next_call() is None
    assert outcome_of(ledger.close("r", "c")) == NotRun("The call was cancelled before it was sent.")


def test_a_process_that_does_not_serve_a_call_refuses_it_when_it_waits_and_when_it_is_opened() -> None:
    changed = {"k.f": "sha256:bb"}
    ledger = Ledger()
    ledger.open(CALL)
    ledger.open(Call("r", "d", INT, TEXT, "k.f", "sha256:bb"))
    reason = NotRun(
        "The implementation serves `k.f` with the fingerprint sha256:bb, and the declaration has sha256:aa."
    )
    assert outcome_of(ledger.described("0.1", changed)) == reason
    assert ledger.open_pairs == [("r", "d")]
    assert outcome_of(ledger.open(CALL)) == reason


def test_a_call_that_is_out_is_not_refused() -> None:
    ledger = served(CALL)
    ledger.sent("r", "c")
    assert ledger.not_started("No.") == []
    assert ledger.open_pairs == [("r", "c")]


def test_the_log_of_dropped_replies_says_why_each_was() -> None:
    ledger = served(CALL, Call("r", "d", INT, TEXT))
    ledger.sent("r", "c")
    assert ledger.reply(ReplyReceived("r", "x\n" * 100, 1)) == [
        Dropped("r", "x\\n" * 39 + "x…", "no call with these ids is open")
    ]
    assert ledger.reply(ReplyReceived("r", "d", 1)) == [Dropped("r", "d", "the call has not been sent to this process")]
    ledger.reply(REPLY)
    assert ledger.reply(REPLY) == [Dropped("r", "c", "the call has been answered")]
    assert ledger.reply(FaultyReply("r", "c", "x")) == [Dropped("r", "c", "the call has been answered")]
    ledger.open(CALL)
    ledger.sent("r", "c")
    ledger.cancel("r", "c")
    ledger.close("r", "c")
    assert ledger.reply(REPLY) == [Dropped("r", "c", "the call was closed before")]
    assert ledger.dropped == 5


def test_a_flood_of_dropped_replies_is_counted_and_told_in_part_for_each_process() -> None:
    ledger = served()
    told = [event for _ in range(1000) for event in ledger.reply(REPLY)]
    assert len(told) == 20
    assert ledger.dropped == 1000
    ledger.ended()
    assert len(ledger.reply(REPLY)) == 1


def test_what_is_remembered_of_closed_calls_is_bounded_and_the_latest_are() -> None:
    ledger = served()

    def answer(number: int) -> None:
        ledger.open(Call("r", str(number), INT, TEXT))
        ledger.sent("r", str(number))
        ledger.reply(ReplyReceived("r", str(number), {"Ok": 1}))

    for number in range(1000):
        answer(number)
    answer(0)  # again
    answer(1000)
    assert ledger.reply(ReplyReceived("r", "1", 1)) == [Dropped("r", "1", "no call with these ids is open")]
    for number in (0, 2, 1000):
        assert ledger.reply(ReplyReceived("r", str(number), 1)) == [
            Dropped("r", str(number), "the call has been answered")
        ]


def test_many_calls_in_flight_cost_the_same_each() -> None:
    many = 50_000
    ledger = served()
    with not_hopeless():
        for number in range(many):
            ledger.open(Call("r", str(number), INT, TEXT, "k.f", "sha256:aa"))
        while (ready := ledger.next_call()) is not None:
            ledger.begun("r", ready.call.call)
            ledger.sent("r", ready.call.call)
        for number in reversed(range(many)):
            assert len(ledger.reply(ReplyReceived("r", str(number), {"Ok": number}))) == 1
    assert ledger.open_pairs == []
