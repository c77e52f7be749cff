"""textDocument/definition and textDocument/typeDefinition."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from flow_lsp.analysis.navigation.places import Going, Place, definition_at, type_definition_at
from flow_lsp.files.paths import is_manifest
from flow_lsp.server.convert import lsp_range
from flow_lsp.server.features.asked import Asked, asked

if TYPE_CHECKING:
    from flow_lsp.server.language_server import LanguageServer


def answer(server: LanguageServer, params: Any) -> list[dict[str, Any]] | None:
    """Where what stands at the position is declared."""
    place = asked(server, params)
    if place is None:
        return None
    if is_manifest(place.key):
        from flow_lsp.server.features.manifest_navigation import definition

        return definition(server, place, place.offset(params), server.client.definition_links)
    checked = server.analysis.checked(place.snapshot, place.key)
    going = definition_at(checked, place.offset(params)) if checked is not None else None
    return _written(server, place, going, server.client.definition_links)


def type_answer(server: LanguageServer, params: Any) -> list[dict[str, Any]] | None:
    """Where the type of what stands at the position is declared."""
    place = asked(server, params)
    if place is None or is_manifest(place.key):
        return None
    checked = server.analysis.checked(place.snapshot, place.key)
    going = type_definition_at(checked, place.offset(params)) if checked is not None else None
    return _written(server, place, going, server.client.type_definition_links)


def _written(server: LanguageServer, asked_at: Asked, going: Going | None, links: bool) -> list[dict[str, Any]] | None:
    if going is None:
        return None
    found = []
    for place in going.places:
        written = _link(server, asked_at, going, place, links)
        if written is not None:
            found.append(written)
    return found or None


def _link(server: LanguageServer, asked_at: Asked, going: Going, place: Place, links: bool) -> dict[str, Any] | None:
    """A LocationLink, or a Location for a client that takes no links."""
    there = server.checker.place(place.path)
    if there is None:
        return None
    uri, index = there
    name = lsp_range(place.name, index, asked_at.encoding)
    if not links:
        return {"uri": uri, "range": name}
    return {
        "originSelectionRange": asked_at.range(going.origin),
        "targetUri": uri,
        "targetRange": lsp_range(place.extent, index, asked_at.encoding),
        "targetSelectionRange": name,
    }
