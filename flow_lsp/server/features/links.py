"""textDocument/documentLink."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from flow_lsp.files.paths import is_manifest
from flow_lsp.files.uris import uri_of
from flow_lsp.server.features.asked import Asked, asked

if TYPE_CHECKING:
    from flow_lsp.server.language_server import LanguageServer

MOST_LINKS = 5_000


def answer(server: LanguageServer, params: Any) -> list[dict[str, Any]] | None:
    """The paths of the document that lead to files: of a source, those of its imports."""
    place = asked(server, params)
    if place is None:
        return None
    if is_manifest(place.key):
        from flow_lsp.server.features.manifest_navigation import document_links

        return document_links(server, place, MOST_LINKS)
    return _imports(server, place)


def _imports(server: LanguageServer, place: Asked) -> list[dict[str, Any]]:
    checked = server.analysis.checked(place.snapshot, place.key)
    if checked is None:
        return []
    found = []
    for one in checked.file.imports[:MOST_LINKS]:
        if one.path is not None and one.offers is not None:
            span = one.syntax.path_span.shifted(checked.source.starts[one.index])
            found.append({"range": place.range(span), "target": uri_of(server.project.files.spelling(one.path))})
    return found
