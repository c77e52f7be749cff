"""textDocument/completion in flow.toml."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Awaitable
from typing import TYPE_CHECKING, Any

from flow_lsp.analysis.manifest_commands import CommandPlace, WordOffer, command_place, written_offers
from flow_lsp.analysis.manifest_completions import CompletionSort, manifest_completions
from flow_lsp.binding.model import ManifestFile
from flow_lsp.host.program_names import ProgramNames
from flow_lsp.server.convert import lsp_range
from flow_lsp.server.documents import Document
from flow_lsp.server.parameters import position
from flow_lsp.text.lines import LineIndex
from flow_lsp.text.paths import parent
from flow_lsp.text.spans import Span

if TYPE_CHECKING:
    from flow_lsp.server.language_server import LanguageServer

SECONDS = 0.5  # that an answer waits for the disk
MOST_ITEMS = 300

_PROPERTY, _VALUE, _SNIPPET, _FILE, _FOLDER = 10, 12, 15, 17, 19  # CompletionItemKind
_KINDS = {CompletionSort.KEY: _PROPERTY, CompletionSort.FILE: _FILE, CompletionSort.TABLE: _SNIPPET}


def in_manifest(
    server: LanguageServer, document: Document, key: str, params: Any
) -> dict[str, Any] | Awaitable[dict[str, Any]]:
    """What may be typed at the position of the manifest `key`: keys and tables at once; programs and files from the
    disk, which is waited for a moment and not longer."""
    snapshot = server.project.snapshot()
    file = snapshot.manifests.get(parent(key))
    if file is None or file.manifest is None:
        return {"isIncomplete": False, "items": []}
    index = document.text.index
    offset = index.offset(position(params), server.documents.encoding)
    place = command_place(file.manifest, offset)
    if place is not None:
        folder = snapshot.folder_of(key)
        return _words(server, file, place, index, folder.path if folder is not None else file.directory)
    return {"isIncomplete": False, "items": _keys(server, file, offset, index)}


def _keys(server: LanguageServer, file: ManifestFile, offset: int, index: LineIndex) -> list[dict[str, Any]]:
    items = []
    encoding = server.documents.encoding
    ranges: dict[Span, dict[str, Any]] = {}
    for number, one in enumerate(manifest_completions(server.project.snapshot(), file, offset)):
        as_snippet = bool(one.snippet) and server.client.snippets
        span = (one.snippet_span or one.span) if as_snippet else one.span
        where = ranges.setdefault(span, lsp_range(span, index, encoding))
        item: dict[str, Any] = {
            "label": one.label,
            "kind": _KINDS[one.sort],
            "detail": one.detail,
            "sortText": f"{number:04}",
            "filterText": one.wanted or one.text,
            "textEdit": {"range": where, "newText": one.snippet if as_snippet else one.text},
        }
        if as_snippet:
            item["insertTextFormat"] = 2
        items.append(item)
    return items


async def _words(
    server: LanguageServer, file: ManifestFile, place: CommandPlace, index: LineIndex, boundary: str
) -> dict[str, Any]:
    offers, complete = await _from_disk(file.directory, boundary, place)
    where = lsp_range(place.span, index, server.documents.encoding)
    items = []
    for number, one in enumerate(written_offers(place, offers)):
        if number == MOST_ITEMS:
            complete = False
            break
        item: dict[str, Any] = {
            "label": one.offer.name,
            "kind": _FOLDER if one.offer.partial else _FILE if "/" in one.offer.name else _VALUE,
            "detail": one.offer.detail,
            "sortText": f"{number:04}",
            "filterText": one.filter_text,
            "textEdit": {"range": where, "newText": one.text},
        }
        items.append(item)
    return {"isIncomplete": not complete, "items": items}


_NAMES = ProgramNames()
_LOOKING = threading.Lock()


async def _from_disk(directory: str, boundary: str, place: CommandPlace) -> tuple[list[WordOffer], bool]:
    """What the disk has, looked for in a thread: one that hangs, as on a network that is away, keeps nobody waiting,
    and until it is back nothing more is looked for."""
    loop = asyncio.get_running_loop()
    found: asyncio.Future[tuple[list[WordOffer], bool]] = loop.create_future()

    def deliver(result: tuple[list[WordOffer], bool]) -> None:
        if not found.done():
            found.set_result(result)

    def look() -> None:
        result: tuple[list[WordOffer], bool] = ([], False)
        if _LOOKING.acquire(timeout=SECONDS):
            try:
                result = _NAMES.offers(directory, boundary, place.before, place.typed)
            finally:
                _LOOKING.release()
        if not loop.is_closed():
            loop.call_soon_threadsafe(deliver, result)

    threading.Thread(target=look, name="flow-lsp-programs", daemon=True).start()
    try:
        return await asyncio.wait_for(found, SECONDS)
    except TimeoutError:
        return [], False
