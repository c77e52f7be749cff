"""A workspace as the engine sees it: its texts read and parsed, each time only what changed.

The editor and the command line both work on this. It reads files (through `WorkspaceFiles`) and starts nothing.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Generator, Iterable, Iterator, Mapping
from typing import TYPE_CHECKING

from flow_lsp.analysis.snapshot import (
    NOT_ASKED,
    Described,
    Environment,
    Folder,
    ProgramState,
    Settings,
    Snapshot,
)
from flow_lsp.binding.model import CommandKey, ManifestFile
from flow_lsp.files.paths import absolute, is_manifest, is_source, resolved
from flow_lsp.files.reading import ReadProblem, ReadProblemKind, TextRead, read_text
from flow_lsp.files.workspace import WorkspaceFiles
from flow_lsp.host.settings import HostSettings
from flow_lsp.manifest.reader import read_manifest
from flow_lsp.manifest.words import Words, split_words
from flow_lsp.processes.programs import Program, may_be_file, resolve_program
from flow_lsp.text.paths import inside, parent

if TYPE_CHECKING:
    from flow_lsp.source.model import SourceFile


class Project:
    """Folders, files, settings and what commands said; gives a `Snapshot` of the moment.

    Files go by their keys (`files.paths.real`). One owner, one thread.
    """

    def __init__(self, files: WorkspaceFiles, settings: HostSettings | None = None) -> None:
        self.files = files
        self.settings = settings or HostSettings()
        self.described: Mapping[CommandKey, Described] = {}
        self.contracts: Mapping[CommandKey, Described] = {}
        self._sources: dict[str, SourceFile] = {}
        self._problems: dict[str, str] = {}
        self._manifests: dict[str, ManifestFile] = {}
        self._undescribed = NOT_ASKED
        self._environment = _Environment(files, self._problems)
        self._surroundings = 0
        self._snapshot: Snapshot | None = None

    # -- texts ------------------------------------------------------------------------------------------

    def load(self) -> None:
        """Finds and reads everything."""
        for _ in self.load_steps():
            pass

    def load_steps(self) -> Generator[int, None, None]:
        """`load` in the smallest steps there are, a file each; yields how many have been read."""
        yield from self.files.scan_steps()
        for count, directory in enumerate([parent(key) for key in self.files.manifests()]):
            self._read_manifest_of(directory)
            yield count
        for count, key in enumerate(self.files.sources()):
            known = self._sources.get(key), self._problems.get(key)
            if (self._read_source(key), self._problems.get(key)) != known and known != (None, None):
                self._snapshot = None  # nobody may have told of it
            yield count
        self.drop_gone()

    def drop_gone(self) -> None:
        """Lets go of files that are no more."""
        kept = set(self.files.sources()) | set(self.files.manifests())
        for key in [*self._sources, *self._problems]:
            if key not in kept and not self.files.exists(key):
                self._sources.pop(key, None)
                self._problems.pop(key, None)
                self._snapshot = None
        for directory in [directory for directory, file in self._manifests.items() if file.path not in kept]:
            del self._manifests[directory]
            self._snapshot = None

    def touch(self, keys: Iterable[str]) -> None:
        """Takes note that the texts of `keys` may be other ones now, or gone."""
        for key in keys:
            self._snapshot = None
            if is_manifest(key):
                self._read_manifest_of(parent(key))
            else:
                before = key in self._sources, key in self._problems
                self._read_source(key)
                if before != (key in self._sources, key in self._problems):
                    self._surroundings += 1

    def source(self, key: str) -> SourceFile | None:
        """The declarations of the file `key`, read now if they were not before; None where it gives no text."""
        known = self._sources.get(key)
        if known is not None or key in self._problems:
            return known
        return self._read_source(key)

    def problem(self, key: str) -> str | None:
        """Why the source `key` gives no text."""
        return self._problems.get(key)

    def source_keys(self) -> list[str]:
        """All `.flow` files of the workspace, ascending."""
        return self.files.sources()

    def manifest_files(self) -> Mapping[str, ManifestFile]:
        """All manifests by their directories, also those above the folders."""
        for key in self.files.manifests():
            if parent(key) not in self._manifests:
                self._read_manifest_of(parent(key))
        return self._manifests

    def _read_source(self, key: str) -> SourceFile | None:
        found = self.files.text(key)
        if isinstance(found, ReadProblem):
            self._sources.pop(key, None)
            self._problems.pop(key, None)
            if found.kind is not ReadProblemKind.MISSING:
                self._problems[key] = found.sentence
            return None
        self._problems.pop(key, None)
        known = self._sources.get(key)
        if known is None or known.text != found:
            from flow_lsp.source.reader import read_source

            known = self._sources[key] = read_source(found, known)
        return known

    def _read_manifest_of(self, directory: str) -> None:
        path = directory.rstrip("/") + "/flow.toml"
        known = self._manifests.get(directory)
        last_good = known.last_good if known is not None else None
        found = self.files.text(path)
        self._snapshot = None
        if isinstance(found, ReadProblem):
            if found.kind is ReadProblemKind.MISSING and not self.files.is_open(path):
                if self._manifests.pop(directory, None) is not None:
                    self._surroundings += 1
                return
            self._manifests[directory] = ManifestFile(path, directory, None, found.sentence, last_good)
            return
        before = known.manifest if known is not None else None
        if before is not None and before.text == found:
            return
        manifest = read_manifest(found, before, sys.platform == "win32")
        good = last_good if manifest.has_error else manifest
        if known is None:
            self._surroundings += 1
        self._manifests[directory] = ManifestFile(path, directory, manifest, None, good)

    # -- the moment ---------------------------------------------------------------------------------------

    def surroundings_changed(self) -> None:
        """Something but the text of a file may be another now: files, programs, settings."""
        self._surroundings += 1
        self._snapshot = None

    def set_described(self, described: Mapping[CommandKey, Described], undescribed: Described) -> None:
        """What is known of commands now, and of all others."""
        self.described, self._undescribed = described, undescribed
        self.surroundings_changed()

    def set_contracts(self, contracts: Mapping[CommandKey, Described]) -> None:
        """What contracts files recorded now, by `snapshot.contract_key`."""
        self.contracts = contracts
        self.surroundings_changed()

    def set_settings(self, settings: HostSettings) -> None:
        """Other settings."""
        self.settings = settings
        self.surroundings_changed()

    def folders(self) -> tuple[Folder, ...]:
        """The workspace folders and the configured repositories, by their real paths."""
        first = self._first_folder()
        repositories = {
            resolved(os.path.join(first, repository.path)): repository for repository in self.settings.repositories
        }
        found = [Folder(path, repository.name, repository.version) for path, repository in repositories.items()]
        for folder in self.files.folders:
            path = resolved(folder)
            if path not in repositories:
                found.append(Folder(path))
        return tuple(found)

    def _first_folder(self) -> str:
        """Where overrides run, and what relative folders of repositories count from."""
        return resolved(self.files.folders[0]) if self.files.folders else "/"

    def override_key(self, command: str, folder: str) -> CommandKey | None:
        """A command line given as an override, which runs in the workspace folder; None if it cannot be split."""
        words = split_words(command, sys.platform == "win32")
        return CommandKey(folder, words.words) if isinstance(words, Words) else None

    def snapshot(self) -> Snapshot:
        """Everything as of now. The same object until something changes."""
        if self._snapshot is None:
            folders = self.folders()
            first = self._first_folder()
            overrides = {
                identity: key
                for identity, command in self.settings.overrides.items()
                if (key := self.override_key(command, first)) is not None
            }
            self._snapshot = Snapshot(
                folders=folders,
                sources=_Sources(self),
                source_problems=self._problems,
                manifests=dict(self.manifest_files()),
                described=self.described,
                undescribed=self._undescribed,
                settings=Settings(overrides, self.settings.severities),
                environment=self._environment,
                surroundings=self._surroundings,
                contracts=self.contracts,
            )
        return self._snapshot

    def resolve(self, key: CommandKey) -> ProgramState:
        """What the first word of a command comes to, as the analysis sees it."""
        return self._environment.program(key.directory, key.words[0])

    def forget_programs(self) -> None:
        """Looks for every program again at the next question."""
        self._environment.forget_programs()
        self.surroundings_changed()

    def forget_programs_at(self, path: str) -> bool:
        """Looks again for the programs that something at the absolute path, which came or went, may make others: those
        that run below it, or stand there; whether there are any."""
        found = self._environment.forget_programs_at({path, resolved(path)})
        if found:
            self.surroundings_changed()
        return found


class _Sources(Mapping[str, "SourceFile"]):
    """The parsed sources by key; one that was not read yet is read when it is asked for."""

    def __init__(self, project: Project) -> None:
        self._project = project

    def __getitem__(self, key: str) -> SourceFile:
        found = self._project.source(key) if is_source(key) else None
        if found is None:
            raise KeyError(key)
        return found

    def __iter__(self) -> Iterator[str]:
        return iter(self._project.source_keys())

    def __len__(self) -> int:
        return len(self._project.source_keys())


class _Environment(Environment):
    """The disk, as the analysis may ask about it. Answers are kept until something changes."""

    def __init__(self, files: WorkspaceFiles, problems: Mapping[str, str]) -> None:
        self._files = files
        self._problems = problems
        self._programs: dict[tuple[str, str], ProgramState] = {}

    def program(self, directory: str, word: str) -> ProgramState:
        known = self._programs.get((directory, word))
        if known is None:
            found = resolve_program(directory, word)
            known = ProgramState(found.path) if isinstance(found, Program) else ProgramState(None, found.sentence)
            self._programs[directory, word] = known
        return known

    def exists(self, path: str) -> bool:
        # What stands there and cannot be read is said at the file itself; it is not missing.
        return self._files.exists(path) or path in self._problems

    def text(self, path: str) -> str | None:
        found = self._files.text(path) if self._files.is_open(self._files.real(path)) else read_text(path)
        if isinstance(found, TextRead):
            return found.text
        return found if isinstance(found, str) else None

    def python(self, directory: str) -> str:
        windows = sys.platform == "win32"
        own = ".venv/Scripts/python.exe" if windows else ".venv/bin/python"
        return own if os.path.isfile(os.path.join(directory, own)) else "python" if windows else "python3"

    def forget_programs_at(self, paths: Iterable[str]) -> bool:
        found = [
            (directory, word)
            for (directory, word), state in self._programs.items()
            for place in (directory, state.path, absolute(os.path.join(directory, word)) if may_be_file(word) else None)
            if place is not None and any(inside(place, path) for path in paths)
        ]
        for key in found:
            self._programs.pop(key, None)
        return bool(found)

    def forget_programs(self) -> None:
        self._programs.clear()
