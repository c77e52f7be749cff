"""textDocument/foldingRange."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from flow_lsp.analysis.navigation.folding import Fold, fewest, folds
from flow_lsp.files.paths import is_manifest
from flow_lsp.server.features.asked import Asked, asked

if TYPE_CHECKING:
    from flow_lsp.server.language_server import LanguageServer


def answer(server: LanguageServer, params: Any) -> list[dict[str, Any]] | None:
    """What can be folded in the document, as many as the client takes."""
    place = asked(server, params)
    if place is None:
        return None
    if is_manifest(place.key):
        from flow_lsp.analysis.navigation.manifests import manifest_folds
        from flow_lsp.server.features.manifest_navigation import manifest_of

        manifest = manifest_of(place)
        return written(server, place, manifest_folds(manifest) if manifest is not None else [])
    source = place.snapshot.sources.get(place.key)
    found = folds(source) if source is not None else []
    return written(server, place, found)


def written(server: LanguageServer, place: Asked, found: list[Fold]) -> list[dict[str, Any]]:
    """The folds as FoldingRanges: for a client that folds lines alone without columns, and one for each line."""
    limit = server.client.most_folds
    if not server.client.line_folding_only:
        return [_exact(place, fold) for fold in (found if limit is None else fewest(found, limit))]
    by_line: dict[int, tuple[int, Fold]] = {}
    for fold in found:
        first = place.index.line_of(fold.span.start)
        last = place.index.line_of(fold.span.end) - fold.closes
        if last > first and (first not in by_line or by_line[first][0] < last):
            by_line[first] = last, fold
    kept = {fold: first for first, (_, fold) in by_line.items()}
    chosen = list(kept) if limit is None else fewest(list(kept), limit)
    return [_lines(kept[fold], by_line[kept[fold]][0], fold) for fold in chosen]


def _lines(first: int, last: int, fold: Fold) -> dict[str, Any]:
    shown: dict[str, Any] = {"startLine": first, "endLine": last}
    return {**shown, "kind": fold.kind.value} if fold.kind.value else shown


def _exact(place: Asked, fold: Fold) -> dict[str, Any]:
    start = place.index.position(fold.span.start, place.encoding)
    end = place.index.position(fold.span.end, place.encoding)
    shown = _lines(start.line, end.line, fold)
    return {**shown, "startCharacter": start.character, "endCharacter": end.character}
