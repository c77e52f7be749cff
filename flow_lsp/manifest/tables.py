"""The tool tables of one segment, and the rules of a table (decisions 10).

A table may be a header with statements below it, an inline table, dotted keys, or a mixture; all come to
the same draft, and the rules are said of drafts. Every cause gives one finding: a key that is no path is
reported for that alone, and a table whose text is broken or whose key is misspelt is not also said to name
nothing.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache

from flow_lsp.findings import manifest_rules
from flow_lsp.findings.model import Finding, shown
from flow_lsp.manifest.model import BindingKind, Entry, ToolTable
from flow_lsp.manifest.paths import PathProblem, normalized_path
from flow_lsp.manifest.toml_scanner import ScannedSegment
from flow_lsp.manifest.toml_syntax import Header, Statement, Value, ValueKind
from flow_lsp.manifest.words import WordsProblem, split_words
from flow_lsp.text.distance import nearest_name
from flow_lsp.text.spans import Span

Relative = Callable[[tuple[int, int]], Span]  # from an absolute place to a span from the segment's start

TOOLS = "tools"
KINDS = ("command", "mcp")
ARRAY_OF_TABLES = "an array of tables"

# Segments of one form have the same relative spans; sharing them is most of what keeps 10,000 tables small.
span = lru_cache(maxsize=8192)(Span)


class Draft:
    """A tool table as far as one segment tells. Places are absolute.

    `names` and `places` are the keys below `tools` as they were first written; `direct` is False where only
    headers of tables inside it stand here; `broken` says that some of its text could not be read.
    """

    __slots__ = ("broken", "direct", "end", "entries", "names", "not_table", "places", "start")

    def __init__(self, names: tuple[str, ...], places: tuple[tuple[int, int], ...], start: int, end: int) -> None:
        self.names = names
        self.places = places
        self.start = start
        self.end = end
        self.direct = True
        self.broken = False
        self.not_table: str | None = None
        # By name: where the key stands, and its value; None where it could not be read or is a table of
        # several lines.
        self.entries: dict[str, tuple[tuple[int, int], Value | None, bool]] = {}

    def add(self, name: str, key_place: tuple[int, int], value: Value | None, is_table: bool = False) -> None:
        """Adds a key; the first of a name counts. `is_table` says that what it names is a table of several
        lines."""
        if name not in self.entries:
            self.entries[name] = key_place, value, is_table
        self.end = max(self.end, value.end if value is not None else key_place[1])


class Drafts:
    """All that one segment says: drafts of tool tables by key, and keys at the top that have no business
    there."""

    __slots__ = ("by_key", "not_tools", "tops")

    def __init__(self) -> None:
        self.by_key: dict[str, Draft] = {}
        self.tops: dict[str, tuple[int, int]] = {}
        self.not_tools: tuple[tuple[int, int], str] | None = None

    def add_member(
        self, names: tuple[str, ...], places: tuple[tuple[int, int], ...], value: Value | None, start: int
    ) -> None:
        """Adds a statement whose key below `tools` is `names`."""
        draft = self.by_key.get(names[0])
        if draft is None:
            draft = self.by_key[names[0]] = Draft(names, places, start, places[0][1])
        if len(names) > 1:
            draft.add(names[1], places[1], value if len(names) == 2 else None, len(names) > 2)
        elif value is None:
            draft.broken = True
        elif value.kind is ValueKind.TABLE:
            draft.end = value.end
            for inner in _statements(value):
                dotted = len(inner.key.names) > 1
                draft.add(inner.key.names[0], inner.key.places[0], None if dotted else inner.value, dotted)
        else:
            draft.end = value.end
            draft.not_table = value.kind.value


def _statements(value: Value) -> tuple[Statement, ...]:
    assert isinstance(value.data, tuple)
    return value.data


def draft_tables(header: Header | None, statements: list[Statement]) -> Drafts:
    """What a header (None at the top of a text) and the statements below it say."""
    drafts = Drafts()
    if header is None:
        for key, value in statements:
            if key.names[0] != TOOLS:
                drafts.tops.setdefault(key.names[0], key.places[0])
            elif len(key.names) > 1:
                drafts.add_member(key.names[1:], key.places[1:], value, key.places[0][0])
            elif value is not None and value.kind is ValueKind.TABLE:
                for inner in _statements(value):
                    drafts.add_member(inner.key.names, inner.key.places, inner.value, inner.key.places[0][0])
            elif value is not None:
                drafts.not_tools = key.places[0], value.kind.value
        return drafts
    if header.key is None:
        return drafts
    names, places = header.key
    if names[0] != TOOLS:
        drafts.tops[names[0]] = places[0]
    elif len(names) == 1 and header.array:
        drafts.not_tools = places[0], ARRAY_OF_TABLES
    elif len(names) == 1:
        for key, value in statements:
            drafts.add_member(key.names, key.places, value, key.places[0][0])
    else:
        draft = drafts.by_key[names[1]] = Draft(names[1:], places[1:], header.start, header.end)
        if len(names) > 2:
            draft.direct = False
            draft.add(names[2], places[2], None, is_table=True)
        elif header.array:
            draft.not_table = ARRAY_OF_TABLES
        else:
            for key, value in statements:
                dotted = len(key.names) > 1
                draft.add(key.names[0], key.places[0], None if dotted else value, dotted)
    return drafts


def check_draft(draft: Draft, segment: ScannedSegment, windows: bool, findings: list[Finding]) -> ToolTable:
    """The draft as a table, with spans from the segment's start; what is wrong with it is added to
    `findings`."""
    base = segment.start

    def relative(place: tuple[int, int]) -> Span:
        return span(place[0] - base, place[1] - base)

    key = draft.names[0]
    key_span = relative(draft.places[0])
    if draft.start == draft.places[0][0]:
        header_span = key_span
    else:
        header_span = relative((draft.start, segment.header.end if segment.header else draft.places[0][1]))
    named = normalized_path(key)
    path = named if isinstance(named, str) else None
    binding: tuple[BindingKind, str, tuple[str, ...], Span] | None = None
    if isinstance(named, PathProblem):
        findings.append(_path_finding(draft, named, relative))
    elif draft.not_table is not None:
        findings.append(
            manifest_rules.NOT_TABLE.at(
                key_span,
                key=key,
                kind_text=draft.not_table,
                remedy_text='Write [tools."…"] once for each file, with a command or mcp below it.',
            )
        )
    else:
        binding = _check_entries(draft, bool(segment.problems), header_span, relative, windows, findings)
    entries = tuple(
        Entry(name, relative(key_place), None if value is None else relative((value.start, value.end)))
        for name, (key_place, value, _) in draft.entries.items()
    )
    extent = span(header_span.start, max(draft.end - base, header_span.end))
    if binding is None:
        return ToolTable(key, path, key_span, header_span, extent, entries=entries)
    return ToolTable(key, path, key_span, header_span, extent, *binding, entries)


def _path_finding(draft: Draft, problem: PathProblem, relative: Relative) -> Finding:
    """That a key is no path. Where its name was parted by dots for want of quotes, that is what is said."""
    for index, name in enumerate(draft.names):
        whole = ".".join(draft.names[: index + 1])
        if index and name == "flow" and isinstance(normalized_path(whole), str):
            place = relative((draft.places[0][0], draft.places[index][1]))
            reason = f'without quotes a dot parts it into several keys. Write [tools."{shown(whole)}"].'
            return manifest_rules.PATH.at(place, key=whole, reason_text=reason)
    return manifest_rules.PATH.at(relative(draft.places[0]), key=draft.names[0], reason_text=problem.reason)


def _check_entries(
    draft: Draft,
    has_problems: bool,
    header_span: Span,
    relative: Relative,
    windows: bool,
    findings: list[Finding],
) -> tuple[BindingKind, str, tuple[str, ...], Span] | None:
    usable: list[tuple[BindingKind, str, tuple[str, ...], Span]] = []
    misspelt = False
    for name, (key_place, value, is_table) in draft.entries.items():
        if name not in KINDS:
            findings.append(finding := _unknown_key(name, relative(key_place)))
            misspelt = misspelt or finding.arguments["meant"] != ""
        elif is_table:
            findings.append(_no_string(name, ValueKind.TABLE, relative(key_place)))
        elif value is not None and value.kind is not ValueKind.STRING:
            findings.append(_no_string(name, value.kind, relative((value.start, value.end))))
        elif value is not None:
            text = str(value.data)
            value_span = relative((value.start, value.end))
            words = command_words(text, windows)
            if isinstance(words, str):
                findings.append(manifest_rules.VALUE.at(value_span, key=name, reason_text=words))
            else:
                usable.append((BindingKind(name), text, words, value_span))
    count = sum(kind in draft.entries for kind in KINDS)
    if count == 2 or (count == 0 and not (has_problems or draft.broken or misspelt)):
        findings.append(one_of(draft.names[0], count, header_span))
    return usable[0] if count == 1 and usable else None


def command_words(text: str, windows: bool) -> tuple[str, ...] | str:
    """The words of a command, or a clause that says why it has none."""
    if "\0" in text:
        return "holds a NUL character, which no command line can. Remove it."
    split = split_words(text, windows)
    if isinstance(split, WordsProblem):
        remedy = "Remove it or double it." if "backslash" in split.reason else "Close it or remove it."
        return f"does not split into words: {split.reason} (character {split.offset + 1}). {remedy}"
    if not split.words:
        return "is empty. Write the program to run, and its arguments behind it."
    return split.words


def one_of(key: str, count: int, place: Span) -> Finding:
    """That a table names none or both (`count`) of command and mcp."""
    if count:
        return manifest_rules.ONE_OF.at(
            place, key=key, count_text="both command and mcp", remedy_text="Remove one of them."
        )
    return manifest_rules.ONE_OF.at(
        place,
        key=key,
        count_text="neither command nor mcp",
        remedy_text='Add command = "…" for a process of this protocol, or mcp = "…" for an MCP server.',
    )


def _no_string(name: str, kind: ValueKind, place: Span) -> Finding:
    remedy = "Write the words in one string, with spaces between." if kind is ValueKind.ARRAY else "Write a string."
    return manifest_rules.VALUE.at(place, key=name, reason_text=f"must be a string, and is {kind.value}. {remedy}")


def _unknown_key(name: str, place: Span) -> Finding:
    meant = nearest_name(name, KINDS)
    remedy = f"Did you mean `{meant}`?" if meant else "A table has one key, command or mcp. Remove this one."
    return manifest_rules.UNKNOWN_KEY.at(
        place, key=name, where_text="a tool table", remedy_text=remedy, meant=meant or ""
    )
