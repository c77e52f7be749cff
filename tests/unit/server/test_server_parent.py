from __future__ import annotations

import asyncio
import os
import subprocess
import sys

import pytest

from flow_lsp.server import parent

SECONDS = 10.0


@pytest.fixture(params=["descriptor", "looks"])
def way(request, monkeypatch):
    """How the system tells; a system without process descriptors has to be asked."""
    monkeypatch.setattr(parent, "SECONDS_BETWEEN_LOOKS", 0.01)
    if request.param == "looks" and hasattr(os, "pidfd_open"):

        def refused(_: int) -> int:
            raise OSError

        monkeypatch.setattr(os, "pidfd_open", refused)
    return request.param


async def test_the_end_of_a_process_is_noticed(way):
    died = asyncio.Event()
    with subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE) as process:
        stop = parent.watch_process(asyncio.get_running_loop(), process.pid, died.set)
        process.kill()
        process.wait()
        await asyncio.wait_for(died.wait(), SECONDS)
    stop()


async def test_a_watch_that_was_stopped_says_nothing(way):
    loop = asyncio.get_running_loop()
    gone = asyncio.Event()
    with subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE) as process:
        stop = parent.watch_process(loop, process.pid, lambda: pytest.fail("the watch was stopped"))
        other = parent.watch_process(loop, process.pid, gone.set)
        stop()
        stop()
        process.kill()
        process.wait()
        await asyncio.wait_for(gone.wait(), SECONDS)
    other()


@pytest.mark.parametrize("process", [0, -1, 2**31, 10**30])
async def test_a_number_that_is_no_process_is_not_watched(process):
    parent.watch_process(asyncio.get_running_loop(), process, lambda: pytest.fail("nothing is watched"))()
