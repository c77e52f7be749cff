"""The last of a standard error."""

from __future__ import annotations

import tracemalloc

import pytest

from flow_lsp.processes.tail import NewLines, Tail


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
    assert peak < 150_000
    assert tail.total == 20_000 * len(chunk)
    assert tail.lines(width=20_000)[0].strip("…") == chunk[:1].decode() * 10_000


def heard_of(*chunks: bytes, count: int = 20, width: int = 300) -> list[NewLines]:
    tail, heard = Tail(), list[NewLines]()
    tail.follow(heard.append, count, width)
    for chunk in chunks:
        tail.add(chunk)
    tail.end()
    return heard


def test_a_line_is_heard_when_it_ends_and_once() -> None:
    assert heard_of(b"o", b"ne\ntw", b"o\r\n\n  \n", b"three") == [
        NewLines(("one",), 0),
        NewLines(("two",), 0),
        NewLines(("three",), 0),
    ]
    assert heard_of() == heard_of(b"\n", b"  ") == []


def test_a_character_that_comes_in_two_halves_is_one() -> None:
    first, second = "é\n".encode()[:1], "é\n".encode()[1:]
    assert heard_of(first, second) == [NewLines(("é",), 0)]


def test_of_many_lines_at_once_the_last_are_heard_and_the_others_counted() -> None:
    assert heard_of(b"".join(b"%d\n\n" % number for number in range(50)), count=3) == [NewLines(("47", "48", "49"), 47)]


@pytest.mark.parametrize("size", [1, 7, 5000])
def test_of_an_endless_line_no_more_is_kept_than_is_shown(size: int) -> None:
    tail, heard = Tail(), list[NewLines]()
    tail.follow(heard.append, width=50)
    tracemalloc.start()
    try:
        for _ in range(3_000_000 // size // 10):
            tail.add(b"x" * size)
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert peak < 300_000
    assert heard == []
    tail.add(b"\nnext\n")
    assert heard == [NewLines(("x" * 49 + "…", "next"), 0)]


def test_followers_end_each_by_themselves() -> None:
    tail, first, second = Tail(), list[NewLines](), list[NewLines]()
    stop = tail.follow(first.append)
    tail.follow(second.append)
    tail.add(b"a\n")
    stop()
    stop()
    tail.add(b"b\n")
    assert (len(first), len(second)) == (1, 2)
