"""Hovers and completions in flow.toml."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from posixpath import join
from typing import TYPE_CHECKING

from flow_lsp.analysis.hover import command_hover, table_hover, tool_state
from flow_lsp.analysis.snapshot import Snapshot
from flow_lsp.binding.model import Bound, ManifestFile, Origin, TablePlace, table_command
from flow_lsp.manifest.completion import CompletionKind, completion_context
from flow_lsp.manifest.model import BindingKind, Manifest, PlaceKind
from flow_lsp.source.model import ItemKind
from flow_lsp.text.spans import Span

if TYPE_CHECKING:
    from flow_lsp.analysis.engine import Analysis

MOST_COMPLETIONS = 500

_ENTRY_DETAILS = {
    BindingKind.COMMAND: "a process that speaks the Tool protocol",
    BindingKind.MCP: "an MCP server, through the MCP adapter",
}


@dataclass(frozen=True, slots=True)
class HoverText:
    """Markdown about what stands at `span`."""

    text: str
    span: Span


@dataclass(frozen=True, slots=True)
class Completion:
    """One thing that may be typed: shown as `label`, put as `text` in place of `span`."""

    label: str
    text: str
    span: Span
    detail: str


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


def manifest_completions(snapshot: Snapshot, file: ManifestFile, offset: int) -> Sequence[Completion]:
    """What may be typed at `offset`."""
    manifest = file.manifest
    context = completion_context(manifest, offset) if manifest is not None else None
    if manifest is None or context is None:
        return ()
    if context.kind is CompletionKind.TOP_KEY:
        return (Completion("tools", "tools", context.span, "what answers the Tools of each file"),)
    if context.kind is CompletionKind.ENTRY:
        if context.present:
            return ()
        return [Completion(kind, kind, context.span, detail) for kind, detail in _ENTRY_DETAILS.items()]
    prefix = "tools." if context.kind is CompletionKind.HEADER else ""
    detail = "declares Tools, has no table"
    return [
        Completion(path, prefix + json.dumps(path, ensure_ascii=False), context.span, detail)
        for path in _without_table(snapshot, file, manifest)
    ]


def _without_table(snapshot: Snapshot, file: ManifestFile, manifest: Manifest) -> Iterator[str]:
    """The files below the manifest that declare Tools and have no table, by their keys."""
    below = file.directory.rstrip("/") + "/"
    found = 0
    for key in snapshot.sources:
        if not key.startswith(below) or key[len(below) :] in manifest.index_by_path:
            continue
        source = snapshot.sources.get(key)
        if source is not None and any(item.kind is ItemKind.TOOL for item in source.items):
            yield key[len(below) :]
            found += 1
            if found >= MOST_COMPLETIONS:
                return
