"""What stands in the way of a new name, in one file: a name that is there already, or one that would be hidden, or
would hide it."""

from __future__ import annotations

from collections.abc import Iterator

from flow_lsp.analysis.navigation.places import unread_words
from flow_lsp.analysis.navigation.references import InFile
from flow_lsp.analysis.navigation.symbols import LOCAL, FileSymbols, Found, Symbol, SymbolKind, tool_index
from flow_lsp.findings.model import shown
from flow_lsp.source.lexemes import may_hold, word_spans
from flow_lsp.source.names import NameRole
from flow_lsp.source.targets import BUILT_IN, PRIMITIVES
from flow_lsp.text.spans import Span

_ROLES = {
    SymbolKind.CONSTRUCTOR: NameRole.CONSTRUCTOR,
    SymbolKind.FIELD: NameRole.FIELD,
    SymbolKind.PARAMETER: NameRole.PARAMETER,
    SymbolKind.TYPE_PARAMETER: NameRole.TYPE_PARAMETER,
}


def conflict(file: InFile, symbol: Symbol, new: str, file_text: str) -> str | None:
    """Why `symbol` cannot be called `new` as far as this file goes, or None. `file_text` names the file."""
    if symbol.kind is SymbolKind.TYPE_PARAMETER and new in PRIMITIVES:
        return f"`{shown(new)}` is a type of Flow's own, which no type parameter may be called."
    if not may_hold(file.symbols.source.text, new):  # most often it stands nowhere in the file
        return None
    where = f"`{shown(file_text)}`"
    if symbol.kind in LOCAL:
        return _in_item(file.symbols, symbol, new)
    if symbol.kind is SymbolKind.MODULE:
        return _of_module(file.symbols, new, where)
    symbols = file.symbols
    bare = symbol.path == file.key or any(one.role is NameRole.IMPORTED for one in file.places)
    if not bare:  # reached through what an import binds, where only the declaring file's names count
        return None
    return _at_the_top(symbols, new, where) or _hidden(file, symbol, new, where) or _unread(symbols, new, where)


def _in_item(symbols: FileSymbols, symbol: Symbol, new: str) -> str | None:
    owner = shown(symbols.source.items[symbol.index].name)
    name = shown(new)
    for found in symbols.names_in(symbol.index):
        if found.at.name != new:
            continue
        if found.at.role is _ROLES[symbol.kind] and found.at.owner == symbol.owner:
            return f"`{owner}` has a {symbol.kind} `{name}` already."
        if symbol.kind is SymbolKind.TYPE_PARAMETER and _is_bare(found):
            return f"`{owner}` uses another type called `{name}`, which the type parameter would hide."
    return None


def _of_module(symbols: FileSymbols, new: str, where: str) -> str | None:
    if symbols.module(new) is not None:
        return f"Another import of {where} binds `{shown(new)}` already."
    return _doubtful(symbols, new, where) or _unread(symbols, new, where)


def _at_the_top(symbols: FileSymbols, new: str, where: str) -> str | None:
    """A name of the file that is the same."""
    if new in symbols.source.declared or tool_index(symbols.source, new) >= 0:
        return f"{where} declares `{shown(new)}` already."
    if symbols.imports(new):
        return f"{where} imports another `{shown(new)}` already."
    return _doubtful(symbols, new, where)


def _doubtful(symbols: FileSymbols, new: str, where: str) -> str | None:
    if new in symbols.checked.file.scope.doubtful:
        return f"An import in {where} that is not finished may bind `{shown(new)}`. Finish it first."
    return None


def _hidden(file: InFile, symbol: Symbol, new: str, where: str) -> str | None:
    """A type parameter that would hide the new name where it is used, or a type of Flow's own that it would hide."""
    symbols, source = file.symbols, file.symbols.source
    if symbol.kind is not SymbolKind.TYPE:
        return None
    for index in dict.fromkeys(one.index for one in file.places if one.role is NameRole.USED):
        names = list(symbols.names_in(index))
        if any(found.at.role is NameRole.TYPE_PARAMETER and found.at.name == new for found in names) and any(
            found.symbol == symbol and _is_bare(found) for found in names
        ):
            owner = shown(source.items[index].name)
            return f"`{owner}` in {where} has a type parameter `{shown(new)}`, which would hide the new name."
    if new in BUILT_IN or new == "Result":
        for index, item in enumerate(source.items):
            if new in item.mentions:
                for found in symbols.names_in(index):
                    if found.at.name == new and _is_bare(found) and _is_built_in(found):
                        return f"{where} uses Flow's own `{shown(new)}`, which the new name would hide."
    return None


def _is_bare(found: Found) -> bool:
    return found.at.role is NameRole.USED and found.at.module is None


def _is_built_in(found: Found) -> bool:
    return found.symbol is not None and found.symbol.kind is SymbolKind.BUILT_IN


def _unread(symbols: FileSymbols, new: str, where: str) -> str | None:
    """The same word in code that is not read."""
    for _ in _words_not_read(symbols, new):
        return (
            f"`{shown(new)}` stands in a part of {where} that is not read here, such as a function's body, where it "
            "may mean something else."
        )
    return None


def _words_not_read(symbols: FileSymbols, name: str) -> Iterator[Span]:
    by_item: dict[int, set[Span]] = {}
    for span in word_spans(symbols.source.text, name):
        by_item.setdefault(symbols.source.item_at(span.start), set()).add(span)
    for index, spans in by_item.items():
        left = spans - {found.span for found in symbols.names_in(index)}
        for span, owner in unread_words(symbols, index, left):
            if owner is None:
                yield span
