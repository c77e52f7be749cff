"""What a connection tells its owner. Texts from the server are cut and printable (`printable`)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from flow_lsp.protocol.call_outcomes import CallOutcome
from flow_lsp.protocol.describe import Refused
from flow_lsp.protocol.mcp.revisions import ServerInfo
from flow_lsp.protocol.mcp.tools import McpTool
from flow_lsp.protocol.stream import Noise


@dataclass(frozen=True, slots=True)
class Send:
    """A line to hand to the server's standard input, in the order of the events. `call` names the call whose
    request it is: once the operating system has all of it, the owner tells `sent`. Empty for any other line."""

    data: bytes
    call: str = ""


@dataclass(frozen=True, slots=True)
class Initialized:
    """The handshake is done; the tools are asked for next."""

    server: ServerInfo


@dataclass(frozen=True, slots=True)
class Listed:
    """The server's tools, complete; calls can be made. Said again whenever they were listed again.

    `remarks` are sentences about entries that were left out.
    """

    tools: tuple[McpTool, ...]
    remarks: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class ToolsChanged:
    """The server says that its tools changed. They are being listed again."""


@dataclass(frozen=True, slots=True)
class ListingFailed:
    """Listing the tools again failed, so the last list stays. `sentence` is a predicate about the server."""

    sentence: str


@dataclass(frozen=True, slots=True)
class CallEnded:
    """The one outcome of `call`."""

    call: str
    outcome: CallOutcome


@dataclass(frozen=True, slots=True)
class Dropped:
    """A response to `call` that changes nothing: the call has its outcome, or was closed."""

    call: str


@dataclass(frozen=True, slots=True)
class LogMessage:
    """The server logs something. `level` and `logger` are as it calls them, empty where it does not."""

    level: str
    logger: str
    text: str


@dataclass(frozen=True, slots=True)
class Progress:
    """How far `call` is, as the server says: numbers as it writes them, empty where it gives none."""

    call: str
    progress: str
    total: str
    message: str


McpEvent: TypeAlias = (
    Noise
    | Refused
    | Send
    | Initialized
    | Listed
    | ToolsChanged
    | ListingFailed
    | CallEnded
    | Dropped
    | LogMessage
    | Progress
)
