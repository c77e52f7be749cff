"""Hovers in flow.toml."""

from __future__ import annotations

from dataclasses import dataclass
from posixpath import join
from typing import TYPE_CHECKING

from flow_lsp.analysis.hover import command_hover, table_hover, tool_state
from flow_lsp.analysis.snapshot import Snapshot
from flow_lsp.binding.model import Bound, ManifestFile, Origin, TablePlace, table_command
from flow_lsp.manifest.model import PlaceKind
from flow_lsp.text.spans import Span

if TYPE_CHECKING:
    from flow_lsp.analysis.engine import Analysis


@dataclass(frozen=True, slots=True)
class HoverText:
    """Markdown about what stands at `span`."""

    text: str
    span: Span


def manifest_hover(analysis: Analysis, snapshot: Snapshot, file: ManifestFile, offset: int) -> HoverText | None:
    """What is known of the table, key or value at `offset`."""
    manifest = file.manifest
    place = manifest.at(offset) if manifest is not None else None
    if manifest is None or place is None:
        return None
    table = manifest.tables[place.table]
    command = table_command(file.directory, table)
    bound = None
    if command is not None:
        bound = Bound(command, Origin.MANIFEST, TablePlace(file.path, manifest, place.table))
    if place.kind is not PlaceKind.TABLE and bound is not None:
        return HoverText(command_hover(snapshot, bound, file.directory), place.span)
    if table.path is None:
        return None
    tools = None
    path = join(file.directory, table.path)
    if snapshot.environment.exists(path):
        binding = snapshot.binding_of(path)
        tools = [
            (tool.declared.name, tool_state(snapshot, binding, tool.declared))
            for tool in analysis.tools(snapshot, path)
        ]
    return HoverText(table_hover(snapshot, table.path, bound, file.directory, tools), place.span)
