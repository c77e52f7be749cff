"""Where in a JSON text the value of a JSON Pointer stands, or its key."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator

from flow_lsp.text.spans import Span

_SPACE = re.compile(r"[ \t\n\r]*+")
_STRING = re.compile(r'"(?:[^"\\]++|\\.)*+"?', re.DOTALL)
_OTHER = re.compile(r'[^ \t\n\r,:"\[\]{}]*+')
_BRACKET = re.compile(r'"(?:[^"\\]++|\\.)*+"?|[\[\]{}]', re.DOTALL)


def place_of(text: str, pointer: str) -> Span:
    """Where the value that `pointer` (RFC 6901) leads to stands in `text`; where it leads to none, the value of
    its longest beginning that does.

    `text` is one that `read_json` takes; of any other some place in it is given, and nothing is raised. Linear
    in `text`, however deep it is nested.
    """
    start = _skipped(text, 0)
    for token in pointer.split("/")[1:]:
        step = token.replace("~1", "/").replace("~0", "~")
        inner = _member(text, start, step) if text.startswith("{", start) else _item(text, start, step)
        if inner is None:
            break
        start = inner
    return Span(start, _end(text, start))


def key_place_of(text: str, pointer: str) -> Span:
    """Where the key stands under which `pointer` finds its last member; the value's place where that is no member."""
    above, _, last = pointer.rpartition("/")
    start = place_of(text, above).start
    name = last.replace("~1", "/").replace("~0", "~")
    keys = (key for key, _ in _members(text, start) if _key(text[key.start : key.end]) == name)
    return next(keys, None) or place_of(text, pointer)


def _member(text: str, start: int, name: str) -> int | None:
    """Where the value of the member `name` begins in the object at `start`."""
    return next((value for key, value in _members(text, start) if _key(text[key.start : key.end]) == name), None)


def _members(text: str, start: int) -> Iterator[tuple[Span, int]]:
    """The members of the object at `start`, as far as they can be read: where the key is, where the value begins."""
    at = start
    while text.startswith("{" if at == start else ",", at):
        at = _skipped(text, at + 1)
        key = Span(at, _end(text, at))
        at = _skipped(text, key.end)
        if not text.startswith(":", at):
            return
        at = _skipped(text, at + 1)
        yield key, at
        at = _skipped(text, _end(text, at))


def _item(text: str, start: int, index: str) -> int | None:
    """Where the item of that index begins in the array at `start`."""
    at, count = start, 0
    while text.startswith("[" if at == start else ",", at):
        at = _skipped(text, at + 1)
        if text.startswith("]", at):
            return None
        if str(count) == index:
            return at
        at, count = _skipped(text, _end(text, at)), count + 1
    return None


def _key(written: str) -> str | None:
    """The name that a key's text writes; None where it is no string."""
    try:
        name = json.loads(written)
    except (ValueError, RecursionError):
        return None
    return name if isinstance(name, str) else None


def _skipped(text: str, at: int) -> int:
    """The next place that is no white space."""
    space = _SPACE.match(text, at)
    assert space is not None
    return space.end()


def _end(text: str, at: int) -> int:
    """Where the value that begins at `at` ends."""
    if not text.startswith(("{", "["), at):
        scalar = (_STRING if text.startswith('"', at) else _OTHER).match(text, at)
        assert scalar is not None
        return scalar.end()
    depth = 0
    for found in _BRACKET.finditer(text, at):
        letter = found.group()
        if letter in "{[":
            depth += 1
        elif letter in "}]":
            depth -= 1
            if depth == 0:
                return found.end()
    return len(text)
