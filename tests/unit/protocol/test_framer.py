"""Bytes to lines."""

from __future__ import annotations

import tracemalloc

import pytest

from flow_lsp.protocol.framer import ENDLESS, LINE_LIMIT, EndlessLine, Line, LineFramer, LongLine


def test_a_line_ends_with_lf_and_with_nothing_else() -> None:
    text = "a\u2028b\u2029c\u0085d\x0ce\x0bf\rg".encode()
    assert LineFramer().receive(text + b"\nnext\r\n") == [Line(text), Line(b"next\r")]


def test_lines_may_be_cut_anywhere_and_be_empty() -> None:
    framer = LineFramer()
    assert framer.receive(b"") == []
    assert framer.receive(b"on") == []
    assert framer.pending == 2
    assert framer.receive(b"e\n\n") == [Line(b"one"), Line(b"")]
    assert framer.pending == 0


def test_what_has_no_line_end_is_left_over() -> None:
    framer = LineFramer()
    framer.receive(b"a\nhalf")
    assert framer.finish() == b"half"
    assert framer.finish() is None


def test_a_line_of_the_limit_is_whole_and_a_longer_one_keeps_its_beginning() -> None:
    framer = LineFramer(4)
    assert framer.receive(b"abcd\nabcde\nab\n") == [Line(b"abcd"), LongLine(b"abcd", 5), Line(b"ab")]


def test_a_line_past_eight_times_the_limit_is_said_once_and_before_its_end() -> None:
    framer = LineFramer(4)
    assert framer.receive(b"x" * (4 * ENDLESS)) == []
    assert framer.receive(b"y") == [EndlessLine(b"xxxx")]
    assert framer.receive(b"y" * 100) == []
    assert framer.receive(b"\nok\n") == [LongLine(b"xxxx", 4 * ENDLESS + 101), Line(b"ok")]


def test_a_leftover_of_a_long_line_is_its_beginning() -> None:
    framer = LineFramer(4)
    framer.receive(b"abcdefgh")
    assert framer.finish() == b"abcd"
    assert framer.receive(b"z\n") == [Line(b"z")]


def test_a_long_line_takes_bounded_memory() -> None:
    framer = LineFramer(64 * 1024)
    chunk = b"x" * 65_536
    tracemalloc.start()
    try:
        for _ in range(2_000):
            framer.receive(chunk)
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert framer.pending == 2_000 * 65_536
    assert peak < 1_000_000


def test_the_limit_is_the_specified_one_and_at_least_one() -> None:
    assert LineFramer().limit == LINE_LIMIT == 16 * 1024 * 1024
    with pytest.raises(ValueError, match="at least one"):
        LineFramer(0)
