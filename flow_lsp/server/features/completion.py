"""textDocument/completion."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from flow_lsp.analysis.places import completions_at
from flow_lsp.server.convert import lsp_range
from flow_lsp.server.parameters import position

if TYPE_CHECKING:
    from flow_lsp.server.language_server import LanguageServer

_PROPERTY = 10  # CompletionItemKind


def completion(server: LanguageServer, params: Any) -> dict[str, Any]:
    """What may be typed at the position, from the last snapshot."""
    document = server.documents.asked(params)
    key = server.checker.sync(document)
    if key is None:
        return {"isIncomplete": False, "items": []}
    index, encoding = document.text.index, server.documents.encoding
    offset = index.offset(position(params), encoding)
    items = [
        {
            "label": item.label,
            "kind": _PROPERTY,
            "detail": item.detail,
            "textEdit": {"range": lsp_range(item.span, index, encoding), "newText": item.text},
        }
        for item in completions_at(server.project.snapshot(), key, offset)
    ]
    return {"isIncomplete": False, "items": items}
