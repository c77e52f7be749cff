"""The table of flow.toml that binds a file to an MCP server."""

from __future__ import annotations

import re
from typing import Final

from flow_lsp.manifest.toml_writing import table_text

_NOT_PLAIN = re.compile(r"[^a-z0-9]+")
_LONGEST: Final = 60  # characters of a file's name


def file_name(server: str) -> str:
    """A name for the file of the server called `server`, such as `mcp_time.flow`; its stem can be imported."""
    stem = _NOT_PLAIN.sub("_", server.lower())[:_LONGEST].strip("_")
    return f"{stem if stem and not stem[0].isdigit() else f'tools_{stem}'.rstrip('_')}.flow"


def manifest_table(file: str, command: str) -> str:
    """The table that has `command` answer the Tools of `file`, a path relative to the manifest's directory."""
    return table_text(file, "mcp", command)
