"""Which module knows what to do about which finding. A module is imported when its first finding is met."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from importlib import import_module
from typing import Final, cast

from flow_lsp.analysis.edits import Change, TextEdit, applied
from flow_lsp.analysis.fixes.model import FindingFixer, Fix, FixContext, FixKind, PlaceFixer
from flow_lsp.analysis.manifest_edits import no_worse
from flow_lsp.manifest.model import Manifest
from flow_lsp.manifest.reader import read_manifest
from flow_lsp.source.reader import read_source
from flow_lsp.text.changes import common_prefix, common_suffix
from flow_lsp.text.spans import Span

FINDING_FIXERS: Final[Mapping[str, str]] = {
    "unknown-key": "manifest_keys:unknown_key",
    "one-of": "manifest_keys:one_of",
    "value": "manifest_keys:value",
    "path": "manifest_keys:path",
    "same-path": "manifest_keys:same_path",
    "shadowed": "manifest_tables:shadowed",
    "missing-file": "manifest_tables:missing_file",
    "unbound-no-manifest": "manifest_tables:unbound",
    "unbound-no-table": "manifest_tables:unbound",
    "syntax": "source_syntax:syntax",
    "misspelt": "source_syntax:misspelt",
    "open-comment": "source_syntax:open_comment",
    "unknown-type": "source_types:unknown_type",
    "arity": "source_types:arity",
    "import": "source_imports:wrong",
    "unused-import": "source_imports:unused",
    "repeated-name": "source_imports:repeated",
    "result": "source_declarations:result",
    "body": "source_declarations:body",
    "endless-value": "source_declarations:endless",
    "no-order": "source_declarations:no_order",
    "parameter-name": "source_declarations:parameter_name",
    "drift": "source_drift:drift",
    "unserved": "source_drift:unserved",
}
"""By a rule's code: `module:function` of `flow_lsp.analysis.fixes`, a FindingFixer."""

PLACE_FIXERS: Final[Sequence[str]] = ("manifest_keys:plain_key", "manifest_tables:add_table", "toolkit:at_place")
"""`module:function`, each a PlaceFixer."""

NEVER_SAFE: Final = frozenset(
    ("missing-file", "shadowed", "one-of", "unbound-no-manifest", "unbound-no-table", "drift", "unserved")
)
"""Rules whose fixes are a user's choice, which need not be made where only safe ones are wanted."""

MOST_FIXES: Final = 100  # at one place; a list longer than that helps nobody
FEW_FINDINGS: Final = 50  # for all of which fixes are made unasked
MOST_ROUNDS: Final = 4  # of fixes that come to light by others


def fixes_at(context: FixContext, span: Span) -> list[Fix]:
    """The fixes of the findings that `span` touches, in the order of the findings, then what can be done there."""
    found: list[Fix] = []
    for fix in _all_at(context, span):
        if any(fix.title == other.title and fix.change == other.change for other in found):
            continue  # two findings of one cause
        found.append(fix)
        if len(found) == MOST_FIXES:
            break
    return found


def fix_all(context: FixContext) -> Fix | None:
    """All safe fixes of the file as one, those left out that overlap with one before; None where there is none. What
    can be fixed only then is fixed too."""
    edits = _safe_edits(context)
    if not edits:
        return None
    text, now = context.text, context
    for _ in range(MOST_ROUNDS):
        text = applied(now.text, edits)
        following = _with_text(now, text)
        further = _safe_edits(following) if following is not None else []
        if following is None or not further:
            break
        now, edits = following, further
    if now is not context:
        edits = [_difference(context.text, text)]
    return Fix("Fix all that can be fixed safely", Change({context.key: tuple(edits)}), kind=FixKind.FIX_ALL)


def is_soon_fixed(context: FixContext) -> bool:
    """Whether `fix_all` takes no time that one would notice: there are few findings to look at."""
    found = context.analysis.findings(context.snapshot, context.key)
    return sum(finding.rule.code in FINDING_FIXERS.keys() - NEVER_SAFE for finding in found) <= FEW_FINDINGS


def _safe_edits(context: FixContext) -> list[TextEdit]:
    """The edits of all safe fixes. In a manifest each is sure alone; where they are not so together, because two keys
    would become one, only the first ones are taken."""
    fixes = _safe_fixes(context)
    while True:
        edits = [edit for fix in fixes for edit in fix]
        if len(fixes) < 2 or _is_sure(context, edits):
            return edits
        fixes = fixes[: len(fixes) // 2]


def _is_sure(context: FixContext, edits: list[TextEdit]) -> bool:
    manifest = _manifest_of(context)
    if manifest is None:
        return True
    return no_worse(read_manifest(applied(context.text, edits), manifest, manifest.windows), manifest)


def _manifest_of(context: FixContext) -> Manifest | None:
    file = context.snapshot.manifests.get(context.key.rpartition("/")[0] or "/")
    return None if file is None or file.path != context.key else file.manifest


def _safe_fixes(context: FixContext) -> list[list[TextEdit]]:
    chosen: list[list[TextEdit]] = []
    taken: list[Span] = []
    for finding in context.analysis.findings(context.snapshot, context.key):
        for fix in _of_finding(context, finding.rule.code, finding) if finding.rule.code not in NEVER_SAFE else ():
            edits = list(fix.change.edits.get(context.key, ())) if fix.change is not None and fix.safe else []
            only_here = fix.change is not None and not fix.change.created and set(fix.change.edits) == {context.key}
            if edits and only_here and not any(_overlap(one.span, other) for one in edits for other in taken):
                chosen.append(edits)
                taken += [edit.span for edit in edits]
                break
    return chosen


def _with_text(context: FixContext, text: str) -> FixContext | None:
    """The same file with another text."""
    known = _manifest_of(context)
    if known is None:
        source = context.snapshot.sources.get(context.key)
        if source is None:
            return None
        sources = {**context.snapshot.sources, context.key: read_source(text, source)}
        return FixContext(context.analysis, replace(context.snapshot, sources=sources), context.key, text)
    directory = context.key.rpartition("/")[0] or "/"
    file = replace(context.snapshot.manifests[directory], manifest=read_manifest(text, known, known.windows))
    manifests = {**context.snapshot.manifests, directory: file}
    return FixContext(context.analysis, replace(context.snapshot, manifests=manifests), context.key, text)


def _difference(before: str, after: str) -> TextEdit:
    start = common_prefix(before, after)
    end = common_suffix(before, after, start)
    return TextEdit(Span(start, len(before) - end), after[start : len(after) - end])


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
