"""A segment of a manifest: a header and what stands below it, up to the next header's line.

Everything in a segment counts from its start, so that an edit elsewhere leaves it as it is.
"""

from __future__ import annotations

from dataclasses import dataclass

from flow_lsp.findings import manifest_rules
from flow_lsp.findings.model import Finding
from flow_lsp.manifest.definitions import Node, add_value
from flow_lsp.manifest.model import ToolTable
from flow_lsp.manifest.tables import TOOLS, check_draft, draft_tables, span
from flow_lsp.manifest.toml_scanner import ScannedSegment
from flow_lsp.manifest.toml_syntax import Header, Key, Statement, SyntaxProblem, ValueKind
from flow_lsp.manifest.toml_values import twice
from flow_lsp.text.spans import Span

MOST_FINDINGS = 1_000  # of a segment, and of a manifest: nobody reads more, and a hostile text could hold millions


@dataclass(frozen=True, slots=True)
class Outline:
    """What a segment that is no plain tool table has to do with others. Its keys count from its start.

    `tops` are keys at the top of the document other than `tools`; `not_tools` says where `tools` is no
    table, and what it is; `nested` are the keys of the tables that only headers inside them stand for here.
    """

    header: Header | None
    statements: tuple[Statement, ...]
    tops: tuple[tuple[str, Span], ...]
    not_tools: tuple[Span, str] | None
    nested: frozenset[str]


@dataclass(frozen=True, slots=True)
class Segment:
    """What one segment says.

    `tool_key` is the key of the plain form, [tools."key"] with simple statements, to which `outline` has
    nothing to add; a segment with neither says nothing of others. `header_start` is where its header's
    bracket stands (the length where it has none); `fresh` and `endless` are the scan's.
    """

    length: int
    header_start: int
    fresh: bool
    endless: int
    tool_key: str | None
    outline: Outline | None
    tables: tuple[ToolTable, ...]
    findings: tuple[Finding, ...]

    @property
    def header_names(self) -> tuple[str, ...] | None:
        """The names of the header's key; None where there is no header or none that can be read."""
        if self.tool_key is not None:
            return TOOLS, self.tool_key
        if self.outline is None or self.outline.header is None or self.outline.header.key is None:
            return None
        return self.outline.header.key.names


def segment_of(scanned: ScannedSegment, windows: bool) -> Segment:
    """What a scanned segment says, with the findings that need no other segment."""
    base = scanned.start
    header = scanned.header
    findings: list[Finding] = []
    problems = list(scanned.problems)
    statements = list(scanned.statements)
    if len(statements) > 1:
        defined = Node()
        dotted: list[Node] = []
        kept = [each for each in statements if add_value(defined, each.key, each.value, dotted)]
        if len(kept) < len(statements):
            single = set(map(id, kept))
            problems.extend(twice(each.key) for each in statements if id(each) not in single)
            problems.sort(key=_start)
            statements = kept
    for problem in problems[:MOST_FINDINGS]:
        findings.append(toml_finding(problem, base))
    drafts = draft_tables(header, statements)
    tables = tuple(check_draft(draft, scanned, windows, findings) for draft in drafts.by_key.values())
    tool_key = None
    outline = None
    if header is not None and header.key is None:
        pass  # what stands below a header that cannot be read belongs to nothing
    elif header is not None and is_plain(header, statements):
        assert header.key is not None
        tool_key = header.key.names[1]
    elif header is not None or statements:
        outline = Outline(
            None if header is None else _moved_header(header, base),
            # What a statement that cannot be read defines is not known, so that nothing can be said to repeat it.
            tuple(Statement(_moved_key(key, base), None) for key, value in statements if value is not None),
            tuple((name, span(start - base, end - base)) for name, (start, end) in drafts.tops.items()),
            _moved_not_tools(drafts.not_tools, base),
            frozenset(name for name, draft in drafts.by_key.items() if not draft.direct),
        )
    length = scanned.end - base
    return Segment(
        length,
        length if header is None else header.start - base,
        scanned.fresh,
        scanned.endless - base if scanned.endless >= 0 else -1,
        tool_key,
        outline,
        tables,
        tuple(findings[:MOST_FINDINGS]),
    )


def _start(problem: SyntaxProblem) -> int:
    return problem.start


def is_plain(header: Header, statements: list[Statement]) -> bool:
    """Whether this is [tools."…"] with statements whose keys are simple and whose values are no tables."""
    if header.array or header.key is None or len(header.key.names) != 2 or header.key.names[0] != TOOLS:
        return False
    return all(
        len(key.names) == 1 and (value is None or value.kind is not ValueKind.TABLE) for key, value in statements
    )


def toml_finding(problem: SyntaxProblem, base: int) -> Finding:
    """A finding for what is no TOML, its span counted from `base`."""
    return manifest_rules.TOML.at(Span(problem.start - base, problem.end - base), problem_text=problem.sentence)


def _moved_key(key: Key, base: int) -> Key:
    return Key(key.names, tuple((start - base, end - base) for start, end in key.places))


def _moved_header(header: Header, base: int) -> Header:
    assert header.key is not None
    return Header(_moved_key(header.key, base), header.array, header.start - base, header.end - base)


def _moved_not_tools(not_tools: tuple[tuple[int, int], str] | None, base: int) -> tuple[Span, str] | None:
    if not_tools is None:
        return None
    (start, end), kind = not_tools
    return span(start - base, end - base), kind
