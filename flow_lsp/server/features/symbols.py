"""textDocument/documentSymbol and workspace/symbol."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from flow_lsp.analysis.navigation.outline import Outlined, OutlineKind, outline
from flow_lsp.files.paths import is_manifest
from flow_lsp.server.convert import lsp_range, lsp_ranges
from flow_lsp.server.features.asked import Asked, asked
from flow_lsp.server.parameters import member

if TYPE_CHECKING:
    from collections.abc import Awaitable, Iterable, Iterator

    from flow_lsp.server.language_server import LanguageServer

MOST_TABLES = 100  # of all manifests that are found by name

KINDS = {  # SymbolKind
    OutlineKind.RECORD: 23,
    OutlineKind.ENUM: 10,
    OutlineKind.HOST: 5,
    OutlineKind.TOOL: 12,
    OutlineKind.CONSTRUCTOR: 22,
    OutlineKind.FIELD: 8,
    OutlineKind.TABLE: 2,
    OutlineKind.ENTRY: 7,
}


def answer(server: LanguageServer, params: Any) -> list[dict[str, Any]] | None:
    """The outline of the document: a tree, or a list for a client that takes none."""
    place = asked(server, params)
    if place is None:
        return None
    if is_manifest(place.key):
        from flow_lsp.analysis.navigation.manifests import manifest_outline
        from flow_lsp.server.features.manifest_navigation import manifest_of

        manifest = manifest_of(place)
        found = manifest_outline(manifest) if manifest is not None else []
    else:
        source = place.snapshot.sources.get(place.key)
        found = outline(source) if source is not None else []
    if not server.client.hierarchical_symbols:
        return list(_flat(place, found))
    spans = (span for one in _each(found) for span in (one.span, one.name_span))
    ranges = iter(lsp_ranges(spans, place.index, place.encoding))
    return [_tree(one, ranges) for one in found]


def _each(found: Iterable[Outlined]) -> Iterator[Outlined]:
    for one in found:
        yield one
        yield from _each(one.children)


def _tree(one: Outlined, ranges: Iterator[Any]) -> dict[str, Any]:
    """A DocumentSymbol; `ranges` gives those of each, in the order of `_each`."""
    written: dict[str, Any] = {
        "name": one.name,
        "kind": KINDS[one.kind],
        "range": next(ranges),
        "selectionRange": next(ranges),
    }
    if one.detail:
        written["detail"] = one.detail
    if one.children:
        written["children"] = [_tree(child, ranges) for child in one.children]
    return written


def _flat(place: Asked, found: Iterable[Outlined], owner: str = "") -> Iterator[dict[str, Any]]:
    """A SymbolInformation for each, and what holds it by its name."""
    for one in found:
        written = {
            "name": one.name,
            "kind": KINDS[one.kind],
            "location": {"uri": place.document.uri, "range": place.range(one.span)},
        }
        yield {**written, "containerName": owner} if owner else written
        yield from _flat(place, one.children, one.name)


def workspace_answer(server: LanguageServer, params: Any) -> list[dict[str, Any]] | Awaitable[list[dict[str, Any]]]:
    """The types and Tools of the workspace that `query` may mean, the best first."""
    query = member(params, "query", kind=str)
    return _found(server, query) if server.checker.ready else _when_read(server, query)


async def _when_read(server: LanguageServer, query: str) -> list[dict[str, Any]]:
    await server.workspace_read()
    return _found(server, query)


def _found(server: LanguageServer, query: str) -> list[dict[str, Any]]:
    from flow_lsp.analysis.navigation.searching import search

    server.sync_documents()
    found: list[dict[str, Any]] = []
    places: dict[str, Any] = {}
    for one in search(server.project.snapshot().sources, query):
        if one.path not in places:
            places[one.path] = server.checker.place(one.path)
        if places[one.path] is not None:
            uri, index = places[one.path]
            where = lsp_range(one.span, index, server.documents.encoding)
            home = server.analysis.program(server.project.snapshot()).home(one.path)
            found.append(
                {
                    "name": one.name,
                    "kind": KINDS[one.kind],
                    "location": {"uri": uri, "range": where},
                    "containerName": home.prefix,
                }
            )
    from flow_lsp.server.features.manifest_navigation import table_symbols

    found += (
        {"name": key, "kind": KINDS[OutlineKind.TABLE], "location": where, "containerName": "flow.toml"}
        for key, where in table_symbols(server, query, MOST_TABLES)
    )
    return found
