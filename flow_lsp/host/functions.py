"""Python functions of the host's own program as implementations: what an embedding application registers.

"An in-process implementation satisfies this file by exchanging the same fields as values": the function is given the
arguments by name as Python values (see `codecs.data`) and returns the success value. It raises `ToolFailed` and
`ToolNotRun` as an implementation in a process of its own does (see `toolkit`).
"""

from __future__ import annotations

import asyncio
import inspect
from collections.abc import Callable, Sequence
from typing import Any

from flow_lsp.codecs.codec import Codec
from flow_lsp.codecs.refusals import ValueRefused
from flow_lsp.findings.model import shown
from flow_lsp.host.calling import Call, CallableTool
from flow_lsp.host.implementing import Fits, Verdict
from flow_lsp.protocol.call_outcomes import BadReply, CallOutcome, Failed, NotRun, Ok, Unknown
from flow_lsp.toolkit.failures import ToolFailed, ToolNotRun


class FunctionImplementation:
    """One function that answers one Tool. It runs as a coroutine, or, where it is none, on a thread."""

    def __init__(self, function: Callable[..., Any]) -> None:
        self._function = function
        self._open: dict[tuple[str, str], asyncio.Task[Any]] = {}

    async def fits(self, tools: Sequence[CallableTool]) -> list[Verdict]:
        """It is bound by whoever wrote it: it fits what it is registered for."""
        return [Fits(tool, tool.identity) for tool in tools]

    async def call(self, call: Call) -> CallOutcome:
        """Calls the function. What it returns is checked as a reply is; an exception is Unknown, for what was done
        before it is not known."""
        task = asyncio.ensure_future(self._called(call))
        self._open[call.pair] = task
        try:
            value = await task
        except ToolFailed as failed:
            return _checked(call.types.err, failed.error, Failed)
        except ToolNotRun as not_run:
            return NotRun(str(not_run) or "The function did not run.")
        except asyncio.CancelledError:
            if task.cancelled() and not _is_being_cancelled():
                return Unknown("The function was stopped while it ran.")
            raise
        except Exception as error:
            return Unknown(f"The function raised {type(error).__name__}: {shown(str(error))}")
        finally:
            self._open.pop(call.pair, None)
        return _checked(call.types.ok, value, Ok)

    def cancel(self, run: str, call: str) -> None:
        """Cancels the coroutine. A function on a thread goes on; its outcome is Unknown all the same."""
        task = self._open.get((run, call))
        if task is not None:
            task.cancel()

    async def close(self) -> None:
        """Cancels what still runs and waits for it."""
        open_tasks = list(self._open.values())
        for task in open_tasks:
            task.cancel()
        if open_tasks:
            await asyncio.wait(open_tasks)

    async def _called(self, call: Call) -> Any:
        if inspect.iscoroutinefunction(self._function):
            return await self._function(**call.values)
        result = await asyncio.to_thread(self._function, **call.values)
        return await result if inspect.isawaitable(result) else result


def _checked(codec: Codec, value: Any, kind: type[Ok] | type[Failed]) -> CallOutcome:
    """The outcome with `value`, where that is one of the declared type."""
    try:
        return kind(codec.encode(value), value)
    except ValueRefused as refused:
        at = f" (at {shown(refused.pointer)})" if refused.pointer else ""
        return BadReply(
            f"The function's {kind.__name__} value is not one of the declared type: {refused.sentence.rstrip('.')}{at}."
        )


def _is_being_cancelled() -> bool:
    current = asyncio.current_task()
    return current is not None and current.cancelling() > 0
