"""Which describe runs happen, and when: one slot per command, a bounded number of processes at once.

Realizes the rule that implementations are asked in the background:
- a slot runs one process at a time; ten requests for it at once make one run;
- a refresh while it runs cancels the older run, whose result is dropped; it starts when that process is gone;
- a result is kept as long as what it depends on (the stamps) is unchanged;
- a command that fails again and again is tried at a bounded rate, until its files change or a person asks.

Everything here runs on one event loop; `run` and `stamps` are what the caller gives, and are awaited.
"""

from __future__ import annotations

import asyncio
import os
import time
from collections.abc import Awaitable, Callable, Hashable
from dataclasses import dataclass
from typing import Generic, TypeVar

from flow_lsp.protocol.outcome import DescribeOutcome

Key = TypeVar("Key", bound=Hashable)

DEBOUNCE = 0.1  # seconds of quiet before a refresh runs
FIRST_PAUSE = 0.5  # seconds before a failing command is tried again; doubled with each failure
LONGEST_PAUSE = 30.0


@dataclass(frozen=True, slots=True)
class JobState:
    """What is known of one command.

    `running` says that a newer answer is on its way; `current`, that `result` is what was last asked for;
    `result` is the last outcome, `good` the last one with an answer; `generation` counts what was asked for;
    `cause` is that of the last.
    """

    running: bool = False
    current: bool = False
    result: DescribeOutcome | None = None
    good: DescribeOutcome | None = None
    generation: int = 0
    cause: str = ""


@dataclass(frozen=True, slots=True)
class Progress:
    """How many of the commands that were asked for since the last pause are done."""

    done: int
    total: int


class _Slot:
    """One command's work. Generations count what was asked for."""

    def __init__(self) -> None:
        self.generation = 0  # the newest asked for
        self.finished = 0  # the newest that needs no further work
        self.answered = 0  # the one that `result` answers
        self.abandoned = 0  # the newest that was cancelled
        self.force = False  # whether a run happens though nothing changed
        self.at_once = False  # whether it may ignore the pause of a failing command
        self.cause = ""
        self.due = 0.0  # when the next run may start, by the clock
        self.woken: asyncio.Future[None] | None = None  # what a worker that waits for that waits on
        self.worker: asyncio.Task[None] | None = None
        self.look: asyncio.Task[None] | None = None  # whether the result is still current
        self.run: asyncio.Task[DescribeOutcome | None] | None = None
        self.result: DescribeOutcome | None = None
        self.good: DescribeOutcome | None = None
        self.stamps: object = None
        self.failures = 0
        self.failed_at = 0.0


class DescribeJobs(Generic[Key]):
    """The describe runs of a host.

    `run(key)` asks one implementation, and ends its process also when cancelled; it gives None where the
    command is not to be run after all. `stamps(key)` gives what an answer depends on, to be compared.
    `on_change(key)` is called when a key's state changes, `on_progress` with the count of a batch.
    """

    def __init__(
        self,
        run: Callable[[Key], Awaitable[DescribeOutcome | None]],
        *,
        stamps: Callable[[Key], Awaitable[object]] | None = None,
        concurrency: int | None = None,
        debounce: float = DEBOUNCE,
        first_pause: float = FIRST_PAUSE,
        clock: Callable[[], float] = time.monotonic,
        on_change: Callable[[Key], None] | None = None,
        on_progress: Callable[[Progress], None] | None = None,
    ) -> None:
        self._run = run
        self._stamps = stamps
        self._free = asyncio.Semaphore(concurrency or min(4, os.cpu_count() or 1))
        self._debounce = debounce
        self._first_pause = first_pause
        self._clock = clock
        self._on_change = on_change
        self._on_progress = on_progress
        self._slots: dict[Key, _Slot] = {}
        self._looks: set[asyncio.Task[None]] = set()
        self._busy: set[_Slot] = set()
        self._total = 0
        self._closed = False
        self._quiet = asyncio.Event()
        self._quiet.set()

    def state(self, key: Key) -> JobState:
        """What is known of `key`."""
        slot = self._slots.get(key)
        if slot is None:
            return JobState()
        running = slot in self._busy
        current = not running and slot.result is not None and slot.answered == slot.generation
        return JobState(running, current, slot.result, slot.good, slot.generation, slot.cause)

    def known(self) -> tuple[Key, ...]:
        """Every command that was ever asked for and not forgotten."""
        return tuple(self._slots)

    def request(self, key: Key, cause: str) -> None:
        """Have an answer of `key`: one that is on its way, or is current by its stamps, will do."""
        slot = self._slots.setdefault(key, _Slot())
        if slot.worker is not None and slot.abandoned != slot.generation:
            return
        if slot.worker is None and slot.result is not None and self._stamps is not None:
            if slot.look is None and not self._closed:
                slot.look = asyncio.get_running_loop().create_task(self._look(key, slot, cause, self._stamps))
                self._looks.add(slot.look)
                slot.look.add_done_callback(self._looks.discard)
            return
        self._ask(key, slot, cause, delay=0.0)

    def refresh(self, key: Key, cause: str, *, at_once: bool = False) -> None:
        """Have a new answer of `key`, after a short quiet; a run under way is cancelled and its result
        dropped.

        `at_once` is for a person's command: neither the quiet nor a failing command's pause is waited for.
        """
        slot = self._slots.setdefault(key, _Slot())
        slot.force = True
        slot.at_once = slot.at_once or at_once
        self._ask(key, slot, cause, delay=0.0 if at_once else self._debounce)
        if slot.run is not None:
            slot.run.cancel()

    def cancel(self, key: Key) -> None:
        """Stop what is under way for `key`; what was known before stays."""
        slot = self._slots.get(key)
        if slot is not None and slot.look is not None:
            slot.look.cancel()
        if slot is not None and slot.worker is not None:
            slot.abandoned = slot.generation
            slot.worker.cancel()

    def forget(self, key: Key) -> None:
        """Stop what is under way for `key`, and let go of what is known."""
        self.cancel(key)
        self._slots.pop(key, None)

    async def idle(self) -> None:
        """Wait until nothing is under way."""
        while self._looks or not self._quiet.is_set():
            if self._looks:
                await asyncio.wait(set(self._looks))
            await self._quiet.wait()

    async def close(self) -> None:
        """Stop everything; when this returns no process of a run is left. Later requests do nothing."""
        self._closed = True
        for look in self._looks:
            look.cancel()
        for slot in list(self._slots.values()):
            if slot.worker is not None:
                slot.worker.cancel()
        # A forgotten slot's run ends too: it counts as busy until it has.
        await self.idle()

    async def _look(self, key: Key, slot: _Slot, cause: str, stamps: Callable[[Key], Awaitable[object]]) -> None:
        """Ask again if the result is not of the files as they are now. Until then nobody sees a change, for a
        result that is looked at is still current."""
        try:
            changed = await stamps(key) != slot.stamps
        finally:
            slot.look = None
        if changed and slot.worker is None:
            self._ask(key, slot, cause, delay=0.0)

    def _ask(self, key: Key, slot: _Slot, cause: str, delay: float) -> None:
        if self._closed:
            return
        slot.generation += 1
        slot.cause = cause
        slot.due = self._clock() + delay
        if slot.woken is not None:
            _wake(slot.woken)
        if slot.worker is None:
            self._busy.add(slot)
            self._total += 1
            self._quiet.clear()
            self._start(key, slot)
            self._changed(key)
            self._progress()

    def _start(self, key: Key, slot: _Slot) -> None:
        slot.worker = asyncio.get_running_loop().create_task(self._work(key, slot))
        # Not a `finally` in the task: one that is cancelled before its first step never reaches it.
        slot.worker.add_done_callback(lambda worker: self._ended(key, slot, worker))

    def _ended(self, key: Key, slot: _Slot, worker: asyncio.Task[None]) -> None:
        slot.worker = None
        if not worker.cancelled() and (error := worker.exception()) is not None:
            worker.get_loop().call_exception_handler({"message": f"describing {key} failed", "exception": error})
            slot.abandoned = slot.generation
        if slot.generation > max(slot.finished, slot.abandoned) and not self._closed:
            self._start(key, slot)  # asked for again while it was being cancelled
            return
        slot.force = slot.at_once = False
        slot.finished = slot.generation
        self._busy.discard(slot)
        if self._slots.get(key) is slot:
            self._changed(key)
        self._progress()
        if not self._busy:
            self._total = 0
            self._quiet.set()

    async def _work(self, key: Key, slot: _Slot) -> None:
        while slot.finished < slot.generation:
            await self._until_due(slot)
            async with self._free:
                await self._one_run(key, slot)

    async def _until_due(self, slot: _Slot) -> None:
        while (left := slot.due - self._clock()) > 0:
            slot.woken = asyncio.get_running_loop().create_future()
            timer = asyncio.get_running_loop().call_later(left, _wake, slot.woken)
            try:
                await slot.woken
            finally:
                timer.cancel()

    async def _one_run(self, key: Key, slot: _Slot) -> None:
        generation = slot.generation
        stamps = await self._stamps(key) if self._stamps is not None else None
        if generation != slot.generation:
            return
        unchanged = slot.result is not None and stamps == slot.stamps
        if unchanged and not slot.force:
            slot.finished = slot.answered = generation
            return
        if unchanged and not slot.at_once and (pause := self._pause(slot)) > 0:
            slot.due = self._clock() + pause
            return
        slot.force = slot.at_once = False
        slot.run = asyncio.get_running_loop().create_task(_called(self._run, key))
        try:
            outcome = await _finished(slot.run)
        finally:
            slot.run = None
        if generation != slot.generation:
            return  # the newer run comes next; this result is of no use
        slot.finished = generation
        if outcome is not None:
            slot.answered = generation
            self._keep(slot, outcome, stamps)

    def _pause(self, slot: _Slot) -> float:
        """How long, in seconds, a failing command still waits for its next try."""
        if not slot.failures:
            return 0.0
        pause = min(self._first_pause * 2.0 ** min(slot.failures - 1, 20), LONGEST_PAUSE)
        return slot.failed_at + pause - self._clock()

    def _keep(self, slot: _Slot, outcome: DescribeOutcome, stamps: object) -> None:
        if outcome.answer is None:
            slot.failures = slot.failures + 1 if stamps == slot.stamps else 1
            slot.failed_at = self._clock()
        else:
            slot.failures = 0
            slot.good = outcome
        slot.result = outcome
        slot.stamps = stamps

    def _changed(self, key: Key) -> None:
        if self._on_change is not None:
            self._on_change(key)

    def _progress(self) -> None:
        if self._on_progress is not None:
            self._on_progress(Progress(self._total - len(self._busy), self._total))


def _wake(waiter: asyncio.Future[None]) -> None:
    if not waiter.done():
        waiter.set_result(None)


async def _called(run: Callable[[Key], Awaitable[DescribeOutcome | None]], key: Key) -> DescribeOutcome | None:
    return await run(key)


async def _finished(run: asyncio.Task[DescribeOutcome | None]) -> DescribeOutcome | None:
    """The outcome of `run`, None where it was cancelled alone.

    A caller that is cancelled, however often, cancels the run and waits until its process is gone.
    """
    cancelled: asyncio.CancelledError | None = None
    while not run.done():
        try:
            await asyncio.wait((run,))
        except asyncio.CancelledError as error:
            cancelled = error
            run.cancel()
    if cancelled is not None:
        raise cancelled
    return None if run.cancelled() else run.result()
