"""Background work in slices: everything is done, and what arrives between is handled in between."""

from __future__ import annotations

import asyncio
import gc
from collections.abc import Iterator
from itertools import pairwise

import pytest

from flow_lsp.server import slices
from flow_lsp.server.slices import TURNS, Growth, after_turns, worked_off


@pytest.fixture(autouse=True)
def collecting() -> Iterator[None]:
    yield
    gc.enable()
    gc.unfreeze()


async def test_between_slices_others_have_several_turns(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(slices, "SLICE", -1.0)  # every step ends its slice
    happened: list[str] = []

    def steps() -> Iterator[int]:
        for number in range(3):
            happened.append("step")
            yield number

    async def others() -> None:
        while True:
            happened.append("turn")
            await asyncio.sleep(0)

    other = asyncio.create_task(others())
    await worked_off(steps())
    other.cancel()
    places = [place for place, what in enumerate(happened) if what == "step"]
    assert len(places) == 3
    assert all(later - place > TURNS - 1 for place, later in pairwise(places))


async def test_short_work_is_one_slice() -> None:
    done = []
    await asyncio.wait_for(worked_off(iter(done.append(number) for number in range(5))), 10)
    assert len(done) == 5


async def test_a_call_after_turns_comes_after_as_many() -> None:
    happened: list[str] = []
    after_turns(lambda: happened.append("called"), 3)
    for _ in range(3):
        happened.append("turn")
        await asyncio.sleep(0)
    assert happened == ["turn", "turn", "turn", "called"]


async def test_cycles_are_not_looked_for_while_a_workspace_grows_and_are_again_after_it() -> None:
    growth = Growth()
    growth.end()  # nothing began
    assert gc.isenabled()
    assert gc.get_freeze_count() == 0
    growth.begin()
    growth.begin()  # its folders changed meanwhile
    assert not gc.isenabled()
    growth.end()
    assert gc.isenabled()
    frozen = gc.get_freeze_count()
    assert frozen > 0
    growth.end()
    assert gc.get_freeze_count() <= frozen


async def test_growth_that_does_not_end_is_ended(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(slices, "LONGEST_GROWTH", 0.0)
    growth = Growth()
    growth.begin()
    for _ in range(1_000):
        await asyncio.sleep(0)
        if gc.isenabled():
            return
    raise AssertionError("cycles are never looked for again")
