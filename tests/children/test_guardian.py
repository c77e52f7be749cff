"""Hosts that are killed, and guardians that are: no process outlives its host, and no guardian holds one up."""

from __future__ import annotations

import asyncio
import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from started_implementations import HASTY, PATIENT, RUTHLESS, Implementations

from flow_lsp.processes import child as child_module
from flow_lsp.processes import guardian, posix
from flow_lsp.processes.child import Child, Ended, start_child
from flow_lsp.processes.guardian import groups

HOST = str(Path(__file__).with_name("host_to_kill.py"))
BOUND = 30.0  # seconds: far more than the 2 s and the ends of all processes take


def until(happened: Callable[[], object]) -> None:
    end = time.monotonic() + BOUND
    while not happened():
        assert time.monotonic() < end


class Host:
    """One host in a process of its own."""

    def __init__(self, started: Implementations, *arguments: str) -> None:
        self.children = started
        self.process = subprocess.Popen(
            [sys.executable, HOST, *arguments],
            env=started.environment,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
        )

    def number(self) -> int:
        """The next line that it writes."""
        assert self.process.stdout is not None
        return int(self.process.stdout.readline())

    def killed(self) -> None:
        self.process.kill()
        self.process.wait()


@pytest.fixture
def host(implementations_of_no_loop: Implementations) -> Iterator[Callable[..., Host]]:
    hosts: list[Host] = []

    def start(*arguments: str) -> Host:
        hosts.append(Host(implementations_of_no_loop, *arguments))
        return hosts[-1]

    yield start
    for one in hosts:
        one.killed()
        for stream in (one.process.stdin, one.process.stdout):
            assert stream is not None
            stream.close()


def runs(pid: int) -> bool:
    """Whether there is such a process; a zombie is none."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] not in "ZX"
    except OSError:
        return False


@pytest.mark.parametrize(
    ("behaviour", "processes"),
    [
        ("ignores_end", 1),
        ("ignores_term", 1),
        ("stopped", 1),
        ("grandchildren", 3),
        ("error_flood", 1),
    ],
)
def test_no_child_outlives_a_host_that_is_killed(host: Callable[..., Host], behaviour: str, processes: int) -> None:
    one = host("waits", behaviour, "1")
    watcher = one.number()
    assert len(one.children.left()) == 1 + processes
    one.killed()
    until(lambda: not one.children.left())
    until(lambda: not runs(watcher))


def test_a_child_of_a_host_that_is_killed_has_its_grace(
    host: Callable[..., Host], implementations_of_no_loop: Implementations, tmp_path: Path
) -> None:
    words = tmp_path / "words"
    implementations_of_no_loop.environment["FLOW_LSP_TEST_WORDS"] = str(words)
    one = host("waits", "last_words", "1", "ignores_end", "1")
    one.number()
    one.killed()
    until(lambda: not one.children.left())
    assert words.read_text("utf-8") == "done"


def test_nor_do_what_children_left_behind(host: Callable[..., Host]) -> None:
    one = host("waits", "orphans", "1")
    one.number()
    until(lambda: len(one.children.left()) == 3)  # the host and both
    one.killed()
    until(lambda: not one.children.left())


def test_nor_do_fifty_of_all_kinds(host: Callable[..., Host]) -> None:
    kinds = ("ignores_end", "20", "ignores_term", "20", "error_flood", "5", "grandchildren", "5")
    one = host("waits", *kinds)
    watcher = one.number()
    assert len(one.children.left()) == 1 + 50 + 10
    one.killed()
    until(lambda: not one.children.left())
    until(lambda: not runs(watcher))


@pytest.mark.skipif(shutil.which("bash") is None, reason="there is no bash")
def test_nor_do_they_where_the_shell_is_bash(host: Callable[..., Host]) -> None:
    one = host("has_another_shell", shutil.which("bash"), "ignores_term", "1", "ignores_end", "2")
    watcher = one.number()
    assert Path(os.readlink(f"/proc/{watcher}/exe")).name == "bash"
    one.killed()
    until(lambda: not one.children.left())
    until(lambda: not runs(watcher))


def test_nor_does_a_child_whose_number_nobody_knew_yet(host: Callable[..., Host]) -> None:
    one = host("dies_while_it_starts_one", "ignores_end", "1")
    one.number()
    one.process.wait()
    until(lambda: not one.children.left())


@pytest.mark.parametrize("_", range(5))
def test_nor_does_any_of_a_host_that_is_killed_while_it_starts_and_ends_them(host: Callable[..., Host], _: int) -> None:
    one = host("starts_without_end")
    until(lambda: len(one.children.left()) > 10)
    one.killed()
    until(lambda: not one.children.left())


def test_nor_after_the_guardian_was_killed_itself(host: Callable[..., Host]) -> None:
    one = host("loses_its_guardian", "ignores_term", "2")
    one.number()
    assert len(one.children.left()) == 3
    one.killed()
    until(lambda: not one.children.left())


def test_a_fork_of_the_host_neither_ends_the_children_nor_keeps_them(host: Callable[..., Host]) -> None:
    one = host("forks", "ignores_end", "1")
    fork, watcher = one.number(), one.number()
    assert len(one.children.left()) == 3  # the host, its child and the fork that lives
    one.killed()
    until(lambda: len(one.children.left()) == 1)
    assert runs(fork)
    until(lambda: not runs(watcher))


def test_a_host_that_ends_as_programs_do_takes_all_with_it(host: Callable[..., Host]) -> None:
    one = host("leaves", "ignores_term", "2")
    watcher = one.number()
    one.process.wait()
    assert one.children.left() == []
    assert not runs(watcher)


def living(started: Implementations, behaviour: str = "ignores_end") -> Child:
    arguments = ("-S", "-E", str(Path(__file__).with_name("stubborn_child.py")), behaviour)
    child = start_child(started.directory, sys.executable, arguments, environment=started.environment)
    assert isinstance(child, Child)
    return child


async def test_the_guardian_holds_nothing_and_minds_no_signal(implementations: Implementations) -> None:
    child = living(implementations)
    watcher = groups.pid
    assert watcher is not None
    place = Path("/proc", str(watcher))
    signals = (signal.SIGHUP, signal.SIGINT, signal.SIGQUIT, signal.SIGTERM)
    mask = sum(1 << (number - 1) for number in signals)

    def ignored() -> bool:
        [line] = [line for line in (place / "status").read_text().splitlines() if line.startswith("SigIgn:")]
        return int(line.split()[1], 16) & mask == mask

    until(ignored)
    for number in signals:
        os.kill(watcher, number)
    assert sorted(entry.name for entry in (place / "fd").iterdir()) == ["0", "1", "2"]
    assert [os.readlink(place / "fd" / name) for name in "12"] == ["/dev/null"] * 2
    assert (os.getsid(watcher), os.readlink(place / "cwd")) == (watcher, "/")
    assert implementations.marker.encode() not in (place / "environ").read_bytes()
    await child.end(HASTY)
    assert groups.pid == watcher
    assert runs(watcher)


async def test_one_guardian_serves_all_children(implementations: Implementations) -> None:
    children = [living(implementations) for _ in range(3)]
    assert {child.pid for child in children} <= groups.guarded
    watcher = groups.pid
    await asyncio.gather(*[child.end(HASTY) for child in children])
    assert groups.guarded == frozenset()
    assert groups.pid == watcher


async def test_a_number_is_given_back_when_its_group_is_gone_though_nobody_ends_it(
    implementations: Implementations,
) -> None:
    child = living(implementations, "no_such_behaviour")
    assert child.pid in groups.guarded
    await child.exited()
    assert child.pid not in groups.guarded
    await child.end(PATIENT)


async def test_a_number_is_kept_while_others_of_its_group_live(implementations: Implementations) -> None:
    child = living(implementations, "orphans")
    assert await child.output.read() == b"ready\n"
    assert await child.exited() == 0
    assert child.pid in groups.guarded
    assert len(implementations.left()) == 2
    os.killpg(child.pid, signal.SIGKILL)
    async with asyncio.timeout(BOUND):
        while child.pid in groups.guarded:
            await asyncio.sleep(0.001)
    assert implementations.left() == []
    await child.end(PATIENT)


async def test_a_number_that_was_given_back_is_never_signalled(
    implementations: Implementations, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Not even where it has become another group's since."""
    child = living(implementations, "no_such_behaviour")
    await child.exited()
    asked: list[int] = []
    monkeypatch.setattr(posix, "signal_group", lambda group, number: asked.append(number) or True)
    assert await child.end(RUTHLESS) == Ended(1, terminated=False)
    child.kill()
    assert asked == []


async def test_a_guardian_that_dies_is_replaced_at_once(
    implementations: Implementations, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(guardian, "SHORTEST_LIFE", 0.0)
    child = living(implementations)
    first = groups.pid
    assert first is not None
    os.kill(first, signal.SIGKILL)
    async with asyncio.timeout(BOUND):
        while groups.pid in (first, None):
            await asyncio.sleep(0.001)
    assert child.exit_status is None
    await child.end(HASTY)


async def test_a_guardian_that_cannot_live_is_not_started_again_and_again(
    implementations: Implementations, monkeypatch: pytest.MonkeyPatch
) -> None:
    groups.close()
    monkeypatch.setattr(guardian, "SCRIPT", "exit 1")
    starts: list[object] = []
    start = groups._start
    monkeypatch.setattr(groups, "_start", lambda: (starts.append(None), start()))
    child = living(implementations)
    assert await child.output.read() == b"ready\n"
    async with asyncio.timeout(BOUND):
        while groups.pid is not None:  # until its death was noticed
            await asyncio.sleep(0.001)
    assert 1 <= len(starts) <= 2  # one for each line that there was to tell
    await child.end(HASTY)
    assert implementations.left() == []


async def test_without_a_guardian_the_host_goes_on(
    implementations: Implementations, monkeypatch: pytest.MonkeyPatch
) -> None:
    groups.close()
    with monkeypatch.context() as patched:
        patched.setattr(guardian, "SHELL", "/no/such/shell")
        child = living(implementations)
        assert await child.output.read() == b"ready\n"
        assert groups.pid is None
    another = living(implementations)
    assert groups.pid is not None
    assert {child.pid, another.pid} <= groups.guarded
    await child.end(HASTY)
    await another.end(HASTY)


async def test_a_guardian_that_does_not_read_is_replaced_and_ends_nothing(implementations: Implementations) -> None:
    child = living(implementations)
    assert await child.output.read() == b"ready\n"
    first = groups.pid
    assert first is not None
    os.kill(first, signal.SIGSTOP)
    while groups._write(""):
        pass
    another = living(implementations)
    assert groups.pid not in (first, None)
    assert not runs(first)
    assert await another.output.read() == b"ready\n"
    assert child.exit_status is None
    await child.end(HASTY)
    await another.end(HASTY)


def test_every_event_loop_hears_of_the_guardians_death(
    implementations_of_no_loop: Implementations, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(guardian, "SHORTEST_LIFE", 0.0)

    async def once() -> None:
        child = living(implementations_of_no_loop)
        first = groups.pid
        assert first is not None
        os.kill(first, signal.SIGKILL)
        async with asyncio.timeout(BOUND):
            while groups.pid in (first, None):
                await asyncio.sleep(0.001)
        await child.end(HASTY)

    asyncio.run(once())
    asyncio.run(once())
    assert implementations_of_no_loop.left() == []


async def test_a_program_that_cannot_be_started_is_not_waited_for(implementations: Implementations) -> None:
    before = groups.guarded
    assert not isinstance(start_child(implementations.directory, "/no/such/program", ()), Child)
    assert groups.guarded == before
    assert groups._starting == ""


async def test_what_cannot_be_ended_stays_known(
    implementations: Implementations, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A process that the system holds up survives SIGKILL for a while; its number is not given back by then."""
    child = living(implementations)
    with monkeypatch.context() as patched:
        patched.setattr(posix, "signal_group", lambda group, number: True)
        ended = await child.end(child_module.Ending(0.0, 0.0, 0.0))
        assert ended == Ended(None, terminated=True)
        assert child.pid in groups.guarded
    os.killpg(child.pid, signal.SIGKILL)
    await child.exited()
    assert child.pid not in groups.guarded
