"""textDocument/codeLens: what stands above each Tool, and above the arguments of a call."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

from flow_lsp.analysis.lenses import tool_lenses
from flow_lsp.server import commands
from flow_lsp.server.convert import lsp_range
from flow_lsp.server.documents import Document, Language
from flow_lsp.text.spans import Span

if TYPE_CHECKING:
    from flow_lsp.server.language_server import LanguageServer

_Titles = list[tuple[str, str]]


class Lenses:
    """Answers with lenses, and has the client ask again when they are others."""

    def __init__(self, server: LanguageServer) -> None:
        self._server = server
        self._given: dict[str, _Titles] = {}  # by the keys of open documents: titles and commands
        self._telling: asyncio.Handle | None = None

    def answer(self, params: Any) -> list[dict[str, Any]]:
        """The lenses of the document, from the last snapshot; nothing is waited for."""
        document = self._server.documents.asked(params)
        lenses = self._lenses(document)
        self._given[document.key] = _titles(lenses)
        return lenses

    def closed(self, document: Document) -> None:
        """The document was closed."""
        self._given.pop(document.key, None)

    def look(self) -> None:
        """Has the client ask again where an open document's lenses would say something else by now."""
        if not self._server.client.refreshes_lenses:
            return
        for key, given in self._given.items():
            document = self._server.documents.with_key(key)
            if document is not None and _titles(self._lenses(document)) != given:
                self.changed()
                return

    def changed(self) -> None:
        """The lenses of some document are others."""
        if self._server.client.refreshes_lenses and self._given and self._telling is None:
            self._telling = asyncio.get_running_loop().call_soon(self._tell)

    def _tell(self) -> None:
        self._telling = None
        self._server.endpoint.request("workspace/codeLens/refresh", None)

    def _lenses(self, document: Document) -> list[dict[str, Any]]:
        key = self._server.checker.sync(document)
        if document.language is Language.ARGUMENTS:
            return self._above_arguments(document)
        return [] if key is None or document.language is not Language.FLOW else self._above_tools(document, key)

    def _above_tools(self, document: Document, key: str) -> list[dict[str, Any]]:
        index, encoding = document.text.index, self._server.documents.encoding
        found = []
        for lens in tool_lenses(self._server.analysis, self._server.project.snapshot(), key):
            titles: list[tuple[str, ...]] = [(lens.state, commands.EXPLAIN, lens.name)]
            if lens.asks:
                titles.append(("Describe again", commands.DESCRIBE))
            if lens.drifted:
                titles.append(("What changed", commands.CHANGES, lens.name))
            if lens.callable:
                titles.append(("Call", commands.CALL_OPEN, lens.name))
            if lens.has_schema:
                titles.append(("Schema", commands.SCHEMA, lens.name))
            for number, (title, command, *names) in enumerate(titles):
                # Each a column further: some clients put those that begin at one place in any order.
                span = Span(min(lens.span.start + number, lens.span.end), lens.span.end)
                found.append(_lens(lsp_range(span, index, encoding), title, command, document.uri, *names))
        return found

    def _above_arguments(self, document: Document) -> list[dict[str, Any]]:
        found = self._server.calls.tool(document.path)
        if found is None:
            return []
        place = lsp_range(Span(0, 0), document.text.index, self._server.documents.encoding)
        lenses = [] if isinstance(found, str) else [_lens(place, "Call", commands.CALL, document.uri)]
        running = self._server.calls.running(document.uri)
        if running:
            title = "Cancel" if running == 1 else f"Cancel ({running})"
            lenses.append(_lens(place, title, commands.CALL_CANCEL, document.uri))
        return lenses


def _lens(place: dict[str, Any], title: str, command: str, *arguments: str) -> dict[str, Any]:
    return {"range": place, "command": {"title": title, "command": command, "arguments": list(arguments)}}


def _titles(lenses: list[dict[str, Any]]) -> _Titles:
    return [(lens["command"]["title"], lens["command"]["command"]) for lens in lenses]
