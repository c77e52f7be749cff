"""What answers calls, as a run sees it: one interface for processes, MCP servers and functions of the host itself."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol, TypeAlias

from flow_lsp.host.calling import Call, CallableTool
from flow_lsp.protocol.call_outcomes import CallOutcome


@dataclass(frozen=True, slots=True)
class Fits:
    """The implementation serves the declaration, under the identity `listed`, and it fits."""

    tool: CallableTool
    listed: str


@dataclass(frozen=True, slots=True)
class NoFit:
    """The implementation cannot answer the declaration; `reason` is a sentence that says why."""

    tool: CallableTool
    reason: str


Verdict: TypeAlias = Fits | NoFit


class Implementation(Protocol):
    """Something that answers calls. Whoever makes one closes it."""

    async def fits(self, tools: Sequence[CallableTool]) -> list[Verdict]:
        """Whether it can answer `tools`, one verdict for each, in their order. Starts what must run for that."""
        ...

    async def call(self, call: Call) -> CallOutcome:
        """The one outcome of `call`. Cancelling the task that waits asks the implementation to stop the call."""
        ...

    def cancel(self, run: str, call: str) -> None:
        """Asks to stop the call of that pair, if it is open. It proves nothing: `call` still gives the outcome, which
        is Unknown where no reply comes within the grace and the call may have happened."""
        ...

    async def close(self) -> None:
        """Ends what it runs; nothing is left when this returns. Calls that are open get their outcomes."""
        ...
