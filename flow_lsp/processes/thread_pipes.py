"""The pipes to and from a child where the event loop cannot watch descriptors: Windows.

The same two classes as in `pipes`, each with a thread that does the blocking call. They work on every system
and are tested on POSIX; on Windows itself they are untried. A thread blocked in a read ends when the last
writer of its pipe has gone, which the end of the child's group brings about.
"""

from __future__ import annotations

import asyncio
import os
import sys
import threading
from collections import deque
from collections.abc import Callable

from flow_lsp.processes.pieces import UNSENT_LIMIT, Handed, Piece, PieceQueue

READ_SIZE = 64 * 1024
READ_AHEAD = 4  # chunks that may wait for whoever asks; then the thread stops reading, and the pipe fills
WRITE_SIZE = 16 * 1024  # bytes offered at once: while they are taken, nobody knows how many were
LAST_OUTPUT = 1024 * 1024  # bytes that are read once only what has been written counts
ON_ITS_WAY = 1.0  # seconds that the thread may take to bring them


class ThreadReadPipe:
    """The reading end of a child's output. Takes over `descriptor` and closes it."""

    def __init__(self, descriptor: int) -> None:
        self._loop = asyncio.get_running_loop()
        self._chunks: deque[bytes] = deque()
        self._room = threading.Semaphore(READ_AHEAD)
        self._ended = False
        self._closed = False
        self._late = False  # what has not come yet is not waited for
        self._left = sys.maxsize
        self._take: Callable[[bytes], None] | None = None
        self._waiter: asyncio.Future[None] | None = None
        self._settled: asyncio.Future[None] | None = None
        threading.Thread(target=self._read_on, args=(descriptor,), daemon=True).start()

    async def read(self, size: int = READ_SIZE) -> bytes:
        """Up to `size` bytes as soon as there are some; empty at the end of the output, and once it is closed or
        handed over elsewhere. One read at a time; a read that is cancelled takes nothing."""
        while not self._chunks and not self._ended and self._take is None and not self._late:
            if self._waiter is not None:
                raise RuntimeError("Only one read of a child's output can wait at a time.")
            self._waiter = self._loop.create_future()
            try:
                await self._waiter
            finally:
                self._waiter = None
        if not self._chunks or self._take is not None or self._left <= 0:
            return b""
        size = min(size, self._left)
        data = self._chunks.popleft()
        if len(data) > size:
            self._chunks.appendleft(data[size:])
            data = data[:size]
        else:
            self._room.release()
        if self._left < sys.maxsize:
            self._left -= len(data)
        return data

    async def each(self, take: Callable[[bytes], asyncio.Future[None] | None]) -> None:
        """Hand every chunk to `take`, in order, until `read` would give an empty one. What `take` gives is waited for
        before more is read, and goes on where this is cancelled."""
        while data := await self.read():
            work = take(data)
            if work is not None:
                await asyncio.shield(work)

    def finish(self) -> None:
        """From now on only what has been written already counts: `read` gives that and does not wait for more
        than the thread."""
        self._left = min(self._left, LAST_OUTPUT)
        self._loop.call_later(ON_ITS_WAY, self._be_late)

    def flow(self, take: Callable[[bytes], None]) -> None:
        """From now on hand every chunk to `take` as it comes. A `read` that waits gives nothing more."""
        self._take = take
        self._wake()
        self.take_rest(take, sys.maxsize)

    def take_rest(self, take: Callable[[bytes], None], limit: int = LAST_OUTPUT) -> None:
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
        self._be_late()

    def _be_late(self) -> None:
        self._late = True
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
        elif not self._closed:
            self._chunks.append(data)
        self._wake()

    def _wake(self) -> None:
        if self._waiter is not None and not self._waiter.done():
            self._waiter.set_result(None)


class ThreadWritePipe(PieceQueue):
    """The writing end of a child's input. Takes over `descriptor` and closes it."""

    def __init__(self, descriptor: int, unsent_limit: int = UNSENT_LIMIT) -> None:
        super().__init__(unsent_limit)
        self._filled = threading.Condition()  # guards what follows, the pieces and their size
        self._open = True
        threading.Thread(target=self._write_on, args=(descriptor,), daemon=True).start()

    @property
    def is_open(self) -> bool:
        """As PieceQueue says."""
        return self._open

    def send(self, data: bytes, done: Callable[[Handed], None] | None = None) -> Piece | None:
        """As PieceQueue says; `done` is called by the event loop, later."""
        with self._filled:
            if not self._open or not self._fits(len(data)):
                return None
            piece = Piece(data, done)
            self._pieces.append(piece)
            self._unsent += len(data)
            self._filled.notify()
        return piece

    def withdraw(self, piece: Piece) -> bool:
        """As PieceQueue says."""
        with self._filled:
            if piece not in self._pieces or piece.handed is not Handed.NOTHING:
                return False
            self._pieces.remove(piece)
            self._unsent -= piece.size
        self._wake_all()
        return True

    def close(self) -> None:
        """As PieceQueue says. What the thread is about to hand over is told of when that returns."""
        with self._filled:
            self._open = False
            dropped = [piece for piece in self._pieces if not piece.begun]
            self._pieces.clear()
            self._unsent = 0
            self._filled.notify()
        for piece in dropped:
            piece.finish()
        self._wake_all()

    def _write_on(self, descriptor: int) -> None:
        try:
            while (piece := self._next()) is not None:
                try:
                    self._hand_over(descriptor, piece)
                except OSError:  # broken: the child closed its input or has gone
                    self._tell(self.close)
                    return
                finally:
                    self._tell(piece.finish)
                    self._tell(self._wake_all)
        finally:
            os.close(descriptor)

    def _next(self) -> Piece | None:
        with self._filled:
            while self._open and not self._pieces:
                self._filled.wait()
            if not self._open:
                return None
            self._pieces[0].begun = True
            return self._pieces[0]

    def _hand_over(self, descriptor: int, piece: Piece) -> None:
        while piece.rest and self._open:
            sent = os.write(descriptor, piece.rest[:WRITE_SIZE])
            with self._filled:
                piece.rest = piece.rest[sent:]
                self._unsent -= min(sent, self._unsent)
        with self._filled:
            if self._pieces:  # else the pipe was closed meanwhile
                self._pieces.popleft()

    def _tell(self, callback: Callable[[], None]) -> None:
        try:
            self._loop.call_soon_threadsafe(callback)
        except RuntimeError:  # the event loop has been closed
            return
