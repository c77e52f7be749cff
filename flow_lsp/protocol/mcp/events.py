"""What a connection to an MCP server tells its owner. Texts from the server are cut and printable (`printable`)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from flow_lsp.protocol.connection import ConnectionEvent
from flow_lsp.protocol.mcp.offers import Offers
from flow_lsp.protocol.mcp.revisions import ServerInfo
from flow_lsp.protocol.mcp.tools import McpTool


@dataclass(frozen=True, slots=True)
class Initialized:
    """The handshake is done; the tools are asked for next."""

    server: ServerInfo


@dataclass(frozen=True, slots=True)
class Listed:
    """The server's tools, complete, and what they come to for the declarations. Said again whenever they were listed
    again: then the calls that wait are to be judged by the new listing.

    `remarks` are sentences about the list itself.
    """

    tools: tuple[McpTool, ...]
    offers: Offers
    remarks: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class ToolsChanged:
    """The server says that its tools changed. They are being listed again."""


@dataclass(frozen=True, slots=True)
class ListingFailed:
    """Listing the tools again failed, so the last list stays. `sentence` is a predicate about the server."""

    sentence: str


@dataclass(frozen=True, slots=True)
class LogMessage:
    """The server logs something. `level` and `logger` are as it calls them, empty where it does not."""

    level: str
    logger: str
    text: str


@dataclass(frozen=True, slots=True)
class Progress:
    """How far a call is, as the server says: numbers as it writes them, empty where it gives none."""

    run: str
    call: str
    progress: str
    total: str
    message: str


McpEvent: TypeAlias = ConnectionEvent | Initialized | Listed | ToolsChanged | ListingFailed | LogMessage | Progress
