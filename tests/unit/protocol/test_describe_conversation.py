"""The describe conversation, with bytes alone."""

from __future__ import annotations

import json

import pytest

from flow_lsp.protocol.describe import Answered, DescribeConversation, DescribeEvent, Noise, Refused, Send
from flow_lsp.protocol.outcome import DescribeFailure, DescribeListing, FailureKind

EMPTY = DescribeListing("0.1", ())
ANSWER = b'{"jsonrpc":"2.0","id":1,"result":{"data":"0.1","tools":[]}}\n'


def conversation(*chunks: bytes, limit: int = 1000) -> tuple[DescribeConversation, list[DescribeEvent]]:
    talk = DescribeConversation(limit)
    return talk, [event for chunk in chunks for event in talk.receive(chunk)]


def failure_of(*chunks: bytes, limit: int = 1000) -> DescribeFailure:
    [event] = conversation(*chunks, limit=limit)[1]
    assert isinstance(event, Refused)
    return event.failure


def test_it_asks_in_the_hosts_data_version() -> None:
    assert json.loads(DescribeConversation().request()) == {
        "jsonrpc": "2.0",
        "id": 1,
        "method": "describe",
        "params": {"data": "0.1"},
    }


def test_the_first_response_counts_and_later_ones_are_ignored() -> None:
    other = ANSWER.replace(b"0.1", b"7.0")
    talk, events = conversation(ANSWER, other, b'{"jsonrpc":"2.0","id":1,"error":{}}\n')
    assert events == [Answered(EMPTY)]
    assert talk.over
    assert talk.noise_count == 0


@pytest.mark.parametrize("request_id", [b"1", b"1.0", b"1e0", b"10e-1"])
def test_an_id_counts_by_its_value(request_id: bytes) -> None:
    assert conversation(ANSWER.replace(b'"id":1', b'"id":' + request_id))[1] == [Answered(EMPTY)]


@pytest.mark.parametrize("request_id", [b'"1"', b"true", b"2", b"0", b"null", b"[1]", b"1e999999999", b"1.5"])
def test_an_answer_to_another_request_is_noise_that_names_it(request_id: bytes) -> None:
    talk, events = conversation(ANSWER.replace(b'"id":1', b'"id":' + request_id))
    [noise] = events
    assert isinstance(noise, Noise)
    assert noise.reason == "it answers a request that was not made"
    assert not talk.over


def test_noise_before_and_after_the_answer_is_told_with_its_line() -> None:
    talk, events = conversation(b"hello\n\n" + ANSWER + b"{}\nha", b"lf\n")
    assert events == [
        Noise(1, "hello", "it is no JSON object"),
        Noise(2, "", "the line is empty"),
        Answered(EMPTY),
        Noise(4, "{}", 'it has no member "jsonrpc" that is "2.0"'),
        Noise(5, "half", "it is no JSON object"),
    ]
    assert talk.noise_count == 4
    assert talk.end() == []


def test_what_is_left_without_a_line_end_is_noise() -> None:
    talk, _ = conversation(ANSWER[:-1])
    [noise] = talk.end()
    assert isinstance(noise, Noise)
    assert "no line end" in noise.reason
    assert not talk.over


def test_much_noise_is_counted_and_the_answer_is_still_found() -> None:
    talk, events = conversation(b"tick\n" * 10_000, ANSWER, b"tock\n")
    assert len(events) == 21
    assert events[-1] == Answered(EMPTY)
    assert talk.noise_count == 10_001


def test_requests_are_answered_and_notifications_ignored() -> None:
    talk, events = conversation(
        b'{"jsonrpc":"2.0","method":"log","params":{}}\n',
        '{"jsonrpc":"2.0","id":"ü\\n","method":"ping"}\n'.encode(),
        b'{"jsonrpc":"2.0","id":2.50,"method":"ping"}\n',
        b'{"jsonrpc":"2.0","id":{},"method":"ping"}\n',
    )
    sent = [event.data for event in events if isinstance(event, Send)]
    assert [json.loads(line)["id"] for line in sent] == ["ü\n", 2.5]
    assert all(json.loads(line)["error"]["code"] == -32601 for line in sent)
    assert all(line.count(b"\n") == 1 for line in sent)
    assert len(events) == 2
    assert talk.noise_count == 0


def test_a_flood_of_requests_is_not_answered_for_ever() -> None:
    _, events = conversation(b'{"jsonrpc":"2.0","id":9,"method":"ping"}\n' * 1000)
    assert 0 < len(events) <= 100


def test_an_error_response_refuses_with_its_words_made_harmless() -> None:
    line = b'{"jsonrpc":"2.0","id":1,"error":{"code":-32000,"message":"\\u001b[2Jno.' + b"x" * 500 + b'"}}\n'
    failure = failure_of(line)
    assert failure.kind is FailureKind.ERROR_RESPONSE
    assert failure.sentence.startswith(r"answered describe with error -32000: \x1b[2Jno.xxx")
    assert len(failure.sentence) < 300


def test_an_error_that_could_not_name_its_request_is_ours() -> None:
    failure = failure_of(b'{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"parse error"}}\n')
    assert failure == DescribeFailure(FailureKind.ERROR_RESPONSE, "answered describe with error -32700: parse error.")


def test_a_malformed_response_refuses() -> None:
    failure = failure_of(b'{"jsonrpc":"2.0","id":1,"error":null,"result":{}}\n')
    assert failure == DescribeFailure(
        FailureKind.INVALID, "answered describe wrongly: it has both a result and an error."
    )


def test_a_long_line_that_is_meant_as_the_answer_refuses() -> None:
    failure = failure_of(ANSWER[:-3] + b" " * 1000 + b"}}\n")
    assert failure == DescribeFailure(
        FailureKind.TOO_LARGE, "answered with a line of more than 1000 bytes, the limit of one message."
    )


def test_a_long_line_of_another_kind_is_noise_until_the_answer_is_missed() -> None:
    talk, events = conversation(b"{" + b"x" * 1000 + b"\n")
    assert isinstance(events[0], Noise)
    assert not talk.over
    assert talk.failure(FailureKind.TIMED_OUT, "did not answer.").kind is FailureKind.TOO_LARGE
    assert talk.receive(ANSWER) == [Answered(EMPTY)]


def test_a_line_without_end_refuses_once() -> None:
    talk, events = conversation(b"x" * 8001, b"x" * 10_000)
    assert [type(event) for event in events] == [Refused]
    assert talk.over
    assert conversation(ANSWER, b"x" * 20_000)[1] == [Answered(EMPTY)]


def test_a_missing_answer_is_explained_by_the_last_line_that_is_none() -> None:
    talk = DescribeConversation()
    assert talk.failure(FailureKind.TIMED_OUT, "did not answer within 10 s.").sentence == (
        "did not answer within 10 s."
    )
    talk.receive(b"\xef\xbb\xbf" + ANSWER)
    failure = talk.failure(FailureKind.TIMED_OUT, "did not answer within 10 s.")
    assert failure == DescribeFailure(
        FailureKind.TIMED_OUT,
        "did not answer within 10 s. The last line on its standard output is no message: it begins with a "
        "byte order mark, which a line of the protocol must not have.",
    )
