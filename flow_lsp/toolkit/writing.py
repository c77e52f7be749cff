"""The lines that go to the host: whole, in the order they are made, and with a bound on what waits to be read.

A line for which the pipe has room is written at once by whoever made it. What the host is slow to read waits in a
queue, which a thread writes from. Whoever makes much, waits for room first: the threads of functions, tasks, and the
reading of further calls.
"""

from __future__ import annotations

import os
import sys
import threading
import time
from collections import deque
from collections.abc import Callable
from typing import Final

WAITING_LIMIT: Final = 32 * 1024 * 1024  # bytes that wait to be read, and one line more for each that makes one
_AT_ONCE: Final = (
    4_096  # bytes that a pipe takes whole where it takes any (POSIX: PIPE_BUF is 512 at least, 4,096 here)
)
_PIECE: Final = 256 * 1024  # bytes that are offered in one write


class Writer:
    """Writes to `descriptor`, a pipe or socket, from any thread. `on_broken` is told once when nobody reads."""

    def __init__(self, descriptor: int, on_broken: Callable[[], None]) -> None:
        self._descriptor = descriptor
        self._on_broken = on_broken
        self._changed = threading.Condition(threading.Lock())
        self._queue: deque[bytes] = deque()
        self._waiting = 0  # bytes of the queue, and of what the thread writes at present
        self._written = 0  # bytes by the thread, to see whether the host reads at all
        self._broken = False
        self._closed = False
        self._thread: threading.Thread | None = None
        self._for_room: list[Callable[[], None]] = []
        self._has_room = _room_of(descriptor)

    def send(self, data: bytes) -> None:
        """Has `data`, whole lines, written. Never waits; what a host that has gone would get is dropped."""
        broken = False
        with self._changed:
            if self._broken:
                return
            if not self._waiting and len(data) <= _AT_ONCE and self._has_room():
                try:
                    data = data[os.write(self._descriptor, data) :]
                except OSError:
                    broken = self._broken = True
            if data and not broken:
                self._queue.append(data)
                self._waiting += len(data)
                if self._thread is None:
                    self._thread = threading.Thread(target=self._write, name="flow-writer", daemon=True)
                    self._thread.start()
                self._changed.notify_all()
        if broken:
            self._on_broken()

    @property
    def has_room(self) -> bool:
        """Whether no more waits to be read than may."""
        return self._waiting <= WAITING_LIMIT

    def wait_for_room(self) -> None:
        """Waits until there is room."""
        if not self.has_room:
            with self._changed:
                self._changed.wait_for(self._is_open)

    def when_room(self, do: Callable[[], None]) -> bool:
        """Whether there is room; where there is none, `do` is done by some thread when there is."""
        with self._changed:
            if self._is_open():
                return True
            self._for_room.append(do)
            return False

    def flush(self, patience: float) -> None:
        """Waits until all is written, as long as the host goes on reading: at least a little within `patience`
        seconds."""
        with self._changed:
            while self._waiting and not self._broken:
                before, until = self._written, time.monotonic() + patience
                while self._waiting and self._written == before and not self._broken:
                    left = until - time.monotonic()
                    if left <= 0:
                        return
                    self._changed.wait(left)

    def close(self) -> None:
        """Writes nothing more, and closes the descriptor, unless a write to it hangs: its number may be another file's
        from then on."""
        with self._changed:
            self._broken = True
            self._changed.notify_all()
            if not self._waiting and not self._closed:
                self._closed = True
                os.close(self._descriptor)

    def _is_open(self) -> bool:
        return self.has_room or self._broken

    def _write(self) -> None:
        """What the thread does, for ever."""
        while True:
            with self._changed:
                self._changed.wait_for(lambda: self._queue)
                piece = self._queue.popleft()
                while self._queue and len(piece) < _PIECE // 2:
                    piece += self._queue.popleft()
            rest = memoryview(piece)
            try:
                while rest:
                    count = os.write(self._descriptor, rest[:_PIECE])
                    rest = rest[count:]
                    self._note(count)
            except OSError:
                self._break()
                return

    def _note(self, count: int) -> None:
        with self._changed:
            self._waiting -= count
            self._written += count
            ready = self._for_room if self._is_open() else []
            if ready:
                self._for_room = []
            self._changed.notify_all()
        for do in ready:
            do()

    def _break(self) -> None:
        with self._changed:
            self._broken = True
            self._queue.clear()
            ready, self._for_room = self._for_room, []
            self._changed.notify_all()
        for do in ready:
            do()
        self._on_broken()


def _room_of(descriptor: int) -> Callable[[], bool]:
    """What says whether a short write to `descriptor` does not wait."""
    if sys.platform == "win32":
        return lambda: False  # there is no way to ask
    import select

    poll = select.poll()
    poll.register(descriptor, select.POLLOUT)
    return lambda: [event for _, event in poll.poll(0)] == [select.POLLOUT]
