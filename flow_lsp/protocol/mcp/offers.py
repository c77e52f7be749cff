"""Which declarations a server's tools answer: the listing that the adapter answers describe with, and advice.

Realizes "Adapters" and decisions 11: the MCP tool of a declaration has the declaration's bare name; what the server
has no tool for is unbound, and so is a generic declaration, whose calls need views that MCP has no place for. The
listing is made from the declarations, so that every fingerprint is the declaration's own.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Final

from flow_lsp.findings.model import shown
from flow_lsp.protocol.mcp.compared import Advice, compared
from flow_lsp.protocol.mcp.tools import McpTool
from flow_lsp.protocol.outcome import DescribeListing, ServedTool
from flow_lsp.signature.signature import Signature, SignatureProblem, signature_of
from flow_lsp.text.distance import nearest_name
from flow_lsp.types.terms import TypeSpec
from flow_lsp.values.data_version import DATA_VERSION

NAMES_COMPARED: Final = 300  # of a server's tools, in the search for a name that may have been meant
NAMES_SOUGHT: Final = 50  # declarations for which that search is made


@dataclass(frozen=True, slots=True)
class Declaration:
    """A declaration that an MCP server is to answer. `signature` may hold what is known of it already."""

    name: str
    identity: str
    spec: TypeSpec
    signature: Signature | None = field(default=None, compare=False)


class UnboundKind(StrEnum):
    """Why no MCP tool answers a declaration."""

    GENERIC = "generic"
    NOT_OFFERED = "not-offered"
    NO_SIGNATURE = "no-signature"


@dataclass(frozen=True, slots=True)
class UnboundTool:
    """A declaration that is unbound, and why, as a sentence. `nearest` is the MCP tool that may have been meant."""

    identity: str
    kind: UnboundKind
    sentence: str
    nearest: str | None = None


@dataclass(frozen=True)
class Offers:
    """What a server's tools come to. `listing` has the declarations that are answered, in the order given; `unbound`
    the others; `advice` what is to be said of each that is answered, by its identity, where there is anything."""

    listing: DescribeListing
    unbound: tuple[UnboundTool, ...]
    advice: Mapping[str, tuple[Advice, ...]]


class OfferedTools:
    """A server's tools by name; of two of one name the first counts."""

    def __init__(self, tools: Sequence[McpTool]) -> None:
        by_name: dict[str, McpTool] = {}
        for tool in tools:
            by_name.setdefault(tool.name, tool)
        self.by_name: Mapping[str, McpTool] = by_name
        self._folded: dict[str, str] = {}
        for name in by_name:
            self._folded.setdefault(_folded(name), name)

    def same_letters(self, name: str) -> str | None:
        """The tool whose name differs from `name` in case and punctuation alone."""
        return self._folded.get(_folded(name) or name)

    def nearest(self, name: str) -> str | None:
        """The tool that may have been meant by `name`, which no tool has."""
        return self.same_letters(name) or nearest_name(name, list(self.by_name)[:NAMES_COMPARED])


def offers(declarations: Sequence[Declaration], tools: Sequence[McpTool]) -> Offers:
    """What a server that lists `tools` answers of `declarations`. Never raises."""
    offered = OfferedTools(tools)
    served: list[ServedTool] = []
    unbound: list[UnboundTool] = []
    advice: dict[str, tuple[Advice, ...]] = {}
    sought = 0
    for declaration in declarations:
        found = offered.by_name.get(declaration.name)
        if declaration.spec.generic:
            unbound.append(_generic(declaration))
            continue
        if found is None:
            near = offered.same_letters(declaration.name)
            if near is None and sought < NAMES_SOUGHT:
                sought += 1
                near = offered.nearest(declaration.name)
            unbound.append(_not_offered(declaration, near, bool(offered.by_name)))
            continue
        signature = declaration.signature or signature_of(declaration.spec)
        if isinstance(signature, SignatureProblem):
            unbound.append(UnboundTool(declaration.identity, UnboundKind.NO_SIGNATURE, signature.sentence))
            continue
        served.append(ServedTool(declaration.identity, signature.fingerprint, signature.served, signature.fingerprint))
        said = compared(signature.served, found)
        if said:
            advice[declaration.identity] = said
    return Offers(DescribeListing(DATA_VERSION, tuple(served)), tuple(unbound), advice)


def _generic(declaration: Declaration) -> UnboundTool:
    return UnboundTool(
        declaration.identity,
        UnboundKind.GENERIC,
        f"`{shown(declaration.name)}` is generic, and MCP has no place for the types of a generic call. Declare it "
        "for one type, or answer it by a command.",
    )


def _not_offered(declaration: Declaration, near: str | None, any_tools: bool) -> UnboundTool:
    name = shown(declaration.name)
    if near is not None:
        hint = f" The server has `{shown(near)}`, and an MCP tool is found by the declaration's own name."
    else:
        hint = "" if any_tools else " It offers no tools at all."
    sentence = f"The MCP server offers no tool `{name}`.{hint}"
    return UnboundTool(declaration.identity, UnboundKind.NOT_OFFERED, sentence, near)


def _folded(name: str) -> str:
    """`name` without what names are spelt with differently: case, `-`, `_`, `.` and the like."""
    return "".join(letter for letter in name.casefold() if letter.isalnum())
