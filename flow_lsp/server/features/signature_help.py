"""textDocument/signatureHelp: the type whose arguments are being written."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from flow_lsp.analysis.type_help import type_help
from flow_lsp.server.documents import Language
from flow_lsp.server.features.asked import asked
from flow_lsp.text.lines import PositionEncoding, column_width

if TYPE_CHECKING:
    from flow_lsp.server.language_server import LanguageServer


def answer(server: LanguageServer, params: Any) -> dict[str, Any] | None:
    """The type parameters at the position, and which of them is next; from the last snapshot."""
    place = asked(server, params)
    if place is None or place.document.language is not Language.FLOW:
        return None
    found = type_help(server.analysis, place.snapshot, place.key, place.offset(params))
    if found is None:
        return None
    parameters = []
    for argument in found.arguments:
        start, end = argument.span
        label: object = found.label[start:end]
        if server.client.label_offsets:
            # Whatever the columns of documents count, those of labels are UTF-16's.
            label = [column_width(found.label[:place], PositionEncoding.UTF16) for place in (start, end)]
        parameters.append({"label": label, **({"documentation": argument.doc} if argument.doc else {})})
    signature: dict[str, Any] = {"label": found.label, "parameters": parameters}
    if found.doc:
        signature["documentation"] = found.doc
    return {"signatures": [signature], "activeSignature": 0, "activeParameter": found.active}
