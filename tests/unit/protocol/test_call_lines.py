"""The lines that are written for calls."""

from __future__ import annotations

import json

import pytest

from flow_lsp.protocol.call_outcomes import Failed, NotRun, Ok, SentOutcome, Unknown
from flow_lsp.protocol.lines import (
    ProtocolMisuse,
    TooLong,
    call_line,
    cancel_line,
    check_pair,
    describe_line,
    reply_line,
)
from flow_lsp.protocol.messages import Notification, read_message
from flow_lsp.protocol.outcome import ServedTool
from flow_lsp.values.strict_json import Json, read_json


def params(line: bytes, method: str) -> Json:
    assert line.endswith(b"\n")
    assert line.count(b"\n") == 1
    message = read_message(line[:-1])
    assert isinstance(message, Notification)
    assert message.method == method
    return message.params


def test_a_call_says_what_it_must_and_nothing_else() -> None:
    line = call_line("r\n", 'c"', "k.f", '{"a":1.5}')
    assert isinstance(line, bytes)
    assert params(line, "call") == read_json('{"run":"r\\n","call":"c\\"","tool":"k.f","args":{"a":1.5}}')
    assert set(json.loads(line)) == {"jsonrpc", "method", "params"}


def test_a_generic_call_carries_its_views() -> None:
    line = call_line("r", "c", "k.f", "{}", '{"type":"integer"}', '{"ok":"Int"}')
    assert isinstance(line, bytes)
    assert json.loads(line)["params"] == {
        "run": "r", "call": "c", "tool": "k.f", "args": {}, "schema": {"type": "integer"}, "types": {"ok": "Int"}
    }  # fmt: skip


def test_raw_separators_stay_in_one_line() -> None:
    line = call_line("\u2028", "\u0085", "k.f", '{"a":"\u2028\u2029\u0085"}')
    assert isinstance(line, bytes)
    assert "\u2028\u2029\u0085".encode() in line
    assert params(line, "call") == {
        "run": "\u2028", "call": "\u0085", "tool": "k.f", "args": {"a": "\u2028\u2029\u0085"}
    }  # fmt: skip


def test_a_call_past_the_limit_is_none_and_says_how_long_it_would_be() -> None:
    line = call_line("r", "c", "k.f", "{}")
    assert isinstance(line, bytes)
    length = len(line) - 1  # its LF does not count
    assert call_line("r", "c", "k.f", "{}", limit=length) == line
    refused = call_line("r", "c", "k.f", "{}", limit=length - 1)
    assert refused == TooLong(length, length - 1)
    assert isinstance(refused, TooLong)
    assert refused.reason == (
        f"The message would have {length} bytes, more than {length - 1}, the limit of one message."
    )


def test_a_cancel_is_never_longer_than_its_call() -> None:
    line = cancel_line("r", "c")
    assert params(line, "cancel") == {"run": "r", "call": "c"}
    call = call_line("r", "c", "", "{}")
    assert isinstance(call, bytes)
    assert len(line) < len(call)


@pytest.mark.parametrize(
    ("outcome", "member"),
    [
        (Ok('{"a":1}'), {"Ok": {"a": 1}}),
        (Failed("null"), {"Failed": None}),
        (NotRun("no\n"), {"NotRun": "no\n"}),
        (Unknown("\U0001f980"), {"Unknown": "\U0001f980"}),
        (NotRun("half \ud83d"), {"NotRun": "half \\ud83d"}),
    ],
)
def test_a_reply_has_exactly_one_outcome(outcome: SentOutcome, member: object) -> None:
    assert params(reply_line("r", "c", outcome), "reply") == {"run": "r", "call": "c", "outcome": member}


@pytest.mark.parametrize("outcome", [Ok(f'"{"x" * 300}"'), Failed(f'"{"ü" * 150}"')])
def test_a_value_that_makes_the_reply_too_long_becomes_unknown_with_the_reason(outcome: SentOutcome) -> None:
    whole = reply_line("r", "c", outcome)
    assert reply_line("r", "c", outcome, len(whole) - 1) == whole
    assert params(reply_line("r", "c", outcome, len(whole) - 2), "reply") == {
        "run": "r",
        "call": "c",
        "outcome": {
            "Unknown": f"The message would have {len(whole) - 1} bytes, more than {len(whole) - 2}, the limit of one "
            "message."
        },
    }


@pytest.mark.parametrize("letter", ["x", "ü", "\U0001f980", "\x01", '"', "\ud83d"])
@pytest.mark.parametrize("kind", [NotRun, Unknown])
def test_a_reason_that_makes_the_reply_too_long_is_cut_and_stays_what_it_is(kind: type[NotRun], letter: str) -> None:
    for limit in range(110, 140):
        line = reply_line("r", "c", kind(letter * 1000), limit)
        assert len(line) - 1 <= limit
        read = params(line, "reply")
        assert isinstance(read, dict)
        assert list(read["outcome"]) == [kind.__name__]  # type: ignore[arg-type]


def test_describe_is_answered_with_the_listing() -> None:
    tools = (ServedTool("k.f", "sha256:aa", {"ok": {}, "n": []}), ServedTool("k.g", "sha256:bb", None))
    line = describe_line('"id"', "0.1", tools)
    assert json.loads(line) == {
        "jsonrpc": "2.0",
        "id": "id",
        "result": {
            "data": "0.1",
            "tools": [
                {"tool": "k.f", "fingerprint": "sha256:aa", "signature": {"ok": {}, "n": []}},
                {"tool": "k.g", "fingerprint": "sha256:bb", "signature": None},
            ],
        },
    }
    assert describe_line('"id"', "0.1", tools, len(line) - 1) == line
    error = json.loads(describe_line('"id"', "0.1", tools, len(line) - 2))
    assert error["id"] == "id"
    assert "limit of one message" in error["error"]["message"]


@pytest.mark.parametrize(("run", "call"), [("", "c"), ("r", ""), ("\ud800", "c"), ("r", "x\udfff")])
def test_ids_that_no_line_can_hold_are_a_mistake_of_the_caller(run: str, call: str) -> None:
    with pytest.raises(ProtocolMisuse):
        check_pair(run, call)
