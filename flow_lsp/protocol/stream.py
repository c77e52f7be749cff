"""What either side does with lines that are nothing of its own: noise is told, unknown requests are answered.

Rules (decisions 7):
- a line that is no message is told with the reason why, and never ends anything;
- the first lines of noise are told in full, the others counted alone: a program that prints for ever fills no
  log, and costs no parsing where its lines hold nothing that could be a message;
- an unknown request is answered with -32601, up to a bound: a flood of them must not pile up as answers that
  the other side does not read.
"""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal

from flow_lsp.protocol.messages import Request, unknown_method_line
from flow_lsp.protocol.printable import printable
from flow_lsp.values.canonical import canonical_text
from flow_lsp.values.numbers import HugeNumber
from flow_lsp.values.strict_json import Json

NOISE_TOLD = 20  # lines of noise that become events; the others are counted alone
LOOKED_AT = 64  # bytes of a line, within which a message has its `{`
ID_LENGTH = 1_000  # characters of a request's id that an answer repeats; an id needs few


@dataclass(frozen=True, slots=True)
class Noise:
    """Line `number` (from 1) of what came in is no message, and why, as a clause. `text` is cut."""

    number: int
    text: str
    reason: str


@dataclass(frozen=True, slots=True)
class Send:
    """Bytes to hand to the other side, whole lines."""

    data: bytes


class NoiseLog:
    """Counts the lines of one stream, and those of them that are noise."""

    __slots__ = ("count", "last_reason", "lines")

    def __init__(self) -> None:
        self.lines = 0
        self.count = 0
        self.last_reason = ""

    def next_line(self) -> None:
        """Another line has come."""
        self.lines += 1

    def skips(self, line: bytes) -> bool:
        """Whether `line` is one of a flood of noise, and is counted as such without being read."""
        if self.count < NOISE_TOLD or b"{" in line[:LOOKED_AT]:
            return False
        self.count += 1
        return True

    def noise(self, line: bytes, reason: str) -> list[Noise]:
        """The present line is noise, for `reason`, a clause."""
        self.count += 1
        self.last_reason = reason
        return [Noise(self.lines, printable(line), reason)] if self.count <= NOISE_TOLD else []


class UnknownRequests:
    """Answers requests that nobody here understands, `most` of them; `message` says what is understood."""

    __slots__ = ("_answered", "_message", "_most")

    def __init__(self, most: int, message: str = "this host answers no requests") -> None:
        self._most = most
        self._message = message
        self._answered = 0

    def answer(self, request: Request) -> list[Send]:
        """The answer to `request`; none past the bound, or where its id is none that could be answered."""
        self._answered += 1
        request_id = id_text(request.id)
        if self._answered > self._most or request_id is None:
            return []
        return [Send(unknown_method_line(request_id, self._message))]


def id_text(request_id: Json) -> str | None:
    """The JSON text of `request_id`, with which an answer repeats it; None where it is no id, or a huge one."""
    if isinstance(request_id, bool) or not isinstance(request_id, str | int | Decimal | HugeNumber):
        return None
    text = canonical_text(request_id)
    return text if len(text) <= ID_LENGTH else None
