"""Which part of a tools/call result counts, and what it comes to."""

from __future__ import annotations

from typing import Any

import pytest
from support.mcp_peer import ANY, codec

from flow_lsp.protocol.call_outcomes import BadReply, Failed, Ok
from flow_lsp.protocol.mcp.results import admitted
from flow_lsp.types.terms import ListOf, Primitive

INT, TEXT, UNIT = codec(Primitive.INT), codec(Primitive.TEXT), codec(Primitive.UNIT)
INTS = codec(ListOf(Primitive.INT))
IMAGE = {"type": "image", "data": "AA==", "mimeType": "image/png"}


def text(*texts: str, **more: Any) -> dict[str, Any]:
    return {"content": [{"type": "text", "text": one} for one in texts], **more}


def reason(result: Any, ok: Any = ANY, err: Any = ANY) -> str:
    outcome = admitted(result, ok, err)
    assert isinstance(outcome, BadReply)
    assert outcome.reason.endswith(".")
    return outcome.reason


def test_structured_content_wins_over_text() -> None:
    assert admitted(text("[9]", structuredContent={"a": 1}), ANY, TEXT) == Ok('{"a":1}', {"a": 1})
    assert admitted({"content": [], "structuredContent": [1, 2]}, INTS, TEXT) == Ok("[1,2]", (1, 2))
    assert admitted({"structuredContent": 0}, INT, TEXT) == Ok("0", 0)


def test_one_text_block_holds_json() -> None:
    assert admitted(text(" [1, 2.0]\n"), INTS, TEXT) == Ok("[1,2]", (1, 2))
    assert admitted(text('"x"'), TEXT, TEXT) == Ok('"x"', "x")
    assert admitted(text("null"), UNIT, TEXT) == Ok("null", None)
    beside = {"content": [IMAGE, {"type": "text", "text": "3"}, 7, {"type": "resource_link"}]}
    assert admitted(beside, INT, TEXT) == Ok("3", 3)


def test_structured_content_of_null_is_none() -> None:
    assert admitted(text("3", structuredContent=None), INT, TEXT) == Ok("3", 3)
    assert "no text block" in reason({"content": [], "structuredContent": None}, UNIT)


@pytest.mark.parametrize(
    ("result", "words"),
    [
        (text("1", "2"), "2 text blocks"),
        (text("plain words"), "no JSON: `plain words`."),
        (text('{"a":1,"a":2}'), "twice"),
        (text('"\\ud800"'), "half a character"),
        (text("\ufeff1"), "no JSON"),
        (text("[" * 600 + "]" * 600), "nested"),
        ({"content": [IMAGE]}, "no text block"),
        ({"content": []}, "no text block"),
        ({}, "no text block"),
        ({"content": None}, "no array"),
        ({"content": [{"type": "text"}]}, "holds no text"),
        ({"content": [{"type": "text", "text": 1}]}, "holds no text"),
        (text("1", isError=None), "isError"),
        (text("1", isError=0), "isError"),
        (text("1", isError="true"), "isError"),
        ([], "an array"),
        (None, "null"),
        ("x", "a string"),
    ],
)
def test_what_cannot_be_mapped_is_a_bad_reply_that_says_why(result: Any, words: str) -> None:
    assert words in reason(result)


def test_a_value_that_does_not_decode_is_a_bad_reply_with_its_place() -> None:
    said = reason({"structuredContent": [1, "2"]}, INTS)
    assert said.startswith("The structuredContent does not decode as the success type List at /1: ")
    assert reason(text("1.5"), INT).startswith("The text block does not decode as the success type Int: ")
    never = codec(Primitive.NEVER)
    assert "the error type Never" in reason(text("1", isError=True), INT, never)


def test_an_error_result_goes_by_the_error_type() -> None:
    assert admitted({"structuredContent": {"code": 3}, "isError": True}, INT, ANY) == Failed('{"code":3}', {"code": 3})
    assert admitted(text('"gone"', isError=True), INT, TEXT) == Failed('"gone"', "gone")
    assert admitted(text("1", isError=False), INT, TEXT) == Ok("1", 1)


def test_an_error_in_plain_words_is_a_bad_reply_that_repeats_them() -> None:
    assert reason(text("No such city: Atlantis", isError=True), INT, TEXT) == (
        "The result is an error that is no JSON: `No such city: Atlantis`."
    )
    assert "The server says: `gone`." in reason(text('"gone"', isError=True), INT, INT)
    assert len(reason(text("x" * 10_000, isError=True))) < 300


def test_the_nesting_limit_holds_for_the_whole_value() -> None:
    deepest: Any = 1
    for _ in range(512):
        deepest = [deepest]
    assert isinstance(admitted({"structuredContent": deepest}, ANY, TEXT), Ok)
    assert "512 levels" in reason({"structuredContent": [deepest]})
