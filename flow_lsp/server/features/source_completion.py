"""textDocument/completion in `.flow` files, as far as the client can show it (LSP 3.17, "CompletionItem")."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from flow_lsp.analysis.edits import TextEdit
from flow_lsp.analysis.markdown import block, escaped
from flow_lsp.analysis.offers import DeclaredName, Offer, OfferKind
from flow_lsp.analysis.source_completions import source_completions
from flow_lsp.analysis.type_completions import type_documentation
from flow_lsp.server.convert import lsp_range
from flow_lsp.server.documents import Document
from flow_lsp.server.parameters import optional, position
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

    def ranged(span: Span) -> dict[str, Any]:
        known = ranges.get(span)
        if known is None:
            known = ranges[span] = lsp_range(span, index, encoding)
        return known

    def edit_range(offer: Offer) -> dict[str, Any]:
        """The members of a CompletionItem's text edit that say where."""
        if client.insert_replace and offer.word != offer.span:
            return {"insert": ranged(offer.span), "replace": ranged(offer.word)}
        return {"range": ranged(offer.span)}

    def edited(edits: tuple[TextEdit, ...]) -> list[dict[str, Any]]:
        known = written.get(id(edits))
        if known is None:
            known = written[id(edits)] = [{"range": ranged(edit.span), "newText": edit.text} for edit in edits]
        return known

    # There are few of these, and many offers.
    ranges: dict[Span, dict[str, Any]] = {}
    written: dict[int, list[dict[str, Any]]] = {}
    first = found.offers[0] if found.offers and client.default_edit_range else None
    items = []
    for number, offer in enumerate(found.offers):
        text = offer.snippet if client.snippets and offer.snippet else offer.text
        if not text:
            continue  # nothing but places to fill in, which the client has not
        made: dict[str, Any] = {"label": offer.label, "kind": _KINDS[offer.kind], "sortText": f"{number:05}"}
        typed = offer.typed or offer.text
        if typed != offer.label:
            made["filterText"] = typed
        if first is None or offer.span != first.span or offer.word != first.word:
            made["textEdit"] = {"newText": text, **edit_range(offer)}
        elif text != offer.label:
            made["textEditText"] = text
        if text is offer.snippet:
            made["insertTextFormat"] = _SNIPPET
        if offer.detail:
            made["detail"] = offer.detail
        if offer.doc:
            made["documentation"] = offer.doc
        elif offer.declared is not None and client.resolves_documentation:
            made["data"] = offer.declared
        elif offer.declared is not None:
            made["documentation"] = documentation(server, offer.declared)
        if offer.edits:
            made["additionalTextEdits"] = edited(offer.edits)
        items.append(made)
    answer: dict[str, Any] = {"isIncomplete": not found.complete, "items": items}
    if first is not None:
        where = edit_range(first)
        answer["itemDefaults"] = {"editRange": where.get("range", where)}
    return answer


def documentation(server: LanguageServer, declared: DeclaredName) -> object:
    """The declaration of a type and its doc comment, as the client shows it; None where it is not there any more."""
    declaration, doc = type_documentation(server.project.snapshot(), declared)
    if not server.client.markdown_documentation:
        return f"{declaration}\n\n{doc}".strip() or None
    return (
        {"kind": "markdown", "value": f"{block('flow', declaration)}\n\n{escaped(doc)}".strip()}
        if declaration
        else None
    )


def resolved(server: LanguageServer, params: Any) -> Any:
    """completionItem/resolve: the item with its documentation, which was left out of the list."""
    data = optional(params, "data", kind=list)
    if data is None or len(data) != 2 or not all(isinstance(part, str) for part in data):
        return params
    known = documentation(server, DeclaredName(*data))
    return params if known is None else {**params, "documentation": known}
