"""The pipes to and from a child, on an event loop that watches descriptors (POSIX).

Output is pulled: while nobody asks, nothing is read, the pipe fills and the child waits. That is the whole of
back-pressure in this direction. asyncio's own streams are not used: they cut lines at 64 KiB, read ahead, and
a wait for the process's end waits for its pipes too, which a grandchild may hold for ever.
"""

from __future__ import annotations

import asyncio
import os
from collections.abc import Callable

READ_SIZE = 256 * 1024
UNSENT_LIMIT = 64 * 1024 * 1024


class ReadPipe:
    """The reading end of a child's output. Takes over `descriptor` and closes it."""

    def __init__(self, descriptor: int) -> None:
        os.set_blocking(descriptor, False)
        self._descriptor = descriptor
        self._loop = asyncio.get_running_loop()
        self._flowing = False

    async def read(self, size: int = READ_SIZE) -> bytes:
        """Up to `size` bytes as soon as there are some; empty at the end of the output or once closed."""
        while self._descriptor >= 0:
            try:
                return os.read(self._descriptor, size)
            except BlockingIOError:
                await self._readable()
            except OSError:
                return b""
        return b""

    def flow(self, take: Callable[[bytes], None]) -> None:
        """From now on hand every chunk to `take` as it comes. No `read` may be waiting, or come later."""
        if self._descriptor >= 0:
            self._flowing = True
            self._loop.add_reader(self._descriptor, self._hand_over, take)

    async def settle(self, seconds: float) -> None:
        """Nothing to wait for: what is in the pipe can be read without waiting."""

    def take_rest(self, take: Callable[[bytes], None], limit: int = 1024 * 1024) -> None:
        """Hand over what the pipe still holds, at most about `limit` bytes, without waiting."""
        while self._descriptor >= 0 and limit > 0:
            try:
                data = os.read(self._descriptor, READ_SIZE)
            except OSError:
                return
            if not data:
                return
            limit -= len(data)
            take(data)

    def close(self) -> None:
        """Stop reading; a writer that is left gets a broken pipe."""
        if self._descriptor >= 0:
            if self._flowing and not self._loop.is_closed():
                self._loop.remove_reader(self._descriptor)
            descriptor, self._descriptor = self._descriptor, -1
            os.close(descriptor)

    def _hand_over(self, take: Callable[[bytes], None]) -> None:
        try:
            data = os.read(self._descriptor, READ_SIZE)
        except BlockingIOError:
            return
        except OSError:
            data = b""
        if data:
            take(data)
        else:  # the end: a descriptor at its end would be called readable for ever
            self._loop.remove_reader(self._descriptor)
            self._flowing = False

    async def _readable(self) -> None:
        waiter: asyncio.Future[None] = self._loop.create_future()
        descriptor = self._descriptor
        self._loop.add_reader(descriptor, _wake, waiter)
        try:
            await waiter
        finally:
            if not self._flowing:  # else the descriptor is watched for someone else by now
                self._loop.remove_reader(descriptor)


class WritePipe:
    """The writing end of a child's input. Takes over `descriptor` and closes it."""

    def __init__(self, descriptor: int, unsent_limit: int = UNSENT_LIMIT) -> None:
        os.set_blocking(descriptor, False)
        self._descriptor = descriptor
        self._loop = asyncio.get_running_loop()
        self._unsent = bytearray()
        self._unsent_limit = unsent_limit
        self._watching = False
        self._waiters: list[asyncio.Future[None]] = []

    @property
    def unsent(self) -> int:
        """How many bytes the operating system has not taken yet."""
        return len(self._unsent)

    def send(self, data: bytes) -> bool:
        """Hand `data` over, in order, without waiting. False where it cannot: the pipe is closed or broken,
        or more than the limit would wait for a child that does not read."""
        if self._descriptor < 0 or len(self._unsent) + len(data) > self._unsent_limit:
            return False
        self._unsent += data
        if not self._watching:
            self._write()
        return self._descriptor >= 0

    async def drain(self) -> bool:
        """Wait until all of it was handed to the operating system; False where the pipe broke before that."""
        while self._unsent and self._descriptor >= 0:
            waiter: asyncio.Future[None] = self._loop.create_future()
            self._waiters.append(waiter)
            await waiter
        return self._descriptor >= 0

    def close(self) -> None:
        """Close the child's input: it reads the end. What was not sent is dropped."""
        if self._descriptor >= 0:
            if self._watching and not self._loop.is_closed():
                self._loop.remove_writer(self._descriptor)
            descriptor, self._descriptor = self._descriptor, -1
            os.close(descriptor)
        self._watching = False
        self._unsent.clear()
        self._wake_all()

    def _write(self) -> None:
        try:
            # A memoryview would forbid the deletion below; pipes take at most their capacity at once.
            sent = os.write(self._descriptor, self._unsent[: 1024 * 1024])
            del self._unsent[:sent]
        except BlockingIOError:
            pass
        except OSError:  # broken: the child closed its input or has gone
            self.close()
            return
        if self._unsent and not self._watching:
            self._watching = True
            self._loop.add_writer(self._descriptor, self._write)
        elif not self._unsent:
            if self._watching:
                self._watching = False
                self._loop.remove_writer(self._descriptor)
            self._wake_all()

    def _wake_all(self) -> None:
        waiters, self._waiters = self._waiters, []
        for waiter in waiters:
            _wake(waiter)


def _wake(waiter: asyncio.Future[None]) -> None:
    if not waiter.done():
        waiter.set_result(None)
