"""What an implementation lists of one Tool, as far as it is known."""

from __future__ import annotations

from flow_lsp.analysis.checks.implementations import DeclaredTool, match
from flow_lsp.analysis.hover import tool_state
from flow_lsp.analysis.snapshot import Snapshot
from flow_lsp.protocol.outcome import DescribeListing, ServedTool


def listing_of(snapshot: Snapshot, key: str, tool: DeclaredTool) -> DescribeListing | None:
    """What the command that answers `tool`, of the source `key`, listed; None where it listed nothing."""
    described = tool_state(snapshot, snapshot.binding_of(key), tool).described
    outcome = described.outcome if described is not None else None
    return outcome.listing if outcome is not None else None


def served_entry(snapshot: Snapshot, key: str, tool: DeclaredTool) -> ServedTool | None:
    """The entry that `tool` is matched with, whether or not it fits; None where there is none, or the declaration has
    no signature."""
    listing = listing_of(snapshot, key, tool)
    if listing is None or tool.signature is None:
        return None
    return match(tool, listing).served
