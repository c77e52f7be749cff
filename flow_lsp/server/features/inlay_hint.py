"""textDocument/inlayHint and workspace/inlayHint/refresh: the state of each Tool behind its name, where the user wants
it (`flow.inlayHints`)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from flow_lsp.analysis.lenses import tool_hints
from flow_lsp.server.documents import Document, Language
from flow_lsp.server.features.asked import Asked, asked
from flow_lsp.text.spans import Span

if TYPE_CHECKING:
    from flow_lsp.server.language_server import LanguageServer


def answer(server: LanguageServer, params: Any) -> list[dict[str, Any]]:
    """The hints in a range, from the last snapshot."""
    return server.hints.answer(params)


class Hints:
    """Answers with hints, and has the client ask again when they are others."""

    def __init__(self, server: LanguageServer) -> None:
        self._server = server
        self._given: dict[str, list[str]] = {}  # the states in each open document that was asked about, by its key

    def answer(self, params: Any) -> list[dict[str, Any]]:
        """The hints in a range of a document."""
        place = asked(self._server, params)
        if place is None or place.document.language is not Language.FLOW:
            return []
        self._given[place.document.key] = self._states(place.key)
        if not self._server.project.settings.inlay_hints:
            return []
        return self._hints(place, place.span(params))

    def closed(self, document: Document) -> None:
        """The document was closed."""
        self._given.pop(document.key, None)

    def look(self) -> None:
        """Has the client ask again where an open document's hints would say something else by now."""
        if not self._server.client.refreshes_hints:
            return
        for key, given in self._given.items():
            document = self._server.documents.with_key(key)
            source = self._server.checker.sync(document) if document is not None else None
            if source is not None and self._states(source) != given:
                self._given[key] = self._states(source)
                self._server.endpoint.request("workspace/inlayHint/refresh", None)
                return

    def _states(self, key: str) -> list[str]:
        if not self._server.project.settings.inlay_hints:
            return []
        snapshot = self._server.project.snapshot()
        return [hint.state for hint in tool_hints(self._server.analysis, snapshot, key)]

    def _hints(self, place: Asked, span: Span) -> list[dict[str, Any]]:
        index, encoding = place.index, place.encoding
        return [
            {
                "position": index.position(hint.offset, encoding)._asdict(),
                "label": hint.state,
                "tooltip": hint.sentence,
                "paddingLeft": True,
            }
            for hint in tool_hints(self._server.analysis, place.snapshot, place.key)
            if span.holds(hint.offset)
        ]
