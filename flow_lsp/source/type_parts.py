"""The types in a declaration, each with all that stand in it."""

from __future__ import annotations

from collections.abc import Iterator

from flow_lsp.source.model import (
    EnumSyntax,
    FunctionType,
    HostSyntax,
    ImportSyntax,
    Item,
    NamedType,
    RecordSyntax,
    ToolSyntax,
    TypeSyntax,
)


def member_types(item: Item) -> list[TypeSyntax]:
    """The types of the item's fields, parts and parameters, and its result, in source order."""
    syntax = item.syntax
    if syntax is None or isinstance(syntax, ImportSyntax | HostSyntax):
        return []
    if isinstance(syntax, RecordSyntax):
        return [field.type for field in syntax.fields]
    if isinstance(syntax, ToolSyntax):
        found = [param.type for param in syntax.params]
        return [*found, syntax.result] if syntax.result is not None else found
    assert isinstance(syntax, EnumSyntax)
    found = []
    for constructor in syntax.constructors:
        found += constructor.positional or ()
        found += [part.type for part in constructor.named or ()]
    return found


def inner_types(syntax: TypeSyntax) -> Iterator[TypeSyntax]:
    """`syntax` and all types in it, the outer before the inner, in source order."""
    ahead = [syntax]
    while ahead:
        current = ahead.pop()
        yield current
        if isinstance(current, NamedType):
            ahead += reversed(current.arguments or ())
        elif isinstance(current, FunctionType):
            ahead += reversed((*current.params, current.result))
        else:
            ahead += reversed(current.items)


def all_types(item: Item) -> Iterator[TypeSyntax]:
    """Every type in the item, in source order."""
    for member in member_types(item):
        yield from inner_types(member)


def named_types(item: Item) -> Iterator[NamedType]:
    """Every name of a type in the item, in source order."""
    return (found for found in all_types(item) if isinstance(found, NamedType))
