"""Which module knows what to do about which finding. A module is imported when its first finding is met."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from importlib import import_module
from typing import Final, cast

from flow_lsp.analysis.edits import Change, TextEdit
from flow_lsp.analysis.fixes.model import FindingFixer, Fix, FixContext, FixKind, PlaceFixer
from flow_lsp.text.spans import Span

FINDING_FIXERS: Final[Mapping[str, str]] = {}
"""By a rule's code: `module:function` of `flow_lsp.analysis.fixes`, a FindingFixer."""

PLACE_FIXERS: Final[Sequence[str]] = ()
"""`module:function`, each a PlaceFixer."""

MOST_FIXES: Final = 100  # at one place; a list longer than that helps nobody


def fixes_at(context: FixContext, span: Span) -> list[Fix]:
    """The fixes of the findings that `span` touches, in the order of the findings, then what can be done there."""
    found: list[Fix] = []
    for fix in _all_at(context, span):
        found.append(fix)
        if len(found) == MOST_FIXES:
            break
    return found


def fix_all(context: FixContext) -> Fix | None:
    """All safe fixes of the file as one, those left out that overlap with one before; None where there is none."""
    chosen: list[TextEdit] = []
    for finding in context.analysis.findings(context.snapshot, context.key):
        for fix in _of_finding(context, finding.rule.code, finding):
            edits = list(fix.change.edits.get(context.key, ())) if fix.change is not None and fix.safe else []
            only_here = fix.change is not None and not fix.change.created and set(fix.change.edits) == {context.key}
            if edits and only_here and not any(_overlap(one.span, other.span) for one in edits for other in chosen):
                chosen += edits
                break
    if not chosen:
        return None
    return Fix("Fix all that can be fixed safely", Change({context.key: tuple(chosen)}), kind=FixKind.FIX_ALL)


def _all_at(context: FixContext, span: Span) -> Iterator[Fix]:
    for finding in context.analysis.findings(context.snapshot, context.key):
        if finding.span.start <= span.end and span.start <= finding.span.end:
            yield from _of_finding(context, finding.rule.code, finding)
    for name in PLACE_FIXERS:
        yield from cast(PlaceFixer, _function(name))(context, span)


def _of_finding(context: FixContext, code: str, finding: object) -> Iterator[Fix]:
    name = FINDING_FIXERS.get(code)
    if name is not None:
        yield from cast(FindingFixer, _function(name))(context, finding)  # type: ignore[arg-type]


def _function(name: str) -> object:
    module, _, function = name.partition(":")
    return getattr(import_module(f"flow_lsp.analysis.fixes.{module}"), function)


def _overlap(one: Span, other: Span) -> bool:
    return (one.start < other.end and other.start < one.end) or one == other
