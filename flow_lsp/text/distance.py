"""How near two names are: what a person who mistyped one of them may have meant."""

from __future__ import annotations

from collections.abc import Iterable

LONGEST = 64  # names beyond this many characters are no slips of the finger


def distance(one: str, other: str) -> int:
    """How many letters must be added, removed, replaced or swapped with a neighbour to turn `one` into
    `other`."""
    return _Pattern(one).distance(other)


def nearest_name(name: str, known: Iterable[str]) -> str | None:
    """The one of `known` that `name` is most likely a misspelling of, or None where none is near.

    Near means other case, or at most two changes and fewer than half the letters.
    """
    if len(name) > LONGEST:
        return None
    best: tuple[int, str] | None = None
    folded = name.casefold()
    pattern = _Pattern(folded)
    for candidate in known:
        other = candidate.casefold()
        if abs(len(folded) - len(other)) > 2:
            continue
        changes = pattern.distance(other)
        if changes <= 2 and changes * 2 < max(len(candidate), 2) and (best is None or changes < best[0]):
            best = (changes, candidate)
    return best[1] if best is not None else None


class _Pattern:
    """A name that many are compared with, a column of the table of distances at a time: a bit for each row says whether
    the distance grows or shrinks there (Hyyrö's form of Myers' algorithm, with swaps)."""

    def __init__(self, name: str) -> None:
        self._length = len(name)
        self._rows: dict[str, int] = {}
        for row, letter in enumerate(name):
            self._rows[letter] = self._rows.get(letter, 0) | 1 << row

    def distance(self, other: str) -> int:
        if not self._length:
            return len(other)
        every, last = (1 << self._length) - 1, 1 << self._length - 1
        rows, found = self._rows, self._length
        grows, shrinks, same, before = every, 0, 0, 0
        for letter in other:
            equal = rows.get(letter, 0)
            swapped = ((~same & equal) << 1) & before
            same = (((equal & grows) + grows) ^ grows) | equal | shrinks | swapped
            right, left = shrinks | ~(same | grows), grows & same
            if right & last:
                found += 1
            elif left & last:
                found -= 1
            right, left = right << 1 | 1, left << 1
            grows, shrinks, before = (left | ~(same | right)) & every, right & same & every, equal
        return found
