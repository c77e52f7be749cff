"""Doc comments as docstrings, and texts from outside as comments: whatever they hold, only text comes of it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from flow_lsp.text.visible import visible

WIDTH: Final = 88  # columns, where words allow: what Python's formatters have by default
INDENT: Final = "    "
_QUOTES: Final = 3
_INDENTATION: Final = 40  # columns of it that a wrapped line keeps
_LINE_ENDS: Final = re.compile(r"\r\n|\n")


def docstring(paragraphs: Sequence[str], indent: str = "") -> list[str]:
    """The lines of a docstring of `paragraphs`, which are texts of one or more lines; none where there are none."""
    if not any(paragraphs):
        return []
    lines: list[str] = []
    for paragraph in paragraphs:
        if paragraph.strip():
            lines += [""] * bool(lines)
            lines += _lines(paragraph, WIDTH - len(indent) - _QUOTES)
    if not lines:
        return []
    if len(lines) == 1 and len(lines[0]) <= WIDTH - len(indent) - 2 * _QUOTES:
        return [f'{indent}"""{_ended(lines[0])}"""']
    first, *rest = lines
    return [f'{indent}"""{first}', *(f"{indent}{line}".rstrip() for line in rest), f'{indent}"""']


def member_docs(members: Iterable[tuple[str, str | None]]) -> str:
    """What is said of each of `members` by its name, as one paragraph; empty where nothing is."""
    return "\n".join(
        f"{name}: " + doc.strip().replace("\n", f"\n{INDENT}") for name, doc in members if doc and doc.strip()
    )


def comment(text: str) -> str:
    """`text` as what can stand behind a `#`."""
    return visible(text)


def _lines(text: str, width: int) -> Iterator[str]:
    """The lines of `text`, escaped and wrapped, without blank ones around it."""
    if len(text) <= width and text.isascii() and text.isprintable() and "\\" not in text and '"""' not in text:
        yield text.rstrip()
        return
    for line in _LINE_ENDS.split(text.strip("\r\n")):
        yield from _wrapped(_escaped(line.rstrip()), width)


def _escaped(line: str) -> str:
    """`line` as it is written between three quotes."""
    if "\\" in line:
        line = line.replace("\\", "\\\\")
    if '"""' in line:
        line = line.replace('"""', '\\"\\"\\"')
    if "\t" in line:
        line = line.expandtabs(4)
    return visible(line)


def _ended(line: str) -> str:
    """`line`, escaped already, as it may stand before the three quotes that end it."""
    backslashes = len(line) - 1 - len(line[:-1].rstrip("\\"))
    return f'{line[:-1]}\\"' if line.endswith('"') and backslashes % 2 == 0 else line


def _wrapped(line: str, width: int) -> Iterator[str]:
    """`line` in pieces of at most `width` characters, but for longer words; all are indented as it is."""
    if len(line) <= width:
        yield line
        return
    indent = line[: len(line) - len(line.lstrip(" "))][:_INDENTATION]
    piece = ""
    for word in line.split():
        if piece and len(indent) + len(piece) + 1 + len(word) > width:
            yield indent + piece
            piece = word
        else:
            piece = f"{piece} {word}" if piece else word
    yield indent + piece
