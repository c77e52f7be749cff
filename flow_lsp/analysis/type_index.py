"""Where types are declared in a workspace, by name: for completions and for imports that are to be added.

What a file declares is worked out once for as long as it is the same; a question then looks at names alone.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING
from weakref import WeakKeyDictionary

from flow_lsp.analysis.snapshot import Snapshot
from flow_lsp.source.model import Item, SourceFile
from flow_lsp.source.suggestions import Suggestions

if TYPE_CHECKING:
    from flow_lsp.analysis.engine import Analysis


@dataclass(frozen=True, slots=True)
class DeclaredType:
    """A type that the file at `path` declares."""

    name: str
    path: str
    item: Item


class TypeIndex:
    """The types of all sources of one snapshot after another."""

    def __init__(self) -> None:
        self._files: dict[str, SourceFile] = {}
        self._names: dict[str, dict[str, Item]] = {}  # the declaring items by path, by name
        self._folded: dict[str, str] = {}
        self._sources: Mapping[str, SourceFile] | None = None
        self._suggestions: Suggestions | None = None

    def update(self, sources: Mapping[str, SourceFile]) -> None:
        """Takes over the sources of a snapshot; what is the same object as before is not looked at."""
        if sources is self._sources:
            return
        files = self._files
        for path in [path for path in files if path not in sources]:
            self._forget(path, files.pop(path))
        for path, source in sources.items():
            known = files.get(path)
            if known is source:
                continue
            if known is not None:
                self._forget(path, known)
            files[path] = source
            for name, index in source.declared.items():
                item = source.items[index]
                if item.syntax is not None:
                    self._names.setdefault(name, {})[path] = item
                    if name not in self._folded:
                        self._folded[name] = name.casefold()
                        self._suggestions = None
        self._sources = sources

    def _forget(self, path: str, source: SourceFile) -> None:
        for name in source.declared:
            paths = self._names.get(name)
            if paths is not None and paths.pop(path, None) is not None and not paths:
                del self._names[name]
                del self._folded[name]
                self._suggestions = None

    def named(self, name: str) -> list[DeclaredType]:
        """The types of exactly that name, by path."""
        return [DeclaredType(name, path, item) for path, item in sorted(self._names.get(name, {}).items())]

    def holding(self, part: str) -> Iterator[DeclaredType]:
        """The types whose names hold `part`, in any case."""
        wanted = part.casefold()
        for name, folded in self._folded.items():
            if wanted in folded:
                for path, item in self._names[name].items():
                    yield DeclaredType(name, path, item)

    def closest(self, word: str) -> str | None:
        """The name that `word` most likely is a slip of."""
        if self._suggestions is None:
            self._suggestions = Suggestions(self._names)
        return self._suggestions.closest(word)


_INDICES: WeakKeyDictionary[Analysis, TypeIndex] = WeakKeyDictionary()


def type_index(analysis: Analysis, snapshot: Snapshot) -> TypeIndex:
    """The index of the types of `snapshot`; one for each analysis, which follows its snapshots."""
    index = _INDICES.get(analysis)
    if index is None:
        index = _INDICES[analysis] = TypeIndex()
    index.update(snapshot.sources)
    return index
