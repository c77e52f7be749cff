"""One child process: its pipes, its exit and its end."""

from __future__ import annotations

import asyncio
import os
import signal
import sys
from collections.abc import AsyncIterator

import pytest
from started_implementations import HASTY, PATIENT, RUTHLESS, Implementations, open_descriptors

from flow_lsp.processes import child as child_module
from flow_lsp.processes import posix
from flow_lsp.processes.child import Child, Ended, start_child, uncancelled
from flow_lsp.processes.pipes import ReadPipe, WritePipe
from flow_lsp.processes.thread_pipes import ThreadReadPipe, ThreadWritePipe

MIB = 1024 * 1024

ECHO = "import os\nwhile data := os.read(0, 1 << 20):\n    while data: data = data[os.write(1, data):]"


def started(implementations: Implementations, code: str) -> Child:
    arguments = ("-S", "-E", "-c", code)
    child = start_child(implementations.directory, sys.executable, arguments, environment=implementations.environment)
    assert isinstance(child, Child)
    return child


@pytest.fixture(params=["watched descriptors", "threads"])
def pipes(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    """The pipes of both kinds of event loops."""
    if request.param == "threads":
        monkeypatch.setattr(child_module, "ReadPipe", ThreadReadPipe)
        monkeypatch.setattr(child_module, "WritePipe", ThreadWritePipe)
    return str(request.param)


@pytest.fixture
async def patient(implementations: Implementations, pipes: str) -> AsyncIterator[Implementations]:
    """The implementations; threads that let go of a pipe a moment after the call are waited for."""
    descriptors = open_descriptors()
    yield implementations
    async with asyncio.timeout(10):
        while open_descriptors() > descriptors:
            await asyncio.sleep(0.001)


async def read_exactly(child: Child, count: int) -> bytes:
    parts: list[bytes] = []
    while sum(map(len, parts)) < count:
        data = await child.output.read()
        assert data
        parts.append(data)
    return b"".join(parts)


async def test_bytes_go_in_and_come_out(patient: Implementations) -> None:
    child = started(patient, ECHO)
    assert child.input.send(b"one\n")
    assert child.input.send(b"two\n")
    assert await child.input.drain()
    assert await read_exactly(child, 8) == b"one\ntwo\n"
    child.input.close()
    assert await child.output.read() == b""
    assert await child.exited() == 0
    assert await child.end(PATIENT) == Ended(0, terminated=False)
    assert await child.end(PATIENT) == Ended(0, terminated=False)
    assert await child.output.read() == b""
    assert not child.input.send(b"late")


async def test_a_read_takes_no_more_than_asked(patient: Implementations) -> None:
    child = started(patient, "print('abcdef', end='')")
    await child.exited()
    assert [await child.output.read(4), await child.output.read(4), await child.output.read(4)] == [
        b"abcd",
        b"ef",
        b"",
    ]
    await child.end(PATIENT)


async def test_large_writes_and_reads_pass_each_other(patient: Implementations) -> None:
    """The child writes back before it reads on: neither side may wait for the other to read first."""
    child = started(patient, ECHO)
    data = os.urandom(5 * MIB)
    assert child.input.send(data)
    assert child.input.unsent > 0
    assert await read_exactly(child, len(data)) == data
    assert await child.input.drain()
    assert child.input.unsent == 0
    assert await child.end(PATIENT) == Ended(0, terminated=False)


async def test_a_child_that_does_not_read_holds_up_nobody(patient: Implementations) -> None:
    child = started(patient, "import time; time.sleep(60)")
    while child.input.send(b"x" * MIB):
        assert child.input.unsent <= 64 * MIB
    assert child.input.unsent >= 63 * MIB - 2 * MIB
    draining = asyncio.ensure_future(child.input.drain())
    await asyncio.sleep(0)
    assert not draining.done()
    ended = await child.end(HASTY)
    assert ended == Ended(-signal.SIGTERM, terminated=True)
    assert await draining is False


async def test_a_child_that_closed_its_input_breaks_the_pipe_and_nothing_else(
    patient: Implementations,
) -> None:
    child = started(patient, "import os; os.close(0); os.write(1, b'closed'); os.read(1, 1)")
    assert await child.output.read() == b"closed"
    async with asyncio.timeout(10):
        while child.input.send(b"x" * 100_000):
            await child.input.drain()
    assert await child.input.drain() is False
    await child.end(PATIENT)


async def test_nothing_is_read_ahead_of_whoever_asks(patient: Implementations, pipes: str) -> None:
    """The child can write no more than the pipe, and a few chunks of a thread, hold."""
    code = (
        "import os\nos.set_blocking(1, False)\nimport time\ntotal = 0\nend = time.monotonic() + 0.5\n"
        "while time.monotonic() < end:\n"
        "    try: total += os.write(1, b'x' * 4096)\n"
        "    except BlockingIOError: time.sleep(0.01)\n"
        "os.write(2, str(total).encode())"
    )
    child = started(patient, code)
    await child.exited()
    await child.end(PATIENT)
    [total] = child.error_tail.lines()
    assert int(total) <= (64 * 1024 if pipes == "watched descriptors" else 6 * 256 * 1024)


async def test_standard_error_is_drained_while_nobody_looks(patient: Implementations) -> None:
    child = started(patient, "import os\nfor _ in range(640): os.write(2, b'e' * 65536)\nos.write(2, b'\\nlast')")
    assert await child.exited() == 0
    await child.end(PATIENT)
    assert child.error_tail.total == 640 * 65536 + 5
    assert child.error_tail.lines()[-1] == "last"


async def test_what_is_written_while_it_ends_is_handed_over(patient: Implementations) -> None:
    code = "import sys, os; os.write(1, b'a'); sys.stdin.read(); os.write(1, b'b' * 300000); os.write(2, b'x')"
    child = started(patient, code)
    assert await child.output.read(1) == b"a"
    taken: list[bytes] = []
    assert await child.end(PATIENT, taken.append) == Ended(0, terminated=False)
    assert b"".join(taken) == b"b" * 300_000
    assert child.error_tail.lines() == ("x",)


async def test_the_group_is_terminated_when_the_grace_is_over(implementations: Implementations) -> None:
    code = (
        "import subprocess, sys, time\n"
        "inner = 'import time; print(1, flush=True); time.sleep(60)'\n"
        "subprocess.Popen([sys.executable, '-S', '-E', '-c', inner])\n"
        "time.sleep(60)"
    )
    child = started(implementations, code)
    assert await child.output.read() == b"1\n"
    assert len(implementations.left()) == 2
    assert await child.end(HASTY) == Ended(-signal.SIGTERM, terminated=True)
    assert implementations.left() == []


async def test_a_stopped_child_is_killed(implementations: Implementations) -> None:
    child = started(implementations, "import time; print(1, flush=True); time.sleep(60)")
    await child.output.read()
    os.kill(child.pid, signal.SIGSTOP)
    assert await child.end(RUTHLESS) == Ended(-signal.SIGKILL, terminated=True)


async def test_a_child_reads_the_end_of_its_input_and_never_ours(implementations: Implementations) -> None:
    child = started(implementations, "import sys, os\nos.write(1, str(len(sys.stdin.read())).encode())")
    child.input.close()
    assert await child.output.read() == b"0"
    assert await child.end(PATIENT) == Ended(0, terminated=False)


async def test_a_child_leads_a_session_and_inherits_no_descriptor(implementations: Implementations) -> None:
    code = (
        "import os; leads = os.getsid(0) == os.getpid() == os.getpgid(0); "
        "print(leads, sorted(map(int, os.listdir('/proc/self/fd')))[:-1])"
    )
    child = started(implementations, code)
    await child.exited()
    assert await child.output.read() == b"True [0, 1, 2]\n"
    await child.end(PATIENT)


async def test_without_process_descriptors_the_exit_is_found_all_the_same(
    implementations: Implementations, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delattr(os, "pidfd_open")
    child = started(implementations, "import sys; sys.exit(7)")
    async with asyncio.timeout(10):
        assert await child.exited() == 7
    assert await child.end(PATIENT) == Ended(7, terminated=False)
    deaf = started(implementations, "import time; time.sleep(60)")
    assert await deaf.end(HASTY) == Ended(-signal.SIGTERM, terminated=True)


async def test_a_zombie_that_nobody_reaps_does_not_count_as_alive(implementations: Implementations) -> None:
    read_end, write_end = os.pipe()
    pid = os.posix_spawn(
        sys.executable,
        [sys.executable, "-S", "-E", "-c", f"import os; os.read({read_end}, 1)"],
        implementations.environment,
        setpgroup=0,
        file_actions=[
            (os.POSIX_SPAWN_DUP2, read_end, read_end + 100),
            (os.POSIX_SPAWN_DUP2, read_end + 100, read_end),
        ],
    )
    try:
        assert posix.group_is_alive(pid)
        os.close(write_end)
        os.waitid(os.P_PID, pid, os.WEXITED | os.WNOWAIT)
        assert posix.signal_group(pid, 0)
        assert not posix.group_is_alive(pid)
    finally:
        os.close(read_end)
        os.waitpid(pid, 0)
    assert not posix.group_is_alive(pid)


async def test_what_lives_when_the_interpreter_exits_is_killed(implementations: Implementations) -> None:
    child = started(implementations, "import time; print(1, flush=True); time.sleep(60)")
    await child.output.read()
    child_module._kill_living()
    assert implementations.left() == []
    assert child.exit_status == -signal.SIGKILL


async def test_a_task_that_must_finish_finishes_though_its_waiter_is_cancelled() -> None:
    release = asyncio.Event()

    async def work() -> str:
        await release.wait()
        return "done"

    task = asyncio.ensure_future(work())
    waiter = asyncio.ensure_future(uncancelled(task))
    for _ in range(3):
        await asyncio.sleep(0)
        waiter.cancel()
    await asyncio.sleep(0)
    assert not waiter.done()
    release.set()
    with pytest.raises(asyncio.CancelledError):
        await waiter
    assert task.result() == "done"


async def test_a_task_that_fails_or_is_cancelled_itself_says_so() -> None:
    async def fail() -> None:
        raise ValueError("no")

    with pytest.raises(ValueError, match="no"):
        await uncancelled(asyncio.ensure_future(fail()))
    task = asyncio.ensure_future(asyncio.sleep(60))
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await uncancelled(task)


def test_both_kinds_of_pipes_offer_the_same() -> None:
    for watched, threaded in ((ReadPipe, ThreadReadPipe), (WritePipe, ThreadWritePipe)):
        names = [{name for name in vars(kind) if not name.startswith("_")} for kind in (watched, threaded)]
        assert names[0] == names[1]
