"""Workspaces of Flow texts that need no disk."""

from __future__ import annotations

from collections.abc import Mapping
from posixpath import dirname, relpath
from typing import Any

from flow_lsp.source.declarations import CheckedFile
from flow_lsp.source.homes import FileHome, ImportTarget, Repository, file_identity, import_target
from flow_lsp.source.model import ImportSyntax, SourceFile
from flow_lsp.source.program import check_file
from flow_lsp.source.reader import read_source

FOLDER = "/workspace"


class FileMap:
    """A workspace of texts: the folder `/workspace`, and repositories beside it."""

    def __init__(self, files: Mapping[str, str], repositories: Mapping[str, Any] | None = None) -> None:
        self.repositories = [
            Repository(name, entry["version"], f"/repositories/{name}") for name, entry in (repositories or {}).items()
        ]
        self.texts = {f"{FOLDER}/{path}": text for path, text in files.items()}
        for name, entry in (repositories or {}).items():
            self.texts.update({f"/repositories/{name}/{path}": text for path, text in entry["files"].items()})
        self.sources = {path: read_source(text) for path, text in self.texts.items() if path.endswith(".flow")}

    def source(self, path: str) -> SourceFile | None:
        return self.sources.get(path)

    def home(self, path: str) -> FileHome:
        for repository in self.repositories:
            if path.startswith(repository.directory + "/"):
                return file_identity(relpath(path, repository.directory), (repository.name, repository.version))
        if not path.startswith(FOLDER):
            return file_identity(path)
        directory = dirname(path)
        while directory != FOLDER and f"{directory}/flow.toml" not in self.texts:
            directory = dirname(directory)
        return file_identity(relpath(path, directory))

    def import_target(self, importing: str, item: ImportSyntax) -> ImportTarget:
        return import_target(importing, item, self.repositories, [FOLDER])


def check_all(workspace: FileMap) -> list[CheckedFile]:
    """The files of the folder, checked, in the order given."""
    found = [check_file(workspace, path) for path in workspace.sources if path.startswith(FOLDER + "/")]
    return [checked for checked in found if checked is not None]


def check_one(text: str, name: str = "a.flow", **others: str) -> CheckedFile:
    """The file `name` with `text`, checked beside `others`, whose names are without `.flow`."""
    workspace = FileMap({name: text, **{f"{other}.flow": more for other, more in others.items()}})
    checked = check_file(workspace, f"{FOLDER}/{name}")
    assert checked is not None
    return checked


def marked(text: str) -> tuple[str, list[tuple[int, int, str]]]:
    """`text` with its mark lines taken out, and what they mark: start, end and the words behind the carets.

    A mark line is a comment of carets under a piece of the line above: `// ^^^^ code`.
    """
    kept: list[str] = []
    marks: list[tuple[int, int, str]] = []
    start = before = 0
    for line in text.splitlines(keepends=True):
        stripped = line.strip()
        if stripped.startswith("//") and stripped[2:].lstrip().startswith("^"):
            first, last = line.index("^"), line.rindex("^") + 1
            marks.append((before + first, before + last, line[last:].strip()))
            continue
        kept.append(line)
        before, start = start, start + len(line)
    return "".join(kept), marks
