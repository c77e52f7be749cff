"""Fixes of text that does not parse: marks that lack or are another language's, and what stands where it means nothing.

Each is read again before it is offered, so that none leaves the reader where it was.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from flow_lsp.analysis.fixes.model import Fix, FixContext
from flow_lsp.analysis.fixes.source_declarations import without_attribute
from flow_lsp.analysis.fixes.source_files import (
    FoundAt,
    found_at,
    inserting,
    last_token,
    replacing,
    sure,
)
from flow_lsp.analysis.import_plans import line_end_of
from flow_lsp.findings.model import Finding, shown
from flow_lsp.source.cursor import Cursor, Refusal
from flow_lsp.source.model import ItemKind
from flow_lsp.source.token_stream import tokens
from flow_lsp.source.tokens import KEYWORDS, read_name
from flow_lsp.source.types_reader import read_type
from flow_lsp.source.unfinished import Reading
from flow_lsp.text.spans import Span

_SUFFIXES = re.compile(r"(?:[^\S\n]*(?:\?|\[[^\S\n]*\]))+")
_NOTHING = re.compile(r"\|\s*(?:null|None|nil|undefined|void)\b")


def syntax(context: FixContext, finding: Finding) -> Iterator[Fix]:
    """`syntax`: what has one clear remedy."""
    place = found_at(context, finding)
    if place is None:
        return
    if place.item.kind is ItemKind.IMPORT:
        yield from _import(place, finding)
        return
    if finding.span == (place.placed(place.item.attribute) if place.item.attribute is not None else None):
        if place.item.kind in (ItemKind.RECORD, ItemKind.ENUM, ItemKind.HOST):
            yield from without_attribute(place, finding)
        return
    text, start = place.text, finding.span.start
    if text[slice(*finding.span)] == "opaque":
        rest = Span(start, finding.span.end + len(text[finding.span.end :]) - len(text[finding.span.end :].lstrip(" ")))
        yield from sure(place, finding, "Remove `opaque`", replacing(rest, ""))
        return
    for fix in (_closing, _arrow, _type, _colon, _comma):
        found = list(fix(place, finding))
        if found:
            yield from found
            return


def _reading(place: FoundAt, limit: int) -> Reading:
    return Reading(place.text, place.start, limit)


def _arrow(place: FoundAt, finding: Finding) -> Iterator[Fix]:
    """`:` or `=>` where `->` stands before what a function gives."""
    text, start = place.text, finding.span.start
    if _reading(place, start).expects != "params-done":
        return
    for habit in (":", "=>", "=", "→"):
        if text.startswith(habit, start):
            before = "" if text[start - 1 : start].isspace() else " "
            edit = replacing(Span(start, start + len(habit)), f"{before}->")
            yield from sure(place, finding, "Write `->` before the result", edit)
            return


def _type(place: FoundAt, finding: Finding) -> Iterator[Fix]:
    """Other languages' marks on types: `T?`, `T[]`, `T | null`, `List[T]`, `?T`, `[T]`."""
    text, start, limit = place.text, finding.span.start, place.start + place.item.size
    reading = _reading(place, start)
    if reading.type_start >= 0:
        inner = Span(reading.type_start, len(text[:start].rstrip()))
        written = text[slice(*inner)]
        suffixes = _SUFFIXES.match(text, start, limit)
        nothing = _NOTHING.match(text, start, limit)
        if suffixes is not None:
            wrapped = written
            for mark in re.findall(r"[?\[]", suffixes.group()):
                wrapped = f"Option<{wrapped}>" if mark == "?" else f"List<{wrapped}>"
            edit = replacing(Span(inner.start, suffixes.end()), wrapped)
            yield from sure(place, finding, f"Write `{shown(wrapped)}`", edit)
        elif nothing is not None:
            edit = replacing(Span(inner.start, nothing.end()), f"Option<{written}>")
            yield from sure(place, finding, f"Write `{shown(f'Option<{written}>')}`", edit)
        elif text.startswith("[", start):
            closed = _bracket(text, start, limit)
            if closed >= 0:
                edits = (replacing(Span(inner.end, start + 1), "<"), replacing(Span(closed, closed + 1), ">"))
                yield from sure(place, finding, "Write type arguments with `<` and `>`", *edits)
    elif reading.expects == "type" and text.startswith("?", start):
        found = _type_at(text, start + 1, limit)
        if found is not None:
            edits = (replacing(Span(start, found.start), "Option<"), inserting(found.end, ">"))
            yield from sure(place, finding, "Make it an Option", *edits)
    elif reading.expects == "type" and text.startswith("[", start):
        closed = _bracket(text, start, limit)
        if closed >= 0:
            edits = (replacing(Span(start, start + 1), "List<"), replacing(Span(closed, closed + 1), ">"))
            yield from sure(place, finding, "Make it a List", *edits)


def _bracket(text: str, opening: int, limit: int) -> int:
    """Where the `]` of the `[` at `opening` stands, on the same line; -1 where it does not."""
    depth = 0
    for place in range(opening, limit):
        letter = text[place]
        depth += (letter == "[") - (letter == "]")
        if depth == 0:
            return place
        if letter == "\n":
            return -1
    return -1


def _type_at(text: str, start: int, limit: int) -> Span | None:
    """The type that begins at or behind `start`, if one does."""
    try:
        cursor = Cursor(text, 0, start, limit)
        return read_type(cursor, "a type").span
    except Refusal:
        return None


def _colon(place: FoundAt, finding: Finding) -> Iterator[Fix]:
    """The `:` between a field's name and its type: lacking, or `=`, or with `?` before it."""
    text, start, limit = place.text, finding.span.start, place.start + place.item.size
    reading = _reading(place, start)
    if reading.expects != "colon" or reading.last is None:
        return
    name_end = reading.last.end
    optional = re.compile(r"\?[^\S\n]*:").match(text, start, limit)
    if optional is not None:
        found = _type_at(text, optional.end(), limit)
        if found is not None:
            edits = (
                replacing(Span(name_end, optional.end()), ":"),
                inserting(found.start, "Option<"),
                inserting(found.end, ">"),
            )
            yield from sure(place, finding, "Make its type an Option", *edits)
    elif text.startswith("=", start):
        yield from sure(place, finding, "Write `:` before the type", replacing(Span(name_end, start + 1), ":"))
    elif _type_at(text, start, limit) is not None:
        yield from sure(place, finding, "Add the missing `:`", inserting(name_end, ":"))


def _comma(place: FoundAt, finding: Finding) -> Iterator[Fix]:
    """The `,` between two members: lacking, or `;`."""
    text, start = place.text, finding.span.start
    last = last_token(text, place.start, start)
    if last is None or not _reading(place, start).in_members:
        return
    if text.startswith(";", start):
        edits = [
            replacing(Span(token.start, token.end), ",")
            for token in tokens(text, start, place.start + place.item.size)
            if token.kind == "other" and text[token.start : token.end] == ";"
        ]
        yield from sure(place, finding, "Write `,` in place of `;`", *edits)
    elif text[start : start + 1].isidentifier() or text.startswith(("@", "("), start):
        yield from sure(place, finding, "Add the missing `,`", inserting(last.end, ","))


def _closing(place: FoundAt, finding: Finding) -> Iterator[Fix]:
    """The brackets that are open to the end of the declaration."""
    text, limit = place.text, place.start + place.item.size
    if text[slice(*finding.span)] not in ("{", "(", "<") or "has no `" not in finding.message:
        return
    reading = _reading(place, limit)
    if not reading.open or reading.last is None:
        return
    end = reading.last.end
    closing = "".join(
        f"{line_end_of(text)}{mark}" if mark == "}" and "\n" in text[start:end] else mark
        for start, mark in reading.open
    )
    title = f"Close it with `{''.join(mark for _, mark in reading.open)[:20]}`"
    yield from sure(place, finding, title, inserting(end, closing))


def _import(place: FoundAt, finding: Finding) -> Iterator[Fix]:
    """The forms of an import that are nearly right."""
    text, span = place.text, finding.span
    written = text[slice(*span)]
    before = text[span.start - 1 : span.start]
    name = read_name(written)
    if before == "." and name is not None:
        yield from sure(place, finding, f"Write `.{{{shown(written)}}}`", replacing(span, f"{{{written}}}"))
        return
    if "/" not in written and "/" not in before and written and not written.startswith("."):
        yield from sure(place, finding, f"Write `./{shown(written)}`", inserting(span.start, "./"))
        return
    called = re.sub(r"\W", "_", written)
    called = f"{called}_" if called in KEYWORDS else called
    if before == "/" and called.isidentifier():
        yield from sure(place, finding, f"Add `as {shown(called)}`", inserting(span.end, f" as {called}"))


def misspelt(context: FixContext, finding: Finding) -> Iterator[Fix]:
    """`misspelt`: the word that is meant."""
    place = found_at(context, finding)
    if place is not None:
        meant = finding.arguments["meant"]
        yield from sure(place, finding, f"Write `{meant}`", replacing(finding.span, meant))


def open_comment(context: FixContext, finding: Finding) -> Iterator[Fix]:
    """`open-comment`: close the comment at the end of its first line."""
    place = found_at(context, finding)
    if place is None:
        return
    end = place.text.find("\n", finding.span.end)
    end = len(place.text) if end < 0 else end - (place.text[end - 1] == "\r")
    kept = len(place.text[:end].rstrip())
    yield Fix(
        "Close the comment at the end of its line", place.change(inserting(max(kept, finding.span.end), " */")), finding
    )
