"""Children that live long: what waits for them is bounded, what reached them is known, what they write is heard."""

from __future__ import annotations

import asyncio
import hashlib
import os
import signal
import sys
from collections.abc import AsyncIterator

import pytest
from started_implementations import HASTY, PATIENT, RUTHLESS, Implementations, open_descriptors
from support.bounds import not_hopeless

from flow_lsp.processes import child as child_module
from flow_lsp.processes.child import Child, Ended, start_child
from flow_lsp.processes.pieces import PIECES_LIMIT, UNSENT_LIMIT, Handed
from flow_lsp.processes.tail import NewLines
from flow_lsp.processes.thread_pipes import ThreadReadPipe, ThreadWritePipe

KIB, MIB = 1024, 1024 * 1024

GATE = """
import hashlib, os, signal, sys
signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGUSR1])
os.write(1, b'ready\\n')
signal.sigwait([signal.SIGUSR1])
"""  # reads nothing before it is told to
DIGEST = GATE + (
    "size, digest = 0, hashlib.sha256()\n"
    "while data := os.read(0, 1 << 20):\n"
    "    size += len(data)\n"
    "    digest.update(data)\n"
    "os.write(1, f'{size} {digest.hexdigest()}'.encode())\n"
)
ANSWER = GATE + "for line in sys.stdin.buffer: os.write(1, b'%d\\n' % len(line))\n"


@pytest.fixture(params=["watched descriptors", "threads"])
async def patient(
    request: pytest.FixtureRequest, implementations: Implementations, monkeypatch: pytest.MonkeyPatch
) -> AsyncIterator[Implementations]:
    """The implementations, with the pipes of both kinds of event loops; threads that let go of a pipe a moment after
    the call are waited for."""
    if request.param == "threads":
        monkeypatch.setattr(child_module, "ReadPipe", ThreadReadPipe)
        monkeypatch.setattr(child_module, "WritePipe", ThreadWritePipe)
    descriptors = open_descriptors()
    yield implementations
    async with asyncio.timeout(10):
        while open_descriptors() > descriptors:
            await asyncio.sleep(0.001)


def started(implementations: Implementations, code: str) -> Child:
    arguments = ("-S", "-E", "-c", code)
    child = start_child(implementations.directory, sys.executable, arguments, environment=implementations.environment)
    assert isinstance(child, Child)
    return child


async def gated(implementations: Implementations, code: str) -> Child:
    child = started(implementations, code)
    assert await child.output.read(6) == b"ready\n"
    return child


def open_gate(child: Child) -> None:
    os.kill(child.pid, signal.SIGUSR1)


async def rest_of(child: Child) -> bytes:
    parts = []
    while data := await child.output.read():
        parts.append(data)
    return b"".join(parts)


async def test_what_waits_for_a_child_that_does_not_read_is_bounded_and_arrives_whole_and_in_order(
    patient: Implementations,
) -> None:
    child = await gated(patient, DIGEST)
    pieces = [bytes([number]) * MIB for number in range(128)]
    writes = [asyncio.ensure_future(child.input.write(piece)) for piece in pieces]
    done, _ = await asyncio.wait(writes, timeout=0.3)
    assert not done
    assert 63 * MIB <= child.input.unsent <= UNSENT_LIMIT
    open_gate(child)
    assert set(await asyncio.gather(*writes)) == {Handed.WHOLE}
    assert child.input.unsent == 0
    child.input.close()
    expected = hashlib.sha256(b"".join(pieces)).hexdigest()
    assert await rest_of(child) == f"{128 * MIB} {expected}".encode()
    assert await child.end(PATIENT) == Ended(0, terminated=False)


async def test_a_piece_larger_than_the_bound_waits_alone(patient: Implementations) -> None:
    child = await gated(patient, DIGEST)
    data = bytes(UNSENT_LIMIT + MIB)
    writing = asyncio.ensure_future(child.input.write(data))
    await asyncio.sleep(0)
    assert child.input.send(b"x") is None
    assert child.input.is_open
    open_gate(child)
    assert await child.input.room(1)
    assert await writing is Handed.WHOLE
    await child.end(PATIENT)


async def test_the_number_of_small_pieces_is_bounded_too(patient: Implementations) -> None:
    child = await gated(patient, DIGEST)
    assert child.input.send(bytes(MIB))
    count = 1
    with not_hopeless():
        while child.input.send(b"x"):
            count += 1
    assert count == PIECES_LIMIT
    open_gate(child)
    with not_hopeless():
        assert await child.input.drain()
    child.input.close()
    assert (await rest_of(child)).startswith(f"{MIB + count - 1} ".encode())
    await child.end(PATIENT)


async def test_a_line_is_handed_over_when_all_of_it_is_and_before_its_answer_is_read(patient: Implementations) -> None:
    child = await gated(patient, ANSWER)
    told: list[object] = []
    line = b"x" * (300 * KIB) + b"\n"
    piece = child.input.send(line, told.append)
    assert piece is not None
    async with asyncio.timeout(10):
        while piece.handed is not Handed.PART:  # as much as the pipe holds
            await asyncio.sleep(0.001)
    assert told == []
    open_gate(child)
    told.append(await child.output.read())
    assert told == [Handed.WHOLE, b"307201\n"]
    assert child.input.send(b"\n", told.append)
    told.append(await child.output.read())
    assert told[2:] == [Handed.WHOLE, b"1\n"]
    await child.end(PATIENT)
    assert len(told) == 4


async def test_what_a_child_did_not_read_is_told_apart_when_it_ends(patient: Implementations) -> None:
    child = await gated(patient, GATE)
    told: dict[str, Handed] = {}
    lines = {"short": b"1\n", "long": b"x" * MIB + b"\n", "after": b"2\n"}
    for name, line in lines.items():
        assert child.input.send(line, lambda handed, name=name: told.setdefault(name, handed))
    waiting = asyncio.ensure_future(child.input.write(b"3\n"))
    async with asyncio.timeout(10):
        while child.input.unsent > MIB - 16 * KIB:
            await asyncio.sleep(0.001)
    await child.end(RUTHLESS)
    assert await waiting is Handed.NOTHING
    async with asyncio.timeout(10):
        while len(told) < 3:  # a thread needs a moment
            await asyncio.sleep(0.001)
    assert told == {"short": Handed.WHOLE, "long": Handed.PART, "after": Handed.NOTHING}
    assert await child.input.write(b"4\n") is Handed.NOTHING
    assert not await child.input.room(1)
    assert not child.input.is_open


async def test_a_child_that_goes_tells_whoever_waits_for_it_to_read(patient: Implementations) -> None:
    child = await gated(patient, GATE)
    writes = [asyncio.ensure_future(child.input.write(bytes(40 * MIB))) for _ in range(3)]
    await asyncio.sleep(0)
    open_gate(child)  # it reads nothing, and ends
    assert [handed.value for handed in await asyncio.gather(*writes)] == ["part", "nothing", "nothing"]
    assert await child.end(PATIENT) == Ended(0, terminated=False)


async def test_what_is_not_begun_can_be_taken_back(patient: Implementations) -> None:
    child = await gated(patient, DIGEST)
    long = bytes(MIB)
    told: list[Handed] = []
    begun = child.input.send(long, told.append)
    assert begun is not None
    async with asyncio.timeout(10):
        while begun.handed is not Handed.PART:
            await asyncio.sleep(0.001)
    waits = child.input.send(b"never", told.append)
    assert waits is not None
    writing = asyncio.ensure_future(child.input.write(b"nor this"))
    await asyncio.sleep(0)
    assert not child.input.withdraw(begun)
    assert child.input.withdraw(waits)
    assert not child.input.withdraw(waits)
    writing.cancel()
    with pytest.raises(asyncio.CancelledError):
        await writing
    open_gate(child)
    assert await child.input.write(b"last") is Handed.WHOLE
    assert not child.input.withdraw(begun)
    child.input.close()
    assert await rest_of(child) == f"{MIB + 4} {hashlib.sha256(long + b'last').hexdigest()}".encode()
    assert told == [Handed.WHOLE]
    await child.end(PATIENT)


async def test_a_withdrawn_piece_makes_room(patient: Implementations) -> None:
    child = await gated(patient, GATE)
    assert child.input.send(bytes(MIB))
    large = child.input.send(bytes(UNSENT_LIMIT - 2 * MIB))
    assert large is not None
    waiting = asyncio.ensure_future(child.input.room(8 * MIB))
    await asyncio.sleep(0.01)
    assert not waiting.done()
    assert child.input.withdraw(large)
    assert await waiting
    await child.end(HASTY)


async def test_the_event_loop_goes_on_while_16_mib_are_on_their_way(patient: Implementations) -> None:
    child = await gated(patient, ANSWER)
    open_gate(child)
    writing = asyncio.ensure_future(child.input.write(bytes(16 * MIB) + b"\n"))
    turns = 0
    with not_hopeless():
        while not writing.done():
            turns += 1
            await asyncio.sleep(0)
    assert await writing is Handed.WHOLE
    assert turns > 64  # no more than 256 KiB were offered at once
    assert await child.output.read() == b"16777217\n"
    await child.end(PATIENT)


async def test_many_lines_go_and_come_in_order(patient: Implementations) -> None:
    child = await gated(patient, ANSWER)
    open_gate(child)
    count = 20_000
    with not_hopeless():

        async def write() -> None:
            for number in range(count):
                assert await child.input.write(b"x" * (number % 100) + b"\n") is Handed.WHOLE
            child.input.close()

        writing = asyncio.ensure_future(write())
        lines = (await rest_of(child)).split()
        await writing
    assert lines == [b"%d" % (number % 100 + 1) for number in range(count)]
    await child.end(PATIENT)


async def test_a_read_that_waits_ends_with_the_child(patient: Implementations) -> None:
    child = await gated(patient, GATE)
    reading = asyncio.ensure_future(child.output.read())
    await asyncio.sleep(0)
    with pytest.raises(RuntimeError, match="one read"):
        await child.output.read()
    await child.end(HASTY)
    assert await reading == b""


async def test_output_that_others_hold_open_ends_a_while_after_the_process(
    patient: Implementations, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(child_module, "OUTPUT_AFTER_END", 0.2)
    inner = "import time; time.sleep(60)"
    code = (
        f"import os, subprocess, sys; subprocess.Popen([sys.executable, '-S', '-E', '-c', {inner!r}]); "
        "os.write(1, b'last words')"
    )
    child = started(patient, code)
    assert await child.exited() == 0
    assert await child.output.read() == b"last words"
    assert await child.output.read() == b""
    assert await child.output.read() == b""
    assert len(patient.left()) == 1
    await child.end(HASTY)


async def test_output_that_goes_on_without_end_ends_a_while_after_the_process(
    patient: Implementations, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(child_module, "OUTPUT_AFTER_END", 0.2)
    inner = "import os\nwhile True: os.write(1, b'x' * 65536)"
    code = f"import subprocess, sys; subprocess.Popen([sys.executable, '-S', '-E', '-c', {inner!r}])"
    child = started(patient, code)
    async with asyncio.timeout(30):
        while await child.output.read():
            pass
    assert child.exit_status == 0
    await child.end(HASTY)


async def test_new_lines_of_standard_error_are_heard_as_they_come(patient: Implementations) -> None:
    code = (
        "import os, sys\nos.write(2, b'starting\\nhalf')\nsys.stdin.buffer.readline()\n"
        "os.write(2, b' a line\\nthe last')"
    )
    child = started(patient, code)
    heard: list[NewLines] = []
    child.error_tail.follow(heard.append)
    async with asyncio.timeout(10):
        while not heard:
            await asyncio.sleep(0.001)
    assert child.input.send(b"go\n")
    await child.end(PATIENT)
    assert heard == [NewLines(("starting",), 0), NewLines(("half a line",), 0), NewLines(("the last",), 0)]


async def test_a_flood_of_standard_error_neither_holds_up_the_child_nor_fills_memory(patient: Implementations) -> None:
    code = "import os\nfor _ in range(640): os.write(2, (b'e' * 1023 + b'\\n') * 64)\nos.write(1, b'done')"
    child = started(patient, code)
    heard: list[NewLines] = []
    child.error_tail.follow(heard.append)
    assert await child.output.read() == b"done"
    await child.end(PATIENT)
    assert child.error_tail.total == 640 * 64 * KIB
    assert max(len(new.lines) for new in heard) == 20
    assert sum(len(new.lines) + new.skipped for new in heard) == 640 * 64
    assert {len(line) for new in heard for line in new.lines} == {300}


async def test_idle_children_leave_no_timer_on_the_event_loop(implementations: Implementations) -> None:
    """So nothing wakes their host while nothing happens."""
    children = [await gated(implementations, GATE) for _ in range(3)]
    loop = asyncio.get_running_loop()
    assert [timer for timer in loop._scheduled if not timer.cancelled()] == []
    await asyncio.gather(*[child.end(HASTY) for child in children])
