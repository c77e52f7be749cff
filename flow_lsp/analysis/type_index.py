"""Where types are declared in a workspace, by name: for completions and for imports that are to be added.

What a file declares is worked out once for as long as it is the same; a question then looks at names alone.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Mapping, Set
from dataclasses import dataclass
from heapq import nsmallest
from itertools import accumulate
from posixpath import dirname
from typing import TYPE_CHECKING
from weakref import WeakKeyDictionary

from flow_lsp.analysis.snapshot import Snapshot
from flow_lsp.source.model import Item, SourceFile
from flow_lsp.source.suggestions import Suggestions

if TYPE_CHECKING:
    from flow_lsp.analysis.engine import Analysis

FEW_NAMES = 200  # of so many, each place is looked at; of more, the nearest files


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
        self._types: dict[str, list[tuple[str, str, Item]]] = {}  # of the files that were looked at
        self._sources: Mapping[str, SourceFile] | None = None
        self._suggestions: Suggestions | None = None
        self._order: tuple[str, list[str]] | None = None
        self._ordered: list[tuple[str, ...]] | None = None
        self._text = ""  # the names of `_ordered` without case, a line each
        self._begins: list[int] = []  # where each line begins

    def update(self, sources: Mapping[str, SourceFile]) -> None:
        """Takes over the sources of a snapshot; what is the same object as before is not looked at."""
        if sources is self._sources:
            return
        files = self._files
        for path in [path for path in files if path not in sources]:
            self._forget(path, files.pop(path))
            self._order = None
        for path, source in sources.items():
            known = files.get(path)
            if known is source:
                continue
            if known is not None:
                self._forget(path, known)
            else:
                self._order = None
            files[path] = source
            for name, index in source.declared.items():
                item = source.items[index]
                if item.syntax is not None:
                    self._names.setdefault(name, {})[path] = item
                    if name not in self._folded:
                        self._folded[name] = name.casefold()
                        self._suggestions = self._ordered = None
        self._sources = sources

    def _forget(self, path: str, source: SourceFile) -> None:
        self._types.pop(path, None)
        for name in source.declared:
            paths = self._names.get(name)
            if paths is not None and paths.pop(path, None) is not None and not paths:
                del self._names[name]
                del self._folded[name]
                self._suggestions = self._ordered = None

    def named(self, name: str) -> list[DeclaredType]:
        """The types of exactly that name, by path."""
        return [DeclaredType(name, path, item) for path, item in sorted(self._names.get(name, {}).items())]

    def nearest(
        self, part: str, here: str, without: Set[tuple[str, str]], most: int
    ) -> tuple[list[DeclaredType], bool]:
        """The types whose names hold `part`, in any case: those that begin with it first, then by how near their files
        are to the file `here`, then by path and name. At most so many, and whether that is all. Left out are those of
        the file itself and those, by path and name, `without`."""
        wanted = part.casefold()
        names = self._in_order()
        low, high = bisect_left(names, (wanted,)), bisect_left(names, (f"{wanted}\U0010ffff",))
        beginning = [name for _, name in names[low:high]] if high - low <= FEW_NAMES else None
        found = self._nearest(beginning, wanted, here, without, most + 1)
        if wanted and len(found) <= most:
            found += self._nearest(self._inside(wanted), wanted, here, without, most + 1 - len(found))
        return found[:most], len(found) <= most

    def _nearest(
        self, names: list[str] | None, wanted: str, here: str, without: Set[tuple[str, str]], most: int
    ) -> list[DeclaredType]:
        """The first of the types of these names; with None, of all that begin with `wanted`."""
        found: list[DeclaredType] = []
        if names is not None:
            every = ((name, path) for name in names for path in self._names[name])
            chosen = (one for one in every if one[1] != here and (one[1], one[0]) not in without)
            directory = dirname(here)
            for name, path in nsmallest(most, chosen, key=lambda one: (distance(directory, one[1]), one[1], one[0])):
                found.append(DeclaredType(name, path, self._names[name][path]))
            return found
        for path in self._around(dirname(here)):
            if path != here:
                for folded, name, item in self._types_of(path):
                    if folded.startswith(wanted) and (path, name) not in without:
                        found.append(DeclaredType(name, path, item))
                if len(found) >= most:
                    break
        return found[:most]

    def _types_of(self, path: str) -> list[tuple[str, str, Item]]:
        """The types of one file by name, each behind its name without case."""
        known = self._types.get(path)
        if known is None:
            source = self._files[path]
            items = ((name, source.items[index]) for name, index in sorted(source.declared.items()))
            known = self._types[path] = [
                (self._folded[name], name, item) for name, item in items if item.syntax is not None
            ]
        return known

    def _in_order(self) -> list[tuple[str, ...]]:
        """All names, each behind its form without case, in the order of those."""
        if self._ordered is None:
            self._ordered = sorted((folded, name) for name, folded in self._folded.items())
            self._text = "".join(f"{folded}\n" for folded, _ in self._ordered)
            self._begins = list(accumulate((len(folded) + 1 for folded, _ in self._ordered), initial=0))
        return self._ordered

    def _inside(self, wanted: str) -> list[str]:
        """The names that hold `wanted`, and do not begin with it."""
        names = self._in_order()
        found: list[str] = []
        position = self._text.find(wanted)
        while position >= 0:
            line = bisect_right(self._begins, position) - 1
            folded, name = names[line]
            if not folded.startswith(wanted):
                found.append(name)
            position = self._text.find(wanted, self._begins[line + 1])
        return found

    def _around(self, directory: str) -> list[str]:
        """All files by how near they are to `directory`, kept for the directory that was asked about last."""
        if self._order is None or self._order[0] != directory:
            far = {parent: distance(directory, f"{parent}/") for parent in {dirname(path) for path in self._files}}
            self._order = directory, sorted(self._files, key=lambda path: (far[dirname(path)], path))
        return self._order[1]

    def closest(self, word: str) -> str | None:
        """The name that `word` most likely is a slip of."""
        if self._suggestions is None:
            self._suggestions = Suggestions(self._names)
        return self._suggestions.closest(word)


def distance(directory: str, path: str) -> int:
    """How many directories lie between `directory` and the file at `path`."""
    here, there = directory.split("/"), dirname(path).split("/")
    common = 0
    for mine, theirs in zip(here, there, strict=False):
        if mine != theirs:
            break
        common += 1
    return len(here) + len(there) - 2 * common


_INDICES: WeakKeyDictionary[Analysis, TypeIndex] = WeakKeyDictionary()


def type_index(analysis: Analysis, snapshot: Snapshot) -> TypeIndex:
    """The index of the types of `snapshot`; one for each analysis, which follows its snapshots."""
    index = _INDICES.get(analysis)
    if index is None:
        index = _INDICES[analysis] = TypeIndex()
    index.update(snapshot.sources)
    return index
