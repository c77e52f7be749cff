"""JSON that a command is given: reading it, and saying where in it something is wrong."""

from __future__ import annotations

import os
import sys

from flow_lsp.cli.formats.excerpt import excerpt
from flow_lsp.cli.terminal import BOLD, RED, complain_lines, painted, printable, wants_colour
from flow_lsp.cli.usage import UsageError
from flow_lsp.findings.model import shown
from flow_lsp.text.lines import LineIndex, PositionEncoding
from flow_lsp.text.spans import Span
from flow_lsp.values.places import place_of
from flow_lsp.values.strict_json import Json, JsonFault, JsonRefused, read_json

STANDARD_INPUT = "-"


def read_input(path: str) -> bytes:
    """The bytes of the file at `path`, of standard input for `-`; raises UsageError where they cannot be read."""
    try:
        if path == STANDARD_INPUT:
            return sys.stdin.buffer.read()
        with open(path, "rb") as file:
            return file.read()
    except OSError as error:
        raise UsageError(f"{shown(path)} cannot be read: {error.strerror or error}.") from error


def read_json_input(path: str) -> tuple[str, Json]:
    """The text and the value of the JSON file at `path`; raises UsageError where it is none, with the place."""
    data = read_input(path)
    try:
        value = read_json(data)
    except JsonRefused as refused:
        text, span = text_fault(data, refused)
        lines = refusal_lines(name_of(path), text, span, str(refused.kind), refused.sentence, colour=False)
        raise UsageError(f"{shown(path)} holds no JSON that can be used.\n" + "\n".join(lines)) from refused
    return data.decode("utf-8"), value


def name_of(path: str) -> str:
    """What an input is called in a message."""
    return "standard input" if path == STANDARD_INPUT else path.replace(os.sep, "/")


def text_fault(data: bytes, refused: JsonRefused) -> tuple[str, Span]:
    """The text of `data` as far as it is one, and the place in it where strict reading refused it."""
    text = data.decode("utf-8", "replace")
    if refused.kind is JsonFault.UTF8:
        at = len(data[: refused.offset].decode("utf-8", "replace"))
    else:
        at = refused.offset
    at = min(at, len(text))
    return text, Span(at, min(at + 1, len(text)))


def say_text_refused(path: str, data: bytes, refused: JsonRefused) -> None:
    """Says on standard error why `data`, the bytes of `path`, is no JSON text."""
    text, span = text_fault(data, refused)
    complain_lines(
        refusal_lines(name_of(path), text, span, str(refused.kind), refused.sentence, colour=wants_colour(sys.stderr))
    )


def say_value_refused(path: str, text: str, pointer: str, kind: str, sentence: str) -> None:
    """Says on standard error what is wrong with the value at `pointer` in `text`, which `path` holds."""
    colour = wants_colour(sys.stderr)
    lines = refusal_lines(name_of(path), text, place_of(text, pointer), kind, sentence, colour=colour)
    complain_lines([*lines, f"  = at {shown_pointer(pointer)}"])


def shown_pointer(pointer: str) -> str:
    """A JSON Pointer as a person reads it."""
    return printable(pointer) if pointer else "the root of the value"


def refusal_lines(name: str, text: str, span: Span, kind: str, sentence: str, *, colour: bool) -> list[str]:
    """The sentence behind its place, and the line of `text` with carets under `span`."""
    index = LineIndex.of(text)
    start, end = (index.position(at, PositionEncoding.UTF32) for at in span)
    where = painted(f"{printable(name)}:{start.line + 1}:{start.character + 1}", BOLD, colour)
    word = painted("error", RED, colour)
    return [f"{where}: {word}[{kind}]: {sentence}", *excerpt(index, start, end, RED, colour)]
