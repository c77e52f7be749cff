"""The words and marks of Flow text (decisions 8), as regular expressions that never backtrack.

LF ends a line, with or without a CR before it; U+2028 and a lone CR are white space inside one.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

SPACE = r"[^\S\n]"
_IN_LINE = r"(?:[^\r\n]|\r(?!\n))"
STRING = rf'"(?:[^"\\\r\n]++|\r(?!\n)|\\{_IN_LINE})*+(?:"|\\)?'  # ends at the latest with its line, before its end
WORD = r"[A-Za-z0-9_](?:[A-Za-z0-9_]|[^\x00-\x7f\s])*+|[^\x00-\x7f\s](?:[A-Za-z0-9_]|[^\x00-\x7f\s])*+"

ITEM_KEYWORDS = frozenset(("record", "enum", "host", "fn", "import"))
PREFIX_KEYWORDS = frozenset(("pub", "opaque"))
STARTING_KEYWORDS = ITEM_KEYWORDS | PREFIX_KEYWORDS
KEYWORDS = STARTING_KEYWORDS | {"as"}

COLON = re.compile(SPACE + "*+:")
_BLOCK = re.compile(r"/\*|\*/")


def block_end(text: str, start: int, end: int) -> int:
    """Where the block comment that opens at `start` ends, or -1 where it does not. Comments nest."""
    depth = 0
    for match in _BLOCK.finditer(text, start, end):
        depth += 1 if match.group() == "/*" else -1
        if depth == 0:
            return match.end()
    return -1


def is_doc(text: str, start: int, end: int) -> bool:
    """Whether the line comment there is a doc comment: three slashes and no fourth."""
    return text.startswith("///", start, end) and not text.startswith("////", start, end)


def read_name(word: str) -> str | None:
    """`word` as a name in its NFC form, or None where it is no identifier of UAX 31."""
    if not word.isidentifier():
        return None
    if word.isascii():
        return word
    from unicodedata import normalize

    return normalize("NFC", word)


def identifier_pieces(word: str) -> Iterator[tuple[int, bool]]:
    """Cuts a run of letters where its characters can be no part of one identifier.

    Yields the end of each piece and whether it is an identifier. Linear in the run.
    """
    position = 0
    while position < len(word):
        start = position
        if word[position].isidentifier():
            position += 1
            while position < len(word) and ("a" + word[position]).isidentifier():
                position += 1
            yield position, True
        else:
            while position < len(word) and not word[position].isidentifier():
                position += 1
            yield position, False
        assert position > start


def doc_text(lines: list[str]) -> str | None:
    """The text of doc comments given as their raw lines (decisions 5); an empty comment is none.

    Half a surrogate pair cannot be written as UTF-8; U+FFFD takes its place.
    """
    kept = [line[3:].removeprefix(" ").rstrip() for line in lines]
    text = "\n".join(kept).rstrip()
    if not text:
        return None
    return text if text.isascii() else LONE_SURROGATE.sub("\N{REPLACEMENT CHARACTER}", text)


LONE_SURROGATE = re.compile(r"[\ud800-\udfff]")
