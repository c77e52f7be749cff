"""A manifest as everybody above this package sees it: its tool tables, findings, what stands at a place."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import Enum, StrEnum
from typing import TYPE_CHECKING, NamedTuple

from flow_lsp.findings.model import Finding, Severity
from flow_lsp.text.spans import Span

if TYPE_CHECKING:
    from flow_lsp.manifest.relations import Relations
    from flow_lsp.manifest.segments import Segment


class BindingKind(StrEnum):
    """What a table binds its file to; the value is the key's name."""

    COMMAND = "command"
    MCP = "mcp"


class Entry(NamedTuple):
    """A key of a tool table. `value_span` is None where there is no value that could be read, or several."""

    name: str
    key_span: Span
    value_span: Span | None


@dataclass(frozen=True, slots=True)
class ToolTable:
    """One table below `tools`, however it is written. Spans count from `Manifest.offset_of` the table.

    `key` is the decoded key, `path` the normalized path that it names, None where it names none. `key_span`
    is the key's token with its quotes; `header_span` the whole header, or the key that begins a dotted or
    inline table; `extent` runs from there to the end of the last value.
    `kind`, `text`, `words` and `value_span` are those of the one usable binding, or None, None, () and None.
    """

    key: str
    path: str | None
    key_span: Span
    header_span: Span
    extent: Span
    kind: BindingKind | None = None
    text: str | None = None
    words: tuple[str, ...] = ()
    value_span: Span | None = None
    entries: tuple[Entry, ...] = ()


class PlaceKind(Enum):
    """What a cursor can be on."""

    TABLE = "table"
    ENTRY_KEY = "key"
    ENTRY_VALUE = "value"


@dataclass(frozen=True, slots=True)
class Place:
    """What stands at an offset: which table's header, or which of its entries' key or value, and its span
    in the text."""

    kind: PlaceKind
    table: int
    span: Span
    entry: Entry | None = None


class Manifest:
    """What `read_manifest` makes of a text. It never changes; two manifests of one text are equal."""

    __slots__ = ("_findings", "has_error", "marked", "relations", "segments", "starts", "text", "windows")

    def __init__(
        self,
        text: str,
        windows: bool,
        segments: list[Segment],
        starts: list[int],
        marked: list[int],
        relations: Relations,
        findings: tuple[Finding, ...],
    ) -> None:
        """For `read_manifest` alone. `starts` are the offsets of `segments`; `marked` the indexes of those
        that have findings of their own or a string without end."""
        self.text = text
        self.windows = windows
        self.segments = segments
        self.starts = starts
        self.marked = marked
        self.relations = relations
        self._findings = findings
        self.has_error = any(finding.rule.severity is Severity.ERROR for finding in findings)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Manifest):
            return NotImplemented
        return self.text == other.text and self.windows == other.windows

    def __hash__(self) -> int:
        return hash(self.text)

    def __repr__(self) -> str:
        return f"<Manifest of {len(self.tables)} tables, {len(self._findings)} findings>"

    @property
    def findings(self) -> Sequence[Finding]:
        """What the text alone has wrong, by place, with spans in the text."""
        return self._findings

    @property
    def tables(self) -> Sequence[ToolTable]:
        """The tool tables in the order of the text, usable or not."""
        return self.relations.tables

    @property
    def index_by_path(self) -> Mapping[str, int]:
        """For each normalized path the index of its table, the first where there are several."""
        return self.relations.index_by_path

    def offset_of(self, table: int) -> int:
        """What to add to the spans of that table to make them spans in the text."""
        return self.starts[self.relations.homes[table]]

    def segment_at(self, offset: int) -> int:
        """The index of the segment that a cursor at `offset` stands in."""
        return max(bisect_right(self.starts, offset) - 1, 0)

    def tables_of(self, segment: int) -> range:
        """The indexes of the tables that stand in a segment."""
        homes = self.relations.homes
        first = bisect_left(homes, segment)
        return range(first, bisect_right(homes, segment, first))

    def at(self, offset: int) -> Place | None:
        """What stands at `offset` (a cursor at the end of a token is on it), or None."""
        segment = self.segment_at(offset)
        inside = offset - self.starts[segment]
        for index in self.tables_of(segment):
            table = self.relations.tables[index]
            for entry in table.entries:
                if entry.key_span.holds(inside):
                    return Place(PlaceKind.ENTRY_KEY, index, entry.key_span.shifted(self.starts[segment]), entry)
                if entry.value_span is not None and entry.value_span.holds(inside):
                    return Place(PlaceKind.ENTRY_VALUE, index, entry.value_span.shifted(self.starts[segment]), entry)
            if table.header_span.holds(inside):
                return Place(PlaceKind.TABLE, index, table.header_span.shifted(self.starts[segment]))
        return None
