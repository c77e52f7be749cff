"""The canonical text of a JSON value ("The canonical form"): one text for equal values.

The only place that knows it; every hash is taken over what stands here.

Python's encoder in C writes almost all of it. What it cannot write, a Decimal, it leaves a mark for; what it would
write wrongly, a float or a key that is no string, shows in its text. Whatever is out of the ordinary goes to the slow
writer, which is complete.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Generator
from decimal import Decimal
from itertools import chain
from json.encoder import encode_basestring
from typing import Any, Final

from flow_lsp.values.numbers import HugeNumber, number_text
from flow_lsp.values.strict_json import Json

# With these settings Python's encoder writes exactly the canonical form of what has the types below: strings compare
# by code point, and escapes are the short ones and lower-case \u00xx.
_SETTINGS: Final[dict[str, Any]] = {
    "ensure_ascii": False,
    "check_circular": False,
    "allow_nan": False,
    "sort_keys": True,
    "separators": (",", ":"),
}
_ENCODE: Final = json.JSONEncoder(**_SETTINGS).encode
_ORDINARY: Final = frozenset({str, int, bool, type(None), Decimal, dict, list, tuple})
_STRING: Final = frozenset({str})
_MARK: Final = "\0"  # where a Decimal stands
_WRITTEN_MARK: Final = '"\\u0000"'
# What the encoder writes for the first key of an object whose keys are numbers, booleans or null (with others among
# them it could not sort them), and for a float in each of its forms. Texts that look so are rare; the value tells.
_DOUBTFUL: Final = (
    ("{", re.compile(r'\{(?=")["](?:[-0-9]|(?:true|false|null)")')),
    (".", re.compile(r"\.(?<=[0-9]\.)[0-9]+(?=,(?! )|[\]}]|\Z)")),
    ("+", re.compile(r"\+(?<=[0-9]e\+)[0-9]+(?=,(?! )|[\]}]|\Z)")),
    ("-", re.compile(r"-(?<=[0-9]e-)[0-9]+(?=,(?! )|[\]}]|\Z)")),
)


def canonical_text(value: Json) -> str:
    """The canonical text of `value`, which is a tree as `read_json` gives it (a tuple passes for a list).

    Raises TypeError for what is no JSON value, such as a float anywhere in it or a key that is no string, and
    ValueError for a Decimal that is not finite or a container that holds itself. Lone surrogates, which no strict
    text holds, are passed on: then the result cannot be encoded as UTF-8. A HugeNumber is written with its exponent.
    """
    if type(value) is str:
        return encode_basestring(value)
    decimals: list[Decimal] = []
    try:
        text = json.JSONEncoder(**_SETTINGS, default=_marker(decimals)).encode(value)
    except (TypeError, ValueError, RecursionError):  # keys of several types, an int past Python's guard, deep nesting
        return _written(value)
    for letter, doubtful in _DOUBTFUL:
        if letter in text and doubtful.search(text):
            if not _is_ordinary(value):
                return _written(value)
            break
    if not decimals:
        return text
    between = text.split(_WRITTEN_MARK)
    if len(between) != len(decimals) + 1:  # a text of the value holds the mark
        return _written(value)
    try:
        numbers = _number_texts(decimals)
    except TypeError:  # not all are Decimals
        return _written(value)
    pieces = [""] * (len(between) + len(numbers))
    pieces[::2], pieces[1::2] = between, numbers
    return "".join(pieces)


def canonical_text_of_schema(value: Json) -> str:
    """The canonical text of a tree of our own making that holds no float and no key that is no string, such as a schema
    or a term: the same in less time, since that is not looked at. A Decimal may be in it."""
    if type(value) is str:
        return encode_basestring(value)
    try:
        return _ENCODE(value)
    except (TypeError, ValueError, RecursionError):
        return canonical_text(value)


def _marker(decimals: list[Decimal]) -> Callable[[Any], str]:
    """What the encoder asks how to write a Decimal: notes it in `decimals`, in the order of the text."""

    def marks() -> Generator[str, Any, None]:
        note = decimals.append
        number = yield _MARK
        while True:
            note(number)
            number = yield _MARK

    asked = marks()
    next(asked)
    return asked.send  # a generator resumes in less time than a function is called


def _is_ordinary(value: Json) -> bool:
    """Whether every type in `value`, which holds no cycle, is one that the encoder writes as it should be."""
    items: list[Any] = [value]
    while items:  # all that stand at one depth
        if not _ORDINARY.issuperset(map(type, items)):
            return False
        objects = [item for item in items if type(item) is dict]
        if not _STRING.issuperset(map(type, chain.from_iterable(objects))):
            return False
        arrays = [item for item in items if type(item) is list or type(item) is tuple]
        items = list(chain(chain.from_iterable(map(dict.values, objects)), chain.from_iterable(arrays)))
    return True


def _number_texts(decimals: list[Decimal]) -> list[str]:
    """The canonical texts of `decimals`, most of which Python writes as they should be; raises TypeError for others."""
    texts = [text if text[-1] != "0" else _without_zeros(text) for text in map(Decimal.__str__, decimals)]
    letters = "".join(texts)
    if "E" in letters or "e" in letters or "N" in letters or "I" in letters:  # exponents, NaN and Infinity
        return list(map(number_text, decimals))
    return texts


def _without_zeros(text: str) -> str:
    if "." in text:
        text = text.rstrip("0").rstrip(".")
    return text if text != "-0" else "0"


def _written(value: Json) -> str:
    """The same text, slowly, with an explicit stack: it refuses what is no JSON value."""
    parts: list[str] = []
    inside: set[int] = set()  # the containers that the next value stands in
    # What is still to be written, last first. A str is text as it is; a list of one is a value; an int is a container
    # that is complete.
    ahead: list[Any] = [[value]]
    while ahead:
        next_one = ahead.pop()
        if isinstance(next_one, str):
            parts.append(next_one)
            continue
        if isinstance(next_one, int):
            inside.remove(next_one)
            continue
        (current,) = next_one
        if current is None:
            parts.append("null")
        elif isinstance(current, bool):
            parts.append("true" if current else "false")
        elif isinstance(current, str):
            parts.append(encode_basestring(current))
        elif isinstance(current, int | Decimal | HugeNumber):
            parts.append(number_text(current))
        elif isinstance(current, dict | list | tuple):
            if id(current) in inside:
                raise ValueError(f"a {type(current).__name__} holds itself")
            inside.add(id(current))
            ahead.append(id(current))
            if isinstance(current, dict):
                _put_object(current, ahead)
            else:
                _put_array(current, ahead)
        else:
            raise TypeError(f"a {type(current).__name__} is no JSON value")
    return "".join(parts)


def _put_object(current: dict[Any, Any], ahead: list[Any]) -> None:
    ahead.append("}")
    for key in current:
        if not isinstance(key, str):
            raise TypeError(f"a {type(key).__name__} is no key of a JSON object")
    for key in sorted(current, reverse=True):
        ahead += ([current[key]], ":", encode_basestring(key), ",")
    if current:
        ahead.pop()
    ahead.append("{")


def _put_array(current: list[Any] | tuple[Any, ...], ahead: list[Any]) -> None:
    ahead.append("]")
    for item in reversed(current):
        ahead += ([item], ",")
    if current:
        ahead.pop()
    ahead.append("[")
