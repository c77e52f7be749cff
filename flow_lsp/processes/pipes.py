"""The pipes to and from a child, on an event loop that watches descriptors (POSIX).

Output is pulled: while nobody asks, nothing is read, the pipe fills and the child waits. Input is queued up to
a limit, and whoever wants to go on waits for room. That is the whole of back-pressure. asyncio's own streams
are not used: they cut lines at 64 KiB, read ahead, do not say when a line was handed over, and a wait for the
process's end waits for its pipes too, which a grandchild may hold for ever.
"""

from __future__ import annotations

import asyncio
import os
import sys
from collections import deque
from collections.abc import Callable
from itertools import islice

from flow_lsp.processes.pieces import UNSENT_LIMIT, Handed, Piece, PieceQueue

READ_SIZE = 64 * 1024  # what a pipe holds; and below what is mapped and unmapped for every read
LAST_OUTPUT = 1024 * 1024  # bytes that are read once only what has been written counts: more than a pipe holds
WRITE_SIZE = 256 * 1024  # bytes offered at once
WRITE_PIECES = 64  # pieces offered at once


class ReadPipe:
    """The reading end of a child's output. Takes over `descriptor` and closes it."""

    __slots__ = ("_descriptor", "_finished", "_left", "_loop", "_take", "_waiter", "_watching")

    def __init__(self, descriptor: int) -> None:
        os.set_blocking(descriptor, False)
        self._descriptor = descriptor
        self._loop = asyncio.get_running_loop()
        self._take: Callable[[bytes], None] | None = None
        self._watching = False
        self._waiter: asyncio.Future[asyncio.Future[None] | None] | None = None
        self._finished = False
        self._left = sys.maxsize

    async def read(self, size: int = READ_SIZE) -> bytes:
        """Up to `size` bytes as soon as there are some; empty at the end of the output, and once it is closed or
        handed over elsewhere. One read at a time; a read that is cancelled takes nothing."""
        while (data := self._now(size)) is None:
            await self._readable(self._wake)
        return data

    async def each(self, take: Callable[[bytes], asyncio.Future[None] | None]) -> None:
        """Hand every chunk to `take`, in order, until `read` would give an empty one. What `take` gives is waited for
        before more is read, and goes on where this is cancelled. What it raises is raised here.

        While this waits, the event loop hands over chunks itself: to wake a task for each costs more than most do.
        """
        while (data := self._now(READ_SIZE)) != b"":
            work = await self._readable(lambda: self._hand_to(take)) if data is None else take(data)
            if work is not None:
                await asyncio.shield(work)

    def finish(self) -> None:
        """From now on only what has been written already counts: `read` gives that and does not wait."""
        self._finished = True
        self._left = min(self._left, LAST_OUTPUT)
        self._wake()

    def flow(self, take: Callable[[bytes], None]) -> None:
        """From now on hand every chunk to `take` as it comes. A `read` that waits gives nothing more."""
        if self._descriptor >= 0:
            self._take = take
            self._wake()
            self._watching = True
            self._loop.add_reader(self._descriptor, self._hand_over)

    async def settle(self, seconds: float) -> None:
        """Nothing to wait for: what is in the pipe can be read without waiting."""

    def take_rest(self, take: Callable[[bytes], None], limit: int = LAST_OUTPUT) -> None:
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
            self._unwatch()
            descriptor, self._descriptor = self._descriptor, -1
            os.close(descriptor)
            self._wake()

    def _hand_over(self) -> None:
        try:
            data = os.read(self._descriptor, READ_SIZE)
        except BlockingIOError:
            return
        except OSError:
            data = b""
        if not data:  # the end: a descriptor at its end would be called readable for ever
            self._unwatch()
        elif self._take is not None:
            self._take(data)

    def _now(self, size: int) -> bytes | None:
        """What can be read without waiting: None where there is nothing yet, empty where nothing more will be."""
        if self._descriptor < 0 or self._take is not None or not self._left:
            return b""
        try:
            data = os.read(self._descriptor, min(size, self._left))
        except BlockingIOError:
            return b"" if self._finished else None
        except OSError:
            return b""
        if self._finished:
            self._left -= len(data)
        return data

    def _hand_to(self, take: Callable[[bytes], asyncio.Future[None] | None]) -> None:
        """One chunk to `take`. The task in `each` is woken where there is something for it: work, a fault, the end."""
        waiter = self._waiter
        if waiter is None or waiter.done():
            return
        data = self._now(READ_SIZE)
        if data is None:
            return
        try:
            work = take(data) if data else None
        except Exception as error:  # noqa: BLE001, RUF100  # raised in the task
            waiter.set_exception(error)
        else:
            if work is not None or not data:
                waiter.set_result(work)

    async def _readable(self, on_readable: Callable[[], None]) -> asyncio.Future[None] | None:
        """Has the event loop call `on_readable` whenever something can be read, until that ends the waiting."""
        if self._waiter is not None:
            raise RuntimeError("Only one read of a child's output can wait at a time.")
        self._waiter = self._loop.create_future()
        self._watching = True
        self._loop.add_reader(self._descriptor, on_readable)
        try:
            return await self._waiter
        finally:
            self._waiter = None
            if self._take is None:  # else it is watched for someone else by now
                self._unwatch()

    def _unwatch(self) -> None:
        if self._watching and not self._loop.is_closed():
            self._loop.remove_reader(self._descriptor)
        self._watching = False

    def _wake(self) -> None:
        if self._waiter is not None and not self._waiter.done():
            self._waiter.set_result(None)


class WritePipe(PieceQueue):
    """The writing end of a child's input. Takes over `descriptor` and closes it."""

    __slots__ = ("_descriptor", "_watching")

    def __init__(self, descriptor: int, unsent_limit: int = UNSENT_LIMIT) -> None:
        super().__init__(unsent_limit)
        os.set_blocking(descriptor, False)
        self._descriptor = descriptor
        self._watching = False

    @property
    def is_open(self) -> bool:
        """As PieceQueue says."""
        return self._descriptor >= 0

    def send(self, data: bytes, done: Callable[[Handed], None] | None = None) -> Piece | None:
        """As PieceQueue says; `done` is called before any answer to `data` can be read."""
        if not self.is_open or not self._fits(len(data)):
            return None
        piece = Piece(data, done)
        self._pieces.append(piece)
        self._unsent += len(data)
        if not self._watching:
            self._write()
        return piece

    def withdraw(self, piece: Piece) -> bool:
        """As PieceQueue says."""
        if piece not in self._pieces or piece.handed is not Handed.NOTHING:
            return False
        self._pieces.remove(piece)
        self._unsent -= piece.size
        self._watch()
        self._wake_all()
        return True

    def close(self) -> None:
        """As PieceQueue says."""
        if self._descriptor >= 0:
            if self._watching and not self._loop.is_closed():
                self._loop.remove_writer(self._descriptor)
            descriptor, self._descriptor = self._descriptor, -1
            os.close(descriptor)
        self._watching = False
        dropped, self._pieces = self._pieces, deque()
        self._unsent = 0
        for piece in dropped:
            piece.finish()
        self._wake_all()

    def _write(self) -> None:
        finished: list[Piece] = []
        try:
            sent = self._offer()
        except BlockingIOError:
            sent = 0
        except OSError:  # broken: the child closed its input or has gone
            self.close()
            return
        self._unsent -= sent
        while self._pieces and sent >= len(self._pieces[0].rest):
            piece = self._pieces.popleft()
            sent -= len(piece.rest)
            piece.rest = piece.rest[:0]
            finished.append(piece)
        if sent:
            self._pieces[0].rest = self._pieces[0].rest[sent:]
        self._watch()
        for piece in finished:
            piece.finish()
        self._wake_all()

    def _offer(self) -> int:
        if len(self._pieces) == 1:
            return os.write(self._descriptor, self._pieces[0].rest[:WRITE_SIZE])
        offered = []
        room = WRITE_SIZE
        for piece in islice(self._pieces, WRITE_PIECES):
            offered.append(piece.rest[:room])
            room -= len(offered[-1])
            if not room:
                break
        return os.writev(self._descriptor, offered)

    def _watch(self) -> None:
        """Watch for the child's reading as long as something waits for it."""
        if self._pieces and not self._watching:
            self._watching = True
            self._loop.add_writer(self._descriptor, self._write)
        elif self._watching and not self._pieces:
            self._watching = False
            self._loop.remove_writer(self._descriptor)
