"""Calls over a ready connection: ids, cancels, what the server asks and tells, noise."""

from __future__ import annotations

import json
from typing import Any

import pytest
from support.mcp_peer import ANY, ROOT_URI, codec, error, line, opened, outcomes, page, result, sent, tool

from flow_lsp.protocol.call_outcomes import BadReply, NotRun, Ok, Unknown
from flow_lsp.protocol.describe import Refused
from flow_lsp.protocol.lines import ProtocolMisuse
from flow_lsp.protocol.mcp.connection import McpConnection, State
from flow_lsp.protocol.mcp.events import CallEnded, Dropped, LogMessage, McpEvent, Progress, Send
from flow_lsp.protocol.outcome import FailureKind
from flow_lsp.protocol.stream import Noise
from flow_lsp.types.terms import Primitive


def text(value: str) -> dict[str, Any]:
    return {"content": [{"type": "text", "text": value}]}


def calling(*calls: str, limit: int = 100_000) -> McpConnection:
    connection = opened("echo", limit=limit)
    for call in calls:
        connection.call(call, "echo", "{}", ANY, ANY)
        connection.sent(call)
    return connection


def test_a_call_goes_out_under_its_own_id() -> None:
    [event] = opened("echo").call("c-1", "echo", '{"a":1.10,"b":"\u2028"}', ANY, ANY)
    assert isinstance(event, Send)
    assert event.call == "c-1"
    assert b'"arguments":{"a":1.10,"b":"\xe2\x80\xa8"}' in event.data
    assert json.loads(event.data) == {
        "jsonrpc": "2.0",
        "id": "c-1",
        "method": "tools/call",
        "params": {"name": "echo", "arguments": {"a": 1.1, "b": "\u2028"}, "_meta": {"progressToken": "c-1"}},
    }


def test_answers_come_in_any_order_and_each_to_its_own_call() -> None:
    connection = calling("1", "2")
    events = connection.receive(result("2", text("20")) + result("1", text("10")))
    assert outcomes(events) == [("2", Ok("20", 20)), ("1", Ok("10", 10))]


@pytest.mark.parametrize("request_id", [1, 1.0, True, None, 0, ["1"], {"id": "1"}, "01", " 1", "flow-lsp/initialize"])
def test_an_answer_of_another_id_is_reported_with_it_and_answers_nothing(request_id: Any) -> None:
    connection = calling("1")
    [event] = connection.receive(result(request_id, text("10")))
    assert isinstance(event, Noise)
    assert json.dumps(1 if request_id == 1.0 and request_id is not True else request_id) in event.reason.replace(
        '":"', '": "'
    )
    assert outcomes(connection.receive(result("1", text("10")))) == [("1", Ok("10", 10))]


@pytest.mark.parametrize("answer", [error("9", -1, "no"), line(id="9", result=1, error=1)])
def test_an_error_for_no_call_of_ours_is_reported_too(answer: bytes) -> None:
    [event] = calling("1").receive(answer)
    assert isinstance(event, Noise)
    assert event.reason == 'it answers no open request: its id is "9"'


def test_a_second_answer_and_one_to_a_closed_call_are_dropped() -> None:
    connection = calling("1", "2")
    connection.receive(result("1", text("10")))
    assert connection.receive(result("1", text("11"))) == [Dropped("1")]
    assert connection.receive(error("1", -1, "no")) == [Dropped("1")]
    assert connection.receive(line(id="1", result=1, error=1)) == [Dropped("1")]
    assert outcomes(connection.close("2"))
    assert connection.receive(result("2", text("10"))) == [Dropped("2")]


def test_an_error_response_is_a_bad_reply() -> None:
    [(call, outcome)] = outcomes(calling("1").receive(error("1", -32602, "Unknown \x07tool")))
    assert call == "1"
    assert outcome == BadReply("The server answered the call with error -32602: Unknown \\x07tool.")


def test_an_error_of_no_request_ends_no_call() -> None:
    connection = calling("1")
    [event] = connection.receive(error(None, -32700, "Parse error"))
    assert isinstance(event, Noise)
    assert "Parse error" in event.reason
    assert outcomes(connection.end()) != []


@pytest.mark.parametrize(
    ("members", "words"),
    [
        (b'"result":{"structuredContent":{"n":1,"n":2}}', "twice"),
        (b'"result":{"structuredContent":{"n":{"m":1,"\\u006d":2}}}', "twice"),
        (b'"result":{"structuredContent":{"n":"\\ud83d"}}', "half a character"),
        (b'"result":{"structuredContent":' + b"[" * 3_000 + b"]" * 3_000 + b"}", "nested"),
        (b'"result":{"structuredContent":{"n":NaN}}', "NaN"),
        (b'"error":{"code":1,"code":2}', "twice"),
    ],
)
def test_a_fault_inside_the_result_is_a_bad_reply_for_its_call(members: bytes, words: str) -> None:
    [(call, outcome)] = outcomes(calling("1").receive(b'{"jsonrpc":"2.0",' + members + b',"id":"1"}\n'))
    assert call == "1"
    assert isinstance(outcome, BadReply)
    assert words in outcome.reason


@pytest.mark.parametrize(
    "bad",
    [
        b'{"jsonrpc":"2.0","id":"1","id":"2","result":{"a":1,"a":2}}\n',
        b'{"jsonrpc":"2.0","id":"1","result":{"a":1,"a":2},"x":"\\ud83d"}\n',
        b'{"jsonrpc":"1.0","id":"1","result":{"a":1,"a":2}}\n',
        b'{"jsonrpc":"2.0","id":"1","result":{"a":1,"a":2},"result":{}}\n',
        b'{"jsonrpc":"2.0","id":"1","result":{"a":1,"a":2},"error":{}}\n',
        b'{"jsonrpc":"2.0","id":1,"result":{"a":1,"a":2}}\n',
        b'{"jsonrpc":"2.0","id":"1","method":"m","result":{"a":1,"a":2}}\n',
        b'{"jsonrpc":"2.0","id":"1","result":{"a":1,"a":2},}\n',
        b'{"jsonrpc":"2.0","id":"1","result":{"a":1}} {}\n',
        b'{"jsonrpc":"2.0","id":"1","result":{"a":1,"a":2}\n',
        b"[]\n",
        b"42\n",
        b"null\n",
        b"{}\n",
        b"\n",
        b'\xef\xbb\xbf{"jsonrpc":"2.0","id":"1","result":{}}\n',
        b'[{"jsonrpc":"2.0","id":"1","result":{}}]\n',
    ],
)
def test_a_line_that_is_no_message_is_noise_and_ends_nothing(bad: bytes) -> None:
    connection = calling("1")
    [event] = connection.receive(bad)
    assert isinstance(event, Noise)
    assert connection.noise_count == 1
    assert outcomes(connection.receive(result("1", text("10")))) == [("1", Ok("10", 10))]


def test_batches_are_read_in_the_one_revision_that_has_them() -> None:
    connection = opened("echo", revision="2025-03-26")
    connection.call("1", "echo", "{}", ANY, ANY)
    batch = [
        {"jsonrpc": "2.0", "id": "s", "method": "ping"},
        7,
        {"jsonrpc": "2.0", "id": "1", "result": text("1.50")},
    ]
    events = connection.receive(b" " + json.dumps(batch).encode() + b"\r\n")
    assert sent(events) == [{"jsonrpc": "2.0", "id": "s", "result": {}}]
    assert [(call, outcome.text) for call, outcome in outcomes(events) if isinstance(outcome, Ok)] == [("1", "1.5")]
    assert len([event for event in events if isinstance(event, Noise)]) == 1
    assert [type(event) for event in connection.receive(b'[{"jsonrpc":"2.0"\n')] == [Noise]


def test_numbers_are_exact_from_the_message_and_from_its_text() -> None:
    decimal = codec(Primitive.DECIMAL)
    exact = "3.141592653589793238462643383279502884190"
    connection = opened("echo")
    connection.call("1", "echo", "{}", decimal, decimal)
    connection.call("2", "echo", "{}", decimal, decimal)
    raw = f'{{"jsonrpc":"2.0","id":"1","result":{{"structuredContent":{exact}}}}}\n'.encode()
    found = outcomes(connection.receive(raw + result("2", text(exact))))
    assert [outcome.text for _, outcome in found if isinstance(outcome, Ok)] == [exact.rstrip("0")] * 2


def test_a_long_answer_is_a_bad_reply_where_its_id_stands_before_the_limit() -> None:
    connection = calling("1", "2", limit=2_000)
    events = connection.receive(result("1", text("x" * 3_000)) + result("2", text("2")))
    [(first, bad), second] = outcomes(events)
    assert first == "1"
    assert isinstance(bad, BadReply)
    assert "more than 2000" in bad.reason
    assert second == ("2", Ok("2", 2))


def test_a_long_answer_whose_id_stands_behind_the_limit_is_reported() -> None:
    connection = calling("1", limit=2_000)
    late = b'{"result":{"x":"' + b"y" * 3_000 + b'"},"jsonrpc":"2.0","id":"1"}\n'
    asking = b'{"jsonrpc":"2.0","id":"1","method":"' + b"y" * 3_000 + b'"}\n'
    unclear = b'{"jsonrpc":"2.0","id":"1","x":1,"result":"' + b"y" * 3_000 + b'"}\n'
    for chunk in (late, asking, unclear):
        [event] = connection.receive(chunk)
        assert isinstance(event, Noise)
        assert "the limit of one message" in event.reason
    assert outcomes(connection.receive(result("1", text("1")))) == [("1", Ok("1", 1))]


def test_a_line_without_end_ends_the_connection_and_every_call_gets_its_outcome() -> None:
    connection = calling("1", limit=2_000)
    connection.call("2", "echo", "{}", ANY, ANY)
    [event] = connection.receive(b"x" * 16_001)
    assert isinstance(event, Refused)
    assert event.failure.kind is FailureKind.TOO_LARGE
    assert connection.state is State.OVER
    assert connection.cancel("1") == []
    found = dict(outcomes(connection.end()))
    assert isinstance(found["1"], Unknown)
    assert isinstance(found["2"], NotRun)
    assert connection.end() == []


def test_a_process_that_ended_leaves_unknown_what_reached_it_and_not_run_the_rest() -> None:
    connection = calling("1", "2")
    connection.call("3", "echo", "{}", ANY, ANY)
    connection.receive(result("1", text("1")))
    events = connection.receive(b'{"jsonrpc":"2.0","id":"2",') + connection.end()
    assert isinstance(events[0], Noise)
    assert [(call, type(outcome)) for call, outcome in outcomes(events)] == [("2", Unknown), ("3", NotRun)]


def test_a_cancel_is_sent_once_and_an_answer_after_it_still_counts() -> None:
    connection = calling("3", "4")
    assert sent(connection.cancel("3")) == [
        {"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": "3"}}
    ]
    assert connection.cancel("3") == []
    assert outcomes(connection.receive(result("3", text("3")))) == [("3", Ok("3", 3))]
    assert connection.cancel("3") == []
    assert connection.cancel("9") == []
    assert outcomes(connection.receive(result("4", text("4")))) == [("4", Ok("4", 4))]


def test_a_cancelled_call_closes_by_whether_it_reached_the_server() -> None:
    connection = calling("1")
    connection.call("2", "echo", "{}", ANY, ANY)
    connection.cancel("1")
    [(_, first)], [(_, second)] = outcomes(connection.close("1")), outcomes(connection.close("2"))
    assert isinstance(first, Unknown)
    assert isinstance(second, NotRun)
    assert connection.close("1") == []
    connection.sent("1")
    assert connection.receive(error("1", 0, "Request cancelled")) == [Dropped("1")]


def test_initialize_is_never_cancelled() -> None:
    connection = McpConnection(ROOT_URI)
    connection.start()
    assert connection.cancel("flow-lsp/initialize") == []


@pytest.mark.parametrize("call", ["", "flow-lsp/initialize", "flow-lsp/tools/list/2"])
def test_a_call_whose_id_could_be_one_of_the_clients_own_is_not_sent(call: str) -> None:
    connection = opened("echo")
    [(_, outcome)] = outcomes(connection.call(call, "echo", "{}", ANY, ANY))
    assert isinstance(outcome, NotRun)
    connection.list_again()
    assert len(connection.receive(page(2, tool("echo")))) == 1
    assert [one.name for one in connection.tools] == ["echo"]


def test_a_call_that_cannot_be_made_is_not_run() -> None:
    connection = opened("echo", limit=500)
    cases = {
        "a": ("other", "{}", "offers no tool `other`"),
        "b": ("echo", '{"x":"' + "y" * 500 + '"}', "more than 500"),
        "c": ("echo", '{"x":"\ud800"}', "half a character"),
        "d\ud800": ("echo", "{}", "half a character"),
    }
    for call, (name, arguments, words) in cases.items():
        [(_, outcome)] = outcomes(connection.call(call, name, arguments, ANY, ANY))
        assert isinstance(outcome, NotRun)
        assert words in outcome.reason
    new = McpConnection(ROOT_URI)
    [(_, outcome)] = outcomes(new.call("1", "echo", "{}", ANY, ANY))
    assert isinstance(outcome, NotRun)
    assert "no connection" in outcome.reason


def test_a_tool_that_is_offered_no_more_is_not_called() -> None:
    connection = opened("echo")
    connection.list_again()
    connection.receive(page(2, tool("other")))
    [(_, outcome)] = outcomes(connection.call("1", "echo", "{}", ANY, ANY))
    assert isinstance(outcome, NotRun)


def test_an_id_is_used_once() -> None:
    connection = calling("1")
    with pytest.raises(ProtocolMisuse, match="used before"):
        connection.call("1", "echo", "{}", ANY, ANY)
    connection.receive(result("1", text("1")))
    with pytest.raises(ProtocolMisuse, match="used before"):
        connection.call("1", "echo", "{}", ANY, ANY)
    with pytest.raises(ProtocolMisuse, match="used before"):
        connection.call("1", "gone", "{}", ANY, ANY)


def test_the_servers_requests_are_answered_at_any_time() -> None:
    connection = McpConnection(ROOT_URI)
    connection.start()
    asked = [
        line(id=0, method="ping"),
        line(id="r\u00fc\n", method="roots/list", params=[]),
        b'{"jsonrpc":"2.0","id":1e2,"method":"sampling/createMessage"}\n',
        line(id="e", method="elicitation/create"),
    ]
    answers = sent([event for chunk in asked for event in connection.receive(chunk)])
    assert answers[0] == {"jsonrpc": "2.0", "id": 0, "result": {}}
    assert answers[1] == {"jsonrpc": "2.0", "id": "r\u00fc\n", "result": {"roots": [{"uri": ROOT_URI}]}}
    assert [(answer["id"], answer["error"]["code"]) for answer in answers[2:]] == [(100, -32601), ("e", -32601)]


@pytest.mark.parametrize("request_id", [None, True, [], {}, "x" * 5_000])
def test_a_request_without_an_id_that_can_be_repeated_is_noise(request_id: Any) -> None:
    [event] = opened("echo").receive(line(id=request_id, method="ping"))
    assert isinstance(event, Noise)


def test_logs_are_told_bounded_and_printable() -> None:
    params = [
        {"level": "info", "logger": "db", "data": "up\x1b[2J"},
        {"level": 7, "data": {"b": 1, "a": [1.50]}},
        {"data": "x" * 5_000},
        None,
    ]
    events = [
        event for one in params for event in opened("echo").receive(line(method="notifications/message", params=one))
    ]
    assert events[0] == LogMessage("info", "db", "up\\x1b[2J")
    assert events[1] == LogMessage("", "", '{"a":[1.5],"b":1}')
    assert isinstance(events[2], LogMessage)
    assert len(events[2].text) == 1_000
    assert events[3] == LogMessage("", "", "null")


def test_progress_is_told_of_open_calls_alone() -> None:
    connection = calling("1")

    def said(token: Any, **more: Any) -> list[McpEvent]:
        return connection.receive(line(method="notifications/progress", params={"progressToken": token, **more}))

    assert said("1", progress=1.50, total=2, message="half\n") == [Progress("1", "1.5", "2", "half")]
    assert said("1", progress="x", total=True) == [Progress("1", "", "", "")]
    assert said(1, progress=1) == []
    assert said("2", progress=1) == []
    assert said(["1"]) == []
    connection.receive(result("1", text("1")))
    assert said("1", progress=3) == []


def test_other_notifications_are_ignored() -> None:
    connection = calling("1")
    for method in ("notifications/cancelled", "notifications/resources/updated", "anything"):
        assert connection.receive(line(method=method, params={"requestId": "1"})) == []
    assert connection.noise_count == 0


def test_a_flood_of_noise_is_counted_and_the_answer_is_still_found() -> None:
    connection = calling("1")
    events = connection.receive(b"tick\n" * 10_000 + result("1", text("1")))
    assert len(events) == 21
    assert events[-1] == CallEnded("1", Ok("1", 1))
    assert connection.noise_count == 10_000
