"""Findings and spans in the shapes of the LSP (3.17, "Diagnostic", "Range", "Hover").

Diagnostics are made as JSON text, piece by piece: of ten thousand findings a keystroke changes one, so that
what a finding says is written once and only its place again.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from flow_lsp.analysis.markdown import plain
from flow_lsp.findings.model import Finding, Related, Rule
from flow_lsp.server.messages import json_text
from flow_lsp.text.lines import LineIndex, PositionEncoding
from flow_lsp.text.spans import Span

SOURCE = "flow"
_UNNECESSARY = 1  # DiagnosticTag

_Said = tuple[Rule, Mapping[str, str], str, tuple[int, int, int, int] | None, str]
# A finding's rule, its arguments, what it says; and the range and text of the diagnostic of the last time.

Place = tuple[str, LineIndex]
"""A file as others point at it: the URI to send and the positions of its text."""


@dataclass(frozen=True, slots=True)
class DiagnosticOptions:
    """What the client understands of a diagnostic, and how ours are written.

    `page` gives the address of a code's documentation, `place` the file of an absolute path if it is known.
    """

    encoding: PositionEncoding = PositionEncoding.UTF16
    related: bool = True
    tags: bool = True
    page: Callable[[str], str] | None = None
    place: Callable[[str], Place | None] = lambda _: None


def _range(line: int, character: int, last_line: int, last_character: int) -> str:
    """The beginning of a JSON object, with a range in it."""
    return (
        f'{{"range":{{"start":{{"line":{line},"character":{character}}},'
        f'"end":{{"line":{last_line},"character":{last_character}}}}}'
    )


def lsp_range(span: Span, index: LineIndex, encoding: PositionEncoding) -> dict[str, dict[str, int]]:
    """A span as a Range."""
    start, end = index.position(span.start, encoding), index.position(max(span), encoding)
    return {"start": start._asdict(), "end": end._asdict()}


def lsp_ranges(spans: Iterable[Span], index: LineIndex, encoding: PositionEncoding) -> list[dict[str, dict[str, int]]]:
    """Many spans as Ranges; much faster than each by itself."""
    return [
        {"start": {"line": line, "character": column}, "end": {"line": last, "character": end}}
        for line, column, last, end in index.ranges(spans, encoding)
    ]


def hover(
    value: str, span: Span | None, index: LineIndex, encoding: PositionEncoding, markdown: bool = True
) -> dict[str, Any]:
    """A Hover with Markdown in it; a client that only shows plain text gets the same words as such."""
    contents = {"kind": "markdown", "value": value} if markdown else {"kind": "plaintext", "value": plain(value)}
    shown: dict[str, Any] = {"contents": contents}
    if span is not None:
        shown["range"] = lsp_range(span, index, encoding)
    return shown


class DiagnosticWriter:
    """Writes the diagnostics of one document. It remembers what the findings of the last time said, and
    only those, so that keeping a writer for each document is cheap."""

    def __init__(self, options: DiagnosticOptions) -> None:
        self._options = options
        self._said: dict[int, _Said] = {}
        self._heads: dict[str, tuple[Rule, str]] = {}  # by code

    def write(self, findings: Sequence[Finding], index: LineIndex) -> tuple[str, ...]:
        """The findings as JSON texts of Diagnostics, in the same order; `index` is of the document's text."""
        options, before = self._options, self._said
        said: dict[int, _Said] = {}
        others: dict[str, Place | None] = {}
        written = []
        places = index.ranges([finding.span for finding in findings], options.encoding)
        for finding, place in zip(findings, places, strict=True):
            arguments = finding.arguments
            # A finding that was only shifted still has the same arguments; while they are kept here, no
            # others can have their identity.
            known = before.get(id(arguments))
            if known is None or known[0] is not finding.rule:
                known = finding.rule, arguments, self._rest(finding), None, ""
            if finding.related and options.related:
                item = f"{_range(*place)},{known[2]}{self._related(finding.related, others)}}}"
                known = known[0], arguments, known[2], None, ""
            elif known[3] == place:
                item = known[4]
            else:
                item = f"{_range(*place)},{known[2]}}}"
                known = known[0], arguments, known[2], place, item
            said[id(arguments)] = known
            written.append(item)
        self._said = said
        return tuple(written)

    def _rest(self, finding: Finding) -> str:
        """All members but the range and the related places, without braces."""
        head = self._heads.get(finding.rule.code)
        if head is None or head[0] is not finding.rule:
            head = self._heads[finding.rule.code] = finding.rule, self._head(finding.rule)
        return f'{head[1]},"message":{json_text(finding.message)}'

    def _head(self, rule: Rule) -> str:
        """The members that every finding of a rule has in common."""
        members: dict[str, Any] = {"severity": int(rule.severity), "code": rule.code, "source": SOURCE}
        if self._options.page is not None:
            members["codeDescription"] = {"href": self._options.page(rule.code)}
        if rule.unnecessary and self._options.tags:
            members["tags"] = [_UNNECESSARY]
        return json_text(members)[1:-1]

    def _related(self, places: tuple[Related, ...], others: dict[str, Place | None]) -> str:
        """The member relatedInformation with a comma before it; without the places that cannot be found.
        `others` are the files that were asked for already."""
        written = []
        for related in places:
            if related.path not in others:
                others[related.path] = self._options.place(related.path)
            place = others[related.path]
            if place is not None:
                uri, index = place
                (where,) = index.ranges([related.span], self._options.encoding)
                location = f'{_range(*where)},"uri":{json_text(uri)}}}'
                written.append(f'{{"location":{location},"message":{json_text(related.message)}}}')
        return f',"relatedInformation":[{",".join(written)}]' if written else ""
