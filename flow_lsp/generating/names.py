"""Names in Python for names of the wire: valid, apart from each other, and no more changed than needed.

A name depends on its own declaration, and on those that it would collide with, alone: what else is declared, and in
what order, changes nothing. So nothing is numbered. Python reads identifiers in their NFKC form, so that form is what
is compared; names that differ in case alone are two names.
"""

from __future__ import annotations

import hashlib
from collections.abc import Container, Sequence
from dataclasses import dataclass, replace
from typing import Final
from unicodedata import normalize


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


KEYWORDS: Final = _words(
    "False None True and as assert async await break class continue def del elif else except finally for from global "
    "if import in is lambda nonlocal not or pass raise return try while with yield"
)
# Letters that linters take for digits.
AMBIGUOUS: Final = frozenset(("I", "O", "l"))
# What annotations are written with. A class or function member of such a name would hide it from those below it.
ANNOTATING: Final = _words(
    "bool bytes int str tuple AbstractSet Any Awaitable Callable Carrier Decimal Duration Instant JsonValue Mapping "
    "Never Some"
)
# Names of a module that its own lines, or the methods that dataclasses write, look up there: Python's functions and
# types in lower case, as of Python 3.11, and what is imported or defined in every module, the stub and the failures.
MODULE_NAMES: Final = _words(
    "abs aiter all anext any ascii bin bool breakpoint bytearray bytes callable chr classmethod compile complex "
    "copyright credits delattr dict dir divmod enumerate eval exec exit filter float format frozenset getattr globals "
    "hasattr hash help hex id input int isinstance issubclass iter len license list locals map max memoryview min next "
    "object oct open ord pow print property quit range repr reversed round set setattr slice sorted staticmethod str "
    "sum super tuple type vars zip annotations dataclass Generic NewType Program Protocol PROGRAM ToolFailed Tools "
    "TypeAlias TypeVar Union serve Implementation NotImplementedError error"
)

OF_TYPES: Final = KEYWORDS | AMBIGUOUS | ANNOTATING | MODULE_NAMES
OF_MEMBERS: Final = KEYWORDS | AMBIGUOUS | ANNOTATING | {"self"}
# A class has this from `type`, and a dataclass would take it for the field's default.
OF_FIELDS: Final = OF_MEMBERS | {"mro"}
OF_PARAMETERS: Final = KEYWORDS | AMBIGUOUS | {"self"}

_LONGEST: Final = 100  # characters of a name, before what keeps it apart


@dataclass(frozen=True, slots=True)
class Wanted:
    """A name to be given: the names that may be it, the best first, and what tells its declaration from all others.

    `exact` says that the first is the name of the wire as it is.
    """

    candidates: tuple[str, ...]
    origin: str
    exact: bool = True


def python_name(name: str, instead: str, reserved: Container[str]) -> str:
    """`name` as an identifier that is not in `reserved`. `instead` begins it where nothing that may is left.

    Underscores in front are private, mangled or Python's own; they go behind.
    """
    found = name
    if not name.isascii() or not name.isidentifier() or name[0] == "_" or len(name) > _LONGEST:
        found = _adapted(name, instead)
    return found + "_" if found in reserved else found


def _adapted(name: str, instead: str) -> str:
    found = normalize("NFKC", name)
    kept: list[str] = []
    for letter in found:
        if ("a" + letter).isidentifier():
            kept.append(letter)
        elif kept[-1:] != ["_"]:
            kept.append("_")
    bare = "".join(kept).lstrip("_")
    moved = len(bare) < len(kept) and found.startswith("_")
    bare = bare.rstrip("_") if moved or not found.isidentifier() else bare
    bare = bare[:_LONGEST]
    if not bare or not bare[0].isidentifier():
        bare = f"{instead}_{bare}".rstrip("_")
    # What was taken out may have kept letters apart that NFKC joins.
    found = normalize("NFKC", bare)
    if not found.isidentifier():
        found = f"{instead}_{_digest(name, 8)}"
    return found + "_" if moved else found


def camel(name: str) -> str:
    """The identifier `name` as a part of a class's name: `FindHits` of `find_hits`."""
    return "".join([_capital(word) for word in name.split("_")])


def _capital(word: str) -> str:
    first = word[:1].upper()
    return first + word[1:] if len(first) == 1 and normalize("NFKC", first) == first else word


def wanted(name: str, instead: str, reserved: Container[str], origin: str, *more: str) -> Wanted:
    """The wish for `name`, or else for one of `more`."""
    found = python_name(name, instead, reserved)
    return Wanted((found, *more), origin, found == name)


def given_names(wishes: Sequence[Wanted], taken: Container[str] = ()) -> list[str]:
    """One name for each of `wishes`, none of them in `taken`, each an identifier where the candidates are.

    Of those who want one name, who has it from the wire keeps it, and all others get their next candidate; where
    nobody has, or several do, none of them keeps it. Linear but for collisions.
    """
    levels = [0 if wish.exact else 1 for wish in wishes]
    names = [_candidate(wish, 0) for wish in wishes]
    while True:
        holders: dict[str, list[int]] = {}
        for place, name in enumerate(names):
            holders.setdefault(name, []).append(place)
        moving: list[int] = []
        for name, places in holders.items():
            if name in taken:
                moving += places
            elif len(places) > 1:
                lowest = min([levels[place] for place in places])
                first = [place for place in places if levels[place] == lowest]
                moving += places if len(first) > 1 else [place for place in places if place != first[0]]
        if not moving:
            return names
        for place in moving:
            levels[place] = max(levels[place], 1) + 1
            names[place] = _candidate(wishes[place], levels[place] - 1)


def _candidate(wish: Wanted, number: int) -> str:
    """The candidate of that number; behind the last, the first with ever more of a digest of its origin."""
    if number < len(wish.candidates):
        name = wish.candidates[number]
    else:
        name = f"{wish.candidates[0]}_{_digest(wish.origin, min(64, 4 << (number - len(wish.candidates))))}"
    # Candidates are put together of parts, the letters of which may join.
    return name if name.isascii() else normalize("NFKC", name)


def _digest(text: str, length: int) -> str:
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:length]


def distinct(names: Sequence[str], instead: str, reserved: Container[str], taken: Container[str] = ()) -> list[str]:
    """Names in Python for the `names` of one scope, no two of which are equal; those in `taken` are not given."""
    for name in names:
        if not name.isascii() or not name.isidentifier() or name[0] == "_" or len(name) > _LONGEST:
            break
        if name in reserved or name in taken:
            break
    else:
        return list(names)
    found = [wanted(name, instead, reserved, name) for name in names]
    return given_names(
        [replace(wish, candidates=(*wish.candidates, f"{wish.candidates[0]}_")) for wish in found], taken
    )
