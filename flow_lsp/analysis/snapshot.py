"""Everything an answer depends on, as of one moment.

A snapshot is never changed. What a child process said, which programs exist and which files are on the disk
are inputs like any other, so that the same snapshot always gives the same findings.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum
from types import MappingProxyType
from typing import TYPE_CHECKING, Protocol, TypeVar

from flow_lsp.analysis.changes import says_the_same
from flow_lsp.binding.model import Binding, CommandKey, ManifestFile
from flow_lsp.binding.nearest import file_binding
from flow_lsp.findings.model import Severity
from flow_lsp.protocol.outcome import DescribeOutcome

if TYPE_CHECKING:
    from flow_lsp.source.model import SourceFile

Key = TypeVar("Key")
Value = TypeVar("Value")


def frozen(mapping: Mapping[Key, Value]) -> Mapping[Key, Value]:
    """A view of a copy of `mapping` that nobody can change."""
    return MappingProxyType(dict(mapping))


@dataclass(frozen=True, slots=True)
class Folder:
    """A workspace folder, or a folder configured as a repository at a version (decisions 6)."""

    path: str
    repository: str | None = None
    version: str | None = None


class Standing(StrEnum):
    """How far a command's describe answer can be relied on."""

    UNKNOWN = "unknown"  # not asked yet, or asking is off
    NOT_TRUSTED = "not-trusted"  # the user has not agreed that it runs
    RUNNING = "running"  # being asked now; what is shown is an earlier answer
    CURRENT = "current"  # the answer of the program as it stands
    REMEMBERED = "remembered"  # an earlier answer, of an earlier session or program
    RECORDED = "recorded"  # what a contracts file says it answered


@dataclass(frozen=True, slots=True)
class Described:
    """What is known of one command. `as_of` says in words when `outcome` was, `reason` why it was not run."""

    standing: Standing
    outcome: DescribeOutcome | None = None
    as_of: str = ""
    reason: str = ""

    @property
    def as_of_text(self) -> str:
        """What a sentence says of an answer that is not current; empty for a current one."""
        if self.standing is Standing.CURRENT or self.outcome is None:
            return ""
        if self.standing is Standing.RECORDED:
            return f" (as recorded on {self.as_of})"
        again = ", being asked again" if self.standing is Standing.RUNNING else ""
        return f" (as of {self.as_of}{again})"


NOT_ASKED = Described(Standing.UNKNOWN)


def contract_key(key: CommandKey) -> CommandKey:
    """What a command goes by in a contracts file, which holds no credentials: its words masked."""
    from flow_lsp.text.secrets import masked_words  # many expressions, which an editor's start need not wait for

    return replace(key, words=masked_words(key.words))


def judged(known: Described, contract: Described, missing: str | None) -> Described:
    """What counts of a command: what is `known` of it, or what a `contract` recorded.

    A current answer counts always, an earlier one where it is newer and says something else. `missing` says why the
    program cannot be started, where it cannot; then only the contract can speak.
    """
    assert contract.outcome is not None
    if missing is None and known.outcome is not None:
        if known.standing is Standing.CURRENT:
            return known
        newer = int(known.outcome.started_at) > contract.outcome.started_at
        if newer and not _agree(known.outcome, contract.outcome):
            return known
    running = "It is being asked now." if known.standing is Standing.RUNNING else ""
    return replace(contract, reason=missing or known.reason or running)


def _agree(one: DescribeOutcome, other: DescribeOutcome) -> bool:
    return one.answer is not None and other.answer is not None and says_the_same(one.answer, other.answer)


@dataclass(frozen=True, slots=True)
class ProgramState:
    """What the first word of a command comes to: a file's path, or a sentence that says why not."""

    path: str | None
    problem: str | None = None


class Environment(Protocol):
    """What only the edge can know. Answers may be cached; asking twice in one analysis gives the same."""

    def program(self, directory: str, word: str) -> ProgramState:
        """What `word` would start in `directory`."""
        ...

    def exists(self, path: str) -> bool:
        """Whether a file stands at the absolute `path`, on the disk or in an editor."""
        ...

    def text(self, path: str) -> str | None:
        """The text of the file at the absolute `path`, as an editor has it or as it is on the disk; None where it gives
        none."""
        ...

    def python(self, directory: str) -> str:
        """The word that starts Python in `directory`, for a command of its flow.toml."""
        ...


class EmptyEnvironment:
    """Knows nothing: every program is taken to be there, and no file. The default in tests."""

    def program(self, directory: str, word: str) -> ProgramState:  # noqa: ARG002
        return ProgramState(word)

    def exists(self, path: str) -> bool:  # noqa: ARG002
        return False

    def text(self, path: str) -> str | None:  # noqa: ARG002
        return None

    def python(self, directory: str) -> str:  # noqa: ARG002
        return "python3"


@dataclass(frozen=True)
class Settings:
    """What the user set that changes findings. A severity of None turns a rule off."""

    overrides: Mapping[str, CommandKey] = field(default_factory=dict)
    severities: Mapping[str, Severity | None] = field(default_factory=dict)


@dataclass(frozen=True)
class Snapshot:
    """One moment of a workspace. Paths are absolute, real and written with `/`.

    `undescribed` is what is known of every command that `described` does not hold. `surroundings` is another
    number whenever anything but the text of a file changed: which files and programs there are, what
    commands said, settings. `contracts` holds what contracts files recorded, by `contract_key`.
    """

    folders: tuple[Folder, ...] = ()
    sources: Mapping[str, SourceFile] = field(default_factory=dict)
    source_problems: Mapping[str, str] = field(default_factory=dict)
    manifests: Mapping[str, ManifestFile] = field(default_factory=dict)
    described: Mapping[CommandKey, Described] = field(default_factory=dict)
    undescribed: Described = NOT_ASKED
    settings: Settings = field(default_factory=Settings)
    environment: Environment = field(default_factory=EmptyEnvironment)
    surroundings: int = 0
    contracts: Mapping[CommandKey, Described] = field(default_factory=dict)

    def folder_of(self, path: str) -> Folder | None:
        """The innermost folder that holds `path`, compared by whole path segments."""
        best: Folder | None = None
        for folder in self.folders:
            inside = path.startswith(folder.path.rstrip("/") + "/")
            if inside and (best is None or len(folder.path) > len(best.path)):
                best = folder
        return best

    def binding_of(self, path: str) -> Binding:
        """How manifests bind the declarations in `path`; overrides go by identity and come after."""
        folder = self.folder_of(path)
        home = folder.path if folder else path.rpartition("/")[0] or "/"
        repository = folder.path if folder and folder.repository is not None else None
        return file_binding(path, self.manifests, home, repository)

    def described_by(self, key: CommandKey) -> Described:
        """What is known of the command `key`: said by its program, or recorded."""
        known = self.described.get(key, self.undescribed)
        contract = self.contracts.get(contract_key(key)) if self.contracts else None
        if contract is None:
            return known
        return judged(known, contract, self.environment.program(key.directory, key.words[0]).problem)
