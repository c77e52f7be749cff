"""A host for tests that kill it: `python host_to_kill.py WAY BEHAVIOUR COUNT [BEHAVIOUR COUNT ...]`.

Starts the children, and once each is ready writes a line: the process id of its guardian. What it does then or
before is the WAY, one function each.
"""

from __future__ import annotations

import asyncio
import os
import signal
import sys
from pathlib import Path

from flow_lsp.processes import guardian
from flow_lsp.processes.child import Child, Ending, start_child
from flow_lsp.processes.guardian import groups

CHILD = str(Path(__file__).with_name("stubborn_child.py"))


def started(*arguments: str, program: str = sys.executable) -> Child:
    child = start_child("/", program, arguments)
    assert isinstance(child, Child), child
    return child


async def ready(wanted: list[str]) -> list[Child]:
    children = []
    for behaviour, count in zip(wanted[::2], wanted[1::2], strict=True):
        children += [started("-S", "-E", CHILD, behaviour) for _ in range(int(count))]
    for child in children:
        assert await child.output.read() == b"ready\n"
    return children


def say() -> None:
    print(groups.pid, flush=True)


async def waits(wanted: list[str]) -> None:
    await ready(wanted)
    say()
    await asyncio.Event().wait()


async def has_another_shell(wanted: list[str]) -> None:
    """macOS calls bash sh."""
    guardian.SHELL = wanted[0]
    await waits(wanted[1:])


async def leaves(wanted: list[str]) -> None:
    """Ends as a program does, its children still alive."""
    await ready(wanted)
    say()


async def loses_its_guardian(wanted: list[str]) -> None:
    """Says it once there is another one."""
    guardian.SHORTEST_LIFE = 0.0
    await ready(wanted)
    first = groups.pid
    assert first is not None
    os.kill(first, signal.SIGKILL)
    while groups.pid in (first, None):
        await asyncio.sleep(0.001)
    say()
    await asyncio.Event().wait()


async def dies_while_it_starts_one(wanted: list[str]) -> None:
    """When the child's program runs, and before its number is known to anyone."""

    def die(process: object) -> None:
        say()
        os.kill(os.getpid(), signal.SIGKILL)

    await ready(wanted)
    groups._add = die
    started("120", program="/bin/sleep")


async def starts_without_end(wanted: list[str]) -> None:
    """And ends some of them: it is killed anywhere between."""
    while True:
        one, _ = started("120", program="/bin/sleep"), started("120", program="/bin/sleep")
        await one.end(Ending(grace=0.0))


async def forks(wanted: list[str]) -> None:
    """One fork ends as a program does, another one lives longer than this process."""
    await ready(wanted)
    for lives in (False, True):
        fork = os.fork()
        if not fork and lives:
            os.read(0, 1)
            os._exit(0)
        if not fork:
            raise SystemExit
        if not lives:
            os.waitpid(fork, 0)
    print(fork, flush=True)
    say()
    await asyncio.Event().wait()


if __name__ == "__main__":
    asyncio.run(globals()[sys.argv[1]](sys.argv[2:]))
