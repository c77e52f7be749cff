"""Lines to a host that reads when it likes: whole, in order, within bounds, from many threads."""

from __future__ import annotations

import os
import threading
from collections.abc import Iterator
from contextlib import suppress
from typing import Any

import pytest

from flow_lsp.toolkit import writing
from flow_lsp.toolkit.remembering import AnsweredCalls
from flow_lsp.toolkit.threads import FunctionThreads
from flow_lsp.toolkit.writing import Writer


class Pipe:
    def __init__(self) -> None:
        self.source, self.target = os.pipe()
        self.broken = threading.Event()
        self.writer = Writer(self.target, self.broken.set)

    def read(self, count: int) -> bytes:
        data = b""
        while len(data) < count:
            data += os.read(self.source, count - len(data))
        return data


@pytest.fixture
def pipe() -> Iterator[Pipe]:
    made = Pipe()
    yield made
    for descriptor in (made.source, made.target):
        with suppress(OSError):
            os.close(descriptor)


def test_short_lines_are_written_by_whoever_makes_them(pipe: Pipe) -> None:
    before = threading.active_count()
    pipe.writer.send(b"one\n")
    pipe.writer.send(b"two\n")
    assert threading.active_count() == before
    assert pipe.read(8) == b"one\ntwo\n"


def test_what_is_not_read_waits_and_keeps_its_order(pipe: Pipe) -> None:
    lines = [b"%d" % number + b"x" * (number % 7) * 1000 + b"\n" for number in range(500)]
    for line in lines:
        pipe.writer.send(line)
    everything = b"".join(lines)
    assert pipe.read(len(everything)) == everything
    pipe.writer.flush(60)
    assert not pipe.broken.is_set()


def test_lines_of_many_threads_stay_whole(pipe: Pipe) -> None:
    def send(mark: int) -> None:
        for _ in range(100):
            pipe.writer.send(bytes([mark]) * 3000 + b"\n")

    threads = [threading.Thread(target=send, args=(mark,)) for mark in b"abcd"]
    for thread in threads:
        thread.start()
    data = pipe.read(4 * 100 * 3001)
    for thread in threads:
        thread.join()
    assert {(len(line), len(set(line))) for line in data.splitlines()} == {(3000, 1)}


def test_whoever_makes_much_waits_for_room(pipe: Pipe, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(writing, "WAITING_LIMIT", 1_000_000)
    woken: list[int] = []
    room = threading.Event()
    pipe.writer.send(b"x" * 2_000_000)
    assert not pipe.writer.has_room
    assert not pipe.writer.when_room(room.set)
    waiting = threading.Thread(target=lambda: (pipe.writer.wait_for_room(), woken.append(1)))
    waiting.start()
    assert not woken
    pipe.read(2_000_000)
    waiting.join(60)
    assert room.wait(60)
    assert woken
    assert pipe.writer.when_room(room.set)


@pytest.mark.parametrize("size", [10, 1_000_000])
def test_a_host_that_has_gone_is_told_of_once_and_keeps_nobody(pipe: Pipe, size: int) -> None:
    os.close(pipe.source)
    pipe.writer.send(b"x" * size)
    assert pipe.broken.wait(60)
    pipe.broken.clear()
    pipe.writer.send(b"x" * size)
    pipe.writer.flush(60)
    pipe.writer.wait_for_room()
    assert not pipe.broken.is_set()


def test_flushing_gives_up_a_host_that_does_not_read(pipe: Pipe) -> None:
    pipe.writer.send(b"x" * 1_000_000)
    pipe.writer.flush(0.01)
    assert pipe.read(1_000_000)


def test_what_is_closed_writes_nothing_into_the_file_that_comes_after(pipe: Pipe) -> None:
    pipe.writer.send(b"one\n")
    pipe.writer.close()
    source, target = os.pipe()
    assert target == pipe.target or source == pipe.target
    pipe.writer.send(b"two\n")
    pipe.writer.close()
    assert pipe.read(4) == b"one\n"
    assert os.read(pipe.source, 10) == b""
    os.set_blocking(source, False)
    with pytest.raises(BlockingIOError):
        os.read(source, 10)
    os.close(target if source == pipe.target else source)


def test_functions_run_on_few_threads() -> None:
    threads = FunctionThreads(3)
    ran: list[Any] = []
    gate, all_run = threading.Event(), threading.Semaphore(0)

    def work() -> None:
        gate.wait(60)
        ran.append(threading.current_thread())
        all_run.release()

    for _ in range(20):
        threads.do(work)
    gate.set()
    for _ in range(20):
        assert all_run.acquire(timeout=60)
    assert len(set(ran)) <= 3
    assert all(thread.daemon for thread in ran)


def test_an_idle_thread_is_used_again() -> None:
    threads = FunctionThreads()
    used: list[Any] = []
    done = threading.Semaphore(0)
    for _ in range(50):
        threads.do(lambda: (used.append(threading.current_thread().name), done.release()))
        assert done.acquire(timeout=60)
    assert len(set(used)) < 10


def test_answered_calls_are_remembered_up_to_a_bound() -> None:
    answered = AnsweredCalls(3)
    for call in "abcd":
        answered.add(("r", call))
    assert [answered.has(("r", call)) for call in "abcd"] == [False, True, True, True]
    answered.add(("r", "b"))
    answered.add(("r", "e"))
    assert [answered.has(("r", call)) for call in "bcde"] == [True, False, True, True]
    assert not answered.has(("", "rb"))
    answered.add(("1", "2 3"))
    assert not answered.has(("1 2", "3"))
