"""What is read from one `.flow` file, before any name is resolved (decisions 8).

A file is cut into items, each from its first doc comment or word up to the next one's. Every span inside an
item counts from the item's start, so that an edit does not touch the items that follow it.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property
from itertools import accumulate
from operator import attrgetter
from typing import TypeAlias

from flow_lsp.findings.model import Finding
from flow_lsp.text.spans import Span

NOWHERE = Span(0, 0)


@dataclass(frozen=True, slots=True)
class NamedType:
    """`Text`, `List<T>`, `module.Name<A, B>`. `arguments` is None where no `<` stands."""

    span: Span
    module: str | None
    name: str
    name_span: Span
    arguments: tuple[TypeSyntax, ...] | None = None

    @property
    def spelling(self) -> str:
        """The name as it is looked up: with its module, where one stands."""
        return self.name if self.module is None else f"{self.module}.{self.name}"

    @property
    def span_of_name(self) -> Span:
        """The name with its module, without arguments."""
        return Span(self.span.start, self.name_span.end)


@dataclass(frozen=True, slots=True)
class TupleType:
    """`(A, B)`, or `()` for Unit."""

    span: Span
    items: tuple[TypeSyntax, ...]


@dataclass(frozen=True, slots=True)
class FunctionType:
    """`fn(A, B) -> C`."""

    span: Span
    params: tuple[TypeSyntax, ...]
    result: TypeSyntax


TypeSyntax: TypeAlias = NamedType | TupleType | FunctionType


@dataclass(frozen=True, slots=True)
class NameSyntax:
    """A name where it is declared: a type parameter, or a name that an import binds."""

    name: str
    span: Span


@dataclass(frozen=True, slots=True)
class FieldSyntax:
    """A record's field, a named part of a payload, or a Tool's parameter."""

    name: str
    span: Span
    type: TypeSyntax
    doc: str | None = None


@dataclass(frozen=True, slots=True)
class ConstructorSyntax:
    """An enum's constructor. At most one of `positional` and `named` is set."""

    name: str
    span: Span
    doc: str | None = None
    positional: tuple[TypeSyntax, ...] | None = None
    named: tuple[FieldSyntax, ...] | None = None


@dataclass(frozen=True, slots=True)
class RecordSyntax:
    generic: tuple[NameSyntax, ...]
    fields: tuple[FieldSyntax, ...]
    opaque: bool = False


@dataclass(frozen=True, slots=True)
class EnumSyntax:
    generic: tuple[NameSyntax, ...]
    constructors: tuple[ConstructorSyntax, ...]
    opaque: bool = False


@dataclass(frozen=True, slots=True)
class HostSyntax:
    generic: tuple[NameSyntax, ...] = ()


@dataclass(frozen=True, slots=True)
class ToolSyntax:
    """A `@tool` function. `result` is None where no `->` stands; `body` is where its body opens."""

    generic: tuple[NameSyntax, ...]
    params: tuple[FieldSyntax, ...]
    result: TypeSyntax | None
    body: Span | None = None


@dataclass(frozen=True, slots=True)
class ImportSyntax:
    """An import. `above` is None for a repository's file, else how many directories up its path starts.

    `names` is None where the file itself is bound, as `binding`; else the names taken from it.
    """

    path: str
    path_span: Span
    above: int | None
    segments: tuple[str, ...]
    binding: NameSyntax | None
    names: tuple[NameSyntax, ...] | None = None

    @property
    def bound(self) -> tuple[NameSyntax, ...]:
        """All the names that it binds."""
        if self.names is not None:
            return self.names
        return () if self.binding is None else (self.binding,)


TypeDeclarationSyntax: TypeAlias = RecordSyntax | EnumSyntax | HostSyntax
ItemSyntax: TypeAlias = TypeDeclarationSyntax | ToolSyntax | ImportSyntax


class ItemKind(StrEnum):
    """What an item is. Other items are not owned: nothing is said of them, but of a misspelt keyword."""

    RECORD = "record"
    ENUM = "enum"
    HOST = "host"
    TOOL = "tool"
    IMPORT = "import"
    OTHER = "other"


TYPE_KINDS = frozenset((ItemKind.RECORD, ItemKind.ENUM, ItemKind.HOST))


@dataclass(frozen=True, slots=True)
class Item:
    """One piece of a file. `syntax` is None where it did not parse, or is not owned.

    `size` is how many code points it has, up to the next item. `extent` runs from its first attribute or
    keyword to the end of what was parsed. `name` may be known although the item did not parse. `mentions`
    are the names its types use; of an import that did not parse, the names it may have meant to bind.
    """

    kind: ItemKind
    size: int
    extent: Span
    name: str | None = None
    name_span: Span = NOWHERE
    doc: str | None = None
    syntax: ItemSyntax | None = None
    mentions: frozenset[str] = frozenset()
    findings: tuple[Finding, ...] = ()
    attribute: Span | None = None


@dataclass(frozen=True, eq=False)
class SourceFile:
    """A file as read. `lead` is the length of what stands before the first item: a byte order mark, or
    nothing."""

    text: str
    items: tuple[Item, ...]
    lead: int = 0

    @cached_property
    def starts(self) -> Sequence[int]:
        """Where each item starts, and the end of the text."""
        return list(accumulate(map(attrgetter("size"), self.items), initial=self.lead))

    def item_at(self, offset: int) -> int:
        """The index of the item that `offset` stands in; -1 where there is none."""
        return min(bisect_right(self.starts, max(offset, self.lead)) - 1, len(self.items) - 1)

    @property
    def findings(self) -> tuple[Finding, ...]:
        """What does not parse, with spans in the file."""
        return tuple(
            finding.shifted(start)
            for item, start in zip(self.items, self.starts, strict=False)
            for finding in item.findings
        )

    @cached_property
    def declared(self) -> dict[str, int]:
        """The types that are declared, or begun, here: each name's first item (decisions 6)."""
        found: dict[str, int] = {}
        for index, item in enumerate(self.items):
            if item.name is not None and item.kind in TYPE_KINDS:
                found.setdefault(item.name, index)
        return found

    def declares_as(self, other: SourceFile) -> None:
        """Takes over what `other` knows of the types it declares, all in the same places as here."""
        if "declared" in other.__dict__:
            self.__dict__["declared"] = other.__dict__["declared"]
