"""How a tool table is written: its keys, statements and lines, for edits that change these and nothing beside them.

A manifest keeps of a table what everybody asks for. Here the one segment in which a table stands is read again, with
all places. A table that several segments define, or whose segment holds a mistake of TOML, has no form: what an edit
would do to it is not sure.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from flow_lsp.manifest.model import Manifest
from flow_lsp.manifest.tables import TOOLS
from flow_lsp.manifest.toml_scanner import BOM, ScannedSegment, Scanner
from flow_lsp.manifest.toml_syntax import Header, Key, Statement, Value, ValueKind
from flow_lsp.text.spans import Span


@dataclass(frozen=True, slots=True)
class Member:
    """`key = value`: on a line of its own, or in the inline table `within`, as the one at `place` of its `siblings`."""

    key: Key
    value: Value
    within: Value | None = None
    siblings: tuple[Statement, ...] = ()
    place: int = 0


@dataclass(frozen=True, slots=True)
class EntryForm:
    """A key of a table, where its name stands, and the member that is to go where the entry goes.

    `value` is None where the entry is a table of several dotted keys."""

    name: str
    place: tuple[int, int]
    value: Value | None
    member: Member


@dataclass(frozen=True, slots=True)
class TableForm:
    """One tool table, with offsets in the text.

    `key_places` are all the tokens that spell its key. With a `header` it is [tools."…"] and `members` are the
    statements below it; without one, `members` are those that define it, and `inline` is the inline table that holds
    its entries, where it has one. `segment` is the part of the text that it stands in.
    """

    segment: Span
    key_places: tuple[tuple[int, int], ...]
    header: Header | None
    members: tuple[Member, ...]
    inline: Member | None
    entries: tuple[EntryForm, ...]

    def entry(self, name: str) -> EntryForm | None:
        """The entry of that name."""
        return next((entry for entry in self.entries if entry.name == name), None)


class Forms:
    """How the tables of one manifest are written. What is read of a segment is kept, for many tables stand in one."""

    def __init__(self, manifest: Manifest) -> None:
        self._manifest = manifest
        self._scanned: dict[int, ScannedSegment | None] = {}
        self._members: dict[int, dict[str, list[tuple[Member, int]]]] = {}
        self._counts: Counter[str] | None = None

    def of(self, table: int) -> TableForm | None:
        """How the table of that index is written; None where it is in several segments, or in one with a mistake."""
        manifest = self._manifest
        home = manifest.relations.homes[table]
        key = manifest.tables[table].key
        if (manifest.segments[home].tool_key != key or not manifest.relations.plain) and self._count(key) != 1:
            return None  # of a manifest of plain tables alone, no two have one key
        scanned = self.segment(home)
        if scanned is None:
            return None
        span = Span(scanned.start, scanned.end)
        header = scanned.header
        if header is None or (header.key is not None and header.key.names == (TOOLS,) and not header.array):
            return _by_members(span, self._members_of(home, scanned).get(key, []))
        if header.key is None or header.array or header.key.names != (TOOLS, key):
            return None
        members = tuple(Member(each.key, each.value) for each in scanned.statements if each.value is not None)
        entries = [_entry(member, 0) for member in members]
        return TableForm(span, (header.key.places[1],), header, members, None, tuple(entries))

    def segment(self, index: int) -> ScannedSegment | None:
        """The segment of that index with all places; None where it holds a mistake of TOML."""
        if index not in self._scanned:
            manifest = self._manifest
            start = manifest.starts[index]
            scanned = Scanner(manifest.text).segment(start, first=index == 0)
            sure = not scanned.problems and scanned.end == start + manifest.segments[index].length
            self._scanned[index] = scanned if sure else None
        return self._scanned[index]

    def _count(self, key: str) -> int:
        if self._counts is None:
            self._counts = Counter(table.key for segment in self._manifest.segments for table in segment.tables)
        return self._counts[key]

    def _members_of(self, index: int, scanned: ScannedSegment) -> dict[str, list[tuple[Member, int]]]:
        if index not in self._members:
            found = self._members[index] = {}
            for member, above in _members(scanned):
                found.setdefault(member.key.names[above], []).append((member, above))
        return self._members[index]


def table_form(manifest: Manifest, table: int) -> TableForm | None:
    """How one table is written; see `Forms`."""
    return Forms(manifest).of(table)


def tools_inline(manifest: Manifest) -> Member | None:
    """The statement `tools = {…}` at the top, where there is one."""
    scanned = Forms(manifest).segment(0)
    for key, value in scanned.statements if scanned is not None else ():
        if key.names == (TOOLS,) and value is not None and value.kind is ValueKind.TABLE:
            return Member(key, value)
    return None


def members_of(value: Value) -> tuple[Statement, ...]:
    """The members of an inline table."""
    assert value.kind is ValueKind.TABLE
    assert isinstance(value.data, tuple)
    return value.data


def content_start(text: str) -> int:
    """Where a text begins, behind its byte order mark if it has one."""
    return len(BOM) if text.startswith(BOM) else 0


def _members(scanned: ScannedSegment) -> Iterator[tuple[Member, int]]:
    """The members that are in `tools`, each with how many names of its key stand before the table's own."""
    for key, value in scanned.statements:
        if value is None:
            continue
        if scanned.header is not None:
            yield Member(key, value), 0
        elif key.names[0] == TOOLS and len(key.names) > 1:
            yield Member(key, value), 1
        elif key.names[0] == TOOLS and value.kind is ValueKind.TABLE:
            inner = members_of(value)
            for place, each in enumerate(inner):
                if each.value is not None:
                    yield Member(each.key, each.value, value, inner, place), 0


def _by_members(span: Span, own: Sequence[tuple[Member, int]]) -> TableForm | None:
    if not own:
        return None
    places = tuple(member.key.places[above] for member, above in own)
    members = tuple(member for member, _ in own)
    first = own[0][0]
    if any(len(member.key.names) == above + 1 for member, above in own):
        if len(own) > 1 or first.value.kind is not ValueKind.TABLE:
            return None
        inner = members_of(first.value)
        inside = [
            Member(each.key, each.value, first.value, inner, place)
            for place, each in enumerate(inner)
            if each.value is not None
        ]
        return TableForm(span, places, None, members, first, tuple(_entry(member, 0) for member in inside))
    return TableForm(span, places, None, members, None, tuple(_entry(member, above + 1) for member, above in own))


def _entry(member: Member, above: int) -> EntryForm:
    whole = len(member.key.names) == above + 1
    return EntryForm(member.key.names[above], member.key.places[above], member.value if whole else None, member)
