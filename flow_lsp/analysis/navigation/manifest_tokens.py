"""What each word of a `flow.toml` is, for painting it where an editor has no colours for TOML.

It reads letters alone and gives up nothing: a text that is being written is painted as far as it goes. The tokens of a
segment depend on its text alone, and stay the same object for as long as the segment does.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from flow_lsp.analysis.navigation.token_types import TokenType
from flow_lsp.analysis.navigation.tokens import Token
from flow_lsp.manifest.model import Manifest
from flow_lsp.manifest.segments import Segment

_COMMON = r"""
  (?P<comment>\#[^\r\n]*+)
| (?P<string>\"{3}(?:[^"\\]|\\.|"(?!""))*+(?:"{3,5})?+ | '{3}(?:[^']|'(?!''))*+(?:'{3,5})?+
            | "(?:[^"\\\r\n]|\\[^\r\n])*+"?+ | '[^'\r\n]*+'?+)
| (?P<mark>[\[\]{}=,\n])
"""
_IN_KEY = re.compile(rf"{_COMMON}| (?P<word>[A-Za-z0-9_-]++)", re.VERBOSE | re.DOTALL)
_IN_VALUE = re.compile(rf"{_COMMON}| (?P<word>[A-Za-z0-9_+.:-]++)", re.VERBOSE | re.DOTALL)
_CONSTANTS = ("true", "false")
_NUMBER = re.compile(r"[+-]?(?:\d|inf\b|nan\b)")


@dataclass(frozen=True, slots=True, eq=False)
class SegmentTokens:
    """The tokens of one segment, in order, none overlapping, counted from its start."""

    segment: Segment
    tokens: tuple[Token, ...]


@dataclass(frozen=True, slots=True, eq=False)
class ManifestTokens:
    """The tokens of a manifest, segment by segment."""

    items: tuple[SegmentTokens, ...]


def manifest_tokens(manifest: Manifest, previous: ManifestTokens | None = None) -> ManifestTokens:
    """The tokens of a manifest. `previous` are those of an earlier one, and change nothing but the time it takes and
    which objects are the same."""
    known = {id(one.segment): one for one in previous.items} if previous is not None else {}
    return ManifestTokens(
        tuple(
            known.get(id(segment)) or segment_tokens(manifest, index) for index, segment in enumerate(manifest.segments)
        )
    )


def segment_tokens(manifest: Manifest, index: int) -> SegmentTokens:
    """The tokens of the segment of that index."""
    segment, start = manifest.segments[index], manifest.starts[index]
    return SegmentTokens(segment, tuple(_painted(manifest.text[start : start + segment.length])))


def _painted(text: str) -> Iterator[Token]:
    """The tokens of lines that begin with a header or a statement."""
    open_brackets: list[str] = []  # of the value that is being read
    is_key, is_header, at = True, False, 0
    while (found := (_IN_KEY if is_key else _IN_VALUE).search(text, at)) is not None:
        start, at = found.span()
        kind, letters = found.lastgroup, found.group()
        if kind == "comment":
            yield Token(start, at, TokenType.COMMENT)
        elif kind == "string":
            yield Token(start, at, TokenType.PROPERTY if is_key and not is_header else TokenType.STRING)
        elif kind == "word" and is_key:
            yield Token(start, at, TokenType.NAMESPACE if is_header else TokenType.PROPERTY)
        elif kind == "word":
            if letters in _CONSTANTS:
                yield Token(start, at, TokenType.KEYWORD)
            elif _NUMBER.match(letters):
                yield Token(start, at, TokenType.NUMBER)
        elif letters == "\n":
            if not open_brackets or is_key:  # a key and its value stand on one line
                open_brackets.clear()
                is_key, is_header = True, False
        elif is_key and letters in "[]":
            is_header = letters == "["
            is_key = letters == "[" or bool(open_brackets)
        elif letters == "=":
            is_key = False
        elif letters == ",":
            is_key = open_brackets[-1:] == ["{"]
        elif letters in "[{":
            open_brackets.append(letters)
            is_key = letters == "{"
        else:
            del open_brackets[-1:]
            is_key = False
