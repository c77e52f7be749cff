"""Where the thing at a place is declared, where its type is, and where all it is named in one file."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from enum import IntEnum

from flow_lsp.analysis.navigation.symbols import LOCAL, FileSymbols, Found, Symbol, SymbolKind
from flow_lsp.source.declarations import CheckedFile
from flow_lsp.source.lexemes import Lexeme, lexemes, word_spans
from flow_lsp.source.model import ConstructorSyntax, EnumSyntax, ImportSyntax, SourceFile, ToolSyntax
from flow_lsp.source.names import NameRole
from flow_lsp.source.tokens import COLON, read_name
from flow_lsp.text.spans import Span

DECLARING = frozenset(
    (NameRole.TOOL, NameRole.TYPE, NameRole.TYPE_PARAMETER, NameRole.CONSTRUCTOR, NameRole.FIELD, NameRole.PARAMETER)
)


@dataclass(frozen=True, slots=True)
class Place:
    """A declaration in the file at `path`: where its name is, and the whole of it."""

    path: str
    name: Span
    extent: Span


@dataclass(frozen=True, slots=True)
class Going:
    """From a name in the file that was asked about, to where it leads."""

    origin: Span
    places: tuple[Place, ...]


class Access(IntEnum):
    """What is done with a name at a place; the values are the LSP's DocumentHighlightKind."""

    UNREAD = 1  # a word in a part of the file that is not read here, such as a function's body
    USED = 2
    DECLARED = 3


@dataclass(frozen=True, slots=True)
class Occurrence:
    """One place at which a symbol is named, as it is written there."""

    span: Span
    access: Access
    role: NameRole | None = None  # None for what is unread
    index: int = -1  # of the item


def definition_at(checked: CheckedFile, offset: int) -> Going | None:
    """What the name at `offset` of the file refers to; None where there is no name, or none that is known."""
    symbols = FileSymbols(checked)
    found = symbols.at(offset)
    if found is None or found.symbol is None:
        return None
    place = declaration_of(symbols, found.symbol)
    return None if place is None else Going(found.span, (place,))


def type_definition_at(checked: CheckedFile, offset: int) -> Going | None:
    """The declared types of what stands at `offset`: of a field or parameter those of its type, of a Tool those of its
    result, of a constructor its enum, of a type itself."""
    symbols = FileSymbols(checked)
    found = symbols.at(offset)
    if found is None:
        return None
    places = tuple(
        place for symbol in _types_of(symbols, found) if (place := declaration_of(symbols, symbol)) is not None
    )
    return Going(found.span, places) if places else None


def _types_of(symbols: FileSymbols, found: Found) -> dict[Symbol, None]:
    """The types that count for what was found, each once and in order."""
    syntax = symbols.source.items[found.index].syntax
    role = found.at.role
    if found.at.type is not None:
        return dict.fromkeys(symbols.types_in(found.index, found.at.type))
    if role is NameRole.TOOL and isinstance(syntax, ToolSyntax) and syntax.result is not None:
        return dict.fromkeys(symbols.types_in(found.index, syntax.result))
    if role is NameRole.CONSTRUCTOR and isinstance(syntax, EnumSyntax):
        name = symbols.source.items[found.index].name or ""
        return {Symbol(SymbolKind.TYPE, name, symbols.checked.path, found.index): None}
    kinds = (SymbolKind.TYPE, SymbolKind.TYPE_PARAMETER)
    return {found.symbol: None} if found.symbol is not None and found.symbol.kind in kinds else {}


def declaration_of(symbols: FileSymbols, symbol: Symbol) -> Place | None:
    """Where `symbol`, met in the file of `symbols`, is declared; the beginning of the file for one that is a file."""
    if symbol.kind is SymbolKind.BUILT_IN:
        return None
    if symbol.kind is SymbolKind.FILE:
        return Place(symbol.path, Span(0, 0), Span(0, 0))
    if symbol.kind is SymbolKind.MODULE:
        found = symbols.import_of(symbol.index)
        known = found is not None and found.path is not None and found.offers is not None
        return Place(found.path or "", Span(0, 0), Span(0, 0)) if known and found is not None else None
    if symbol.kind in LOCAL:
        for name in symbols.names_in(symbol.index):
            if name.symbol == symbol:
                return Place(symbol.path, name.span, name.span)
        return None
    source = symbols.checked.look.source(symbol.path)
    if source is None:
        return None
    item, start = source.items[symbol.index], source.starts[symbol.index]
    return Place(symbol.path, item.name_span.shifted(start), extent_of(source, symbol.index))


def extent_of(source: SourceFile, index: int) -> Span:
    """All of the item at `index` that was read, from its first doc comment on."""
    item, start = source.items[index], source.starts[index]
    first = item.extent.start
    for lexeme in lexemes(source.text, start, start + first):
        if lexeme.kind == "comment" and source.text.startswith("///", lexeme.start):
            return Span(lexeme.start, start + item.extent.end)
    return item.extent.shifted(start)


def constructor_extent(source: SourceFile, index: int, constructor: ConstructorSyntax) -> Span:
    """All of a constructor of the item at `index`, to the end of its payload."""
    start = source.starts[index]
    name = constructor.span.shifted(start)
    if constructor.positional is None and constructor.named is None:
        return name
    depth = 0
    for lexeme in lexemes(source.text, name.end, source.starts[index + 1]):
        depth += (lexeme.kind == "open") - (lexeme.kind == "close")
        if lexeme.kind == "close" and depth == 0:
            return Span(name.start, lexeme.end)
    return name


# -- where all it is named ------------------------------------------------------------------------------


def occurrences(symbols: FileSymbols, symbol: Symbol) -> list[Occurrence]:
    """Every place of the file at which `symbol` is named, in order. Linear in the file; a file in which the name does
    not stand is passed by quickly."""
    if symbol.kind is SymbolKind.FILE:
        return [
            Occurrence(found.syntax.path_span.shifted(symbols.source.starts[found.index]), Access.USED, NameRole.PATH)
            for found in symbols.checked.file.imports
            if found.path == symbol.path
        ]
    if symbol.kind in LOCAL:
        if symbol.path != symbols.checked.path:
            return []
        here = (_occurrence(found) for found in symbols.names_in(symbol.index) if found.symbol == symbol)
        return sorted(here, key=lambda one: one.span)
    places: dict[int, list[Span]] = {}
    for span in word_spans(symbols.source.text, symbol.name.rpartition(".")[2]):
        places.setdefault(symbols.source.item_at(span.start), []).append(span)
    found: list[Occurrence] = []
    for index, spans in places.items():
        found += _in_item(symbols, symbol, index, spans)
    return found


def _in_item(symbols: FileSymbols, symbol: Symbol, index: int, spans: list[Span]) -> Iterator[Occurrence]:
    named = symbols.names_in(index, spans)
    read = {found.span: found for found in named if found.at.role is not NameRole.PATH}
    left = set(spans) - read.keys()
    unread = unread_mentions(symbols, symbol, index, left) if left else set()
    for span in spans:
        if span in read:
            if read[span].symbol == symbol:
                yield _occurrence(read[span])
        elif span in unread:
            yield Occurrence(span, Access.UNREAD, None, index)


def _occurrence(found: Found) -> Occurrence:
    access = Access.DECLARED if found.at.role in DECLARING | {NameRole.BINDING} else Access.USED
    return Occurrence(found.span, access, found.at.role, found.index)


def unread_mentions(symbols: FileSymbols, symbol: Symbol, index: int, spans: set[Span]) -> set[Span]:
    """Which of `spans`, words of the item at `index` that are no names it was read to hold, may mean `symbol`: those in
    code, not before a colon, and behind a dot only where an import's name stands before it."""
    if symbol.kind is SymbolKind.MODULE:
        bare = symbols.module(symbol.name) == symbol
    else:
        bare = symbols.bare(symbol.name, is_type=False) == symbol
    found: set[Span] = set()
    for span, owner in unread_words(symbols, index, spans):
        if bare if owner is None else symbols.in_module(owner, symbol.name) == symbol:
            found.add(span)
    return found


def unread_words(symbols: FileSymbols, index: int, spans: set[Span]) -> Iterator[tuple[Span, str | None]]:
    """Which of `spans` are words of code in the item at `index`, and what stands before each and a dot, if one does.
    Not those before a colon, which name members, nor any in an import, all of which is read."""
    item = symbols.source.items[index]
    if isinstance(item.syntax, ImportSyntax):
        return
    text, start = symbols.source.text, symbols.source.starts[index]
    before: list[Lexeme] = []
    for lexeme in lexemes(text, start, start + item.size):
        span = Span(lexeme.start, lexeme.end)
        if lexeme.kind == "word" and span in spans and not COLON.match(text, lexeme.end):
            last = before[-1] if before else None
            if last is not None and last.kind == "dot" and not text[last.end : lexeme.start].strip():
                owner = _word(text, before[-2]) if len(before) > 1 else None
                yield span, owner or ""
            elif last is None or last.kind != "at":
                yield span, None
        before = [*before[-1:], lexeme]


def _word(text: str, lexeme: Lexeme) -> str | None:
    return read_name(text[lexeme.start : lexeme.end]) if lexeme.kind == "word" else None
