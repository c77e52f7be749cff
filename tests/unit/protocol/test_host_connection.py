"""The host's side of one process, with bytes alone."""

from __future__ import annotations

import json

import pytest
from support.bounds import not_hopeless

from flow_lsp.codecs.codec import Codecs
from flow_lsp.protocol.call_outcomes import BadReply, Ok
from flow_lsp.protocol.connection import ConnectionEvent, HostConnection, MustEnd
from flow_lsp.protocol.describe import Answered, Refused
from flow_lsp.protocol.ledger import Admitted, Call, Ledger
from flow_lsp.protocol.outcome import DescribeFailure, DescribeListing, FailureKind
from flow_lsp.protocol.replies import FaultyReply, ReplyReceived
from flow_lsp.protocol.stream import Noise, Send
from flow_lsp.types.terms import Primitive

ANSWER = b'{"jsonrpc":"2.0","id":1,"result":{"data":"0.1","tools":[]}}\n'
CODECS = Codecs({}, builds_opaque=False)


def reply(outcome: str, call: str = "c") -> bytes:
    return (
        f'{{"jsonrpc":"2.0","method":"reply","params":{{"run":"r","call":"{call}","outcome":{outcome}}}}}\n'
    ).encode()


def told(*chunks: bytes, limit: int = 1000) -> list[ConnectionEvent]:
    connection = HostConnection(limit)
    return [event for chunk in chunks for event in connection.receive(chunk)]


def test_describe_comes_first_and_replies_are_told_before_and_behind_its_answer() -> None:
    connection = HostConnection()
    assert json.loads(connection.request())["method"] == "describe"
    assert connection.receive(reply('{"Ok":1}')) == [ReplyReceived("r", "c", {"Ok": 1})]
    assert not connection.described
    assert connection.receive(ANSWER) == [Answered(DescribeListing("0.1", ()))]
    assert connection.described
    assert connection.receive(reply('{"Ok":2}') + ANSWER) == [ReplyReceived("r", "c", {"Ok": 2})]
    assert connection.end() == []
    assert connection.noise_count == 0


def test_lines_that_are_no_messages_are_told_and_end_nothing() -> None:
    lines = [b"npm notice", b"", b"42", b"null", b"[]", b'"x"', b"{}", b"\xef\xbb\xbf" + reply("1")[:-1]]
    connection = HostConnection()
    events = connection.receive(b"".join(line + b"\n" for line in lines) + ANSWER + reply('{"Ok":1}') + b"half")
    assert [event.number for event in events if isinstance(event, Noise)] == list(range(1, 9))
    assert events[8:] == [Answered(DescribeListing("0.1", ())), ReplyReceived("r", "c", {"Ok": 1})]
    assert connection.end() == [Noise(11, "half", "it has no line end, so it was cut off")]
    assert connection.noise_count == 9


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        (b"[" + reply('{"Ok":1}')[:-1] + b"]\n", "batch"),
        (reply('{"Ok":1}').replace(b'"method"', b'"id":1,"method"'), "a reply with an id"),
        (reply('{"Ok":1}').replace(b'"method"', b'"id":null,"method"'), "a reply with an id"),
        (reply('{"Ok":1}').replace(b'"run":"r"', b'"run":7'), "without a run and a call"),
        (reply('{"Ok":1}').replace(b"2.0", b"1.0"), '"jsonrpc"'),
        (reply('{"Ok":1}').replace(b'"jsonrpc":"2.0",', b'"jsonrpc":"2.0","id":1,"id":2,'), "`id` stands twice"),
        (reply('{"Ok":1,}'), "A key in double quotes is expected"),
        (reply('{"Ok":1}')[:-1] + reply('{"Ok":1}'), "Nothing may follow the value"),
        (reply('{"Ok":"a\tb"}'), "control character"),
    ],
)
def test_a_reply_that_is_skipped_is_noise_with_its_reason(line: bytes, reason: str) -> None:
    [noise] = told(line)
    assert isinstance(noise, Noise)
    assert reason in noise.reason


@pytest.mark.parametrize("outcome", ['{"Ok":{"n":1,"n":2}}', '{"Ok":"\\ud83d"}', '{"Ok":NaN}', "[" * 9000 + "]" * 9000])
def test_a_fault_inside_the_outcome_is_a_faulty_reply(outcome: str) -> None:
    [event] = told(reply(outcome), limit=100_000)
    assert isinstance(event, FaultyReply)


def test_only_a_line_feed_ends_a_line_and_a_carriage_return_before_it_is_white_space() -> None:
    text = "a\u2028b\u2029c\u0085d"
    line = reply(f'{{"Ok":"{text}"}}')
    assert told(line[:-1] + b"\r\n" + line) == [ReplyReceived("r", "c", {"Ok": text})] * 2


def test_requests_are_answered_and_notifications_ignored() -> None:
    ping = b'{"jsonrpc":"2.0","id":"x","method":"ping"}\n'
    [send] = told(b'{"jsonrpc":"2.0","method":"log","params":{}}\n' + ping)
    assert isinstance(send, Send)
    assert json.loads(send.data) == {
        "jsonrpc": "2.0", "id": "x", "error": {"code": -32601, "message": "this host answers no requests"}
    }  # fmt: skip
    assert len(told(ping * 1000)) == 1000
    assert len(told(ping * 20_000)) == 10_000
    assert told(ping.replace(b'"x"', b'"' + b"x" * 2000 + b'"'), limit=10_000) == []


def test_a_response_to_describe_that_refuses_is_told_once() -> None:
    error = b'{"jsonrpc":"2.0","id":1,"error":{"code":-1,"message":"no"}}\n'
    [refused] = told(error + ANSWER)
    assert isinstance(refused, Refused)
    assert refused.failure.kind is FailureKind.ERROR_RESPONSE


def test_a_reply_past_the_limit_is_a_faulty_reply_and_the_next_line_is_read() -> None:
    long = reply(f'{{"Ok":"{"x" * 200}"}}')
    assert told(ANSWER + long + reply('{"Ok":1}', "d"), limit=len(long) - 2) == [
        Answered(DescribeListing("0.1", ())),
        FaultyReply(
            "r", "c", f"The reply's line has {len(long) - 1} bytes; {len(long) - 2} is the limit of one message."
        ),
        ReplyReceived("r", "d", {"Ok": 1}),
    ]
    assert told(long, limit=len(long) - 1) == [ReplyReceived("r", "c", {"Ok": "x" * 200})]


def test_a_line_past_the_limit_that_is_no_reply_is_noise() -> None:
    [noise] = told(b"{" + b"x" * 2000 + b"\n")
    assert noise == Noise(1, "{" + "x" * 198 + "…", "it has 2001 bytes, more than 1000")


def test_where_the_ids_stand_behind_the_limit_nothing_is_answered() -> None:
    line = (
        b'{"jsonrpc":"2.0","method":"reply","params":{"call":"c","outcome":{"Ok":"' + b"x" * 990 + b'"},"run":"r"}}\n'
    )
    [noise] = told(line)
    assert isinstance(noise, Noise)


def test_a_line_without_end_asks_once_for_the_end_of_the_process() -> None:
    long = reply(f'{{"Ok":"{"x" * 9000}"}}')
    events = told(ANSWER + long[:8500], long[8500:] + reply('{"Ok":1}', "d"))
    assert events == [
        Answered(DescribeListing("0.1", ())),
        FaultyReply("r", "c", "The reply's line does not end; 1000 is the limit of one message."),
        MustEnd("wrote a line of more than 8000 bytes."),
        ReplyReceived("r", "d", {"Ok": 1}),
    ]


def test_a_line_without_end_before_the_answer_refuses_too() -> None:
    events = told(b"x" * 5000, b"x" * 5000, b"x" * 5000)
    assert events == [
        Refused(
            DescribeFailure(
                FailureKind.TOO_LARGE, "answered with a line of more than 1000 bytes, the limit of one message."
            )
        ),
        MustEnd("wrote a line of more than 8000 bytes."),
    ]


def test_each_line_without_end_is_told_of() -> None:
    endless = b"x" * 9000 + b"\n"
    events = told(endless * 2 + b"y" * 2000 + b"\n")
    assert [type(event) for event in events] == [Refused, MustEnd, MustEnd, Noise]


def test_a_missing_answer_is_explained_by_the_last_noise() -> None:
    connection = HostConnection()
    connection.receive(b"hello\n")
    assert connection.failure(FailureKind.TIMED_OUT, "did not answer.").sentence == (
        "did not answer. The last line on its standard output is no message: it is no JSON object."
    )


@pytest.mark.parametrize("length", [65_536, 65_537, 10 * 1024 * 1024])
def test_a_long_reply_is_read_and_so_is_the_short_one_behind_it(length: int) -> None:
    line = reply('{"Ok":"' + "x" * (length - len(reply('{"Ok":""}')) + 1) + '"}')
    assert len(line) == length + 1
    first, second = HostConnection().receive(line + reply('{"Ok":1}', "d"))
    assert isinstance(first, ReplyReceived)
    assert second == ReplyReceived("r", "d", {"Ok": 1})


@pytest.mark.parametrize(
    ("size", "item"),
    [(1, '{"a":1,"b":"x"},'), (1, "1.25,"), (1, "[[[]]],"), (15, '"' + "\\u00e9\\n" * 1000 + '",')],
    ids=["objects", "numbers", "arrays", "texts"],
)
def test_a_reply_of_many_mib_is_read_decoded_and_encoded_in_linear_time(size: int, item: str) -> None:
    line = reply('{"Ok":[' + item * (size * 1024 * 1024 // len(item)) + "null]}")
    faulty = line.replace(b"null]", b'{"a":1,"a":1}]')
    ledger = Ledger()
    anything = CODECS.codec(Primitive.JSON_VALUE)
    with not_hopeless():
        for data, wanted in ((line, Ok), (faulty, BadReply)):
            ledger.open(Call("r", "c", anything, anything))
            ledger.sent("r", "c")
            connection = HostConnection()
            events = [
                event for at in range(0, len(data), 65_536) for event in connection.receive(data[at : at + 65_536])
            ]
            [received] = events
            assert isinstance(received, ReplyReceived | FaultyReply)
            [admitted] = ledger.reply(received)
            assert isinstance(admitted, Admitted)
            assert isinstance(admitted.outcome, wanted)
