"""What is written to a server is what MCP's own types take, in every revision that is spoken."""

from __future__ import annotations

import pytest
from mcp_types.methods import parse_client_notification, parse_client_request, parse_client_result
from support.mcp_peer import ROOT_URI, initialized, line, messages, page, tool

from flow_lsp.protocol.mcp.connection import McpConnection
from flow_lsp.protocol.mcp.revisions import REVISIONS
from flow_lsp.protocol.stream import Send


@pytest.mark.parametrize("revision", REVISIONS)
def test_each_message_is_one_of_the_revision(revision: str) -> None:
    connection = McpConnection(ROOT_URI)
    lines = [connection.request()]

    def receive(data: bytes) -> None:
        lines.extend(event.data for event in connection.receive(data) if isinstance(event, Send))

    receive(initialized(revision))
    receive(page(1, tool("echo"), nextCursor="next"))
    receive(page(2))
    made = connection.call_line("run", "c-1", "echo", '{"a":[1.5]}')
    assert isinstance(made, bytes)
    lines += [made, connection.cancel_line("c-1")]
    asked = {1: "ping", 2: "roots/list"}
    for number, method in asked.items():
        receive(line(id=number, method=method))
    seen = []
    for message in messages(lines):
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
