"""The table of flow.toml that binds a file to an MCP server."""

from __future__ import annotations

import re
from typing import Final

_CONTROL = re.compile('[\x00-\x1f"\\\\\x7f\ud800-\udfff]')
_SHORT: Final = {'"': '\\"', "\\": "\\\\", "\b": "\\b", "\t": "\\t", "\n": "\\n", "\f": "\\f", "\r": "\\r"}
_NOT_PLAIN = re.compile(r"[^a-z0-9]+")
_LONGEST: Final = 60  # characters of a file's name


def file_name(server: str) -> str:
    """A name for the file of the server called `server`, such as `mcp_time.flow`; its stem can be imported."""
    stem = _NOT_PLAIN.sub("_", server.lower())[:_LONGEST].strip("_")
    return f"{stem if stem and not stem[0].isdigit() else f'tools_{stem}'.rstrip('_')}.flow"


def manifest_table(file: str, command: str) -> str:
    """The table that has `command` answer the Tools of `file`, a path relative to the manifest's directory."""
    return f"[tools.{_string(file)}]\nmcp = {_string(command)}\n"


def _string(text: str) -> str:
    """`text` as a basic string of TOML; half characters, which none can hold, become U+FFFD."""
    return f'"{_CONTROL.sub(_escaped, text)}"'


def _escaped(found: re.Match[str]) -> str:
    letter = found[0]
    if "\ud800" <= letter <= "\udfff":
        return "\N{REPLACEMENT CHARACTER}"
    return _SHORT.get(letter, f"\\u{ord(letter):04X}")
