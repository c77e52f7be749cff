"""What a name that means nothing here may have been meant to be."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from flow_lsp.source.targets import FOREIGN_HABITS
from flow_lsp.text.distance import nearest_name

LONGEST = 40  # longer names are not compared
MOST_NAMES = 4000  # nor are all of a scope with more names than that
MOST_CANDIDATES = 12


class Suggestions:
    """The names of a scope, so that near ones are found without comparing with each."""

    def __init__(self, names: Iterable[str]) -> None:
        self._names = sorted(set(names))
        self._by_piece: dict[str, list[str]] | None = None

    def closest(self, word: str) -> str | None:
        """The name that `word` most likely is a slip of, or None."""
        if len(word) > LONGEST:
            return None
        if self._by_piece is None:
            self._by_piece = {}
            for name in self._names[:MOST_NAMES]:
                if len(name) <= LONGEST:
                    for piece in _pieces(name.casefold()):
                        self._by_piece.setdefault(piece, []).append(name)
        candidates: dict[str, None] = {}
        for piece in _pieces(word.casefold()):
            for name in self._by_piece.get(piece, ())[:MOST_CANDIDATES]:
                candidates[name] = None
        return nearest_name(word, sorted(candidates))

    def instead_of(self, word: str) -> str | None:
        """Flow's word for what other languages call `word`, or else the closest name."""
        return FOREIGN_HABITS.get(word.lower()) or self.closest(word)


def _pieces(word: str) -> Iterator[str]:
    """`word`, and `word` without each one of its letters: two names one slip apart share such a piece."""
    yield word
    for place in range(len(word)):
        yield word[:place] + word[place + 1 :]
