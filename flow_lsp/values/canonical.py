"""The canonical text of a JSON value ("The canonical form"): one text for equal values.

The only place that knows it; every hash is taken over what stands here.
"""

from __future__ import annotations

import json
import re
from decimal import Decimal
from typing import Any

from flow_lsp.values.numbers import HugeNumber, number_text
from flow_lsp.values.strict_json import Json

_MARK = "\0number:"
_MARKED = re.compile(r'"\\u0000number:([-+.e0-9]+)"')

# With these settings Python's encoder writes exactly the canonical form of everything but a Decimal: strings
# compare by code point, and escapes are the short ones and lower-case \u00xx.
_SETTINGS: dict[str, Any] = {
    "ensure_ascii": False,
    "check_circular": False,
    "allow_nan": False,
    "sort_keys": True,
    "separators": (",", ":"),
}
_encode = json.JSONEncoder(**_SETTINGS).encode
_string_text = json.JSONEncoder(ensure_ascii=False).encode


def canonical_text(value: Json) -> str:
    """The canonical text of `value`, which is a tree as `read_json` gives it: no floats, keys are strings.

    Lone surrogates, which no strict text holds, are passed on: then the result cannot be encoded as UTF-8. A
    number past the limits is written with its exponent.
    """
    try:
        return _encode(value)
    except TypeError:  # it holds a Decimal or a HugeNumber
        return _with_marked_numbers(value)
    except (ValueError, RecursionError):  # an int past Python's guard, or deep nesting
        return _written(value)


def _with_marked_numbers(value: Json) -> str:
    """The text by Python's encoder, which can write a number of ours as a string alone: a marked one, whose
    quotes and mark are taken away again. Where a text in `value` holds the mark, all is written otherwise."""
    marked = 0

    def mark(number: object) -> str:
        nonlocal marked
        if not isinstance(number, Decimal | HugeNumber):
            raise TypeError(f"a {type(number).__name__} is no JSON value")
        marked += 1
        return _MARK + number_text(number)

    try:
        text = json.JSONEncoder(**_SETTINGS, default=mark).encode(value)
    except (ValueError, RecursionError):
        return _written(value)
    if text.count("\\u0000number:") != marked:
        return _written(value)
    return _MARKED.sub(r"\1", text)


def _written(value: Json) -> str:
    parts: list[str] = []
    # What is still to be written, last first. A str is text as it is; a list of one is a value.
    ahead: list[Any] = [[value]]
    while ahead:
        next_one = ahead.pop()
        if isinstance(next_one, str):
            parts.append(next_one)
            continue
        (current,) = next_one
        if current is None:
            parts.append("null")
        elif isinstance(current, bool):
            parts.append("true" if current else "false")
        elif isinstance(current, str):
            parts.append(_string_text(str(current)))
        elif isinstance(current, int | Decimal | HugeNumber):
            parts.append(number_text(current))
        elif isinstance(current, dict):
            ahead.append("}")
            for key in sorted(current, reverse=True):
                ahead += ([current[key]], ":", _string_text(key), ",")
            if current:
                ahead.pop()
            ahead.append("{")
        elif isinstance(current, list | tuple):
            ahead.append("]")
            for item in reversed(current):
                ahead += ([item], ",")
            if current:
                ahead.pop()
            ahead.append("[")
        else:
            raise TypeError(f"a {type(current).__name__} is no JSON value")
    return "".join(parts)
