"""Standard output and standard error: what may be printed, in which colours, and what to do when nobody reads it."""

from __future__ import annotations

import io
import json
import os
import sys
import time
from collections.abc import Sequence
from contextlib import suppress
from typing import IO

from flow_lsp.cli.usage import UsageError
from flow_lsp.findings.model import Severity
from flow_lsp.text.visible import visible

SEVERITY_COLOURS = {
    Severity.ERROR: "31;1",
    Severity.WARNING: "33;1",
    Severity.INFORMATION: "34;1",
    Severity.HINT: "36",
}
BOLD = "1"
GREEN = "32;1"
RED = "31;1"
YELLOW = "33"
_PATIENCE = 0.4  # seconds of work before a progress line appears
_BETWEEN = 0.1  # seconds between two of its updates


def prepare(*, exact: bool) -> None:
    """Makes both streams take every text. `exact` output is the same bytes on every system: UTF-8 with LF ends.

    What cannot be encoded (half a character of a file name that is no UTF-8) is written as an escape, which
    in JSON is the very escape that JSON has for it.
    """
    if sys.stdout is None:
        sys.stdout = open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115
    if sys.stderr is None:
        sys.stderr = open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115
    if isinstance(sys.stderr, io.TextIOWrapper):
        sys.stderr.reconfigure(errors="backslashreplace")
    if isinstance(sys.stdout, io.TextIOWrapper):
        if exact:
            sys.stdout.reconfigure(encoding="utf-8", errors="backslashreplace", newline="\n")
        else:
            sys.stdout.reconfigure(errors="backslashreplace")


def write(text: str) -> None:
    """Prints `text` and a line end to standard output.

    A reader that went away (`flow-lsp check | head`) changes nothing, least of all the exit status. Raises
    UsageError where the output cannot be written for another reason, such as a full disk.
    """
    try:
        print(text)
        sys.stdout.flush()
    except BrokenPipeError:
        _discard()
    except OSError as error:
        _discard()
        raise UsageError(f"the output cannot be written: {error.strerror or error}.") from error


def finish() -> None:
    """Writes what is left, so that the interpreter has nothing to complain of at its end."""
    try:
        sys.stdout.flush()
    except OSError:
        _discard()


def _discard() -> None:
    """Sends the rest of standard output nowhere."""
    with suppress(OSError):
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, sys.stdout.fileno())
        os.close(nowhere)


def complain(sentence: str) -> None:
    """Says something beside the output, on standard error."""
    with suppress(OSError):
        print(f"flow-lsp: {sentence}", file=sys.stderr)


def complain_lines(lines: Sequence[str]) -> None:
    """Says several lines on standard error, as they are."""
    with suppress(OSError):
        print("\n".join(lines), file=sys.stderr)


def wants_colour(stream: IO[str]) -> bool:
    """Whether colours are wanted: on a terminal, unless NO_COLOR or TERM=dumb say otherwise."""
    return stream.isatty() and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"


def painted(text: str, code: str, colour: bool) -> str:
    """`text` in the colour of an SGR code, if `colour`."""
    return f"\x1b[{code}m{text}\x1b[0m" if colour else text


def printable(text: str) -> str:
    """`text` in full; what a terminal must not be given, or cannot show as itself, as an escape."""
    return visible(text)


def json_text(value: object) -> str:
    """`value` as indented JSON: readable text as it is, what a terminal must not be given as an escape."""
    text = json.dumps(value, indent=2, ensure_ascii=False)
    if text.replace("\n", "").isprintable():
        return text
    return "".join(letter if letter == "\n" or letter.isprintable() else json.dumps(letter)[1:-1] for letter in text)


def display_width(text: str) -> int:
    """Columns of a terminal: wide East Asian letters and most emoji take two, combining marks none."""
    if text.isascii():
        return len(text)
    from unicodedata import category, east_asian_width

    return sum(
        0 if category(letter) in ("Mn", "Me", "Cf") else 2 if east_asian_width(letter) in "WF" else 1 for letter in text
    )


def amount(count: int, word: str) -> str:
    """`count` and `word`, in the plural where there is not one."""
    return f"{count} {word}" if count == 1 else f"{count} {word}s"


class ProgressLine:
    """One line on a terminal that is written over again; nothing where standard error is no terminal.

    It appears when the work has taken some tenths of a second.
    """

    def __init__(self) -> None:
        self._enabled = sys.stderr.isatty() and os.environ.get("TERM") != "dumb"
        self._next = time.monotonic() + _PATIENCE
        self._shown = False

    def show(self, text: str) -> None:
        """Says how far the work is."""
        if self._enabled and time.monotonic() >= self._next:
            self._next = time.monotonic() + _BETWEEN
            self._write(f"\r\x1b[K{text}")
            self._shown = True

    def clear(self) -> None:
        """Takes the line away."""
        if self._shown:
            self._write("\r\x1b[K")
            self._shown = False

    def _write(self, text: str) -> None:
        with suppress(OSError):
            sys.stderr.write(text)
            sys.stderr.flush()
