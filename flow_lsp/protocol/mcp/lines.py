"""What is written to an MCP server: one message a line, in canonical text, so that no line holds a raw line end.

The ids of the handshake's requests are strings as those of calls are. A server that changes the type of an id
therefore fails at the first answer and not at a call, and no answer of the one kind is taken for one of the other.
"""

from __future__ import annotations

from flow_lsp.values.canonical import canonical_text
from flow_lsp.values.strict_json import Json

RESERVED = "flow-lsp/"  # how the ids of the client's own requests begin; no call may have such an id
INITIALIZE = RESERVED + "initialize"


def listing_id(number: int) -> str:
    """The id of the `number`-th request for a page of tools."""
    return f"{RESERVED}tools/list/{number}"


def request_line(request_id: str, method: str, params: Json) -> bytes:
    """The line of a request."""
    return _line(
        f'"id":{canonical_text(request_id)},"method":{canonical_text(method)},"params":{canonical_text(params)}'
    )


def call_line(call: str, tool: str, arguments: str) -> bytes:
    """The line that calls `tool`; `arguments` is the canonical text of an object.

    Raises UnicodeEncodeError where a text holds half a character. The call's id is its progress token too: a
    server may say how far it is only of a call that has one.
    """
    call_id = canonical_text(call)
    return _line(
        f'"id":{call_id},"method":"tools/call","params":{{"_meta":{{"progressToken":{call_id}}},'
        f'"arguments":{arguments},"name":{canonical_text(tool)}}}'
    )


def notification_line(method: str, params: Json = None) -> bytes:
    """The line of a notification, without params where they are None."""
    tail = "" if params is None else f',"params":{canonical_text(params)}'
    return _line(f'"method":{canonical_text(method)}{tail}')


def result_line(request_id: str, result: Json) -> bytes:
    """The line that answers a server's request; `request_id` is JSON text."""
    return _line(f'"id":{request_id},"result":{canonical_text(result)}')


def _line(members: str) -> bytes:
    return f'{{"jsonrpc":"2.0",{members}}}\n'.encode()
