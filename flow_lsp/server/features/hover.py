"""textDocument/hover."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from flow_lsp.analysis.places import hover_at
from flow_lsp.server import convert
from flow_lsp.server.parameters import position

if TYPE_CHECKING:
    from flow_lsp.server.language_server import LanguageServer


def hover(server: LanguageServer, params: Any) -> dict[str, Any] | None:
    """What stands at the position, from the last snapshot; nothing is waited for."""
    document = server.documents.asked(params)
    key = server.checker.sync(document)
    if key is None:
        return None
    index, encoding = document.text.index, server.documents.encoding
    offset = index.offset(position(params), encoding)
    found = hover_at(server.analysis, server.project.snapshot(), key, offset)
    if found is None:
        return None
    return convert.hover(found.text, found.span, index, encoding, server.client.markdown_hover)
