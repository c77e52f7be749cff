"""Reads an import (decisions 8): `import std/json`, `import ./types.{Hit}`, `import ../money as m`."""

from __future__ import annotations

import re

from flow_lsp.source.cursor import Cursor, Refusal, quoted
from flow_lsp.source.model import ImportSyntax, NameSyntax
from flow_lsp.source.tokens import KEYWORDS, SPACE, read_name
from flow_lsp.text.spans import Span

_SEGMENT = r"(?:[A-Za-z0-9_\-]|[^\x00-\x7f\s])++"
_PATH = re.compile(rf"{SPACE}*+((?:\.{{1,2}}/)*+(?:{_SEGMENT}(?:/(?![/*]){_SEGMENT})*+)?+)")
_RISE = re.compile(r"\.{1,2}/")


def read_import(cursor: Cursor, keyword_end: int) -> ImportSyntax:
    """The import whose keyword ends at the offset `keyword_end`. What it may have meant to bind is
    left in the cursor's mentions, for the case that it does not parse."""
    match = _PATH.match(cursor.text, keyword_end, cursor.limit)
    assert match is not None
    path = match.group(1)
    path_span = Span(match.start(1) - cursor.base, match.end(1) - cursor.base)
    if not path:
        raise cursor.expected("a path after `import`, such as `std/json` or `./types`")
    cursor.end = cursor.start = match.end(1)
    cursor.previous_start = match.start(1)
    cursor.advance()
    cursor.previous_start = match.start(1)
    above, segments = _segments(cursor, path, match.start(1))
    names: tuple[NameSyntax, ...] | None = None
    binding: NameSyntax | None = None
    if cursor.kind == ".":
        cursor.advance()
        names = _names(cursor)
    elif cursor.kind == "keyword" and cursor.spelling == "as":
        cursor.advance()
        if cursor.kind != "name":
            raise cursor.expected("a name after `as`")
        binding = NameSyntax(cursor.name(), cursor.span())
        cursor.mentions.add(binding.name)
        cursor.advance()
    else:
        last = segments[-1]
        name = read_name(last)
        start = match.end(1) - len(last)
        if name is None or last in KEYWORDS:
            text = f"`{quoted(last)}` is no name, so this import needs one: add `as` and a name."
            raise Refusal(cursor.problem(text, start, match.end(1)))
        binding = NameSyntax(name, Span(start - cursor.base, match.end(1) - cursor.base))
        cursor.mentions.add(name)
    return ImportSyntax(path, path_span, above, segments, binding, names)


def _segments(cursor: Cursor, path: str, start: int) -> tuple[int | None, tuple[str, ...]]:
    above: int | None = None
    position = 0
    while (rise := _RISE.match(path, position)) is not None:
        above = (above or 0) + (rise.group() == "../")
        position = rise.end()
    segments = tuple(segment for segment in path[position:].split("/") if segment)
    cursor.mentions.update(name for segment in segments[-1:] if (name := read_name(segment)) is not None)
    if not segments:
        raise Refusal(cursor.problem("Expected a file's name in the path of this import.", start, start + len(path)))
    for segment in segments:
        pieces = segment.split("-")
        if any(piece and read_name("a" + piece) is None for piece in pieces) or segment[0].isdigit():
            text = f"`{quoted(segment)}` cannot stand in an import's path: segments are names, with `-` inside."
            raise Refusal(cursor.problem(text, start, start + len(path)))
    if above is None and len(segments) < 2:
        text = (
            f"`{quoted(path)}` names no file. Write `./{quoted(path)}` for a file beside this one, or a "
            "repository's name and a file in it."
        )
        raise Refusal(cursor.problem(text, start, start + len(path)))
    return above, segments


def _names(cursor: Cursor) -> tuple[NameSyntax, ...]:
    """`{A, B}`, the cursor standing where the brace should."""
    if cursor.kind != "{":
        if cursor.kind == "name":
            text = f"Write `.{{{quoted(cursor.name())}}}` to import one name of a file."
            cursor.mentions.add(cursor.name())
            raise Refusal(cursor.problem(text, cursor.start, cursor.end))
        raise cursor.expected("`{` and names after `.`")
    opening = (cursor.start, cursor.end)
    cursor.advance()
    cursor.skip_lines()
    found: list[NameSyntax] = []
    while cursor.kind != "}":
        if cursor.kind == "end":
            raise Refusal(cursor.problem("This `{` has no `}`: the imported names do not end.", *opening))
        if cursor.kind != "name":
            raise cursor.expected("a name that the file declares")
        found.append(NameSyntax(cursor.name(), cursor.span()))
        cursor.mentions.add(found[-1].name)
        cursor.advance()
        separated = cursor.skip_lines()
        if cursor.kind == ",":
            separated = True
            cursor.advance()
            cursor.skip_lines()
        if not separated and cursor.kind not in ("}", "end"):
            raise cursor.expected("`,` or `}` after an imported name")
    cursor.advance()
    return tuple(found)
