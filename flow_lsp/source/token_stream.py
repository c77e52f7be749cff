"""The words and marks of Flow text one after the other, comments and line ends among them, of any text."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from flow_lsp.source.cursor import TOKEN
from flow_lsp.source.tokens import KEYWORDS, block_end, read_name


@dataclass(frozen=True, slots=True)
class Token:
    """A word or mark. `kind` is `name`, `keyword`, `line`, `string`, `other`, `comment` or the mark itself."""

    kind: str
    start: int
    end: int


def tokens(text: str, start: int, end: int) -> Iterator[Token]:
    """The words, marks and comments of `text` between two offsets; the last may be cut at `end`."""
    position = start
    while (match := TOKEN.match(text, position, end)) is not None:
        family = match.lastgroup
        assert family is not None
        place, position = match.span(family)
        kind = family
        if family == "block":
            closed = block_end(text, place, end)
            position = closed if closed >= 0 else end
            kind = "comment"
        elif family == "mark":
            kind = text[place:position]
        elif family == "word":
            word = text[place:position]
            kind = "keyword" if word in KEYWORDS else "name" if read_name(word) is not None else "other"
        yield Token(kind, place, position)
