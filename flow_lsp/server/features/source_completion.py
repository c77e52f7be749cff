"""textDocument/completion in `.flow` files, as far as the client can show it (LSP 3.17, "CompletionItem")."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from flow_lsp.analysis.markdown import block, escaped
from flow_lsp.analysis.offers import Offer, OfferKind
from flow_lsp.analysis.source_completions import source_completions
from flow_lsp.server.convert import lsp_range
from flow_lsp.server.documents import Document
from flow_lsp.server.parameters import position
from flow_lsp.text.spans import Span

if TYPE_CHECKING:
    from flow_lsp.server.language_server import LanguageServer

_KINDS = {
    OfferKind.TYPE: 22,  # Struct
    OfferKind.ENUM: 13,
    OfferKind.BUILT_IN: 7,  # Class
    OfferKind.PARAMETER: 25,
    OfferKind.MODULE: 9,
    OfferKind.FILE: 17,
    OfferKind.FOLDER: 19,
    OfferKind.KEYWORD: 14,
    OfferKind.SNIPPET: 15,
}
_SNIPPET = 2  # InsertTextFormat


def in_source(server: LanguageServer, document: Document, key: str, params: Any) -> dict[str, Any]:
    """What may be typed at the position of the source `key`, from the last snapshot."""
    index, encoding = document.text.index, server.documents.encoding
    offset = index.offset(position(params), encoding)
    found = source_completions(server.analysis, server.project.snapshot(), key, offset)
    client = server.client

    ranges: dict[Span, dict[str, Any]] = {}  # there are few, and many offers

    def ranged(span: Span) -> dict[str, Any]:
        known = ranges.get(span)
        if known is None:
            known = ranges[span] = lsp_range(span, index, encoding)
        return known

    items = []
    for number, offer in enumerate(found.offers):
        text = offer.snippet if client.snippets and offer.snippet else offer.text
        if not text:
            continue  # nothing but places to fill in, which the client has not
        span = ranged(offer.span)
        made: dict[str, Any] = {
            "label": offer.label,
            "kind": _KINDS[offer.kind],
            "filterText": offer.typed or offer.text,
            "sortText": f"{number:05}",
        }
        if client.insert_replace and offer.word != offer.span:
            replaced = ranged(offer.word)
            made["textEdit"] = {"newText": text, "insert": span, "replace": replaced}
        else:
            made["textEdit"] = {"range": span, "newText": text}
        if text is offer.snippet:
            made["insertTextFormat"] = _SNIPPET
        if offer.detail:
            made["detail"] = offer.detail
        if offer.doc:
            made["documentation"] = _documentation(offer, client.markdown_documentation)
        if offer.edits:
            made["additionalTextEdits"] = [{"range": ranged(edit.span), "newText": edit.text} for edit in offer.edits]
        items.append(made)
    return {"isIncomplete": not found.complete, "items": items}


def _documentation(offer: Offer, markdown: bool) -> object:
    assert offer.doc is not None
    if not markdown or offer.kind not in (OfferKind.TYPE, OfferKind.ENUM) or "\n" not in offer.doc:
        return offer.doc
    declaration, _, doc = offer.doc.partition("\n\n")
    return {"kind": "markdown", "value": f"{block('flow', declaration)}\n\n{escaped(doc)}".strip()}
