"""What a Tool's function may ask about the call that it answers."""

from __future__ import annotations

from contextvars import ContextVar
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from flow_lsp.toolkit.call_types import CallTypes

_current: ContextVar[CallContext] = ContextVar("flow_lsp_current_call")


class Cancelled(Protocol):
    """Set once the host asks to stop the call; a threading.Event."""

    def is_set(self) -> bool: ...
    def wait(self, timeout: float | None = None) -> bool: ...


class CallContext:
    """One call. `run` and `call` are its ids, together its only key; `tool` is the declaration's identity.

    `cancelled` is set once the host asks to stop. `answered_before` says that this process ran a call of this run and
    call before, and what came of it was not that nothing was done: a host sends a call again after a crash of its own.
    `types` are those of a generic Tool's call, and None for another.
    """

    __slots__ = ("answered_before", "call", "cancelled", "run", "tool", "types")

    def __init__(
        self, run: str, call: str, tool: str, cancelled: Cancelled, answered_before: bool, types: CallTypes | None
    ) -> None:
        self.run = run
        self.call = call
        self.tool = tool
        self.cancelled = cancelled
        self.answered_before = answered_before
        self.types = types


def current_call() -> CallContext:
    """The call that the present function answers, also on its thread, and in tasks that it started. Raises LookupError
    where there is none."""
    found = _current.get(None)
    if found is None:
        raise LookupError("No call is being answered here: current_call() is for the functions of Tools.")
    return found


def enter(context: CallContext) -> None:
    """Makes `context` the present one, for whoever runs in the present contextvars context."""
    _current.set(context)
