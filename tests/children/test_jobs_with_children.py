"""Describe jobs with real processes: one start for many requests, and nothing left however it ends."""

from __future__ import annotations

import asyncio
from pathlib import Path

from started_implementations import HASTY, RUTHLESS, Implementations

from flow_lsp.host.describe_jobs import DescribeJobs
from flow_lsp.processes.programs import command_stamps
from flow_lsp.protocol.outcome import DescribeOutcome


async def test_ten_requests_start_one_process_and_a_save_another(implementations: Implementations) -> None:
    starts = Path(implementations.directory, "starts")
    starts.touch()

    async def run(key: str) -> DescribeOutcome:
        return await implementations.describe("counted", key, "0.1")

    async def stamps(key: str) -> object:
        return command_stamps(implementations.directory, implementations.words(), implementations.program)

    jobs = DescribeJobs(run, stamps=stamps)
    for _ in range(10):
        jobs.request(str(starts), "open")
        await asyncio.sleep(0)
    await jobs.idle()
    assert jobs.state(str(starts)).current
    assert starts.read_text() == "started\n"
    jobs.request(str(starts), "open")
    await jobs.idle()
    assert starts.read_text() == "started\n"
    jobs.refresh(str(starts), "saved")
    await jobs.idle()
    assert starts.read_text() == "started\n" * 2


async def test_closing_ends_every_process(implementations: Implementations) -> None:
    async def run(key: str) -> DescribeOutcome:
        return await implementations.describe(key, ending=RUTHLESS)

    jobs = DescribeJobs(run, concurrency=4)
    for behaviour in ("deaf", "ignores-term", "endless-noise", "silent", "good"):
        jobs.request(behaviour, "open")
    async with asyncio.timeout(10):
        while len(implementations.left()) < 3:
            await asyncio.sleep(0.001)
    await jobs.close()
    assert implementations.left() == []


async def test_a_refresh_ends_the_older_process_first(implementations: Implementations) -> None:
    at_once: list[int] = []

    async def run(key: str) -> DescribeOutcome:
        at_once.append(len(implementations.left()))
        return await implementations.describe(key, ending=HASTY)

    jobs = DescribeJobs(run, debounce=0.0)
    jobs.request("deaf", "open")
    for _ in range(3):
        async with asyncio.timeout(10):
            while not implementations.left():
                await asyncio.sleep(0.001)
        jobs.refresh("deaf", "saved")
    await asyncio.sleep(0)
    await jobs.close()
    assert set(at_once) == {0}
