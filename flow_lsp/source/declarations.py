"""What a check of one file gives: its Tools, and what is wrong (decisions 8)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

from flow_lsp.findings.model import Finding
from flow_lsp.source.causes import Cause, cause_of
from flow_lsp.source.files import Look, Workspace
from flow_lsp.source.model import Item, SourceFile
from flow_lsp.source.reached import Map
from flow_lsp.source.resolution import Resolved, has_error
from flow_lsp.source.resolved_file import ResolvedFile
from flow_lsp.text.spans import Span
from flow_lsp.types.terms import Parameter, TypeSpec


@dataclass(frozen=True, eq=False)
class ToolDeclaration:
    """One `@tool` function. The object stays the same while all it says is the same, also when it moves.

    `spec` is None where the signature is not known; `params` are empty then. `refused`: the Tool has a
    problem, or its signature is not known, so it is not listed. Where it stands, and what keeps its
    signature from being known, is asked of the `CheckedFile`.
    """

    name: str
    identity: str
    item: Item
    generic: tuple[str, ...]
    params: tuple[Parameter, ...]
    spec: TypeSpec | None
    refused: bool

    @property
    def doc(self) -> str | None:
        """The text of its doc comment."""
        return self.item.doc


@dataclass(frozen=True, slots=True)
class ToolCheck:
    """What was found about one Tool, and what it rests on: the local ids that it reaches.

    `culprit` is the first of them that keeps its signature from being known.
    """

    tool: ToolDeclaration
    resolved: Resolved
    reached: frozenset[str]
    findings: tuple[Finding, ...]
    culprit: str | None = None


@dataclass(frozen=True, eq=False)
class CheckedFile:
    """One file, checked. `findings` have spans in the file and are sorted by place.

    `checks` has what was found about each Tool, by its local id in this file, in source order.
    """

    path: str
    source: SourceFile
    findings: tuple[Finding, ...]
    file: ResolvedFile
    look: Look
    map: Map
    checks: Mapping[str, ToolCheck]

    @cached_property
    def tools(self) -> tuple[ToolDeclaration, ...]:
        """The Tools that the file declares, in source order."""
        return tuple(check.tool for check in self.checks.values())

    @cached_property
    def _offsets(self) -> Mapping[ToolDeclaration, int]:
        return dict(zip(self.tools, map(self.source.starts.__getitem__, self.file.tool_places), strict=True))

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
        return self._offsets[tool]

    @cached_property
    def _check_of(self) -> Mapping[ToolDeclaration, ToolCheck]:
        return {check.tool: check for check in self.checks.values()}

    def cause_of(self, tool: ToolDeclaration) -> Cause | None:
        """What in another declaration keeps the signature of `tool` from being known; None where nothing does."""
        check = self._check_of[tool]
        one = check.resolved
        if check.culprit is None and (one.is_known or has_error(one.item.findings) or has_error(one.findings)):
            return None
        return cause_of(self.look, self.file, one, check.culprit)

    def name_span(self, tool: ToolDeclaration) -> Span:
        """Where the name of `tool` stands in the file."""
        return tool.item.name_span.shifted(self._offsets[tool])

    def extent(self, tool: ToolDeclaration) -> Span:
        """All of `tool` in the file, from its first attribute or keyword to the end of its result."""
        return tool.item.extent.shifted(self._offsets[tool])
