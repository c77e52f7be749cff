"""Texts from outside as comments: doc comments, and plain ones that say why something is as it is."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from flow_lsp.text.visible import visible

WIDTH: Final = 100  # characters of a doc comment's line, where words allow
LINES: Final = 60  # of one doc comment
_CHARACTERS: Final = 8_000  # of one text that are looked at
_SELECTORS: Final = dict.fromkeys((0xFE0E, 0xFE0F))  # how an emoji is drawn; nothing else is lost with them


def doc_lines(text: str | None, indent: str = "") -> list[str]:
    """`text` as the lines of a doc comment: wrapped at words, cut where it is long, with nothing that hides."""
    wrapped = [piece for line in (text or "")[:_CHARACTERS].splitlines() for piece in _wrapped(_clean(line))]
    while wrapped and not wrapped[0]:
        wrapped.pop(0)
    while wrapped and not wrapped[-1]:
        wrapped.pop()
    if len(wrapped) > LINES or (wrapped and len(text or "") > _CHARACTERS):
        wrapped = [*wrapped[:LINES], "…"]
    return [f"{indent}/// {line}".rstrip() for line in wrapped]


def note_lines(notes: list[str], indent: str = "") -> list[str]:
    """Each of `notes`, sentences of our own in which texts from outside are `shown`, as plain comments."""
    return [f"{indent}// {piece}".rstrip() for note in notes for piece in _wrapped(_clean(note))]


def _clean(line: str) -> str:
    return visible(line.expandtabs(4).translate(_SELECTORS)).rstrip()


def _wrapped(line: str) -> Iterator[str]:
    """`line` in pieces of at most WIDTH characters, but for longer words; its indentation stays with the first."""
    if len(line) <= WIDTH:
        yield line
        return
    first = line[: len(line) - len(line.lstrip(" "))][:40]
    piece = ""
    for word in line.split():
        if piece and len(piece) + 1 + len(word) > WIDTH:
            yield piece
            piece = word
        else:
            piece = f"{piece} {word}" if piece else first + word
    yield piece
