"""The other side of an MCP connection, in lines: what a server that is not to be had for real would write; and a host
that joins a connection to the ledger, which says what each call comes to."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from flow_lsp.codecs.codec import Codec, Codecs
from flow_lsp.protocol.call_outcomes import CallOutcome
from flow_lsp.protocol.ledger import Admitted, Call, Dropped, Ledger, LedgerEvent
from flow_lsp.protocol.mcp.connection import McpConnection, State
from flow_lsp.protocol.mcp.events import McpEvent
from flow_lsp.protocol.replies import FaultyReply, ReplyReceived
from flow_lsp.protocol.stream import Send
from flow_lsp.types.terms import Primitive, Term

ROOT_URI = "file:///srv/app"
INITIALIZE = "flow-lsp/initialize"
RUN = "run"

_CODECS = Codecs({}, builds_opaque=False)


def codec(term: Term) -> Codec:
    return _CODECS.codec(term)


ANY = codec(Primitive.JSON_VALUE)


def line(**members: Any) -> bytes:
    return json.dumps({"jsonrpc": "2.0", **members}, ensure_ascii=False).encode() + b"\n"


def result(request_id: Any, value: Any) -> bytes:
    return line(id=request_id, result=value)


def error(request_id: Any, code: int, message: str, **more: Any) -> bytes:
    return line(id=request_id, error={"code": code, "message": message, **more})


def tool(name: str, **members: Any) -> dict[str, Any]:
    return {"name": name, "inputSchema": {"type": "object"}, **members}


def initialized(revision: Any = "2025-11-25", tools: bool = True) -> bytes:
    capabilities = {"tools": {"listChanged": True}} if tools else {}
    info = {"name": "peer", "version": "7"}
    value = {"protocolVersion": revision, "capabilities": capabilities, "serverInfo": info}
    return result(INITIALIZE, value)


def page(number: int, *tools: Any, **more: Any) -> bytes:
    return result(f"flow-lsp/tools/list/{number}", {"tools": list(tools), **more})


def messages(lines: Sequence[bytes]) -> list[Any]:
    """What `lines` say; each is one line."""
    assert all(one.endswith(b"\n") and one.count(b"\n") == 1 for one in lines)
    return [json.loads(one) for one in lines]


def sent(events: Sequence[McpEvent]) -> list[Any]:
    """The messages among `events` that go to the server."""
    return messages([event.data for event in events if isinstance(event, Send)])


def opened(*names: str, revision: str = "2025-11-25", limit: int = 100_000) -> McpConnection:
    """A connection that is ready for calls of the tools of these names."""
    connection = McpConnection(ROOT_URI, (), limit)
    connection.receive(initialized(revision))
    connection.receive(page(1, *map(tool, names)))
    assert connection.state is State.READY
    return connection


class Host:
    """A connection that is ready, and the ledger of its calls. `outcomes` are in the order they came about, `told` what
    else the connection told, `lines` all that went to the server."""

    def __init__(self, connection: McpConnection | None = None, *, revision: str = "2025-11-25", limit: int = 100_000):
        self.connection = connection or opened("echo", revision=revision, limit=limit)
        self.ledger = Ledger()
        self.ledger.described("0.1", {})
        self.outcomes: list[tuple[str, CallOutcome]] = []
        self.dropped: list[str] = []
        self.told: list[McpEvent] = []
        self.lines: list[bytes] = []

    def call(self, *calls: str, ok: Codec = ANY, err: Codec = ANY, arguments: str = "{}", sent: bool = True) -> None:
        for call in calls:
            self._take(self.ledger.open(Call(RUN, call, ok, err)))
            made = self.connection.call_line(RUN, call, "echo", arguments)
            if not isinstance(made, bytes):
                self._take(self.ledger.refused(RUN, call, made))
                continue
            self.lines.append(made)
            self._take(self.ledger.begun(RUN, call))
            if sent:
                self._take(self.ledger.sent(RUN, call))

    def cancel(self, call: str) -> None:
        self._take(self.ledger.cancel(RUN, call), call)

    def close(self, call: str) -> None:
        self._take(self.ledger.close(RUN, call))

    def receive(self, *chunks: bytes) -> None:
        for chunk in chunks:
            self._hear(self.connection.receive(chunk))

    def end(self) -> None:
        self._hear(self.connection.end())
        self._take(self.ledger.ended())

    def _hear(self, events: list[McpEvent]) -> None:
        for event in events:
            if isinstance(event, ReplyReceived | FaultyReply):
                self._take(self.ledger.reply(event))
            elif isinstance(event, Send):
                self.lines.append(event.data)
            else:
                self.told.append(event)

    def _take(self, events: list[LedgerEvent], call: str = "") -> None:
        for event in events:
            if isinstance(event, Admitted):
                self.outcomes.append((event.call, event.outcome))
            elif isinstance(event, Dropped):
                self.dropped.append(event.call)
            else:  # a cancel, in the words of the Tool process protocol
                self.lines.append(self.connection.cancel_line(call))
