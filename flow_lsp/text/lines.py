"""Lines as the LSP counts them, and positions in its three encodings."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Sequence
from enum import StrEnum
from itertools import accumulate
from typing import NamedTuple

_LINE = re.compile(r"[^\r\n]*(?:\r\n|\n|\r)")


class PositionEncoding(StrEnum):
    """What a column counts: bytes of UTF-8, code units of UTF-16, or code points (LSP 3.17)."""

    UTF8 = "utf-8"
    UTF16 = "utf-16"
    UTF32 = "utf-32"


class Position(NamedTuple):
    """A place as the LSP writes it: line and column from 0, the column in an agreed encoding."""

    line: int
    character: int


def split_lines(text: str) -> list[str]:
    """The lines of `text` with their ends kept; the last has none and may be empty.

    Joining the lines gives `text` back. Only LF, CRLF and a lone CR end a line.
    """
    if "\r" not in text:
        lines = [line + "\n" for line in text.split("\n")]
        lines[-1] = lines[-1][:-1]
        return lines
    lines = _LINE.findall(text)
    lines.append(text[sum(map(len, lines)) :])
    return lines


def column_width(text: str, encoding: PositionEncoding) -> int:
    """How many columns `text`, a piece of one line, takes in `encoding`."""
    if text.isascii() or encoding is PositionEncoding.UTF32:
        return len(text)
    if encoding is PositionEncoding.UTF8:
        return len(text.encode("utf-8", "surrogatepass"))
    return len(text.encode("utf-16-le", "surrogatepass")) // 2


def column_offset(line: str, character: int, encoding: PositionEncoding) -> int:
    """The code points of `line` before column `character`.

    A column past the end of the line means the place before its line end; one inside a character
    (a surrogate pair, the bytes of UTF-8) means the place before that character.
    """
    content = line.rstrip("\r\n") if line[-1:] in ("\r", "\n") else line
    if character <= 0:
        return 0
    if encoding is PositionEncoding.UTF32 or content.isascii():
        return min(character, len(content))
    left = character
    for offset, letter in enumerate(content):
        left -= column_width(letter, encoding)
        if left < 0:
            return offset
        if left == 0:
            return offset + 1
    return len(content)


class LineIndex:
    """Turns offsets of one text into positions and back. Building it is linear, each look-up is not."""

    __slots__ = ("_lines", "_starts")

    def __init__(self, lines: Sequence[str]) -> None:
        """`lines` as `split_lines` gives them."""
        self._lines = lines
        self._starts = list(accumulate(map(len, lines), initial=0))

    @classmethod
    def of(cls, text: str) -> LineIndex:
        """The index of `text`."""
        return cls(split_lines(text))

    @property
    def line_count(self) -> int:
        """How many lines there are; at least one."""
        return len(self._lines)

    def line(self, number: int) -> str:
        """The line of that number (from 0) without its end."""
        return self._lines[number].rstrip("\r\n")

    def line_of(self, offset: int) -> int:
        """The number (from 0) of the line that `offset` stands on."""
        return min(bisect_right(self._starts, max(offset, 0)) - 1, len(self._lines) - 1)

    def position(self, offset: int, encoding: PositionEncoding) -> Position:
        """The position of `offset`; an offset outside the text is taken to the nearer end."""
        line = self.line_of(offset)
        inside = min(max(offset, 0) - self._starts[line], len(self._lines[line]))
        return Position(line, column_width(self._lines[line][:inside], encoding))

    def offset(self, position: Position, encoding: PositionEncoding) -> int:
        """The offset of `position`, taken to the nearest place that exists (LSP 3.17, Position)."""
        line, character = position
        if line < 0:
            return 0
        if line >= len(self._lines):
            return self._starts[-1]
        return self._starts[line] + column_offset(self._lines[line], character, encoding)
