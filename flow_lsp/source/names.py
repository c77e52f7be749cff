"""Every name in an item, where it stands and what it is there for: what navigation and renaming go by."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum

from flow_lsp.source.lexemes import lexemes
from flow_lsp.source.model import (
    EnumSyntax,
    FieldSyntax,
    FunctionType,
    ImportSyntax,
    Item,
    ItemKind,
    NamedType,
    RecordSyntax,
    ToolSyntax,
    TypeSyntax,
)
from flow_lsp.text.spans import Span


class NameRole(StrEnum):
    """What a name is at its place."""

    TOOL = "tool"  # where it is declared, like the next five
    TYPE = "type"
    TYPE_PARAMETER = "type-parameter"
    CONSTRUCTOR = "constructor"
    FIELD = "field"  # of a record, or a named part of a payload
    PARAMETER = "parameter"
    BINDING = "binding"  # what an import binds to a file
    IMPORTED = "imported"  # a name that an import takes from a file
    PATH = "path"  # all of an import's path
    QUALIFIER = "qualifier"  # `module` of `module.Name`
    USED = "used"  # a type's name in a type


@dataclass(frozen=True, slots=True)
class NameAt:
    """A name in an item. `span` counts from the item's start, and is of what is written, which may be another form
    of `name`, which is in NFC. `module` stands before a used name, `owner` is the index of a part's constructor, and
    `type` that of a field or parameter."""

    role: NameRole
    name: str
    span: Span
    module: str | None = None
    owner: int = -1
    type: TypeSyntax | None = None


def names_of(item: Item, text: str, start: int) -> Iterator[NameAt]:
    """The names of `item`, which starts at `start` of the file's `text`, as far as it was read. Those that its types
    use come last."""
    if item.name is not None:
        yield NameAt(NameRole.TOOL if item.kind is ItemKind.TOOL else NameRole.TYPE, item.name, item.name_span)
    syntax = item.syntax
    if isinstance(syntax, ImportSyntax):
        yield NameAt(NameRole.PATH, syntax.path, syntax.path_span)
        role = NameRole.BINDING if syntax.names is None else NameRole.IMPORTED
        for bound in syntax.bound:
            yield NameAt(role, bound.name, bound.span)
        return
    if syntax is None:
        return
    for parameter in syntax.generic:
        yield NameAt(NameRole.TYPE_PARAMETER, parameter.name, parameter.span)
    types: list[TypeSyntax] = []
    if isinstance(syntax, RecordSyntax):
        yield from _fields(NameRole.FIELD, syntax.fields, types)
    elif isinstance(syntax, ToolSyntax):
        yield from _fields(NameRole.PARAMETER, syntax.params, types)
        if syntax.result is not None:
            types.append(syntax.result)
    elif isinstance(syntax, EnumSyntax):
        for index, constructor in enumerate(syntax.constructors):
            yield NameAt(NameRole.CONSTRUCTOR, constructor.name, constructor.span)
            types += constructor.positional or ()
            yield from _fields(NameRole.FIELD, constructor.named or (), types, index)
    for named in named_types(types):
        if named.module is not None:
            begin = named.span.start
            length = _written(text, start + begin, named.module)
            yield NameAt(NameRole.QUALIFIER, named.module, Span(begin, begin + length))
        yield NameAt(NameRole.USED, named.name, named.name_span, named.module)


def _written(text: str, position: int, name: str) -> int:
    """The length of `name` as it is written at `position`, where another form of it may stand."""
    if text.startswith(name, position):
        return len(name)
    word = next(lexemes(text, position, len(text)))
    return word.end - word.start


def _fields(
    role: NameRole, fields: tuple[FieldSyntax, ...], types: list[TypeSyntax], owner: int = -1
) -> Iterator[NameAt]:
    for field in fields:
        yield NameAt(role, field.name, field.span, owner=owner, type=field.type)
        types.append(field.type)


def named_types(types: list[TypeSyntax]) -> Iterator[NamedType]:
    """All names in `types`, arguments included. Takes the list to pieces."""
    while types:
        syntax = types.pop()
        if isinstance(syntax, NamedType):
            yield syntax
            types += syntax.arguments or ()
        elif isinstance(syntax, FunctionType):
            types += (*syntax.params, syntax.result)
        else:
            types += syntax.items
