"""Noticing that the editor has died, also where it left its end of the pipe to somebody else (LSP 3.17,
`processId` of initialize)."""

from __future__ import annotations

import os
import sys
from asyncio import AbstractEventLoop, TimerHandle
from collections.abc import Callable

SECONDS_BETWEEN_LOOKS = 3.0  # only where the system cannot tell by itself


def watch_process(loop: AbstractEventLoop, process: int, died: Callable[[], None]) -> Callable[[], None]:
    """Calls `died` on the loop once the process of that number has ended; gives what stops the watch.

    A process that does not exist now is not watched: its number then belongs to another machine or
    container, and the end of the stream is what tells.
    """
    if not 0 < process < 2**31 or not _alive(process):
        return lambda: None
    if sys.platform == "linux":
        try:
            return _watch_descriptor(loop, os.pidfd_open(process), died)
        except OSError:
            pass  # a kernel before 5.3, or a sandbox that forbids it
    return _Looks(loop, process, died).stop


def _watch_descriptor(loop: AbstractEventLoop, descriptor: int, died: Callable[[], None]) -> Callable[[], None]:
    watching = True

    def stop() -> None:
        nonlocal watching
        if watching:
            watching = False
            loop.remove_reader(descriptor)
            os.close(descriptor)

    def readable() -> None:
        stop()
        died()

    loop.add_reader(descriptor, readable)
    return stop


class _Looks:
    """Looks every few seconds whether the process is there."""

    def __init__(self, loop: AbstractEventLoop, process: int, died: Callable[[], None]) -> None:
        self._loop, self._process, self._died = loop, process, died
        self._timer: TimerHandle = loop.call_later(SECONDS_BETWEEN_LOOKS, self._look)

    def _look(self) -> None:
        if _alive(self._process):
            self._timer = self._loop.call_later(SECONDS_BETWEEN_LOOKS, self._look)
        else:
            self._died()

    def stop(self) -> None:
        """Ends the watch."""
        self._timer.cancel()


def _alive(process: int) -> bool:
    if sys.platform == "win32":
        return _alive_on_windows(process)
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except OSError:
        return True  # another user's
    return True


def _alive_on_windows(process: int) -> bool:
    """os.kill would end the process there."""
    import ctypes

    synchronize, still_running = 0x00100000, 0x102
    kernel = getattr(ctypes, "windll").kernel32  # noqa: B009 - is only there on Windows
    handle = kernel.OpenProcess(synchronize, False, process)
    if not handle:
        return False
    try:
        return bool(kernel.WaitForSingleObject(handle, 0) == still_running)
    finally:
        kernel.CloseHandle(handle)
