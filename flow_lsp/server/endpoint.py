"""The connection to one editor: a dispatcher on two streams, from the first byte to the exit status.

What holds here, beside what `dispatcher` promises:
- When the messages that arrived together are handled, the idle callbacks are called once; with messages
  coming without a pause, every 50 ms.
- No client can block the loop: reading and writing wait for nothing, a client that does not take our
  answers is not read any further.
"""

from __future__ import annotations

import asyncio
import os
import time
from collections.abc import Awaitable, Callable
from typing import Any

from flow_lsp.server.dispatcher import Dispatcher, Handler, MessageType
from flow_lsp.server.messages import MessageFramer, MessageTooLargeError
from flow_lsp.server.parameters import optional
from flow_lsp.server.parent import watch_process
from flow_lsp.server.streams import Sink, Source, write_error_line

__all__ = ["Endpoint", "Handler", "MessageType"]

IDLE_AT_THE_LATEST = 0.05  # seconds that messages may be handled before the idle callbacks are called
BACKLOG_TO_PAUSE = 64 * 1024 * 1024  # bytes not taken by the client at which it is not read any further
SECONDS_TO_CLOSE = 15.0  # for the closing callbacks: ending children takes a few seconds at most
SECONDS_TO_DRAIN = 2.0
INTERNAL_FAULT = 70  # exit status under FLOW_LSP_STRICT when something that cannot happen did


class Endpoint(Dispatcher):
    """One connection. Register handlers, then `run` it. All methods are for the loop's thread."""

    def __init__(self, source: Source, sink: Sink, strict: bool | None = None) -> None:
        """`strict` (unless given: whether FLOW_LSP_STRICT is 1): faults of ours also go to standard
        error and make the exit status 70."""
        strict = os.environ.get("FLOW_LSP_STRICT") == "1" if strict is None else strict
        super().__init__(sink.write, self._client_left, self._watch_editor, strict)
        self._source, self._sink = source, sink
        self._framer = MessageFramer()
        self._idle: list[Callable[[], None]] = []
        self._closing: list[Callable[[], Awaitable[None] | None]] = []
        self._status: asyncio.Future[int] | None = None
        self._since: float | None = None  # when the first message was handled that no idle call followed
        self._timer: asyncio.TimerHandle | None = None
        self._paused = False
        self._stop_watching: Callable[[], None] = lambda: None

    def on_idle(self, callback: Callable[[], None]) -> None:
        """`callback` is called when the messages that arrived together are handled."""
        self._idle.append(callback)

    def on_close(self, callback: Callable[[], Awaitable[None] | None]) -> None:
        """`callback` is called when the connection ends, whatever the reason, and may be awaited (for
        15 seconds at most): here children are ended."""
        self._closing.append(callback)

    @property
    def backlog(self) -> int:
        """How many bytes the client has not taken yet."""
        return self._sink.backlog

    def stop(self, status: int) -> None:
        """Ends the connection in order; `run` then returns `status`."""
        if self._status is not None and not self._status.done():
            self._status.set_result(status)

    # -- the life of the connection -------------------------------------------------------------------

    async def run(self, signals: bool = True) -> int:
        """Serves until the client leaves; the exit status of the process.

        0 after `shutdown` and then `exit` or the end of the stream, 1 without `shutdown`, 128 and its
        number after a signal, 70 after a fault under FLOW_LSP_STRICT.
        """
        loop = asyncio.get_running_loop()
        self._loop = loop
        self._status = loop.create_future()
        loop.set_exception_handler(self._loop_fault)
        if signals:
            _watch_signals(loop, self.stop)
        self._sink.start(loop, self._moved, self._client_left)
        self._source.start(loop, self._turn)
        try:
            status = await self._status
        finally:
            await self._close()
        return INTERNAL_FAULT if self._strict and self.faults else status

    async def _close(self) -> None:
        self._source.close()
        self._stop_watching()
        if self._timer is not None:
            self._timer.cancel()
        tasks = self.end()
        waits = [asyncio.ensure_future(wait) for callback in self._closing if (wait := self._start_closing(callback))]
        if tasks or waits:
            _, late = await asyncio.wait([*tasks, *waits], timeout=SECONDS_TO_CLOSE)
            for future in late:
                future.cancel()
            for wait_future in waits:
                if wait_future.done() and not wait_future.cancelled() and (error := wait_future.exception()):
                    self.fault("at the end", error)
        await self._sink.drain(SECONDS_TO_DRAIN)
        self._sink.close()

    def _start_closing(self, callback: Callable[[], Awaitable[None] | None]) -> Awaitable[None] | None:
        try:
            return callback()
        except Exception as error:
            self.fault("at the end", error)
            return None

    @property
    def _over(self) -> bool:
        return self._status is None or self._status.done()

    def _client_left(self) -> None:
        self.stop(0 if self.shut_down else 1)

    def _watch_editor(self, params: object) -> None:
        process = optional(params, "processId", kind=int)
        if process is not None:
            self._stop_watching = watch_process(self._loop, process, self._client_left)

    def _loop_fault(self, _: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
        error = context.get("exception") or RuntimeError(str(context.get("message")))
        self.fault("in a background task", error)

    # -- reading --------------------------------------------------------------------------------------

    def _turn(self) -> None:
        """Handles what has arrived, for 50 ms at most; then the idle callbacks."""
        deadline = (self._since or time.monotonic()) + IDLE_AT_THE_LATEST
        overdue = False
        while not self._over:
            if self._sink.backlog > BACKLOG_TO_PAUSE and not self._paused:
                self._paused = True
                self._source.pause()
            if self._paused:
                break
            try:
                body = self._framer.next_body()
            except MessageTooLargeError as error:
                write_error_line(str(error))
                self.log(MessageType.ERROR, str(error))
                self.stop(1)
                return
            if self._framer.problems:
                for problem in self._framer.problems:
                    self.problem(problem)
                self._framer.problems.clear()
            if body is not None:
                self._since = self._since or time.monotonic()
                self.handle(body)
            else:
                data = self._source.read()
                if data is None:
                    break
                if not data:
                    self._client_left()
                    return
                self._framer.feed(data)
            if time.monotonic() >= deadline:
                overdue = True
                break
        if self._over:
            return
        if overdue:
            self._call_idle()
            self._loop.call_soon(self._turn)
        elif self._since is not None and self._framer.incomplete:
            if self._timer is None:  # the rest of a message is on its way
                self._timer = self._loop.call_at(self._loop.time() + IDLE_AT_THE_LATEST, self._call_idle)
        else:
            self._call_idle()

    def _call_idle(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        if self._since is None:
            return
        self._since = None
        for callback in self._idle:
            try:
                callback()
            except Exception as error:
                self.fault("after an edit", error)

    def _moved(self) -> None:
        if self._paused and self._sink.backlog < BACKLOG_TO_PAUSE // 2:
            self._paused = False
            self._source.resume()
            self._loop.call_soon(self._turn)


def _watch_signals(loop: asyncio.AbstractEventLoop, stop: Callable[[int], None]) -> None:
    import signal

    def interrupted(number: int, _: object) -> None:
        loop.call_soon_threadsafe(stop, 128 + number)

    for number in (signal.SIGTERM, signal.SIGINT):
        try:
            loop.add_signal_handler(number, stop, 128 + number)
        except NotImplementedError:  # Windows
            signal.signal(number, interrupted)
