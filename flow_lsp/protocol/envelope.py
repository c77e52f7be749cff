"""What can be read of a line that is not to be read strictly, or not in full: whose it is, and what it is about.

Rules (decisions 7):
- a line that is one JSON object by the grammar, whose run and call can be read, is a message even where a part of
  it does not pass strict reading. By the grammar a key may stand twice, a string may hold half a character or
  bytes that are no UTF-8, and there is no depth. NaN and the Infinities, which are no JSON, count as values here:
  JSON writers give them, and a call whose reply holds one is not to wait for ever;
- run and call can be read where each is a string, not empty, and stands once, in params that stand once;
- of a line past the limit only the beginning is there, and they are read where they stand in it.

Python's own scanner finds where values end, since it takes all of the above; where it would go too deep, a scanner
with a stack of its own does. Each goes through the line once.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, field
from typing import Any, Final, TypeAlias

from flow_lsp.values.strict_json import JsonRefused, read_json

Span: TypeAlias = tuple[int, int]  # bytes of the line, from one up to another
Spans: TypeAlias = dict[str, list[Span]]

_OUTER: Final = frozenset({"jsonrpc", "id", "method", "params", "result", "error"})
_INNER: Final = frozenset({"run", "call", "outcome"})  # all that is asked about

_MOST_TIMES: Final = 8  # that one of those stands in a line; what has more is taken for no message, and kept nowhere

_SPACE: Final = re.compile(r"[ \t\r\n]*+")
_STRING: Final = r'"(?:[^"\\\x00-\x1f]++|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*+"'
# One group for each kind of token; the last is what is none.
_TOKEN: Final = re.compile(
    rf"[ \t\r\n]*+(?:(\[)|(\])|(\{{)|(\}})|(,)|({_STRING}[ \t\r\n]*+:)"
    rf"|({_STRING}|true|false|null|NaN|-?Infinity|-?(?:0|[1-9][0-9]*+)(?:\.[0-9]++)?+(?:[eE][+-]?[0-9]++)?+)|(.))",
    re.DOTALL,
)
_ARRAY, _END_ARRAY, _OBJECT, _END_OBJECT, _COMMA, _KEY, _SCALAR = range(1, 8)
# What may come next; ITEM and MEMBER allow the end as well, MORE is a comma or the end.
_VALUE, _ITEM, _NAME, _MEMBER, _MORE = 1, 2, 4, 8, 16
# For each kind of token, when it may come.
_BEFORE: Final = (
    0,
    _VALUE | _ITEM,
    _ITEM | _MORE,
    _VALUE | _ITEM,
    _MEMBER | _MORE,
    _MORE,
    _NAME | _MEMBER,
    _VALUE | _ITEM,
    0,
)

# Where a value ends is all that is asked of it: numbers and objects become what costs least. (Python's int() would
# also refuse a long literal.)
_LENIENT: Final = json.JSONDecoder(object_pairs_hook=len, parse_int=len, parse_float=len, parse_constant=len)


@dataclass(slots=True)
class Envelope:
    """The members of a message that can be told apart. `whole` where the line is one object by the grammar."""

    line: bytes
    whole: bool = False
    outer: Spans = field(default_factory=dict)
    inner: Spans = field(default_factory=dict)

    def text(self, spans: Spans, name: str) -> str | None:
        """The string that the member `name` is; None where it is none, or stands twice."""
        found = spans.get(name, ())
        if len(found) != 1:
            return None
        start, end = found[0]
        if not self.line.startswith(b'"', start):
            return None
        try:
            value = read_json(self.line[start:end])
        except JsonRefused:
            return None
        return value if isinstance(value, str) else None

    def is_notification(self, method: str) -> bool:
        """Whether it is a notification of that method, as far as can be read: of a line that is cut off, what
        is not there does not count against it."""
        if "id" in self.outer or len(self.outer.get("params", ())) > 1:
            return False
        expected = {"jsonrpc": "2.0", "method": method}
        return all(
            self.text(self.outer, name) == value for name, value in expected.items() if self.whole or name in self.outer
        )

    @property
    def pair(self) -> tuple[str, str] | None:
        """The run id and the call id, where both can be read."""
        run, call = self.text(self.inner, "run"), self.text(self.inner, "call")
        return (run, call) if run and call else None

    def without(self, name: str) -> bytes:
        """The line with null for the member `name` of params. Where it stands more than once, the others get another
        name, so that strict reading is of what stands around them."""
        parts: list[bytes] = []
        at = 0
        for count, (start, end) in enumerate(self.inner.get(name, ())):
            if count == 0:
                parts += (self.line[at:start], b"null")
            else:
                # However it is spelt, a key that reads as one of these names holds no quote.
                key = self.line.rfind(b'"', 0, self.line.rfind(b'"', 0, start))
                parts += (self.line[at:key], b'"%s %d":null' % (name.encode(), count))
            at = end
        return b"".join((*parts, self.line[at:]))


def read_envelope(line: bytes) -> Envelope | None:
    """The envelope of `line`; None where it does not begin as an object does. Never raises; linear in `line`."""
    # One letter for each byte: what JSON's grammar is made of is ASCII, and what is not stands in strings.
    text = line.decode("latin-1")
    envelope = Envelope(line)
    start = _skipped(text, 0)
    if not text.startswith("{", start):
        return None
    try:
        end = _object_end(text, start, envelope.outer, envelope.inner)
    except ValueError:
        return envelope
    envelope.whole = _skipped(text, end) == len(text)
    return envelope


def _object_end(text: str, start: int, found: Spans, inner: Spans | None) -> int:
    """Where the object at `start` ends. Its members that somebody asks about come into `found`, those of its params
    into `inner`; raises ValueError where it is none by the grammar, and then what stands before that is found."""
    wanted = _INNER if inner is None else _OUTER
    at = _skipped(text, start + 1)
    if text.startswith("}", at):
        return at + 1
    while True:
        if not text.startswith('"', at):
            raise ValueError("a key is expected")
        name, at = _LENIENT.raw_decode(text, at)
        at = _skipped(text, at)
        if not text.startswith(":", at):
            raise ValueError("a colon is expected")
        at = _skipped(text, at + 1)
        if inner is not None and name == "params" and text.startswith("{", at):
            end = _object_end(text, at, inner, None)
        else:
            end = _value_end(text, at)
        if name in wanted:
            places = found.setdefault(name, [])
            if len(places) == _MOST_TIMES:
                raise ValueError("a member stands too often")
            places.append((at, end))
        at = _skipped(text, end)
        if text.startswith("}", at):
            return at + 1
        if not text.startswith(",", at):
            raise ValueError("a comma is expected")
        at = _skipped(text, at + 1)


def _value_end(text: str, start: int) -> int:
    """Where the value at `start` ends; raises ValueError where there is none by the grammar."""
    try:
        end: int = _LENIENT.raw_decode(text, start)[1]
    except RecursionError:
        return deep_value_end(text, start)
    return end


def deep_value_end(text: str, start: int) -> int:
    """The same, however deep it is nested, one token after the other. `text` has one letter for each byte."""
    opened = bytearray()  # the kinds of the tokens that opened what is open
    expected = _VALUE
    for token in _TOKEN.finditer(text, start):
        kind = token.lastindex or 0
        if not _BEFORE[kind] & expected:
            raise ValueError("this cannot stand here")
        if kind == _SCALAR or kind == _END_ARRAY or kind == _END_OBJECT:  # noqa: SIM109 - it is run for each token
            if kind != _SCALAR and opened.pop() != kind - 1:
                raise ValueError("another bracket is open")
            if not opened:
                return token.end()
            expected = _MORE
        elif kind == _COMMA:
            expected = _VALUE if opened[-1] == _ARRAY else _NAME
        elif kind == _KEY:
            expected = _VALUE
        else:
            opened.append(kind)
            expected = _ITEM if kind == _ARRAY else _MEMBER
    raise ValueError("the text ends")


def _skipped(text: str, at: int) -> int:
    space: Any = _SPACE.match(text, at)  # it matches the empty text, too
    end: int = space.end()
    return end
