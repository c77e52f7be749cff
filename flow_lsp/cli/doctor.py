"""`flow-lsp doctor`: what would run for each binding, from where, and what is wrong with it."""

from __future__ import annotations

import argparse

from flow_lsp import __version__
from flow_lsp.binding.model import CommandKey
from flow_lsp.cli.implementations import ask_all
from flow_lsp.cli.terminal import json_text, write
from flow_lsp.cli.workspace import Workspace, open_workspace, shown_path
from flow_lsp.host.doctor.bindings import bindings_in
from flow_lsp.host.doctor.data import report_data
from flow_lsp.host.doctor.examination import examine
from flow_lsp.host.doctor.model import DoctorReport
from flow_lsp.host.doctor.text import report_text
from flow_lsp.host.implementations import Implementations


def run(options: argparse.Namespace) -> int:
    """Prints the report; the exit status is 1 where something is wrong."""
    opened = open_workspace(options)
    report = _examined(opened, "It was not asked, for --no-login-shell was given." if options.no_login_shell else None)
    if options.format == "json":
        write(json_text(report_data(report, __version__, shown_path)))
    else:
        write(report_text(report, shown_path))
    return 1 if report.troubles else 0


def _examined(opened: Workspace, login: str | None) -> DoctorReport:
    found: list[DoctorReport] = []
    bindings = bindings_in(opened.analysis, opened.project.snapshot(), opened.keys)

    async def then(implementations: Implementations) -> None:
        def reason(key: CommandKey) -> str:
            return implementations.described(key).reason

        report = await examine(
            bindings,
            described=implementations.described,
            allowed=implementations.allowed,
            reason=reason,
            login=login,
        )
        found.append(report)

    ask_all(opened, then=then)
    return found[0]
