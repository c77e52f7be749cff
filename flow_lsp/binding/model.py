"""The states a declaration's binding can be in."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TypeAlias

from flow_lsp.manifest.model import BindingKind, Manifest, ToolTable


@dataclass(frozen=True, slots=True)
class CommandKey:
    """What one implementation process is known by: where it runs, the words of its command, and what it speaks.

    The same words under `command` and under `mcp` are two implementations.
    """

    directory: str
    words: tuple[str, ...]
    kind: BindingKind = BindingKind.COMMAND

    @property
    def command(self) -> str:
        """The words as one reads them, those with white space in quotes."""
        return " ".join(word if word and not set(word) & set(" \t\n'\"\\") else repr(word) for word in self.words)


def table_command(directory: str, table: ToolTable) -> CommandKey | None:
    """What answers the Tools of `table`, of the manifest in `directory`; None where it names nothing usable."""
    return None if table.kind is None else CommandKey(directory, table.words, table.kind)


@dataclass(frozen=True)
class ManifestFile:
    """One flow.toml as of now. `problem` says why it could not be read; then `manifest` is None.

    `last_good` is its last text that had no error, this one included; None where none was seen.
    """

    path: str
    directory: str
    manifest: Manifest | None
    problem: str | None = None
    last_good: Manifest | None = None

    @property
    def refuses(self) -> bool:
        """Whether it refuses the run: it cannot be read, or has an error of its own."""
        return self.manifest is None or self.manifest.has_error


@dataclass(frozen=True, slots=True)
class TablePlace:
    """A table of a manifest: the file's path and the table's index in `manifest`."""

    path: str
    manifest: Manifest
    table: int


class Origin(StrEnum):
    """Where a binding comes from, the stronger first."""

    OVERRIDE = "override"
    MANIFEST = "manifest"


@dataclass(frozen=True, slots=True)
class Bound:
    """A command or an MCP server answers. `place` is None for an override."""

    key: CommandKey
    origin: Origin
    place: TablePlace | None = None

    @property
    def kind(self) -> BindingKind:
        """What the command speaks."""
        return self.key.kind


class UnboundReason(StrEnum):
    """Why a declaration has no binding."""

    NO_MANIFEST = "no-manifest"
    NO_TABLE = "no-table"


@dataclass(frozen=True, slots=True)
class Unbound:
    """Nothing answers. `manifest` is the nearest one's path; `key` the table key it would need.

    `farther` is the table of a more distant manifest that names the file, and does not count.
    """

    reason: UnboundReason
    key: str
    manifest: str | None = None
    farther: TablePlace | None = None


@dataclass(frozen=True, slots=True)
class Refused:
    """The nearest manifest has an error. `last` is the binding by its last good text, if any."""

    manifest: str
    last: Bound | Unbound | None = None


Binding: TypeAlias = Bound | Unbound | Refused
