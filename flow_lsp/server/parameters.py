"""What a client may have sent as params: reading it without trusting its shape.

A handler takes what it needs with these functions; what is not there or is of another kind becomes an
InvalidParams answer (or, of a notification, a line in the log), never an exception of another sort.
"""

from __future__ import annotations

from typing import Any, TypeVar

from flow_lsp.server.messages import ErrorCode, ResponseError
from flow_lsp.text.document import Change
from flow_lsp.text.lines import Position

_Kind = TypeVar("_Kind")

_WORDS: dict[type, str] = {
    str: "a string",
    int: "a whole number",
    bool: "true or false",
    list: "a list",
    dict: "an object",
}


def _invalid(path: tuple[str, ...], wanted: str) -> ResponseError:
    return ResponseError(ErrorCode.INVALID_PARAMS, f"The params need `{'.'.join(path)}` to be {wanted}.")


def member(params: object, *path: str, kind: type[_Kind]) -> _Kind:
    """The member of `params` at `path`, of that kind. Raises ResponseError (InvalidParams).

    A whole number may be written with a fraction of zero, and true is no number.
    """
    value = optional(params, *path, kind=kind)
    if value is None:
        raise _invalid(path, _WORDS.get(kind, kind.__name__))
    return value


def optional(params: object, *path: str, kind: type[_Kind]) -> _Kind | None:
    """The same, but None where the member is absent, null or of another kind."""
    value: Any = params
    for name in path:
        value = value.get(name) if isinstance(value, dict) else None
    if kind is int and isinstance(value, float) and value.is_integer():
        value = int(value)
    if isinstance(value, kind) and not (isinstance(value, bool) and kind is int):
        return value
    return None


def document_uri(params: object) -> str:
    """`textDocument.uri`. Raises ResponseError."""
    return member(params, "textDocument", "uri", kind=str)


def position(params: object, *path: str) -> Position:
    """A position at `path` (`position` unless told). Raises ResponseError."""
    path = path or ("position",)
    return Position(member(params, *path, "line", kind=int), member(params, *path, "character", kind=int))


def span_of_lines(params: object, *path: str) -> tuple[Position, Position]:
    """A range at `path` (`range` unless told): its start and its end. Raises ResponseError."""
    path = path or ("range",)
    return position(params, *path, "start"), position(params, *path, "end")


def content_changes(params: object) -> list[Change]:
    """The changes of textDocument/didChange, in order. Raises ResponseError if any is not one."""
    changes = []
    for change in member(params, "contentChanges", kind=list):
        text = member(change, "text", kind=str)
        if optional(change, "range", kind=dict) is None:
            changes.append(Change(text))
        else:
            changes.append(Change(text, *span_of_lines(change)))
    return changes
