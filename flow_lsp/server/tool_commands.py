"""`flow.tool.changes`, `flow.tool.schema` and `flow.tool.page`: what can be read of a Tool (docs/editors.md)."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

from flow_lsp.analysis.call_tools import missing_tool
from flow_lsp.analysis.engine import FileTool
from flow_lsp.analysis.served_entries import served_entry
from flow_lsp.analysis.tool_texts import changed_texts, schema_text
from flow_lsp.files.paths import SHOWN_SUFFIX, is_source
from flow_lsp.files.uris import path_of, uri_of
from flow_lsp.findings.model import shown
from flow_lsp.host.tool_files import write_tool_files
from flow_lsp.server.features.asked import location
from flow_lsp.server.messages import ErrorCode, ResponseError
from flow_lsp.server.showing import show_document
from flow_lsp.signature.identity import without_version

if TYPE_CHECKING:
    from flow_lsp.analysis.tool_page import Section
    from flow_lsp.server.language_server import LanguageServer


async def changes(server: LanguageServer, arguments: list[Any]) -> dict[str, Any]:
    """`flow.tool.changes URI NAME`: a Tool as it is declared and as it is served, in two documents.

    A client that shows differences (`experimental.flowDiff`) does that; any other is shown both. Raises ResponseError.
    """
    key, tool = await _tool(server, "flow.tool.changes", arguments)
    declared = tool.declared
    signature = declared.signature
    if signature is None:
        raise ResponseError(ErrorCode.REQUEST_FAILED, f"The signature of `{shown(declared.name)}` is not known.")
    served = served_entry(server.project.snapshot(), key, declared)
    if served is None:
        sentence = f"Nothing is known to be served for `{shown(declared.name)}`."
        raise ResponseError(ErrorCode.REQUEST_FAILED, sentence)
    texts = changed_texts(declared, signature, served)
    endings = {f".declared{SHOWN_SUFFIX}": texts.declared, f".served{SHOWN_SUFFIX}": texts.served}
    mine, theirs = await _written(key, tool, endings)
    is_shown = False
    if not server.client.shows_diffs:
        name = shown(declared.name)
        is_shown = await show_document(server, mine, f"{name} as it is declared", focus=False)
        is_shown = await show_document(server, theirs, f"{name} as it is served", focus=True) and is_shown
    title = f"{declared.name}: declared and served"
    return {"declared": mine, "served": theirs, "title": title, "shown": is_shown}


async def schema(server: LanguageServer, arguments: list[Any]) -> dict[str, Any]:
    """`flow.tool.schema URI NAME`: the schemas of a Tool as a document. Raises ResponseError."""
    key, tool = await _tool(server, "flow.tool.schema", arguments)
    signature = tool.declared.signature
    if signature is None:
        name = shown(tool.declared.name)
        raise ResponseError(ErrorCode.REQUEST_FAILED, f"`{name}` has no schemas while its signature is not known.")
    (uri,) = await _written(key, tool, {".schema.json": schema_text(tool.declared, signature)})
    what = f"The schemas of {shown(tool.declared.name)}"
    return {"uri": uri, "shown": await show_document(server, uri, what, focus=True)}


async def page(server: LanguageServer, arguments: list[Any]) -> dict[str, Any]:
    """`flow.tool.page URI NAME`: a Tool and its types as a page, which the client shows. Raises ResponseError."""
    from flow_lsp.analysis.tool_page import tool_page

    key, tool = await _tool(server, "flow.tool.page", arguments)
    found = tool_page(server.analysis, server.project.snapshot(), key, tool)
    if found is None:
        name = shown(tool.declared.name)
        raise ResponseError(ErrorCode.REQUEST_FAILED, f"`{name}` has no page while its signature is not known.")
    return {
        "title": found.title,
        "identity": found.identity,
        "fingerprint": found.fingerprint,
        "state": found.state,
        "detail": found.detail,
        "doc": found.doc,
        "json": found.json,
        "markdown": found.markdown,
        "sections": [_section(server, section) for section in found.sections],
    }


def _section(server: LanguageServer, section: Section) -> dict[str, Any]:
    return {
        "id": section.id,
        "heading": section.heading,
        "kind": section.kind,
        "doc": section.doc,
        "location": None if section.place is None else location(server, *section.place),
        "lines": [
            [{"text": piece.text} if piece.to is None else {"text": piece.text, "to": piece.to} for piece in line]
            for line in section.lines
        ],
        "notes": list(section.notes),
    }


async def _tool(server: LanguageServer, command: str, arguments: list[Any]) -> tuple[str, FileTool]:
    texts = [argument for argument in arguments[:2] if isinstance(argument, str)]
    path = path_of(texts[0]) if len(texts) == 2 else None
    if path is None or not is_source(path):
        raise ResponseError(ErrorCode.INVALID_PARAMS, f"{command} takes the URI of a .flow file and a Tool.")
    await server.workspace_read()
    server.sync_documents()
    key, snapshot = server.project.files.real(path), server.project.snapshot()
    for tool in server.analysis.tools(snapshot, key):
        if tool.declared.name == texts[1]:
            return key, tool
    raise ResponseError(ErrorCode.REQUEST_FAILED, missing_tool(server.analysis, snapshot, key, texts[1]))


async def _written(key: str, tool: FileTool, texts: dict[str, str]) -> list[str]:
    identity, name = without_version(tool.declared.identity), tool.declared.name
    paths = await asyncio.to_thread(write_tool_files, key, identity, name, texts)
    if paths is None:
        raise ResponseError(ErrorCode.REQUEST_FAILED, "The documents could not be kept in the state directory.")
    return [uri_of(path) for path in paths]
