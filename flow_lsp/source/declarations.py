"""What a check of one file gives: its Tools, and what is wrong (decisions 8)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from flow_lsp.findings.model import Finding
from flow_lsp.source.files import Look, ResolvedFile, Workspace
from flow_lsp.source.model import Item, SourceFile
from flow_lsp.source.resolution import Resolved
from flow_lsp.text.spans import Span
from flow_lsp.types.crossing import Crossing
from flow_lsp.types.facts import Facts
from flow_lsp.types.graph import Graph, Verdicts
from flow_lsp.types.terms import Parameter, TypeSpec


@dataclass(frozen=True, slots=True)
class Cause:
    """Why a Tool's signature is not known: something at `span` of the file at `path`, named `name`."""

    path: str
    name: str
    span: Span


@dataclass(frozen=True, eq=False)
class ToolDeclaration:
    """One `@tool` function. The object stays the same while all it says is the same, also when it moves.

    `spec` is None where the signature is not known; `params` are empty then. `refused`: the Tool has a
    problem, or its signature is not known, so it is not listed. `cause` says what in another declaration
    is to blame. Where it stands is asked of the `CheckedFile`.
    """

    name: str
    identity: str
    item: Item
    generic: tuple[str, ...]
    params: tuple[Parameter, ...]
    spec: TypeSpec | None
    refused: bool
    cause: Cause | None = None

    @property
    def doc(self) -> str | None:
        """The text of its doc comment."""
        return self.item.doc


@dataclass(frozen=True, slots=True)
class ToolCheck:
    """What was found about one Tool, and what it rests on: the local ids that it reaches."""

    tool: ToolDeclaration
    resolved: Resolved
    reached: frozenset[str]
    findings: tuple[Finding, ...]


@dataclass(frozen=True, slots=True)
class Map:
    """The declarations map of one file: the facts of all owners, and what follows from them."""

    owners: Mapping[str, Facts]
    graph: Graph
    verdicts: Verdicts
    crossing: Crossing
    all_within_limits: bool


@dataclass(frozen=True, eq=False)
class CheckedFile:
    """One file, checked. `tools` stand in source order; `findings` have spans in the file and are sorted
    by place."""

    path: str
    source: SourceFile
    tools: tuple[ToolDeclaration, ...]
    findings: tuple[Finding, ...]
    offsets: Mapping[ToolDeclaration, int]
    file: ResolvedFile
    look: Look
    map: Map
    checks: Mapping[int, ToolCheck]
    known: Mapping[str, Resolved | None]

    @property
    def depends_on(self) -> Mapping[str, SourceFile | None]:
        """Every file that was looked at, by path, this one included; None for one that was looked for and
        not found."""
        return self.look.sources

    def is_current(self, workspace: Workspace) -> bool:
        """Whether checking again would give the same: all files looked at are the same objects, and so on."""
        return self.look.unchanged(workspace)

    def offset_of(self, tool: ToolDeclaration) -> int:
        """Where the item of `tool`, one of `tools`, starts in the file."""
        return self.offsets[tool]

    def name_span(self, tool: ToolDeclaration) -> Span:
        """Where the name of `tool` stands in the file."""
        return tool.item.name_span.shifted(self.offsets[tool])

    def extent(self, tool: ToolDeclaration) -> Span:
        """All of `tool` in the file, from its first attribute or keyword to the end of its result."""
        return tool.item.extent.shifted(self.offsets[tool])
