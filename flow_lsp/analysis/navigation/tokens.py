"""What each word of a `.flow` file is, for painting it.

A file's tokens are kept item by item. After an edit all items that are the same objects, and whose names still mean
the same kind of thing, have the same objects of tokens.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import NamedTuple

from flow_lsp.analysis.navigation.symbols import FileSymbols, Found, Symbol, SymbolKind
from flow_lsp.analysis.navigation.token_types import Modifier, TokenType
from flow_lsp.source.declarations import CheckedFile
from flow_lsp.source.lexemes import lexemes
from flow_lsp.source.model import ImportSyntax, Item, ItemKind
from flow_lsp.source.names import NameRole
from flow_lsp.source.scope import Scope
from flow_lsp.source.tokens import COLON, KEYWORDS, is_doc


class Token(NamedTuple):
    """A piece of text, counted from its item's start."""

    start: int
    end: int
    type: TokenType
    modifiers: Modifier = Modifier.NONE


Paint = tuple[TokenType, Modifier]
_UNKNOWN: Paint = TokenType.TYPE, Modifier.NONE


@dataclass(frozen=True, slots=True, eq=False)
class ItemTokens:
    """The tokens of one item, in order, none overlapping. `meanings` says how each name that its types use, spelt with
    its module, was painted."""

    item: Item
    tokens: tuple[Token, ...]
    meanings: Mapping[str, Paint]


@dataclass(frozen=True, eq=False)
class FileTokens:
    """The tokens of one file, item by item. `meanings` are those of all names that types use."""

    scope: Scope
    meanings: Mapping[str, Paint]
    items: tuple[ItemTokens, ...]


def file_tokens(checked: CheckedFile, previous: FileTokens | None = None) -> FileTokens:
    """The tokens of the file. `previous` are those of an earlier check of it, and change nothing but the time it takes
    and which objects are the same."""
    painter = _Painter(checked)
    earlier = {id(one.item): one for one in previous.items} if previous is not None else {}
    settled = previous is not None and previous.scope is checked.file.scope
    if previous is not None and settled:
        # What the file declares is as it was; only what it takes from others may be another kind of thing.
        own = checked.file.scope.own
        foreign = [name for name in previous.meanings if name not in own]
        settled = all(painter.meaning(name) == previous.meanings[name] for name in foreign)
        painter.meanings.update(previous.meanings if settled else {})
    items = tuple(
        painter.kept(index, earlier.get(id(item)), settled) for index, item in enumerate(checked.source.items)
    )
    return FileTokens(checked.file.scope, painter.meanings, items)


def tokens_between(checked: CheckedFile, start: int, end: int) -> Iterator[tuple[int, ItemTokens]]:
    """The tokens of the items that stand between the offsets, each with its index; only those are looked at."""
    painter = _Painter(checked)
    first, last = (max(checked.source.item_at(offset), 0) for offset in (start, end))
    for index in range(first, min(last + 1, len(checked.source.items))):
        yield index, painter.kept(index, None, False)


def still_painted(checked: CheckedFile, items: Mapping[int, ItemTokens]) -> bool:
    """Whether all of these tokens, of items by their number in an earlier check of the same text, are as they were."""
    painter = _Painter(checked)
    return all(painter.kept(index, known, False) is known for index, known in items.items())


class _Painter:
    """Makes the tokens of one file."""

    def __init__(self, checked: CheckedFile) -> None:
        self._symbols = FileSymbols(checked)
        self._source = checked.source
        self.meanings: dict[str, Paint] = {}

    def meaning(self, spelling: str) -> Paint:
        """What `Name` or `module.Name` is painted as in a type, but for type parameters."""
        known = self.meanings.get(spelling)
        if known is None:
            module, dot, name = spelling.rpartition(".")
            symbol = self._symbols.in_module(module, name) if dot else self._symbols.bare(name)
            known = self.meanings[spelling] = self._paint(symbol)
        return known

    def _paint(self, symbol: Symbol | None) -> Paint:
        if symbol is None:
            return _UNKNOWN
        if symbol.kind is SymbolKind.BUILT_IN:
            return TokenType.TYPE, Modifier.DEFAULT_LIBRARY
        if symbol.kind is SymbolKind.TOOL:
            return TokenType.FUNCTION, Modifier.NONE
        source = self._symbols.checked.look.source(symbol.path)
        return _UNKNOWN if source is None else (_OF_ITEM[source.items[symbol.index].kind], Modifier.NONE)

    def kept(self, index: int, known: ItemTokens | None, settled: bool) -> ItemTokens:
        """The tokens of the item at `index`: those `known` of it where they hold. `settled`: names mean the same."""
        item = self._source.items[index]
        is_import = isinstance(item.syntax, ImportSyntax)  # what it takes is in no list of meanings
        if known is not None and not is_import and (settled or self._holds(known)):
            return known
        meanings: dict[str, Paint] = {}
        tokens = tuple(sorted(self._tokens(index, meanings)))
        if known is not None and known.tokens == tokens and known.meanings == meanings:
            return known
        return ItemTokens(item, tokens, meanings)

    def _holds(self, known: ItemTokens) -> bool:
        return all(self.meaning(name) == paint for name, paint in known.meanings.items())

    def _tokens(self, index: int, meanings: dict[str, Paint]) -> Iterator[Token]:
        names: dict[int, Token] = {}
        path_start = path_end = -1
        for found in self._symbols.names_in(index):
            start, end = found.at.span
            if found.at.role is NameRole.PATH:
                path_start, path_end = start, end
                continue
            names[start] = Token(start, end, *self._painted(found, meanings))
        if path_start >= 0:
            binding = next((start for start in names if path_start <= start < path_end), path_end)
            if path_start < binding:
                yield Token(path_start, binding, TokenType.NAMESPACE)
        begin, text = self._source.starts[index], self._source.text
        at = dot = -1  # where the last `@` and the last dot end
        for kind, absolute, absolute_end in lexemes(text, begin, self._source.starts[index + 1]):
            start, end = absolute - begin, absolute_end - begin
            if start in names:
                yield names[start]
            elif path_start <= start < path_end:
                continue
            elif kind == "at":
                at = end
            elif kind == "dot":
                dot = end
            elif kind == "string":
                yield Token(start, end, TokenType.STRING)
            elif kind in ("comment", "block"):
                documents = kind == "comment" and is_doc(text, absolute, absolute_end)
                yield Token(start, end, TokenType.COMMENT, Modifier.DOCUMENTATION if documents else Modifier.NONE)
            elif kind == "word" and at == start:
                yield Token(start - 1, end, TokenType.DECORATOR)
            elif kind == "word" and dot != start and _is_keyword(text, absolute, absolute_end):
                yield Token(start, end, TokenType.KEYWORD)

    def _painted(self, found: Found, meanings: dict[str, Paint]) -> Paint:
        role, at, symbol = found.at.role, found.at, found.symbol
        if role is NameRole.USED:
            if symbol is not None and symbol.kind is SymbolKind.TYPE_PARAMETER:
                return TokenType.TYPE_PARAMETER, Modifier.NONE
            spelling = at.name if at.module is None else f"{at.module}.{at.name}"
            paint = meanings[spelling] = self.meaning(spelling)
            return paint
        if role is NameRole.IMPORTED:
            return self._paint(symbol)
        if role is NameRole.QUALIFIER:
            return TokenType.NAMESPACE, Modifier.NONE
        if role is NameRole.TYPE:
            return _OF_ITEM[self._source.items[found.index].kind], Modifier.DECLARATION
        return _OF_ROLE[role], Modifier.DECLARATION


def _is_keyword(text: str, start: int, end: int) -> bool:
    return text[start:end] in KEYWORDS and not COLON.match(text, end)


_OF_ITEM = {
    ItemKind.RECORD: TokenType.STRUCT,
    ItemKind.ENUM: TokenType.ENUM,
    ItemKind.HOST: TokenType.TYPE,
    ItemKind.TOOL: TokenType.FUNCTION,
}
_OF_ROLE = {
    NameRole.TOOL: TokenType.FUNCTION,
    NameRole.TYPE_PARAMETER: TokenType.TYPE_PARAMETER,
    NameRole.CONSTRUCTOR: TokenType.ENUM_MEMBER,
    NameRole.FIELD: TokenType.PROPERTY,
    NameRole.PARAMETER: TokenType.PARAMETER,
    NameRole.BINDING: TokenType.NAMESPACE,
}
