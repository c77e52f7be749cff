"""Reading a workspace is shown where it takes long, and only then."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from typing import Any

import pytest

from flow_lsp.server.call_progress import BETWEEN, PATIENCE, shown_reading


class StubEndpoint:
    """Keeps what is sent; every request is granted."""

    def __init__(self) -> None:
        self.sent: list[tuple[str, Any]] = []

    async def request(self, method: str, params: Any) -> None:
        self.sent.append((method, params))

    def notify(self, method: str, params: Any) -> None:
        self.sent.append((method, params))


class Clock:
    """A clock that `steps` move."""

    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        return self.now


async def read(seconds: list[float], *, creates: bool = True) -> list[Any]:
    """What is sent while steps that take so long are taken, with a turn of the loop after each."""
    endpoint, clock = StubEndpoint(), Clock()

    def steps() -> Iterator[int]:
        for number, each in enumerate(seconds, 1):
            clock.now += each
            yield number * 1000

    for _ in shown_reading(steps(), endpoint, creates, clock):  # type: ignore[arg-type]
        await asyncio.sleep(0)
        await asyncio.sleep(0)
    return [value["value"] if method == "$/progress" else method for method, value in endpoint.sent]


async def test_short_reading_shows_nothing():
    assert await read([PATIENCE / 4] * 3) == []


async def test_long_reading_is_shown_from_when_it_is_long_to_its_end():
    sent = await read([PATIENCE, BETWEEN / 2, BETWEEN])
    assert sent == [
        "window/workDoneProgress/create",
        {"kind": "begin", "title": "Reading the workspace", "cancellable": False, "message": "1,000 files"},
        {"kind": "report", "message": "3,000 files"},
        {"kind": "end", "message": "read"},
    ]


async def test_a_client_that_shows_no_progress_is_sent_none():
    assert await read([PATIENCE, PATIENCE], creates=False) == []


async def test_reading_that_is_given_up_ends_its_progress():
    endpoint, clock = StubEndpoint(), Clock()

    def steps() -> Iterator[int]:
        while True:
            clock.now += PATIENCE
            yield 1

    shown = shown_reading(steps(), endpoint, True, clock)  # type: ignore[arg-type]
    next(shown)
    await asyncio.sleep(0)
    await asyncio.sleep(0)
    shown.close()  # type: ignore[attr-defined]
    assert endpoint.sent[-1][1]["value"]["kind"] == "end"
    with pytest.raises(StopIteration):
        next(shown)
