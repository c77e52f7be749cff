"""Columns, computed fast, are those that counting letter by letter gives; also on long lines and for half
characters."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from flow_lsp.text.lines import LineIndex, PositionEncoding, column_offset
from flow_lsp.text.spans import Span

ENCODING = st.sampled_from(PositionEncoding)
PIECE = st.text(alphabet="ab\té😋\ud83d\ude0a\u2028", max_size=8)
LINE = st.builds(lambda piece, times, rest: piece * times + rest, PIECE, st.sampled_from([1, 1, 3, 400]), PIECE)
TEXT = st.lists(LINE | PIECE | st.sampled_from(["\n", "\r\n", "\r", "plain\n"]), max_size=8).map("".join)


def width(letter: str, encoding: PositionEncoding) -> int:
    code = ord(letter)
    if encoding is PositionEncoding.UTF32:
        return 1
    if encoding is PositionEncoding.UTF16:
        return 1 + (code > 0xFFFF)
    return 1 + (code > 0x7F) + (code > 0x7FF) + (code > 0xFFFF)


@settings(max_examples=300, deadline=None)
@given(LINE, st.data(), ENCODING)
def test_a_column_is_behind_the_letters_that_fit_before_it(line, data, encoding):
    columns = [0]
    for letter in line:
        columns.append(columns[-1] + width(letter, encoding))
    column = data.draw(st.integers(-1, columns[-1] + 2))
    wanted = max((offset for offset, before in enumerate(columns) if before <= column), default=0)
    assert column_offset(line + data.draw(st.sampled_from(["", "\n", "\r\n"])), column, encoding) == wanted


@settings(max_examples=200, deadline=None)
@given(TEXT, st.data(), ENCODING)
def test_positions_and_ranges_count_every_letter_before(text, data, encoding):
    index = LineIndex.of(text)
    offsets = st.integers(-1, len(text) + 2)
    spans = data.draw(st.lists(st.builds(Span, offsets, offsets), max_size=5))
    for span, found in zip(spans, index.ranges(spans, encoding), strict=True):
        assert found == index.position(span.start, encoding) + index.position(max(span), encoding)
        inside = min(max(span.start, 0), len(text))
        inside -= text[max(inside - 1, 0) : inside + 1] == "\r\n"  # no place is inside of a line end
        line, column = index.position(span.start, encoding)
        start = index.offset((line, 0), encoding)
        assert start <= inside
        assert column == sum(width(letter, encoding) for letter in text[start:inside])
        assert line == index.line_of(inside)
