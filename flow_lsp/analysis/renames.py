"""What has to change in manifests and sources when files and directories go elsewhere.

All edits are of the texts as they are before: a client makes them first and renames then. A file is bound after as it
was before, and what is imported is still imported, wherever that can be written surely; what cannot be written stays,
and its finding says what is wrong.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from posixpath import join, relpath
from typing import TYPE_CHECKING
from weakref import WeakKeyDictionary

from flow_lsp.analysis.edits import Change, TextEdit
from flow_lsp.analysis.manifest_edits import changed_tables, table_source, with_source
from flow_lsp.analysis.moved_commands import moved_command
from flow_lsp.analysis.snapshot import Snapshot
from flow_lsp.binding.model import ManifestFile
from flow_lsp.binding.nearest import MANIFEST_NAME, nearest_manifest
from flow_lsp.manifest.insertion import with_table
from flow_lsp.manifest.model import Manifest
from flow_lsp.manifest.paths import SUFFIX
from flow_lsp.manifest.toml_writing import string_like
from flow_lsp.source.model import ImportSyntax, SourceFile
from flow_lsp.source.reader import read_source
from flow_lsp.source.tokens import read_name
from flow_lsp.text.paths import ancestors, inside, parent
from flow_lsp.text.spans import Span

if TYPE_CHECKING:
    from flow_lsp.analysis.program import SnapshotProgram

MOST_SINGLE = 50  # tables of one manifest that are tried one by one where not all can change together

_ALIAS = re.compile(r"\s+as\s+")
_IMPORTS: WeakKeyDictionary[SourceFile, tuple[tuple[int, ImportSyntax], ...]] = WeakKeyDictionary()


@dataclass(frozen=True)
class Renaming:
    """Files and directories that go from one absolute path to another, all at once."""

    pairs: Mapping[str, str]

    def moved(self, path: str) -> str:
        """Where the file at `path` is then: with the innermost directory of those that go, or itself."""
        for above in ancestors(path):
            to = self.pairs.get(above)
            if to is not None:
                return to + path[len(above) :]
        return path

    def concerns(self, path: str) -> bool:
        """Whether the file at `path` goes."""
        return self.moved(path) != path


@dataclass(slots=True)
class _Tables:
    """What becomes of the tables of one manifest, by their indexes."""

    names: dict[int, str] = field(default_factory=dict)
    commands: dict[int, str] = field(default_factory=dict)
    leaving: dict[int, tuple[ManifestFile, str]] = field(default_factory=dict)


def renamed(snapshot: Snapshot, program: SnapshotProgram, renaming: Renaming) -> Change:
    """The edits that keep bindings and imports as they are when files go as `renaming` says.

    - A key becomes the file's new path. Where that is out of the manifest's directory, or below a nearer manifest, the
      table is moved into the manifest that is then the nearest; where none is, it stays.
    - The words of commands that name files count from where the manifest is, and follow them.
    - An import leads to the same file and binds the same name, with `as` where the file's own name is another.
    """
    edits: dict[str, list[TextEdit]] = _Manifests(snapshot, renaming).edits()
    for path, source in _importing(snapshot):
        found = list(_import_edits(snapshot, program, renaming, path, source))
        if found:
            edits[path] = found
    return Change({path: tuple(found) for path, found in edits.items() if found})


# -- manifests ------------------------------------------------------------------------------------------


class _Manifests:
    def __init__(self, snapshot: Snapshot, renaming: Renaming) -> None:
        self._snapshot = snapshot
        self._renaming = renaming

    @cached_property
    def after(self) -> Mapping[str, ManifestFile]:
        """The manifests by the directories in which they are then."""
        moved = ((self._renaming.moved(file.path), file) for file in self._snapshot.manifests.values())
        return {parent(path): file for path, file in moved if path.rpartition("/")[2] == MANIFEST_NAME}

    def edits(self) -> dict[str, list[TextEdit]]:
        """The edits of all manifests by their paths."""
        found: dict[str, list[TextEdit]] = {}
        added: dict[str, list[str]] = {}
        for directory, file in self.after.items():
            if file.manifest is not None:
                tables = self._tables(file, file.manifest, directory)
                self._write(file, file.manifest, tables, found, added)
        for directory, sources in added.items():
            near = self.after[directory]
            assert near.manifest is not None
            end = len(near.manifest.text)
            text = with_table(near.manifest, "\n".join(sources))
            assert text is not None  # each was tried when it left its own
            found.setdefault(near.path, []).append(TextEdit(Span(end, end), text))
        return found

    def _tables(self, file: ManifestFile, manifest: Manifest, directory: str) -> _Tables:
        """What becomes of the tables of `file`, which is in `directory` then."""
        tables, exists = _Tables(), self._snapshot.environment.exists
        moved = self._renaming.moved
        stays = directory == file.directory
        for index, table in enumerate(manifest.tables):
            if table.path is None:
                continue
            path = join(file.directory, table.path)
            to = moved(path)
            command = table.text
            if table.text is not None:
                command = moved_command(table.text, file.directory, directory, exists, moved, manifest.windows)
            if command is not None and command != table.text:
                tables.commands[index] = command
            if (stays and to == path) or not to.endswith(SUFFIX):
                continue
            near = self._near(to)
            was = nearest_manifest(path, self._snapshot.manifests, self._repository(path))
            if was is file and near is not None and near[1] is not file:
                tables.leaving[index] = near[1], relpath(to, near[0])
            elif inside(to, directory) and relpath(to, directory) != table.path:
                tables.names[index] = relpath(to, directory)
        return tables

    def _near(self, path: str) -> tuple[str, ManifestFile] | None:
        """The manifest by which a file at `path` is bound then, and its directory."""
        repository = self._repository(path)
        for directory in [repository] if repository is not None else ancestors(parent(path)):
            if directory in self.after:
                return directory, self.after[directory]
        return None

    def _repository(self, path: str) -> str | None:
        folder = self._snapshot.folder_of(path)
        return folder.path if folder is not None and folder.repository is not None else None

    def _write(
        self,
        file: ManifestFile,
        manifest: Manifest,
        tables: _Tables,
        found: dict[str, list[TextEdit]],
        added: dict[str, list[str]],
    ) -> None:
        removed: list[int] = []
        for index, (near, key) in tables.leaving.items():
            source = self._source(manifest, index, file, near, key)
            directory = parent(self._renaming.moved(near.path))
            sources = [*added.get(directory, ()), *([source] if source is not None else [])]
            fits = near.manifest is not None and not near.refuses and with_source(near.manifest, "\n".join(sources))
            if source is not None and fits and changed_tables(manifest, removed=[index]) is not None:
                added[directory] = sources
                removed.append(index)
            else:
                self._keep(file, index, tables)
        edits = changed_tables(manifest, tables.names, removed, tables.commands)
        if edits is None:
            edits = _one_by_one(manifest, tables, removed)
        if edits:
            found.setdefault(file.path, []).extend(edits)

    def _keep(self, file: ManifestFile, index: int, tables: _Tables) -> None:
        """The table stays, and names its file where it can."""
        assert file.manifest is not None
        directory, path = parent(self._renaming.moved(file.path)), file.manifest.tables[index].path
        assert path is not None
        to = self._renaming.moved(join(file.directory, path))
        if inside(to, directory) and relpath(to, directory) != path:
            tables.names[index] = relpath(to, directory)

    def _source(self, manifest: Manifest, index: int, file: ManifestFile, near: ManifestFile, key: str) -> str | None:
        """The table as it is to stand in the manifest `near`."""
        table = manifest.tables[index]
        if table.text is None or table.value_span is None:
            return None
        directory = parent(self._renaming.moved(near.path))
        exists, moved = self._snapshot.environment.exists, self._renaming.moved
        command = moved_command(table.text, file.directory, directory, exists, moved, manifest.windows)
        if command is None:
            return None
        span = table.value_span.shifted(manifest.offset_of(index))
        token = string_like(command, manifest.text[span.start : span.end]) if command != table.text else None
        return table_source(manifest, index, key, token)


def _one_by_one(manifest: Manifest, tables: _Tables, removed: list[int]) -> list[TextEdit]:
    """As much as can be done where not all can: of two tables that would be of one file, one keeps its key."""
    names: dict[int, str] = {}
    commands: dict[int, str] = {}
    best = list(changed_tables(manifest, removed=removed) or ())
    for index in [*tables.names, *tables.commands][:MOST_SINGLE]:
        more_names = {**names, index: tables.names[index]} if index in tables.names else names
        more_commands = {**commands, index: tables.commands[index]} if index in tables.commands else commands
        edits = changed_tables(manifest, more_names, removed, more_commands)
        if edits is not None:
            best, names, commands = list(edits), more_names, more_commands
    return best


# -- imports --------------------------------------------------------------------------------------------


def _imports(source: SourceFile) -> tuple[tuple[int, ImportSyntax], ...]:
    known = _IMPORTS.get(source)
    if known is None:
        known = _IMPORTS[source] = tuple(
            (index, item.syntax) for index, item in enumerate(source.items) if isinstance(item.syntax, ImportSyntax)
        )
    return known


def _importing(snapshot: Snapshot) -> Iterator[tuple[str, SourceFile]]:
    """The sources that import something: in others nothing can change."""
    for path in snapshot.sources:
        source = snapshot.sources.get(path)
        if source is not None and _imports(source):
            yield path, source


def _import_edits(
    snapshot: Snapshot, program: SnapshotProgram, renaming: Renaming, path: str, source: SourceFile
) -> Iterator[TextEdit]:
    to = renaming.moved(path)
    if not to.endswith(SUFFIX):
        return
    for index, syntax in _imports(source):
        target = program.import_target(path, syntax).path
        if target is None:
            continue
        target_to = renaming.moved(target)
        if (to == path and target_to == target) or not target_to.endswith(SUFFIX):
            continue
        if not snapshot.environment.exists(target):
            continue
        plain = syntax.path in _written(snapshot, path, target, syntax)
        if not plain and program.import_target(to, syntax).path == target_to:
            continue  # it leads there in a way of its own
        for written in _written(snapshot, to, target_to, syntax):
            found = _import(f"import {written} as x")
            if found is not None and program.import_target(to, found).path == target_to:
                if written != syntax.path:
                    yield _import_edit(source, index, syntax, found, written)
                break


def _written(snapshot: Snapshot, path: str, target: str, syntax: ImportSyntax) -> Iterator[str]:
    """How a file at `path` may write the import of the one at `target`: from a repository where it did so before."""
    if syntax.above is None:
        for folder in snapshot.folders:
            if folder.repository is not None and inside(target, folder.path):
                yield f"{folder.repository}/{relpath(target, folder.path).removesuffix(SUFFIX)}"
    relative = relpath(target, parent(path)).removesuffix(SUFFIX)
    yield relative if relative.startswith("../") else f"./{relative}"


def _import(text: str) -> ImportSyntax | None:
    """An import as it is read; None where it is none."""
    items = read_source(text).items
    syntax = items[0].syntax if len(items) == 1 else None
    return syntax if isinstance(syntax, ImportSyntax) else None


def _import_edit(source: SourceFile, index: int, syntax: ImportSyntax, now: ImportSyntax, written: str) -> TextEdit:
    """The path replaced; where the import binds the file, it goes on to bind it by the same name."""
    start = source.starts[index]
    path = syntax.path_span.shifted(start)
    if syntax.names is not None or syntax.binding is None:
        return TextEdit(path, written)
    own = read_name(now.segments[-1])
    binding = syntax.binding.span.shifted(start)
    if binding.start < path.end:
        return TextEdit(path, written if own == syntax.binding.name else f"{written} as {syntax.binding.name}")
    if own == syntax.binding.name and _ALIAS.fullmatch(source.text, path.end, binding.start):
        return TextEdit(Span(path.start, binding.end), written)
    return TextEdit(path, written)


# -- files that go away ---------------------------------------------------------------------------------


def tables_of_gone(snapshot: Snapshot, paths: Iterable[str], exists: Callable[[str], bool]) -> dict[str, list[int]]:
    """The tables that name a file at one of `paths`, or below it, that is not there: their indexes by manifest."""
    gone = dict.fromkeys(paths, "")
    found: dict[str, list[int]] = {}
    for file in snapshot.manifests.values():
        for index, table in enumerate(file.manifest.tables if file.manifest is not None else ()):
            path = join(file.directory, table.path) if table.path is not None else None
            if path is None or not any(above in gone for above in ancestors(path)):
                continue
            if not exists(path):
                found.setdefault(file.path, []).append(index)
    return found


def without_tables(snapshot: Snapshot, tables: Mapping[str, list[int]]) -> Change:
    """These tables removed, where that is sure."""
    edits = {}
    for path, indexes in tables.items():
        file = snapshot.manifests.get(parent(path))
        manifest = file.manifest if file is not None else None
        found = changed_tables(manifest, removed=indexes) if manifest is not None else None
        if found:
            edits[path] = found
    return Change(edits)
