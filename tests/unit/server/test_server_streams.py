"""The two kinds of streams, which behave alike; on pipes of this process."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Callable

import pytest

from flow_lsp.server.streams import (
    PolledSink,
    PolledSource,
    ThreadSink,
    ThreadSource,
    _write_whole,
)

SECONDS = 10.0
SOURCES: dict[str, Callable] = {
    "polled": PolledSource,
    "thread": lambda descriptor: ThreadSource(lambda: os.read(descriptor, 50)),
}
SINKS: dict[str, Callable] = {
    "polled": PolledSink,
    "thread": lambda descriptor: ThreadSink(lambda data: _write_whole(descriptor, data)),
}


class Reading:
    """Collects what a source gives, as the endpoint would."""

    def __init__(self, source) -> None:
        self.source = source
        self.data = b""
        self.ended = False
        self.changed = asyncio.Event()
        source.start(asyncio.get_running_loop(), self.ready)

    def ready(self) -> None:
        while (data := self.source.read()) is not None:
            self.data += data
            self.changed.set()
            if not data:
                self.ended = True
                self.source.pause()
                return

    async def until(self, done: Callable[[], bool]) -> None:
        while not done():
            self.changed.clear()
            await asyncio.wait_for(self.changed.wait(), SECONDS)


@pytest.fixture
def pipe():
    reading, writing = os.pipe()
    open_ones = {reading, writing}
    yield reading, writing, open_ones
    for descriptor in open_ones:
        os.close(descriptor)


@pytest.mark.parametrize("kind", SOURCES)
async def test_a_source_gives_everything_in_order_and_then_the_end(pipe, kind):
    reading, writing, open_ones = pipe
    source = SOURCES[kind](reading)
    collected = Reading(source)
    os.write(writing, b"a" * 5000)
    await collected.until(lambda: len(collected.data) == 5000)
    os.write(writing, b"b")
    os.close(writing)
    await collected.until(lambda: collected.ended)
    assert collected.data == b"a" * 5000 + b"b"
    source.close()
    open_ones -= {writing} | ({reading} if kind == "polled" else set())


@pytest.mark.parametrize("kind", SOURCES)
async def test_a_paused_source_gives_nothing_until_it_is_resumed(pipe, kind):
    reading, writing, open_ones = pipe
    source = SOURCES[kind](reading)
    collected = Reading(source)
    os.write(writing, b"first")
    await collected.until(lambda: collected.data == b"first")
    source.pause()
    os.write(writing, b"second")
    os.close(writing)
    for _ in range(20):
        await asyncio.sleep(0)
    assert collected.data == b"first"
    source.resume()
    await collected.until(lambda: collected.ended)
    assert collected.data == b"firstsecond"
    source.close()
    open_ones -= {writing} | ({reading} if kind == "polled" else set())


@pytest.mark.parametrize("kind", SINKS)
async def test_a_sink_never_blocks_and_keeps_the_order(pipe, kind):
    reading, writing, open_ones = pipe
    sink = SINKS[kind](writing)
    moved = asyncio.Event()
    sink.start(asyncio.get_running_loop(), moved.set, lambda: pytest.fail("somebody reads"))
    pieces = [bytes([65 + number]) * 100_000 for number in range(10)]
    for piece in pieces:
        sink.write(piece)
    assert sink.backlog >= 900_000
    collected = Reading(PolledSource(reading))
    await asyncio.wait_for(sink.drain(10 * SECONDS), SECONDS)
    assert sink.backlog == 0
    assert moved.is_set()
    sink.close()
    if kind == "thread":
        os.close(writing)
    await collected.until(lambda: collected.ended)
    assert collected.data == b"".join(pieces)
    collected.source.close()
    open_ones.clear()


@pytest.mark.parametrize("kind", SINKS)
async def test_a_sink_tells_once_that_nobody_reads_and_takes_nothing_more(pipe, kind):
    reading, writing, open_ones = pipe
    os.close(reading)
    lost = asyncio.Event()
    calls = []
    sink = SINKS[kind](writing)
    sink.start(asyncio.get_running_loop(), lambda: None, lambda: (calls.append(1), lost.set()))
    for _ in range(3):
        sink.write(b"x" * 10)
    await asyncio.wait_for(lost.wait(), SECONDS)
    await sink.drain(SECONDS)
    sink.write(b"x")
    assert sink.backlog == 0
    assert calls == [1]
    sink.close()
    open_ones -= {reading} | ({writing} if kind == "polled" else set())


async def test_draining_ends_where_nobody_takes_anything(pipe):
    _, writing, open_ones = pipe
    sink = PolledSink(writing)
    sink.start(asyncio.get_running_loop(), lambda: None, lambda: None)
    sink.write(b"x" * 1_000_000)
    await asyncio.wait_for(sink.drain(0.01), SECONDS)
    assert sink.backlog > 0
    sink.close()
    open_ones -= {writing}
