"""The answers to a client that asks for diagnostics (LSP 3.17, "Pull Diagnostics")."""

from __future__ import annotations

from collections.abc import Callable
from itertools import islice

from flow_lsp.files.uris import normalized
from flow_lsp.server.messages import JsonText, json_text
from flow_lsp.server.parameters import document_uri, optional
from flow_lsp.server.publisher import Publisher

FILES_AT_ONCE = 100  # reports in one partial result


def document_answer(publisher: Publisher, params: object) -> JsonText:
    """The answer to textDocument/diagnostic, once the document as it stands was checked. Raises
    ResponseError where the params name none."""
    return publisher.report(normalized(document_uri(params)), optional(params, "previousResultId", kind=str))


def workspace_answer(publisher: Publisher, params: object, notify: Callable[[str, JsonText], None]) -> JsonText:
    """The answer to workspace/diagnostic, once everything was checked.

    A client that gave a partialResultToken gets the reports through `notify`, a hundred at a time, and
    then an answer without any.
    """
    previous = {}
    for entry in optional(params, "previousResultIds", kind=list) or ():
        uri, value = optional(entry, "uri", kind=str), optional(entry, "value", kind=str)
        if uri is not None and value is not None:
            previous[normalized(uri)] = uri, value
    reports = publisher.workspace_report(previous)
    token = optional(params, "partialResultToken", kind=str)
    number = optional(params, "partialResultToken", kind=int)
    if token is None and number is None:
        return _report(reports)
    written = json_text(number if token is None else token)
    rest = iter(reports)
    while batch := list(islice(rest, FILES_AT_ONCE)):
        notify("$/progress", JsonText(f'{{"token":{written},"value":{_report(batch).text}}}'))
    return _report([])


def _report(items: list[str]) -> JsonText:
    return JsonText(f'{{"items":[{",".join(items)}]}}')
