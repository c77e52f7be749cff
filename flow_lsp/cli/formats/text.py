"""For people: each finding with its place, the line with carets below it, and what to do; then a summary."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import TypeVar

from flow_lsp.cli.formats.excerpt import excerpt
from flow_lsp.cli.report import SEVERITY_WORDS, ByContract, NotRun, Place, Report, ReportedFile, ReportedTool
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
_STATE_COLOURS = {"fits": GREEN, "offered": GREEN, "not-checked": YELLOW, "unknown": YELLOW}


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
        described = tool.state.described
        outcome = described.outcome if described is not None else None
        if outcome is not None and outcome.mcp is not None:
            by += f", {shown(outcome.mcp.server)}"
        as_of = described.as_of_text if described is not None else ""
        lines.append(f"{state}  {identity}  {by}{as_of}")
    return "\n".join(lines)


def _summary(report: Report, colour: bool) -> str:
    lines = [f"not looked at: {printable(path)}: {sentence}" for path, sentence in report.not_looked_at]
    lines.extend(_not_run(report.not_run))
    lines.extend(_by_contract(report.by_contract))
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
    elif not report.tools:
        lines.append(f"No Tool is declared in {amount(len(report.files), 'file')}.")
    elif report.by_contract:
        lines.append(painted(f"All clear as recorded: {scope} checked.", GREEN, colour))
    else:
        lines.append(painted(f"All clear: {scope} checked.", GREEN, colour))
    return "\n".join(lines)


def _not_run(left_out: Sequence[NotRun]) -> Iterator[str]:
    """A line for each reason, with the first commands that it holds for."""
    for reason, those in _grouped((each.reason, each) for each in left_out):
        yield f"not run: {_names(those)}. {reason}"


def _by_contract(judged: Sequence[ByContract]) -> Iterator[str]:
    """The same for the commands that contracts spoke for, with how many there are and when the oldest was recorded."""
    for reason, those in _grouped((each.reason, each) for each in judged):
        count = amount(len(those), "command")
        days = sorted({each.recorded for each in those})
        later = " and later" if len(days) > 1 else ""
        yield f"judged by contracts: {count}, as recorded on {days[0]}{later}: {_names(those)}. {reason}".rstrip()


_Silent = TypeVar("_Silent", NotRun, ByContract)


def _grouped(pairs: Iterable[tuple[str, _Silent]]) -> Iterable[tuple[str, list[_Silent]]]:
    groups: dict[str, list[_Silent]] = {}
    for reason, each in pairs:
        groups.setdefault(reason, []).append(each)
    return groups.items()


def _names(those: Sequence[NotRun | ByContract]) -> str:
    names = ", ".join(f"`{shown(each.command.command)}`" for each in those[:_NAMED])
    return names + (f" and {len(those) - _NAMED} more" if len(those) > _NAMED else "")
