"""What can be folded: brackets, declarations over several lines, comments, groups of imports."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from itertools import pairwise

from flow_lsp.source.lexemes import Lexeme, lexemes
from flow_lsp.source.model import ItemKind, SourceFile
from flow_lsp.source.tokens import is_doc
from flow_lsp.text.spans import Span


class FoldKind(StrEnum):
    """What is folded; the values are the LSP's FoldingRangeKind, or the empty text."""

    CODE = ""
    COMMENT = "comment"
    IMPORTS = "imports"


@dataclass(frozen=True, slots=True)
class Fold:
    """`span` is what is hidden, over at least one line end. `closes`: a bracket behind it closes it, and stays in view.
    `depth` is 0 for what stands at the top of the file."""

    span: Span
    kind: FoldKind = FoldKind.CODE
    closes: bool = False
    depth: int = 0


def folds(source: SourceFile) -> list[Fold]:
    """All folds of the file, in the order of their beginnings. Linear."""
    found: list[Fold] = [*_import_groups(source)]
    text, starts = source.text, source.starts
    for index, item in enumerate(source.items):
        start, end = starts[index], starts[index + 1]
        here = list(lexemes(text, start, end))
        brackets = list(_brackets(here, 1))
        found += (fold for fold in brackets if _is_long(text, fold.span))
        extent = item.extent.shifted(start)
        whole = Span(_line_end(text, extent.start), extent.end)
        begins = [fold.span.start for fold in brackets if extent.start <= fold.span.start <= whole.start]
        # What opens on the first line folds all there is to see, and leaves the closing bracket in view.
        opened = any(_is_long(text, fold.span) for fold in brackets if fold.span.start in begins)
        if item.kind not in (ItemKind.OTHER, ItemKind.IMPORT) and not opened and _is_long(text, whole):
            found.append(Fold(whole))
        found += _comments(text, here)
    found.sort(key=lambda fold: (fold.span.start, -fold.span.end))
    return found


def fewest(found: list[Fold], limit: int) -> list[Fold]:
    """At most `limit` of the folds, in their order: the outer ones."""
    if len(found) <= limit:
        return found
    kept = sorted(range(len(found)), key=lambda place: found[place].depth)[: max(limit, 0)]
    return [found[place] for place in sorted(kept)]


def _is_long(text: str, span: Span) -> bool:
    return text.find("\n", span.start, span.end) >= 0


def _line_end(text: str, offset: int) -> int:
    end = text.find("\n", offset)
    if end < 0:
        return len(text)
    return end - 1 if end > offset and text[end - 1] == "\r" else end


def _import_groups(source: SourceFile) -> Iterator[Fold]:
    """Imports that follow each other, with nothing but comments between."""
    first = last = -1
    for index, item in enumerate(source.items):
        if item.kind is ItemKind.IMPORT:
            first, last = (index if first < 0 else first), index
        if first >= 0 and (item.kind is not ItemKind.IMPORT or index == len(source.items) - 1):
            begin = source.items[first].extent.shifted(source.starts[first]).start
            span = Span(_line_end(source.text, begin), source.items[last].extent.shifted(source.starts[last]).end)
            if first < last and _is_long(source.text, span):
                yield Fold(span, FoldKind.IMPORTS)
            first = -1


_PAIRS = {"(": ")", "[": "]", "{": "}"}


def _brackets(here: list[Lexeme], depth: int) -> Iterator[Fold]:
    """What stands between each bracket and the one that closes it."""
    opened: list[Lexeme] = []
    for lexeme in here:
        if lexeme.kind == "open":
            opened.append(lexeme)
        elif lexeme.kind == "close" and opened:
            begin = opened.pop()
            yield Fold(Span(begin.end, lexeme.start), closes=True, depth=depth + len(opened))


def _comments(text: str, here: list[Lexeme]) -> Iterator[Fold]:
    """Block comments over several lines, and line comments of one kind that follow each other."""
    run: list[Lexeme] = []
    for before, lexeme in pairwise([None, *here, None]):
        goes_on = (
            lexeme is not None
            and lexeme.kind == "comment"
            and bool(run)
            and before is run[-1]
            and text[run[-1].end : lexeme.start].count("\n") == 1
            and is_doc(text, lexeme.start, lexeme.end) == is_doc(text, run[-1].start, run[-1].end)
        )
        if not goes_on:
            if len(run) > 1:
                yield Fold(Span(_line_end(text, run[0].start), _line_end(text, run[-1].start)), FoldKind.COMMENT)
            run = []
        if lexeme is not None and lexeme.kind == "comment" and (goes_on or _is_first(text, lexeme.start)):
            run.append(lexeme)
        if lexeme is not None and lexeme.kind == "block" and _is_long(text, Span(lexeme.start, lexeme.end)):
            yield Fold(Span(_line_end(text, lexeme.start), lexeme.end), FoldKind.COMMENT)


def _is_first(text: str, offset: int) -> bool:
    """Whether only white space stands before it on its line."""
    return not text[text.rfind("\n", 0, offset) + 1 : offset].strip()
