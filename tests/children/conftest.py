"""What the tests with real child processes share.

Every child carries a marker in its environment. After each test no process with that marker may be left, no
task on the event loop, and no descriptor: the promise is about the moment a call returns, so nothing is
waited for.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from started_implementations import Implementations, open_descriptors


@pytest.fixture
async def implementations(tmp_path: Path) -> AsyncIterator[Implementations]:
    tasks = asyncio.all_tasks()
    descriptors = open_descriptors()
    started = Implementations(tmp_path)
    yield started
    assert started.left() == []
    assert asyncio.all_tasks() - tasks - {asyncio.current_task()} == set()
    assert open_descriptors() == descriptors


@pytest.fixture
def implementations_of_no_loop(tmp_path: Path) -> Implementations:
    return Implementations(tmp_path)
