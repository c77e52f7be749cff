"""The commands of calls, and the one that says what a Tool lacks (docs/editors.md)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from flow_lsp.analysis.call_tools import missing_tool
from flow_lsp.analysis.lenses import advice_on
from flow_lsp.files.paths import is_source
from flow_lsp.files.uris import path_of
from flow_lsp.server.call_progress import Token
from flow_lsp.server.endpoint import MessageType
from flow_lsp.server.messages import ErrorCode, ResponseError
from flow_lsp.server.parameters import optional

if TYPE_CHECKING:
    from flow_lsp.server.language_server import LanguageServer


async def open_arguments(server: LanguageServer, arguments: list[Any]) -> dict[str, Any]:
    """`flow.call.open URI NAME`: opens the arguments of a Tool."""
    uri, name = _texts("flow.call.open", "the URI of a .flow file and the name of a Tool", arguments, 2)
    return await server.calls.open(uri, name)


async def call(server: LanguageServer, arguments: list[Any], params: Any) -> dict[str, Any]:
    """`flow.call URI`: calls with the arguments of a document."""
    (uri,) = _texts("flow.call", "the URI of a document of arguments", arguments, 1)
    number: Token | None = optional(params, "workDoneToken", kind=int)
    return await server.calls.call(uri, optional(params, "workDoneToken", kind=str) if number is None else number)


def cancel(server: LanguageServer, arguments: list[Any]) -> int:
    """`flow.call.cancel URI`: asks to stop the calls of a document; how many there were."""
    (uri,) = _texts("flow.call.cancel", "the URI of a document of arguments", arguments, 1)
    return server.calls.cancel(uri)


def explain(server: LanguageServer, arguments: list[Any]) -> str:
    """`flow.tool.explain URI NAME`: says how a Tool stands and what to do, in a message too."""
    uri, name = _texts("flow.tool.explain", "the URI of a .flow file and the name of a Tool", arguments, 2)
    path = path_of(uri)
    if path is None or not is_source(path):
        raise ResponseError(ErrorCode.INVALID_PARAMS, "flow.tool.explain takes the URI of a .flow file and a Tool.")
    server.sync_documents()
    key, snapshot = server.project.files.real(path), server.project.snapshot()
    tool = next((tool for tool in server.analysis.tools(snapshot, key) if tool.declared.name == name), None)
    if tool is None:
        raise ResponseError(ErrorCode.REQUEST_FAILED, missing_tool(server.analysis, snapshot, key, name))
    text = advice_on(server.analysis, snapshot, key, tool)
    server.endpoint.notify("window/showMessage", {"type": int(MessageType.INFO), "message": text})
    return text


def _texts(command: str, what: str, arguments: list[Any], count: int) -> list[str]:
    found = [argument for argument in arguments[:count] if isinstance(argument, str)]
    if len(found) < count:
        raise ResponseError(ErrorCode.INVALID_PARAMS, f"{command} takes {what}.")
    return found
