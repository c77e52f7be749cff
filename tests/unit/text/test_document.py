"""Edits of an open document."""

from __future__ import annotations

import pytest

from flow_lsp.text.document import Change, DocumentText
from flow_lsp.text.lines import Position, PositionEncoding

UTF16 = PositionEncoding.UTF16


def edited(text: str, *changes: Change) -> str:
    document = DocumentText(text)
    for change in changes:
        document.apply(change, UTF16)
    return document.text


def test_changes_apply_in_order_each_to_the_result_of_the_one_before() -> None:
    first = Change("X", Position(0, 0), Position(0, 0))
    assert edited("ab", first) == "Xab"
    newline = Change("\n", Position(0, 1), Position(0, 1))
    second = Change("Y", Position(1, 0), Position(1, 0))
    assert edited("Xab", newline, second) == "X\nYab"


@pytest.mark.parametrize("text", ["a = 1\nb = 2\n", "a = 1\r\nb = 2\r\n", "a = 1"])
def test_replacing_beyond_the_end_of_a_line_leaves_its_line_end(text: str) -> None:
    assert edited(text, Change("", Position(0, 5), Position(0, 80))) == text


def test_a_change_without_a_range_is_the_whole_text() -> None:
    assert edited("old", Change("new\n")) == "new\n"


def test_a_typed_lf_behind_a_cr_makes_one_line_end_of_the_two() -> None:
    document = DocumentText("a\rb")
    document.apply(Change("\n", Position(1, 0), Position(1, 0)), UTF16)
    assert document.text == "a\r\nb"
    assert document.index.line_count == 2


def test_an_index_taken_before_an_edit_stays_right_for_its_text() -> None:
    document = DocumentText("a\nb\n")
    index = document.index
    document.apply(Change("x\ny\n", Position(0, 0), Position(0, 0)), UTF16)
    assert index.line_count == 3
    assert document.index.line_count == 5
