"""Text to manifest; after an edit, only the segments that it touches are read again.

A segment is read anew where the edit, or the first letters of the next header, by which it ends, reach it.
Reading goes on until it stands at the start of a segment of the old text that lies behind the edit; all
from there is shared. Both ends have to be fresh: at a place that depends on nothing read before.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from itertools import accumulate

from flow_lsp.findings import manifest_rules
from flow_lsp.findings.model import Finding
from flow_lsp.manifest.model import Manifest
from flow_lsp.manifest.relations import Relations, relate, replaced
from flow_lsp.manifest.segments import MOST_FINDINGS, Segment, segment_of
from flow_lsp.manifest.toml_scanner import Scanner
from flow_lsp.manifest.toml_strings import is_endless
from flow_lsp.text.changes import common_prefix, common_suffix


def read_manifest(text: str, previous: Manifest | None = None, windows: bool = False) -> Manifest:
    """The manifest that `text` is, with all that the text alone has wrong (section "flow.toml"; decisions
    10).

    At most MOST_FINDINGS findings are given, the first ones. `previous` is the manifest of a text like it,
    from which what is the same is taken over; the result does not depend on it. `windows` says that
    commands are split as the C runtime of Windows does (decisions 7).
    """
    if previous is None or previous.windows != windows:
        segments = _scan(text, windows)
        starts = _starts(segments)
        return _manifest(text, windows, segments, starts, _marked(segments, 0), relate(segments))
    if previous.text == text:
        return previous
    return _read_again(text, previous)


def _scan(text: str, windows: bool) -> list[Segment]:
    scanner = Scanner(text)
    scanned = scanner.segment(0, first=True)
    segments = [segment_of(scanned, windows)]
    while scanned.end < len(text):
        scanned = scanner.segment(scanned.end, first=False)
        segments.append(segment_of(scanned, windows))
    return segments


def _read_again(text: str, previous: Manifest) -> Manifest:
    old = previous.segments
    starts = previous.starts
    same_before = common_prefix(previous.text, text)
    same_after = common_suffix(previous.text, text, same_before)
    growth = len(text) - len(previous.text)
    changed_end = len(text) - same_after

    first = max(bisect_right(starts, same_before) - 1, 0)
    while first and (not old[first].fresh or same_before <= starts[first] + old[first].header_start):
        first -= 1
    for index in previous.marked:
        # A string that had no end may have one now; one whose start is read anew is looked at there.
        if index < first and old[index].endless >= 0 and not is_endless(text, starts[index] + old[index].endless):
            first = index
            while first and not old[first].fresh:
                first -= 1
            break

    scanner = Scanner(text)
    new: list[Segment] = []
    at = starts[first]
    last = len(old)  # the first segment of the old text that is shared again
    while at < len(text) or (first == 0 and not new):
        if new and at >= changed_end and scanner.is_fresh(at):
            candidate = bisect_left(starts, at - growth, lo=1)
            if candidate < len(old) and starts[candidate] == at - growth and old[candidate].fresh:
                last = candidate
                break
        scanned = scanner.segment(at, first=first == 0 and not new)
        new.append(segment_of(scanned, previous.windows))
        at = scanned.end
    gone = old[first:last]
    segments = [*old[:first], *new, *old[last:]]
    if growth == 0 and len(gone) == len(new) == 1:
        fresh_starts = starts
    else:
        middle = list(accumulate((segment.length for segment in new), initial=starts[first]))
        fresh_starts = [*starts[:first], *middle[:-1], *(start + growth for start in starts[last:])]
    more = len(new) - len(gone)
    marked = [index for index in previous.marked if index < first]
    marked += _marked(new, first)
    marked += [index + more for index in previous.marked if index >= last]
    relations = replaced(previous.relations, first, gone, new) or relate(segments)
    return _manifest(text, previous.windows, segments, fresh_starts, marked, relations)


def _manifest(
    text: str,
    windows: bool,
    segments: list[Segment],
    starts: list[int],
    marked: list[int],
    relations: Relations,
) -> Manifest:
    findings: list[Finding] = []
    muted = relations.muted
    for index in marked:
        for finding in segments[index].findings:
            if muted and finding.rule is manifest_rules.ONE_OF and (index, finding.span) in muted:
                continue
            findings.append(finding.shifted(starts[index]))
        if len(findings) >= MOST_FINDINGS:
            break
    for index, finding in relations.findings:
        findings.append(finding.shifted(starts[index]))
    findings.sort(key=_by_place)
    return Manifest(text, windows, segments, starts, marked, relations, tuple(findings[:MOST_FINDINGS]))


def _by_place(finding: Finding) -> tuple[int, int, str]:
    return finding.span.start, finding.span.end, finding.rule.code


def _starts(segments: list[Segment]) -> list[int]:
    starts = list(accumulate((segment.length for segment in segments), initial=0))
    starts.pop()
    return starts


def _marked(segments: list[Segment], first: int) -> list[int]:
    return [index for index, segment in enumerate(segments, first) if segment.findings or segment.endless >= 0]
