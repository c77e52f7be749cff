"""Messages of the base protocol (LSP 3.17, "Base Protocol"): bytes to JSON and back. No I/O.

`MessageFramer` cuts a stream into the bodies of messages, however the stream is cut into pieces and
whatever else is in it; `decode` and `encode` turn bodies into values and values into framed bytes.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from enum import IntEnum
from typing import Any, NoReturn

LARGEST_MESSAGE = 256 * 1024 * 1024  # bytes of one body; a text twice this size is in memory meanwhile
LARGEST_HEADER = 16 * 1024  # bytes; a client's header has some fifty

_HEADER_END = re.compile(rb"\r?\n\r?\n")
_CONTENT_LENGTH = re.compile(rb"(?i)content-length[ \t]*:[ \t]*([0-9]{1,12})[ \t]*\r?")
_AT_THE_END = re.compile(rb"(?i)content-length[ \t]*:[ \t]*([0-9]{1,12})[ \t]*\r?\Z")  # behind other bytes
_NEXT_HEADER = re.compile(rb"(?i)content-length[ \t]*:")
_LONGEST_MARK = len(b"content-length") - 1


class ErrorCode(IntEnum):
    """The error codes of JSON-RPC and of the LSP that this server answers with."""

    PARSE_ERROR = -32700
    INVALID_REQUEST = -32600
    METHOD_NOT_FOUND = -32601
    INVALID_PARAMS = -32602
    INTERNAL_ERROR = -32603
    SERVER_NOT_INITIALIZED = -32002
    REQUEST_FAILED = -32803
    SERVER_CANCELLED = -32802
    CONTENT_MODIFIED = -32801
    REQUEST_CANCELLED = -32800


class ResponseError(Exception):
    """An error answer: a handler raises it to give one, a request of ours raises it when it got one."""

    def __init__(self, code: int, message: str, data: object = None) -> None:
        super().__init__(message)
        self.code = code
        self.message = message
        self.data = data


class MessageTooLargeError(Exception):
    """A message is longer than this server is willing to hold. The connection cannot go on."""


@dataclass(frozen=True, slots=True)
class JsonText:
    """JSON already written, in place of params or a result, so that large ones are written once."""

    text: str


class MessageFramer:
    """Cuts a stream of bytes into the bodies of messages.

    A header without a usable Content-Length is skipped, up to the next place that looks like one;
    `problems` then says what was skipped. Lines may also end in a bare LF.
    """

    __slots__ = ("_buffer", "_length", "_lost", "_searched", "largest", "problems")

    def __init__(self, largest: int = LARGEST_MESSAGE) -> None:
        self._buffer = bytearray()
        self._length: int | None = None  # of the body that is being read
        self._searched = 0  # how far the header's end is known not to be in the buffer
        self._lost = False  # whether to look for the next header first
        self.largest = largest
        self.problems: list[str] = []

    @property
    def incomplete(self) -> bool:
        """Whether a part of a message, but not all of it, has been read."""
        return bool(self._buffer) or self._length is not None

    def feed(self, data: bytes) -> None:
        """Takes the next piece of the stream."""
        self._buffer += data

    def next_body(self) -> bytes | None:
        """The next whole body, or None until more is fed. Raises MessageTooLargeError."""
        while self._length is None:
            if self._lost and not self._find_header():
                return None
            if not self._read_header():
                return None
        if len(self._buffer) < self._length:
            return None
        body = bytes(memoryview(self._buffer)[: self._length])
        del self._buffer[: self._length]
        self._length = None
        return body

    def _read_header(self) -> bool:
        """Whether the buffer held a header's end; it is then taken out."""
        end = _HEADER_END.search(self._buffer, max(0, self._searched - 3))
        if end is None:
            self._searched = len(self._buffer)
            if self._searched > LARGEST_HEADER:
                self._skip("a header without an end")
                del self._buffer[:-_LONGEST_MARK]
            return False
        header = bytes(memoryview(self._buffer)[: end.start()])
        del self._buffer[: end.end()]
        self._searched = 0
        lengths = {int(found[1]) for line in header.split(b"\n") if (found := _CONTENT_LENGTH.fullmatch(line))}
        if not lengths and (found := _AT_THE_END.search(header)):
            self.problems.append("Skipped bytes before a header on the connection.")
            lengths = {int(found[1])}
        if len(lengths) != 1:
            self._skip("a header with two lengths" if lengths else "a header without Content-Length")
            return True
        self._length = lengths.pop()
        if self._length > self.largest:
            raise MessageTooLargeError(
                f"A message of {self._length} bytes is too large: at most {self.largest} are accepted."
            )
        return True

    def _skip(self, what: str) -> None:
        self.problems.append(f"Skipped {what} on the connection.")
        self._lost = True
        self._searched = 0

    def _find_header(self) -> bool:
        found = _NEXT_HEADER.search(self._buffer)
        if found is None:
            # Keep what may be the beginning of one; blanks before a colon are not worth waiting for.
            del self._buffer[: max(0, len(self._buffer) - _LONGEST_MARK - 1)]
            return False
        del self._buffer[: found.start()]
        self._lost = False
        return True


def _refuse_constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is not JSON")


_decoder = json.JSONDecoder(parse_constant=_refuse_constant)
_encoder = json.JSONEncoder(ensure_ascii=False, allow_nan=False, separators=(",", ":"))


def decode(body: bytes) -> Any:
    """The value that a body holds. Raises ValueError for all that is not JSON, also for what is nested
    too deeply to be read. Half characters are kept as they come: an edit must not be lost for one."""
    try:
        return _decoder.decode(body.decode("utf-8", "surrogatepass"))
    except RecursionError as error:
        raise ValueError("the message is nested too deeply") from error


def json_text(value: object) -> str:
    """`value` as JSON text without blanks. Raises TypeError or ValueError for what JSON cannot say."""
    if isinstance(value, JsonText):
        return value.text
    return _encoder.encode(value)


def encode(message: dict[str, Any]) -> bytes:
    """A message with its header. One of its members (params or result) may be JsonText.

    Half characters (lone surrogates) cannot be written in UTF-8 and are written as JSON escapes.
    Raises TypeError or ValueError for what JSON cannot say.
    """
    members = ",".join([f'"{name}":{json_text(value)}' for name, value in message.items()])
    try:
        body = f'{{"jsonrpc":"2.0",{members}}}'.encode()
    except UnicodeEncodeError:
        body = _escape_surrogates(f'{{"jsonrpc":"2.0",{members}}}').encode()
    return b"Content-Length: %d\r\n\r\n%b" % (len(body), body)


def _escape_surrogates(text: str) -> str:
    """JSON text with each half character as its escape; they can only stand in strings."""
    return re.sub("[\ud800-\udfff]", lambda found: f"\\u{ord(found[0]):04x}", text)
