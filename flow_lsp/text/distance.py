"""How near two names are: what a person who mistyped one of them may have meant."""

from __future__ import annotations

from collections.abc import Iterable

LONGEST = 64  # names beyond this many characters are no slips of the finger


def distance(one: str, other: str) -> int:
    """How many letters must be added, removed, replaced or swapped with a neighbour to turn `one` into
    `other`."""
    before_last: list[int] = []
    last = list(range(len(other) + 1))
    for row, letter in enumerate(one, 1):
        current = [row]
        for column, wanted in enumerate(other, 1):
            least = min(last[column] + 1, current[column - 1] + 1, last[column - 1] + (letter != wanted))
            if row > 1 and column > 1 and letter == other[column - 2] and one[row - 2] == wanted:
                least = min(least, before_last[column - 2] + 1)
            current.append(least)
        before_last, last = last, current
    return last[-1]


def nearest_name(name: str, known: Iterable[str]) -> str | None:
    """The one of `known` that `name` is most likely a misspelling of, or None where none is near.

    Near means other case, or at most two changes and fewer than half the letters.
    """
    if len(name) > LONGEST:
        return None
    best: tuple[int, str] | None = None
    folded = name.casefold()
    for candidate in known:
        other = candidate.casefold()
        if abs(len(folded) - len(other)) > 2:
            continue
        changes = distance(folded, other)
        if changes <= 2 and changes * 2 < max(len(candidate), 2) and (best is None or changes < best[0]):
            best = (changes, candidate)
    return best[1] if best is not None else None
