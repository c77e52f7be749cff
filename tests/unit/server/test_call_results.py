"""What a call came to, written for people: every value exactly as it is."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from strategies.json_strategies import json_values, same_value

from flow_lsp.protocol.call_outcomes import BadReply, CallOutcome, Failed, NotRun, Ok, Unknown
from flow_lsp.server.call_results import LARGEST, CallResult, result_document
from flow_lsp.values.canonical import canonical_text
from flow_lsp.values.strict_json import read_json


def result(outcome: CallOutcome, args: str | None = "{}", log: tuple[str, ...] = ()) -> CallResult:
    return CallResult("a.tool", outcome, args, 1_700_000_000.75, 1.23456, log)


def test_a_short_result_is_read_at_a_glance() -> None:
    text = result_document(result(Ok('{"a":1.50}'), '{"x":[1,2]}', ("standard error: one", "two")))
    assert text == (
        '{\n  "tool": "a.tool",\n  "outcome": {"Ok": {"a": 1.50}},\n  "args": {"x": [1, 2]},\n'
        '  "started": "2023-11-14T22:13:20Z",\n  "seconds": 1.235,\n'
        '  "log": [\n    "standard error: one",\n    "two"\n  ]\n}\n'
    )


def test_a_long_value_stands_on_lines_of_its_own() -> None:
    value = canonical_text([{"name": f"number {number}"} for number in range(20)])
    text = result_document(result(Failed(value)))
    assert '  "outcome": {\n    "Failed": [\n      {"name": "number 0"},\n' in text


@settings(max_examples=100, deadline=None)
@given(json_values(), json_values(), st.lists(st.text(max_size=10), max_size=3).map(tuple))
def test_the_values_are_those_of_the_call(value, args, log) -> None:
    text = result_document(result(Ok(canonical_text(value)), canonical_text(args), log))
    found = read_json(text.encode())
    assert same_value(found["outcome"], {"Ok": value})
    assert same_value(found["args"], args)
    assert len(found["log"]) == len(log)


def test_numbers_never_become_floats() -> None:
    digits = "1234567890" * 40 + ".000000000000000000001"
    assert digits in result_document(result(Ok(digits)))


def test_half_a_character_of_a_log_does_not_keep_the_result_from_being_written() -> None:
    result_document(result(NotRun("x"), None, ("a\udc80b",))).encode("utf-8")


def test_a_very_large_outcome_is_not_laid_out() -> None:
    value = canonical_text(["x" * 100] * (LARGEST // 100))
    assert f'"outcome": {{"Ok":{value}}},\n' in result_document(result(Ok(value)))


@pytest.mark.parametrize(
    ("outcome", "summary"),
    [
        (Ok("1"), "Ok after 1.23 s"),
        (Failed("1"), "Failed after 1.23 s"),
        (NotRun("no"), "NotRun after 1.23 s: no"),
        (Unknown("?"), "Unknown after 1.23 s: ?"),
        (BadReply("b\n"), "BadReply after 1.23 s: b\\n"),
    ],
)
def test_the_summary_says_what_it_came_to(outcome: CallOutcome, summary: str) -> None:
    assert result(outcome).summary == summary
