"""The JSON of `flow-lsp check`, documented in docs/json-output.md and stable: members are added, never changed."""

from __future__ import annotations

from typing import Any

from flow_lsp.cli.report import SEVERITY_WORDS, ByContract, NotRun, Place, Report, ReportedFile, ReportedTool
from flow_lsp.cli.terminal import json_text
from flow_lsp.cli.workspace import shown_path
from flow_lsp.findings.model import Finding, Severity
from flow_lsp.protocol.mcp.listing import server_data


def json_report(report: Report) -> str:
    """The report as one JSON object: paths with `/`, lines and columns from 1 in code points."""
    summary = {
        "files": len(report.files),
        "tools": len(report.tools),
        "errors": report.count(Severity.ERROR),
        "warnings": report.count(Severity.WARNING),
        "information": report.count(Severity.INFORMATION),
        "hints": report.count(Severity.HINT),
        "not_run": [_not_run(each) for each in report.not_run],
        "by_contract": [_by_contract(each) for each in report.by_contract],
        "not_looked_at": [{"path": path, "message": sentence} for path, sentence in report.not_looked_at],
    }
    whole = {
        "version": 1,
        "diagnostics": [_finding(report, file, finding) for file, finding in report.all],
        "tools": [_tool(tool) for tool in report.tools],
        "summary": summary,
    }
    return json_text(whole)


def _place(place: Place) -> dict[str, Any]:
    return {
        "path": place.path,
        "line": place.start.line + 1,
        "column": place.start.character + 1,
        "end_line": place.end.line + 1,
        "end_column": place.end.character + 1,
    }


def _finding(report: Report, file: ReportedFile, finding: Finding) -> dict[str, Any]:
    return _place(file.place(finding.span)) | {
        "severity": SEVERITY_WORDS[finding.rule.severity],
        "code": finding.rule.code,
        "message": finding.message,
        "related": [_place(place) | {"message": message} for place, message in report.related(finding)],
    }


def _tool(reported: ReportedTool) -> dict[str, Any]:
    declared, state = reported.tool.declared, reported.state
    signature = declared.signature
    answer = state.described
    found = {"tool": declared.identity, "name": declared.name} | _place(reported.place)
    return found | {
        "state": reported.word,
        "detail": state.sentence,
        "as_of": answer.as_of if answer is not None and answer.as_of_text else None,
        "standing": None if answer is None else str(answer.standing),
        "fingerprint": signature.fingerprint if signature is not None else None,
        "binding": _binding(reported),
    }


def _binding(reported: ReportedTool) -> dict[str, Any] | None:
    bound = reported.state.bound
    if bound is None:
        return None
    return {
        "kind": str(bound.kind),
        "words": list(bound.key.words),
        "directory": shown_path(bound.key.directory),
        "origin": str(bound.origin),
        "table": None if reported.table is None else _place(reported.table),
        "server": _server(reported),
    }


def _server(reported: ReportedTool) -> dict[str, Any] | None:
    described = reported.state.described
    outcome = described.outcome if described is not None else None
    return server_data(outcome.mcp) if outcome is not None and outcome.mcp is not None else None


def _not_run(each: NotRun) -> dict[str, Any]:
    return {
        "kind": str(each.command.kind),
        "words": list(each.command.words),
        "directory": shown_path(each.command.directory),
        "reason": each.reason,
    }


def _by_contract(each: ByContract) -> dict[str, Any]:
    return {
        "kind": str(each.command.kind),
        "words": list(each.command.words),
        "directory": shown_path(each.command.directory),
        "recorded": each.recorded,
        "reason": each.reason or None,
    }
