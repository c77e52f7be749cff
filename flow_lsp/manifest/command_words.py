"""The words of a command where they stand in flow.toml: inside a string of any kind, in quotes of the command line.

Texts that are not finished have words too: of an open quote, all that stands behind it.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from flow_lsp.text.spans import Span

# A letter of a basic string: an escape, a line joined to the next, a line end, or itself.
_LETTER = re.compile(
    r'\\(?:(["\\bfnrt])|u([0-9A-Fa-f]{4})|U([0-9A-Fa-f]{8})|([ \t]*\r?\n(?:[ \t\n]|\r\n)*))|(\r\n)|([\s\S])'
)
_LINE_END = re.compile(r"\r\n")
_SHORT = {'"': '"', "\\": "\\", "b": "\b", "f": "\f", "n": "\n", "r": "\r", "t": "\t"}
_BLANKS = " \t\r\n"
_QUOTES = ('"""', "'''", '"', "'")
LONGEST = 65_536  # letters of a command that are looked at


class StringContent(NamedTuple):
    """What a string says, and where each letter of it is written; `offsets` has one more for the end."""

    quote: str
    text: str
    offsets: Sequence[int]

    def span(self, start: int, end: int) -> Span:
        """Where the letters from `start` to `end` are written."""
        return Span(self.offsets[start], self.offsets[end])


class PlacedWord(NamedTuple):
    """A word, from `start` to `end` in the text it was read from; `open` is the quote that nothing closes, or empty."""

    text: str
    start: int
    end: int
    open: str


def string_content(text: str, start: int, end: int | None = None) -> StringContent | None:
    """What the string at `start` says up to `end`, where it ends or, for one without an end, the text that counts. None
    where no string starts there."""
    quote = next((quote for quote in _QUOTES if text.startswith(quote, start)), None)
    if quote is None:
        return None
    first = start + len(quote)
    last = len(text) if end is None else end
    if last >= first + len(quote) and text.startswith(quote, last - len(quote)) and end is not None:
        last -= len(quote)
    if len(quote) == 3 and text.startswith(("\n", "\r\n"), first):
        first += 1 if text[first] == "\n" else 2
    first, last = min(first, last), min(last, first + LONGEST)
    if quote[0] == "'" or "\\" not in text[first:last]:
        return _plain(quote, text, first, last)
    letters: list[str] = []
    offsets: list[int] = []
    for found in _LETTER.finditer(text, first, last):
        short, four, eight, joined, line_end, letter = found.groups()
        if joined is not None:
            continue
        code = int(four or eight, 16) if four or eight else -1
        if short is not None:
            letter = _SHORT[short]
        elif line_end is not None:
            letter = "\n"
        elif code >= 0:
            letter = chr(code) if code < 0xD800 or 0xDFFF < code < 0x110000 else "\N{REPLACEMENT CHARACTER}"
        letters.append(letter)
        offsets.append(found.start())
    return StringContent(quote, "".join(letters), [*offsets, last])


def _plain(quote: str, text: str, first: int, last: int) -> StringContent:
    content = text[first:last]
    if "\r\n" not in content:
        return StringContent(quote, content, range(first, last + 1))
    folded = {found.start() + 1 for found in _LINE_END.finditer(content)}
    offsets = [first + at for at in range(len(content) + 1) if at not in folded]
    return StringContent(quote, content.replace("\r\n", "\n"), offsets)


def placed_words(text: str, windows: bool = False) -> list[PlacedWord]:
    """The words of the command line `text` (decisions 7) with their places; also of one that is not finished.

    On Windows a text with quotes has none: what its parts come to is known of the whole alone.
    """
    if windows:
        if '"' in text:
            return []
        return [PlacedWord(found[0], found.start(), found.end(), "") for found in re.finditer(r"[^ \t]+", text)]
    words: list[PlacedWord] = []
    letters: list[str] | None = None
    start = at = 0
    quote = ""
    while at < len(text):
        letter = text[at]
        if not quote and letter in _BLANKS:
            if letters is not None:
                words.append(PlacedWord("".join(letters), start, at, ""))
                letters = None
            at += 1
            continue
        joined = letter == "\\" and quote != "'" and text.startswith("\n", at + 1)
        if joined and letters is None:
            at += 2  # a line joined to the next begins no word
            continue
        if letters is None:
            letters, start = [], at
        if joined:
            at += 2
        elif letter == quote or (not quote and letter in "'\""):
            quote = "" if quote else letter
            at += 1
        elif letter == "\\" and not quote:
            letters.append(text[at + 1 : at + 2])
            at += 2
        elif letter == "\\" and quote == '"' and text[at + 1 : at + 2] and text[at + 1] in '$`"\\':
            letters.append(text[at + 1])
            at += 2
        else:
            letters.append(letter)
            at += 1
    if letters is not None:
        words.append(PlacedWord("".join(letters), start, min(at, len(text)), quote))
    return words
