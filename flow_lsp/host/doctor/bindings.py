"""What is bound in some files of a workspace: the commands of their tables, of their Tools, and overrides."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from posixpath import basename

from flow_lsp.analysis.engine import Analysis
from flow_lsp.analysis.snapshot import Snapshot
from flow_lsp.binding.model import Bound, CommandKey, ManifestFile, Origin, Refused, table_command
from flow_lsp.binding.nearest import overridden
from flow_lsp.files.paths import is_manifest
from flow_lsp.findings.model import Severity
from flow_lsp.host.doctor.model import BoundCommand
from flow_lsp.text.lines import LineIndex, PositionEncoding
from flow_lsp.text.paths import parent


@dataclass(slots=True)
class _Uses:
    tables: dict[tuple[str, str], None] = field(default_factory=dict)
    overrides: dict[str, None] = field(default_factory=dict)


def bindings_in(
    analysis: Analysis, snapshot: Snapshot, keys: Iterable[str]
) -> tuple[list[BoundCommand], Mapping[str, str]]:
    """Each command that the manifests and sources `keys` name or are answered by, once, in their order; and the
    manifests among them that refuse the run, by their paths, with a sentence."""
    found: dict[CommandKey, _Uses] = {}
    refused: dict[str, str] = {}
    for key in keys:
        if is_manifest(key):
            _of_manifest(snapshot, key, found, refused)
        else:
            _of_source(analysis, snapshot, key, found, refused)
    commands = [BoundCommand(command, tuple(uses.tables), tuple(uses.overrides)) for command, uses in found.items()]
    return commands, refused


_Found = dict[CommandKey, _Uses]


def _of_manifest(snapshot: Snapshot, key: str, found: _Found, refused: dict[str, str]) -> None:
    file = snapshot.manifests.get(parent(key))
    if file is None:
        return
    if file.manifest is None or file.refuses:
        refused[file.path] = file.problem or _first_error(file)
        return
    for table in file.manifest.tables:
        command = table_command(file.directory, table)
        if command is not None and table.path is not None:
            uses = found.setdefault(command, _Uses())
            uses.tables[file.path, table.path] = None


def _of_source(analysis: Analysis, snapshot: Snapshot, key: str, found: _Found, refused: dict[str, str]) -> None:
    binding = snapshot.binding_of(key)
    if isinstance(binding, Refused):
        _of_manifest(snapshot, binding.manifest, found, refused)
    for tool in analysis.tools(snapshot, key):
        identity = tool.declared.identity
        bound = overridden(binding, identity, snapshot.settings.overrides)
        if not isinstance(bound, Bound):
            continue
        uses = found.setdefault(bound.key, _Uses())
        if bound.origin is Origin.OVERRIDE:
            uses.overrides[identity] = None
        elif bound.place is not None:
            table = bound.place.manifest.tables[bound.place.table]
            uses.tables[bound.place.path, table.path or ""] = None


def _first_error(file: ManifestFile) -> str:
    """The first error of a manifest behind its place, as a check prints it."""
    errors = [each for each in file.manifest.findings if each.rule.severity is Severity.ERROR] if file.manifest else []
    if file.manifest is None or not errors:
        return "It has an error, so it binds nothing."
    place = LineIndex.of(file.manifest.text).position(errors[0].span.start, PositionEncoding.UTF32)
    return f"{basename(file.path)}:{place.line + 1}:{place.character + 1}: {errors[0].message}"
