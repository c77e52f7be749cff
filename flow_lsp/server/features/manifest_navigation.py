"""What the requests that lead through files answer about a flow.toml."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from flow_lsp.analysis.navigation import manifests
from flow_lsp.analysis.navigation.places import Access
from flow_lsp.analysis.navigation.references import references
from flow_lsp.analysis.navigation.symbols import Symbol, SymbolKind
from flow_lsp.analysis.snapshot import Snapshot
from flow_lsp.binding.model import ManifestFile
from flow_lsp.files.uris import uri_of
from flow_lsp.manifest.model import Manifest
from flow_lsp.server.convert import lsp_range, lsp_ranges
from flow_lsp.server.features.asked import Asked
from flow_lsp.text.lines import LineIndex
from flow_lsp.text.paths import parent
from flow_lsp.text.spans import Span

if TYPE_CHECKING:
    from flow_lsp.server.language_server import LanguageServer

_BEGINNING = {"start": {"line": 0, "character": 0}, "end": {"line": 0, "character": 0}}


def file_of(place: Asked) -> ManifestFile | None:
    """The manifest that was asked about."""
    return place.snapshot.manifests.get(parent(place.key))


def manifest_of(place: Asked) -> Manifest | None:
    """What its text is read as."""
    file = file_of(place)
    return None if file is None else file.manifest


def definition(server: LanguageServer, place: Asked, offset: int, links: bool) -> list[dict[str, Any]] | None:
    """The file that a key names, or the script that a word of a command names."""
    file = file_of(place)
    found = manifests.link_at(place.snapshot, file, offset) if file is not None else None
    if found is None:
        return None
    uri = uri_of(server.project.files.spelling(found.path))
    if not links:
        return [{"uri": uri, "range": _BEGINNING}]
    origin = place.range(found.span)
    return [
        {
            "originSelectionRange": origin,
            "targetUri": uri,
            "targetRange": _BEGINNING,
            "targetSelectionRange": _BEGINNING,
        }
    ]


def document_links(server: LanguageServer, place: Asked, most: int) -> list[dict[str, Any]]:
    """The keys and words of commands that lead to files."""
    file = file_of(place)
    found = []
    for link in manifests.links(place.snapshot, file) if file is not None else ():
        found.append(link)
        if len(found) == most:
            break
    ranges = lsp_ranges((link.span for link in found), place.index, place.encoding)
    spelling = server.project.files.spelling
    return [{"range": where, "target": uri_of(spelling(link.path))} for link, where in zip(found, ranges, strict=True)]


def key_references(server: LanguageServer, place: Asked, offset: int, declaration: bool) -> list[dict[str, Any]] | None:
    """Where the file of a key is named: in the imports of sources, and in the keys of manifests, of which this one's
    counts as its declaration."""
    file = file_of(place)
    path = manifests.named_at(file, offset) if file is not None else None
    if file is None or path is None:
        return None
    found = _Locations(server)
    for name, span in manifests.keys_naming(place.snapshot, path):
        if declaration or name != file.path:
            found.add(name, span)
    for one in references(server.analysis, place.snapshot, path, Symbol(SymbolKind.FILE, "", path)):
        for each in one.places:
            found.add(one.key, each.span)
    return found.written


def keys_of_file(server: LanguageServer, snapshot: Snapshot, path: str) -> list[dict[str, Any]]:
    """Where the file at `path` is named in the keys of manifests."""
    found = _Locations(server)
    for name, span in manifests.keys_naming(snapshot, path):
        found.add(name, span)
    return found.written


class _Locations:
    """Places in files, the lines of each file counted once."""

    def __init__(self, server: LanguageServer) -> None:
        self._server = server
        self._known: dict[str, tuple[str, LineIndex] | None] = {}
        self.written: list[dict[str, Any]] = []

    def add(self, key: str, span: Span) -> bool:
        """Adds a place of the file `key`, where there is such a file."""
        if key not in self._known:
            self._known[key] = self._server.checker.place(key)
        there = self._known[key]
        if there is None:
            return False
        where = lsp_range(span, there[1], self._server.documents.encoding)
        self.written.append({"uri": there[0], "range": where})
        return True


def key_highlights(place: Asked, offset: int) -> list[dict[str, Any]] | None:
    """Every key of this flow.toml that names the same file."""
    file, manifest = file_of(place), manifest_of(place)
    path = manifests.named_at(file, offset) if file is not None else None
    if file is None or manifest is None or path is None:
        return None
    spans = manifests.keys_of(manifest, file.directory, path)
    return [{"range": where, "kind": int(Access.DECLARED)} for where in lsp_ranges(spans, place.index, place.encoding)]


def table_symbols(server: LanguageServer, query: str, most: int) -> list[tuple[str, dict[str, Any]]]:
    """The tables of the workspace that `query` may mean: each key, and where it is."""
    found, places = [], _Locations(server)
    for path, key, span in manifests.search_tables(server.project.snapshot(), query, most):
        if places.add(path, span):
            found.append((key, places.written[-1]))
    return found
