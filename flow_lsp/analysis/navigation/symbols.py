"""What a name in a `.flow` file stands for, as one thing that all its names have in common.

The same precedence as `source.scope`: a type parameter, the file's own, the first import, what is built in. What does
not parse is found all the same where its name is known, for one wants to go there.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass
from enum import StrEnum

from flow_lsp.source.declarations import CheckedFile
from flow_lsp.source.model import ImportSyntax, ItemKind, NameSyntax, SourceFile, TypeSyntax
from flow_lsp.source.names import NameAt, NameRole, names_of
from flow_lsp.source.scope import FoundImport
from flow_lsp.source.targets import BUILT_IN
from flow_lsp.text.spans import Span


class SymbolKind(StrEnum):
    """What a symbol is."""

    TYPE = "type"
    TOOL = "Tool"
    CONSTRUCTOR = "constructor"
    FIELD = "field"
    PARAMETER = "parameter"
    TYPE_PARAMETER = "type parameter"
    MODULE = "import"  # what an import binds, in its file alone
    FILE = "file"
    BUILT_IN = "built-in type"


LOCAL = frozenset((SymbolKind.CONSTRUCTOR, SymbolKind.FIELD, SymbolKind.PARAMETER, SymbolKind.TYPE_PARAMETER))
"""What is known in the item alone that declares it."""


@dataclass(frozen=True, slots=True)
class Symbol:
    """`path` is the file that declares it, or, of a FILE, the file; empty for what is built in. `index` is the item
    that declares it, and `owner` the index of a part's constructor."""

    kind: SymbolKind
    name: str
    path: str = ""
    index: int = -1
    owner: int = -1


@dataclass(frozen=True, slots=True)
class Found:
    """A name at a place, spans counting from the file's start. `symbol` is None where it means nothing known."""

    at: NameAt
    index: int  # of the item
    span: Span
    symbol: Symbol | None


_DECLARING = {
    NameRole.TOOL: SymbolKind.TOOL,
    NameRole.TYPE: SymbolKind.TYPE,
    NameRole.TYPE_PARAMETER: SymbolKind.TYPE_PARAMETER,
    NameRole.CONSTRUCTOR: SymbolKind.CONSTRUCTOR,
    NameRole.FIELD: SymbolKind.FIELD,
    NameRole.PARAMETER: SymbolKind.PARAMETER,
}


def tool_index(source: SourceFile, name: str) -> int:
    """The first Tool called `name`, by its item; -1 where there is none."""
    for index, item in enumerate(source.items):
        if item.kind is ItemKind.TOOL and item.name == name:
            return index
    return -1


class FileSymbols:
    """The symbols of one checked file. Made for one question; cheap to make."""

    def __init__(self, checked: CheckedFile) -> None:
        self.checked = checked
        self.source = checked.source
        self._modules: dict[str, FoundImport] = {}
        self._names: dict[str, FoundImport] = {}
        self._imports = {found.index: found for found in checked.file.imports}
        for found in checked.file.imports:
            if found.syntax.names is None:
                for bound in found.syntax.bound:
                    self._modules.setdefault(bound.name, found)
            else:
                for name in found.syntax.names:
                    self._names.setdefault(name.name, found)

    # -- by name --------------------------------------------------------------------------------------

    def bare(self, name: str, is_type: bool = True) -> Symbol | None:
        """What `name` means at the top of the file: in a type, or (not `is_type`) where it may be a Tool as well."""
        if name in self.source.declared:
            return Symbol(SymbolKind.TYPE, name, self.checked.path, self.source.declared[name])
        if not is_type and (index := tool_index(self.source, name)) >= 0:
            return Symbol(SymbolKind.TOOL, name, self.checked.path, index)
        found = self._names.get(name)
        if found is not None:
            return self._offered(found, name)
        return Symbol(SymbolKind.BUILT_IN, name) if name in BUILT_IN or name == "Result" else None

    def in_module(self, module: str, name: str) -> Symbol | None:
        """What `module.name` means: a type, or a Tool."""
        found = self._modules.get(module)
        return None if found is None else self._offered(found, name)

    def module(self, name: str) -> Symbol | None:
        """What `name` before a dot means."""
        found = self._modules.get(name)
        return None if found is None else Symbol(SymbolKind.MODULE, name, self.checked.path, found.index)

    def imports(self, name: str) -> bool:
        """Whether an import takes `name` from a file."""
        return name in self._names

    def _offered(self, found: FoundImport, name: str) -> Symbol | None:
        """What the file that an import leads to declares as `name`."""
        if found.path is None:
            target = None if found.offers is None else found.offers.get(name)
            return None if target is None else Symbol(SymbolKind.BUILT_IN, target.name)
        source = self.checked.look.source(found.path)
        if source is None:
            return None
        if name in source.declared:
            return Symbol(SymbolKind.TYPE, name, found.path, source.declared[name])
        index = tool_index(source, name)
        return Symbol(SymbolKind.TOOL, name, found.path, index) if index >= 0 else None

    def import_of(self, index: int) -> FoundImport | None:
        """The import that the item at `index` is."""
        return self._imports.get(index)

    # -- by place -------------------------------------------------------------------------------------

    def names_in(self, index: int, spans: Collection[Span] | None = None) -> Iterator[Found]:
        """The names of the item at `index` with what they mean: all of them, or those at `spans`."""
        item, start = self.source.items[index], self.source.starts[index]
        syntax = item.syntax
        generic: tuple[NameSyntax, ...] = ()
        if syntax is not None and not isinstance(syntax, ImportSyntax):
            generic = syntax.generic
        parameters = frozenset([parameter.name for parameter in generic])
        for at in names_of(item, self.source.text, start):
            span = Span(at.span.start + start, at.span.end + start)
            if spans is None or span in spans:
                yield Found(at, index, span, self._symbol(at, index, parameters))

    def at(self, offset: int) -> Found | None:
        """The smallest name that `offset` touches, also where it means nothing known."""
        index = self.source.item_at(offset)
        if index < 0:
            return None
        best: Found | None = None
        for found in self.names_in(index):
            if found.span.holds(offset) and (best is None or _length(found.span) < _length(best.span)):
                best = found
        return best

    def _symbol(self, at: NameAt, index: int, parameters: frozenset[str]) -> Symbol | None:
        role = at.role
        if role is NameRole.USED:
            if at.module is not None:
                return self.in_module(at.module, at.name)
            if at.name in parameters:
                return Symbol(SymbolKind.TYPE_PARAMETER, at.name, self.checked.path, index)
            return self.bare(at.name)
        if role is NameRole.QUALIFIER:
            return self.module(at.name)
        if role is NameRole.BINDING:
            return self.module(at.name)
        if role is NameRole.IMPORTED:
            import_here = self.import_of(index)
            return None if import_here is None else self._offered(import_here, at.name)
        if role is NameRole.PATH:
            import_here = self.import_of(index)
            if import_here is None or import_here.path is None or import_here.offers is None:
                return None
            return Symbol(SymbolKind.FILE, "", import_here.path)
        return Symbol(_DECLARING[role], at.name, self.checked.path, index, at.owner)

    def types_in(self, index: int, syntax: TypeSyntax) -> Iterator[Symbol]:
        """The types that `syntax`, in the item at `index`, names, in the order of the text."""
        span = syntax.span.shifted(self.source.starts[index])
        inside = [
            found
            for found in self.names_in(index)
            if found.at.role is NameRole.USED and span.start <= found.span.start and found.span.end <= span.end
        ]
        for found in sorted(inside, key=lambda found: found.span):
            if found.symbol is not None:
                yield found.symbol


def _length(span: Span) -> int:
    return span.end - span.start
