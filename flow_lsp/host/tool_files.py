"""Documents about a Tool that an editor shows: kept for the user outside every workspace, written anew each time."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping

from flow_lsp.files.paths import resolved, with_slashes
from flow_lsp.host.store import FileStore, state_directory
from flow_lsp.text.paths import joined

SIZE_LIMIT = 64 * 1024 * 1024
_NAME_LENGTH = 40  # of a Tool in a file's name, so that no file system refuses it


def write_tool_files(file: str, identity: str, name: str, texts: Mapping[str, str]) -> list[str] | None:
    """Writes `texts`, by how their files' names end, about the Tool `name` of the source at `file`; their paths in that
    order, or None where they could not be kept."""
    digest = hashlib.sha256(json.dumps([file, identity]).encode()).hexdigest()[:24]
    directory = joined(resolved(with_slashes(state_directory("tools"))), digest)
    store = FileStore(directory, size_limit=SIZE_LIMIT, count_limit=100)
    paths = []
    for ending, text in texts.items():
        written = name[:_NAME_LENGTH] + ending
        if not store.write(written, text.encode("utf-8", "surrogateescape")):
            return None
        paths.append(joined(directory, written))
    return paths
