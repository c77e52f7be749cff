"""window/showDocument: has the client show a document, as far as it can."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from flow_lsp.files.uris import path_of
from flow_lsp.server.endpoint import MessageType
from flow_lsp.server.parameters import optional

if TYPE_CHECKING:
    from flow_lsp.server.language_server import LanguageServer

SHOWN_WITHIN = 5.0  # seconds that a client may take


async def show_document(server: LanguageServer, uri: str, what: str, *, focus: bool) -> bool:
    """Whether the client showed the document. One that cannot is told where it is."""
    if not server.client.shows_documents:
        message = f"{what}: {path_of(uri) or uri}"
        server.endpoint.notify("window/showMessage", {"type": int(MessageType.INFO), "message": message})
        return False
    answer = server.endpoint.request("window/showDocument", {"uri": uri, "external": False, "takeFocus": focus})
    await asyncio.wait({answer}, timeout=SHOWN_WITHIN)
    if not answer.done() or answer.cancelled() or answer.exception() is not None:
        return False
    return optional(answer.result(), "success", kind=bool) is True
