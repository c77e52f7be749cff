"""Requests about the whole workspace: answered at once or in slices, and never from what is not so any more."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable
from types import SimpleNamespace
from typing import Any

import pytest

from flow_lsp.server import slices
from flow_lsp.server.documents import Documents
from flow_lsp.server.features import asked
from flow_lsp.server.features.asked import Asked, over_workspace
from flow_lsp.server.messages import ErrorCode, ResponseError
from flow_lsp.server.slices import Steps

PARAMS = {"textDocument": {"uri": "file:///w/a.flow"}}


class Server:
    """As much of a server as such a request asks for. A snapshot is a list here, so that each is another object."""

    def __init__(self) -> None:
        self.documents = Documents()
        self.checker = SimpleNamespace(ready=True, sync=lambda document: document.path)
        self.now: Any = []
        self.project = SimpleNamespace(snapshot=lambda: self.now)
        self.read = asyncio.Event()
        self.read.set()
        self.begun: list[object] = []
        self.steps = 0
        self.documents.open({"textDocument": {**PARAMS["textDocument"], "text": "x", "version": 1}})

    async def workspace_read(self) -> None:
        await self.read.wait()

    def work(self, place: Asked) -> Steps[object]:
        """Ten steps, which come to the snapshot that was looked at."""
        self.begun.append(place.snapshot)
        for _ in range(10):
            self.steps += 1
            yield
        return place.snapshot

    def ask(self) -> Any:
        return over_workspace(self, PARAMS, self.work)  # type: ignore[arg-type]

    def edit(self) -> None:
        self.documents.change({**PARAMS, "contentChanges": [{"text": "y"}]})


@pytest.fixture
async def server() -> Server:
    return Server()


@pytest.fixture
def sliced(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(asked, "AT_ONCE", -1.0)
    monkeypatch.setattr(slices, "SLICE", -1.0)  # every step ends its slice


async def started(answer: Awaitable[object]) -> asyncio.Task[object]:
    task = asyncio.ensure_future(answer)
    await asyncio.sleep(0)
    return task  # type: ignore[return-value]


async def test_what_takes_no_time_is_answered_at_once(server: Server) -> None:
    assert server.ask() is server.now


@pytest.mark.usefixtures("sliced")
async def test_what_takes_time_is_answered_in_slices(server: Server) -> None:
    task = await started(server.ask())
    assert not task.done()
    assert await task is server.now
    assert (server.begun, server.steps) == ([server.now], 10)


@pytest.mark.usefixtures("sliced")
async def test_a_cancelled_request_stops(server: Server) -> None:
    task = await started(server.ask())
    task.cancel()
    await asyncio.wait({task})
    assert task.cancelled()
    assert server.steps < 10


@pytest.mark.usefixtures("sliced")
async def test_what_was_found_before_something_else_changed_is_not_answered(server: Server) -> None:
    task = await started(server.ask())
    before, server.now = server.now, []
    assert await task is server.now
    assert len(server.begun) == 2
    assert server.begun[0] is before


@pytest.mark.usefixtures("sliced")
async def test_a_document_that_changed_meanwhile_has_no_answer(server: Server) -> None:
    task = await started(server.ask())
    server.edit()
    with pytest.raises(ResponseError) as raised:
        await task
    assert raised.value.code == ErrorCode.CONTENT_MODIFIED


async def test_the_workspace_is_waited_for(server: Server) -> None:
    server.checker.ready = False
    server.read.clear()
    task = await started(server.ask())
    assert server.begun == []
    server.now = []
    server.read.set()
    assert await task is server.now
