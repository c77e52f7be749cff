"""Changes as the WorkspaceEdit of the LSP (3.17, "WorkspaceEdit"), as far as the client can make them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from flow_lsp.analysis.edits import Change, Note, TextEdit, in_order
from flow_lsp.files.uris import uri_of
from flow_lsp.server.convert import lsp_ranges
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
    notes = _Notes(client.document_changes and client.change_annotations)
    edited: list[tuple[str, int | None, list[dict[str, Any]]]] = []
    for key, edits in change.edits.items():
        place = server.checker.place(key)
        if place is None:
            return None
        uri, index = place
        document = server.documents.get(uri)
        version = document.version if document is not None else None
        edited.append((uri, version, _text_edits(server, index, in_order(edits), notes)))
    if not client.document_changes:
        return {"changes": {uri: edits for uri, _, edits in edited}}
    changes: list[dict[str, Any]] = []
    for path, text in change.created.items():
        uri = uri_of(server.project.files.spelling(path))
        start = {"line": 0, "character": 0}
        changes.append({"kind": "create", "uri": uri, "options": {"overwrite": False, "ignoreIfExists": False}})
        changes.append(_document_edit(uri, None, [{"range": {"start": start, "end": start}, "newText": text}]))
    changes += [_document_edit(uri, version, edits) for uri, version, edits in edited]
    return {"documentChanges": changes, **notes.written()}


def _document_edit(uri: str, version: int | None, edits: list[dict[str, Any]]) -> dict[str, Any]:
    return {"textDocument": {"uri": uri, "version": version}, "edits": edits}


def _text_edits(server: LanguageServer, index: LineIndex, edits: list[TextEdit], notes: _Notes) -> list[dict[str, Any]]:
    ranges = lsp_ranges((edit.span for edit in edits), index, server.documents.encoding)
    return [{"range": where, "newText": edit.text, **notes.of(edit)} for edit, where in zip(edits, ranges, strict=True)]


class _Notes:
    """The change annotations of one workspace edit; none for a client that shows none."""

    def __init__(self, shown: bool) -> None:
        self._shown = shown
        self._names: dict[Note, str] = {}

    def of(self, edit: TextEdit) -> dict[str, str]:
        """The member that names the annotation of `edit`."""
        if edit.note is None or not self._shown:
            return {}
        return {"annotationId": self._names.setdefault(edit.note, str(len(self._names) + 1))}

    def written(self) -> dict[str, Any]:
        """The member with all annotations."""
        found = {
            name: {"label": note.label, "description": note.description, "needsConfirmation": note.asks}
            for note, name in self._names.items()
        }
        return {"changeAnnotations": found} if found else {}
