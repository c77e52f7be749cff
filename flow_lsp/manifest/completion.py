"""What could be typed at a place of flow.toml: a key at the top, a table's path, or a key of a tool table."""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import Enum

from flow_lsp.manifest.model import Manifest, PlaceKind, ToolTable
from flow_lsp.manifest.tables import KINDS, TOOLS
from flow_lsp.text.spans import Span

LONGEST_LINE = 4_096  # with `tools = {…}`, in which a path is looked for

_BARE = re.compile(r"[ \t]*([A-Za-z0-9_-]*)")
_HEADER = re.compile(r"[ \t]*\[{1,2}([^\]\r\n]*)")
_HEADER_REST = re.compile(r"[^\]\r\n#]*")
_BEHIND_COMMA = re.compile(r"[{,][ \t]*([A-Za-z0-9_-]*)\Z")
_AFTER = re.compile(r"[A-Za-z0-9_-]*")
_QUOTED = re.compile(r"""[ \t]*("[^"\\\r\n]*|'[^'\r\n]*)""")
_IN_ROOT = re.compile(r"""[ \t]*tools[ \t]*=[ \t]*\{(?:.*[{,])?[ \t]*("[^"\\]*|'[^']*|[A-Za-z0-9_-]*)""")
_STRINGS = re.compile(r"""\"(?:[^"\\]|\\.)*\"|'[^']*'""")


class CompletionKind(Enum):
    """What would be typed."""

    TOP_KEY = "a key at the top of the document"
    HEADER = "the key of a [header]"
    PATH = "a path below [tools]"
    ENTRY = "a key of a tool table"


@dataclass(frozen=True, slots=True)
class CompletionContext:
    """What would be typed, and `span`, the part of it that stands there already and would be replaced.

    For ENTRY, `table` is the index of the tool table (None where it has no key that can be read), and
    `present` are those of command and mcp that it names already, the key under the cursor left out.
    """

    kind: CompletionKind
    span: Span
    table: int | None = None
    present: frozenset[str] = frozenset()


def completion_context(manifest: Manifest, offset: int) -> CompletionContext | None:
    """What would be typed at `offset`, in code points, taken to the nearer end where it is outside the text.

    None where nothing of a manifest's own would be: in a value, a comment, or a table that flow.toml does
    not have.
    """
    text = manifest.text
    offset = min(max(offset, 0), len(text))
    line_start = text.rfind("\n", 0, offset) + 1
    if line_start == 0 and text.startswith("\ufeff") and offset:
        line_start = 1
    before = text[line_start:offset]
    header = _HEADER.fullmatch(before)
    segment_index = manifest.segment_at(offset)
    segment = manifest.segments[segment_index]
    if _inside_value(manifest, offset):
        return None
    if header is not None:
        end = _HEADER_REST.match(text, offset)
        assert end is not None
        return CompletionContext(CompletionKind.HEADER, Span(line_start + header.start(1), end.end()))
    bare = _BARE.fullmatch(before)
    if bare is None:
        return (
            _quoted_path(manifest, segment_index, offset, line_start)
            or _in_root(manifest, segment_index, offset, line_start)
            or _in_inline_table(manifest, segment_index, offset, before)
        )
    after = _AFTER.match(text, offset)
    assert after is not None
    span = Span(line_start + bare.start(1), after.end())
    if offset <= manifest.starts[segment_index] + segment.header_start and segment_index:
        # Before a header's bracket, what is typed belongs to the segment above.
        segment_index -= 1
        segment = manifest.segments[segment_index]
    names = segment.header_names
    if segment_index == 0:
        return CompletionContext(CompletionKind.TOP_KEY, span)
    if names is None or names[0] != TOOLS or len(names) > 2:
        return None
    if len(names) == 1:
        return CompletionContext(CompletionKind.PATH, span)
    index = manifest.tables_of(segment_index)[0]  # a header of two names is always a table
    return _entry(manifest, index, manifest.tables[index], span, offset)


def _entry(manifest: Manifest, index: int, table: ToolTable, span: Span, offset: int) -> CompletionContext:
    inside = offset - manifest.offset_of(index)
    present = frozenset(
        entry.name for entry in table.entries if entry.name in KINDS and not entry.key_span.holds(inside)
    )
    return CompletionContext(CompletionKind.ENTRY, span, index, present)


def _inside_value(manifest: Manifest, offset: int) -> bool:
    """Whether a value that can be read stands on both sides of the cursor."""
    place = manifest.at(offset)
    if place is not None and place.kind is PlaceKind.ENTRY_VALUE:
        return place.span.start < offset < place.span.end
    return False


def _quoted_path(manifest: Manifest, segment: int, offset: int, line_start: int) -> CompletionContext | None:
    """Where a key in quotes is typed first on a line below [tools]."""
    typed = _QUOTED.fullmatch(manifest.text, line_start, offset)
    names = manifest.segments[segment].header_names
    if typed is None or names != (TOOLS,):
        return None
    return CompletionContext(CompletionKind.PATH, _with_closing(manifest.text, typed.start(1), offset))


def _in_root(manifest: Manifest, segment: int, offset: int, line_start: int) -> CompletionContext | None:
    """Where a path is typed in `tools = {…}`, which may be unfinished, but not in a table inside it."""
    if offset - line_start > LONGEST_LINE:
        return None
    found = _IN_ROOT.fullmatch(manifest.text, line_start, offset)
    if found is None or manifest.segments[segment].header_names is not None:
        return None
    before = _STRINGS.sub("", manifest.text[line_start : found.start(1)])
    if before.count("{") - before.count("}") != 1 or '"' in before or "'" in before:
        return None
    return CompletionContext(CompletionKind.PATH, _with_closing(manifest.text, found.start(1), offset))


def _with_closing(text: str, start: int, offset: int) -> Span:
    """What is typed from `start` on, with the rest of the key behind the cursor."""
    quote = text[start : start + 1] if offset > start else ""
    if quote not in ("'", '"') or not quote:
        after = _AFTER.match(text, offset)
        assert after is not None
        return Span(start, after.end())
    line_end = text.find("\n", offset)
    line_end = len(text) if line_end < 0 else line_end
    closing = text.find(quote, offset, line_end)
    return Span(start, offset if closing < 0 else closing + 1)


def _in_inline_table(manifest: Manifest, segment: int, offset: int, before: str) -> CompletionContext | None:
    """Where a key of an inline tool table would be typed: behind its `{` or a comma."""
    typed = _BEHIND_COMMA.search(before)
    if typed is None:
        return None
    inside = offset - manifest.starts[segment]
    for index in manifest.tables_of(segment):
        table = manifest.tables[index]
        end = table.extent.end + manifest.starts[segment]
        if table.key_span.end < inside < table.extent.end and manifest.text[end - 1] == "}":
            after = _AFTER.match(manifest.text, offset)
            assert after is not None
            span = Span(offset - len(typed[1]), after.end())
            return _entry(manifest, index, table, span, offset)
    return None
