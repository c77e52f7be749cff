"""What the fixes of `.flow` files have in common: the item of a finding, and edits that are read before they are
offered."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from flow_lsp.analysis.edits import Change, TextEdit, applied
from flow_lsp.analysis.fixes.model import Fix, FixContext
from flow_lsp.analysis.import_plans import ImportPlan
from flow_lsp.findings.model import Finding
from flow_lsp.source.declarations import CheckedFile
from flow_lsp.source.model import Item, NamedType, SourceFile
from flow_lsp.source.reader import read_source
from flow_lsp.source.token_stream import Token, tokens
from flow_lsp.source.type_parts import named_types
from flow_lsp.text.spans import Span


@dataclass(frozen=True, slots=True)
class FoundAt:
    """The item that a finding is in, which starts at `start`."""

    context: FixContext
    checked: CheckedFile
    item: Item
    start: int

    @property
    def source(self) -> SourceFile:
        """The file as read."""
        return self.checked.source

    @property
    def text(self) -> str:
        """The file's text."""
        return self.checked.source.text

    def placed(self, span: Span) -> Span:
        """A span of the item, in the file."""
        return span.shifted(self.start)

    def named_at(self, span: Span) -> NamedType | None:
        """The type whose name, with its module, stands at a span of the file."""
        for found in named_types(self.item):
            if self.placed(found.span_of_name) == span:
                return found
        return None

    def plan(self, *, modules: bool = False) -> ImportPlan:
        """What the file imports and may import besides."""
        snapshot = self.context.snapshot
        return ImportPlan(snapshot, self.checked, modules=modules)

    def change(self, *edits: TextEdit) -> Change:
        """The change that makes `edits` in the file."""
        return Change({self.context.key: edits})


def found_at(context: FixContext, finding: Finding) -> FoundAt | None:
    """The item that `finding` is in; None where the file has none."""
    checked = context.analysis.checked(context.snapshot, context.key)
    index = checked.source.item_at(finding.span.start) if checked is not None else -1
    if checked is None or index < 0:
        return None
    return FoundAt(context, checked, checked.source.items[index], checked.source.starts[index])


def replacing(span: Span, text: str) -> TextEdit:
    """The edit that puts `text` in place of a span."""
    return TextEdit(span, text)


def inserting(place: int, text: str) -> TextEdit:
    """The edit that puts `text` at a place."""
    return TextEdit(Span(place, place), text)


def reads_better(place: FoundAt, finding: Finding, edits: Sequence[TextEdit]) -> bool:
    """Whether the reader gets past `finding`, of the syntax, once the edits are made: what it then stumbles over first
    in the same item, if anything, stands further behind."""
    after = read_source(applied(place.text, edits), place.source)
    index = after.item_at(place.start)
    end = place.start + place.item.size - len(place.text) + len(after.text)
    rest = len(place.text) - finding.span.start
    while 0 <= index < len(after.items) and after.starts[index] < end:
        for problem in after.items[index].findings:
            start = problem.span.start + after.starts[index]
            if problem.rule is finding.rule and len(after.text) - start >= rest:
                return False
        index += 1
    return True


def sure(place: FoundAt, finding: Finding, title: str, *edits: TextEdit, preferred: bool = True) -> list[Fix]:
    """The fix of a finding of the syntax, where the edits take the reader past it; else nothing."""
    if not reads_better(place, finding, edits):
        return []
    return [Fix(title, place.change(*edits), finding, preferred=preferred)]


def last_token(text: str, start: int, limit: int) -> Token | None:
    """The last word or mark of `text` between two offsets."""
    last = None
    for token in tokens(text, start, limit):
        if token.kind not in ("line", "comment"):
            last = token
    return last


def closing_of(text: str, opening: int, limit: int) -> int:
    """Where the bracket that opens at `opening` is closed, behind it; -1 where it is not."""
    depth = 0
    for token in tokens(text, opening, limit):
        if token.kind in ("(", "{", "["):
            depth += 1
        elif token.kind in (")", "}", "]"):
            depth -= 1
            if depth == 0:
                return token.end
    return -1


def line_span(text: str, span: Span) -> Span:
    """`span` with the blank rest of its lines, where nothing else stands on them."""
    start = text.rfind("\n", 0, span.start) + 1
    end = text.find("\n", span.end)
    end = len(text) if end < 0 else end + 1
    if text[start : span.start].strip("\ufeff \t") or text[span.end : end].strip():
        return span
    return Span(start + text[start : span.start].startswith("\ufeff"), end)
