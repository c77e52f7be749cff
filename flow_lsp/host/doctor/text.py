"""The doctor's report for people, the same on a terminal and in an editor. What looks like a credential is masked."""

from __future__ import annotations

import os
import platform
from collections.abc import Callable, Iterator, Sequence

from flow_lsp import __version__
from flow_lsp.analysis.snapshot import Standing
from flow_lsp.binding.model import CommandKey
from flow_lsp.host.doctor.model import BoundCommand, DoctorReport, Examined, LoginShell, PathEntry, Trouble
from flow_lsp.manifest.model import BindingKind
from flow_lsp.text.secrets import MASK, is_secret_name, masked, masked_words
from flow_lsp.text.visible import visible

ERROR_LINES = 5  # how many of the last lines of standard error are shown
_NAMED = 5  # tables or Tools that one line names
_SHORTEST_SECRET = 6  # characters; a shorter value is a word like another
_LABEL = 15  # columns of what a line is about


def report_text(report: DoctorReport, shown_path: Callable[[str], str]) -> str:
    """The report. `shown_path` writes an absolute path as it is to be read."""
    heading = f"flow-lsp {__version__}, Python {platform.python_version()} on {platform.system()}"
    parts = [heading, "\n".join(_search_path(report))]
    parts.extend(
        "\n".join([f"manifest  {visible(shown_path(path))}", *_troubles([trouble])]) for path, trouble in report.refused
    )
    parts.extend("\n".join(_command(command, shown_path)) for command in report.commands)
    parts.append(_verdict(report))
    return "\n\n".join(parts)


def safe(text: str) -> str:
    """A text from outside, or a sentence that quotes one: visible, and masked where it looks like a credential or is
    one of this process's environment."""
    text = masked(text)
    for name, value in os.environ.items():
        if len(value) >= _SHORTEST_SECRET and value in text and is_secret_name(name):
            text = text.replace(value, MASK)
    return visible(text)


def safe_command(key: CommandKey) -> str:
    """The words of a command as they may be shown."""
    return visible(CommandKey(key.directory, masked_words(key.words)).command)


def differing_entries(entries: Sequence[PathEntry], shell: LoginShell) -> tuple[list[str], list[str]]:
    """The entries of PATH that the login shell alone has, and those that it has not, in order."""
    here = [entry.entry for entry in entries]
    there = (shell.path or "").split(os.pathsep) if shell.path else []
    only_there = [entry for entry in dict.fromkeys(there) if entry not in here]
    return only_there, [entry for entry in dict.fromkeys(here) if entry not in there]


def _search_path(report: DoctorReport) -> Iterator[str]:
    yield "PATH of this process"
    for entry in report.path:
        yield f"  {visible(entry.entry) or '(empty)'}" + (f"   ({entry.oddity})" if entry.oddity else "")
    if not report.path:
        yield "  empty or not set"
    shell = report.login_shell
    name = f"your login shell {visible(shell.program)}" if shell.program else "a login shell"
    if shell.path is None:
        yield f"PATH of {name}: not known. {safe(shell.reason)}"
        return
    only_there, only_here = differing_entries(report.path, shell)
    if not only_there and not only_here:
        yield f"PATH of {name}: the same directories" + (f". {shell.reason}" if shell.reason else "")
        return
    yield f"PATH of {name}"
    yield from (f"  + {visible(entry)}   (only there)" for entry in only_there)
    yield from (f"  - {visible(entry) or '(empty)'}   (only in this process)" for entry in only_here)


def _command(command: Examined, shown_path: Callable[[str], str]) -> Iterator[str]:
    bound = command.bound
    yield f"{'MCP server' if bound.kind is BindingKind.MCP else 'command'}  {safe_command(bound.key)}"
    yield _line("bound by", _uses(bound, shown_path))
    yield _line("runs in", visible(shown_path(bound.key.directory)))
    yield from _program(command)
    yield from _answer(command)
    yield from _troubles(command.troubles)


def _line(label: str, text: str) -> str:
    return f"  {label:<{_LABEL}} {text}"


def _uses(bound: BoundCommand, shown_path: Callable[[str], str]) -> str:
    by_manifest: dict[str, list[str]] = {}
    for manifest, table in bound.tables:
        by_manifest.setdefault(manifest, []).append(table)
    uses = [f"{visible(shown_path(manifest))} for {_some(tables)}" for manifest, tables in by_manifest.items()]
    if bound.overrides:
        uses.append(f"an override for {_some(bound.overrides)}")
    return "; ".join(uses)


def _some(names: Sequence[str]) -> str:
    more = f" and {len(names) - _NAMED} more" if len(names) > _NAMED else ""
    return ", ".join(visible(name) for name in names[:_NAMED]) + more


def _program(command: Examined) -> Iterator[str]:
    facts = command.program
    if facts.path is None:
        yield _line("program", "none")
        return
    by = f", by the PATH entry {visible(facts.entry) or '(empty)'}" if facts.entry is not None else ""
    yield _line("program", f"{visible(facts.path)}{by}")
    if facts.leads_to is not None:
        yield _line("a link to", visible(facts.leads_to))
    if facts.others:
        yield _line("further on PATH", ", ".join(map(visible, facts.others)))
    if command.in_login_shell is not None:
        yield _line("in login shell", f"{visible(command.in_login_shell)}, another program")
    if facts.first_line is not None:
        interpreter = facts.first_line.interpreter
        comes_to = f", which comes to {visible(interpreter)}" if interpreter else ""
        yield _line("first line", safe(facts.first_line.text) + comes_to)
    if command.version is not None:
        yield _line("--version", safe(command.version))
    elif command.version_problem:
        yield _line("--version", safe(command.version_problem.rstrip(".")))


def _answer(command: Examined) -> Iterator[str]:
    described, outcome = command.described, command.described.outcome
    if command.reason and command.program.path is not None:
        yield _line("describe", f"not run: {safe(command.reason)}")
    if outcome is None:
        return
    if outcome.answer is not None:
        count = len(outcome.answer.tools)
        if outcome.mcp is not None:
            what, tools = f"{safe(outcome.mcp.server)}, MCP {outcome.mcp.revision}", "tool"
        else:
            what, tools = f"data {outcome.listing.data if outcome.listing is not None else ''}", "Tool"
        when = f", in {outcome.duration:.2f} s" if described.standing is Standing.CURRENT else described.as_of_text
        label = "an earlier run" if command.reason else "describe"
        yield _line(label, f"{what}, {count} {tools}{'' if count == 1 else 's'}{when}")
    elif outcome.failure is not None:
        yield _line("describe", f"no listing{described.as_of_text}")
    for number, line in enumerate(outcome.stderr_tail[-ERROR_LINES:]):
        yield _line("standard error" if number == 0 else "", safe(line))


def _troubles(troubles: Sequence[Trouble]) -> Iterator[str]:
    for trouble in troubles:
        yield _line("WRONG", safe(trouble.what))
        yield _line("next", safe(trouble.next))


def _verdict(report: DoctorReport) -> str:
    not_run = report.not_run
    rest = f" {not_run} {'command was' if not_run == 1 else 'commands were'} not run." if not_run else ""
    if report.troubles == 0:
        if not report.commands:
            return "No table of a flow.toml names a command here."
        return f"Nothing wrong was found.{rest} `flow-lsp check` says of every Tool whether it fits."
    one = report.troubles == 1
    found = "1 thing is wrong" if one else f"{report.troubles} things are wrong"
    return f"{found}; what to do next stands beside {'it' if one else 'each'}.{rest}"
