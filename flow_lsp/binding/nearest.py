"""From a source file to its binding: the nearest manifest is the boundary, an override wins over all.

Paths are absolute, real, and written with `/`.
"""

from __future__ import annotations

from collections.abc import Mapping
from posixpath import relpath

from flow_lsp.binding.model import (
    Binding,
    Bound,
    CommandKey,
    ManifestFile,
    Origin,
    Refused,
    TablePlace,
    Unbound,
    UnboundReason,
    table_command,
)
from flow_lsp.manifest.model import Manifest
from flow_lsp.text.paths import ancestors, parent

MANIFEST_NAME = "flow.toml"


def nearest_manifest(
    path: str, manifests: Mapping[str, ManifestFile], repository: str | None = None
) -> ManifestFile | None:
    """The manifest that `path` is bound by, of `manifests` by their directories.

    A file of a configured repository uses the manifest at that repository's root and no other.
    """
    if repository is not None:
        return manifests.get(repository)
    for directory in ancestors(parent(path)):
        found = manifests.get(directory)
        if found is not None:
            return found
    return None


def table_key(path: str, directory: str) -> str:
    """The key of `path` in the manifest of `directory`: relative, with `/`."""
    return relpath(path, directory)


def file_binding(
    path: str, manifests: Mapping[str, ManifestFile], folder: str, repository: str | None = None
) -> Binding:
    """How the declarations in `path` are bound by manifests alone ("Binding").

    `folder` is the workspace folder, beside which a first manifest would be made.
    """
    nearest = nearest_manifest(path, manifests, repository)
    if nearest is None:
        return Unbound(UnboundReason.NO_MANIFEST, table_key(path, repository or folder))
    if nearest.refuses:
        last = None
        if nearest.last_good is not None:
            last = _by_table(path, nearest, nearest.last_good, manifests, repository)
        return Refused(nearest.path, last)
    assert nearest.manifest is not None
    return _by_table(path, nearest, nearest.manifest, manifests, repository)


def overridden(binding: Binding, identity: str, overrides: Mapping[str, CommandKey]) -> Binding:
    """`binding`, or the host's override for the declaration of that identity."""
    key = overrides.get(identity)
    return binding if key is None else Bound(key, Origin.OVERRIDE)


def _by_table(
    path: str,
    nearest: ManifestFile,
    manifest: Manifest,
    manifests: Mapping[str, ManifestFile],
    repository: str | None,
) -> Bound | Unbound:
    key = table_key(path, nearest.directory)
    index = manifest.index_by_path.get(key)
    if index is not None:
        command = table_command(nearest.directory, manifest.tables[index])
        if command is not None:
            return Bound(command, Origin.MANIFEST, TablePlace(nearest.path, manifest, index))
    farther = None if repository is not None else _farther(path, nearest, manifests)
    return Unbound(UnboundReason.NO_TABLE, key, nearest.path, farther)


def _farther(path: str, nearest: ManifestFile, manifests: Mapping[str, ManifestFile]) -> TablePlace | None:
    """The table of a more distant manifest that names the file; it has no effect."""
    for directory in ancestors(nearest.directory):
        if directory == nearest.directory:
            continue
        found = manifests.get(directory)
        if found is None or found.manifest is None:
            continue
        index = found.manifest.index_by_path.get(table_key(path, directory))
        if index is not None:
            return TablePlace(found.path, found.manifest, index)
    return None
