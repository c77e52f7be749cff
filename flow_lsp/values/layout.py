"""JSON text laid out over lines, for files that people review in a diff."""

from __future__ import annotations

import re

WIDTH = 100  # columns that a value on one line may take
DEEPEST = 16  # levels that are laid out; what is nested deeper stays on one line, so that no indent grows without end

_PART = re.compile(r'"(?:[^"\\]++|\\.)*+"|[\[\]{},:]|[^\[\]{},:"]++', re.DOTALL)


def laid_out(text: str, width: int = WIDTH, deepest: int = DEEPEST) -> str:
    """`text`, a canonical JSON text or one like it without white space, with line ends and indents.

    An array or object stands on one line where it takes at most `width` columns. The value stays the same, and equal
    texts are laid out alike. Linear in `text`.
    """
    found = _PART.findall(text)
    sizes = _sizes(found)
    parts: list[str] = []
    broken: list[bool] = []  # of each array and object that is open: whether its items stand on lines of their own
    for number, part in enumerate(found):
        if part in ("{", "["):
            is_short = sizes[number] + 2 * len(broken) <= width or len(broken) >= deepest
            broken.append(not is_short and (not broken or broken[-1]))
            parts.append(part)
            if broken[-1]:
                parts.append("\n" + "  " * len(broken))
        elif part in ("}", "]"):
            if broken.pop():
                parts.append("\n" + "  " * len(broken))
            parts.append(part)
        elif part == ",":
            parts.append(",\n" + "  " * len(broken) if broken and broken[-1] else ", ")
        else:
            parts.append(": " if part == ":" else part)
    return "".join(parts)


def _sizes(found: list[str]) -> list[int]:
    """For each part that opens an array or object, how many columns that takes on one line."""
    sizes = [0] * len(found)
    opened: list[tuple[int, int]] = []
    column = 0
    for number, part in enumerate(found):
        if part in ("{", "["):
            opened.append((number, column))
        column += len(part) + (part in (",", ":"))
        if part in ("}", "]") and opened:
            start, before = opened.pop()
            sizes[start] = column - before
    return sizes
