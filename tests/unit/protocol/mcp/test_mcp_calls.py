"""Calls over a ready connection: ids, replies, cancels, what the server asks and tells, noise."""

from __future__ import annotations

import json
import tracemalloc
from typing import Any

import pytest
from support.mcp_peer import INITIALIZE, ROOT_URI, RUN, Host, codec, error, line, messages, opened, page, result, tool

from flow_lsp.protocol.call_outcomes import BadReply, Failed, NotRun, Ok, Unknown
from flow_lsp.protocol.connection import MustEnd
from flow_lsp.protocol.lines import IdUsed, ProtocolMisuse, TooLong
from flow_lsp.protocol.mcp import call_ids
from flow_lsp.protocol.mcp.connection import ANSWERED, McpConnection
from flow_lsp.protocol.mcp.events import LogMessage, McpEvent, Progress
from flow_lsp.protocol.stream import Noise, Send
from flow_lsp.types.terms import Primitive


def text(value: str, **more: Any) -> dict[str, Any]:
    return {"content": [{"type": "text", "text": value}], **more}


def calling(*calls: str, limit: int = 100_000) -> Host:
    host = Host(limit=limit)
    host.call(*calls)
    return host


def noise(host: Host) -> Noise:
    [event] = host.told
    assert isinstance(event, Noise)
    return event


def test_a_call_goes_out_under_its_own_id() -> None:
    made = opened("echo").call_line(RUN, "c-1", "echo", '{"a":1.10,"b":"\u2028"}')
    assert isinstance(made, bytes)
    assert b'"arguments":{"a":1.10,"b":"\xe2\x80\xa8"}' in made
    assert messages([made]) == [
        {
            "jsonrpc": "2.0",
            "id": "c-1",
            "method": "tools/call",
            "params": {"name": "echo", "arguments": {"a": 1.1, "b": "\u2028"}, "_meta": {"progressToken": "c-1"}},
        }
    ]


def test_answers_come_in_any_order_and_each_to_its_own_call() -> None:
    host = calling("1", "2")
    host.receive(result("2", text("20")) + result("1", text('"no"', isError=True)))
    assert host.outcomes == [("2", Ok("20", 20)), ("1", Failed('"no"', "no"))]


@pytest.mark.parametrize("request_id", [1, 1.5, True, None, 0, ["1"], {"id": 1}, "01", " 1", INITIALIZE])
def test_an_answer_of_another_id_is_reported_with_it_and_answers_nothing(request_id: Any) -> None:
    host = calling("1")
    host.receive(result(request_id, text("10")))
    assert noise(host).reason.endswith("its id is " + json.dumps(request_id, separators=(",", ":")))
    host.receive(result("1", text("10")))
    assert host.outcomes == [("1", Ok("10", 10))]


@pytest.mark.parametrize("answer", [error("9", -1, "no"), line(id="9", result=1, error=1)])
def test_an_error_for_no_call_of_ours_is_reported_too(answer: bytes) -> None:
    host = calling("1")
    host.receive(answer)
    assert noise(host).reason == 'it answers no open request: its id is "9"'


def test_a_second_answer_and_one_to_a_closed_call_are_dropped() -> None:
    host = calling("1", "2")
    host.receive(result("1", text("10")))
    host.receive(result("1", text("11")), error("1", -1, "no"), line(id="1", result=1, error=1))
    host.cancel("2")
    host.close("2")
    host.receive(result("2", text("10")))
    assert host.dropped == ["1", "1", "1", "2"]
    assert [call for call, _ in host.outcomes] == ["1", "2"]


def test_an_error_response_is_a_bad_reply() -> None:
    host = calling("1")
    host.receive(error("1", -32602, "Unknown \x07tool"))
    said = "The MCP server answered the call with error -32602: Unknown \\x07tool."
    assert host.outcomes == [("1", BadReply(said))]


def test_an_error_of_no_request_ends_no_call() -> None:
    host = calling("1")
    host.receive(error(None, -32700, "Parse error"))
    assert "Parse error" in noise(host).reason
    assert host.outcomes == []


def test_a_result_that_does_not_decode_or_map_is_a_bad_reply_with_the_reason() -> None:
    host = Host()
    whole, never = codec(Primitive.INT), codec(Primitive.NEVER)
    host.call("1", "2", "3", "4", ok=whole, err=never)
    host.receive(result("1", text("1.5")) + result("2", text("oops")) + result("3", text("1", isError=True)))
    host.receive(result("4", {"structuredContent": {"a": 1}}))
    assert [type(outcome) for _, outcome in host.outcomes] == [BadReply] * 4
    reasons = [outcome.reason for _, outcome in host.outcomes if isinstance(outcome, BadReply)]
    assert "1.5" in reasons[0] or "whole" in reasons[0]
    assert reasons[1] == "The result is a text block that is no JSON: `oops`."


@pytest.mark.parametrize(
    ("members", "words"),
    [
        (b'"result":{"structuredContent":{"n":1,"n":2}}', "twice"),
        (b'"result":{"structuredContent":{"n":{"m":1,"\\u006d":2}}}', "twice"),
        (b'"result":{"structuredContent":{"n":"\\ud83d"}}', "half a character"),
        (b'"result":{"structuredContent":' + b"[" * 3_000 + b"]" * 3_000 + b"}", "nested"),
        (b'"result":{"structuredContent":' + b"[" * 513 + b"]" * 513 + b"}", "nested"),
        (b'"result":{"structuredContent":{"n":NaN}}', "NaN"),
        (b'"result":{"structuredContent":{"n":1e5000}}', "digits"),
        (b'"error":{"code":1,"code":2}', "twice"),
    ],
)
def test_a_fault_inside_the_result_is_a_bad_reply_for_its_call(members: bytes, words: str) -> None:
    host = calling("1")
    host.receive(b'{"jsonrpc":"2.0",' + members + b',"id":"1"}\n')
    [(call, outcome)] = host.outcomes
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
    host = calling("1")
    host.receive(bad)
    assert isinstance(noise(host), Noise)
    assert host.connection.noise_count == 1
    host.receive(result("1", text("10")))
    assert host.outcomes == [("1", Ok("10", 10))]


def test_batches_are_read_in_the_one_revision_that_has_them() -> None:
    host = Host(revision="2025-03-26")
    host.call("1", ok=codec(Primitive.DECIMAL))
    batch = (
        b'[{"jsonrpc":"2.0","id":"s","method":"ping"},7,{"jsonrpc":"2.0","id":"1","result":{"structuredContent":1.50}}]'
    )
    host.receive(b" " + batch + b"\r\n")
    assert messages(host.lines[1:]) == [{"jsonrpc": "2.0", "id": "s", "result": {}}]
    assert [outcome.text for _, outcome in host.outcomes if isinstance(outcome, Ok)] == ["1.5"]
    assert isinstance(noise(host), Noise)
    host.receive(b'[{"jsonrpc":"2.0"\n')
    assert len(host.told) == 2


def test_numbers_are_exact_from_the_message_and_from_its_text() -> None:
    host = Host()
    host.call("1", "2", ok=codec(Primitive.DECIMAL))
    exact = "3.141592653589793238462643383279502884190"
    host.receive(f'{{"jsonrpc":"2.0","id":"1","result":{{"structuredContent":{exact}}}}}\n'.encode())
    host.receive(result("2", text(exact)))
    assert [outcome.text for _, outcome in host.outcomes if isinstance(outcome, Ok)] == [exact.rstrip("0")] * 2


def test_a_long_answer_is_a_bad_reply_where_its_id_stands_before_the_limit() -> None:
    host = calling("1", "2", limit=2_000)
    host.receive(result("1", text("x" * 3_000)) + result("2", text("2")))
    [(first, bad), second] = host.outcomes
    assert first == "1"
    assert isinstance(bad, BadReply)
    assert "more than 2000" in bad.reason
    assert second == ("2", Ok("2", 2))


def test_a_long_answer_whose_id_stands_behind_the_limit_is_reported() -> None:
    late = b'{"result":{"x":"' + b"y" * 3_000 + b'"},"jsonrpc":"2.0","id":"1"}\n'
    asking = b'{"jsonrpc":"2.0","id":"1","method":"' + b"y" * 3_000 + b'"}\n'
    unclear = b'{"jsonrpc":"2.0","id":"1","x":1,"result":"' + b"y" * 3_000 + b'"}\n'
    for chunk in (late, asking, unclear):
        host = calling("1", limit=2_000)
        host.receive(chunk)
        assert "the limit of one message" in noise(host).reason
        host.receive(result("1", text("1")))
        assert host.outcomes == [("1", Ok("1", 1))]


def test_a_line_without_end_must_end_the_process_and_what_it_wrote_is_still_read() -> None:
    host = calling("1", "2", limit=2_000)
    host.receive(b'{"jsonrpc":"2.0","id":"1","result":"' + b"x" * 16_001)
    assert host.told == [MustEnd("wrote a line of more than 16000 bytes.")]
    [(first, bad)] = host.outcomes
    assert (first, type(bad)) == ("1", BadReply)
    host.receive(b"x" * 16_001 + b"\n" + result("2", text("2")))
    assert host.outcomes[1:] == [("2", Ok("2", 2))]
    assert len(host.told) == 1
    host.receive(b"y" * 2_001 + b"\n")
    assert len(host.told) == 2


def test_a_process_that_ended_leaves_unknown_what_reached_it_and_not_run_the_rest() -> None:
    host = calling("1", "2")
    host.call("3", sent=False)
    host.receive(result("1", text("1")), b'{"jsonrpc":"2.0","id":"2",')
    host.end()
    assert "cut off" in noise(host).reason
    assert [(call, type(outcome)) for call, outcome in host.outcomes] == [("1", Ok), ("2", Unknown), ("3", NotRun)]


def test_a_cancel_is_sent_once_and_an_answer_after_it_still_counts() -> None:
    host = calling("3", "4")
    host.cancel("3")
    host.cancel("3")
    assert messages(host.lines[2:]) == [
        {"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": "3"}}
    ]
    host.receive(result("3", text("3")), result("4", text("4")))
    host.cancel("3")
    assert len(host.lines) == 3
    assert host.outcomes == [("3", Ok("3", 3)), ("4", Ok("4", 4))]


def test_a_late_error_for_a_cancelled_call_changes_nothing() -> None:
    host = calling("3", "4")
    host.cancel("3")
    host.close("3")
    host.receive(error("3", 0, "Request cancelled"), result("4", text("4")))
    assert [(call, type(outcome)) for call, outcome in host.outcomes] == [("3", Unknown), ("4", Ok)]
    assert host.dropped == ["3"]


def test_only_calls_are_cancelled_and_initialize_never() -> None:
    connection = McpConnection(ROOT_URI)
    for call in (INITIALIZE, "1", ""):
        with pytest.raises(ProtocolMisuse):
            connection.cancel_line(call)


def test_what_the_owner_must_not_do_is_a_misuse() -> None:
    connection = opened("echo")
    assert isinstance(connection.call_line(RUN, "1", "echo", "{}"), bytes)
    for run, call in [(RUN, INITIALIZE), (RUN, ""), (RUN, "\ud800"), ("", "2")]:
        with pytest.raises(ProtocolMisuse):
            connection.call_line(run, call, "echo", "{}")
    with pytest.raises(ProtocolMisuse, match="not listed yet"):
        McpConnection(ROOT_URI).call_line(RUN, "1", "echo", "{}")


def test_a_line_of_which_nothing_was_handed_over_can_be_made_again() -> None:
    connection = opened("echo")
    made = connection.call_line(RUN, "1", "echo", "{}")
    assert isinstance(made, bytes)
    assert connection.call_line(RUN, "1", "echo", "{}") == made
    assert connection.call_line("other", "1", "echo", "{}") == IdUsed("1")


@pytest.mark.parametrize("how", ["answered", "cancelled", "given up"])
def test_an_id_counts_once(how: str) -> None:
    host = calling("1")
    if how == "answered":
        host.receive(result("1", text("1")))
    elif how == "cancelled":
        host.cancel("1")
    else:
        host.connection.close("1")
    made = host.connection.call_line(RUN, "1", "echo", "{}")
    assert made == IdUsed("1")
    assert "the id 1 before" in made.reason


def test_a_connection_does_not_grow_with_its_calls(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever becomes of them: answered ones, cancelled ones, and those that are both."""
    monkeypatch.setattr(call_ids, "REMEMBERED", 10)
    host = calling()
    tracemalloc.start()
    try:
        sizes = []
        for number in range(2_000):
            host.call(f"{number}-a", f"{number}-c", f"{number}-b")
            host.receive(result(f"{number}-a", text("1")))
            for way in "cb":
                host.cancel(f"{number}-{way}")
            host.receive(result(f"{number}-b", text("1")))
            host.close(f"{number}-c")
            host.outcomes.clear()
            host.lines.clear()
            if number % 1_000 == 999:
                sizes.append(tracemalloc.get_traced_memory()[0])
    finally:
        tracemalloc.stop()
    assert sizes[1] < sizes[0] + 50_000  # the ids alone of so many calls would take 500,000
    host.receive(result("1-c", text("1")))
    assert "answers no open request" in noise(host).reason


def test_a_call_past_the_limit_is_not_sent_and_its_id_not_used() -> None:
    host = Host(limit=500)
    host.call("1", arguments='{"x":"' + "y" * 500 + '"}')
    [(_, outcome)] = host.outcomes
    assert isinstance(outcome, NotRun)
    assert host.lines == []
    made = host.connection.call_line(RUN, "1", "echo", "{}")
    assert not isinstance(made, TooLong)


def test_the_servers_requests_are_answered_at_any_time() -> None:
    connection = McpConnection(ROOT_URI)
    asked = [
        line(id=0, method="ping"),
        line(id="r\u00fc\n", method="roots/list", params=[]),
        b'{"jsonrpc":"2.0","id":1e2,"method":"sampling/createMessage"}\n',
        line(id="e", method="elicitation/create"),
    ]
    events = [event for chunk in asked for event in connection.receive(chunk)]
    answers = messages([event.data for event in events if isinstance(event, Send)])
    assert answers[0] == {"jsonrpc": "2.0", "id": 0, "result": {}}
    assert answers[1] == {"jsonrpc": "2.0", "id": "r\u00fc\n", "result": {"roots": [{"uri": ROOT_URI}]}}
    assert [(answer["id"], answer["error"]["code"]) for answer in answers[2:]] == [(100, -32601), ("e", -32601)]


@pytest.mark.parametrize("request_id", [None, True, [], {}, "x" * 5_000])
def test_a_request_without_an_id_that_can_be_repeated_is_noise(request_id: Any) -> None:
    host = Host()
    host.receive(line(id=request_id, method="ping"))
    assert "without an id" in noise(host).reason


def test_a_flood_of_requests_is_not_answered_for_ever() -> None:
    host = Host()
    host.receive(line(id=1, method="ping") * (ANSWERED + 5))
    assert len(host.lines) == ANSWERED


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
    host = calling("1")

    def said(token: Any, **more: Any) -> list[McpEvent]:
        return host.connection.receive(line(method="notifications/progress", params={"progressToken": token, **more}))

    assert said("1", progress=1.50, total=2, message="half\n") == [Progress(RUN, "1", "1.5", "2", "half")]
    assert said("1", progress="x", total=True) == [Progress(RUN, "1", "", "", "")]
    assert said(1, progress=1) == []
    assert said("2", progress=1) == []
    assert said(["1"]) == []
    host.receive(result("1", text("1")))
    assert said("1", progress=3) == []


def test_other_notifications_are_ignored() -> None:
    host = calling("1")
    for method in ("notifications/cancelled", "notifications/resources/updated", "anything"):
        host.receive(line(method=method, params={"requestId": "1"}))
    assert host.told == []
    assert host.outcomes == []


def test_a_flood_of_noise_is_counted_and_the_answer_is_still_found() -> None:
    host = calling("1")
    host.receive(b"tick\n" * 10_000 + result("1", text("1")))
    assert len(host.told) == 20
    assert host.outcomes == [("1", Ok("1", 1))]
    assert host.connection.noise_count == 10_000


def test_calls_go_on_while_the_tools_are_listed_again() -> None:
    host = calling("1")
    host.connection.list_again()
    host.call("2")
    host.receive(result("1", text("1")) + page(2, tool("other")) + result("2", text("2")))
    assert host.outcomes == [("1", Ok("1", 1)), ("2", Ok("2", 2))]


def test_what_has_come_of_a_line_is_known() -> None:
    connection = opened("echo")
    connection.receive(b"abc")
    assert connection.pending == 3
