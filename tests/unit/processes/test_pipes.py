"""The pipes of both kinds of event loops, without a child: this process holds their other ends."""

from __future__ import annotations

import asyncio
import os
from collections.abc import AsyncIterator

import pytest

from flow_lsp.processes.pieces import Handed
from flow_lsp.processes.pipes import LAST_OUTPUT, ReadPipe, WritePipe
from flow_lsp.processes.thread_pipes import ThreadReadPipe, ThreadWritePipe

KIB = 1024


@pytest.fixture(params=[ReadPipe, ThreadReadPipe])
async def output(request: pytest.FixtureRequest) -> AsyncIterator[tuple[ReadPipe, int]]:
    """A pipe to read, and the descriptor that writes into it."""
    read_end, write_end = os.pipe()
    pipe = request.param(read_end)
    yield pipe, write_end
    pipe.close()
    os.close(write_end)


async def test_a_read_that_waits_ends_when_the_pipe_is_closed(output: tuple[ReadPipe, int]) -> None:
    pipe, _ = output
    reading = asyncio.ensure_future(pipe.read())
    await asyncio.sleep(0)
    pipe.close()
    async with asyncio.timeout(10):
        assert await reading == b""
    assert await pipe.read() == b""


async def test_a_read_that_waits_ends_when_the_output_goes_elsewhere(output: tuple[ReadPipe, int]) -> None:
    pipe, write_end = output
    taken: list[bytes] = []
    reading = asyncio.ensure_future(pipe.read())
    await asyncio.sleep(0)
    pipe.flow(taken.append)
    async with asyncio.timeout(10):
        assert await reading == b""
        os.write(write_end, b"x")
        while not taken:
            await asyncio.sleep(0.001)
    assert taken == [b"x"]


async def test_a_read_that_is_cancelled_takes_nothing(output: tuple[ReadPipe, int]) -> None:
    pipe, write_end = output
    reading = asyncio.ensure_future(pipe.read())
    await asyncio.sleep(0)
    reading.cancel()
    os.write(write_end, b"x")
    with pytest.raises(asyncio.CancelledError):
        await reading
    assert await pipe.read() == b"x"


async def test_no_more_than_a_pipe_may_hold_is_read_once_only_what_was_written_counts(
    output: tuple[ReadPipe, int],
) -> None:
    """Though someone goes on writing."""
    pipe, write_end = output
    pipe.finish()
    total = 0
    for _ in range(2 * LAST_OUTPUT // (32 * KIB)):
        os.write(write_end, bytes(32 * KIB))
        data = await pipe.read()
        total += len(data)
        if not data:
            break
    assert total == LAST_OUTPUT
    assert await pipe.read() == b""


async def test_each_hands_over_what_is_there_and_what_comes_up_to_the_end(output: tuple[ReadPipe, int]) -> None:
    pipe, write_end = output
    taken: list[bytes] = []
    os.write(write_end, b"a")
    handing = asyncio.ensure_future(pipe.each(taken.append))
    async with asyncio.timeout(10):
        for data in (b"b", b"c"):
            while len(taken) < ord(data) - ord("a"):
                await asyncio.sleep(0.001)
            os.write(write_end, data)
        while len(taken) < 3:
            await asyncio.sleep(0.001)
        os.write(write_end, b"last")
        pipe.finish()
        await handing
    assert taken == [b"a", b"b", b"c", b"last"]


async def test_each_reads_no_more_while_it_waits_for_what_it_was_given(output: tuple[ReadPipe, int]) -> None:
    """And what it was given goes on where the waiting is cancelled."""
    pipe, write_end = output
    taken: list[bytes] = []
    work: asyncio.Future[None] = asyncio.get_running_loop().create_future()

    def take(data: bytes) -> asyncio.Future[None] | None:
        taken.append(data)
        return work if data == b"heavy" else None

    handing = asyncio.ensure_future(pipe.each(take))
    async with asyncio.timeout(10):
        await asyncio.sleep(0)
        os.write(write_end, b"heavy")
        while not taken:
            await asyncio.sleep(0.001)
        os.write(write_end, b"light")
        for _ in range(10):
            await asyncio.sleep(0.001)
        assert taken == [b"heavy"]
        handing.cancel()
        with pytest.raises(asyncio.CancelledError):
            await handing
        assert not work.done()
        assert await pipe.read() == b"light"


@pytest.mark.parametrize("is_there", [True, False])
async def test_what_is_raised_by_whoever_takes_a_chunk_is_raised_by_each(
    output: tuple[ReadPipe, int], is_there: bool
) -> None:
    pipe, write_end = output

    def take(data: bytes) -> None:
        raise LookupError(data)

    if is_there:
        os.write(write_end, b"x")
    handing = asyncio.ensure_future(pipe.each(take))
    await asyncio.sleep(0)
    if not is_there:
        os.write(write_end, b"x")
    async with asyncio.timeout(10):
        with pytest.raises(LookupError):
            await handing


@pytest.mark.parametrize("end", ["close", "flow", "finish"])
async def test_each_that_waits_ends_as_a_read_does(output: tuple[ReadPipe, int], end: str) -> None:
    pipe, _ = output
    taken: list[bytes] = []
    handing = asyncio.ensure_future(pipe.each(taken.append))
    await asyncio.sleep(0)
    pipe.flow(taken.append) if end == "flow" else getattr(pipe, end)()
    async with asyncio.timeout(10):
        await handing
    assert taken == []


@pytest.mark.parametrize("kind", [WritePipe, ThreadWritePipe])
async def test_what_is_half_handed_over_when_the_pipe_is_closed_stays_half(kind: type[WritePipe]) -> None:
    read_end, write_end = os.pipe()
    pipe = kind(write_end)
    told: asyncio.Future[Handed] = asyncio.get_running_loop().create_future()
    assert pipe.send(bytes(1024 * KIB), told.set_result)
    async with asyncio.timeout(10):
        while pipe.unsent == 1024 * KIB:
            await asyncio.sleep(0.001)
    pipe.close()
    with open(read_end, "rb") as reader:
        left = await asyncio.to_thread(reader.read)
    assert 0 < len(left) < 1024 * KIB
    assert await told is Handed.PART
    assert pipe.unsent == 0
