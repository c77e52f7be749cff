"""The ids of one connection's calls: which are open, and whose call each is.

An id counts once on a connection (MCP's own rule), so that no late answer to one call is taken for another's. Of the
calls that wait no more the last `REMEMBERED` are remembered: a connection lives as long as its run, and must not grow
with it. An answer that comes later than that answers nothing.
"""

from __future__ import annotations

from collections import deque
from typing import Final

from flow_lsp.values.strict_json import Json

REMEMBERED: Final = 10_000  # that is 2 MB, and more calls than are made while a cancelled one may still be answered


class CallIds:
    """See the module's rules."""

    def __init__(self) -> None:
        self._runs: dict[str, str] = {}  # the run of each call
        self._open: set[str] = set()  # the calls that wait for their answers
        self._closed: deque[str] = deque()  # the others that are remembered

    def may_be_used(self, run: str, call: str) -> bool:
        """Whether a line may be made of the call. It may be made again while the call is open: its owner does that
        where of the line before nothing was handed over."""
        known = self._runs.get(call)
        return known is None or (known == run and call in self._open)

    def use(self, run: str, call: str) -> None:
        """A line was made of the call."""
        self._runs[call] = run
        self._open.add(call)

    def run_of(self, request_id: Json) -> str | None:
        """The run of the call with that id, open or remembered; None where there is none."""
        return self._runs.get(request_id) if isinstance(request_id, str) else None

    def is_open(self, request_id: Json) -> bool:
        """Whether the call with that id waits for its answer."""
        return isinstance(request_id, str) and request_id in self._open

    def close(self, call: str) -> None:
        """The call was answered, cancelled or given up; changes nothing where it is not open."""
        if call in self._open:
            self._open.discard(call)
            self._closed.append(call)
            if len(self._closed) > REMEMBERED:
                del self._runs[self._closed.popleft()]
