"""The handshake: what `initialize` asks, and what its answer says (MCP, "Lifecycle").

The client offers the newest revision it knows and takes any that it knows; a server's counter-offer of another
one refuses the binding. Revisions from 2026-07-28 on have no handshake, and the specification wants one, so
they are not among those known.
"""

from __future__ import annotations

from dataclasses import dataclass

from flow_lsp import __version__
from flow_lsp.findings.model import shown
from flow_lsp.protocol.outcome import DescribeFailure, FailureKind
from flow_lsp.values.strict_json import Json, JsonObject

REVISIONS = ("2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25")  # oldest first
OFFERED = REVISIONS[-1]
WITH_BATCHES = "2025-03-26"  # the one revision in which a line may be an array of messages

_SHOWN_REVISIONS = 5


@dataclass(frozen=True, slots=True)
class ServerInfo:
    """What a server says of itself. `revision` is the one that is spoken; `has_tools` whether it declares tools."""

    name: str
    version: str
    revision: str
    has_tools: bool


def initialize_params() -> JsonObject:
    """The parameters of `initialize`."""
    return {
        "protocolVersion": OFFERED,
        "capabilities": {"roots": {}},
        "clientInfo": {"name": "flow-lsp", "version": __version__},
    }


def read_initialized(result: Json) -> ServerInfo | DescribeFailure:
    """What the answer to `initialize` says, or why there can be no connection."""
    if not isinstance(result, dict):
        return _invalid("its result is no object")
    revision = result.get("protocolVersion")
    if not isinstance(revision, str):
        what = "no protocolVersion" if revision is None else "a protocolVersion that is no string"
        return _invalid(f"its result has {what}; this host speaks MCP {_listed(REVISIONS)}")
    if revision not in REVISIONS:
        return _other_revision(f"MCP {shown(revision)}")
    capabilities = result.get("capabilities")
    if not isinstance(capabilities, dict):
        return _invalid("its result has no capabilities")
    info = result.get("serverInfo")
    about: JsonObject = info if isinstance(info, dict) else {}
    return ServerInfo(
        _text(about.get("name")), _text(about.get("version")), revision, isinstance(capabilities.get("tools"), dict)
    )


def refused_initialize(code: str, message: str, data: Json) -> DescribeFailure:
    """Why there can be no connection where `initialize` was answered with an error; `data` is that of the error."""
    supported = data.get("supported") if isinstance(data, dict) else None
    if isinstance(supported, list):
        named = [revision for revision in supported if isinstance(revision, str)]
        if named and not set(named) & set(REVISIONS):
            return _other_revision(f"MCP {_listed(named)}")
    return DescribeFailure(FailureKind.ERROR_RESPONSE, f"answered initialize with error{code}: {message}")


def _other_revision(what: str) -> DescribeFailure:
    return DescribeFailure(
        FailureKind.MCP_REVISION, f"speaks {what}, and this host speaks MCP {_listed(REVISIONS)}, with initialize."
    )


def _listed(revisions: tuple[str, ...] | list[str]) -> str:
    listed = [shown(revision) for revision in revisions[:_SHOWN_REVISIONS]]
    return ", ".join(listed) + (", …" if len(revisions) > _SHOWN_REVISIONS else "")


def _invalid(reason: str) -> DescribeFailure:
    return DescribeFailure(FailureKind.INVALID, f"answered initialize wrongly: {reason}.")


def _text(value: Json) -> str:
    return shown(value) if isinstance(value, str) else ""
