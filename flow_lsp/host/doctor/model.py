"""What the doctor finds, as plain data. Nothing here is masked yet: that is for the forms of the report."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from flow_lsp.analysis.snapshot import Described
from flow_lsp.binding.model import CommandKey
from flow_lsp.manifest.model import BindingKind
from flow_lsp.processes.programs import ProgramProblem


@dataclass(frozen=True, slots=True)
class Trouble:
    """Something that is wrong, and what to do about it next; a sentence each."""

    what: str
    next: str


@dataclass(frozen=True, slots=True)
class BoundCommand:
    """A command of a table or an override. `tables` are pairs of a manifest's path and a table's key, `overrides` the
    identities of Tools."""

    key: CommandKey
    tables: Sequence[tuple[str, str]] = ()
    overrides: Sequence[str] = ()

    @property
    def kind(self) -> BindingKind:
        """What it speaks."""
        return self.key.kind


@dataclass(frozen=True, slots=True)
class FirstLine:
    """The first line of a script. `interpreter` is the file that it comes to; without one, `problem` says why, and
    `remedy` what to do."""

    text: str
    interpreter: str | None = None
    problem: str | None = None
    remedy: str = ""


@dataclass(frozen=True, slots=True)
class ProgramFacts:
    """What the first word of a command comes to. `entry` is the entry of PATH that has it, `others` are the files of
    that name further on in PATH, `leads_to` is the file that `path` is a link to."""

    path: str | None = None
    problem: ProgramProblem | None = None
    entry: str | None = None
    others: Sequence[str] = ()
    leads_to: str | None = None
    first_line: FirstLine | None = None


@dataclass(frozen=True, slots=True)
class Examined:
    """All of one command. `in_login_shell` is the program that the login shell's PATH gives, where it is another;
    `version` is the first line that its program printed for `--version`, `version_problem` why
    it printed none; `reason` says why it was not run, where it was not."""

    bound: BoundCommand
    program: ProgramFacts
    described: Described
    in_login_shell: str | None = None
    version: str | None = None
    version_problem: str = ""
    reason: str = ""
    troubles: Sequence[Trouble] = ()


@dataclass(frozen=True, slots=True)
class PathEntry:
    """One entry of PATH, as it stands there, and what is odd about it."""

    entry: str
    oddity: str = ""


@dataclass(frozen=True, slots=True)
class LoginShell:
    """The user's login shell and the PATH that it makes; `reason` says why that is not known."""

    program: str | None = None
    path: str | None = None
    reason: str = ""


@dataclass(frozen=True, slots=True)
class DoctorReport:
    """The whole report. `refused` are manifests with an error, by their paths."""

    path: Sequence[PathEntry] = ()
    login_shell: LoginShell = field(default_factory=LoginShell)
    refused: Sequence[tuple[str, Trouble]] = ()
    commands: Sequence[Examined] = ()

    @property
    def troubles(self) -> int:
        """How many things are wrong."""
        return len(self.refused) + sum(len(command.troubles) for command in self.commands)

    @property
    def not_run(self) -> int:
        """How many commands were not run because the user has not agreed."""
        return sum(bool(command.reason) and command.program.path is not None for command in self.commands)
