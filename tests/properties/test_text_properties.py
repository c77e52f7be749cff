"""Laws of texts: edits mean what they mean on a plain string, positions go there and back."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from flow_lsp.text.document import Change, DocumentText
from flow_lsp.text.lines import LineIndex, Position, PositionEncoding, split_lines

TEXT = st.text(alphabet="ab\r\n\u2028\x85é😋\t", max_size=30)
PLACE = st.builds(Position, st.integers(-1, 8), st.integers(-1, 12))
ENCODING = st.sampled_from(PositionEncoding)


@given(TEXT)
def test_lines_join_to_the_text(text: str) -> None:
    assert "".join(split_lines(text)) == text


@settings(max_examples=400, deadline=None)
@given(TEXT, st.lists(st.tuples(PLACE, PLACE, TEXT), max_size=6), ENCODING)
def test_edits_equal_slicing_the_whole_text(
    text: str, edits: list[tuple[Position, Position, str]], encoding: PositionEncoding
) -> None:
    document = DocumentText(text)
    for start, end, new in edits:
        index = LineIndex.of(text)
        first, last = index.offset(start, encoding), index.offset(end, encoding)
        text = text[:first] + new + text[max(first, last) :]
        document.apply(Change(new, start, end), encoding)
        assert document.text == text
        assert document.index.line_count == LineIndex.of(text).line_count


@given(TEXT, st.data(), ENCODING)
def test_an_offset_survives_the_way_to_a_position_and_back(
    text: str, data: st.DataObject, encoding: PositionEncoding
) -> None:
    offset = data.draw(st.integers(0, len(text)))
    if text[offset - 1 : offset + 1] == "\r\n":
        return  # no position names the place between the two
    index = LineIndex.of(text)
    assert index.offset(index.position(offset, encoding), encoding) == offset
