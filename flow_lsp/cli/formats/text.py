"""For people: each finding with its place, the line with carets below it, and what to do; then a summary."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from flow_lsp.cli.formats.excerpt import excerpt
from flow_lsp.cli.report import SEVERITY_WORDS, NotRun, Place, Report, ReportedFile, ReportedTool
from flow_lsp.cli.terminal import (
    BOLD,
    GREEN,
    RED,
    SEVERITY_COLOURS,
    YELLOW,
    amount,
    display_width,
    painted,
    printable,
)
from flow_lsp.findings.model import Finding, Severity, shown

_NAMED = 5  # how many commands a line names
_STATE_COLOURS = {"fits": GREEN, "bound": GREEN, "not-checked": YELLOW, "unknown": YELLOW}


def text_report(report: Report, *, colour: bool = False, verbose: bool = False) -> str:
    """The report as text. `verbose` also lists every Tool with its state."""
    parts = [_finding(report, file, finding, colour) for file, finding in report.all]
    if verbose and report.tools:
        parts.append(_states(report.tools, colour) + "\n")
    parts.append(_summary(report, colour))
    return "\n".join(parts)


def _finding(report: Report, file: ReportedFile, finding: Finding, colour: bool) -> str:
    place = file.place(finding.span)
    severity = finding.rule.severity
    word = painted(SEVERITY_WORDS[severity], SEVERITY_COLOURS[severity], colour)
    lines = [f"{painted(_where(place), BOLD, colour)}: {word}[{finding.rule.code}]: {finding.message}"]
    lines.extend(excerpt(file.index, place.start, place.end, SEVERITY_COLOURS[severity], colour))
    lines.extend(f"    = {_where(other)}: {message}" for other, message in report.related(finding))
    return "\n".join(lines) + "\n"


def _where(place: Place) -> str:
    return f"{printable(place.path)}:{place.start.line + 1}:{place.start.character + 1}"


def _states(tools: Sequence[ReportedTool], colour: bool) -> str:
    """A line for each Tool: its state, its identity, what answers for it."""
    states = max(len(tool.word) for tool in tools)
    identities = max(display_width(printable(tool.tool.declared.identity)) for tool in tools)
    lines = []
    for tool in tools:
        state = painted(tool.word, _STATE_COLOURS.get(tool.word, RED), colour) + " " * (states - len(tool.word))
        identity = printable(tool.tool.declared.identity)
        identity += " " * (identities - display_width(identity))
        bound = tool.state.bound
        command = shown(bound.key.command) if bound is not None else ""
        by = f"{bound.kind} {command}" if bound is not None else "nothing answers"
        as_of = tool.state.described.as_of_text if tool.state.described is not None else ""
        lines.append(f"{state}  {identity}  {by}{as_of}")
    return "\n".join(lines)


def _summary(report: Report, colour: bool) -> str:
    lines = [f"not looked at: {printable(path)}: {sentence}" for path, sentence in report.not_looked_at]
    lines.extend(_not_run(report.not_run))
    counts = [
        amount(report.count(severity), SEVERITY_WORDS[severity])
        for severity in (Severity.ERROR, Severity.WARNING)
        if report.count(severity)
    ]
    scope = f"{amount(len(report.tools), 'Tool')} in {amount(len(report.files), 'file')}"
    if counts:
        lines.append(painted(f"{' and '.join(counts)} ({scope} checked)", BOLD, colour))
    elif report.not_run or report.not_looked_at:
        lines.append(f"No errors in what could be checked ({scope}).")
    elif not report.files:
        lines.append("There is no .flow file and no flow.toml here, so nothing was checked.")
    else:
        lines.append(painted(f"All clear: {scope} checked.", GREEN, colour))
    return "\n".join(lines)


def _not_run(left_out: Sequence[NotRun]) -> Iterator[str]:
    """A line for each reason, with the first commands that it holds for."""
    by_reason: dict[str, list[NotRun]] = {}
    for each in left_out:
        by_reason.setdefault(each.reason, []).append(each)
    for reason, those in by_reason.items():
        names = ", ".join(f"`{shown(each.command.command)}`" for each in those[:_NAMED])
        more = f" and {len(those) - _NAMED} more" if len(those) > _NAMED else ""
        yield f"not run: {names}{more}. {reason}"
