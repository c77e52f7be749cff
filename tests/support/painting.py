"""Semantic tokens read back from their numbers."""

from __future__ import annotations

from collections.abc import Sequence

from flow_lsp.analysis.navigation.token_types import MODIFIERS, TOKEN_TYPES
from flow_lsp.text.lines import LineIndex, Position, PositionEncoding


def decoded(data: Sequence[int], text: str, encoding: PositionEncoding) -> list[tuple[int, int, str]]:
    """Each token as its start and end in the text, and its type with its modifiers, as `type.modifier`."""
    assert len(data) % 5 == 0
    index = LineIndex.of(text)
    line = column = 0
    found = []
    for down, right, length, kind, modifiers in zip(*[iter(data)] * 5, strict=True):
        line, column = (line + down, right) if down else (line, column + right)
        start = index.offset(Position(line, column), encoding)
        assert index.position(start, encoding) == (line, column)
        end = start
        left = length
        while left > 0:
            left -= _width(text[end], encoding)
            end += 1
        assert left == 0
        names = [name for bit, name in enumerate(MODIFIERS) if modifiers & (1 << bit)]
        found.append((start, end, ".".join([TOKEN_TYPES[kind], *names])))
    return found


def _width(letter: str, encoding: PositionEncoding) -> int:
    if encoding is PositionEncoding.UTF32:
        return 1
    name = "utf-8" if encoding is PositionEncoding.UTF8 else "utf-16-le"
    return len(letter.encode(name, "surrogatepass")) // (1 if encoding is PositionEncoding.UTF8 else 2)
