"""What an MCP server offers, ready to be asked about: its tools by name, and what was found out of them before.

As `served` is of a listing of declarations: worked out once of each, and kept beside it for as long as it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from flow_lsp.findings.model import shown
from flow_lsp.protocol.mcp.compared import Advice, compared
from flow_lsp.protocol.mcp.listing import McpListing
from flow_lsp.protocol.mcp.offers import OfferedTools
from flow_lsp.protocol.mcp.tools import McpTool

if TYPE_CHECKING:
    from flow_lsp.signature.signature import Signature

SHOWN_NAMES = 5
MOST_KEPT = 2_000  # answers that are kept of one listing


class Offered:
    """A server's tools. Made by `offered`, which makes one of each listing."""

    def __init__(self, listing: McpListing) -> None:
        self._tools = OfferedTools(listing.tools)
        self._near: dict[str, str | None] = {}
        self._advice: dict[tuple[str, str], tuple[Advice, ...]] = {}

    def tool(self, name: str) -> McpTool | None:
        """The tool of that very name."""
        return self._tools.by_name.get(name)

    def nearest(self, name: str) -> str | None:
        """The tool that may have been meant by `name`, which no tool has."""
        if name not in self._near:
            if len(self._near) >= MOST_KEPT:
                self._near.clear()
            self._near[name] = self._tools.nearest(name)
        return self._near[name]

    def names_text(self) -> str:
        """The first names, and how many more there are."""
        names = list(self._tools.by_name)
        first = ", ".join(f"`{shown(name)}`" for name in names[:SHOWN_NAMES])
        return first + (f" and {len(names) - SHOWN_NAMES} more" if len(names) > SHOWN_NAMES else "")

    def advice(self, signature: Signature, tool: McpTool) -> Sequence[Advice]:
        """What is to be said of a declaration with `signature` beside the tool that answers it."""
        key = signature.fingerprint, tool.name
        known = self._advice.get(key)
        if known is None:
            if len(self._advice) >= MOST_KEPT:
                self._advice.clear()
            known = self._advice[key] = compared(signature.served, tool)
        return known


def offered(listing: McpListing) -> Offered:
    """`listing` by name, worked out once."""
    known = listing.worked_out.get(Offered)
    if not isinstance(known, Offered):
        known = listing.worked_out[Offered] = Offered(listing)
    return known
