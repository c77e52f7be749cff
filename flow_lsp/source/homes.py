"""The part of an identity that a file gives to its declarations, and where an import leads (decisions 6 and
8).

Paths are absolute, real, and written with `/`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from posixpath import dirname

from flow_lsp.findings.model import shown
from flow_lsp.signature.identity import escaped_file
from flow_lsp.source.model import ImportSyntax
from flow_lsp.text.paths import inside

SUFFIX = ".flow"


@dataclass(frozen=True, slots=True)
class FileHome:
    """Where a file's declarations belong: `prefix` is all of an identity before `.` and the name."""

    prefix: str

    def identity(self, name: str) -> str:
        """The identity of the declaration `name` in this file."""
        return f"{self.prefix}.{name}"


@dataclass(frozen=True, slots=True)
class Repository:
    """A folder that holds a repository at a version."""

    name: str
    version: str
    directory: str


@dataclass(frozen=True, slots=True)
class ImportTarget:
    """Where an import leads: a path, at which there may be no file; or none, and why.

    Without path and problem nothing is to be said: the document has no place of its own.
    """

    path: str | None
    problem_text: str | None = None


def file_identity(path: str, repository: tuple[str, str] | None = None) -> FileHome:
    """The home of a file at `path`, which is relative to its repository, its nearest flow.toml or the
    workspace folder. `repository` is a name and a version."""
    file = escaped_file(path)
    return FileHome(file if repository is None else f"{repository[0]}@{repository[1]}/{file}")


def import_target(
    importing: str, item: ImportSyntax, repositories: Sequence[Repository], folders: Sequence[str]
) -> ImportTarget:
    """Where `item`, an import in the file `importing`, leads. Whether a file stands there is not asked.

    A path of its own may not leave the innermost folder or repository that holds the importing file.
    """
    if item.above is None:
        return _in_repository(item, repositories)
    if not _is_absolute(importing):
        return ImportTarget(None)
    boundary = ""
    for directory in (*folders, *(repository.directory for repository in repositories)):
        if inside(importing, directory) and len(directory) > len(boundary):
            boundary = directory
    boundary = boundary or dirname(importing)
    directory = dirname(importing)
    for _ in range(item.above):
        above = dirname(directory)
        if above == directory or not inside(above.rstrip("/") + "/", boundary):
            return ImportTarget(
                None,
                f"`{shown(item.path)}` leads out of the workspace, where nothing is found. Open the folder "
                f"that holds both files.",
            )
        directory = above
    return ImportTarget(directory.rstrip("/") + "/" + "/".join(item.segments) + SUFFIX)


def _in_repository(item: ImportSyntax, repositories: Sequence[Repository]) -> ImportTarget:
    best: Repository | None = None
    wanted = "/".join(item.segments)
    for repository in repositories:
        if wanted.startswith(repository.name + "/") and (best is None or len(repository.name) > len(best.name)):
            best = repository
    if best is None:
        return ImportTarget(
            None,
            f"`{shown(item.path)}` is in no repository that is configured here, so what it declares is not "
            f"known. Configure its folder as a repository, or write `./{shown(item.path)}` for a file of "
            f"this workspace.",
        )
    rest = wanted[len(best.name) + 1 :]
    return ImportTarget(f"{best.directory.rstrip('/')}/{rest}{SUFFIX}")


def _is_absolute(path: str) -> bool:
    return path.startswith("/") or path[1:3] == ":/"
