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
