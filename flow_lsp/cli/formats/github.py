"""Workflow commands, which GitHub Actions shows as annotations of the lines concerned."""

from __future__ import annotations

import re

from flow_lsp.cli.report import Report, ReportedFile
from flow_lsp.cli.terminal import printable
from flow_lsp.findings.model import Finding, Severity, shown

_LEVELS = {
    Severity.ERROR: "error",
    Severity.WARNING: "warning",
    Severity.INFORMATION: "notice",
    Severity.HINT: "notice",
}


def github_report(report: Report) -> str:
    """A command on each line; the empty text where there is nothing to say."""
    lines = [_finding(file, finding) for file, finding in report.all]
    lines.extend(
        f"::notice title=flow-lsp not run::{_data(f'`{shown(each.command.command)}`. {each.reason}')}"
        for each in report.not_run
    )
    lines.extend(
        "::notice title=flow-lsp judged by contract::"
        + _data(f"`{shown(each.command.command)}`, {each.as_recorded}. {each.reason}".rstrip())
        for each in report.by_contract
    )
    lines.extend(
        f"::warning title=flow-lsp not looked at::{_data(f'{path}: {sentence}')}"
        for path, sentence in report.not_looked_at
    )
    return "\n".join(lines)


def _finding(file: ReportedFile, finding: Finding) -> str:
    place = file.place(finding.span)
    properties: dict[str, object] = {"file": file.path, "line": place.start.line + 1}
    if place.end.line == place.start.line:  # columns count within one line alone
        properties |= {"col": place.start.character + 1, "endColumn": place.end.character + 1}
    else:
        properties["endLine"] = place.end.line + 1
    properties["title"] = f"flow-lsp {finding.rule.code}"
    written = ",".join(f"{name}={_property(value)}" for name, value in properties.items())
    return f"::{_LEVELS[finding.rule.severity]} {written}::{_data(finding.message)}"


def _data(text: object) -> str:
    lines = re.split(r"([\r\n])", str(text))  # line ends have an escape of GitHub's own
    seen = "".join(line if line in ("\r", "\n") else printable(line) for line in lines)
    return seen.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(value: object) -> str:
    return _data(value).replace(":", "%3A").replace(",", "%2C")
