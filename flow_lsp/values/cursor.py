"""What stands at a place of a JSON text that is being typed: nothing of it need be complete."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from enum import Enum, auto

from flow_lsp.text.spans import Span

# A string ends at the latest with its line, so that a missing quote does not swallow what follows.
_TOKEN = re.compile(r'"(?:[^"\\\n]++|\\[^\n])*+(?:"|\\?)|[{}\[\]:,]|[^\s"{}\[\]:,]++')
_STRING = re.compile(r'"(?:[^"\\\n]++|\\[^\n])*+"')


class Role(Enum):
    """What belongs at a place."""

    KEY = auto()  # a key of an object
    VALUE = auto()
    NOTHING = auto()  # a colon or a comma, or nothing any more


@dataclass(frozen=True, slots=True)
class JsonCursor:
    """A place in a JSON text.

    `steps` lead to the value, or for a key to the object that it is of. `span` is the word or string there, or the
    place itself; `written` the string's or word's text. `keys` are the other keys of that object. `occupied`: a value
    of several words begins there or follows. `has_colon`: a colon follows the key. `wants_comma`: another key or value
    follows without a comma.
    """

    role: Role
    steps: tuple[str | int, ...]
    span: Span
    written: str = ""
    keys: frozenset[str] = frozenset()
    occupied: bool = False
    has_colon: bool = False
    wants_comma: bool = False


@dataclass(slots=True)
class _Open:
    """An object or array that is not closed yet. `wants` is what belongs next in it."""

    is_object: bool
    wants: str
    key: str = ""
    index: int = 0
    keys: list[str] = field(default_factory=list)


def cursor_at(text: str, offset: int) -> JsonCursor:
    """What stands at `offset` of `text`, any text. Linear in it; nothing is raised."""
    return _Scan(text, offset).cursor()


class _Scan:
    def __init__(self, text: str, offset: int) -> None:
        self._text = text
        self._offset = max(0, min(offset, len(text)))
        self._open: list[_Open] = []
        self._root_wants = "value"

    def cursor(self) -> JsonCursor:
        tokens = _TOKEN.finditer(self._text)
        for token in tokens:
            word = token.group()
            if token.start() > self._offset or (token.start() == self._offset and word in ":,}]"):
                return self._found(Span(self._offset, self._offset), "", token, tokens)
            if word in "{}[]:,":
                if token.start() == self._offset and word in "{[":
                    role = Role.VALUE if self._wants() == "value" else Role.NOTHING
                    return JsonCursor(role, self._steps(), Span(*token.span()), occupied=True)
            elif self._offset <= token.end():
                if word[0] == '"' and not _STRING.fullmatch(word):  # what follows on the line is no part of it, perhaps
                    span = Span(token.start(), self._offset)
                    return self._found(span, self._text[span.start : span.end], None, tokens)
                return self._found(Span(*token.span()), word, next(tokens, None), tokens)
            self._take(word)
        return self._found(Span(self._offset, self._offset), "", None, tokens)

    def _found(
        self, span: Span, word: str, following: re.Match[str] | None, tokens: Iterator[re.Match[str]]
    ) -> JsonCursor:
        """The cursor at `span`, where `word` stands, or nothing; `following` is the next token."""
        wants = self._wants()
        next_word = following.group() if following is not None else ""
        if wants == "key" or (wants == "comma" and word[:1] == '"' and self._open and self._open[-1].is_object):
            role = Role.KEY
        else:
            role = Role.VALUE if wants == "value" else Role.NOTHING
        steps = self._steps()
        if role is not Role.KEY:
            begins = next_word not in ("", ":", ",", "}", "]")
            return JsonCursor(role, steps, span, _string(word), occupied=begins and not word, wants_comma=begins)
        return JsonCursor(
            role,
            steps[:-1],
            span,
            _string(word),
            self._keys(word, following, tokens),
            has_colon=bool(word) and next_word == ":",
            wants_comma=next_word[:1] == '"',
        )

    def _keys(self, word: str, following: re.Match[str] | None, tokens: Iterator[re.Match[str]]) -> frozenset[str]:
        """The keys of the innermost object but the one at the cursor, those that follow it too."""
        around = self._open[-1]
        before = list(around.keys)
        depth = len(self._open)
        if word:
            self._take(word)
        around.keys.clear()
        while following is not None:
            self._take(following.group())
            if len(self._open) < depth:
                break
            following = next(tokens, None)
        return frozenset([*before, *around.keys])

    def _wants(self) -> str:
        return self._open[-1].wants if self._open else self._root_wants

    def _steps(self) -> tuple[str | int, ...]:
        return tuple([each.key if each.is_object else each.index for each in self._open])

    def _take(self, word: str) -> None:
        """Goes on behind one token."""
        around = self._open[-1] if self._open else None
        if word in ("{", "["):
            self._open.append(_Open(word == "{", "key" if word == "{" else "value"))
        elif word in ("}", "]"):
            if around is not None:
                self._open.pop()
            self._complete()
        elif word == ",":
            if around is not None:
                around.wants = "key" if around.is_object else "value"
                around.index += 1
        elif word == ":":
            if around is not None and around.is_object:
                around.wants = "value"
        elif around is not None and around.is_object and around.wants != "value":
            around.key = _string(word)  # also where a comma is missing before it
            around.keys.append(around.key)
            around.wants = "colon"
        else:
            self._complete()

    def _complete(self) -> None:
        """A value has ended."""
        if self._open:
            self._open[-1].wants = "comma"
        else:
            self._root_wants = "nothing"


def _string(word: str) -> str:
    """The text that a string token writes, as far as it goes; another word is itself."""
    if word[:1] != '"':
        return word
    try:
        found = json.loads(word)
    except ValueError:
        return word[1:].removesuffix('"')
    return found if isinstance(found, str) else ""
