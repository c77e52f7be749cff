"""Describe runs that are cancelled, event loops that are torn down, hosts that are killed: nothing is left."""

from __future__ import annotations

import asyncio
import subprocess
import sys
import time

import pytest
from started_implementations import HASTY, RUTHLESS, Implementations

from flow_lsp.processes.child import Ending
from flow_lsp.protocol.describe import DescribeConversation


async def test_a_cancelled_run_leaves_nothing(implementations: Implementations) -> None:
    for behaviour in ("deaf", "endless-noise", "endless-line"):
        run = asyncio.ensure_future(implementations.describe(behaviour, ending=HASTY))
        while not implementations.left():
            await asyncio.sleep(0)
        run.cancel()
        with pytest.raises(asyncio.CancelledError):
            await run
        assert implementations.left() == []


async def test_a_run_that_is_cancelled_again_while_it_ends_leaves_nothing(
    implementations: Implementations,
) -> None:
    run = asyncio.ensure_future(implementations.describe("ignores-term", ending=RUTHLESS))
    while not implementations.left():
        await asyncio.sleep(0)
    for _ in range(20):
        run.cancel()
        await asyncio.wait((run,), timeout=0.01)
    with pytest.raises(asyncio.CancelledError):
        await run
    assert implementations.left() == []


def test_an_event_loop_that_is_torn_down_leaves_nothing(implementations_of_no_loop: Implementations) -> None:
    started = implementations_of_no_loop

    async def leave() -> None:
        run = asyncio.get_running_loop().create_task(started.describe("ignores-term", ending=RUTHLESS))
        while not started.left():
            await asyncio.sleep(0)
        assert not run.done()

    asyncio.run(leave())
    assert started.left() == []


def test_an_event_loop_that_is_torn_down_while_a_process_ends_kills_it(
    implementations_of_no_loop: Implementations,
) -> None:
    started = implementations_of_no_loop

    async def leave() -> None:
        run = asyncio.get_running_loop().create_task(started.describe("deaf", ending=Ending(60, 60, 60)))
        while not started.left():
            await asyncio.sleep(0)
        run.cancel()
        await asyncio.wait((run,), timeout=0.1)
        assert not run.done()

    begin = time.monotonic()
    asyncio.run(leave())
    assert started.left() == []
    assert time.monotonic() - begin < 30


def test_the_children_of_a_killed_host_read_the_end_of_their_input(
    implementations_of_no_loop: Implementations,
) -> None:
    """Two at once: neither may hold the other's input open."""
    started = implementations_of_no_loop
    code = (
        "import asyncio\n"
        "from flow_lsp.processes.child import start_child\n"
        "async def main():\n"
        f"    program, arguments = {started.program.path!r}, {started.words('silent')[1:]!r}\n"
        "    children = [start_child('/', program, arguments) for _ in '12']\n"
        "    for child in children:\n"
        f"        child.input.send({DescribeConversation().request()!r})\n"
        "        await child.input.drain()\n"
        "    print('started', flush=True)\n"
        "    await children[0].exited()\n"
        "asyncio.run(main())\n"
    )
    host = subprocess.Popen([sys.executable, "-c", code], env=started.environment, stdout=subprocess.PIPE)
    assert host.stdout is not None
    with host.stdout:
        assert host.stdout.readline() == b"started\n"
    assert len(started.left()) == 3
    host.kill()
    host.wait()
    end = time.monotonic() + 20
    while started.left():
        assert time.monotonic() < end
