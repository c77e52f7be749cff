"""textDocument/selectionRange."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from flow_lsp.analysis.navigation.selecting import selections
from flow_lsp.files.paths import is_manifest
from flow_lsp.server.features.asked import Asked, asked
from flow_lsp.server.parameters import member, position
from flow_lsp.text.spans import Span

if TYPE_CHECKING:
    from flow_lsp.server.language_server import LanguageServer

MOST_POSITIONS = 1_000  # cursors at once


def answer(server: LanguageServer, params: Any) -> list[dict[str, Any]] | None:
    """For each position what a selection there grows to."""
    place = asked(server, params)
    if place is None:
        return None
    positions = [position({"position": one}) for one in member(params, "positions", kind=list)[:MOST_POSITIONS]]
    offsets = [place.index.offset(one, place.encoding) for one in positions]
    if is_manifest(place.key):
        from flow_lsp.analysis.navigation.manifests import manifest_selections
        from flow_lsp.server.features.manifest_navigation import manifest_of

        manifest = manifest_of(place)
        return None if manifest is None else [written(place, manifest_selections(manifest, at)) for at in offsets]
    source = place.snapshot.sources.get(place.key)
    if source is None:
        return None
    return [written(place, selections(source, offset)) for offset in offsets]


def written(place: Asked, spans: list[Span]) -> dict[str, Any]:
    """The spans, each inside the next, as one SelectionRange."""
    found: dict[str, Any] = {}
    for span in reversed(spans):
        found = {"range": place.range(span), **({"parent": found} if found else {})}
    return found
