"""Fixes of imports: names that are used nowhere or twice, paths that lead nowhere, names that a file does not have."""

from __future__ import annotations

from collections.abc import Iterator

from flow_lsp.analysis.edits import Change, TextEdit
from flow_lsp.analysis.fixes.model import Fix, FixContext
from flow_lsp.analysis.fixes.source_files import FoundAt, found_at, line_span, replacing
from flow_lsp.analysis.import_plans import import_path
from flow_lsp.findings.model import Finding, shown
from flow_lsp.source.model import ImportSyntax, ItemKind
from flow_lsp.source.scope import FoundImport
from flow_lsp.source.suggestions import Suggestions
from flow_lsp.source.type_parts import named_types
from flow_lsp.text.distance import nearest_name
from flow_lsp.text.spans import Span

MOST_PATHS = 5


def unused(context: FixContext, finding: Finding) -> Iterator[Fix]:
    """`unused-import`: remove the name, or all of the import where nothing else is left of it."""
    yield from _removing(context, finding, f"Remove the unused import of `{shown(finding.arguments['name'])}`")


def repeated(context: FixContext, finding: Finding) -> Iterator[Fix]:
    """`repeated-name`: remove the second import of a name; a second declaration is left to the user."""
    yield from _removing(context, finding, f"Remove the second import of `{shown(finding.arguments['name'])}`")


def _removing(context: FixContext, finding: Finding, title: str) -> Iterator[Fix]:
    place = found_at(context, finding)
    if place is not None and place.item.kind is ItemKind.IMPORT:
        edit = _without(place, finding.span)
        if edit is not None:
            yield Fix(title, place.change(edit), finding, preferred=True, safe=True)


def _without(place: FoundAt, span: Span) -> TextEdit | None:
    """The edit that takes the name at `span` out of the import."""
    syntax, text = place.item.syntax, place.text
    if not isinstance(syntax, ImportSyntax):
        return None
    bound = syntax.bound
    spans = [place.placed(name.span) for name in bound]
    if span not in spans:
        return None
    if len(bound) == 1:
        return replacing(line_span(text, place.placed(place.item.extent)), "")
    index = spans.index(span)
    if index + 1 < len(spans):
        between = text[span.end : spans[index + 1].start]
        if "//" not in between and "/*" not in between:
            return replacing(Span(span.start, spans[index + 1].start), "")
        return replacing(Span(span.start, span.end + between.find(",") + 1 if "," in between else span.end), "")
    return replacing(Span(spans[index - 1].end, span.end), "")


def wrong(context: FixContext, finding: Finding) -> Iterator[Fix]:
    """`import`: the path that was meant, a file that is not there yet, or a name that the file does declare."""
    place = found_at(context, finding)
    if place is None:
        return
    index = place.checked.source.item_at(finding.span.start)
    found = next((one for one in place.checked.file.imports if one.index == index), None)
    if found is None:
        return
    if "name" in finding.arguments:
        yield from _names(place, finding, found, finding.arguments["name"])
    elif found.syntax.path:
        yield from _paths(place, finding, found)


def _names(place: FoundAt, finding: Finding, found: FoundImport, name: str) -> Iterator[Fix]:
    near = Suggestions(found.offers or {}).closest(name)
    if near is not None and near not in {bound.name for bound in found.syntax.bound}:
        edits = [replacing(finding.span, near)]
        for item, start in zip(place.source.items, place.source.starts, strict=False):
            for used in named_types(item) if name in item.mentions else ():
                if used.module is None and used.name == name:
                    edits.append(replacing(used.name_span.shifted(start), near))
        yield Fix(f"Change to `{shown(near)}`", place.change(*edits), finding, preferred=True)
    edit = _without(place, finding.span)
    if edit is not None:
        yield Fix(f"Remove `{shown(name)}` from the import", place.change(edit), finding)


def _paths(place: FoundAt, finding: Finding, found: FoundImport) -> Iterator[Fix]:
    context = place.context
    paths = _likely(context, found)
    for written in paths:
        title = f"Change the path to `{shown(written)}`"
        edit = replacing(finding.span, written)
        yield Fix(title, place.change(edit), finding, preferred=len(paths) == 1)
    target = context.analysis.program(context.snapshot).import_target(context.key, found.syntax)
    if target.path is not None and not context.snapshot.environment.exists(target.path):
        title = f"Create `{shown(target.path.rpartition('/')[2])}`"
        yield Fix(title, Change(created={target.path: ""}), finding)


def _likely(context: FixContext, found: FoundImport) -> list[str]:
    """The paths that may have been meant: of files called so, then of files called nearly so."""
    last = found.syntax.segments[-1]
    by_name: dict[str, list[str]] = {}
    for path in context.snapshot.sources:
        by_name.setdefault(path.rpartition("/")[2].removesuffix(".flow"), []).append(path)
    among = by_name.get(last, [])
    if not [path for path in among if path != context.key]:
        near = nearest_name(last, sorted(by_name)[:4_000])
        among = by_name.get(near, []) if near is not None else []
    written = [text for path in among if (text := import_path(context.snapshot, context.key, path))]
    return sorted(written, key=lambda text: (text.count("/"), text))[:MOST_PATHS]
