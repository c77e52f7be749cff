"""What the segments of a manifest have to do with each other: what is defined twice, tables of one file, and
tables at the top that flow.toml does not have.

Plain tool tables, nearly all of a manifest, only need to have different keys; the rest goes through TOML's
rules (`definitions`), which see a plain table as soon as something else touches its key.
"""

from __future__ import annotations

from bisect import bisect_left
from dataclasses import dataclass

from flow_lsp.findings import manifest_rules
from flow_lsp.findings.model import Finding
from flow_lsp.manifest.definitions import Definitions, Node, NodeKind
from flow_lsp.manifest.model import ToolTable
from flow_lsp.manifest.segments import MOST_FINDINGS, Segment, toml_finding
from flow_lsp.manifest.tables import KINDS, TOOLS, one_of
from flow_lsp.manifest.toml_syntax import Header, Key, Statement, SyntaxProblem
from flow_lsp.manifest.toml_values import twice
from flow_lsp.text.distance import nearest_name
from flow_lsp.text.spans import Span


@dataclass(frozen=True, slots=True)
class Relations:
    """The tables of all segments and the segments (`homes`) they stand in; and what is to be said of several.

    `findings` are (segment, finding counted from its start). `muted` are (segment, header span) of tables
    whose own finding that they name neither or both is not to be said. `plain` says that no segment touches
    another.
    """

    tables: list[ToolTable]
    homes: list[int]
    index_by_path: dict[str, int]
    findings: tuple[tuple[int, Finding], ...]
    muted: frozenset[tuple[int, Span]]
    plain: bool


def relate(segments: list[Segment]) -> Relations:
    """The relations of segments in the order of the text."""
    return _Relating(segments).result()


def replaced(relations: Relations, first: int, old: list[Segment], new: list[Segment]) -> Relations | None:
    """The relations after the segments `old`, the first of which has the index `first`, became `new`; None
    where that takes a new look at all of them."""
    if not relations.plain or len(old) != len(new):
        return None
    if not all(_relates_alike(one, other) for one, other in zip(old, new, strict=True)):
        return None
    # Plain segments have no table or one, at the index of the first home that is not before the segment.
    tables = relations.tables.copy()
    homes = relations.homes
    for index, segment in enumerate(new, first):
        if segment.tables:
            tables[bisect_left(homes, index)] = segment.tables[0]
    return Relations(tables, homes, relations.index_by_path, relations.findings, relations.muted, relations.plain)


def _relates_alike(one: Segment, other: Segment) -> bool:
    return one.tool_key == other.tool_key and one.outline is None and other.outline is None


class _Relating:
    """One look at all segments."""

    def __init__(self, segments: list[Segment]) -> None:
        self.segments = segments
        self.definitions = Definitions()
        self.waiting: dict[str, int] = {}  # plain tables that nothing else has touched: segment by key
        self.findings: list[tuple[int, Finding]] = []
        self.muted: set[tuple[int, Span]] = set()
        self.refused: set[int] = set()  # segments whose header defines something a second time
        self.tops: set[str] = set()
        self.said_not_tools = False
        self.said_array = False

    def result(self) -> Relations:
        plain = True
        tools: Node | None = None
        for index, segment in enumerate(self.segments):
            key = segment.tool_key
            if key is not None:
                if tools is None:
                    tools = self.definitions.root.children.setdefault(TOOLS, Node())
                if tools.kind is NodeKind.TABLE and key not in self.waiting and key not in tools.children:
                    self.waiting[key] = index
                else:
                    plain = False
                    self.define(index)
            elif segment.outline is not None:
                plain = False
                self.define(index)
                self.say_top(index)
                if tools is None:
                    tools = self.definitions.root.children.get(TOOLS)
        return self.gather(plain)

    def say(self, index: int, finding: Finding) -> None:
        """Notes a finding at a segment, counted from its start."""
        if len(self.findings) < MOST_FINDINGS:
            self.findings.append((index, finding))

    def define(self, index: int) -> None:
        """Puts a segment through TOML's rules."""
        segment = self.segments[index]
        for table in segment.tables:
            waiting = self.waiting.pop(table.key, None)
            if waiting is not None:
                self.define_plain(waiting)
        if segment.outline is None:
            self.define_plain(index)
        else:
            self.define_parts(index, segment.outline.header, segment.outline.statements)

    def define_plain(self, index: int) -> None:
        table = self.segments[index].tables[0]
        place = tuple(table.key_span)
        header = Header(
            Key((TOOLS, table.key), ((place[0], place[0]), (place[0], place[1]))), False, *table.header_span
        )
        statements = tuple(
            Statement(Key((entry.name,), ((entry.key_span.start, entry.key_span.end),)), None)
            for entry in table.entries
        )
        self.define_parts(index, header, statements)

    def define_parts(self, index: int, header: Header | None, statements: tuple[Statement, ...]) -> None:
        if header is not None and not self.definitions.add_header(header):
            self.refused.add(index)
            self.muted.update((index, table.header_span) for table in self.segments[index].tables)
            self.say_refused(index, header)
        for statement in statements:
            if not self.definitions.add_statement(statement):
                self.say(index, toml_finding(twice(statement.key), 0))

    def say_refused(self, index: int, header: Header) -> None:
        tools = self.definitions.root.children.get(TOOLS)
        if tools is not None and tools.kind is not NodeKind.TABLE and header.key is not None:
            names = header.key.names
            if names[0] == TOOLS and len(names) > 1 and tools.kind is NodeKind.VALUE:
                if self.said_not_tools:
                    return  # one `tools = 1` at the top is one mistake, however many tables follow
                self.said_not_tools = True
        sentence = "This table is defined already, or its name is a value. Merge the two, or remove one."
        problem = SyntaxProblem(header.start, header.end, sentence)
        self.say(index, toml_finding(problem, 0))

    def say_top(self, index: int) -> None:
        """Says what has no business at the top of the document: a name once, but a misspelt `tools`
        wherever it is."""
        outline = self.segments[index].outline
        assert outline is not None
        for name, place in outline.tops:
            meant = nearest_name(name, (TOOLS,))
            if name in self.tops and not meant:
                continue
            self.tops.add(name)
            remedy = f"Did you mean `{meant}`?" if meant else 'Only [tools."…"] tables stand here. Remove it.'
            finding = manifest_rules.UNKNOWN_KEY.at(
                place, key=name, where_text="flow.toml", remedy_text=remedy, meant=meant or ""
            )
            self.say(index, finding)
        if outline.not_tools is not None and index not in self.refused and not self.said_array:
            self.said_array = True
            place, kind = outline.not_tools
            remedy = 'Write [tools."…"] once for each file.'
            finding = manifest_rules.NOT_TABLE.at(place, key=TOOLS, kind_text=kind, remedy_text=remedy)
            self.say(index, finding)

    def gather(self, plain: bool) -> Relations:
        """Collects the tables, and says which name one file."""
        dropped = self.without_home()
        tables: list[ToolTable] = []
        homes: list[int] = []
        index_by_path: dict[str, int] = {}
        for index, segment in enumerate(self.segments):
            for table in segment.tables:
                if dropped and (index, table.key) in dropped:
                    continue
                path = table.path
                if path is not None:
                    if path not in index_by_path:
                        index_by_path[path] = len(tables)
                    else:
                        plain = False
                        first = tables[index_by_path[path]]
                        if first.key != table.key and index not in self.refused:
                            finding = manifest_rules.SAME_PATH.at(table.key_span, key=table.key, first=first.key)
                            self.say(index, finding)
                tables.append(table)
                homes.append(index)
        return Relations(tables, homes, index_by_path, tuple(self.findings), frozenset(self.muted), plain)

    def without_home(self) -> set[tuple[int, str]]:
        """Tables that only headers inside them stand for, while another segment has the table itself: these
        are no tables of their own. (segment, key) each."""
        nested = [
            (index, table)
            for index, segment in enumerate(self.segments)
            if segment.outline is not None and segment.outline.nested
            for table in segment.tables
        ]
        if not nested:
            return set()
        keys = {table.key for _, table in nested}
        direct: dict[str, tuple[int, ToolTable]] = {}
        for index, segment in enumerate(self.segments):
            for table in segment.tables:
                inside = segment.outline is not None and table.key in segment.outline.nested
                if table.key in keys and not inside and index not in self.refused:
                    direct.setdefault(table.key, (index, table))
        dropped: set[tuple[int, str]] = set()
        for index, table in nested:
            home = direct.get(table.key)
            if home is None:
                direct[table.key] = (index, table)
                continue
            dropped.add((index, table.key))
            self.muted.add((index, table.header_span))
            named = {entry.name for entry in table.entries if entry.name in KINDS}
            if named:
                self.muted.add((home[0], home[1].header_span))
                if len(named | {entry.name for entry in home[1].entries if entry.name in KINDS}) > 1:
                    self.say(home[0], one_of(table.key, 2, home[1].header_span))
        return dropped
