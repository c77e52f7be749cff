"""A line of a text with carets below the place that is meant."""

from __future__ import annotations

from flow_lsp.cli.terminal import display_width, painted
from flow_lsp.text.lines import LineIndex, Position

_SOURCE_WIDTH = 160  # how much of one source line is shown


def excerpt(index: LineIndex, start: Position, end: Position, colour_code: str, colour: bool) -> list[str]:
    """The line that `start` is on, and carets under the columns up to `end`, both in code points; a very long line is
    cut around them. The carets have the colour of an SGR code, if `colour`. Nothing for a text without a letter."""
    line = index.line(start.line)
    if not line and start.line == 0 and index.line_count == 1:
        return []  # a file that has no text to show
    last = end.character if end.line == start.line else len(line)
    cut = max(0, start.character - _SOURCE_WIDTH // 2) if len(line) > _SOURCE_WIDTH else 0
    piece = "".join(letter if letter.isprintable() else " " for letter in line[cut : cut + _SOURCE_WIDTH])
    width = max(1, min(last, cut + _SOURCE_WIDTH) - start.character)
    number = str(start.line + 1)
    gap = " " * len(number)
    indent = " " * display_width(piece[: start.character - cut])
    carets = "^" * max(1, display_width(piece[start.character - cut :][:width]))
    return [
        f" {gap} |",
        f" {number} | {piece}".rstrip(),
        f" {gap} | {indent}{painted(carets, colour_code, colour)}",
    ]
