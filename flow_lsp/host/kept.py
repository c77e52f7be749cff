"""Implementations that an editor calls, kept between calls for as long as what they run is the same.

Each command has a pool of its own, so that it can be let go of by itself: when its files change or nothing is bound to
it any more, calls that are out to it still get their outcomes, and the next call starts it afresh.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from flow_lsp.binding.model import Bound, CommandKey
from flow_lsp.host.calling import CallableTool
from flow_lsp.host.pool import Pool
from flow_lsp.host.process_host import ProcessLimits
from flow_lsp.host.run import Run, RunRefused
from flow_lsp.processes.programs import Program, command_stamps, resolve_program

LINES_KEPT = 200  # of what is worth knowing of one command


@dataclass(eq=False, slots=True)
class Kept:
    """What runs for one command. `stamps` are those of its files before it was started; those that changed while it
    started are its own doing, a log perhaps, and count no more."""

    key: CommandKey
    stamps: Sequence[object]
    pool: Pool
    own: set[int] = field(default_factory=set)
    users: int = 0
    starting: int = 0  # runs that are not there yet
    runs: dict[tuple[str, str], asyncio.Task[Run | RunRefused]] = field(default_factory=dict)
    lines: deque[str] = field(default_factory=lambda: deque(maxlen=LINES_KEPT))
    count: int = 0  # of lines that there ever were

    def has_started(self) -> None:
        """Takes note of the files that it changed itself."""
        self.own.update(self._changed())

    @property
    def is_current(self) -> bool:
        """Whether its files are still what it was started from; while it starts they are."""
        return self.starting > 0 or self.own.issuperset(self._changed())

    def _changed(self) -> list[int]:
        now = _stamps(self.key)
        if len(now) != len(self.stamps):
            return [-1]
        return [place for place, (then, stamp) in enumerate(zip(self.stamps, now, strict=True)) if then != stamp]

    def note(self, sentence: str) -> None:
        """A line of its log."""
        self.lines.append(sentence)
        self.count += 1

    def since(self, count: int, most: int) -> Sequence[str]:
        """The last lines, at most `most`, of those after the first `count`."""
        wanted = min(self.count - count, most, len(self.lines))
        return list(self.lines)[len(self.lines) - wanted :] if wanted > 0 else []


class KeptImplementations:
    """All commands that are kept. `limits()` gives the bounds of a new process; `refuses(key)` says in a sentence why a
    command may not run, and None where it may."""

    def __init__(self, limits: Callable[[], ProcessLimits], refuses: Callable[[CommandKey], str | None]) -> None:
        self._limits = limits
        self._refuses = refuses
        self._kept: dict[CommandKey, Kept] = {}
        self._retired: set[Kept] = set()  # with calls that are out still
        self._ending: set[asyncio.Task[None]] = set()

    def lease(self, key: CommandKey) -> Kept:
        """What runs for `key`, or will; another than before where its files changed. Give it back with `release`."""
        self._look_at(key)
        kept = self._kept.get(key)
        if kept is None:
            kept = self._kept[key] = self._new(key)
        kept.users += 1
        return kept

    def release(self, kept: Kept) -> None:
        """A user of it is done."""
        kept.users -= 1
        self._end_unused(kept)

    async def run(self, kept: Kept, tool: CallableTool, bound: Bound) -> Run | RunRefused:
        """A run that may call `tool`: the same for all its calls, for each run of an MCP server has its own process.

        Cancelling the task that waits leaves the start to go on.
        """
        known = tool.identity, tool.signature.fingerprint
        starting = kept.runs.get(known)
        if starting is None:
            starting = kept.runs[known] = asyncio.get_running_loop().create_task(kept.pool.start_run([(tool, bound)]))
            kept.users += 1
            kept.starting += 1
            starting.add_done_callback(lambda task: self._started(kept, known, task))
        return await asyncio.shield(starting)

    def look(self, wanted: Callable[[CommandKey], bool]) -> None:
        """Lets go of what nobody wants any more, and of what runs from files that changed."""
        for key in list(self._kept):
            if not wanted(key):
                self._retire(key)
            else:
                self._look_at(key)

    async def stop_refused(self) -> None:
        """Ends at once what may not run any more; open calls get their outcomes."""
        refused = [kept for kept in (*self._kept.values(), *self._retired) if self._refuses(kept.key) is not None]
        for kept in refused:
            self._kept.pop(kept.key, None)
            self._retired.discard(kept)
        await asyncio.gather(*(kept.pool.close() for kept in refused))

    async def close(self) -> None:
        """Ends everything; nothing is left when this returns."""
        everything = [*self._kept.values(), *self._retired]
        self._kept, self._retired = {}, set()
        await asyncio.gather(*(kept.pool.close() for kept in everything), *self._ending)

    # -- inside -------------------------------------------------------------------------------------------------

    def _started(self, kept: Kept, known: tuple[str, str], task: asyncio.Task[Run | RunRefused]) -> None:
        """A run that is refused is not kept: the next call tries again."""
        kept.starting -= 1
        if task.cancelled() or task.exception() is not None or isinstance(task.result(), RunRefused):
            del kept.runs[known]
        elif len(kept.runs) == 1:
            kept.has_started()
        self.release(kept)

    def _look_at(self, key: CommandKey) -> None:
        kept = self._kept.get(key)
        if kept is not None and not kept.is_current:
            self._retire(key)

    def _retire(self, key: CommandKey) -> None:
        kept = self._kept.pop(key)
        self._retired.add(kept)
        self._end_unused(kept)

    def _end_unused(self, kept: Kept) -> None:
        if kept in self._retired and not kept.users:
            self._retired.discard(kept)
            task = asyncio.get_running_loop().create_task(kept.pool.close())
            self._ending.add(task)
            task.add_done_callback(self._ending.discard)

    def _new(self, key: CommandKey) -> Kept:
        def note(_: CommandKey, sentence: str) -> None:
            kept.note(sentence)

        kept = Kept(key, _stamps(key), Pool(limits=self._limits(), log=note, refuses=self._refuses))
        return kept


def _stamps(key: CommandKey) -> Sequence[object]:
    """What tells that the files of a command changed: its program, by path, and the stamps."""
    program = resolve_program(key.directory, key.words[0])
    return (program.path, *command_stamps(key.directory, key.words, program)) if isinstance(program, Program) else ()
