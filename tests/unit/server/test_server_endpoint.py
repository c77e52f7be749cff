"""When idle callbacks are called and when reading pauses, with streams that the tests hold in their hands."""

from __future__ import annotations

import asyncio
import json
from collections import deque
from collections.abc import Callable

import pytest

from flow_lsp.server import endpoint as module
from flow_lsp.server.endpoint import Endpoint
from flow_lsp.server.messages import encode

SECONDS = 10.0


class Source:
    """Gives what the test put in; `ready` is called by the test."""

    def __init__(self) -> None:
        self.pieces: deque[bytes] = deque()
        self.paused = self.closed = False

    def start(self, loop: asyncio.AbstractEventLoop, ready: Callable[[], None]) -> None:
        self.ready = ready

    def read(self) -> bytes | None:
        return self.pieces.popleft() if self.pieces else None

    def pause(self) -> None:
        self.paused = True

    def resume(self) -> None:
        self.paused = False

    def close(self) -> None:
        self.closed = True

    def arrive(self, *pieces: bytes) -> None:
        self.pieces.extend(pieces)
        self.ready()


class Sink:
    """Keeps what is written until the test takes it."""

    def __init__(self) -> None:
        self.data = b""
        self.backlog = 0
        self.drained = self.closed = False

    def start(self, loop, moved: Callable[[], None], lost: Callable[[], None]) -> None:
        self.moved, self.lost = moved, lost

    def write(self, data: bytes) -> None:
        self.data += data
        self.backlog += len(data)

    async def drain(self, seconds: float) -> None:
        self.drained = True

    def close(self) -> None:
        self.closed = True


class Running:
    """An endpoint that runs, initialized, and what happened in it: handled messages and idle calls."""

    async def __aenter__(self) -> Running:
        self.source, self.sink = Source(), Sink()
        self.endpoint = Endpoint(self.source, self.sink, strict=False)
        self.events: list[str] = []
        self.changed = asyncio.Event()
        self.endpoint.on_request("initialize", lambda _: {})
        self.endpoint.on_notification("note", lambda params: self.event(str(params)))
        self.endpoint.on_idle(lambda: self.event("idle"))
        self.running = asyncio.create_task(self.endpoint.run(signals=False))
        await asyncio.sleep(0)
        self.source.arrive(encode({"id": 1, "method": "initialize", "params": {}}))
        self.events.clear()
        return self

    async def __aexit__(self, *_) -> None:
        self.source.arrive(b"")
        await asyncio.wait_for(self.running, SECONDS)
        assert self.source.closed
        assert self.sink.drained
        assert self.sink.closed

    def event(self, name: str) -> None:
        self.events.append(name)
        self.changed.set()

    async def until(self, done: Callable[[], bool]) -> None:
        while not done():
            self.changed.clear()
            await asyncio.wait_for(self.changed.wait(), SECONDS)


def note(name: object) -> bytes:
    return encode({"method": "note", "params": name})


async def test_messages_that_arrived_together_are_followed_by_one_idle_call():
    async with Running() as running:
        running.source.arrive(note(1) + note(2), note(3))
        assert running.events == ["1", "2", "3", "idle"]
        running.source.arrive(note(4))
        assert running.events == ["1", "2", "3", "idle", "4", "idle"]


async def test_nothing_that_arrives_is_followed_by_nothing():
    async with Running() as running:
        running.source.arrive()
        assert running.events == []


async def test_half_a_message_is_waited_for():
    async with Running() as running:
        running.source.arrive(note(1) + note(2)[:-3])
        assert running.events == ["1"]
        running.source.arrive(note(2)[-3:])
        assert running.events == ["1", "2", "idle"]


async def test_half_a_message_is_not_waited_for_very_long():
    async with Running() as running:
        running.source.arrive(note(1) + note(2)[:-3])
        await running.until(lambda: running.events == ["1", "idle"])
        running.source.arrive(note(2)[-3:])
        assert running.events == ["1", "idle", "2", "idle"]


async def test_messages_without_a_pause_do_not_put_off_the_idle_call(monkeypatch):
    """The clock moves 10 ms with each look at it; all messages are there from the beginning."""
    clock = iter(range(10_000))
    async with Running() as running:
        monkeypatch.setattr(module.time, "monotonic", lambda: next(clock) / 100)
        running.source.arrive(*(note(number) for number in range(40)))
        await running.until(lambda: "39" in running.events and running.events[-1] == "idle")
        monkeypatch.undo()
        idle = [number for number, event in enumerate(running.events) if event == "idle"]
        assert len(idle) > 4
        assert all(after - before <= 7 for before, after in zip([-1, *idle], idle, strict=False))
        assert [event for event in running.events if event != "idle"] == [str(number) for number in range(40)]


async def test_between_two_such_calls_the_loop_gets_its_turn(monkeypatch):
    clock = iter(range(10_000))
    async with Running() as running:
        monkeypatch.setattr(module.time, "monotonic", lambda: next(clock) / 10)
        running.source.arrive(note(0), note(1), note(2))
        asyncio.get_running_loop().call_soon(running.event, "another")
        await running.until(lambda: "2" in running.events)
        monkeypatch.undo()
        assert running.events.index("another") < running.events.index("2")


async def test_a_client_that_takes_nothing_is_not_read_until_it_does():
    async with Running() as running:
        running.sink.backlog = module.BACKLOG_TO_PAUSE + 1
        running.source.arrive(note(1))
        assert running.events == []
        assert running.source.paused
        running.sink.backlog = module.BACKLOG_TO_PAUSE // 2
        running.sink.moved()
        assert running.source.paused
        running.sink.backlog = 0
        running.sink.moved()
        assert not running.source.paused
        await running.until(lambda: running.events == ["1", "idle"])


async def test_a_fault_in_an_idle_callback_is_told_and_the_others_are_called():
    async with Running() as running:
        running.endpoint._idle.insert(0, lambda: [][0])
        running.source.arrive(note(1))
        assert running.events == ["1", "idle"]
        assert running.endpoint.faults == 1
        assert b"IndexError" in running.sink.data


async def test_a_fault_in_a_task_of_ours_is_told():
    async with Running() as running:

        async def fail() -> None:
            raise RuntimeError("in the background")

        running.endpoint.on_notification("fail", lambda _: fail())
        running.source.arrive(encode({"method": "fail"}))
        for _ in range(5):
            await asyncio.sleep(0)
        assert running.endpoint.faults == 1
        assert b"in the background" in running.sink.data


async def test_closing_waits_for_every_callback_even_where_one_fails():
    done = []

    async def slow() -> None:
        for _ in range(10):
            await asyncio.sleep(0)
        done.append("slow")

    async def fail() -> None:
        raise RuntimeError("closing")

    async with Running() as running:
        running.endpoint.on_close(lambda: [][0])
        running.endpoint.on_close(fail)
        running.endpoint.on_close(slow)
        running.endpoint.on_close(lambda: done.append("at once"))
    assert sorted(done) == ["at once", "slow"]
    assert running.endpoint.faults == 2


async def test_closing_does_not_wait_for_ever(monkeypatch):
    monkeypatch.setattr(module, "SECONDS_TO_CLOSE", 0.01)
    async with Running() as running:
        running.endpoint.on_close(lambda: asyncio.get_running_loop().create_future())


async def test_what_we_asked_is_cancelled_at_the_end_and_nothing_more_is_sent_about_it():
    async with Running() as running:
        answer = running.endpoint.request("question", None)
    assert answer.cancelled()
    sent = [json.loads(part.partition(b"\r\n\r\n")[2]) for part in running.sink.data.split(b"Content-Length: ")[1:]]
    assert [message.get("method") for message in sent] == [None, "question"]


@pytest.mark.parametrize(("number", "status"), [(3, 3), (0, 0)])
async def test_stopping_gives_the_status_and_the_first_counts(number, status):
    async with Running() as running:
        running.endpoint.stop(number)
        running.endpoint.stop(9)
        assert await asyncio.wait_for(asyncio.shield(running.running), SECONDS) == status
