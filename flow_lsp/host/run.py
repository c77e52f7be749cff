"""Runs: all Tools that are reached are bound and fit before anything is sent; then calls are made.

Realizes "Binding": a declaration without a binding, or one that does not fit, refuses the run before anything is
recorded, and nothing is bound lazily. Resume and nested runs may pass the same Host again.
"""

from __future__ import annotations

import asyncio
import itertools
import uuid
from collections.abc import Coroutine, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from flow_lsp.host.calling import Call, CallableTool, CallRefused, CallTypes, Prepared, prepare_json, prepare_values
from flow_lsp.host.implementing import Fits, Implementation, NoFit
from flow_lsp.protocol.call_outcomes import CallOutcome, NotRun
from flow_lsp.values.strict_json import Json


@dataclass(frozen=True, slots=True)
class BoundTool:
    """A declared Tool, and what answers it; None where nothing does, for `reason`, a sentence."""

    tool: CallableTool
    implementation: Implementation | None
    reason: str = ""


@dataclass(frozen=True, slots=True)
class RunRefused:
    """A run that does not start: every declaration that stands in its way, with the reason."""

    problems: tuple[NoFit, ...]

    @property
    def sentence(self) -> str:
        """All of it, as a person reads it."""
        lines = [f"{problem.tool.identity}: {problem.reason}" for problem in self.problems]
        return "The run is refused.\n" + "\n".join(lines)


class Run:
    """One run: its id, and the Tools that it may call. Made by `start_run`."""

    def __init__(self, run_id: str, bound: Mapping[str, tuple[CallableTool, Implementation]]) -> None:
        self.id = run_id
        self._bound = bound
        self._numbers = itertools.count(1)

    @property
    def tools(self) -> Mapping[str, CallableTool]:
        """The Tools that may be called, by identity."""
        return {identity: tool for identity, (tool, _) in self._bound.items()}

    # No coroutine of its own: ten thousand calls may wait, and the collector goes through all that each holds.
    def call(
        self, identity: str, arguments: Mapping[str, Any], *, call_id: str | None = None, types: CallTypes | None = None
    ) -> Coroutine[Any, Any, CallOutcome]:
        """Calls the Tool `identity` with Python values by name. `types` are those of a generic call.

        Raises KeyError for a Tool that the run does not reach. Arguments that are no values of the parameters'
        types make it NotRun. Cancelling the task that waits asks the implementation to stop.
        """
        tool, implementation = self._bound[identity]
        call = prepare_values(self.id, call_id or self.next_id(), tool, types or tool.types, arguments)
        return self.send(call) if isinstance(call, CallRefused) else implementation.call(call)

    async def call_json(
        self, identity: str, args: Json, *, call_id: str | None = None, types: CallTypes | None = None
    ) -> CallOutcome:
        """The same with the arguments as a JSON object, as read_json gives it."""
        tool = self._bound[identity][0]
        return await self.send(prepare_json(self.id, call_id or self.next_id(), tool, types or tool.types, args))

    async def send(self, call: Prepared) -> CallOutcome:
        """The outcome of a call that was made ready."""
        if isinstance(call, CallRefused):
            at = f" (at {call.pointer})" if call.pointer else ""
            return NotRun(f"{call.sentence.rstrip('.')}{at}.")
        return await self._bound[call.tool.identity][1].call(call)

    def cancel(self, call: Call) -> None:
        """Asks to stop a call that was sent; its outcome still comes."""
        self._bound[call.tool.identity][1].cancel(*call.pair)

    def next_id(self) -> str:
        """An id for the next call, of this run alone."""
        return f"call-{next(self._numbers)}"


async def start_run(tools: Sequence[BoundTool], run_id: str | None = None) -> Run | RunRefused:
    """The run that may call `tools`, or why it is refused. Implementations are started and asked at the same time."""
    problems: dict[str, NoFit] = {}
    by_implementation: dict[int, tuple[Implementation, list[CallableTool]]] = {}
    for each in tools:
        if each.implementation is None:
            problems[each.tool.identity] = NoFit(each.tool, each.reason or "Nothing is bound to it.")
            continue
        by_implementation.setdefault(id(each.implementation), (each.implementation, []))[1].append(each.tool)
    groups = list(by_implementation.values())
    answers = await asyncio.gather(*(implementation.fits(asked) for implementation, asked in groups))
    bound: dict[str, tuple[CallableTool, Implementation]] = {}
    for (implementation, _), verdicts in zip(groups, answers, strict=True):
        for verdict in verdicts:
            if isinstance(verdict, Fits):
                bound[verdict.tool.identity] = (verdict.tool, implementation)
            else:
                problems[verdict.tool.identity] = verdict
    if problems:
        return RunRefused(tuple(problems[each.tool.identity] for each in tools if each.tool.identity in problems))
    return Run(run_id or new_run_id(), bound)


def new_run_id() -> str:
    """An id that no other run has."""
    return uuid.uuid4().hex
