"""`flow-lsp check`: the findings of a workspace, by the same engine as in the editor."""

from __future__ import annotations

import argparse
import sys

from flow_lsp.cli.report import Report, make_report
from flow_lsp.cli.terminal import wants_colour, write
from flow_lsp.cli.workspace import open_workspace
from flow_lsp.findings.model import Severity


def run(options: argparse.Namespace) -> int:
    """Prints the report; the exit status is 1 where there are findings of severity error."""
    if options.watch:
        from flow_lsp.cli.watch import watch

        return watch(options)
    opened = open_workspace(options)
    if options.contracts:
        from flow_lsp.cli.contracts import use_contracts

        use_contracts(opened.project, options.contracts)
    if not options.no_describe and opened.commands:
        from flow_lsp.cli.implementations import ask_all

        ask_all(opened)
    report = make_report(opened, described=not options.no_describe)
    text = formatted(report, options)
    if text:
        write(text)
    return 1 if report.count(Severity.ERROR) else 0


def formatted(report: Report, options: argparse.Namespace) -> str:
    """The report in the format that was asked for."""
    if options.format == "json":
        from flow_lsp.cli.formats.json import json_report

        return json_report(report)
    if options.format == "sarif":
        from flow_lsp.cli.formats.sarif import sarif_report

        return sarif_report(report)
    if options.format == "github":
        from flow_lsp.cli.formats.github import github_report

        return github_report(report)
    from flow_lsp.cli.formats.text import text_report

    return text_report(report, colour=wants_colour(sys.stdout), verbose=options.verbose)
