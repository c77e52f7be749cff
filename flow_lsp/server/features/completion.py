"""textDocument/completion."""

from __future__ import annotations

from collections.abc import Awaitable
from typing import TYPE_CHECKING, Any

from flow_lsp.server.convert import lsp_range
from flow_lsp.server.documents import Document, Language
from flow_lsp.server.parameters import position

if TYPE_CHECKING:
    from flow_lsp.server.language_server import LanguageServer

# CompletionItemKind
_PROPERTY = 10
_VALUE = 12
_ENUM_MEMBER = 20
_STRUCT = 22


def completion(server: LanguageServer, params: Any) -> dict[str, Any] | Awaitable[dict[str, Any]]:
    """What may be typed at the position, from the last snapshot."""
    document = server.documents.asked(params)
    key = server.checker.sync(document)
    if document.language is Language.ARGUMENTS:
        return {"isIncomplete": False, "items": _in_arguments(server, document, params)}
    if key is None:
        return {"isIncomplete": False, "items": []}
    if document.language is Language.FLOW:
        from flow_lsp.server.features.source_completion import in_source

        return in_source(server, document, key, params)
    if document.language is Language.MANIFEST:
        from flow_lsp.server.features.manifest_completion import in_manifest

        return in_manifest(server, document, key, params)
    return {"isIncomplete": False, "items": []}


def _in_arguments(server: LanguageServer, document: Document, params: Any) -> list[dict[str, Any]]:
    """What may be typed in the arguments of a call."""
    found = server.calls.tool(document.path)
    if found is None or isinstance(found, str):
        return []
    from flow_lsp.analysis.call_places import CallCompletionKind, call_completions

    kinds = {
        CallCompletionKind.MEMBER: _PROPERTY,
        CallCompletionKind.CONSTRUCTOR: _ENUM_MEMBER,
        CallCompletionKind.VALUE: _VALUE,
        CallCompletionKind.TYPE: _STRUCT,
    }
    index, encoding = document.text.index, server.documents.encoding
    items = []
    offered = call_completions(found.form, document.text.text, index.offset(position(params), encoding))
    for number, item in enumerate(offered):
        made: dict[str, Any] = {
            "label": item.label,
            "kind": kinds[item.kind],
            "detail": item.detail,
            "filterText": item.written or item.text,
            "sortText": f"{number:04}",
            "textEdit": {"range": lsp_range(item.span, index, encoding), "newText": item.text},
        }
        if item.doc:
            made["documentation"] = item.doc
        items.append(made)
    return items
