"""textDocument/references and textDocument/documentHighlight."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from flow_lsp.analysis.navigation.places import Access
from flow_lsp.analysis.navigation.references import highlights, references, symbol_at
from flow_lsp.analysis.navigation.symbols import SymbolKind
from flow_lsp.files.paths import is_manifest
from flow_lsp.server.convert import lsp_ranges
from flow_lsp.server.features.asked import Asked, asked, over_workspace
from flow_lsp.server.parameters import optional
from flow_lsp.server.slices import Steps

if TYPE_CHECKING:
    from collections.abc import Awaitable

    from flow_lsp.server.language_server import LanguageServer


def answer(server: LanguageServer, params: Any) -> Awaitable[list[dict[str, Any]] | None] | list[dict[str, Any]] | None:
    """Where what stands at the position is named in the workspace; its declaration among them where that is wanted."""
    return over_workspace(server, params, lambda place: _references(server, params, place))


def _references(server: LanguageServer, params: Any, place: Asked) -> Steps[list[dict[str, Any]] | None]:
    declaration = optional(params, "context", "includeDeclaration", kind=bool) is True
    if is_manifest(place.key):
        from flow_lsp.server.features.manifest_navigation import key_references

        return key_references(server, place, place.offset(params), declaration)
    symbol = symbol_at(server.analysis, place.snapshot, place.key, place.offset(params))
    if symbol is None:
        return None
    found: list[dict[str, Any]] = []
    for file in references(server.analysis, place.snapshot, place.key, symbol):
        yield
        there = server.checker.place(file.key)
        if there is None:
            continue
        uri, index = there
        spans = [one.span for one in file.places if declaration or one.access is not Access.DECLARED]
        found += ({"uri": uri, "range": where} for where in lsp_ranges(spans, index, place.encoding))
    if symbol.kind is SymbolKind.FILE:
        from flow_lsp.server.features.manifest_navigation import keys_of_file

        found += keys_of_file(server, place.snapshot, symbol.path)
    return found


def highlight_answer(server: LanguageServer, params: Any) -> list[dict[str, Any]] | None:
    """Where what stands at the position is named in the document: declared (write), used (read), or as a word of a part
    that is not read (text)."""
    place = asked(server, params)
    if place is None:
        return None
    if is_manifest(place.key):
        from flow_lsp.server.features.manifest_navigation import key_highlights

        return key_highlights(place, place.offset(params))
    found = highlights(server.analysis, place.snapshot, place.key, place.offset(params))
    places = lsp_ranges((one.span for one in found), place.index, place.encoding)
    return [{"range": where, "kind": int(one.access)} for one, where in zip(found, places, strict=True)] or None
