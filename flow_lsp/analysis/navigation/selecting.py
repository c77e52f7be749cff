"""What a selection grows to: the token, its type, the member, what stands in brackets, the declaration, the file."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from flow_lsp.analysis.navigation.places import constructor_extent, extent_of
from flow_lsp.source.lexemes import Lexeme, lexemes
from flow_lsp.source.model import (
    EnumSyntax,
    FieldSyntax,
    FunctionType,
    ImportSyntax,
    ItemSyntax,
    NamedType,
    RecordSyntax,
    SourceFile,
    ToolSyntax,
    TypeSyntax,
)
from flow_lsp.text.spans import Span


def selections(source: SourceFile, offset: int) -> list[Span]:
    """From the smallest to the whole file, each inside the next, and all touched by `offset`. Looks at one item."""
    whole = Span(0, len(source.text))
    index = source.item_at(offset)
    found: list[Span] = []
    if index >= 0:
        item, start = source.items[index], source.starts[index]
        if item.syntax is not None:
            found += (span.shifted(start) for span in _in_syntax(item.syntax, offset - start))
            if isinstance(item.syntax, EnumSyntax):
                found += (constructor_extent(source, index, one) for one in item.syntax.constructors)
        found += _in_text(source.text, start, source.starts[index + 1], offset)
        found += (item.extent.shifted(start), extent_of(source, index))
    kept: list[Span] = []
    for span in sorted(found, key=lambda span: span.end - span.start):
        if span.holds(offset) and span.start < span.end and (not kept or _wider(span, kept[-1])):
            kept.append(span)
    if not kept or _wider(whole, kept[-1]):
        kept.append(whole)
    return kept


def _wider(span: Span, other: Span) -> bool:
    return span != other and span.start <= other.start and other.end <= span.end


def _in_text(text: str, start: int, end: int, offset: int) -> Iterator[Span]:
    """The tokens at the place, and the brackets around it: what they hold, and with them."""
    opened: list[Lexeme] = []
    for lexeme in lexemes(text, start, end):
        if lexeme.kind == "open":
            opened.append(lexeme)
        elif lexeme.kind == "close" and opened:
            begin = opened.pop()
            if begin.start <= offset <= lexeme.end:
                inner = text[begin.end : lexeme.start]
                first = begin.end + len(inner) - len(inner.lstrip())
                yield Span(first, max(first, begin.end + len(inner.rstrip())))
                yield Span(begin.start, lexeme.end)
        elif lexeme.start <= offset <= lexeme.end:
            yield Span(lexeme.start, lexeme.end)


def _in_syntax(syntax: ItemSyntax, offset: int) -> Iterator[Span]:
    if isinstance(syntax, ImportSyntax):
        yield syntax.path_span
        return
    if isinstance(syntax, RecordSyntax):
        yield from _in_fields(syntax.fields, offset)
    elif isinstance(syntax, ToolSyntax):
        yield from _in_fields(syntax.params, offset)
        if syntax.result is not None:
            yield from _in_type(syntax.result, offset)
    elif isinstance(syntax, EnumSyntax):
        for constructor in syntax.constructors:
            for part in constructor.positional or ():
                yield from _in_type(part, offset)
            yield from _in_fields(constructor.named or (), offset)


def _in_fields(fields: Sequence[FieldSyntax], offset: int) -> Iterator[Span]:
    for field in fields:
        yield Span(field.span.start, field.type.span.end)
        yield from _in_type(field.type, offset)


def _in_type(syntax: TypeSyntax, offset: int) -> Iterator[Span]:
    """The types around the place, one in the other."""
    ahead = [syntax]
    while ahead:
        current = ahead.pop()
        if not current.span.holds(offset):
            continue
        yield current.span
        if isinstance(current, NamedType):
            yield current.span_of_name
            ahead += current.arguments or ()
        elif isinstance(current, FunctionType):
            ahead += (*current.params, current.result)
        else:
            ahead += current.items
