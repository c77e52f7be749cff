"""Long work in the background of an editor's session: in slices, between which whatever arrived is handled.

A request passes through several turns of the event loop before it is answered. Between two slices there are as many
turns without work, so that a request waits for the slice that is running and for no other.
"""

from __future__ import annotations

import asyncio
import gc
import math
import time
from collections.abc import Callable, Generator, Iterator
from dataclasses import dataclass
from typing import Generic, TypeAlias, TypeVar

SLICE = 0.002  # seconds of work at once
TURNS = 4  # of the event loop between two slices
LONGEST_GROWTH = 60.0  # seconds after which cycles are looked for again in any case


_Result = TypeVar("_Result")
Steps: TypeAlias = Generator[None, None, _Result]
"""Work that can be left off at each step, and what it comes to."""


async def worked_off(steps: Iterator[object]) -> None:
    """Takes all `steps`, in slices."""
    deadline = time.monotonic() + SLICE
    for _ in steps:
        if time.monotonic() > deadline:
            await others_turns()
            deadline = time.monotonic() + SLICE


async def others_turns() -> None:
    """Lets whatever arrived be handled."""
    for _ in range(TURNS):
        await asyncio.sleep(0)


@dataclass(frozen=True, slots=True)
class Done(Generic[_Result]):
    """What some work came to."""

    result: _Result


def one_slice(steps: Steps[_Result], seconds: float = SLICE) -> Done[_Result] | None:
    """Takes steps for so long, at least one; the result where that was the last."""
    deadline = time.monotonic() + seconds
    try:
        while True:
            next(steps)
            if time.monotonic() > deadline:
                return None
    except StopIteration as stopped:
        return Done(stopped.value)


def at_once(steps: Steps[_Result]) -> _Result:
    """The result, whatever time it takes."""
    done = one_slice(steps, math.inf)
    assert done is not None
    return done.result


def after_turns(callback: Callable[[], None], turns: int = TURNS) -> None:
    """Calls `callback` after some turns of the running loop."""
    loop = asyncio.get_running_loop()
    if turns <= 1:
        loop.call_soon(callback)
    else:
        loop.call_soon(after_turns, callback, turns - 1)


class Growth:
    """The time in which a workspace is first read and checked, when nearly all that is made stays.

    Looking for cycles finds none then, and takes a second at a time in a workspace of 2,000 files. So it waits, and
    what has been made by the end is never looked at again; what is let go of later is freed all the same, but for
    cycles, of which declarations have none.
    """

    def __init__(self) -> None:
        self._timer: asyncio.TimerHandle | None = None

    def begin(self) -> None:
        """A workspace is being read."""
        if self._timer is not None:
            self._timer.cancel()
        self._timer = asyncio.get_running_loop().call_later(LONGEST_GROWTH, self.end)
        gc.disable()

    def end(self) -> None:
        """It was read and checked; or the session ends."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
            gc.freeze()
            gc.enable()
