"""Reads one type (decisions 8). Inside `<…>` and `(…)` only commas separate; lines end nothing there."""

from __future__ import annotations

from flow_lsp.findings import source_rules as rules
from flow_lsp.source.cursor import Cursor, Refusal, quoted
from flow_lsp.source.model import FunctionType, NamedType, NameSyntax, TupleType, TypeSyntax
from flow_lsp.text.spans import Span

NESTING_LIMIT = 128


def read_type(cursor: Cursor, what: str, depth: int = 0) -> TypeSyntax:
    """The type at the cursor, which stands behind it afterwards. `what` names it where it is missing."""
    start = cursor.start
    if depth > NESTING_LIMIT:
        raise Refusal(rules.NESTING.at(cursor.span(), limit=NESTING_LIMIT))
    if cursor.kind == "name":
        return _read_named(cursor, depth)
    if cursor.kind == "(":
        items = _read_parts(cursor, ")", "a type", depth)
        if len(items) == 1:
            return items[0]  # brackets that only group
        return TupleType(cursor.span_from(start), items)
    if cursor.kind == "keyword" and cursor.spelling == "fn":
        cursor.advance()
        if cursor.kind != "(":
            raise cursor.expected("`(` after `fn` in a function's type")
        params = _read_parts(cursor, ")", "a parameter's type", depth)
        if cursor.kind != "->":
            raise cursor.expected("`->` and a type: what the function gives")
        cursor.advance()
        if depth:
            cursor.skip_lines()
        result = read_type(cursor, "the type that the function gives", depth + 1)
        return FunctionType(cursor.span_from(start), params, result)
    raise cursor.expected(what)


def _read_named(cursor: Cursor, depth: int) -> NamedType:
    start = cursor.start
    module: str | None = None
    name, name_span = cursor.name(), cursor.span()
    cursor.advance()
    if cursor.kind == ".":
        cursor.advance()
        if cursor.kind not in ("name", "keyword"):
            raise cursor.expected(f"a type's name after `{quoted(name)}.`")
        module, name, name_span = name, cursor.name(), cursor.span()
        cursor.advance()
    arguments: tuple[TypeSyntax, ...] | None = None
    if cursor.kind == "<":
        arguments = _read_parts(cursor, ">", "a type argument", depth)
        if not arguments:
            raise Refusal(
                cursor.problem("Expected a type between `<` and `>`.", cursor.previous_start, cursor.previous_end)
            )
    cursor.mentions.add(name if module is None else f"{module}.{name}")
    span = name_span if start == cursor.previous_start else cursor.span_from(start)
    return NamedType(span, module, name, name_span, arguments)


def _read_parts(cursor: Cursor, close: str, what: str, depth: int) -> tuple[TypeSyntax, ...]:
    """Types separated by commas, up to and with `close`; the cursor stands on the opening mark."""
    opening = Span(cursor.start, cursor.end)
    mark = cursor.spelling
    cursor.advance()
    cursor.skip_lines()
    parts: list[TypeSyntax] = []
    while cursor.kind != close:
        if cursor.kind == "end":
            raise Refusal(cursor.problem(f"This `{mark}` has no `{close}`.", *opening))
        parts.append(read_type(cursor, what, depth + 1))
        cursor.skip_lines()
        if cursor.kind == ",":
            cursor.advance()
            cursor.skip_lines()
        elif cursor.kind != close:
            if cursor.kind == "end":
                raise Refusal(cursor.problem(f"This `{mark}` has no `{close}`.", *opening))
            raise cursor.expected(f"`,` or `{close}`")
    cursor.advance()
    return tuple(parts)


def read_type_parameters(cursor: Cursor) -> tuple[NameSyntax, ...]:
    """`<T, U>` behind a declaration's name; none where no `<` stands."""
    if cursor.kind != "<":
        return ()
    opening = Span(cursor.start, cursor.end)
    cursor.advance()
    cursor.skip_lines()
    found: list[NameSyntax] = []
    while cursor.kind != ">":
        if cursor.kind == "end":
            raise Refusal(cursor.problem("This `<` has no `>`.", *opening))
        if cursor.kind != "name":
            raise cursor.expected("the name of a type parameter")
        found.append(NameSyntax(cursor.name(), cursor.span()))
        cursor.advance()
        cursor.skip_lines()
        if cursor.kind == ",":
            cursor.advance()
            cursor.skip_lines()
        elif cursor.kind != ">":
            raise cursor.expected("`,` or `>` after a type parameter")
    if not found:
        raise cursor.expected("the name of a type parameter")
    cursor.advance()
    return tuple(found)
