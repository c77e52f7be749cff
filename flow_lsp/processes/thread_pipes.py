"""The pipes to and from a child where the event loop cannot watch descriptors: Windows.

The same two classes as in `pipes`, each with a thread that does the blocking call. They work on every system
and are tested on POSIX; on Windows itself they are untried. A thread blocked in a read ends when the last
writer of its pipe has gone, which the end of the child's group brings about.
"""

from __future__ import annotations

import asyncio
import os
import threading
from collections import deque
from collections.abc import Callable

READ_SIZE = 256 * 1024
READ_AHEAD = 4  # chunks that may wait for whoever asks; then the thread stops reading, and the pipe fills
UNSENT_LIMIT = 64 * 1024 * 1024


class ThreadReadPipe:
    """The reading end of a child's output. Takes over `descriptor` and closes it."""

    def __init__(self, descriptor: int) -> None:
        self._loop = asyncio.get_running_loop()
        self._chunks: deque[bytes] = deque()
        self._room = threading.Semaphore(READ_AHEAD)
        self._ended = False
        self._closed = False
        self._take: Callable[[bytes], None] | None = None
        self._waiter: asyncio.Future[None] | None = None
        self._settled: asyncio.Future[None] | None = None
        threading.Thread(target=self._read_on, args=(descriptor,), daemon=True).start()

    async def read(self, size: int = READ_SIZE) -> bytes:
        """Up to `size` bytes as soon as there are some; empty at the end of the output or once closed."""
        while not self._chunks and not self._ended and not self._closed:
            self._waiter = self._loop.create_future()
            try:
                await self._waiter
            finally:
                self._waiter = None
        if not self._chunks or self._closed:
            return b""
        data = self._chunks.popleft()
        if len(data) > size:
            self._chunks.appendleft(data[size:])
            return data[:size]
        self._room.release()
        return data

    def flow(self, take: Callable[[bytes], None]) -> None:
        """From now on hand every chunk to `take` as it comes. No `read` may be waiting, or come later."""
        self._take = take
        self.take_rest(take)

    def take_rest(self, take: Callable[[bytes], None], limit: int = 1024 * 1024) -> None:
        """Hand over what has been read, at most about `limit` bytes, without waiting."""
        while self._chunks and limit > 0 and not self._closed:
            data = self._chunks.popleft()
            self._room.release()
            limit -= len(data)
            take(data)

    async def settle(self, seconds: float) -> None:
        """Wait until the thread has read to the end, at most `seconds`: what is in the pipe is on its way."""
        end = self._loop.time() + seconds
        while not self._ended and not self._closed and (left := end - self._loop.time()) > 0:
            self._settled = self._loop.create_future()
            await asyncio.wait((self._settled,), timeout=left)

    def close(self) -> None:
        """Stop reading. The thread lets go of the pipe when its last read returns."""
        self._closed = True
        self._chunks.clear()
        self._room.release()
        self._wake()

    def _read_on(self, descriptor: int) -> None:
        try:
            while not self._closed:
                data = os.read(descriptor, READ_SIZE)
                self._room.acquire()
                if not self._tell(self._arrived, data) or not data:
                    return
        except OSError:
            self._tell(self._arrived, b"")
        finally:
            os.close(descriptor)

    def _tell(self, callback: Callable[[bytes], None], data: bytes) -> bool:
        try:
            self._loop.call_soon_threadsafe(callback, data)
        except RuntimeError:  # the event loop has been closed
            return False
        return True

    def _arrived(self, data: bytes) -> None:
        if not data:
            self._ended = True
            if self._settled is not None and not self._settled.done():
                self._settled.set_result(None)
        elif self._take is not None and not self._closed:
            self._room.release()
            self._take(data)
        else:
            self._chunks.append(data)
        self._wake()

    def _wake(self) -> None:
        if self._waiter is not None and not self._waiter.done():
            self._waiter.set_result(None)


class ThreadWritePipe:
    """The writing end of a child's input. Takes over `descriptor` and closes it."""

    def __init__(self, descriptor: int, unsent_limit: int = UNSENT_LIMIT) -> None:
        self._loop = asyncio.get_running_loop()
        self._unsent_limit = unsent_limit
        self._queue: deque[bytes] = deque()
        self._filled = threading.Condition()
        self._unsent = 0
        self._open = True
        self._waiters: list[asyncio.Future[None]] = []
        threading.Thread(target=self._write_on, args=(descriptor,), daemon=True).start()

    @property
    def unsent(self) -> int:
        """How many bytes the operating system has not taken yet."""
        return self._unsent

    def send(self, data: bytes) -> bool:
        """Hand `data` over, in order, without waiting. False where it cannot: the pipe is closed or broken,
        or more than the limit would wait for a child that does not read."""
        with self._filled:
            if not self._open or self._unsent + len(data) > self._unsent_limit:
                return False
            self._queue.append(data)
            self._unsent += len(data)
            self._filled.notify()
        return True

    async def drain(self) -> bool:
        """Wait until all of it was handed to the operating system; False where the pipe broke before that."""
        while self._unsent and self._open:
            waiter: asyncio.Future[None] = self._loop.create_future()
            self._waiters.append(waiter)
            await waiter
        return self._open

    def close(self) -> None:
        """Close the child's input: it reads the end. What was not sent is dropped."""
        with self._filled:
            self._open = False
            self._queue.clear()
            self._unsent = 0
            self._filled.notify()
        self._wake_all()

    def _write_on(self, descriptor: int) -> None:
        try:
            while True:
                with self._filled:
                    while self._open and not self._queue:
                        self._filled.wait()
                    if not self._open:
                        return
                    data = self._queue.popleft()
                sent = 0
                while sent < len(data):
                    sent += os.write(descriptor, data[sent : sent + READ_SIZE])
                with self._filled:
                    self._unsent -= min(len(data), self._unsent)
                self._tell()
        except OSError:  # broken: the child closed its input or has gone
            with self._filled:
                self._open = False
                self._unsent = 0
            self._tell()
        finally:
            os.close(descriptor)

    def _tell(self) -> None:
        try:
            self._loop.call_soon_threadsafe(self._wake_all)
        except RuntimeError:  # the event loop has been closed
            return

    def _wake_all(self) -> None:
        waiters, self._waiters = self._waiters, []
        for waiter in waiters:
            if not waiter.done():
                waiter.set_result(None)
