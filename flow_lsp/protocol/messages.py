"""One line to one message, and one message to one line.

Realizes decisions 7: JSON-RPC 2.0, one message per line; a line that is no message is not an error of the
connection but noise, told with the reason why. Unknown members are ignored.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import TypeAlias

from flow_lsp.values.limits import DEFAULT_LIMITS, ENVELOPE_NESTING
from flow_lsp.values.strict_json import Json, JsonRefused, read_json

METHOD_NOT_FOUND = -32601


@dataclass(frozen=True, slots=True)
class Response:
    """A response with a result."""

    id: Json
    result: Json


@dataclass(frozen=True, slots=True)
class ErrorResponse:
    """A response with an error; `code` as written, empty where there is none."""

    id: Json
    code: str
    message: str
    data: Json = None


@dataclass(frozen=True, slots=True)
class MalformedResponse:
    """A message with an id that is meant as a response and is none, and why, as a clause."""

    id: Json
    reason: str


@dataclass(frozen=True, slots=True)
class Request:
    """A request."""

    id: Json
    method: str
    params: Json


@dataclass(slots=True)  # not frozen: one is made for each call, and that would take three times as long
class Notification:
    """A notification."""

    method: str
    params: Json


@dataclass(frozen=True, slots=True)
class NoMessage:
    """A line that is no message, and why, as a clause. `refused` where it would be an object but was not to be
    read strictly: then something may be left that `envelope` can read."""

    reason: str
    refused: bool = field(default=False, compare=False)


Message: TypeAlias = Response | ErrorResponse | MalformedResponse | Request | Notification | NoMessage


def read_message(line: bytes) -> Message:
    """The message that `line`, without its LF, is. Never raises."""
    text = line.strip(b" \t\r\n")
    if not text:
        return NoMessage("the line is empty")
    if not text.startswith(b"{"):
        return NoMessage(_why_no_object(text))
    try:
        value = read_json(text, DEFAULT_LIMITS, ENVELOPE_NESTING)
    except JsonRefused as refused:
        return NoMessage(refused.sentence.rstrip("."), refused=True)
    if not isinstance(value, dict):
        return NoMessage("it is no JSON object")
    if value.get("jsonrpc") != "2.0":
        return NoMessage('it has no member "jsonrpc" that is "2.0"')
    if "method" in value:
        return _call(value)
    if "id" in value and ("result" in value or "error" in value):
        return _response(value)
    return NoMessage("it is neither a request, nor a response, nor a notification")


def request_line(request_id: int, method: str, params: dict[str, str]) -> bytes:
    """The line of a request, its LF included."""
    return _line({"jsonrpc": "2.0", "id": request_id, "method": method, "params": params})


def unknown_method_line(request_id: str, message: str = "this host answers no requests") -> bytes:
    """The line that answers a request nobody here understands; `request_id` is JSON text."""
    return error_line(request_id, METHOD_NOT_FOUND, message)


def error_line(request_id: str, code: int, message: str) -> bytes:
    """The line of an error response; `request_id` is JSON text."""
    error = json.dumps({"code": code, "message": message})
    return f'{{"jsonrpc":"2.0","id":{request_id},"error":{error}}}\n'.encode()


def _line(message: dict[str, object]) -> bytes:
    return json.dumps(message, ensure_ascii=False, separators=(",", ":")).encode() + b"\n"


def _why_no_object(text: bytes) -> str:
    if text.startswith(b"\xef\xbb\xbf"):
        return "it begins with a byte order mark, which a line of the protocol must not have"
    if text.startswith(b"["):
        return "it is no JSON object; a batch of messages is not part of the protocol"
    return "it is no JSON object"


def _call(value: dict[str, Json]) -> Message:
    method = value["method"]
    if not isinstance(method, str):
        return NoMessage('its member "method" is no string')
    if "id" not in value:
        return Notification(method, value.get("params"))
    return Request(value["id"], method, value.get("params"))


def _response(value: dict[str, Json]) -> Message:
    request_id = value["id"]
    if "result" in value and "error" in value:
        return MalformedResponse(request_id, "it has both a result and an error")
    if "result" in value:
        return Response(request_id, value["result"])
    error = value["error"]
    if not isinstance(error, dict):
        return MalformedResponse(request_id, "its error is no object")
    message = error.get("message")
    return ErrorResponse(
        request_id,
        str(error.get("code", "")),
        message if isinstance(message, str) else "(without a message)",
        error.get("data"),
    )
