"""The life of one process that answers calls, from its start to its end, of which nothing is left.

Joins `protocol.connection` to a child: describe comes first and in time, then bytes become events, until the
process ends or is to end. What the process wrote before its end is still read ("a reply already written is
admitted", decisions 7).
"""

from __future__ import annotations

import asyncio
import signal
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol, TypeAlias

from flow_lsp.binding.model import CommandKey
from flow_lsp.findings.model import shown
from flow_lsp.processes.child import Child, Ended, Ending, StartProblem, start_child, uncancelled
from flow_lsp.processes.pieces import Handed, Piece
from flow_lsp.processes.programs import Program, resolve_program
from flow_lsp.processes.tail import NewLines
from flow_lsp.protocol.connection import MustEnd
from flow_lsp.protocol.describe import Answered, Refused
from flow_lsp.protocol.framer import LINE_LIMIT
from flow_lsp.protocol.mcp.events import McpEvent
from flow_lsp.protocol.outcome import DescribeFailure, DescribeListing, FailureKind
from flow_lsp.protocol.replies import ReplyReceived
from flow_lsp.protocol.stream import Noise, Send

WireEvent: TypeAlias = McpEvent  # and so each event of the other connection

ENDED_BY_HOST = "was ended by the host."
HEAVY = 256 * 1024  # bytes of a line that are read on a thread, so that the event loop stays free


@dataclass(frozen=True, slots=True)
class LifeLimits:
    """The bounds of one process: `describe` in seconds, `line` in bytes, and the steps of its end."""

    describe: float = 10.0
    line: int = LINE_LIMIT
    ending: Ending = field(default_factory=Ending)


class Wire(Protocol):
    """What the bytes of one process mean: `protocol.connection` and `protocol.mcp.connection` do the same things."""

    @property
    def described(self) -> bool: ...
    @property
    def pending(self) -> int: ...
    def request(self) -> bytes: ...
    def receive(self, data: bytes) -> Sequence[WireEvent]: ...
    def end(self) -> Sequence[WireEvent]: ...
    def failure(self, kind: FailureKind, sentence: str) -> DescribeFailure: ...


class Life:
    """One process. `on_described` is told once what it serves or why that is not known, `on_events` what it
    replies, `log` sentences for a log."""

    def __init__(
        self,
        key: CommandKey,
        limits: LifeLimits,
        on_described: Callable[[DescribeListing | DescribeFailure], None],
        on_events: Callable[[Sequence[WireEvent]], None],
        log: Callable[[str], None],
        connection: Wire,
        environment: Mapping[str, str] | None = None,
    ) -> None:
        self._key = key
        self._limits = limits
        self._on_described = on_described
        self._on_events = on_events
        self._log = log
        self._environment = environment
        self._child: Child | None = None
        self._connection = connection
        self._told = False  # whether `on_described` was
        self._receiving: asyncio.Task[None] | None = None  # on a thread
        self._stopping = ""  # why the process is being ended, as a predicate with a full stop

    async def live(self) -> str:
        """Lives until the process has gone; how it ended, as a sentence."""
        program = resolve_program(self._key.directory, self._key.words[0])
        if not isinstance(program, Program):
            return self._not_started(program.sentence)
        child = start_child(self._key.directory, program.path, self._key.words[1:], self._environment)
        if isinstance(child, StartProblem):
            return self._not_started(child.sentence)
        self._child = child
        stop_following = child.error_tail.follow(self._log_errors)
        child.input.send(self._connection.request())
        timer = asyncio.get_running_loop().call_later(self._limits.describe, self._too_late)
        try:
            await self._read(child)
        finally:
            timer.cancel()
            ended = await child.end(self._limits.ending, self._take)
            stop_following()
        self._handle(self._connection.end())
        how = self._how(ended)
        if not self._told:
            self._tell(self._connection.failure(*self._failure(ended)))
        self._log(how)
        last = child.error_tail.lines(1)  # of which the log has all
        return f"{how} Its standard error ends: {shown(last[0])}" if last else how

    def stop(self, why: str = ENDED_BY_HOST) -> None:
        """Has the process end: what it wrote is read, its input closed, and it is ended if it goes on."""
        if not self._stopping:
            self._stopping = why
            if self._child is not None:
                self._child.output.finish()

    def send(self, line: bytes, done: Callable[[Handed], None] | None = None) -> Piece | None:
        """Hands a line over, as `processes.pieces` says; None where it cannot be."""
        return None if self._child is None or self._stopping else self._child.input.send(line, done)

    def withdraw(self, piece: Piece) -> bool:
        """Takes a line back of which nothing was handed over; whether that was so."""
        return self._child is not None and self._child.input.withdraw(piece)

    # -- reading ----------------------------------------------------------------------------------------------

    async def _read(self, child: Child) -> None:
        try:
            await child.output.each(self._receive)
        finally:  # the thread is waited for even when this is cancelled: a connection is not for two at once
            if self._receiving is not None:
                await uncancelled(self._receiving)

    def _receive(self, data: bytes) -> asyncio.Task[None] | None:
        """Reads `data` at once where that is quick, and else on a thread, which is to be waited for."""
        connection = self._connection
        size = connection.pending + len(data)
        # What completes no line is put away, and nothing more, as long as a line may have so many bytes.
        if connection.described and (size < HEAVY or (size <= self._limits.line and b"\n" not in data)):
            self._take(data)
            return None
        self._receiving = asyncio.ensure_future(self._receive_on_thread(data))
        return self._receiving

    async def _receive_on_thread(self, data: bytes) -> None:
        self._handle(await asyncio.to_thread(self._connection.receive, data))

    def _take(self, data: bytes) -> None:
        self._handle(self._connection.receive(data))

    def _handle(self, events: Sequence[WireEvent]) -> None:
        for event in events:
            if isinstance(event, ReplyReceived):  # most are
                continue
            if isinstance(event, Noise):
                self._log(f"standard output, line {event.number}, is no message ({event.reason}): {event.text}")
            elif isinstance(event, Send):
                self.send(event.data)
            elif isinstance(event, Answered):
                self._tell(event.listing)
            elif isinstance(event, Refused):
                self._tell(event.failure)
                self.stop("was ended by the host, for it cannot be used.")
            elif isinstance(event, MustEnd):
                self.stop(event.reason)
        if events:
            self._on_events(events)

    def _tell(self, answer: DescribeListing | DescribeFailure) -> None:
        if not self._told:
            self._told = True
            self._on_described(answer)

    def _too_late(self) -> None:
        if not self._told:
            sentence = f"did not answer within {self._limits.describe:g} s."
            self._tell(self._connection.failure(FailureKind.TIMED_OUT, sentence))
            self.stop("was ended by the host, for it did not answer describe.")

    # -- words ------------------------------------------------------------------------------------------------

    def _not_started(self, sentence: str) -> str:
        self._tell(DescribeFailure(FailureKind.NOT_STARTED, sentence))
        return "No process was started."

    def _failure(self, ended: Ended) -> tuple[FailureKind, str]:
        if self._stopping or ended.terminated:
            return FailureKind.CLOSED_OUTPUT, "was ended before it answered."
        return FailureKind.EXITED, f"{_exit_words(ended.exit_status)} before it answered."

    def _how(self, ended: Ended) -> str:
        return f"The process {self._stopping.rstrip('.') if self._stopping else _exit_words(ended.exit_status)}."

    def _log_errors(self, new: NewLines) -> None:
        if new.skipped:
            self._log(f"standard error: {new.skipped} lines were left out.")
        for line in new.lines:
            self._log(f"standard error: {line}")


def _exit_words(status: int | None) -> str:
    """How a process ended, as a predicate."""
    if status is None:
        return "did not end"
    if status >= 0:
        return f"ended with exit status {status}"
    try:
        return f"was ended by {signal.Signals(-status).name}"
    except ValueError:
        return f"was ended by signal {-status}"
