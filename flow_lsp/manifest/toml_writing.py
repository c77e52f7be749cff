"""Texts as TOML writes them: strings and keys of every kind, as near to what stood there as can be."""

from __future__ import annotations

import re
from typing import Final

from flow_lsp.findings.model import shown

_CONTROL = re.compile('[\x00-\x1f"\\\\\x7f\ud800-\udfff]')
_SHORT: Final = {'"': '\\"', "\\": "\\\\", "\b": "\\b", "\t": "\\t", "\n": "\\n", "\f": "\\f", "\r": "\\r"}
_BARE = re.compile(r"[A-Za-z0-9_-]+")
_NOT_LITERAL = re.compile("[\x00-\x08\x0a-\x1f'\x7f\ud800-\udfff]")


def basic_string(text: str) -> str:
    """`text` as a basic string of one line; half characters, which none can hold, become U+FFFD."""
    return f'"{escaped(text)}"'


def escaped(text: str) -> str:
    """`text` as it stands between the quotes of a basic string, of one line or of many."""
    return _CONTROL.sub(_escape, text)


def table_header(path: str) -> str:
    """The header of the table for the file at `path`, as a sentence repeats it."""
    return f"[tools.{basic_string(shown(path))}]"


def table_text(path: str, kind: str, command: str) -> str:
    """The table that has `command`, of the kind `command` or `mcp`, answer for the file at `path`."""
    return f"[tools.{basic_string(path)}]\n{kind} = {basic_string(command)}\n"


def string_like(text: str, token: str) -> str:
    """`text` as a string of one line with the quotes of `token`, where it can be written with them."""
    if token.startswith("'") and _NOT_LITERAL.search(text) is None:
        return f"'{text}'"
    return basic_string(text)


def key_like(name: str, token: str) -> str:
    """`name` as a part of a key, in quotes like those of `token`; without any where neither needs them."""
    if token[:1] not in ("'", '"') and _BARE.fullmatch(name):
        return name
    return string_like(name, token)


def inside_string(text: str, quote: str) -> str | None:
    """`text` as it stands inside a string that `quote` opens, one of the four; None where it cannot."""
    if quote.startswith('"'):
        return escaped(text)
    if _NOT_LITERAL.search(text) is not None:
        return None
    return text


def _escape(found: re.Match[str]) -> str:
    letter = found[0]
    if "\ud800" <= letter <= "\udfff":
        return "\N{REPLACEMENT CHARACTER}"
    return _SHORT.get(letter, f"\\u{ord(letter):04X}")
