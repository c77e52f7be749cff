"""Byte streams that never block the event loop: standard input and output, or one TCP connection.

Pipes and sockets are polled. What cannot be polled (files, terminals, everything on Windows) is read
and written by a thread. Both kinds have the same methods.
"""

from __future__ import annotations

import os
import stat
import sys
from asyncio import AbstractEventLoop, Event, wait_for
from collections import deque
from collections.abc import Callable
from typing import Protocol

READ_SIZE = 65536  # what a pipe holds on Linux
_CHUNKS_AHEAD = 64  # how many chunks a reading thread may be ahead of the loop


class Source(Protocol):
    """Where bytes come from."""

    def start(self, loop: AbstractEventLoop, ready: Callable[[], None]) -> None:
        """Begins to call `ready` on the loop whenever `read` may have something."""

    def read(self) -> bytes | None:
        """The next bytes, None if there are none now, empty at the end of the stream."""

    def pause(self) -> None:
        """Stops calling `ready`."""

    def resume(self) -> None:
        """Begins to call `ready` again."""

    def close(self) -> None:
        """Lets go of the stream. Nothing is called afterwards."""


class Sink(Protocol):
    """Where bytes go to, in order."""

    @property
    def backlog(self) -> int:
        """How many bytes the other side has not taken yet."""

    def start(self, loop: AbstractEventLoop, moved: Callable[[], None], lost: Callable[[], None]) -> None:
        """From now on `moved` is called when some backlog was taken, `lost` when nobody reads any more."""

    def write(self, data: bytes) -> None:
        """Sends `data` behind all that was written before. Never blocks, never raises."""

    async def drain(self, seconds: float) -> None:
        """Until everything was taken, or nothing was for that long."""

    def close(self) -> None:
        """Lets go of the stream; a backlog is lost."""


class PolledSource:
    """A pipe or socket that the loop watches. Owns the descriptor."""

    def __init__(self, descriptor: int) -> None:
        self._descriptor = descriptor
        self._loop: AbstractEventLoop | None = None
        self._ready: Callable[[], None] = lambda: None

    def start(self, loop: AbstractEventLoop, ready: Callable[[], None]) -> None:
        os.set_blocking(self._descriptor, False)
        self._loop, self._ready = loop, ready
        self.resume()

    def read(self) -> bytes | None:
        try:
            return os.read(self._descriptor, READ_SIZE)
        except (BlockingIOError, InterruptedError):
            return None
        except OSError:
            return b""  # reset by the other side

    def pause(self) -> None:
        if self._loop is not None:
            self._loop.remove_reader(self._descriptor)

    def resume(self) -> None:
        if self._loop is not None:
            self._loop.add_reader(self._descriptor, self._ready)

    def close(self) -> None:
        self.pause()
        self._loop = None
        os.close(self._descriptor)


class PolledSink:
    """A pipe or socket that is written when it has room. Owns the descriptor."""

    def __init__(self, descriptor: int) -> None:
        self._descriptor = descriptor
        self._waiting: deque[memoryview] = deque()
        self._backlog = 0
        self._closed = False
        self._loop: AbstractEventLoop | None = None
        self._moved: Callable[[], None] = lambda: None
        self._lost: Callable[[], None] = lambda: None
        self._drained = Event()

    @property
    def backlog(self) -> int:
        return self._backlog

    def start(self, loop: AbstractEventLoop, moved: Callable[[], None], lost: Callable[[], None]) -> None:
        os.set_blocking(self._descriptor, False)
        self._loop, self._moved, self._lost = loop, moved, lost

    def write(self, data: bytes) -> None:
        if self._closed or self._loop is None:
            return
        idle = not self._waiting
        self._waiting.append(memoryview(data))
        self._backlog += len(data)
        if idle and not self._send():
            self._loop.add_writer(self._descriptor, self._writable)

    def _send(self) -> bool:
        """Writes what there is room for; whether that was all (or there is no use in trying again)."""
        while self._waiting:
            piece = self._waiting[0]
            try:
                written = os.write(self._descriptor, piece)
            except (BlockingIOError, InterruptedError):
                return False
            except OSError:
                self._stop()
                return True
            self._backlog -= written
            if written < len(piece):
                self._waiting[0] = piece[written:]
            else:
                self._waiting.popleft()
        return True

    def _writable(self) -> None:
        if self._send() and self._loop is not None:
            self._loop.remove_writer(self._descriptor)
            self._drained.set()
        self._moved()

    def _stop(self) -> None:
        self._closed = True
        self._waiting.clear()
        self._backlog = 0
        self._drained.set()
        if self._loop is not None:
            self._loop.call_soon(self._lost)

    async def drain(self, seconds: float) -> None:
        await _drain(self, self._drained, seconds)

    def close(self) -> None:
        if self._loop is not None:
            self._loop.remove_writer(self._descriptor)
        self._closed = True
        self._loop = None
        os.close(self._descriptor)


class ThreadSource:
    """A stream that a thread reads; for what cannot be polled. `receive` blocks and is empty at the end."""

    def __init__(self, receive: Callable[[], bytes]) -> None:
        self._receive = receive
        self._arrived: deque[bytes] = deque()
        self._paused = False
        self._ready: Callable[[], None] = lambda: None

    def start(self, loop: AbstractEventLoop, ready: Callable[[], None]) -> None:
        from threading import Semaphore, Thread

        self._ready = ready
        self._room = Semaphore(_CHUNKS_AHEAD)
        Thread(target=self._read_all, args=(loop,), daemon=True, name="standard input").start()

    def _read_all(self, loop: AbstractEventLoop) -> None:
        data = b"-"
        while data:
            self._room.acquire()
            try:
                data = self._receive()
            except OSError:
                data = b""
            self._arrived.append(data)
            try:
                loop.call_soon_threadsafe(self._call_ready)
            except RuntimeError:
                return  # the loop has ended

    def _call_ready(self) -> None:
        if not self._paused:
            self._ready()

    def read(self) -> bytes | None:
        if self._paused or not self._arrived:
            return None
        self._room.release()
        return self._arrived.popleft()

    def pause(self) -> None:
        self._paused = True

    def resume(self) -> None:
        self._paused = False
        self._ready()

    def close(self) -> None:
        self._paused = True  # the thread may stand in a read that nothing can end; it is a daemon


class ThreadSink:
    """A stream that a thread writes; for what cannot be polled. `send` blocks until all is taken."""

    def __init__(self, send: Callable[[bytes], None]) -> None:
        self._send = send
        self._backlog = 0
        self._closed = False
        self._loop: AbstractEventLoop | None = None
        self._drained = Event()

    @property
    def backlog(self) -> int:
        return self._backlog

    def start(self, loop: AbstractEventLoop, moved: Callable[[], None], lost: Callable[[], None]) -> None:
        from queue import SimpleQueue
        from threading import Thread

        self._loop, self._moved, self._lost = loop, moved, lost
        self._queue: SimpleQueue[bytes | None] = SimpleQueue()
        Thread(target=self._write_all, args=(loop,), daemon=True, name="standard output").start()

    def _write_all(self, loop: AbstractEventLoop) -> None:
        while (data := self._queue.get()) is not None:
            try:
                self._send(data)
                done = True
            except OSError:
                done = False
            try:
                loop.call_soon_threadsafe(self._written, len(data), done)
            except RuntimeError:
                return  # the loop has ended
            if not done:
                return

    def _written(self, size: int, done: bool) -> None:
        self._backlog = self._backlog - size if done else 0
        if not self._backlog:
            self._drained.set()
        if not done:
            self._closed = True
            self._lost()
        elif not self._closed:
            self._moved()

    def write(self, data: bytes) -> None:
        if not self._closed and self._loop is not None:
            self._backlog += len(data)
            self._queue.put(data)

    async def drain(self, seconds: float) -> None:
        await _drain(self, self._drained, seconds)

    def close(self) -> None:
        if self._loop is not None and not self._closed:
            self._queue.put(None)
        self._closed = True


async def _drain(sink: Sink, drained: Event, seconds: float) -> None:
    left = sink.backlog
    while left:
        drained.clear()
        try:
            await wait_for(drained.wait(), seconds)
        except TimeoutError:
            if sink.backlog >= left:
                return
        left = sink.backlog


def standard_streams() -> tuple[Source, Sink]:
    """Standard input and output, taken for messages alone.

    From here on descriptor 1 is standard error and descriptor 0 is empty, for us and for every child,
    so that a stray print cannot come between two messages and nothing else can read them.
    Raises OSError where the process was started without standard input or output.
    """
    incoming, outgoing = os.dup(0), os.dup(1)
    nothing = os.open(os.devnull, os.O_RDWR)
    os.dup2(nothing, 0)
    try:
        os.dup2(2, 1)
    except OSError:
        os.dup2(nothing, 1)
    os.close(nothing)
    if sys.platform == "win32":
        import msvcrt

        msvcrt.setmode(incoming, os.O_BINARY)
        msvcrt.setmode(outgoing, os.O_BINARY)
    source = PolledSource(incoming) if _pollable(incoming) else ThreadSource(lambda: os.read(incoming, READ_SIZE))
    sink = PolledSink(outgoing) if _pollable(outgoing) else ThreadSink(lambda data: _write_whole(outgoing, data))
    return source, sink


def _pollable(descriptor: int) -> bool:
    mode = os.fstat(descriptor).st_mode
    return sys.platform != "win32" and (stat.S_ISFIFO(mode) or stat.S_ISSOCK(mode))


def _write_whole(descriptor: int, data: bytes) -> None:
    left = memoryview(data)
    while left:
        left = left[os.write(descriptor, left) :]


async def tcp_streams(port: int, announce: Callable[[int], None]) -> tuple[Source, Sink]:
    """The first connection to `port` of the loopback address; then nobody else can connect.

    `announce` is called with the port as soon as it can be connected to (another one for port 0).
    Raises OSError where the port is taken.
    """
    import socket
    from asyncio import get_running_loop

    with socket.socket() as listener:
        if sys.platform != "win32":
            listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind(("127.0.0.1", port))
        listener.listen(1)
        listener.setblocking(False)
        announce(listener.getsockname()[1])
        connection, _ = await get_running_loop().sock_accept(listener)
    connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    if sys.platform == "win32":
        connection.setblocking(True)
        return ThreadSource(lambda: connection.recv(READ_SIZE)), ThreadSink(connection.sendall)
    outgoing = os.dup(connection.fileno())
    return PolledSource(connection.detach()), PolledSink(outgoing)


def write_error_line(text: str) -> None:
    """A line on standard error, unless nobody reads there: then it is dropped rather than waited for."""
    data = text.encode("utf-8", "backslashreplace")[:4000] + b"\n"
    try:
        if sys.platform != "win32" and _pollable(2):
            import select

            poller = select.poll()
            poller.register(2, select.POLLOUT)
            if not poller.poll(0):
                return
        os.write(2, data)
    except OSError:
        return
