"""The documents that the editor has open (LSP 3.17, "Text Document Synchronization").

A document is known by one key however its URI is spelt, and keeps the spelling that the client opened it
with: under that one everything about it is sent back.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum

from flow_lsp.files.paths import ARGUMENTS_SUFFIX, SHOWN_SUFFIX
from flow_lsp.files.uris import normalized, path_of
from flow_lsp.server.messages import ErrorCode, ResponseError
from flow_lsp.server.parameters import content_changes, document_uri, member, optional
from flow_lsp.text.document import DocumentText
from flow_lsp.text.lines import PositionEncoding


class Language(StrEnum):
    """What a document is read as."""

    FLOW = "flow"
    MANIFEST = "manifest"
    ARGUMENTS = "arguments"  # of a call
    OTHER = "other"


@dataclass(slots=True)
class Document:
    """An open document. `version` is the client's; `revision` is ours and never the same for two texts,
    for a client may give one version to two. `path` is None for what is no file."""

    key: str
    uri: str
    path: str | None
    language: Language
    version: int
    revision: int
    text: DocumentText


def language_of(path: str | None, language_id: str) -> Language:
    """What a document is read as: by the name of its file, else by the language that the client says."""
    name = path.rpartition("/")[2] if path is not None else ""
    if name == "flow.toml":
        return Language.MANIFEST
    if name.endswith(ARGUMENTS_SUFFIX):
        return Language.ARGUMENTS
    if name.endswith(SHOWN_SUFFIX):
        return Language.OTHER
    if name.endswith(".flow") or language_id == "flow":
        return Language.FLOW
    return Language.OTHER


class Documents:
    """All open documents, by any spelling of their URI. `encoding` is the one agreed in initialize.

    Params that are none raise ResponseError and change nothing.
    """

    def __init__(self, encoding: PositionEncoding = PositionEncoding.UTF16) -> None:
        self.encoding = encoding
        self._open: dict[str, Document] = {}
        self._revision = 0

    def __iter__(self) -> Iterator[Document]:
        return iter(list(self._open.values()))

    def __len__(self) -> int:
        return len(self._open)

    def get(self, uri: str) -> Document | None:
        """The open document of that URI."""
        return self._open.get(normalized(uri))

    def with_key(self, key: str) -> Document | None:
        """The open document of that key."""
        return self._open.get(key)

    def asked(self, params: object) -> Document:
        """The document that a request names. Raises ResponseError where it is not open."""
        return self._named(document_uri(params))

    def open(self, params: object) -> Document:
        """textDocument/didOpen. A document that is open already begins afresh."""
        uri = document_uri(params)
        text = member(params, "textDocument", "text", kind=str)
        language_id = optional(params, "textDocument", "languageId", kind=str) or ""
        version = optional(params, "textDocument", "version", kind=int) or 0
        path = path_of(uri)
        key = normalized(uri)
        document = Document(
            key, uri, path, language_of(path, language_id), version, self._next_revision(), DocumentText(text)
        )
        self._open[key] = document
        return document

    def change(self, params: object) -> Document:
        """textDocument/didChange: its changes in order, each in the text that the one before left.

        Whatever the version says, the client has this text now, so that the changes are always applied.
        """
        document = self._named(document_uri(params))
        changes = content_changes(params)
        for change in changes:
            document.text.apply(change, self.encoding)
        version = optional(params, "textDocument", "version", kind=int)
        document.version = document.version if version is None else version
        document.revision = self._next_revision()
        return document

    def close(self, params: object) -> Document:
        """textDocument/didClose; gives the document as it was."""
        document = self._named(document_uri(params))
        del self._open[document.key]
        return document

    def _named(self, uri: str) -> Document:
        document = self.get(uri)
        if document is None:
            raise ResponseError(ErrorCode.INVALID_PARAMS, f"The document {uri[:300]} is not open.")
        return document

    def _next_revision(self) -> int:
        self._revision += 1
        return self._revision
