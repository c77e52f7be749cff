"""What is on its way into a child's input: a bounded queue, and how much the operating system has taken.

Realizes decisions 7 ("A call reached the process when its whole line, `\\n` included, was handed to the
operating system").
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable
from enum import StrEnum

UNSENT_LIMIT = 64 * 1024 * 1024  # bytes that may wait for a child that does not read
PIECES_LIMIT = 64 * 1024  # how many pieces may: each costs some memory of its own


class Handed(StrEnum):
    """How much of a piece the operating system took."""

    NOTHING = "nothing"
    PART = "part"
    WHOLE = "whole"


class Piece:
    """One line or other piece of data in the queue of a pipe. Not copied: `rest` is what remains of it."""

    __slots__ = ("begun", "done", "rest", "size")

    def __init__(self, data: bytes, done: Callable[[Handed], None] | None) -> None:
        self.rest = memoryview(data)
        self.size = len(data)
        self.begun = False  # whether a thread has taken it up
        self.done = done

    @property
    def handed(self) -> Handed:
        """How much of it was handed to the operating system so far: a part once a thread is about it."""
        if not self.rest:
            return Handed.WHOLE
        return Handed.PART if self.begun or len(self.rest) < self.size else Handed.NOTHING

    def finish(self) -> None:
        """No more of it will be handed over: say how much was, once."""
        done, self.done = self.done, None
        if done is not None:
            done(self.handed)


class PieceQueue:
    """What both kinds of pipes into a child share: the queue, its bounds, and waiting for it. A pipe adds how the
    pieces are handed over."""

    __slots__ = ("_loop", "_pieces", "_turn", "_unsent", "_unsent_limit", "_waiters")

    def __init__(self, unsent_limit: int) -> None:
        self._loop = asyncio.get_running_loop()
        self._pieces: deque[Piece] = deque()
        self._unsent = 0
        self._unsent_limit = unsent_limit
        self._waiters: list[asyncio.Future[None]] = []
        self._turn = asyncio.Lock()

    @property
    def is_open(self) -> bool:
        """Whether the child can still be sent something: the pipe is neither closed nor broken."""
        raise NotImplementedError

    @property
    def unsent(self) -> int:
        """How many bytes the operating system has not taken yet."""
        return self._unsent

    def send(self, data: bytes, done: Callable[[Handed], None] | None = None) -> Piece | None:
        """Hand `data` over, in order, without waiting or copying. None where it cannot be: the pipe is not open,
        or more than the limit would wait for a child that does not read (one piece may always wait alone).

        `done` is called once, by the event loop's thread and perhaps before this returns: when the whole of
        `data` was handed to the operating system, or when the pipe breaks or is closed, with how much of it was.
        It must not raise.
        """
        raise NotImplementedError

    def withdraw(self, piece: Piece) -> bool:
        """Take `piece` out of the queue, if nothing of it was handed over yet; whether that was so. Its `done`
        is not called then."""
        raise NotImplementedError

    def close(self) -> None:
        """Close the child's input: it reads the end. What was not sent is dropped."""
        raise NotImplementedError

    async def room(self, size: int) -> bool:
        """Wait until `send` would take `size` bytes; False where the pipe broke or was closed before that."""
        while self.is_open and not self._fits(size):
            await self._progress()
        return self.is_open

    async def write(self, data: bytes) -> Handed:
        """Hand `data` over, after those who waited before, and wait until that is done or will not be; how much
        of it the operating system took.

        Where the caller is cancelled, `data` is withdrawn if nothing of it was handed over, and else goes on.
        """
        handed: asyncio.Future[Handed] = self._loop.create_future()
        async with self._turn:
            await self.room(len(data))
            piece = self.send(data, lambda how: None if handed.done() else handed.set_result(how))
        if piece is None:
            return Handed.NOTHING
        try:
            return await handed
        except asyncio.CancelledError:
            self.withdraw(piece)
            raise

    async def drain(self) -> bool:
        """Wait until all of it was handed to the operating system; False where the pipe broke before that."""
        while self.is_open and self._pieces:
            await self._progress()
        return self.is_open

    def _fits(self, size: int) -> bool:
        waiting = len(self._pieces)
        return not waiting or (waiting < PIECES_LIMIT and self._unsent + size <= self._unsent_limit)

    async def _progress(self) -> None:
        waiter: asyncio.Future[None] = self._loop.create_future()
        self._waiters.append(waiter)
        await waiter

    def _wake_all(self) -> None:
        waiters, self._waiters = self._waiters, []
        for waiter in waiters:
            if not waiter.done():
                waiter.set_result(None)
