"""Where in a JSON text the value of a JSON Pointer stands, or its key."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

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


@dataclass(frozen=True, slots=True)
class Found:
    """Where the value of a pointer stands; and its key, None where it is no member, or is not there."""

    value: Span
    key: Span | None


def places_of(text: str, pointers: Sequence[str]) -> list[Found]:
    """The places of all `pointers` in `text`, a text that `read_json` takes, as `place_of` has each.

    Linear in `text` and in the pointers together, however many they are and however deep they lead.
    """
    root = _Wanted()
    ways = []
    for pointer in pointers:
        way = [root]
        for token in pointer.split("/")[1:]:
            way.append(way[-1].inside.setdefault(token.replace("~1", "/").replace("~0", "~"), _Wanted()))
        ways.append(way)
    _find(text, root)
    return [_found(way) for way in ways]


@dataclass(eq=False, slots=True)
class _Wanted:
    """A value that is looked for, and those inside it, by key or place. `start` is -1 until it is found."""

    inside: dict[str, _Wanted] = field(default_factory=dict)
    key: Span | None = None
    start: int = -1
    end: int = -1
    count: int = 0  # of the items that were passed, where it is an array


def _found(way: list[_Wanted]) -> Found:
    near = next((wanted for wanted in reversed(way) if wanted.start >= 0), way[0])
    return Found(Span(near.start, near.end), near.key if near is way[-1] else None)


def _find(text: str, root: _Wanted) -> None:
    """Finds all that is wanted, in one pass."""
    opened: list[_Wanted] = []
    at, current, key = _skipped(text, 0), root, None
    while True:
        if current.start < 0:
            current.start, current.key = at, key
        if current.end < 0 and current.inside and text.startswith(("{", "["), at):
            opened.append(current)
            at = _skipped(text, at + 1)
            begins = not text.startswith(("}", "]"), at)
        else:
            at = _end(text, at)
            current.end = at if current.end < 0 else current.end
            begins = False
        while opened and not begins:
            at = _skipped(text, at)
            if text.startswith(",", at):
                at = _skipped(text, at + 1)
                begins = True
            else:
                at = min(at + 1, len(text))
                opened.pop().end = at
        if not opened:
            return
        around = opened[-1]
        if text.startswith("{", around.start):
            key = Span(at, _end(text, at))
            at = _skipped(text, key.end)
            at = _skipped(text, at + text.startswith(":", at))
            step = _key(text[key.start : key.end])
        else:
            key, step = None, str(around.count)
            around.count += 1
        current = around.inside.get(step, _Wanted()) if step is not None else _Wanted()


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
