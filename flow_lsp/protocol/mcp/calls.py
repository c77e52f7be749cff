"""The calls of one connection: which are open, and the one outcome of each.

| event | open, not sent | open, sent | ended or closed |
|---|---|---|---|
| a response | its outcome | its outcome | dropped |
| closed without one, or the process ended | NotRun | Unknown | - |
"""

from __future__ import annotations

from dataclasses import dataclass

from flow_lsp.codecs.codec import Codec
from flow_lsp.protocol.call_outcomes import BadReply, CallOutcome, NotRun, Unknown
from flow_lsp.protocol.lines import ProtocolMisuse
from flow_lsp.protocol.mcp.events import CallEnded, Dropped
from flow_lsp.protocol.mcp.results import admitted, refused_call
from flow_lsp.values.limits import Limits
from flow_lsp.values.strict_json import Json


@dataclass(slots=True)
class _OpenCall:
    ok: Codec
    err: Codec
    sent: bool = False
    cancelled: bool = False


class Calls:
    """Calls by their ids. An id is never used twice on one connection."""

    def __init__(self, limits: Limits) -> None:
        self._limits = limits
        self._open: dict[str, _OpenCall] = {}
        self._used: set[str] = set()

    def open(self, call: str, ok: Codec, err: Codec) -> None:
        """Opens `call`; raises ProtocolMisuse where its id was used before."""
        self.use(call)
        self._open[call] = _OpenCall(ok, err)

    def use(self, call: str) -> None:
        """Takes the id of a call that is not made; raises ProtocolMisuse where it was used before."""
        if call in self._used:
            raise ProtocolMisuse(f"The call id {call!r} was used before.")
        self._used.add(call)

    def sent(self, call: str) -> None:
        """All of the call's line was handed to the operating system."""
        if call in self._open:
            self._open[call].sent = True

    def cancel(self, call: str) -> bool:
        """Whether a cancel is to be sent: for an open call, once."""
        found = self._open.get(call)
        if found is None or found.cancelled:
            return False
        found.cancelled = True
        return True

    def is_open(self, call: str) -> bool:
        """Whether the call has no outcome yet."""
        return call in self._open

    def was_used(self, call: str) -> bool:
        """Whether there is or was such a call."""
        return call in self._used

    def open_calls(self) -> list[str]:
        """The open calls in the order they were made."""
        return list(self._open)

    def result(self, call: str, result: Json) -> CallEnded | Dropped:
        """A response with a result."""
        found = self._open.get(call)
        if found is None:
            return Dropped(call)
        return self.end(call, admitted(result, found.ok, found.err, self._limits))

    def error(self, call: str, code: str, message: str) -> CallEnded | Dropped:
        """A response with an error."""
        return self.end(call, refused_call(code, message))

    def bad(self, call: str, reason: str) -> CallEnded | Dropped:
        """A response that cannot be read; `reason` is a clause."""
        return self.end(call, BadReply(f"The server's answer cannot be read: {reason}."))

    def lost(self, call: str, why: str) -> CallEnded | Dropped:
        """There will be no response to `call`, an open one, since `why`, a clause."""
        if self._open[call].sent:
            return self.end(call, Unknown(f"The call reached the server and was not answered: {why}."))
        return self.end(call, NotRun(f"The call did not reach the server: {why}."))

    def end(self, call: str, outcome: CallOutcome) -> CallEnded | Dropped:
        """Gives `call` its outcome, unless it has one."""
        if self._open.pop(call, None) is None:
            return Dropped(call)
        return CallEnded(call, outcome)
