"""What a file declares, as an outline."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum

from flow_lsp.analysis.navigation.places import constructor_extent, extent_of
from flow_lsp.source.model import EnumSyntax, FieldSyntax, Item, ItemKind, RecordSyntax, SourceFile, ToolSyntax
from flow_lsp.source.spelling import type_text
from flow_lsp.text.spans import Span

LONGEST_DETAIL = 200


class OutlineKind(StrEnum):
    """What is declared."""

    RECORD = "record"
    ENUM = "enum"
    HOST = "host"
    TOOL = "tool"
    CONSTRUCTOR = "constructor"
    FIELD = "field"
    TABLE = "table"  # of flow.toml
    ENTRY = "entry"  # of such a table


KINDS = {
    ItemKind.RECORD: OutlineKind.RECORD,
    ItemKind.ENUM: OutlineKind.ENUM,
    ItemKind.HOST: OutlineKind.HOST,
    ItemKind.TOOL: OutlineKind.TOOL,
}


@dataclass(frozen=True, slots=True)
class Outlined:
    """One declaration: all of it, its name, and what it holds."""

    kind: OutlineKind
    name: str
    detail: str
    span: Span
    name_span: Span
    children: Sequence[Outlined] = ()


def outline(source: SourceFile) -> list[Outlined]:
    """The types and Tools of the file, in its order, also those that do not parse and have a name."""
    found = []
    for index, item in enumerate(source.items):
        kind = KINDS.get(item.kind)
        if kind is not None and item.name is not None:
            start = source.starts[index]
            name = item.name_span.shifted(start)
            extent = extent_of(source, index)
            span = Span(min(extent.start, name.start), max(extent.end, name.end))
            found.append(Outlined(kind, item.name, _detail(item), span, name, tuple(_members(source, index))))
    return found


def _detail(item: Item) -> str:
    """A Tool's signature, or the type parameters."""
    syntax = item.syntax
    generic = ", ".join(parameter.name for parameter in getattr(syntax, "generic", ()))
    text = f"<{generic}>" if generic else ""
    if isinstance(syntax, ToolSyntax):
        params = ", ".join(f"{param.name}: {type_text(param.type)}" for param in syntax.params)
        text += f"({params})" + (f" -> {type_text(syntax.result)}" if syntax.result is not None else "")
    return text if len(text) <= LONGEST_DETAIL else text[: LONGEST_DETAIL - 1] + "…"


def _members(source: SourceFile, index: int) -> Iterator[Outlined]:
    syntax, start = source.items[index].syntax, source.starts[index]
    if isinstance(syntax, RecordSyntax):
        yield from _fields(syntax.fields, start)
    if isinstance(syntax, EnumSyntax):
        for constructor in syntax.constructors:
            parts = constructor.positional or ()
            detail = f"({', '.join(map(type_text, parts))})" if parts else ""
            children = tuple(_fields(constructor.named or (), start))
            span, name = constructor_extent(source, index, constructor), constructor.span.shifted(start)
            yield Outlined(OutlineKind.CONSTRUCTOR, constructor.name, detail, span, name, children)


def _fields(fields: Sequence[FieldSyntax], start: int) -> Iterator[Outlined]:
    for field in fields:
        span = Span(field.span.start, max(field.span.end, field.type.span.end))
        yield Outlined(
            OutlineKind.FIELD, field.name, type_text(field.type), span.shifted(start), field.span.shifted(start)
        )
