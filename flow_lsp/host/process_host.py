"""One process that answers calls: started on first need, many calls at once, started again when it ends.

Realizes "The Tool process protocol", "Binding" and decisions 7. What a call comes to is the ledger's matter
(`protocol.ledger`), what a line says the connection's (`protocol.connection`); here both are joined to a child. One
task starts processes, one after another, while there is something to do; everything else is a callback or waits for
a call's outcome. All of it runs on one event loop.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field

from flow_lsp.binding.model import CommandKey
from flow_lsp.findings.model import shown
from flow_lsp.host.calling import Call, CallableTool
from flow_lsp.host.implementing import Fits, NoFit, Verdict
from flow_lsp.host.in_pipe import InPipe
from flow_lsp.host.process_life import Life, LifeLimits, Wire, WireEvent
from flow_lsp.host.unfit import unfit_reason
from flow_lsp.protocol import ledger
from flow_lsp.protocol.call_outcomes import CallOutcome, NotRun
from flow_lsp.protocol.connection import HostConnection
from flow_lsp.protocol.ledger import Admitted, Dropped, Ledger, LedgerEvent, Pair, ReadyCall
from flow_lsp.protocol.lines import IdUsed, TooLong, cancel_line
from flow_lsp.protocol.outcome import DescribeFailure, DescribeListing, FailureKind
from flow_lsp.protocol.replies import FaultyReply, ReplyReceived
from flow_lsp.protocol.served import Served, fingerprints
from flow_lsp.values.data_version import DATA_VERSION
from flow_lsp.values.limits import DEFAULT_LIMITS, Limits

FIRST_PAUSE = 0.5  # seconds before a process that died at once is started a third time; doubled with each death
LONGEST_PAUSE = 30.0
AT_ONCE = 5.0  # a process that ended within so many seconds, and answered nothing, died at once
CANCEL_GRACE = 2.0  # seconds that a cancelled call may still be answered

BATCH_CALLS = 256  # lines that are handed over together, and about how many bytes of them: what a pipe holds
BATCH_BYTES = 64 * 1024

_REPLIES = (ReplyReceived, FaultyReply)  # as a union it would be made anew for each event

_CLOSED = DescribeFailure(FailureKind.CLOSED_OUTPUT, "was not asked, for the host was closed.")

Log = Callable[[str], None]


@dataclass(frozen=True, slots=True)
class ProcessLimits:
    """The bounds of one implementation: times in seconds, and those of values and lines."""

    life: LifeLimits = field(default_factory=LifeLimits)
    cancel_grace: float = CANCEL_GRACE
    values: Limits = DEFAULT_LIMITS


class ProcessImplementation:
    """The implementation behind one command. `log` is given a sentence for each thing worth knowing, `environment`
    is that of this process where it is None."""

    def __init__(
        self,
        key: CommandKey,
        limits: ProcessLimits | None = None,
        log: Log | None = None,
        environment: Mapping[str, str] | None = None,
    ) -> None:
        self.key = key
        self._environment = environment
        self._limits = limits or ProcessLimits()
        self._log = log or (lambda _: None)
        self._ledger = Ledger(self._limits.values, cancel=self._cancel_line)
        self._outcomes: dict[Pair, asyncio.Future[CallOutcome]] = {}
        self._askers: list[asyncio.Future[DescribeListing | DescribeFailure]] = []
        self._listing: DescribeListing | None = None
        self._life: Life | None = None
        self._in_pipe: InPipe | None = None
        self._pumping = False
        self._follows = False  # whether a call was made since something was heard
        self._burst = False  # whether calls wait for the end of this turn
        self._answered = False  # whether the process that runs gave any reply
        self._closed = asyncio.Event()
        self._running: asyncio.Task[None] | None = None
        self._deaths = 0  # one after another, each at once
        self._closing = False

    # -- for runs -------------------------------------------------------------------------------------------

    async def describe(self) -> DescribeListing | DescribeFailure:
        """What it serves, or why that is not known. Starts the process where none runs."""
        if self._listing is not None:
            return self._listing
        if self._closing:  # no process will answer
            return _CLOSED
        asker: asyncio.Future[DescribeListing | DescribeFailure] = asyncio.get_running_loop().create_future()
        self._askers.append(asker)
        self._need()
        return await asker

    async def fits(self, tools: Sequence[CallableTool]) -> list[Verdict]:
        """Whether it serves each of `tools` with the declaration's own fingerprint."""
        listing = await self.describe()
        if isinstance(listing, DescribeFailure):
            return [NoFit(tool, f"`{shown(self.key.command)}` {listing.sentence}") for tool in tools]
        served = Served(listing.data, fingerprints(listing), DATA_VERSION)
        verdicts: list[Verdict] = []
        for tool in tools:
            if served.unfit(tool.identity, tool.signature.fingerprint) is None:
                verdicts.append(Fits(tool, served.identity(tool.identity, tool.signature.fingerprint)))
            else:
                verdicts.append(NoFit(tool, unfit_reason(tool, listing, self.key.command)))
        return verdicts

    async def call(self, call: Call) -> CallOutcome:
        """The one outcome of `call`, whatever happens to the process."""
        if self._closing:
            return NotRun("The host is closed.")
        pair = call.pair
        if pair in self._outcomes:
            raise ValueError(f"A call is open already as {call.call!r} of run {call.run!r}.")
        waiter: asyncio.Future[CallOutcome] = asyncio.get_running_loop().create_future()
        self._outcomes[pair] = waiter
        opened = ledger.Call(
            *pair,
            call.types.ok,
            call.types.err,
            call.tool.identity,
            call.tool.signature.fingerprint,
            call.args,
            call.types.schema,
            call.types.types,
        )
        self._handle(self._ledger.open(opened))
        del call, opened  # while it waits the ledger alone holds what it needs of them
        self._need()
        self._pump_soon()
        try:
            return await waiter
        except asyncio.CancelledError:
            self.cancel(*pair)
            raise

    def cancel(self, run: str, call: str) -> None:
        """Asks to stop; the call is closed without a reply after the grace."""
        if (run, call) in self._outcomes:
            self._handle(self._ledger.cancel(run, call))
            loop = asyncio.get_running_loop()
            loop.call_later(self._limits.cancel_grace, self._close_call, (run, call), self._outcomes[run, call])

    async def close(self) -> None:
        """Ends the process: its input is closed, then it is terminated and killed. Open calls get their outcomes."""
        self._closing = True
        self._closed.set()
        if self._life is not None:
            self._life.stop()
        if self._running is not None:
            await asyncio.wait([self._running])
        self._answer(_CLOSED)
        self._handle(self._ledger.not_started("The host was closed."))

    # -- processes ------------------------------------------------------------------------------------------

    def _need(self) -> None:
        if self._running is None and not self._closing:
            self._running = asyncio.get_running_loop().create_task(self._run())
            self._running.add_done_callback(self._ran)

    def _is_needed(self) -> bool:
        return not self._closing and (bool(self._askers) or self._ledger.waits)

    async def _run(self) -> None:
        """Processes, one after another, for as long as one is needed."""
        while self._is_needed():
            await self._pause()
            if not self._closing:
                await self._one_process()

    def _ran(self, task: asyncio.Task[None]) -> None:
        self._running = None
        error = None if task.cancelled() else task.exception()
        if task.cancelled() or error is not None:  # a fault of ours must not leave a call without its outcome
            how = f"The host failed: {type(error).__name__}: {error}." if error is not None else "The host was stopped."
            self._life = None
            self._handle(self._ledger.ended(how))
            self._fail(DescribeFailure(FailureKind.NOT_STARTED, "was not asked, for the host failed."))
        if error is not None:
            raise error
        if self._is_needed():
            self._need()

    async def _pause(self) -> None:
        """Waits before a process is started again that died at once again and again."""
        if self._deaths > 1 and not self._closing:
            seconds = min(FIRST_PAUSE * 2 ** (self._deaths - 2), LONGEST_PAUSE)
            self._log(f"It ended at once {self._deaths} times, so it is started again in {seconds:g} s.")
            with suppress(TimeoutError):
                await asyncio.wait_for(self._closed.wait(), seconds)

    async def _one_process(self) -> None:
        started = time.monotonic()
        life = self._life = Life(
            self.key, self._limits.life, self._described, self._take, self._log, self._connect(), self._environment
        )
        self._answered = False
        how = await life.live()
        self._life = self._listing = self._in_pipe = None
        self._handle(self._ledger.ended(how))
        died_at_once = not self._answered and time.monotonic() - started < AT_ONCE
        self._deaths = self._deaths + 1 if died_at_once else 0

    def _described(self, answer: DescribeListing | DescribeFailure) -> None:
        """The process answered describe, or will not."""
        if isinstance(answer, DescribeFailure):
            self._fail(answer)
            return
        self._listing = answer
        self._answer(answer)
        self._handle(self._ledger.described(answer.data, fingerprints(answer)))
        self._pump()

    def _fail(self, failure: DescribeFailure) -> None:
        self._answer(failure)
        self._handle(self._ledger.not_started(f"`{shown(self.key.command)}` {failure.sentence}"))

    def _answer(self, answer: DescribeListing | DescribeFailure) -> None:
        askers, self._askers = self._askers, []
        for asker in askers:
            if not asker.done():
                asker.set_result(answer)

    def _take(self, events: Sequence[WireEvent]) -> None:
        self._follows = False
        if self._in_pipe is not None:  # what is answered was handed over, though other lines may wait behind it
            self._tell_handed(self._in_pipe)
        for event in events:
            if isinstance(event, _REPLIES):
                self._answered = True
                self._handle(self._ledger.reply(event))
            else:
                self._heard(event)

    # -- what an adapter does otherwise -------------------------------------------------------------------------

    def _connect(self) -> Wire:
        """What the bytes of the next process mean."""
        return HostConnection(self._limits.life.line)

    def _line(self, ready: ReadyCall) -> bytes | TooLong | IdUsed:
        """The line of a call."""
        return ready.line(self._limits.values.line_bytes)

    def _cancel_line(self, run: str, call: str) -> bytes:
        """The line that asks to stop a call that was begun."""
        return cancel_line(run, call)

    def _heard(self, event: WireEvent) -> None:
        """Something that is no reply."""

    # -- calls ------------------------------------------------------------------------------------------------

    def _pump_soon(self) -> None:
        """Begins a call at once; those that follow it before anything was heard, in each turn of the event loop
        together."""
        if not self._follows:
            self._follows = True
            self._pump()
        elif not self._burst:
            self._burst = True
            asyncio.get_running_loop().call_soon(self._end_burst)

    def _end_burst(self) -> None:
        self._burst = False
        self._pump()

    def _pump(self) -> None:
        """Begins calls, some lines after others, as long as the operating system takes them whole."""
        if self._pumping:
            return
        self._pumping = True
        try:
            while self._life is not None and self._in_pipe is None:
                ready = self._ledger.next_calls(BATCH_CALLS)
                if not ready or not self._begin(self._life, ready):
                    return
        finally:
            self._pumping = False

    def _begin(self, life: Life, ready: Sequence[ReadyCall]) -> bool:
        """Hands the lines of calls over, as many as are short; False where the process takes none any more."""
        in_pipe = InPipe()
        lines: list[bytes] = []
        for each in ready:
            pair = each.call.run, each.call.call
            line = self._line(each)
            if not isinstance(line, bytes):
                self._handle(self._ledger.refused(*pair, line))
                continue
            lines.append(line)
            if in_pipe.add(pair, len(line)) >= BATCH_BYTES:
                break
        if not lines:
            return True
        self._in_pipe = in_pipe
        piece = life.send(b"".join(lines), lambda _: self._handed(in_pipe))
        if piece is None:
            self._in_pipe = None
            return False
        in_pipe.piece = in_pipe.piece or piece
        if in_pipe.is_done:
            self._handed(in_pipe)
        return True

    def _handed(self, in_pipe: InPipe) -> None:
        """No more of these lines will be handed over; how much of them was, the piece says."""
        if in_pipe.piece is None:  # it was done before it could be given back
            in_pipe.is_done = True
            return
        self._tell_handed(in_pipe)
        if self._in_pipe is in_pipe:
            self._in_pipe = None
        begun = in_pipe.begun()
        if begun is not None and begun in self._outcomes:
            self._handle(self._ledger.begun(*begun))
        self._pump()

    def _tell_handed(self, in_pipe: InPipe) -> None:
        """Tells the ledger of the calls whose lines were handed over whole."""
        for run, call in in_pipe.whole():
            self._handle(self._ledger.sent(run, call))

    def _close_call(self, pair: Pair, waiter: asyncio.Future[CallOutcome]) -> None:
        """The grace of a cancelled call is over."""
        if self._outcomes.get(pair) is not waiter:
            return
        in_pipe = self._in_pipe
        if in_pipe is not None:
            self._tell_handed(in_pipe)
        if in_pipe is not None and in_pipe.piece is not None and in_pipe.waits(pair):
            if self._life is not None and self._life.withdraw(in_pipe.piece):
                self._in_pipe = None
            else:  # a part of what it goes with is on its way, and it will follow
                in_pipe.forget(pair)
                self._handle(self._ledger.begun(*pair))
        self._handle(self._ledger.close(*pair))
        self._pump()

    def _handle(self, events: list[LedgerEvent]) -> None:
        for event in events:
            if isinstance(event, Admitted):
                waiter = self._outcomes.pop((event.run, event.call), None)
                if waiter is not None and not waiter.done():
                    waiter.set_result(event.outcome)
            elif isinstance(event, Dropped):
                self._log(f"A reply to {event.call} of run {event.run} was dropped: {event.reason}.")
            elif self._life is not None:
                self._life.send(event.data)
