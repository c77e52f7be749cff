"""Whatever an MCP server lists, what is kept of it is what it said, and what is read of anything never fails."""

from __future__ import annotations

from typing import Any

from hypothesis import given
from hypothesis import strategies as st
from strategies.json_strategies import json_values, mutated
from support.mcp_answers import heard, offering
from support.mcp_peer import initialized

from flow_lsp.analysis.changes import says_the_same
from flow_lsp.protocol.mcp.listing import McpListing, read_mcp_listing, server_data, tool_data
from flow_lsp.values.canonical import canonical_text
from flow_lsp.values.strict_json import read_json

SCHEMAS = st.dictionaries(st.sampled_from(["type", "properties", "required", "x", "$ref"]), json_values(), max_size=4)
ENTRIES = st.fixed_dictionaries(
    {"name": st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=8), "inputSchema": SCHEMAS},
    optional={
        "title": json_values(),
        "description": json_values(),
        "outputSchema": SCHEMAS | json_values(),
        "execution": st.fixed_dictionaries({"taskSupport": st.sampled_from(["required", "optional", 5])}) | st.none(),
    },
)


def listed(entries: list[Any]) -> McpListing:
    text = canonical_text({"jsonrpc": "2.0", "id": "flow-lsp/tools/list/1", "result": {"tools": entries}})
    outcome = heard(initialized(), text.encode() + b"\n")
    assert outcome.mcp is not None
    return outcome.mcp


def kept(listing: McpListing) -> McpListing | str:
    data = {"server": server_data(listing), "tools": [tool_data(tool) for tool in listing.tools]}
    read: Any = read_json(canonical_text(data))
    return read_mcp_listing(read["server"], read["tools"])


@given(st.lists(ENTRIES, max_size=4))
def test_what_is_kept_is_what_was_said_but_for_remarks(entries: list[Any]) -> None:
    listing = listed(entries)
    again = kept(listing)
    assert isinstance(again, McpListing)
    assert (again.server, again.revision, again.tools) == (listing.server, listing.revision, listing.tools)
    assert says_the_same(again, listing)


@given(mutated([{"server": server_data(offering()), "tools": [{"name": "a", "inputSchema": {}}]}], rounds=3))
def test_what_was_kept_and_changed_is_a_listing_or_a_sentence(value: Any) -> None:
    found = value[0] if isinstance(value, list) and value and isinstance(value[0], dict) else {}
    read = read_mcp_listing(found.get("server"), found.get("tools"))
    if isinstance(read, McpListing):
        assert kept(read) == read
    else:
        assert read.endswith(".")
