"""What the TOML reader makes of a text: keys, values, statements and headers, each with its place.

Offsets are absolute, in the text that was read.
"""

from __future__ import annotations

from enum import StrEnum
from typing import NamedTuple

DEEPEST = 128  # how far values nest in each other, and how many parts a key has


class ValueKind(StrEnum):
    """The types of TOML; a value reads as a sentence may name it."""

    STRING = "a string"
    INTEGER = "an integer"
    FLOAT = "a float"
    BOOLEAN = "a boolean"
    DATE = "a date or time"
    ARRAY = "an array"
    TABLE = "a table"


class Value(NamedTuple):
    """A value from `start` to `end`. `data` is what it stands for; for an array a tuple of values, for an
    inline table a tuple of statements."""

    kind: ValueKind
    start: int
    end: int
    data: object


class Key(NamedTuple):
    """A key: the names of its parts, decoded, and where each part stands, its quotes included."""

    names: tuple[str, ...]
    places: tuple[tuple[int, int], ...]


class Statement(NamedTuple):
    """`key = value`; the value is None where it could not be read."""

    key: Key
    value: Value | None


class Header(NamedTuple):
    """`[key]` or `[[key]]` from `start` to `end`; the key is None where it could not be read."""

    key: Key | None
    array: bool
    start: int
    end: int


class SyntaxProblem(NamedTuple):
    """What is wrong from `start` to `end`, as one or two sentences."""

    start: int
    end: int
    sentence: str


class Unreadable(Exception):  # noqa: N818 - how the reader gives up a statement; it never leaves the scanner
    """A statement cannot be read on from `at`. `opened` is where the outermost open array starts;
    `endless` says that a multi-line string has no end in the whole text."""

    def __init__(self, start: int, end: int, sentence: str, endless: bool = False) -> None:
        super().__init__(sentence)
        self.problem = SyntaxProblem(start, end, sentence)
        self.at = start
        self.opened = -1
        self.endless = endless
