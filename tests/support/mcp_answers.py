"""What is known of an MCP server that lists these tools, or writes these lines."""

from __future__ import annotations

import json
from typing import Any

from support.mcp_peer import INITIALIZE, ROOT_URI, page, result

from flow_lsp.analysis.snapshot import Described, Standing
from flow_lsp.protocol.describe import Refused
from flow_lsp.protocol.mcp.connection import McpConnection
from flow_lsp.protocol.mcp.events import Initialized, Listed
from flow_lsp.protocol.mcp.listing import McpListing
from flow_lsp.protocol.outcome import DescribeFailure, DescribeOutcome, FailureKind
from flow_lsp.protocol.stream import Noise


def offering(*tools: Any, name: str = "peer", version: str = "7") -> McpListing:
    """The listing of a server with these tools: names, or entries of tools/list."""
    outcome = heard(*lines(*tools, name=name, version=version))
    assert outcome.mcp is not None
    return outcome.mcp


def offers(*tools: Any, standing: Standing = Standing.CURRENT, as_of: str = "12:00:00", **server: str) -> Described:
    """A server that answers so, as `offering`; another `revision` is one that cannot be spoken."""
    return Described(standing, heard(*lines(*tools, **server)), as_of)


def says(*written: bytes) -> Described:
    """A server that wrote these lines and ended."""
    return Described(Standing.CURRENT, heard(*written), "12:00:00")


def of_page(language: str, body: str) -> Described:
    """What a page's block says of a server: in JSON what it lists and calls itself, otherwise what it writes."""
    if language != "json":
        return says(*(line.encode() + b"\n" for line in body.splitlines()))
    members = json.loads(body)
    return offers(*members.pop("tools", []), **members)


def lines(*tools: Any, name: str = "peer", version: str = "7", revision: str = "2025-11-25") -> list[bytes]:
    """What the server writes."""
    info = {"name": name, "version": version}
    opening = {"protocolVersion": revision, "capabilities": {"tools": {}}, "serverInfo": info}
    entries = [{"name": each, "inputSchema": {"type": "object"}} if isinstance(each, str) else each for each in tools]
    return [result(INITIALIZE, opening), page(1, *entries)]


def heard(*written: bytes) -> DescribeOutcome:
    """What a describe run makes of these lines."""
    connection = McpConnection(ROOT_URI)
    server = mcp = failure = None
    noise = []
    for line in written:
        for event in connection.receive(line):
            if isinstance(event, Initialized):
                server = event.server
            elif isinstance(event, Listed):
                assert server is not None
                mcp = McpListing(server.name, server.version, server.revision, event.tools, event.remarks)
            elif isinstance(event, Refused):
                failure = event.failure
            elif isinstance(event, Noise):
                noise.append(event.text)
    if mcp is None and failure is None:
        failure = DescribeFailure(FailureKind.EXITED, "ended with exit status 1 before it answered.")
    return DescribeOutcome(None, failure, tuple(noise), noise_count=len(noise), stderr_tail=("a log line",), mcp=mcp)
