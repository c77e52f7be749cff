"""textDocument/hover."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from flow_lsp.analysis.places import hover_at
from flow_lsp.server import convert
from flow_lsp.server.documents import Document, Language
from flow_lsp.server.parameters import position

if TYPE_CHECKING:
    from flow_lsp.analysis.manifest_places import HoverText
    from flow_lsp.server.language_server import LanguageServer


def hover(server: LanguageServer, params: Any) -> dict[str, Any] | None:
    """What stands at the position, from the last snapshot; nothing is waited for."""
    document = server.documents.asked(params)
    key = server.checker.sync(document)
    index, encoding = document.text.index, server.documents.encoding
    if document.language is Language.ARGUMENTS:
        found = _over_arguments(server, document, index.offset(position(params), encoding))
    elif key is not None:
        found = hover_at(server.analysis, server.project.snapshot(), key, index.offset(position(params), encoding))
    else:
        return None
    if found is None:
        return None
    return convert.hover(found.text, found.span, index, encoding, server.client.markdown_hover)


def _over_arguments(server: LanguageServer, document: Document, offset: int) -> HoverText | None:
    from flow_lsp.analysis.call_places import call_hover

    found = server.calls.tool(document.path)
    return None if found is None or isinstance(found, str) else call_hover(found.form, document.text.text, offset)
