"""Lines as the LSP counts them, and positions in its three encodings."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable, Sequence
from enum import StrEnum
from itertools import accumulate
from typing import NamedTuple

from flow_lsp.text.spans import Span

_LINE = re.compile(r"[^\r\n]*(?:\r\n|\n|\r)")
_HALF = re.compile("[\ud800-\udfff]")
_STRIDE = 512  # characters between two known columns of a long line


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
    if encoding is PositionEncoding.UTF8:
        data = content.encode("utf-8", "surrogatepass")
        while 0 < character < len(data) and data[character] & 0xC0 == 0x80:
            character -= 1
        return len(data[:character].decode("utf-8", "surrogatepass"))
    if _HALF.search(content) is None:
        data = content.encode("utf-16-le")
        if character < len(data) // 2 and data[2 * character + 1] & 0xFC == 0xDC:
            character -= 1  # the second unit of a pair
        return len(data[: 2 * character].decode("utf-16-le"))
    left = character
    for offset, letter in enumerate(content):  # two halves side by side are two characters
        left -= column_width(letter, encoding)
        if left < 0:
            return offset
        if left == 0:
            return offset + 1
    return len(content)


def _width(line: str) -> int:
    """How many characters of a line there are places before or behind: all but those of its end."""
    return len(line) - 2 if line.endswith("\r\n") else len(line) - line.endswith(("\n", "\r"))


class LineIndex:
    """Turns offsets of one text into positions and back. Building it is linear, each look-up is not."""

    __slots__ = ("_columns", "_lines", "_starts")

    def __init__(self, lines: Sequence[str]) -> None:
        """`lines` as `split_lines` gives them."""
        self._lines = lines
        self._starts = list(accumulate(map(len, lines), initial=0))
        self._columns: dict[tuple[int, PositionEncoding], list[int]] = {}

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

    def offset_of_line(self, number: int) -> int:
        """Where the line of that number (from 0) begins; the end of the text for the one behind the last."""
        return self._starts[number]

    def line_of(self, offset: int) -> int:
        """The number (from 0) of the line that `offset` stands on."""
        return min(bisect_right(self._starts, max(offset, 0)) - 1, len(self._lines) - 1)

    def position(self, offset: int, encoding: PositionEncoding) -> Position:
        """The position of `offset`; an offset outside the text is taken to the nearer end, and one inside of a CRLF to
        the place before it."""
        line = self.line_of(offset)
        inside = min(max(offset, 0) - self._starts[line], _width(self._lines[line]))
        return Position(line, self._column(line, inside, encoding))

    def ranges(self, spans: Iterable[Span], encoding: PositionEncoding) -> list[tuple[int, int, int, int]]:
        """The line and column of the start and of the end of each span, as `position` gives them; an end
        before its start is taken as the start. Much faster than asking for each."""
        starts, lines, last = self._starts, self._lines, len(self._lines) - 1
        found = []
        for start, end in spans:
            number = min(bisect_right(starts, start) - 1, last)
            beyond = starts[number + 1] + (number == last)  # the place behind the last line is on it
            if 0 <= start <= end < beyond and lines[number].isascii():
                begin, width = starts[number], _width(lines[number])
                found.append((number, min(start - begin, width), number, min(end - begin, width)))
            else:
                found.append(self.position(start, encoding) + self.position(max(start, end), encoding))
        return found

    def _column(self, line: int, inside: int, encoding: PositionEncoding) -> int:
        """The column of the place behind `inside` characters of a line."""
        text = self._lines[line]
        if text.isascii() or encoding is PositionEncoding.UTF32:
            return inside
        if inside <= _STRIDE:
            return column_width(text[:inside], encoding)
        known = self._columns.get((line, encoding))
        if known is None:
            pieces = (text[at : at + _STRIDE] for at in range(0, len(text), _STRIDE))
            widths = (column_width(piece, encoding) for piece in pieces)
            known = self._columns[line, encoding] = list(accumulate(widths, initial=0))
        stride = inside // _STRIDE
        return known[stride] + column_width(text[stride * _STRIDE : inside], encoding)

    def offset(self, position: Position, encoding: PositionEncoding) -> int:
        """The offset of `position`, taken to the nearest place that exists (LSP 3.17, Position)."""
        line, character = position
        if line < 0:
            return 0
        if line >= len(self._lines):
            return self._starts[-1]
        return self._starts[line] + column_offset(self._lines[line], character, encoding)
