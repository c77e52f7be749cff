"""Requests about a document, written as the protocol's JSON and checked by the client's types on the way out."""

from __future__ import annotations

from typing import Any

from editor_session import Editor
from lsprotocol import types
from session_client import CONVERTER


async def request(one: Editor, method: str, params: dict[str, Any]) -> Any:
    """The answer to `method`, as the client understands it."""
    kind = types.METHOD_TO_TYPES[method][2]
    return await one.answer(one.client.protocol.send_request_async(method, CONVERTER.structure(params, kind)))


async def ask(one: Editor, method: str, name: str, line: int | None = None, character: int = 0, **more: Any) -> Any:
    """The answer to `textDocument/METHOD` about a file of the workspace, or a URI, and a position of it."""
    uri = name if name.startswith("untitled:") else one.workspace.uri(name)
    params: dict[str, Any] = {"textDocument": {"uri": uri}, **more}
    if line is not None:
        params["position"] = {"line": line, "character": character}
    return await request(one, f"textDocument/{method}", params)
