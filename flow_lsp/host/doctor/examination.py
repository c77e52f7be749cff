"""The doctor's examination: every binding looked at, and run where the user agreed."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping, Sequence

from flow_lsp.analysis.snapshot import Described
from flow_lsp.binding.model import CommandKey
from flow_lsp.files.paths import resolved
from flow_lsp.host.doctor.advice import troubles
from flow_lsp.host.doctor.brief_runs import run_briefly
from flow_lsp.host.doctor.login_shell import login_shell
from flow_lsp.host.doctor.model import BoundCommand, DoctorReport, Examined, LoginShell, ProgramFacts, Trouble
from flow_lsp.host.doctor.programs import look_at_program, path_entries
from flow_lsp.processes.programs import Program, resolve_program
from flow_lsp.protocol.printable import printable

VERSION_TIMEOUT = 5.0  # seconds
_VERSION_SIZE = 4096  # bytes
_AT_ONCE = 4


async def examine(
    bindings: tuple[Sequence[BoundCommand], Mapping[str, str]],
    *,
    described: Callable[[CommandKey], Described],
    allowed: Callable[[CommandKey], Program | None],
    reason: Callable[[CommandKey], str],
    login: str | None = None,
) -> DoctorReport:
    """The report on the commands and refused manifests that `bindings_in` gave.

    `described` says what each command answered when it was asked what it serves, `allowed` gives its program where it
    may run now, and `reason` says why it was not run. `login` says why the login shell is not to run; None where it
    may.
    """
    commands, refused = bindings
    shell = LoginShell(reason=login) if login is not None else await login_shell()
    at_once = asyncio.Semaphore(_AT_ONCE)

    async def examined(bound: BoundCommand) -> Examined:
        facts = await asyncio.to_thread(look_at_program, bound.key.directory, bound.key.words[0])
        async with at_once:
            program = allowed(bound.key)
            version = await _version(bound.key.directory, program) if program is not None else (None, "")
        answer = described(bound.key)
        why = "" if program is not None else reason(bound.key)
        found = tuple(troubles(bound.key, facts, answer, shell))
        return Examined(bound, facts, answer, _in_login_shell(bound.key, facts, shell), *version, why, found)

    async with asyncio.TaskGroup() as group:
        tasks = [group.create_task(examined(bound)) for bound in commands]
    return DoctorReport(
        path_entries(),
        shell,
        [(path, Trouble(sentence, "Correct it; until then it binds nothing.")) for path, sentence in refused.items()],
        [task.result() for task in tasks],
    )


def _in_login_shell(key: CommandKey, facts: ProgramFacts, shell: LoginShell) -> str | None:
    """The program that the login shell would start, where that is another than this process would."""
    if facts.path is None or facts.entry is None or shell.path is None:
        return None
    there = resolve_program(key.directory, key.words[0], shell.path)
    other = there.path if isinstance(there, Program) else None
    return None if other is None or resolved(other) == resolved(facts.path) else other


async def _version(directory: str, program: Program) -> tuple[str | None, str]:
    """The first line that the program prints for `--version`, on either stream; without one, why."""
    ran = await run_briefly(directory, program.path, ("--version",), timeout=VERSION_TIMEOUT, size=_VERSION_SIZE)
    if ran.exit_status != 0 or ran.problem:
        return None, ran.problem or f"ended with exit status {ran.exit_status}."
    lines = [printable(line) for line in ran.output.split(b"\n")]
    found = next((line for line in (*lines, *ran.errors) if line.strip()), None)
    return found, "" if found is not None else "printed nothing."
