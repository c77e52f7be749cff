"""What stands at a place of a source or a manifest: hovers and completions."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from flow_lsp.analysis.snapshot import Snapshot
from flow_lsp.binding.nearest import MANIFEST_NAME

if TYPE_CHECKING:
    from flow_lsp.analysis.engine import Analysis
    from flow_lsp.analysis.manifest_completions import Completion
    from flow_lsp.analysis.manifest_places import HoverText


def hover_at(analysis: Analysis, snapshot: Snapshot, key: str, offset: int) -> HoverText | None:
    """What is known of what stands at `offset` of the file `key`."""
    from flow_lsp.analysis.manifest_places import manifest_hover
    from flow_lsp.analysis.source_places import source_hover

    directory, _, name = key.rpartition("/")
    if name != MANIFEST_NAME:
        return source_hover(analysis, snapshot, key, offset)
    file = snapshot.manifests.get(directory or "/")
    return None if file is None else manifest_hover(analysis, snapshot, file, offset)


def completions_at(snapshot: Snapshot, key: str, offset: int) -> Sequence[Completion]:
    """What may be typed at `offset` of the file `key`."""
    from flow_lsp.analysis.manifest_completions import manifest_completions

    directory, _, name = key.rpartition("/")
    file = snapshot.manifests.get(directory or "/") if name == MANIFEST_NAME else None
    return () if file is None else manifest_completions(snapshot, file, offset)
