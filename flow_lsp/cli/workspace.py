"""Workspaces on the command line: the folders and files that the arguments name, read and analysed.

`check` and `describe` take all folders as one workspace of several folders, as an editor does; `tools` takes
each by itself, for several folders give one listing each (decisions 9).
"""

from __future__ import annotations

import argparse
import os
import re
import sys
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from flow_lsp.analysis.engine import Analysis, FileTool
from flow_lsp.analysis.source_places import declared_type_schema
from flow_lsp.binding.model import Bound, CommandKey
from flow_lsp.binding.nearest import overridden
from flow_lsp.cli.terminal import ProgressLine, complain
from flow_lsp.cli.usage import UsageError
from flow_lsp.files.paths import absolute, is_manifest, is_source, is_unicode, resolved, with_slashes
from flow_lsp.files.scan import ScanProblem
from flow_lsp.files.workspace import WorkspaceFiles
from flow_lsp.findings.model import shown
from flow_lsp.host.consent import TrustPolicy
from flow_lsp.host.project import Project
from flow_lsp.host.settings import DEFAULT_TIMEOUT, HostSettings, RepositoryFolder
from flow_lsp.manifest.model import BindingKind
from flow_lsp.manifest.words import Words, split_words
from flow_lsp.source.model import TYPE_KINDS
from flow_lsp.text.distance import nearest_name
from flow_lsp.text.paths import inside, parent

_REPOSITORY = re.compile(r"([\w-]+(?:/[\w-]+)*)@([^/=]+)(?:=(.+))?", re.DOTALL)


@dataclass
class Workspace:
    """Folders as they were read. What is looked at: the files below `whole`, and those of the keys `named`."""

    project: Project
    whole: tuple[str, ...] = ()
    named: frozenset[str] = frozenset()
    analysis: Analysis = field(default_factory=Analysis)

    @cached_property
    def keys(self) -> list[str]:
        """The files that are looked at: manifests, then sources, each ascending."""
        files = self.project.files
        listed = [*files.manifests(), *files.sources()]
        found = {key for key in listed if self._is_whole(files.spelling(key))} | self.named
        return sorted(found, key=lambda key: (not is_manifest(key), key))

    @property
    def sources(self) -> list[str]:
        """The `.flow` files among `keys`."""
        return [key for key in self.keys if not is_manifest(key)]

    @property
    def problems(self) -> list[ScanProblem]:
        """What could not be looked at, and why."""
        return self.project.files.problems()

    @cached_property
    def commands(self) -> list[CommandKey]:
        """Every command that answers something in `keys`, once, in the order of the files."""
        snapshot = self.project.snapshot()
        found: dict[CommandKey, None] = {}
        for key in self.keys:
            found.update((command, None) for command in self.analysis.commands_of(snapshot, key))
        return list(found)

    @property
    def bound_tools(self) -> dict[CommandKey, dict[str, list[str]]]:
        """The identities of the Tools in `sources` that each command is to answer, by their names; an MCP server is to
        answer none that is generic."""
        snapshot = self.project.snapshot()
        found: dict[CommandKey, dict[str, list[str]]] = {}
        for key in self.sources:
            binding = snapshot.binding_of(key)
            for tool in self.tools_of(key):
                bound = overridden(binding, tool.declared.identity, snapshot.settings.overrides)
                if isinstance(bound, Bound) and not (bound.kind is BindingKind.MCP and tool.declared.is_generic):
                    names = found.setdefault(bound.key, {})
                    names.setdefault(tool.declared.name, []).append(tool.declared.identity)
        return found

    def listing(self) -> dict[str, Any]:
        """The Tools listing (decisions 9) of the one folder."""
        folder = resolved(self.project.files.folders[0])
        return self.analysis.listing(self.project.snapshot(), self.sources, folder)

    def tools_of(self, key: str) -> Sequence[FileTool]:
        """The Tools that the source `key` declares."""
        return self.analysis.tools(self.project.snapshot(), key)

    def type_names(self, key: str) -> list[str]:
        """The names of the types that the source `key` declares, in source order."""
        source = self.project.source(key)
        items = source.items if source is not None else ()
        return list(dict.fromkeys(item.name for item in items if item.kind in TYPE_KINDS and item.name))

    def type_schema(self, key: str, name: str) -> object | None:
        """The schema of the type `name` as the source `key` sees it; None where there is none."""
        return declared_type_schema(self.analysis, self.project.snapshot(), key, name)

    def _is_whole(self, path: str) -> bool:
        """A manifest above a folder binds files in it, but is not the folder's to report on."""
        return any(path.startswith(folder.rstrip("/") + "/") for folder in self.whole)


@dataclass
class _Named:
    """What the arguments name, as absolute paths: folders, and files."""

    folders: list[str] = field(default_factory=list)
    files: list[str] = field(default_factory=list)


def open_workspace(options: argparse.Namespace) -> Workspace:
    """All that the arguments name as one workspace, read. Raises UsageError for what cannot be used."""
    named = _named(options.paths)
    folders = _workspace_folder(options, named)
    if folders is None:
        around = [parent(file) for file in named.files]
        folders = [*named.folders, *(each for each in around if not _holds(named.folders, each))]
    settings = _settings(options, folders[0])
    opened = _opened(folders, named, settings)
    _complain_of_overrides(opened, settings)
    return opened


def open_each(options: argparse.Namespace) -> list[Workspace]:
    """Each folder that the arguments name as a workspace by itself, read. Raises UsageError."""
    named = _named(options.paths)
    folders = _workspace_folder(options, named)
    if folders is not None:
        return [_opened(folders, named, _settings(options, folders[0]))]
    apart: dict[str, _Named] = {folder: _Named([folder]) for folder in named.folders}
    for file in named.files:
        apart.setdefault(parent(file), _Named()).files.append(file)
    settings = _settings(options, next(iter(apart)))
    return [_opened([folder], each, settings) for folder, each in apart.items()]


def open_file(path: str, options: argparse.Namespace, overrides: Sequence[str] = ()) -> tuple[Workspace, str]:
    """The workspace of one `.flow` file, and the file's key. Raises UsageError where it is none."""
    full = _absolute(path)
    if not is_source(full) or not os.path.isfile(full):
        reason = "is no .flow file" if os.path.lexists(full) else "does not exist"
        raise UsageError(f"{shown(path)} {reason}. Write FILE or FILE:NAME, such as search.flow:find.")
    options.paths, options.override = [path], list(overrides)
    opened = open_workspace(options)
    (key,) = opened.named
    return opened, key


def shown_path(path: str) -> str:
    """An absolute path as it is printed: relative to the working directory, with `/`."""
    try:
        below = with_slashes(os.getcwd()).rstrip("/") + "/"
        if path.startswith(below):
            return path[len(below) :]
        return with_slashes(os.path.relpath(path))
    except (OSError, ValueError):  # another drive, or no working directory any more
        return path


# -- reading the arguments ------------------------------------------------------------------------------


def _named(paths: Sequence[str]) -> _Named:
    named = _Named()
    for path in paths or ["."]:
        full = _absolute(path)
        if not is_unicode(full):
            raise UsageError(f"the name {shown(path)} is not UTF-8, so it is not looked at. Rename it.")
        is_folder = os.path.isdir(full)
        if is_folder and not is_manifest(full):
            if not os.access(full, os.R_OK | os.X_OK):
                raise UsageError(f"the folder {shown(path)} may not be read.")
            named.folders.append(full)
        elif not os.path.lexists(full):
            raise UsageError(f"{shown(path)} does not exist.")
        elif is_folder or is_source(full) or is_manifest(full):
            named.files.append(full)
        else:
            raise UsageError(f"{shown(path)} is neither a folder nor a .flow file nor a flow.toml.")
    named.folders = list(dict.fromkeys(named.folders))
    named.files = list(dict.fromkeys(named.files))
    return named


def _absolute(path: str) -> str:
    if "\0" in path or not path:
        raise UsageError(f"{shown(path)!r} is no path.")
    try:
        return absolute(path)
    except OSError as error:
        raise UsageError("the working directory does not exist any more.") from error


def _workspace_folder(options: argparse.Namespace, named: _Named) -> list[str] | None:
    """The folder of --workspace, in which everything named must be."""
    if options.workspace is None:
        return None
    folder = _absolute(options.workspace)
    if not os.path.isdir(folder):
        raise UsageError(f"--workspace {shown(options.workspace)}: there is no such folder.")
    if not options.paths:
        named.folders = [folder]
    for path in (*named.folders, *named.files):
        if not inside(path, folder):
            raise UsageError(f"{shown(shown_path(path))} is not in the folder that --workspace names.")
    return [folder]


def _holds(folders: Iterable[str], path: str) -> bool:
    return any(inside(path, folder) for folder in folders)


def _opened(folders: Sequence[str], named: _Named, settings: HostSettings) -> Workspace:
    files = WorkspaceFiles(folders)
    project = Project(files, settings)
    progress = ProgressLine()
    try:
        for count in project.load_steps():
            progress.show(f"reading the workspace: {count:,}")
    finally:
        progress.clear()
    return Workspace(project, tuple(named.folders), frozenset(map(files.real, named.files)))


# -- settings -------------------------------------------------------------------------------------------


def _settings(options: argparse.Namespace, folder: str) -> HostSettings:
    return HostSettings(
        trust=TrustPolicy.ALWAYS if getattr(options, "trust", False) else TrustPolicy.ASK,
        overrides=_overrides(getattr(options, "override", [])),
        repositories=_repositories(options.repository, folder),
        describe_timeout=getattr(options, "timeout", None) or DEFAULT_TIMEOUT,
    )


def _repositories(given: Sequence[str], folder: str) -> tuple[RepositoryFolder, ...]:
    found: list[RepositoryFolder] = []
    for text in given:
        match = _REPOSITORY.fullmatch(text)
        if match is None:
            raise UsageError(
                f"--repository {shown(text)}: NAME@VERSION or NAME@VERSION=FOLDER is expected, such as "
                "acme/kit@1.2.0=vendor/kit."
            )
        name, version, path = match.groups()
        full = folder if path is None else _absolute(path)
        if not os.path.isdir(full):
            raise UsageError(f"--repository {shown(text)}: there is no folder {shown(path)}.")
        for other in found:
            if other.name == name:
                raise UsageError(f"--repository names {shown(name)} twice.")
            if resolved(other.path) == resolved(full):
                raise UsageError(
                    f"--repository says that {shown(shown_path(full))} is both {shown(other.name)} and {shown(name)}."
                )
        found.append(RepositoryFolder(name, version, full))
    return tuple(found)


def _overrides(given: Sequence[str]) -> dict[str, str]:
    found: dict[str, str] = {}
    for text in given:
        identity, equals, command = text.partition("=")
        if not identity or not equals:
            raise UsageError(
                f"--override {shown(text)}: IDENTITY=COMMAND is expected, such as 'search.find=python3 fake.py'."
            )
        words = split_words(command, sys.platform == "win32")
        if not isinstance(words, Words):
            raise UsageError(f"--override {shown(text)}: {words.reason}.")
        if not words.words:
            raise UsageError(f"--override {shown(text)}: no command stands behind the `=`.")
        if identity in found:
            raise UsageError(f"--override names {shown(identity)} twice.")
        found[identity] = command
    return found


def _complain_of_overrides(opened: Workspace, settings: HostSettings) -> None:
    if not settings.overrides:
        return
    declared = [tool.declared.identity for key in opened.sources for tool in opened.tools_of(key)]
    for identity in settings.overrides:
        if identity not in declared:
            near = nearest_name(identity, declared)
            hint = f" Is {shown(near)} meant?" if near else " `flow-lsp tools` lists the identities."
            complain(f"--override {shown(identity)} changes nothing: no Tool here has that identity.{hint}")
