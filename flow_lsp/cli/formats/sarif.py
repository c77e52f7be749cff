"""SARIF 2.1.0 (an OASIS standard), for code scanning services. Section numbers are that standard's."""

from __future__ import annotations

import os
from typing import Any
from urllib.parse import quote

from flow_lsp import __version__
from flow_lsp.cli.report import Place, Report, ReportedFile
from flow_lsp.cli.terminal import json_text
from flow_lsp.findings.model import Finding, Rule, Severity
from flow_lsp.host.pages import page_text

_LEVELS = {
    Severity.ERROR: "error",
    Severity.WARNING: "warning",
    Severity.INFORMATION: "note",
    Severity.HINT: "note",
}


def sarif_report(report: Report) -> str:
    """The report as a SARIF log with one run; columns count code points."""
    rules: dict[str, Rule] = {}
    for _, finding in report.all:
        rules.setdefault(finding.rule.code, finding.rule)
    numbers = {code: number for number, code in enumerate(rules)}
    driver = {
        "name": "flow-lsp",
        "version": __version__,
        "semanticVersion": __version__,
        "rules": [_rule(rule) for rule in rules.values()],
    }
    run = {
        "tool": {"driver": driver},
        "columnKind": "unicodeCodePoints",  # 3.14.17
        "newlineSequences": ["\r\n", "\n", "\r"],  # 3.14.16
        "invocations": [{"executionSuccessful": True, "toolExecutionNotifications": _notifications(report)}],
        "results": [_result(report, file, finding, numbers) for file, finding in report.all],
    }
    log = {"$schema": "https://json.schemastore.org/sarif-2.1.0.json", "version": "2.1.0", "runs": [run]}
    return json_text(log)


def _rule(rule: Rule) -> dict[str, Any]:
    found: dict[str, Any] = {
        "id": rule.code,
        "shortDescription": {"text": rule.summary},
        "defaultConfiguration": {"level": _LEVELS[rule.severity]},
    }
    page = page_text(rule.code)
    if page is not None:
        found["help"] = {"text": rule.summary, "markdown": page}
    return found


def _result(report: Report, file: ReportedFile, finding: Finding, numbers: dict[str, int]) -> dict[str, Any]:
    result: dict[str, Any] = {
        "ruleId": finding.rule.code,
        "ruleIndex": numbers[finding.rule.code],
        "level": _LEVELS[finding.rule.severity],
        "message": {"text": finding.message},
        "locations": [_location(file.place(finding.span))],
    }
    related = [
        {"id": number, **_location(place), "message": {"text": message}}
        for number, (place, message) in enumerate(report.related(finding))
    ]
    if related:
        result["relatedLocations"] = related
    return result


def _location(place: Place) -> dict[str, Any]:
    region = {
        "startLine": place.start.line + 1,
        "startColumn": place.start.character + 1,
        "endLine": place.end.line + 1,
        "endColumn": place.end.character + 1,
    }
    return {"physicalLocation": {"artifactLocation": {"uri": _uri(place.path)}, "region": region}}


def _uri(path: str) -> str:
    """A relative path as a relative URI reference, an absolute one with the scheme `file` (3.4.3)."""
    escaped = quote(os.fsencode(path))
    return f"file://{escaped}" if path.startswith("/") else escaped


def _notifications(report: Report) -> list[dict[str, Any]]:
    """What was not run, what was judged as recorded, and what could not be looked at (3.58)."""
    found: list[dict[str, Any]] = [
        {
            "level": "note",
            "message": {"text": f"`{each.command.command}` was not run. {each.reason}"},
        }
        for each in report.not_run
    ]
    found.extend(
        {
            "level": "note",
            "message": {"text": f"`{each.command.command}` was judged by its contract, {each.as_recorded}."},
        }
        for each in report.by_contract
    )
    found.extend(
        {"level": "warning", "message": {"text": f"{path} was not looked at. {sentence}"}}
        for path, sentence in report.not_looked_at
    )
    return found
