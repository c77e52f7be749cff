"""The last of a standard error."""

from __future__ import annotations

import tracemalloc

import pytest

from flow_lsp.processes.tail import Tail


def tail_of(*chunks: bytes, kept: int = 1024) -> Tail:
    tail = Tail(kept)
    for chunk in chunks:
        tail.add(chunk)
    return tail


def test_it_shows_the_last_lines_and_no_blank_ones() -> None:
    assert tail_of(b"one\n\ntwo\r\n  \nthr", b"ee").lines() == ("one", "two", "three")
    assert tail_of(b"one\ntwo\nthree").lines(count=2) == ("two", "three")
    assert tail_of().lines() == ()


def test_what_was_overwritten_by_a_carriage_return_is_a_line_of_its_own() -> None:
    assert tail_of(b"10%\r20%\rdone\n").lines() == ("10%", "20%", "done")


def test_a_line_whose_beginning_was_let_go_says_so() -> None:
    assert tail_of(b"a" * 30, b"b" * 5, kept=10).lines() == ("…" + "a" * 5 + "b" * 5,)


def test_a_long_line_is_cut_and_control_characters_are_escaped() -> None:
    [line] = tail_of(b"\x1b[31m" + b"x" * 900).lines(width=50)
    assert line.startswith(r"\x1b[31mxxx")
    assert line.endswith("x…")


@pytest.mark.parametrize("chunk", [b"x", b"y" * 700, b"z" * 70_000])
def test_memory_is_bounded_whatever_comes(chunk: bytes) -> None:
    tail = Tail(10_000)
    tracemalloc.start()
    try:
        for _ in range(20_000):
            tail.add(chunk)
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert peak < 1_500_000
    assert tail.total == 20_000 * len(chunk)
    assert tail.lines(width=20_000)[0].strip("…") == chunk[:1].decode() * 10_000
