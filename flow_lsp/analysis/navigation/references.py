"""All places of a workspace at which one thing is named.

Only files that can matter are looked into: what is known in an item or a file alone stands there; of all else, the
files in whose text the name stands, and which import the file that declares it.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from posixpath import basename
from typing import TYPE_CHECKING

from flow_lsp.analysis.navigation.places import Access, Occurrence, occurrences
from flow_lsp.analysis.navigation.symbols import LOCAL, FileSymbols, Symbol, SymbolKind
from flow_lsp.analysis.snapshot import Snapshot
from flow_lsp.source.homes import SUFFIX
from flow_lsp.source.lexemes import may_hold
from flow_lsp.source.model import ImportSyntax, SourceFile

if TYPE_CHECKING:
    from flow_lsp.analysis.engine import Analysis
    from flow_lsp.analysis.program import SnapshotProgram

OF_ONE_FILE = LOCAL | {SymbolKind.MODULE, SymbolKind.BUILT_IN}


@dataclass(frozen=True, slots=True)
class InFile:
    """What a file holds of a symbol. `places` is never empty."""

    symbols: FileSymbols
    places: tuple[Occurrence, ...]

    @property
    def key(self) -> str:
        """The file's absolute path."""
        return self.symbols.checked.path


def symbol_at(analysis: Analysis, snapshot: Snapshot, key: str, offset: int) -> Symbol | None:
    """What is named at `offset` of the source `key`."""
    checked = analysis.checked(snapshot, key)
    found = FileSymbols(checked).at(offset) if checked is not None else None
    return None if found is None else found.symbol


def references(analysis: Analysis, snapshot: Snapshot, key: str, symbol: Symbol) -> Iterator[InFile]:
    """Where `symbol`, met in the source `key`, is named: the file that declares it first, then by path. Of what is
    built in, the places of the source `key` alone."""
    for path in _files(analysis, snapshot, key, symbol):
        checked = analysis.checked(snapshot, path)
        if checked is not None:
            symbols = FileSymbols(checked)
            places = tuple(occurrences(symbols, symbol))
            if places:
                yield InFile(symbols, places)


def highlights(analysis: Analysis, snapshot: Snapshot, key: str, offset: int) -> list[Occurrence]:
    """Where what is named at `offset` is named in the same file; words of parts that are not read among them."""
    checked = analysis.checked(snapshot, key)
    if checked is None:
        return []
    symbols = FileSymbols(checked)
    found = symbols.at(offset)
    if found is None:
        return []
    if found.symbol is None:
        return [Occurrence(found.span, Access.USED, found.at.role, found.index)]
    return occurrences(symbols, found.symbol)


def _files(analysis: Analysis, snapshot: Snapshot, key: str, symbol: Symbol) -> Iterator[str]:
    if symbol.kind in OF_ONE_FILE:
        yield symbol.path or key
        return
    if symbol.kind is not SymbolKind.FILE:
        yield symbol.path
    program = analysis.program(snapshot)
    word = symbol.name or basename(symbol.path).removesuffix(SUFFIX)
    for path, source in snapshot.sources.items():
        if path != symbol.path and may_hold(source.text, word) and leads_to(program, path, source, symbol.path):
            yield path


def leads_to(program: SnapshotProgram, path: str, source: SourceFile, target: str) -> bool:
    """Whether an import of the file at `path` leads to the file at `target`."""
    last = basename(target).removesuffix(SUFFIX)
    return any(
        item.syntax.segments[-1] == last and program.import_target(path, item.syntax).path == target
        for item in source.items
        if isinstance(item.syntax, ImportSyntax)
    )
