"""What is done when a user creates, renames or deletes files in the editor (LSP 3.17, "File Operations").

The disk is looked at at once, for a client may watch nothing. Renaming is `features.renamed_files`. After a deletion
the user is asked about the tables of what is gone: a table holds a command that may be wanted again, and a file may be
deleted to be written anew, so that nothing is taken away unasked.
"""

from __future__ import annotations

import os
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, Final

from flow_lsp.analysis.renames import tables_of_gone, without_tables
from flow_lsp.files.paths import is_manifest, is_source
from flow_lsp.files.uris import path_of
from flow_lsp.findings.model import shown
from flow_lsp.server.messages import ResponseError
from flow_lsp.server.parameters import optional
from flow_lsp.server.workspace_edits import workspace_edit

if TYPE_CHECKING:
    from flow_lsp.server.language_server import LanguageServer

REMOVE: Final = "Remove"
KEEP: Final = "Keep"


def happened(server: LanguageServer, params: Any) -> list[str]:
    """Files were created, renamed or deleted: the disk counts. Gives their paths, old and new."""
    files = optional(params, "files", kind=list) or []
    uris = [optional(file, name, kind=str) for file in files for name in ("uri", "oldUri", "newUri")]
    paths = [path for uri in uris if uri is not None and (path := path_of(uri)) is not None]
    changed = server.project.files.refresh_all(paths)
    if changed:
        server.files_changed(changed)
    server.told(paths)  # of programs and scripts
    return paths


async def deleted(server: LanguageServer, params: Any) -> None:
    """Files were deleted: the user is asked whether their tables are to go too, where the client can ask and edit."""
    paths = happened(server, params)
    if not (server.client.message_actions and server.client.applies_edits):
        return
    await server.workspace_read()
    keys = [server.project.files.real(path) for path in paths]
    gone = tables_of_gone(server.project.snapshot(), keys, os.path.isfile)
    if not gone:
        return
    question = {"type": 3, "message": _question(paths, gone), "actions": [{"title": REMOVE}, {"title": KEEP}]}
    try:
        answer = await server.endpoint.request("window/showMessageRequest", question)
        if optional(answer, "title", kind=str) != REMOVE:
            return
        server.sync_documents()  # much may have changed before the answer
        snapshot = server.project.snapshot()
        edit = workspace_edit(server, without_tables(snapshot, tables_of_gone(snapshot, keys, os.path.isfile)))
        if edit is not None:
            await server.endpoint.request("workspace/applyEdit", {"label": "Remove the tables", "edit": edit})
    except ResponseError:
        return


def _question(paths: list[str], gone: dict[str, list[int]]) -> str:
    names = [path.rpartition("/")[2] for path in paths if is_source(path) or not is_manifest(path)]
    what = f"`{shown(names[0])}` was deleted" if len(names) == 1 else f"{len(names)} files or folders were deleted"
    return f"{what}. Remove {_tables(map(len, gone.values()))} from {_manifests(list(gone))}?"


def _tables(counts: Iterable[int]) -> str:
    count = sum(counts)
    return "its table" if count == 1 else f"{count} tables"


def _manifests(paths: list[str]) -> str:
    return f"`{shown(paths[0])}`" if len(paths) == 1 else f"{len(paths)} flow.toml"
