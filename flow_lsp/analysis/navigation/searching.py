"""Types and Tools of a whole workspace by a few letters of their names."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from heapq import nsmallest
from weakref import WeakKeyDictionary

from flow_lsp.analysis.navigation.outline import KINDS, OutlineKind
from flow_lsp.source.model import SourceFile
from flow_lsp.text.spans import Span

MOST_FOUND = 200
LONGEST_QUERY = 100


@dataclass(frozen=True, slots=True)
class Declared:
    """A type or Tool, and where its name stands in the file at `path`."""

    path: str
    kind: OutlineKind
    name: str
    span: Span


@dataclass(frozen=True, slots=True)
class _Names:
    """The names of one file, each on a line of `text` in small letters, and where each line begins."""

    text: str
    begins: tuple[int, ...]
    items: tuple[int, ...]


_NAMES: WeakKeyDictionary[SourceFile, _Names] = WeakKeyDictionary()


def search(sources: Mapping[str, SourceFile], query: str) -> list[Declared]:
    """What is declared in `sources` under names that hold the letters of `query` in that order, whatever their case:
    the best first, at most `MOST_FOUND`. What is worked out of a file is kept with it."""
    wanted = "".join(query.split())[:LONGEST_QUERY]
    pattern = _pattern(wanted.casefold())
    best = nsmallest(MOST_FOUND, _all(sources, pattern, wanted))
    return [declared for *_, declared in best]


_Ranked = tuple[int, int, str, str, int, Declared]


def _all(sources: Mapping[str, SourceFile], pattern: re.Pattern[str], query: str) -> Iterator[_Ranked]:
    folded = query.casefold()
    for path, source in sources.items():
        names = _names(source)
        for match in pattern.finditer(names.text):
            index = names.items[bisect_right(names.begins, match.start()) - 1]
            item = source.items[index]
            kind = KINDS[item.kind]
            assert item.name is not None
            span = item.name_span.shifted(source.starts[index])
            rank = _rank(item.name, match.group(), query, folded)
            yield rank, len(item.name), item.name, path, index, Declared(path, kind, item.name, span)


def _names(source: SourceFile) -> _Names:
    known = _NAMES.get(source)
    if known is None:
        items = tuple(index for index, item in enumerate(source.items) if item.name is not None and item.kind in KINDS)
        begins, lines, at = [], [], 0
        for index in items:
            line = (source.items[index].name or "").casefold()
            begins.append(at)
            lines.append(line)
            at += len(line) + 1
        known = _NAMES[source] = _Names("\n".join(lines), tuple(begins), items)
    return known


def _pattern(query: str) -> re.Pattern[str]:
    """Lines that hold the letters in order; never looks at a letter twice."""
    letters = "".join(f"[^{re.escape(letter)}\\n]*+{re.escape(letter)}" for letter in query)
    return re.compile(f"^{letters}[^\\n]*+$" if query else "^[^\\n]++$", re.MULTILINE)


def _rank(name: str, folded_name: str, query: str, folded: str) -> int:
    """How near the name is: 0 is the same."""
    if name == query:
        return 0
    if folded_name == folded:
        return 1
    if folded_name.startswith(folded):
        return 2 if name.startswith(query) else 3
    if _initials(name).startswith(folded):
        return 4
    place = folded_name.find(folded)
    if place < 0:
        return 7
    return 5 if _begins_word(name, place) else 6


def _initials(name: str) -> str:
    return "".join(letter for place, letter in enumerate(name) if _begins_word(name, place)).casefold()


def _begins_word(name: str, place: int) -> bool:
    """Whether a word of `name` begins at `place`: at its start, behind `_`, or at a capital behind a small letter."""
    if place >= len(name) or name[place] == "_":
        return False
    return place == 0 or name[place - 1] == "_" or (name[place].isupper() and not name[place - 1].isupper())
