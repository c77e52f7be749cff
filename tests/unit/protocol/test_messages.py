"""One line to one message."""

from __future__ import annotations

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from flow_lsp.protocol.messages import (
    ErrorResponse,
    MalformedResponse,
    Message,
    NoMessage,
    Notification,
    Request,
    Response,
    read_message,
    request_line,
    unknown_method_line,
)


def message(**members: object) -> Message:
    return read_message(json.dumps({"jsonrpc": "2.0", **members}).encode())


def test_the_four_kinds_of_messages() -> None:
    assert message(id=1, result={"a": [1]}) == Response(1, {"a": [1]})
    assert message(id="x", result=None) == Response("x", None)
    assert message(id=1, error={"code": -32601, "message": "no"}) == ErrorResponse(1, "-32601", "no")
    assert message(id=None, error={}) == ErrorResponse(None, "", "(without a message)")
    assert message(id=3, method="ping", params=[1]) == Request(3, "ping", [1])
    assert message(method="log") == Notification("log", None)


def test_unknown_members_and_white_space_around_a_message_are_ignored() -> None:
    assert read_message(b' \t{"jsonrpc":"2.0","id":1,"result":2,"more":3} \r') == Response(1, 2)


def test_a_response_with_a_result_and_an_error_is_malformed() -> None:
    assert message(id=1, result=1, error=None) == MalformedResponse(1, "it has both a result and an error")
    assert message(id=1, error="no") == MalformedResponse(1, "its error is no object")


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        (b"", "the line is empty"),
        (b" \t\r", "the line is empty"),
        (b"npm notice", "it is no JSON object"),
        (b"42", "it is no JSON object"),
        (b"null", "it is no JSON object"),
        (b'"x"', "it is no JSON object"),
        (b"[]", "it is no JSON object; a batch of messages is not part of the protocol"),
        (b"\xef\xbb\xbf{}", "it begins with a byte order mark, which a line of the protocol must not have"),
        (b"{}", 'it has no member "jsonrpc" that is "2.0"'),
        (b'{"jsonrpc":2.0,"id":1,"result":1}', 'it has no member "jsonrpc" that is "2.0"'),
        (b'{"jsonrpc":"2.0"}', "it is neither a request, nor a response, nor a notification"),
        (b'{"jsonrpc":"2.0","result":1}', "it is neither a request, nor a response, nor a notification"),
        (b'{"jsonrpc":"2.0","method":1}', 'its member "method" is no string'),
    ],
)
def test_a_line_that_is_no_message_says_why(line: bytes, reason: str) -> None:
    assert read_message(line) == NoMessage(reason)


@pytest.mark.parametrize(
    "line",
    [
        b"{",
        b'{"jsonrpc":"2.0","id":1,"result":NaN}',
        b'{"jsonrpc":"2.0","id":1,"result":1,"result":2}',
        b'{"jsonrpc":"2.0","id":1,"result":"\\ud800"}',
        b'{"jsonrpc":"2.0","id":1,"result":"\xff"}',
        b'{"jsonrpc":"2.0","id":1,"result":1} trailing',
        b'{"jsonrpc":"2.0","id":1,"result":' + b"[" * 100_000 + b"]" * 100_000 + b"}",
        b"{" * 100_000,
    ],
)
def test_a_line_that_strict_json_refuses_is_no_message(line: bytes) -> None:
    read = read_message(line)
    assert isinstance(read, NoMessage)
    assert read.reason
    assert not read.reason.endswith(".")
    assert len(read.reason) < 300


def test_a_number_past_all_limits_in_a_member_nobody_reads_is_harmless() -> None:
    line = b'{"jsonrpc":"2.0","id":1,"result":1,"more":1e999999999999999999999}'
    assert read_message(line) == Response(1, 1)


def test_lines_that_are_written_are_one_line_and_read_back() -> None:
    line = request_line(1, "describe", {"data": "0.1"})
    assert line == b'{"jsonrpc":"2.0","id":1,"method":"describe","params":{"data":"0.1"}}\n'
    answer = unknown_method_line('"\\n"')
    assert answer.count(b"\n") == 1
    assert read_message(answer[:-1]) == ErrorResponse("\n", "-32601", "this host answers no requests")


@settings(deadline=None, max_examples=200)
@given(st.binary(max_size=60) | st.text(alphabet='{}[]":,jsonrpc2.0id1 \\u', max_size=60).map(str.encode))
def test_no_line_raises(line: bytes) -> None:
    read = read_message(line)
    assert not isinstance(read, NoMessage) or read.reason
