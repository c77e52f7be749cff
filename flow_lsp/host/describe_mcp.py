"""One describe run of an MCP server: the handshake, its tools page by page, and the end of its process.

Realizes "Adapters" and decisions 11 for what is asked before any call. What comes of it depends on no declaration.
"""

from __future__ import annotations

from collections.abc import Mapping

from flow_lsp.files.uris import uri_of
from flow_lsp.host.describe import DescribeLimits, DescribeRun
from flow_lsp.processes.programs import Program
from flow_lsp.protocol.mcp.connection import McpConnection
from flow_lsp.protocol.mcp.events import Initialized, Listed, McpEvent
from flow_lsp.protocol.mcp.listing import McpListing
from flow_lsp.protocol.mcp.revisions import ServerInfo
from flow_lsp.protocol.outcome import DescribeOutcome


async def describe_mcp(
    directory: str,
    words: tuple[str, ...],
    program: Program,
    *,
    timeout: float = 10.0,
    limits: DescribeLimits | None = None,
    environment: Mapping[str, str] | None = None,
) -> DescribeOutcome:
    """Asks the MCP server that `program`, the resolved first of `words`, is what tools it offers, running it in
    `directory`; all else as `describe_program`. The outcome has `mcp` where that has a listing."""
    limits = limits or DescribeLimits()
    run = _McpRun(McpConnection(uri_of(directory), (), limits.line))
    return await run.ask(directory, words, program, timeout, limits.ending, environment)


class _McpRun(DescribeRun):
    """Ends with the last page of the first list of tools."""

    _server: ServerInfo | None = None

    def _heard(self, event: McpEvent) -> None:
        if isinstance(event, Initialized):
            self._server = event.server
        elif isinstance(event, Listed) and self._server is not None:
            server = self._server
            self.mcp = McpListing(server.name, server.version, server.revision, event.tools, event.remarks)
