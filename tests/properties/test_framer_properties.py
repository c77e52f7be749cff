"""Laws of the framer: chunks make no difference, and nothing is lost or made up."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from flow_lsp.protocol.framer import FramerEvent, Line, LineFramer, LongLine

pieces = st.lists(st.sampled_from([b"a", b"\n", b"\r\n", b"bcd", b"x" * 50, b"\xe2\x80\xa8", b""]), max_size=40)
limits = st.integers(1, 20)


def framed(chunks: list[bytes], limit: int) -> tuple[list[FramerEvent], bytes | None]:
    framer = LineFramer(limit)
    events = [event for chunk in chunks for event in framer.receive(chunk)]
    return events, framer.finish()


@settings(deadline=None, max_examples=200)
@given(pieces, limits, st.data())
def test_the_chunks_make_no_difference(chunks: list[bytes], limit: int, data: st.DataObject) -> None:
    text = b"".join(chunks)
    cuts = sorted(data.draw(st.lists(st.integers(0, len(text)), max_size=8)))
    others = [text[start:end] for start, end in zip([0, *cuts], [*cuts, len(text)], strict=True)]
    assert framed(chunks, limit) == framed([text], limit) == framed(others, limit)
    assert framed([text[i : i + 1] for i in range(len(text))], limit) == framed([text], limit)


@settings(deadline=None, max_examples=200)
@given(pieces, limits)
def test_every_line_is_told_once_in_order_with_its_length(chunks: list[bytes], limit: int) -> None:
    text = b"".join(chunks)
    *lines, left = text.split(b"\n")
    events, leftover = framed(chunks, limit)
    told = [event for event in events if isinstance(event, Line | LongLine)]
    assert [event.data if isinstance(event, Line) else event.head for event in told] == [line[:limit] for line in lines]
    assert [isinstance(event, Line) for event in told] == [len(line) <= limit for line in lines]
    assert [event.length for event in told if isinstance(event, LongLine)] == [
        len(line) for line in lines if len(line) > limit
    ]
    assert (leftover or b"") == left[:limit]
