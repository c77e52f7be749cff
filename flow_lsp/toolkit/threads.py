"""Threads for plain functions: few, started when needed, and none that could keep the process from its end."""

from __future__ import annotations

import threading
from collections.abc import Callable
from queue import Empty, SimpleQueue
from typing import Final

MOST_THREADS: Final = 32


class FunctionThreads:
    """Does one thing after the other, at most `most` at once, in the order they were given."""

    def __init__(self, most: int = MOST_THREADS) -> None:
        self._most = most
        self._work: SimpleQueue[Callable[[], None]] = SimpleQueue()
        self._idle = threading.Semaphore(0)
        self._count = 0

    def do(self, work: Callable[[], None]) -> None:
        """Has `work`, which raises nothing, done on a thread. For one thread at a time."""
        self._work.put(work)
        if not self._idle.acquire(blocking=False) and self._count < self._most:
            thread = threading.Thread(target=self._run, name=f"flow-tool-{self._count + 1}", daemon=True)
            try:
                thread.start()
                self._count += 1
            except RuntimeError:  # the system has no more threads: those that there are do it
                if not self._count:
                    raise

    def _run(self) -> None:
        while True:
            try:
                work = self._work.get_nowait()
            except Empty:
                self._idle.release()
                work = self._work.get()
            work()
            del work  # what a call held is let go while this waits for the next
