"""The calls that a process answers at once: each runs its function, and comes to exactly one outcome.

Calls and cancels arrive on the thread that reads, so that they are judged, and refused, also while a function blocks
the event loop. Async functions run as tasks of the loop, plain ones on threads; what a plain one returns that is to be
awaited goes on on the loop.

| happening | WAITING | RUNNING | DONE |
|---|---|---|---|
| its turn comes | RUNNING: the function begins | | nothing |
| a cancel | NotRun | the function is told | nothing |
| the function ends | | its outcome | nothing |
| the process ends | NotRun | told, and a little later Unknown | nothing |
"""

from __future__ import annotations

import asyncio
import os
import threading
from collections.abc import Awaitable, Callable, Iterable, Mapping
from contextlib import suppress
from contextvars import copy_context
from dataclasses import dataclass, field
from enum import Enum, auto
from functools import partial
from inspect import isawaitable, iscoroutinefunction
from typing import Any, Final

from flow_lsp.findings.model import shown
from flow_lsp.protocol.call_outcomes import NotRun, SentOutcome, Unknown
from flow_lsp.protocol.serving import CallReceived, CancelReceived, ServingConnection, ServingEvent
from flow_lsp.protocol.stream import Noise, Send
from flow_lsp.toolkit.context import CallContext, enter
from flow_lsp.toolkit.outcomes import outcome_of
from flow_lsp.toolkit.remembering import AnsweredCalls
from flow_lsp.toolkit.served import PreparedCall, ServedTools, error_text
from flow_lsp.toolkit.streams import is_forked, report, say
from flow_lsp.toolkit.threads import FunctionThreads
from flow_lsp.toolkit.writing import Writer

_CANCELLED: Final = NotRun("The call was cancelled before its function began.")
_ENDING: Final = NotRun("The process was ending, and the function was not begun.")
_ENDED: Final = Unknown("The process ended while the function ran.")
_DROPPED: Final = NotRun("The task that was to run the function was cancelled before.")
_LOST: Final = Unknown("The function's task was ended from outside.")


class State(Enum):
    """Where a call is."""

    WAITING = auto()  # for a thread, or for the event loop
    RUNNING = auto()
    DONE = auto()


@dataclass(eq=False, slots=True)
class OpenCall:
    """One call that has no outcome yet. `task` runs it where it runs on the event loop."""

    prepared: PreparedCall
    function: Callable[..., Any]
    context: CallContext
    cancelled: threading.Event
    state: State = State.WAITING
    task: asyncio.Task[None] | None = field(default=None)

    @property
    def pair(self) -> tuple[str, str]:
        """What it is known by."""
        return self.context.run, self.context.call


class Calls:
    """All calls of one process. `loop` runs on some thread; `receive` is for one thread at a time."""

    def __init__(
        self,
        tools: ServedTools,
        functions: Mapping[str, Callable[..., Any]],
        connection: ServingConnection,
        writer: Writer,
        loop: asyncio.AbstractEventLoop,
    ) -> None:
        self._tools = tools
        self._functions = {tool: (function, is_async(function)) for tool, function in functions.items()}
        self._connection = connection
        self._writer = writer
        self._loop = loop
        self._threads = FunctionThreads()
        self._answered = AnsweredCalls()
        self._changed = threading.Condition(threading.RLock())  # of all that follows, and of the connection
        self._open: dict[tuple[str, str], OpenCall] = {}
        self._ending = False

    def receive(self, data: bytes) -> None:
        """The next bytes of standard input."""
        with self._changed:
            events = self._connection.receive(data)
        self._handle(events)

    def end_of_input(self) -> None:
        """No more bytes will come."""
        with self._changed:
            events = self._connection.end()
        self._handle(events)

    def end(self, grace: float, last: float) -> list[str]:
        """Ends all calls: they have `grace` seconds to end by themselves, and `last` ones more once they were told to.
        The functions that still run are named; no function is begun any more."""
        with self._changed:
            self._ending = True
            self._changed.wait_for(self._is_idle, grace)
            for call in list(self._open.values()):
                if call.state is State.WAITING:
                    self._finish(call, _ENDING)
                else:
                    self._tell(call)
            self._changed.wait_for(self._is_idle, last)
            left = list(self._open.values())
            for call in left:
                self._finish(call, _ENDED)
        return [call.prepared.name for call in left]

    def _is_idle(self) -> bool:
        return not self._open

    # -- what arrives -----------------------------------------------------------------------------------------

    def _handle(self, events: Iterable[ServingEvent]) -> None:
        begun: list[OpenCall] = []
        for event in events:
            if isinstance(event, CallReceived):
                call = self._arrived(event)
                if call is not None:
                    begun.append(call)
            elif isinstance(event, CancelReceived):
                self._cancel((event.run, event.call))
            elif isinstance(event, Send):
                self._writer.send(event.data)
            elif isinstance(event, Noise):
                say(f"line {event.number} of standard input is no message ({event.reason}): {event.text}")
        if begun:
            self._on_loop(self._start, begun)

    def _arrived(self, received: CallReceived) -> OpenCall | None:
        """The call, where it is to run on the event loop."""
        prepared = self._prepared(received)
        pair = received.run, received.call
        with self._changed:
            if self._ending or isinstance(prepared, NotRun):
                self._reply(pair, _ENDING if self._ending else prepared)  # type: ignore[arg-type]
                return None
            function, is_async = self._functions[prepared.tool]
            cancelled = threading.Event()
            before = self._answered.has(pair)
            context = CallContext(*pair, prepared.tool, cancelled, before, prepared.types)
            call = self._open[pair] = OpenCall(prepared, function, context, cancelled)
        if is_async:
            return call
        self._threads.do(partial(self._run_plain, call))
        return None

    def _prepared(self, received: CallReceived) -> PreparedCall | NotRun:
        try:
            return self._tools.prepare(received)
        except Exception as error:  # a fault of this package, or no memory: no function has run
            report("A call could not be read.", error)
            return NotRun(f"The call could not be read: {error_text(error)}")

    def _cancel(self, pair: tuple[str, str]) -> None:
        with self._changed:
            call = self._open.get(pair)
            if call is None:
                return
            if call.state is State.WAITING:
                self._finish(call, _CANCELLED)
            else:
                self._tell(call)

    def _tell(self, call: OpenCall) -> None:
        """Tells a function that runs to stop."""
        call.cancelled.set()
        if call.task is not None:
            self._on_loop(call.task.cancel)

    # -- functions --------------------------------------------------------------------------------------------

    def _begin(self, call: OpenCall, task: asyncio.Task[None] | None = None) -> bool:
        """Whether the function of `call` runs from now on; not where the call has its outcome already."""
        with self._changed:
            if call.state is State.DONE:
                return False
            call.state = State.RUNNING
            call.task = task
            if task is not None and call.cancelled.is_set():
                task.cancel()  # told while its function ran on a thread
            return True

    def _run_plain(self, call: OpenCall) -> None:
        """Runs a plain function on the present thread, in a context of its own."""
        copy_context().run(self._run_here, call)

    def _run_here(self, call: OpenCall) -> None:
        if not self._begin(call):
            return
        enter(call.context)
        try:
            value = call.function(**call.prepared.arguments)
            if isawaitable(value):
                self._on_loop(self._go_on, call, value)
                return
        except BaseException as error:
            outcome = outcome_of(call.prepared, call.cancelled, error)
        else:
            self._writer.wait_for_room()
            outcome = call.prepared.returned(value)
        self._finish(call, outcome)

    def _start(self, calls: Iterable[OpenCall]) -> None:
        for call in calls:
            self._watch(call, self._run_task(call, None))

    def _go_on(self, call: OpenCall, awaitable: Awaitable[Any]) -> None:
        self._watch(call, self._run_task(call, awaitable))

    def _watch(self, call: OpenCall, running: Any) -> None:
        """Has a task run; whatever becomes of it, the call gets its outcome."""
        task = self._loop.create_task(running)
        task.add_done_callback(lambda _: self._finish(call, _DROPPED if call.state is State.WAITING else _LOST))

    async def _run_task(self, call: OpenCall, awaitable: Awaitable[Any] | None) -> None:
        if not self._begin(call, asyncio.current_task()):
            return
        enter(call.context)
        try:
            value = await (call.function(**call.prepared.arguments) if awaitable is None else awaitable)
        except GeneratorExit:
            raise  # the task is thrown away
        except BaseException as error:  # also what would end the event loop: it is the function's own
            outcome = outcome_of(call.prepared, call.cancelled, error)
        else:
            if not self._writer.has_room:
                await self._room()
            outcome = call.prepared.returned(value)
        self._finish(call, outcome)

    async def _room(self) -> None:
        """Waits until the host has read more; not where this is cancelled."""
        with suppress(asyncio.CancelledError):
            while True:
                ready = asyncio.Event()
                if self._writer.when_room(partial(self._on_loop, ready.set)):
                    return
                await ready.wait()

    def _on_loop(self, do: Callable[..., Any], *arguments: Any) -> None:
        with suppress(RuntimeError):  # the loop is closed: everything has its outcome
            self._loop.call_soon_threadsafe(do, *arguments)

    # -- outcomes ---------------------------------------------------------------------------------------------

    def _finish(self, call: OpenCall, outcome: SentOutcome) -> None:
        """`outcome` is that of `call`, unless it has one."""
        if is_forked():  # the function forked, and this is its other half: no lock here can be trusted
            os._exit(0)
        with self._changed:
            if call.state is State.DONE:
                return
            call.state = State.DONE
            call.task = None
            del self._open[call.pair]
            if not isinstance(outcome, NotRun):
                self._answered.add(call.pair)
            self._reply(call.pair, outcome)
            if not self._open:
                self._changed.notify_all()

    def _reply(self, pair: tuple[str, str], outcome: SentOutcome) -> None:
        self._writer.send(self._connection.reply(*pair, outcome))


def is_async(function: Callable[..., Any]) -> bool:
    """Whether calling `function` gives a coroutine, and needs no thread."""
    return iscoroutinefunction(function) or iscoroutinefunction(getattr(type(function), "__call__", None))  # noqa: B004


def running_text(names: Iterable[str]) -> str:
    """The functions `names` in a few words."""
    different = list(dict.fromkeys(f"`{shown(name)}`" for name in names))
    return ", ".join(different[:8]) + (f" and {len(different) - 8} more" if len(different) > 8 else "")
