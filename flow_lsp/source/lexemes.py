"""The words, comments, strings and brackets of Flow text, read or not read by the reader of declarations."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple
from unicodedata import is_normalized

from flow_lsp.source.tokens import STRING, WORD, block_end, identifier_pieces, read_name
from flow_lsp.text.spans import Span

_LEXEME = re.compile(
    rf"(?P<comment>//[^\n]*+)|(?P<block>/\*)|(?P<string>{STRING})|(?P<word>{WORD})"
    r"|(?P<at>@)|(?P<dot>\.)|(?P<open>[({\[])|(?P<close>[)}\]])"
)
_WORD = re.compile(WORD)


class Lexeme(NamedTuple):
    """`kind` is `comment`, `block` (a block comment), `string`, `word`, `at`, `dot`, `open` or `close`."""

    kind: str
    start: int
    end: int


def lexemes(text: str, start: int, end: int) -> Iterator[Lexeme]:
    """What stands in `text` from `start` to `end`, in order; other marks and white space are left out.

    A block comment that does not end runs to `end`. A run of letters is cut where it holds several identifiers.
    """
    position = start
    while (match := _LEXEME.search(text, position, end)) is not None:
        kind = match.lastgroup
        assert kind is not None
        begin, position = match.span()
        if kind == "block":
            closed = block_end(text, begin, end)
            position = closed if closed >= 0 else end
        elif kind == "word":
            word = text[begin:position]
            if not word.isascii() and not word.isidentifier():
                for piece in _pieces(word):
                    yield Lexeme("word", begin + piece.start, begin + piece.end)
                continue
        yield Lexeme(kind, begin, position)


def _pieces(word: str) -> Iterator[Span]:
    """The identifiers in a run of letters."""
    start = 0
    for end, valid in identifier_pieces(word):
        if valid:
            yield Span(start, end)
        start = end


def may_hold(text: str, name: str) -> bool:
    """Whether `name`, in its NFC form, may stand in `text`, however it is spelt there; quickly."""
    return name in text or not (text.isascii() or is_normalized("NFC", text))


def word_spans(text: str, name: str) -> list[Span]:
    """Where `name`, in its NFC form, stands in `text` as a whole word, comments and strings included. Linear."""
    found: list[Span] = []
    if not may_hold(text, name):
        return found
    if text.isascii():
        position = text.find(name)
        while position >= 0:
            end = position + len(name)
            beside = text[max(position - 1, 0) : position] + text[end : end + 1]
            if not any(letter.isalnum() or letter == "_" for letter in beside):
                found.append(Span(position, end))
            position = text.find(name, end)
        return found
    for match in _WORD.finditer(text):
        word = match.group()
        if word == name:
            found.append(Span(*match.span()))
        elif not word.isascii():
            start = match.start()
            whole = [Span(0, len(word))] if word.isidentifier() else _pieces(word)
            found += [piece.shifted(start) for piece in whole if read_name(word[piece.start : piece.end]) == name]
    return found
