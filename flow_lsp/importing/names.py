"""Names from outside: which can stand in Flow text as they are, and names of types made of what is not."""

from __future__ import annotations

from typing import Final
from unicodedata import normalize

from flow_lsp.source.targets import BUILT_IN
from flow_lsp.source.tokens import KEYWORDS, read_name
from flow_lsp.text.visible import visible

LONGEST: Final = 200  # characters of a name that is taken as it is
_LONGEST_MADE: Final = 80  # of a made one, without the number that keeps it apart


def is_name(text: str) -> bool:
    """Whether `text` is a field's or parameter's name as it is: the same after reading, and all of it to be seen.

    A keyword is, since `:` follows it.
    """
    return len(text) <= LONGEST and read_name(text) == text and visible(text) == text


def is_free_name(text: str) -> bool:
    """Whether `text` is the name of a function or constructor as it is."""
    return is_name(text) and text not in KEYWORDS


def camel(text: str) -> str:
    """`text` as a part of a type's name, `GetWeather` of `get-weather`; empty where nothing of it can be one."""
    words: list[str] = []
    at_start = True
    for letter in text[:LONGEST]:
        if letter.isalnum() and ("a" + letter).isidentifier():
            words.append(letter.upper() if at_start and len(letter.upper()) == 1 else letter)
            at_start = False
        else:
            at_start = True
    return "".join(words)


class TypeNames:
    """The names of one file: each is given out once. `taken` are those that are in use already."""

    def __init__(self, taken: set[str]) -> None:
        self._taken = {*taken, *BUILT_IN, *KEYWORDS, "Result"}
        self._numbers: dict[str, int] = {}

    def new(self, *parts: str) -> str:
        """A name made of `parts`, each of which `camel` gave."""
        base = normalize("NFC", "".join(parts))[:_LONGEST_MADE]
        if not is_free_name(base):
            base = "Type" + "".join(letter for letter in base if letter.isascii())
        name = base
        while name in self._taken:
            self._numbers[base] = self._numbers.get(base, 1) + 1
            name = f"{base}{self._numbers[base]}"
        self._taken.add(name)
        return name
