"""A snapshot as the source checks ask for it: files, where their declarations belong, where imports lead."""

from __future__ import annotations

from posixpath import relpath

from flow_lsp.analysis.snapshot import Snapshot
from flow_lsp.binding.nearest import nearest_manifest
from flow_lsp.source.homes import FileHome, ImportTarget, Repository, file_identity, import_target
from flow_lsp.source.model import ImportSyntax, SourceFile


class SnapshotProgram:
    """The `Workspace` of the source checks. Realizes decisions 6: what a file's identity is relative to."""

    def __init__(self, snapshot: Snapshot) -> None:
        self._snapshot = snapshot
        self._folders = [folder.path for folder in snapshot.folders]
        self._repositories = [
            Repository(folder.repository, folder.version or "", folder.path)
            for folder in snapshot.folders
            if folder.repository is not None
        ]
        self._homes: dict[str, FileHome] = {}

    def source(self, path: str) -> SourceFile | None:
        """The file at `path` as read."""
        return self._snapshot.sources.get(path)

    def home(self, path: str) -> FileHome:
        """Where the declarations of the file at `path` belong."""
        known = self._homes.get(path)
        if known is None:
            known = self._homes[path] = self._home(path)
        return known

    def _home(self, path: str) -> FileHome:
        folder = self._snapshot.folder_of(path)
        if folder is not None and folder.repository is not None:
            return file_identity(relpath(path, folder.path), (folder.repository, folder.version or ""))
        manifest = nearest_manifest(path, self._snapshot.manifests)
        if manifest is not None:
            return file_identity(relpath(path, manifest.directory))
        return file_identity(relpath(path, folder.path) if folder is not None else path.rpartition("/")[2])

    def import_target(self, importing: str, item: ImportSyntax) -> ImportTarget:
        """Where an import in the file `importing` leads."""
        return import_target(importing, item, self._repositories, self._folders)
