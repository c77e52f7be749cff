"""workspace/willRenameFiles: the edits that keep bindings and imports when files and folders are renamed or moved."""

from __future__ import annotations

import os
from collections.abc import Awaitable
from typing import TYPE_CHECKING, Any

from flow_lsp.analysis.renames import Renaming, renamed
from flow_lsp.files.uris import path_of
from flow_lsp.server.parameters import optional
from flow_lsp.server.workspace_edits import workspace_edit

if TYPE_CHECKING:
    from flow_lsp.server.language_server import LanguageServer


def answer(server: LanguageServer, params: Any) -> dict[str, Any] | Awaitable[dict[str, Any] | None] | None:
    """One edit of all manifests and sources that name what is renamed; None where none does. The workspace has to have
    been read for that."""
    return _edit(server, params) if server.checker.ready else _when_read(server, params)


async def _when_read(server: LanguageServer, params: Any) -> dict[str, Any] | None:
    await server.workspace_read()
    return _edit(server, params)


def _edit(server: LanguageServer, params: Any) -> dict[str, Any] | None:
    pairs: dict[str, str] = {}
    for file in optional(params, "files", kind=list) or []:
        old, new = optional(file, "oldUri", kind=str), optional(file, "newUri", kind=str)
        old_path = path_of(old) if old is not None else None
        new_path = path_of(new) if new is not None else None
        # What a link leads to stays where it is.
        if old_path is not None and new_path is not None and not os.path.islink(old_path):
            pairs[server.project.files.real(old_path)] = server.project.files.real(new_path)
    server.sync_documents()
    snapshot = server.project.snapshot()
    change = renamed(snapshot, server.analysis.program(snapshot), Renaming(pairs))
    return None if change.is_empty else workspace_edit(server, change)
