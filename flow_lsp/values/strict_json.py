"""Reading JSON text strictly (decisions 3): RFC 8259, UTF-8 without BOM, no key twice, no lone surrogate.

Python's scanner does the work, with hooks where it is lenient; `diagnosis` reads a text again, slowly, where
it must be said what is wrong and where, or where the text is nested too deep for the scanner.
"""

from __future__ import annotations

import gc
import json
import re
import sys
from collections.abc import Callable, Generator
from decimal import Decimal
from enum import StrEnum
from typing import Any, Final, TypeAlias

from flow_lsp.values.limits import DEFAULT_LIMITS, Limits
from flow_lsp.values.numbers import HugeNumber, read_number

Json: TypeAlias = "dict[str, Json] | list[Json] | str | int | Decimal | HugeNumber | bool | None"
JsonObject: TypeAlias = dict[str, Any]


class JsonFault(StrEnum):
    """Why a text is no JSON text as this boundary wants it."""

    UTF8 = "utf8"
    SYNTAX = "syntax"
    DUPLICATE_KEY = "duplicate-key"
    SURROGATE = "surrogate"
    DEPTH = "depth"


class JsonRefused(Exception):  # noqa: N818 - the word of the specification
    """A JSON text is refused. `offset` counts the text's code points, but bytes where `kind` is utf8.

    `sentence` is one sentence with a full stop.
    """

    def __init__(self, kind: JsonFault, offset: int, sentence: str) -> None:
        super().__init__(sentence)
        self.kind: Final = kind
        self.offset: Final = offset
        self.sentence: Final = sentence


# Every backslash of a JSON text stands in a string. In this order, `\\ud800` is an escaped backslash, and a
# high surrogate takes the low one that follows it: what is left to the last branch is a half.
_ESCAPE = re.compile(
    r"\\(?:u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}|(u[dD][89a-fA-F][0-9a-fA-F]{2})|.)",
    re.DOTALL,
)
_SURROGATE_ESCAPE = re.compile(r"\\u[dD][89a-fA-F]")

_DIGITS: Final = "0123456789"
_SPACE: Final = " \t\r\n"  # and the empty text
_FEWEST_DIGITS: Final = 100  # where limits allow fewer, each number is looked at
_MOST_DIGITS: Final = 2_048  # so many are converted without a thought
_SHORT: Final = 4_096  # characters of a text for which hooks of its own would cost more than they save
_SAMPLE: Final = 4_096  # characters of a text's beginning, by which is guessed what it is full of
_EXPONENTS = (re.compile("e(?<=[0-9]e)[-+0-9]"), re.compile("E(?<=[0-9]E)[-+0-9]"))
# Only then does the collector's view of a value hold arrays, objects and their items alone.
_SCALARS_HOLD_NOTHING: Final = not gc.get_referents("a", 1, Decimal("0.5"), True, None)


def read_json(data: bytes | str, limits: Limits = DEFAULT_LIMITS, envelope: int = 0) -> Json:
    """The value that `data` writes; raises JsonRefused, and nothing else.

    `limits.nesting` holds from the text's root, with `envelope` levels more for a message that stands around
    the value. Numbers past the limits become HugeNumbers. Linear in the length of `data`.
    """
    text = _decoded(data)
    deepest = limits.nesting + envelope
    huge: list[HugeNumber] = []
    try:
        value = _scanned(text, limits, huge)
    except (ValueError, RecursionError):
        return _diagnosed(text, deepest, limits)
    if len(text) > deepest and text.count("[") + text.count("{") > deepest:
        too_deep = deeper_than if huge or not _SCALARS_HOLD_NOTHING else _is_deeper
        if too_deep(value, deepest):
            del value  # the slow reader makes another; both at once would take twice the memory
            return _diagnosed(text, deepest, limits)
    if "\\" in text and _SURROGATE_ESCAPE.search(text):
        for escape in _ESCAPE.finditer(text):
            if escape.group(1):
                raise JsonRefused(JsonFault.SURROGATE, escape.start(), lone_surrogate_sentence(escape.group()))
    return value


def lone_surrogate_sentence(escape: str) -> str:
    """What is said of `escape`, half of a surrogate pair."""
    return f"A text holds half a character, the lone surrogate {escape}, which no UTF-8 can write."


def _decoded(data: bytes | str) -> str:
    if isinstance(data, bytes):
        try:
            text = data.decode("utf-8")
        except UnicodeDecodeError as error:
            raise JsonRefused(
                JsonFault.UTF8, error.start, f"Byte {error.start + 1} of the text is not UTF-8."
            ) from None
    else:
        text = data
        if not text.isascii():
            try:
                text.encode("utf-8")
            except UnicodeEncodeError as error:
                escape = f"\\u{ord(text[error.start]):04x}"
                raise JsonRefused(JsonFault.SURROGATE, error.start, lone_surrogate_sentence(escape)) from None
    if text.startswith("\ufeff"):
        raise JsonRefused(JsonFault.UTF8, 0, "The text begins with a byte order mark, which JSON text must not have.")
    return text


def _scanned(text: str, limits: Limits, huge: list[HugeNumber]) -> Json:
    """The value of `text` by Python's scanner; the numbers past the limits go to `huge` as well."""

    # No number without an exponent that has at most so many digits on either side of the point is past a limit.
    most = min(limits.int_digits, limits.decimal_digits // 2, limits.decimal_places, _MOST_DIGITS)
    most = min(most, sys.get_int_max_str_digits() or most)
    ordinary = most >= _FEWEST_DIGITS and not _has_digits_in_a_row(text, most + 1)
    if ordinary and len(text) <= _SHORT and text[:1] not in _SPACE:
        try:
            plain, end = _PLAIN.raw_decode(text)
        except _ExponentFound:
            pass
        else:
            if end == len(text):  # else white space follows, or what must not
                return plain  # type: ignore[no-any-return]

    def read(literal: str) -> int | Decimal | HugeNumber:
        number = read_number(literal, limits)
        if isinstance(number, HugeNumber):
            huge.append(number)
        return number

    parse_float: Callable[[str], Any] = read
    if ordinary:
        parse_float = Decimal if _seems_without_exponents(text) else _fraction_reader(read)
    value: Json = json.JSONDecoder(
        object_pairs_hook=_unique_members(),
        parse_int=int if ordinary else read,
        parse_float=parse_float,
        parse_constant=_no_constant,
    ).decode(text)
    return value


def _has_digits_in_a_row(text: str, count: int) -> bool:
    """Whether at least `count` digits stand in a row: then one of them stands at a multiple of `count`."""
    for place in range(count - 1, len(text), count):
        if "0" <= text[place] <= "9":
            before, after = text[place - count + 1 : place], text[place : place + count]
            if len(before) - len(before.rstrip(_DIGITS)) + len(after) - len(after.lstrip(_DIGITS)) >= count:
                return True
    return False


def _seems_without_exponents(text: str) -> bool:
    """Whether certainly no number of `text` has an exponent. Looks closer only where decimals are frequent."""
    sample = text[:_SAMPLE]
    return sample.count(".") > sample.count("e") and not any(exponent.search(text) for exponent in _EXPONENTS)


def scanned(text: str, limits: Limits) -> Any:
    """The value of `text`, nested little, by Python's scanner; raises ValueError at a key that stands twice."""
    return _scanned(text, limits, [])


def _fraction_reader(read: Callable[[str], Any]) -> Callable[[str], Any]:
    """What gives a Decimal for a literal with a fraction of few digits, and asks `read` where an exponent stands.

    It is a generator, here and below, since one resumes in less time than a function is called.
    """

    def numbers() -> Generator[Any, str, None]:
        literal = yield None
        while True:
            literal = yield read(literal) if "e" in literal or "E" in literal else Decimal(literal)

    asked = numbers()
    next(asked)
    return asked.send


def _unique_members() -> Callable[[Any], Any]:
    """What gives the object of a list of members; raises ValueError for a key that stands twice."""

    def objects() -> Generator[dict[str, Json] | None, list[tuple[str, Json]], None]:
        members = yield None
        while True:
            found = dict(members)
            if len(found) != len(members):
                raise ValueError
            members = yield found

    asked = objects()
    next(asked)
    return asked.send


def _no_constant(_: str) -> None:
    raise ValueError


class _ExponentFound(Exception):  # noqa: N818 - no fault
    """A short text holds a number with an exponent, about which the limits have to be asked."""


def _plain_fraction(literal: str) -> Decimal:
    if "e" in literal or "E" in literal:
        raise _ExponentFound
    return Decimal(literal)


def _unique(members: list[tuple[str, Json]]) -> dict[str, Json]:
    found = dict(members)
    if len(found) != len(members):
        raise ValueError
    return found


# What most messages are read with: made once, and with nothing in it that remembers anything, so for every thread.
_PLAIN: Final = json.JSONDecoder(
    object_pairs_hook=_unique, parse_int=int, parse_float=_plain_fraction, parse_constant=_no_constant
)


def deeper_than(value: Json, deepest: int) -> bool:
    """Whether `value` holds more than `deepest` arrays and objects inside each other."""
    level: list[Any] = [value] if isinstance(value, dict | list) else []
    depth = 0
    while level:
        depth += 1
        if depth > deepest:
            return True
        level = [
            item
            for container in level
            for item in (container.values() if type(container) is dict else container)
            if type(item) is dict or type(item) is list
        ]
    return False


def _is_deeper(value: Json, deepest: int) -> bool:
    """The same, quickly: the collector names all that the containers of one level hold, in one call."""
    level: list[Any] = [value]
    for _ in range(deepest):
        if not level:
            return False
        level = gc.get_referents(*level)
    return any(type(item) is dict or type(item) is list for item in level)


def _diagnosed(text: str, deepest: int, limits: Limits) -> Json:
    from flow_lsp.values.diagnosis import read_slowly

    return read_slowly(text, deepest, limits)
