"""What an MCP server said, as data: what is written is read back, and what is hostile is refused in a sentence."""

from __future__ import annotations

from typing import Any

import pytest
from support.mcp_answers import offering

from flow_lsp.protocol.mcp.listing import McpListing, read_mcp_listing, server_data, tool_data
from flow_lsp.protocol.mcp.tools import TOOLS_LIMIT

SERVER = {"name": "peer", "version": "7", "revision": "2025-11-25"}
TOOL: Any = {"name": "find", "inputSchema": {"type": "object"}}


@pytest.mark.parametrize(
    "entry",
    [
        TOOL,
        TOOL | {"title": "Find", "description": "a\nb", "outputSchema": {"type": "object", "x": [None, 1.5, "\u2028"]}},
        TOOL | {"title": "", "description": ""},
        TOOL | {"execution": {"taskSupport": "required"}},
    ],
)
def test_a_tool_that_is_written_is_read_back(entry: Any) -> None:
    listing = offering(entry)
    (tool,) = listing.tools
    assert tool_data(tool) == entry
    assert read_mcp_listing(server_data(listing), [tool_data(tool)]) == listing


def test_what_does_not_matter_here_is_not_kept() -> None:
    listing = offering(TOOL | {"annotations": {"title": "Find", "readOnlyHint": True}, "icons": [1], "outputSchema": 5})
    assert tool_data(listing.tools[0]) == TOOL | {"title": "Find"}


@pytest.mark.parametrize(
    ("name", "version", "server"),
    [("mcp-time", "1.2", "mcp-time 1.2"), ("mcp-time", "", "mcp-time"), ("", "", "a server without a name")],
)
def test_a_server_is_named_as_it_names_itself(name: str, version: str, server: str) -> None:
    assert offering(name=name, version=version).server == server


@pytest.mark.parametrize(
    ("server", "tools", "sentence"),
    [
        (None, [], "has no server with the texts name, version and revision."),
        (SERVER | {"version": 7}, [], "has no server with the texts name, version and revision."),
        ({"name": "peer", "version": "7"}, [], "has no server with the texts name, version and revision."),
        (SERVER | {"revision": "2099-01-01"}, [], "is of MCP 2099-01-01, and this host speaks MCP 2024-11-05, "),
        (SERVER | {"name": "x" * 3000}, [], "names a server in more than 2000 characters."),
        (SERVER, None, f"has no array of at most {TOOLS_LIMIT} tools."),
        (SERVER, [TOOL] * (TOOLS_LIMIT + 1), f"has no array of at most {TOOLS_LIMIT} tools."),
        (SERVER, [TOOL, TOOL], "lists the tool `find` twice."),
        (SERVER, [5], "holds a tool without a name, or without an inputSchema that is an object."),
        (SERVER, [{"name": "find"}], "holds a tool without a name, or without an inputSchema that is an object."),
    ],
)
def test_what_is_no_listing_is_said(server: Any, tools: Any, sentence: str) -> None:
    found = read_mcp_listing(server, tools)
    assert isinstance(found, str)
    assert found.startswith(sentence)


def test_what_readers_work_out_is_no_part_of_a_listing() -> None:
    one = offering(TOOL)
    one.worked_out["x"] = 1
    assert one == offering(TOOL)
    assert isinstance(one, McpListing)
