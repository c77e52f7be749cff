"""Types and declarations written out again on one line, as messages and hovers show them."""

from __future__ import annotations

from flow_lsp.source.model import (
    ConstructorSyntax,
    EnumSyntax,
    FunctionType,
    HostSyntax,
    Item,
    NamedType,
    NameSyntax,
    RecordSyntax,
    ToolSyntax,
    TypeSyntax,
)


def type_text(syntax: TypeSyntax) -> str:
    """`syntax` as Flow text."""
    match syntax:
        case NamedType():
            inner = ", ".join(map(type_text, syntax.arguments or ()))
            return f"{syntax.spelling}<{inner}>" if inner else syntax.spelling
        case FunctionType():
            return f"fn({', '.join(map(type_text, syntax.params))}) -> {type_text(syntax.result)}"
        case _:
            return f"({', '.join(map(type_text, syntax.items))})"


def declaration_text(item: Item) -> str:
    """The declaration of `item` as Flow text, without its doc comments; empty where it did not parse."""
    name = item.name or ""
    match item.syntax:
        case ToolSyntax(generic, params, result):
            given = ", ".join(f"{param.name}: {type_text(param.type)}" for param in params)
            gives = f" -> {type_text(result)}" if result is not None else ""
            return f"@tool fn {name}{_generic(generic)}({given}){gives}"
        case RecordSyntax(generic, fields, opaque):
            lines = [f"  {field.name}: {type_text(field.type)}" for field in fields]
            return _block(f"{'opaque ' if opaque else ''}record {name}{_generic(generic)}", lines)
        case EnumSyntax(generic, constructors, opaque):
            lines = [f"  {_constructor(constructor)}" for constructor in constructors]
            return _block(f"{'opaque ' if opaque else ''}enum {name}{_generic(generic)}", lines)
        case HostSyntax(generic):
            return f"host {name}{_generic(generic)}"
        case _:
            return ""


def _generic(generic: tuple[NameSyntax, ...]) -> str:
    return f"<{', '.join(parameter.name for parameter in generic)}>" if generic else ""


def _block(head: str, lines: list[str]) -> str:
    return "\n".join([head + " {", *lines, "}"]) if lines else head + " {}"


def _constructor(constructor: ConstructorSyntax) -> str:
    if constructor.positional is not None:
        return f"{constructor.name}({', '.join(map(type_text, constructor.positional))})"
    if constructor.named is not None:
        inner = ", ".join(f"{part.name}: {type_text(part.type)}" for part in constructor.named)
        return f"{constructor.name} {{ {inner} }}"
    return constructor.name
