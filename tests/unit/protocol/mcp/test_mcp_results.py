"""Which part of a tools/call result counts."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

import pytest

from flow_lsp.protocol.mcp.results import outcome_of

IMAGE = {"type": "image", "data": "AA==", "mimeType": "image/png"}


def text(*texts: str, **more: Any) -> dict[str, Any]:
    return {"content": [{"type": "text", "text": one} for one in texts], **more}


def test_structured_content_wins_over_text() -> None:
    assert outcome_of(text("[9]", structuredContent={"a": 1})) == {"Ok": {"a": 1}}
    assert outcome_of({"content": [], "structuredContent": [1, 2]}) == {"Ok": [1, 2]}
    assert outcome_of({"structuredContent": 0}) == {"Ok": 0}
    assert outcome_of({"structuredContent": False, "content": 7}) == {"Ok": False}


def test_one_text_block_holds_json() -> None:
    assert outcome_of(text(" [1, 2.50]\n")) == {"Ok": [1, Decimal("2.50")]}
    assert outcome_of(text('"x"')) == {"Ok": "x"}
    assert outcome_of(text("null")) == {"Ok": None}
    beside = {"content": [IMAGE, {"type": "text", "text": "3"}, 7, {"type": "resource_link"}]}
    assert outcome_of(beside) == {"Ok": 3}


def test_structured_content_of_null_is_none() -> None:
    assert outcome_of(text("3", structuredContent=None)) == {"Ok": 3}
    assert "no text block" in str(outcome_of({"content": [], "structuredContent": None}))


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
def test_what_cannot_be_mapped_says_why(result: Any, words: str) -> None:
    reason = outcome_of(result)
    assert isinstance(reason, str)
    assert words in reason
    assert reason.endswith(".")


def test_an_error_result_is_the_declared_error() -> None:
    assert outcome_of({"structuredContent": {"code": 3}, "isError": True}) == {"Failed": {"code": 3}}
    assert outcome_of(text('"gone"', isError=True)) == {"Failed": "gone"}
    assert outcome_of(text("1", isError=False)) == {"Ok": 1}


def test_an_error_in_plain_words_repeats_them_and_not_too_many() -> None:
    assert outcome_of(text("No such city: Atlantis", isError=True)) == (
        "The result is an error that is no JSON: `No such city: Atlantis`."
    )
    assert len(outcome_of(text("x" * 10_000, isError=True))) < 300
