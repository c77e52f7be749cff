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
    if is_manifest(place.key):
        return None
    source = place.snapshot.sources.get(place.key)
    if source is None:
        return None
    positions = [position({"position": one}) for one in member(params, "positions", kind=list)[:MOST_POSITIONS]]
    return [written(place, selections(source, place.index.offset(one, place.encoding))) for one in positions]


def written(place: Asked, spans: list[Span]) -> dict[str, Any]:
    """The spans, each inside the next, as one SelectionRange."""
    found: dict[str, Any] = {}
    for span in reversed(spans):
        found = {"range": place.range(span), **({"parent": found} if found else {})}
    return found
