"""The other side of an MCP connection, in lines: what a server that is not to be had for real would write."""

from __future__ import annotations

import json
from typing import Any

from flow_lsp.codecs.codec import Codec, Codecs
from flow_lsp.protocol.call_outcomes import CallOutcome
from flow_lsp.protocol.mcp.connection import McpConnection, State
from flow_lsp.protocol.mcp.events import CallEnded, McpEvent, Send
from flow_lsp.types.terms import Primitive, Term

ROOT_URI = "file:///work/app"
INITIALIZE = "flow-lsp/initialize"

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


def sent(events: list[McpEvent]) -> list[Any]:
    """The messages among `events` that go to the server."""
    for event in events:
        if isinstance(event, Send):
            assert event.data.endswith(b"\n")
            assert event.data.count(b"\n") == 1
    return [json.loads(event.data) for event in events if isinstance(event, Send)]


def outcomes(events: list[McpEvent]) -> list[tuple[str, CallOutcome]]:
    return [(event.call, event.outcome) for event in events if isinstance(event, CallEnded)]


def opened(*names: str, revision: str = "2025-11-25", limit: int = 100_000) -> McpConnection:
    """A connection that is ready for calls of the tools of these names."""
    connection = McpConnection(ROOT_URI, limit)
    connection.start()
    connection.receive(initialized(revision))
    connection.receive(page(1, *map(tool, names)))
    assert connection.state is State.READY
    return connection
