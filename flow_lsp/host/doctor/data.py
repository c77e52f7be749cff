"""The doctor's report for programs (docs/json-output.md). What looks like a credential is masked."""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import Any

from flow_lsp.host.doctor.model import DoctorReport, Examined, ProgramFacts, Trouble
from flow_lsp.host.doctor.text import safe
from flow_lsp.protocol.mcp.listing import server_data
from flow_lsp.text.secrets import masked_words


def report_data(report: DoctorReport, version: str, shown_path: Callable[[str], str]) -> dict[str, Any]:
    """The report as JSON. `version` is flow-lsp's; `shown_path` writes an absolute path as it is to be read."""
    shell = report.login_shell
    return {
        "version": 1,
        "flow_lsp": version,
        "path": [{"entry": entry.entry, "oddity": entry.oddity or None} for entry in report.path],
        "login_shell": {
            "program": shell.program,
            "path": None if shell.path is None else shell.path.split(os.pathsep),
            "reason": safe(shell.reason) or None,
        },
        "manifests": [{"path": shown_path(path), "problems": [_trouble(trouble)]} for path, trouble in report.refused],
        "commands": [_command(command, shown_path) for command in report.commands],
        "summary": {"commands": len(report.commands), "problems": report.troubles, "not_run": report.not_run},
    }


def _command(command: Examined, shown_path: Callable[[str], str]) -> dict[str, Any]:
    bound = command.bound
    tables = [{"manifest": shown_path(manifest), "table": table} for manifest, table in bound.tables]
    return {
        "kind": str(bound.kind),
        "words": list(masked_words(bound.key.words)),
        "directory": shown_path(bound.key.directory),
        "tables": tables,
        "overrides": list(bound.overrides),
        **_program(command.program),
        "program_in_login_shell": command.in_login_shell,
        "printed_version": None if command.version is None else safe(command.version),
        "describe": _answer(command),
        "problems": [_trouble(trouble) for trouble in command.troubles],
    }


def _program(facts: ProgramFacts) -> dict[str, Any]:
    first = facts.first_line
    return {
        "program": facts.path,
        "path_entry": facts.entry,
        "leads_to": facts.leads_to,
        "others_on_path": list(facts.others),
        "first_line": None if first is None else safe(first.text),
        "interpreter": None if first is None else first.interpreter,
    }


def _answer(command: Examined) -> dict[str, Any]:
    described, outcome = command.described, command.described.outcome
    listing = outcome.listing if outcome is not None else None
    answer = outcome.answer if outcome is not None else None
    mcp = outcome.mcp if outcome is not None else None
    failure = outcome.failure if outcome is not None else None
    return {
        "state": str(described.standing),
        "reason": safe(command.reason) or None,
        "as_of": described.as_of if described.as_of_text else None,
        "data": None if listing is None else listing.data,
        "server": None if mcp is None else {name: safe(str(text)) for name, text in server_data(mcp).items()},
        "tools": None if answer is None else len(answer.tools),
        "failure": None if failure is None else {"kind": str(failure.kind), "message": safe(failure.sentence)},
        "standard_error": [safe(line) for line in (outcome.stderr_tail if outcome is not None else ())],
    }


def _trouble(trouble: Trouble) -> dict[str, str]:
    return {"what": safe(trouble.what), "next": safe(trouble.next)}
