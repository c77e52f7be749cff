"""What a line of an implementation answers."""

from __future__ import annotations

import pytest

from flow_lsp.protocol.messages import NoMessage, read_message
from flow_lsp.protocol.replies import FaultyReply, ReplyReceived, faulty_reply, read_reply, reply_in_head

HEAD = b'{"jsonrpc":"2.0","method":"reply","params":{"run":"r","call":"c"'


def faulty(line: bytes) -> FaultyReply | NoMessage:
    message = read_message(line)
    assert isinstance(message, NoMessage)
    assert message.refused
    return faulty_reply(line, message)


def test_a_reply_is_a_pair_and_an_outcome() -> None:
    assert read_reply({"run": "r", "call": "c", "outcome": {"Ok": 1}, "x": 1}) == ReplyReceived("r", "c", {"Ok": 1})
    assert read_reply({"run": "r", "call": "c", "outcome": None}) == ReplyReceived("r", "c", None)
    assert read_reply({"run": "r", "call": "c"}) == FaultyReply("r", "c", "The reply has no outcome.")


@pytest.mark.parametrize("params", [None, [], "x", {}, {"run": "r"}, {"run": "r", "call": 1}, {"run": "", "call": "c"}])
def test_without_ids_that_are_strings_and_not_empty_it_answers_nothing(params: object) -> None:
    assert isinstance(read_reply(params), NoMessage)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("outcome", "word"),
    [
        (b'{"Ok":{"n":1,"n":2}}', "twice"),
        (b'{"Ok":[{"n":1,"\\u006e":2}]}', "twice"),
        (b'{"Ok":1,"Ok":1}', "twice"),
        (b'{"Ok":"\\ud83d"}', "half a character"),
        (b'{"Ok":"\\ude00\\ud83d"}', "half a character"),
        (b'{"\\ud83d":1}', "half a character"),
        (b'{"Ok":' + b"[" * 600 + b"]" * 600 + b"}", "levels deep"),
        (b'{"Ok":' + b"[" * 5000 + b"]" * 5000 + b"}", "levels deep"),
        (b'{"Ok":"\xff"}', "UTF-8"),
        (b'{"Ok":NaN}', "NaN"),
        (b'{"Ok":[-Infinity]}', "Infinity"),
    ],
)
def test_a_fault_of_strict_reading_inside_the_outcome_is_a_faulty_reply(outcome: bytes, word: str) -> None:
    for line in (HEAD + b',"outcome":' + outcome + b"}}", HEAD + b',"x":[1],"outcome" : ' + outcome + b',"y":{}} } \r'):
        found = faulty(line)
        assert isinstance(found, FaultyReply)
        assert (found.run, found.call) == ("r", "c")
        assert word in found.reason
        assert found.reason.startswith("The outcome cannot be read. ")
        assert found.reason.endswith(".")


def test_an_outcome_that_stands_twice_is_a_faulty_reply() -> None:
    found = faulty(HEAD + b',"outcome":{"Ok":1},"outcome":{"Failed":"x"}}}')
    assert isinstance(found, FaultyReply)
    assert "`outcome` stands twice" in found.reason


@pytest.mark.parametrize(
    "line",
    [
        HEAD + b',"run":"r","outcome":{"Ok":1}}}',
        HEAD + b',"outcome":{"Ok":{"a":1,"a":2}},"call":"d"}}',
        HEAD + b',"outcome":1,"x":1,"x":1}}',
        HEAD + b',"outcome":1,"x":"\\ud800"}}',
        HEAD + b',"outcome":1,"x":NaN}}',
        HEAD + b',"outcome":1},"x":"\xff"}',
        HEAD + b',"outcome":1},"method":"reply"}',
        HEAD + b',"outcome":1},"params":{}}',
        HEAD + b',"outcome":1},"jsonrpc":"2.0"}',
        HEAD + b',"outcome":NaN},"id":1,"id":2}',
        HEAD + b',"outcome":NaN},"id":1}',
        HEAD + b',"outcome":{"Ok":1,}}}',
        HEAD + b',"outcome":{"Ok":1}}} {}',
        HEAD + b',"outcome":{"Ok":NaN}}',
        HEAD.replace(b'"c"', b'"\\ud800"') + b',"outcome":1}}',
        HEAD.replace(b"2.0", b"1.0") + b',"outcome":NaN}}',
        HEAD.replace(b"reply", b"log") + b',"outcome":NaN}}',
        HEAD + b',"outcome":NaN,"x":[1,1,' + b"[" * 600 + b"]" * 600 + b"]}}",
        b'{"jsonrpc":"2.0","id":1,"result":{"a":1,"a":2}}',
    ],
)
def test_a_fault_anywhere_else_makes_the_line_no_message(line: bytes) -> None:
    assert isinstance(faulty(line), NoMessage)


def test_what_is_said_of_a_line_with_two_faults_is_the_one_that_counts() -> None:
    found = faulty(HEAD + b',"outcome":NaN,"x":1,"x":1}}')
    assert isinstance(found, NoMessage)
    assert "`x` stands twice" in found.reason


@pytest.mark.parametrize("tail", [b',"outcome":{"Ok":"xxx', b',"outcome":' + b"[" * 5000, b',"outcome":NaN,"x', b"}"])
def test_of_a_line_past_the_limit_the_pair_is_picked_out_of_its_head(tail: bytes) -> None:
    assert reply_in_head(HEAD + tail, "It is long.") == FaultyReply("r", "c", "It is long.")


@pytest.mark.parametrize(
    "head",
    [
        b"x" * 100,
        HEAD[:-4],
        HEAD[:-1],
        b'{"jsonrpc":"2.0","method":"reply","params":{"outcome":{"Ok":"xxxx',
        HEAD + b',"run":"r","outcome":{"Ok":"xxx',
        b'{"id":1,' + HEAD[1:] + b',"outcome":',
        b'[{"params":{"run":"r","call":"c","outcome":"xxx',
        b'{"jsonrpc":"2.0","method":"log","params":{"run":"r","call":"c","text":"xxx',
        b'{"jsonrpc":"2.0","id":1,"result":{"run":"r","call":"c","text":"xxx',
    ],
)
def test_where_they_do_not_stand_in_the_head_nothing_is_answered(head: bytes) -> None:
    assert reply_in_head(head, "It is long.") is None
