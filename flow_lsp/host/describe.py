"""One describe run: start the program, ask, check the answer in full, end the process and its group.

Realizes decisions 7 (describe is answered within 10 s, the process's end counts once its standard output is
read to the end or 2 s after it was reaped) and the ladder that ends a process. Framing, reading and checking
an answer happen in a worker thread, so that an editor's event loop stays free.
"""

from __future__ import annotations

import asyncio
import signal
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Protocol

from flow_lsp.processes.child import Child, Ending, StartProblem, start_child, uncancelled
from flow_lsp.processes.programs import Program
from flow_lsp.protocol.describe import Answered, DescribeConversation, Refused
from flow_lsp.protocol.framer import LINE_LIMIT
from flow_lsp.protocol.outcome import DescribeFailure, DescribeListing, DescribeOutcome, FailureKind
from flow_lsp.protocol.stream import Noise, Send

if TYPE_CHECKING:
    from flow_lsp.protocol.mcp.events import McpEvent  # and so each event of the other conversation
    from flow_lsp.protocol.mcp.listing import McpListing

EXIT_AFTER_OUTPUT = 1.0  # seconds that a process may take to exit once it has closed its output
LATE_OUTPUT = 1024 * 1024  # bytes written after the answer that are still looked at for noise


@dataclass(frozen=True, slots=True)
class DescribeLimits:
    """The bounds of one run: `line` the greatest length of a message in bytes, and the steps of the end."""

    line: int = LINE_LIMIT
    ending: Ending = field(default_factory=Ending)


async def describe_program(
    directory: str,
    words: tuple[str, ...],
    program: Program,
    *,
    timeout: float = 10.0,
    limits: DescribeLimits | None = None,
    environment: Mapping[str, str] | None = None,
) -> DescribeOutcome:
    """Ask `program`, the resolved first of `words`, what it serves, running it in `directory`.

    Never raises but for a cancellation. Whatever happens, also when cancelled, the process and its group are
    gone when this returns. `timeout` is in seconds, from the start to the answer. `environment` is that of
    this process where it is None.
    """
    limits = limits or DescribeLimits()
    run = DescribeRun(DescribeConversation(limits.line))
    return await run.ask(directory, words, program, timeout, limits.ending, environment)


class Conversation(Protocol):
    """What the bytes of one process mean until it has said what it serves."""

    @property
    def noise_count(self) -> int: ...
    def request(self) -> bytes: ...
    def receive(self, data: bytes) -> Sequence[McpEvent]: ...
    def end(self) -> Sequence[McpEvent]: ...
    def failure(self, kind: FailureKind, sentence: str) -> DescribeFailure: ...


class _Late:
    """What the process writes while it is being ended, up to a bound."""

    def __init__(self) -> None:
        self.chunks: list[bytes] = []
        self.size = 0

    def take(self, data: bytes) -> None:
        if self.size < LATE_OUTPUT:
            self.size += len(data)
            self.chunks.append(data)


class DescribeRun:
    """One run of one conversation."""

    def __init__(self, conversation: Conversation) -> None:
        self._conversation = conversation
        self._noise: list[Noise] = []
        self.listing: DescribeListing | None = None
        self.mcp: McpListing | None = None
        self.failure: DescribeFailure | None = None

    async def ask(
        self,
        directory: str,
        words: tuple[str, ...],
        program: Program,
        timeout: float,
        ending: Ending,
        environment: Mapping[str, str] | None = None,
    ) -> DescribeOutcome:
        """Starts the program, has the conversation, and ends the process, as `describe_program` says. Once."""
        started_at, begin = time.time(), time.monotonic()
        child = start_child(directory, program.path, words[1:], environment)
        if isinstance(child, StartProblem):
            failure = DescribeFailure(FailureKind.NOT_STARTED, child.sentence)
            return DescribeOutcome(
                failure=failure, program=program.path, started_at=started_at, duration=time.monotonic() - begin
            )
        late = _Late()
        try:
            try:
                async with asyncio.timeout(timeout):
                    await self._converse(child)
            except TimeoutError:
                if not self._is_over:
                    self._fail(FailureKind.TIMED_OUT, f"did not answer within {timeout:g} s.")
        finally:
            ended = await child.end(ending, late.take)
        await self._take_late(late)
        return DescribeOutcome(
            listing=self.listing,
            mcp=self.mcp,
            failure=self.failure,
            noise=tuple(noise.text for noise in self._noise),
            noise_reasons=tuple(noise.reason for noise in self._noise),
            noise_count=self._conversation.noise_count,
            stderr_tail=child.error_tail.lines(),
            exit_status=ended.exit_status,
            terminated=ended.terminated,
            program=program.path,
            started_at=started_at,
            duration=time.monotonic() - begin,
        )

    async def _converse(self, child: Child) -> None:
        """Until there is an answer or a failure."""
        child.input.send(self._conversation.request())
        while not self._is_over:
            data = await child.output.read()
            if not data:
                await self._no_more(child)
                return
            await self._receive(data, child)

    async def _receive(self, data: bytes, child: Child) -> None:
        """Have `data` read in a thread.

        When the time is up meanwhile, the thread is waited for all the same: the conversation is not for two
        at once, and an answer that came in time and takes long to check counts.
        """
        receiving = asyncio.ensure_future(asyncio.to_thread(self._conversation.receive, data))
        try:
            await uncancelled(receiving)
        finally:
            if receiving.done() and not receiving.cancelled():
                self._take(receiving.result(), child)

    async def _take_late(self, late: _Late) -> None:
        """Look for noise, and nothing else, in what was written after the answer."""
        if late.chunks:
            self._take(await asyncio.to_thread(self._conversation.receive, b"".join(late.chunks)), None)
        if late.size <= LATE_OUTPUT:
            self._take(self._conversation.end(), None)

    def _fail(self, kind: FailureKind, sentence: str) -> None:
        """End without an answer."""
        self.failure = self._conversation.failure(kind, sentence)

    @property
    def _is_over(self) -> bool:
        return self.listing is not None or self.mcp is not None or self.failure is not None

    def _take(self, events: Sequence[McpEvent], child: Child | None) -> None:
        for event in events:
            if isinstance(event, Noise):
                self._noise.append(event)
            elif isinstance(event, Send):
                if child is not None:
                    child.input.send(event.data)
            elif isinstance(event, Refused):
                self.failure = self.failure if self._is_over else event.failure
            elif not self._is_over:
                self._heard(event)

    def _heard(self, event: McpEvent) -> None:
        """Something that may be the answer."""
        if isinstance(event, Answered):
            self.listing = event.listing

    async def _no_more(self, child: Child) -> None:
        self._take(self._conversation.end(), None)
        try:
            async with asyncio.timeout(EXIT_AFTER_OUTPUT):
                status = await child.exited()
        except TimeoutError:
            self._fail(FailureKind.CLOSED_OUTPUT, "closed its standard output before it answered.")
        else:
            self._fail(FailureKind.EXITED, exit_sentence(status))


def exit_sentence(status: int) -> str:
    """How a process ended that did not answer, as a predicate with a full stop."""
    if status < 0:
        try:
            name = signal.Signals(-status).name
        except ValueError:
            name = f"signal {-status}"
        return f"was ended by {name} before it answered."
    return f"ended with exit status {status} before it answered."
