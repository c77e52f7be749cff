"""One child process: started without a shell, its three pipes, and its end, of which nothing is left.

Realizes decisions 7 ("Closing standard input asks the process to end; ...", "The process's end counts once its
standard output is read to the end, or 2 s after it was reaped") and the promise that no process outlives its
host, which the `guardian` keeps where the host is killed. The child leads a session and a process group of its
own; every descendant that stays in the group is ended with it. One that leaves the group, as a daemon does on
purpose, is beyond what POSIX lets a parent find, and reads the end of its input like everybody else.

A child may live for as long as its host. While nothing happens it costs its pipes and its log: no timer runs
where the system gives a descriptor for a process's end.
"""

from __future__ import annotations

import asyncio
import atexit
import os
import subprocess
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeVar

from flow_lsp.processes.tail import Tail

if sys.platform == "win32":
    from flow_lsp.processes import windows as system
    from flow_lsp.processes.thread_pipes import ThreadReadPipe as ReadPipe
    from flow_lsp.processes.thread_pipes import ThreadWritePipe as WritePipe
    from flow_lsp.processes.windows import groups
else:
    from flow_lsp.processes import posix as system
    from flow_lsp.processes.guardian import groups
    from flow_lsp.processes.pipes import ReadPipe, WritePipe

Result = TypeVar("Result")

OUTPUT_AFTER_END = 2.0  # seconds that output may still arrive after the process has been reaped
SETTLE = 1.0  # seconds that a reading thread may take for what a child that is gone has left in its pipes
EMERGENCY = 0.5  # seconds that a kill without an event loop may block


@dataclass(frozen=True, slots=True)
class Ending:
    """How long, in seconds, each step of the end may take: after the input was closed, after SIGTERM to the
    group, after SIGKILL."""

    grace: float = 2.0
    terminate: float = 2.0
    kill: float = 2.0


@dataclass(frozen=True, slots=True)
class Ended:
    """How a child ended. `exit_status` is negative for a signal, None where even SIGKILL did not end it in
    time; `terminated` says that the child itself had to be signalled."""

    exit_status: int | None
    terminated: bool


@dataclass(frozen=True, slots=True)
class StartProblem:
    """Why no process came to be, as a predicate with a full stop."""

    sentence: str


class Child:
    """A running child. Whoever starts it ends it, with `end`, whatever happens in between.

    `input` and `output` are its standard input and output, `error_tail` what it wrote to its standard error,
    which is read all the time. `output` gives an empty read once its end counts: it is at its end, or the
    process ended 2 s ago and something else holds it open.
    """

    def __init__(self, process: subprocess.Popen[bytes], pipes: tuple[int, int, int]) -> None:
        loop = asyncio.get_running_loop()
        self.pid = process.pid
        self.input = WritePipe(pipes[0])
        self.output = ReadPipe(pipes[1])
        self.error_tail = Tail()
        self._errors = ReadPipe(pipes[2])
        self._errors.flow(self.error_tail.add)
        self._process = process
        self._loop = loop
        self._exit: asyncio.Future[int] = loop.create_future()
        self._ending: asyncio.Task[Ended] | None = None
        self._group_left = True  # once nothing has the group's number, it may become another's
        self._timers: list[asyncio.TimerHandle] = []
        self._exit_descriptor = system.exit_descriptor(process.pid)
        if self._exit_descriptor is None:
            self._poll_exit(0.005)
        else:
            loop.add_reader(self._exit_descriptor, self._look_for_exit)

    @property
    def exit_status(self) -> int | None:
        """The exit status, negative for a signal; None while it runs."""
        return self._process.returncode

    async def exited(self) -> int:
        """Wait for the end of the process itself, whoever holds its pipes; its exit status."""
        return await asyncio.shield(self._exit)

    async def end(self, ending: Ending, on_output: Callable[[bytes], None] | None = None) -> Ended:
        """End the process and its whole group; every step has its bound, and nothing of the group is left.

        What the process writes meanwhile goes to `on_output`, or nowhere: a full pipe must not keep it from
        ending. Nobody may be reading `output` any more. A caller that is cancelled still waits for the end,
        and is cancelled then.
        """
        if self._ending is None:
            self._ending = self._loop.create_task(self._end(ending, on_output or _discard))
        return await uncancelled(self._ending)

    def kill(self) -> None:
        """End the group at once, without an event loop: for a host that has no time left."""
        self._signal(system.KILL)
        try:
            self._process.wait(EMERGENCY)
        except subprocess.TimeoutExpired:
            self._process.kill()
        else:
            if not self._loop.is_closed():
                self._look_for_exit()
            self._look_for_group()
        self._close()

    async def _end(self, ending: Ending, on_output: Callable[[bytes], None]) -> Ended:
        terminated = False
        try:
            self.output.flow(on_output)
            self.input.close()
            gone = await self._gone_within(ending.grace)
            for number, seconds in ((system.TERMINATE, ending.terminate), (system.KILL, ending.kill)):
                if gone:
                    break
                terminated = terminated or self.exit_status is None
                self._signal(number)
                gone = await self._gone_within(seconds)
        except asyncio.CancelledError:  # the event loop itself is being torn down
            self.kill()
            raise
        await self.output.settle(SETTLE)
        await self._errors.settle(SETTLE)
        self.output.take_rest(on_output)
        self._errors.take_rest(self.error_tail.add)
        self._close()
        return Ended(self.exit_status, terminated)

    async def _gone_within(self, seconds: float) -> bool:
        """Whether the process and all of its group are gone, at the latest after `seconds`."""
        deadline = self._loop.time() + seconds
        await asyncio.wait([self._exit], timeout=seconds)
        self._look_for_exit()
        if not self._exit.done():
            return False
        # Reaped first: until then the process is a zombie, and its group would never look empty. Its number
        # cannot be given to another process while a member of the group is left.
        pause = 0.002
        while self._group_left and system.group_is_alive(self.pid):
            left = deadline - self._loop.time()
            if left <= 0:
                return False
            await asyncio.sleep(min(pause, left))
            pause = min(pause * 2, 0.1)
        self._group_gone()
        return True

    def _signal(self, number: int) -> None:
        if self._group_left:
            system.signal_group(self.pid, number)

    def _look_for_exit(self) -> None:
        status = self._process.poll()
        if status is not None and not self._exit.done():
            self._stop_watching()
            self._watch_group(0.1)
            self._timers.append(self._loop.call_later(OUTPUT_AFTER_END, self.output.finish))
            self._exit.set_result(status)

    def _poll_exit(self, pause: float) -> None:
        self._look_for_exit()
        if not self._exit.done():
            self._timers = [self._loop.call_later(pause, self._poll_exit, min(pause * 1.5, 0.25))]

    def _watch_group(self, pause: float) -> None:
        """After the process has ended, see when the others of its group are gone: they are seldom there, and
        `end` is seldom far."""
        self._look_for_group()
        if self._group_left:
            self._timers.append(self._loop.call_later(pause, self._watch_group, min(pause * 2, 1.0)))

    def _look_for_group(self) -> None:
        if self._group_left and not system.group_is_there(self.pid):
            self._group_gone()

    def _group_gone(self) -> None:
        self._group_left = False
        groups.discard(self.pid)
        _living.discard(self)

    def _stop_watching(self) -> None:
        for timer in self._timers:
            timer.cancel()
        self._timers.clear()
        if self._exit_descriptor is not None:
            if not self._loop.is_closed():
                self._loop.remove_reader(self._exit_descriptor)
            os.close(self._exit_descriptor)
            self._exit_descriptor = None

    def _close(self) -> None:
        self.input.close()
        self.output.close()
        self._errors.close()
        self.error_tail.end()
        if not self._group_left:  # else what cannot be ended is watched on: its number stays known until it is gone
            self._stop_watching()


_living: set[Child] = set()


def start_child(
    directory: str, program: str, arguments: Sequence[str], environment: Mapping[str, str] | None = None
) -> Child | StartProblem:
    """Start `program`, an absolute path, with `arguments` (those after its name) in `directory`.

    No shell is involved. Its three standard pipes are its own, so it neither reads nor writes this process's.
    `environment` is that of this process where it is None. Needs a running event loop; does not wait, for
    the system call that starts a program holds up every thread of this process alike, for about a
    millisecond.
    """
    descriptors: list[int] = []
    try:
        for _ in range(3):
            descriptors += os.pipe()
        child_input, our_input, our_output, child_output, our_errors, child_errors = descriptors
        with groups.starting(child_input) as started:
            process = subprocess.Popen(  # type: ignore[call-overload]
                [program, *arguments],
                cwd=directory,
                env=None if environment is None else dict(environment),
                stdin=child_input,
                stdout=child_output,
                stderr=child_errors,
                close_fds=True,
                **system.process_arguments(),
            )
            started(process)
    except OSError as error:
        for descriptor in descriptors:
            os.close(descriptor)
        return StartProblem(system.start_failure(error, program, directory))
    except ValueError as error:  # a NUL in a word
        for descriptor in descriptors:
            os.close(descriptor)
        return StartProblem(f"could not be started: {error}.")
    for descriptor in (child_input, child_output, child_errors):
        os.close(descriptor)
    child = Child(process, (our_input, our_output, our_errors))
    _living.add(child)
    return child


async def uncancelled(task: asyncio.Task[Result]) -> Result:
    """The result of `task`, which goes on though the caller is cancelled; the cancellation is raised
    after."""
    cancelled: asyncio.CancelledError | None = None
    while not task.done():
        try:
            await asyncio.shield(task)
        except asyncio.CancelledError as error:
            if task.cancelled():
                raise
            cancelled = error
        except Exception:  # noqa: BLE001, S110, RUF100  # raised below, by the task itself
            pass
    if cancelled is not None:
        raise cancelled
    return task.result()


def _discard(data: bytes) -> None:
    """Take output that nobody wants."""


@atexit.register
def _kill_living() -> None:
    for child in list(_living):
        child.kill()
    groups.close()


if sys.platform != "win32":
    os.register_at_fork(after_in_child=_living.clear)  # a fork of the host ends none of them
