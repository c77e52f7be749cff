"""Reading JSON text strictly (decisions 3): RFC 8259, UTF-8 without BOM, no key twice, no lone surrogate.

Python's scanner does the work, with hooks where it is lenient; `diagnosis` reads a text again, slowly, where
it must be said what is wrong and where, or where the text is nested too deep for the scanner.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable
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


def read_json(data: bytes | str, limits: Limits = DEFAULT_LIMITS, envelope: int = 0) -> Json:
    """The value that `data` writes; raises JsonRefused, and nothing else.

    `limits.nesting` holds from the text's root, with `envelope` levels more for a message that stands around
    the value. Numbers past the limits become HugeNumbers. Linear in the length of `data`.
    """
    text = _decoded(data)
    deepest = limits.nesting + envelope
    try:
        value = _scanned(text, limits)
    except (ValueError, RecursionError):
        return _diagnosed(text, deepest, limits)
    if text.count("[") + text.count("{") > deepest and deeper_than(value, deepest):
        return _diagnosed(text, deepest, limits)
    if _SURROGATE_ESCAPE.search(text):
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


def _scanned(text: str, limits: Limits) -> Json:
    decoder = json.JSONDecoder(
        object_pairs_hook=_unique,
        parse_int=_integer_reader(limits),
        parse_float=lambda literal: read_number(literal, limits),
        parse_constant=_no_constant,
    )
    value: Json = decoder.decode(text)
    return value


def _integer_reader(limits: Limits) -> Callable[[str], Any]:
    if limits.int_digits < 100 or limits.decimal_places < 100:
        return lambda literal: read_number(literal, limits)
    return lambda literal: int(literal) if len(literal) < 100 else read_number(literal, limits)


def _unique(pairs: list[tuple[str, Json]]) -> dict[str, Json]:
    found = dict(pairs)
    if len(found) != len(pairs):
        raise ValueError
    return found


def _no_constant(_: str) -> None:
    raise ValueError


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


def _diagnosed(text: str, deepest: int, limits: Limits) -> Json:
    from flow_lsp.values.diagnosis import read_slowly

    return read_slowly(text, deepest, limits)
