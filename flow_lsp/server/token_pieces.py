"""Tokens as the numbers of the LSP (3.17, "Semantic Tokens"), item by item, so that an edit writes one item anew.

Five numbers are a token: lines and columns since the one before, its length, type and modifiers. Within an item they
depend on it alone, but for the first token's place.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from flow_lsp.analysis.navigation.manifest_tokens import SegmentTokens
from flow_lsp.analysis.navigation.tokens import ItemTokens, Token
from flow_lsp.text.lines import LineIndex, PositionEncoding, column_width

Painted = ItemTokens | SegmentTokens
"""The tokens of one item of a source, or of one segment of a manifest: an item too, here and below."""


@dataclass(frozen=True, slots=True, eq=False)
class Piece:
    """The numbers of one item. The first token's place, and where the last one begins, count from the item's start;
    a column counts from there on the first line alone. `lines` is how many line ends the item has."""

    tokens: Painted | None
    numbers: Sequence[int]
    first: tuple[int, int]
    last: tuple[int, int]
    lines: int


def piece(tokens: Painted, text: str, encoding: PositionEncoding, multiline: bool) -> Piece:
    """The numbers of an item whose text is `text`. A token over several lines is cut where the client wants it."""
    return piece_of(tokens.tokens, text, encoding, multiline, tokens)


def piece_of(
    tokens: Iterable[Token],
    text: str,
    encoding: PositionEncoding,
    multiline: bool,
    made_from: Painted | None = None,
) -> Piece:
    """The same of some of an item's tokens."""
    index = LineIndex.of(text)
    numbers: list[int] = []
    line = column = 0
    first: tuple[int, int] | None = None
    for token in tokens:
        for start, end in [(token.start, token.end)] if multiline else _lines(text, index, token):
            at = index.position(start, encoding)
            if first is None:
                first = at.line, at.character
                numbers += (0, 0)
            else:
                numbers += (at.line - line, at.character - (column if at.line == line else 0))
            numbers += (column_width(text[start:end], encoding), int(token.type), int(token.modifiers))
            line, column = at
    return Piece(made_from, numbers, first or (0, 0), (line, column), index.line_count - 1)


def _lines(text: str, index: LineIndex, token: Token) -> Iterator[tuple[int, int]]:
    """A token cut at the ends of lines, which belong to none of the parts."""
    start, end = token.start, token.end
    if "\n" not in text[start:end] and "\r" not in text[start:end]:
        yield start, end
        return
    for number in range(index.line_of(start), index.line_of(end) + 1):
        begin = index.offset_of_line(number)
        cut = max(begin, start), min(begin + len(index.line(number)), end)
        if cut[0] < cut[1]:
            yield cut


class Segment(NamedTuple):
    """A piece at its place in a file: what the first token's first two numbers are there."""

    piece: Piece
    line: int
    column: int


def segments(pieces: Iterable[tuple[Piece, int]], line: int = 0) -> list[Segment]:
    """The pieces that have tokens at their places. Beside each stands the column at which its item begins; the first
    begins on `line`."""
    found: list[Segment] = []
    last_line = last_column = 0
    for one, start_column in pieces:
        if one.numbers:
            down, column = one.first
            at = line + down
            column += 0 if down else start_column
            found.append(Segment(one, at - last_line, column - (last_column if at == last_line else 0)))
            down, column = one.last
            last_line, last_column = line + down, column + (0 if down else start_column)
        line += one.lines
    return found


def numbers_of(found: Iterable[Segment]) -> list[int]:
    """All numbers, one after the other."""
    numbers: list[int] = []
    for segment in found:
        numbers += (segment.line, segment.column)
        numbers += segment.piece.numbers[2:]
    return numbers


def difference(before: Sequence[Segment], now: Sequence[Segment]) -> tuple[int, int, list[int]] | None:
    """What to replace in the numbers of `before` to have those of `now`: where, how many, by which; or None."""
    most = min(len(before), len(now))
    first = 0
    while first < most and before[first] == now[first]:
        first += 1
    behind = 0
    while behind < most - first and before[-1 - behind] == now[-1 - behind]:
        behind += 1
    gone, come = before[first : len(before) - behind], now[first : len(now) - behind]
    if not gone and not come:
        return None
    start = sum(len(segment.piece.numbers) for segment in before[:first])
    return start, sum(len(segment.piece.numbers) for segment in gone), numbers_of(come)
