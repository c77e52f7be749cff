"""The slow reader of JSON text: an explicit stack, every fault with its place.

It is asked only for texts that the fast reader gave up. It is complete: a text without fault gives its value. Of a long
text nearly all is without fault, so what is plainly right is taken many values at a time.
"""

from __future__ import annotations

import re
from typing import Any, Final, NoReturn

from flow_lsp.findings.model import shown
from flow_lsp.values.limits import Limits
from flow_lsp.values.numbers import read_number
from flow_lsp.values.strict_json import Json, JsonFault, JsonRefused, lone_surrogate_sentence, scanned

_WHITE_SPACE = re.compile(r"[ \t\n\r]*")
_NUMBER = re.compile(r"-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?")
_PLAIN = re.compile(r'[^"\\\x00-\x1f]*')
_WORD = re.compile(r"[-+.\w]*")
_HEXADECIMAL = re.compile(r"[0-9a-fA-F]{4}")
_ESCAPES: Final = {
    '"': '"', "\\": "\\", "/": "/", "b": "\b", "f": "\f", "n": "\n", "r": "\r", "t": "\t"
}  # fmt: skip
_LITERALS: Final[dict[str, Json]] = {"true": True, "false": False, "null": None}
_LITERAL = re.compile(r"(?:true|false|null)(?![\w.+-])")


def _runs() -> tuple[re.Pattern[str], re.Pattern[str]]:
    """What matches values, and members, each with the comma behind it: such that are nested little, and whose strings
    hold no \\u. Nothing is tried twice, so a match takes time linear in what it looks at."""
    space = r"[ \t\n\r]*+"
    string = r'"(?>[^"\\\x00-\x1f]++|\\["\\/bfnrt])*+"'
    number = r"-?(?>0|[1-9][0-9]*+)(?>\.[0-9]++)?+(?>[eE][+-]?[0-9]++)?+"
    scalar = value = f"(?>{number}|true|false|null|{string})"
    for _ in range(_RUN_DEPTH):
        items = f"{value}{space}(?>,{space}{value}{space})*+"
        members = f"{string}{space}:{space}{value}{space}(?>,{space}{string}{space}:{space}{value}{space})*+"
        value = rf"(?>{scalar}|\[{space}(?>{items})?+\]|\{{{space}(?>{members})?+\}})"
    behind = f"{space},{space}"
    return (
        re.compile(f"(?>{value}{behind}){{1,{_MOST_IN_RUN}}}+"),
        re.compile(f"(?>{string}{space}:{space}{value}{behind}){{1,{_MOST_IN_RUN}}}+"),
    )


_RUN_DEPTH: Final = 3
_MOST_IN_RUN: Final = 2_000  # so many are looked at one by one where they hold a fault that the patterns do not see
_ITEMS, _MEMBERS = _runs()


def read_slowly(text: str, deepest: int, limits: Limits) -> Json:
    """The value of `text`, nested at most `deepest` levels; raises JsonRefused at the first fault."""
    return _Reader(text, deepest, limits).read()


class _Reader:
    def __init__(self, text: str, deepest: int, limits: Limits) -> None:
        self._text = text
        self._deepest = deepest
        self._limits = limits
        self._at = 0
        self._one_by_one_until = 0

    def read(self) -> Json:
        # Each open container with the key that its next value belongs to; arrays have none.
        open_containers: list[tuple[Any, str | None]] = []
        while True:
            self._skip()
            if open_containers and open_containers[-1][1] is None:
                self._items(open_containers[-1][0], len(open_containers))
            start = self._text[self._at : self._at + 1]
            value: Any
            if start in ("{", "["):
                if len(open_containers) >= self._deepest:
                    self._refuse(JsonFault.DEPTH, f"The text is nested more than {self._deepest} levels deep.")
                self._at += 1
                self._skip()
                value = {} if start == "{" else []
                if not self._take("}" if start == "{" else "]"):
                    key = self._key(value, len(open_containers) + 1) if start == "{" else None
                    open_containers.append((value, key))
                    continue
            else:
                value = self._scalar(start)
            # A value is complete: give it to its container, and close each container that ends with it.
            while open_containers:
                container, key = open_containers.pop()
                if key is None:
                    container.append(value)
                else:
                    container[key] = value
                self._skip()
                if self._take(","):
                    self._skip()
                    if key is not None:
                        key = self._key(container, len(open_containers) + 1)
                    open_containers.append((container, key))
                    break
                end, kind = ("]", "array") if key is None else ("}", "object")
                if not self._take(end):
                    self._syntax(f"A comma or `{end}` is expected here, in the {kind}", self._found())
                value = container
            else:
                self._skip()
                if self._at < len(self._text):
                    self._syntax("Nothing may follow the value", self._found())
                complete: Json = value
                return complete

    def _items(self, container: list[Any], depth: int) -> None:
        """Takes values of an array, `depth` levels deep, for as long as they are plainly right."""
        while (run := self._run(_ITEMS, depth)) is not None:
            try:
                container += scanned(f"[{run}]", self._limits)
            except ValueError:
                self._one_by_one_until = self._at + len(run)
                return
            self._pass(run)

    def _members(self, container: dict[str, Any], depth: int) -> None:
        """The same of an object."""
        while (run := self._run(_MEMBERS, depth)) is not None:
            try:
                found = scanned(f"{{{run}}}", self._limits)
            except ValueError:
                found = None
            if found is None or not container.keys().isdisjoint(found):
                self._one_by_one_until = self._at + len(run)
                return
            container.update(found)
            self._pass(run)

    def _run(self, pattern: re.Pattern[str], depth: int) -> str | None:
        """What `pattern` matches here, without the last comma."""
        if self._at < self._one_by_one_until or depth + _RUN_DEPTH > self._deepest:
            return None
        match = pattern.match(self._text, self._at)
        return None if match is None else match.group().rstrip()[:-1]

    def _pass(self, run: str) -> None:
        self._at += len(run) + 1
        self._skip()

    def _key(self, container: dict[str, Any], depth: int) -> str:
        self._members(container, depth)
        start = self._at
        if not self._take('"'):
            self._syntax("A key in double quotes is expected here", self._found())
        key = self._string(start)
        if key in container:
            self._refuse(JsonFault.DUPLICATE_KEY, f"The key `{shown(key)}` stands twice in one object.", start)
        self._skip()
        if not self._take(":"):
            self._syntax("A colon is expected here, behind the key", self._found())
        return key

    def _scalar(self, start: str) -> Json:
        if start == '"':
            self._at += 1
            return self._string(self._at - 1)
        number = _NUMBER.match(self._text, self._at)
        if number is not None:
            self._at = number.end()
            return read_number(number.group(), self._limits)
        literal = _LITERAL.match(self._text, self._at)
        if literal is not None:
            self._at = literal.end()
            return _LITERALS[literal.group()]
        return self._syntax("A JSON value is expected here", self._found())

    def _string(self, start: int) -> str:
        text, parts = self._text, []
        while True:
            plain = _PLAIN.match(text, self._at)
            assert plain is not None
            parts.append(plain.group())
            self._at = plain.end()
            mark = text[self._at : self._at + 1]
            if mark == '"':
                self._at += 1
                return "".join(parts)
            if not mark:
                self._syntax("This string has no closing quote", "", start)
            if mark != "\\":
                self._syntax(f"The control character U+{ord(mark):04X} in a string must be written as an escape")
            parts.append(self._escape())

    def _escape(self) -> str:
        text, start = self._text, self._at
        letter = text[start + 1 : start + 2]
        if letter in _ESCAPES:
            self._at += 2
            return _ESCAPES[letter]
        unit = self._unit(start)
        if unit is None:
            self._syntax(f"`{shown(text[start : start + 2])}` is no escape of JSON")
        self._at += 6
        if not 0xD800 <= unit < 0xE000:
            return chr(unit)
        low = self._unit(self._at) if unit < 0xDC00 else None
        if low is None or not 0xDC00 <= low < 0xE000:
            self._refuse(JsonFault.SURROGATE, lone_surrogate_sentence(text[start : start + 6]), start)
        self._at += 6
        return chr(0x10000 + ((unit - 0xD800) << 10) + (low - 0xDC00))

    def _unit(self, at: int) -> int | None:
        if not self._text.startswith("\\u", at):
            return None
        digits = _HEXADECIMAL.match(self._text, at + 2)
        return None if digits is None else int(digits.group(), 16)

    def _skip(self) -> None:
        match = _WHITE_SPACE.match(self._text, self._at)
        assert match is not None
        self._at = match.end()

    def _take(self, mark: str) -> bool:
        if not self._text.startswith(mark, self._at):
            return False
        self._at += 1
        return True

    def _found(self) -> str:
        if self._at >= len(self._text):
            return "and the text ends"
        word = _WORD.match(self._text, self._at, self._at + 80)
        return f"and `{shown((word.group() if word else '') or self._text[self._at])}` stands there"

    def _syntax(self, what: str, found: str = "", at: int | None = None) -> NoReturn:
        self._refuse(JsonFault.SYNTAX, f"{what}{', ' if found else ''}{found}.", at)

    def _refuse(self, kind: JsonFault, sentence: str, at: int | None = None) -> NoReturn:
        raise JsonRefused(kind, self._at if at is None else at, sentence)
