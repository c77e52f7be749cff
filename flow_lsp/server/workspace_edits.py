"""Changes as the WorkspaceEdit of the LSP (3.17, "WorkspaceEdit"), as far as the client can make them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from flow_lsp.analysis.edits import Change, TextEdit, in_order
from flow_lsp.files.uris import uri_of
from flow_lsp.server.convert import lsp_range
from flow_lsp.text.lines import LineIndex

if TYPE_CHECKING:
    from flow_lsp.server.language_server import LanguageServer


def workspace_edit(server: LanguageServer, change: Change) -> dict[str, Any] | None:
    """`change` for the client; None where it cannot be made: a file is not known, or the client creates none.

    Texts that are open are named with their version, so that a client refuses what was made for an older one.
    """
    client = server.client
    if change.created and not (client.document_changes and client.creates_files):
        return None
    edited: list[tuple[str, int | None, list[dict[str, Any]]]] = []
    for key, edits in change.edits.items():
        place = server.checker.place(key)
        if place is None:
            return None
        uri, index = place
        document = server.documents.get(uri)
        version = document.version if document is not None else None
        edited.append((uri, version, _text_edits(server, index, in_order(edits))))
    if not client.document_changes:
        return {"changes": {uri: edits for uri, _, edits in edited}}
    changes: list[dict[str, Any]] = []
    for path, text in change.created.items():
        uri = uri_of(server.project.files.spelling(path))
        start = {"line": 0, "character": 0}
        changes.append({"kind": "create", "uri": uri, "options": {"overwrite": False, "ignoreIfExists": False}})
        changes.append(_document_edit(uri, None, [{"range": {"start": start, "end": start}, "newText": text}]))
    changes += [_document_edit(uri, version, edits) for uri, version, edits in edited]
    return {"documentChanges": changes}


def _document_edit(uri: str, version: int | None, edits: list[dict[str, Any]]) -> dict[str, Any]:
    return {"textDocument": {"uri": uri, "version": version}, "edits": edits}


def _text_edits(server: LanguageServer, index: LineIndex, edits: list[TextEdit]) -> list[dict[str, Any]]:
    encoding = server.documents.encoding
    return [{"range": lsp_range(edit.span, index, encoding), "newText": edit.text} for edit in edits]
