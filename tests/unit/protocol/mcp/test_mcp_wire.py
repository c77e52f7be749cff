"""What is written to a server is what MCP's own types take, in every revision that is spoken."""

from __future__ import annotations

import json
from typing import Any

import pytest
from mcp_types.methods import parse_client_notification, parse_client_request, parse_client_result
from support.mcp_peer import ANY, ROOT_URI, initialized, line, page, tool

from flow_lsp.protocol.mcp.connection import McpConnection
from flow_lsp.protocol.mcp.events import McpEvent, Send
from flow_lsp.protocol.mcp.revisions import REVISIONS


@pytest.mark.parametrize("revision", REVISIONS)
def test_each_message_is_one_of_the_revision(revision: str) -> None:
    connection = McpConnection(ROOT_URI)
    events: list[McpEvent] = [*connection.start(), *connection.receive(initialized(revision))]
    events += connection.receive(page(1, tool("echo"), nextCursor="next"))
    events += connection.receive(page(2))
    events += connection.call("c-1", "echo", '{"a":[1.5]}', ANY, ANY)
    events += connection.cancel("c-1")
    asked = {1: "ping", 2: "roots/list"}
    for number, method in asked.items():
        events += connection.receive(line(id=number, method=method))
    seen = []
    for event in events:
        if not isinstance(event, Send):
            continue
        message: dict[str, Any] = json.loads(event.data)
        assert message.pop("jsonrpc") == "2.0"
        if "method" not in message:
            parse_client_result(asked[message["id"]], revision, message["result"])
            assert message.keys() == {"id", "result"}
        elif "id" in message:
            parse_client_request(message["method"], revision, message.get("params"))
            assert isinstance(message["id"], str)
        else:
            parse_client_notification(message["method"], revision, message.get("params"))
        seen.append(message.get("method", "answer"))
    assert seen == [
        *("initialize", "notifications/initialized", "tools/list", "tools/list", "tools/call"),
        *("notifications/cancelled", "answer", "answer"),
    ]
