"""Lines and positions as the LSP counts them."""

from __future__ import annotations

import pytest

from flow_lsp.text.lines import LineIndex, Position, PositionEncoding, column_offset, split_lines
from flow_lsp.text.spans import Span

UTF8, UTF16, UTF32 = PositionEncoding.UTF8, PositionEncoding.UTF16, PositionEncoding.UTF32


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        ("", [""]),
        ("a", ["a"]),
        ("a\n", ["a\n", ""]),
        ("a\r\nb\rc\nd", ["a\r\n", "b\r", "c\n", "d"]),
        ("a\u2028b\x85c\x0bd\x0ce", ["a\u2028b\x85c\x0bd\x0ce"]),
        ("\r\r\n\n", ["\r", "\r\n", "\n", ""]),
    ],
)
def test_only_lf_crlf_and_a_lone_cr_end_a_line(text: str, lines: list[str]) -> None:
    assert split_lines(text) == lines


@pytest.mark.parametrize(("encoding", "start", "end"), [(UTF16, 26, 31), (UTF8, 30, 35), (UTF32, 24, 29)])
def test_two_astral_characters_in_a_row_count_in_each_encoding(
    encoding: PositionEncoding, start: int, end: int
) -> None:
    text = 'tools = { "😋😋.flow" = { bogus = 1 } }'
    index = LineIndex.of(text)
    place = text.index("bogus")
    assert index.position(place, encoding) == Position(0, start)
    assert index.position(place + 5, encoding) == Position(0, end)
    assert index.offset(Position(0, start), encoding) == place


def test_a_column_inside_a_surrogate_pair_means_the_place_before_it() -> None:
    assert column_offset("a😋b", 2, UTF16) == 1
    assert column_offset("a😋b", 3, UTF8) == 1


@pytest.mark.parametrize("text", ["a = 1\nb = 2\n", "a = 1\r\nb = 2\r\n", "a = 1"])
def test_a_column_past_the_end_of_a_line_means_its_end(text: str) -> None:
    index = LineIndex.of(text)
    assert index.offset(Position(0, 80), UTF16) == 5


@pytest.mark.parametrize("line", ["a = 1", "é😋", "x" * 600 + "é"])
def test_a_place_inside_of_a_line_end_is_the_one_before_it(line: str) -> None:
    index = LineIndex.of(f"{line}\r\nb")
    before, inside = len(line), len(line) + 1
    assert index.position(inside, UTF16) == index.position(before, UTF16)
    at = index.position(before, UTF16)
    assert index.ranges([Span(before, inside)], UTF16) == [at + at]
    assert index.ranges([Span(0, inside), Span(inside, inside + 1)], UTF16) == [(0, 0, *at), (*at, 1, 0)]


def test_a_tab_is_one_column() -> None:
    index = LineIndex.of("x\n\t\tbogus = 1")
    assert index.position(4, UTF16) == Position(1, 2)


def test_places_outside_the_text_are_taken_to_the_nearest() -> None:
    index = LineIndex.of("ab\ncd")
    assert index.offset(Position(40, 3), UTF16) == 5
    assert index.offset(Position(-1, 3), UTF16) == 0
    assert index.position(99, UTF16) == Position(1, 2)
    assert index.position(-5, UTF16) == Position(0, 0)
