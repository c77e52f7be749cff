"""Text made of what can be seen: what hides, moves or breaks up what stands around it is written as an escape."""

from __future__ import annotations

import re

# Letters that count as printable and show nothing, or a blank: joiners, fillers, selectors of variants. Two names that
# differ in one of them look the same, and a word with a filler in it looks like two.
_UNSEEN = re.compile(
    "[\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180d\u180f\u2800\u3164\ufe00-\ufe0f\uffa0\ufffc\U0001d159\U000e0100-\U000e01ef]"
)


def visible(text: str) -> str:
    """`text` in full, with an escape such as `\\x1b` or `\\u202e` for whatever cannot be seen as itself.

    Line ends, control characters, marks of direction, half characters and letters without a shape are escaped, so that
    the result stands on one line, can be written as UTF-8 and moves no cursor. Other blanks than the space are too.
    """
    if text.isascii() and text.isprintable():
        return text
    if not text.isprintable():
        text = "".join(letter if letter.isprintable() else _escape(letter) for letter in text)
    return _UNSEEN.sub(lambda found: _escape(found[0]), text)


def _escape(letter: str) -> str:
    return letter.encode("unicode_escape", "backslashreplace").decode("ascii")
