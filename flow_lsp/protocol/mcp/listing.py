"""What an MCP server said of itself and of its tools, as data: what a describe run of it comes to, is kept, and is
read back.

Realizes "Adapters" and decisions 11. It depends on no declaration, so that it says of any that a person types whether
the server has a tool for it. What was kept is as hostile as a server: it is checked in full again.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final

from flow_lsp.findings.model import shown
from flow_lsp.protocol.mcp.revisions import REVISIONS
from flow_lsp.protocol.mcp.tools import TOOLS_LIMIT, McpTool, read_tool
from flow_lsp.values.strict_json import Json, JsonObject

_SERVER: Final = ("name", "version", "revision")
_LONGEST: Final = 2_000  # characters of a name or version; a server's are cut long before


@dataclass(frozen=True, slots=True)
class McpListing:
    """A server's tools, complete, in its own order. `name` and `version` are what it calls itself, empty where it does
    not; `revision` is the one of MCP that is spoken; `remarks` are sentences about the list.

    `worked_out` is for readers, to keep what they make of it; it is no part of its value.
    """

    name: str
    version: str
    revision: str
    tools: tuple[McpTool, ...]
    remarks: tuple[str, ...] = ()
    worked_out: dict[object, object] = field(default_factory=dict, init=False, repr=False, compare=False)

    @property
    def server(self) -> str:
        """The server as a sentence names it, such as "mcp-time 2026.10.19"."""
        return " ".join(part for part in (self.name, self.version) if part) or "a server without a name"


def server_data(listing: McpListing) -> JsonObject:
    """Who the server is, as `read_mcp_listing` takes it."""
    return {"name": listing.name, "version": listing.version, "revision": listing.revision}


def tool_data(tool: McpTool) -> JsonObject:
    """One tool as a server lists it: what `read_tool` reads, and nothing else."""
    data: JsonObject = {"name": tool.name, "inputSchema": tool.input_schema}
    if tool.title is not None:
        data["title"] = tool.title
    if tool.description is not None:
        data["description"] = tool.description
    if tool.output_schema is not None:
        data["outputSchema"] = tool.output_schema
    if tool.needs_task:
        data["execution"] = {"taskSupport": "required"}
    return data


def read_mcp_listing(server: Json, tools: Json) -> McpListing | str:
    """The listing of which `server` is the `server_data` and `tools` are the `tool_data`; or why it is none, as a
    predicate of the listing with a full stop. Never raises; linear."""
    if not isinstance(server, dict) or not all(isinstance(server.get(member), str) for member in _SERVER):
        return "has no server with the texts name, version and revision."
    name, version, revision = (str(server[member]) for member in _SERVER)
    if len(name) > _LONGEST or len(version) > _LONGEST:
        return f"names a server in more than {_LONGEST} characters."
    if revision not in REVISIONS:
        return f"is of MCP {shown(revision)}, and this host speaks MCP {', '.join(REVISIONS)}."
    if not isinstance(tools, list) or len(tools) > TOOLS_LIMIT:
        return f"has no array of at most {TOOLS_LIMIT} tools."
    found: dict[str, McpTool] = {}
    for entry in tools:
        tool = read_tool(entry)
        if isinstance(tool, str):
            return "holds a tool without a name, or without an inputSchema that is an object."
        if tool.name in found:
            return f"lists the tool `{shown(tool.name)}` twice."
        found[tool.name] = tool
    return McpListing(name, version, revision, tuple(found.values()))
