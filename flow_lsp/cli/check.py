"""`flow-lsp check`: the findings of a workspace, by the same engine as in the editor."""

from __future__ import annotations

import argparse
import sys

from flow_lsp import __version__
from flow_lsp.cli import workspace
from flow_lsp.cli.report import github_report, json_report, sarif_report, text_report
from flow_lsp.findings.model import Severity


def run(options: argparse.Namespace) -> int:
    """Prints the report; the exit status is 1 where there are findings of severity error."""
    checked = workspace.open_workspaces(options)
    describe = not options.no_describe
    if describe:
        workspace.describe(checked, options)
    report = workspace.report(checked, described=describe)
    if options.format == "json":
        print(json_report(report))
    elif options.format == "sarif":
        print(sarif_report(report, __version__))
    elif options.format == "github":
        text = github_report(report)
        if text:
            print(text)
    else:
        print(text_report(report, workspace.colour(sys.stdout)))
    return 1 if report.count(Severity.ERROR) else 0
