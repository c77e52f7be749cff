"""The lines that either side writes for calls: call, cancel, reply, and the answer to describe.

Rules (decisions 7):
- a line is at most the limit long, its LF not counted. A call that would be longer is not sent; a reply that would
  be is Unknown, since what was done before it is not known to the program;
- run and call stand first in params, so that they can be picked out of a line that is longer than its reader reads;
- values are given as canonical text, in which no line end stands, and are not read again.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from json.encoder import encode_basestring

from flow_lsp.findings.model import shown
from flow_lsp.protocol.call_outcomes import Failed, NotRun, Ok, SentOutcome, Unknown
from flow_lsp.protocol.framer import LINE_LIMIT
from flow_lsp.protocol.messages import error_line
from flow_lsp.protocol.outcome import ServedTool
from flow_lsp.values.canonical import canonical_text

INTERNAL_ERROR = -32603
_quoted = encode_basestring  # the canonical text of a string


class ProtocolMisuse(ValueError):  # noqa: N818 - what h11 and wsproto call a local error
    """The caller of a state machine did what its rules do not allow. Never raised for what came from outside."""


@dataclass(frozen=True, slots=True)
class TooLong:
    """A message that is not sent, since it would have `length` bytes."""

    length: int
    limit: int

    @property
    def reason(self) -> str:
        """Why it is not sent, as a sentence."""
        return f"The message would have {self.length} bytes, more than {self.limit}, the limit of one message."


@dataclass(frozen=True, slots=True)
class IdUsed:
    """A call that is not sent to an MCP server, since there was one of its id."""

    call: str

    @property
    def reason(self) -> str:
        """Why it is not sent, as a sentence."""
        return f"This MCP server's process had a call with the id {shown(self.call)} before, and an id counts once."


def call_line(
    run: str,
    call: str,
    tool: str,
    args_text: str,
    schema_text: str | None = None,
    types_text: str | None = None,
    limit: int = LINE_LIMIT,
) -> bytes | TooLong:
    """The line of a call, its LF included. `tool` is the identity as the implementation listed it; the views are
    those of a generic call. The texts are canonical ones."""
    views = "" if schema_text is None else f',"schema":{schema_text}'
    if types_text is not None:
        views += f',"types":{types_text}'
    line = _notification("call", run, call, f',"tool":{_quoted(tool)},"args":{args_text}{views}')
    return line if len(line) - 1 <= limit else TooLong(len(line) - 1, limit)


def cancel_line(run: str, call: str) -> bytes:
    """The line of a cancel, its LF included. It is shorter than that of the call."""
    return _notification("cancel", run, call, "")


def reply_line(run: str, call: str, outcome: SentOutcome, limit: int = LINE_LIMIT) -> bytes:
    """The line of a reply, its LF included: of `outcome`, or, where that is past the limit, of Unknown with that as
    the reason. A reason that is past it is cut: what is certain stays so. Half characters in it are escaped."""
    match outcome:
        case Ok(text):
            member = f'"Ok":{text}'
        case Failed(text):
            member = f'"Failed":{text}'
        case NotRun(reason):
            member = f'"NotRun":{_quoted(_whole(reason))}'
        case Unknown(reason):
            member = f'"Unknown":{_quoted(_whole(reason))}'
    line = _reply(run, call, member)
    excess = len(line) - 1 - limit
    if excess <= 0:
        return line
    if isinstance(outcome, Ok | Failed):
        return reply_line(run, call, Unknown(TooLong(len(line) - 1, limit).reason), limit)
    return _reply(run, call, f'"{type(outcome).__name__}":{_cut(_whole(outcome.reason), excess)}')


def describe_line(request_id: str, data: str, tools: Sequence[ServedTool], limit: int = LINE_LIMIT) -> bytes:
    """The line that answers describe, its LF included; an error where it would be past the limit. `request_id` is
    JSON text."""
    entries = ",".join(
        canonical_text({"tool": tool.identity, "fingerprint": tool.fingerprint, "signature": tool.signature})
        for tool in tools
    )
    line = f'{{"jsonrpc":"2.0","id":{request_id},"result":{{"data":{_quoted(data)},"tools":[{entries}]}}}}\n'.encode()
    if len(line) - 1 <= limit:
        return line
    return error_line(request_id, INTERNAL_ERROR, TooLong(len(line) - 1, limit).reason)


def check_pair(run: str, call: str) -> None:
    """Raises ProtocolMisuse where run and call ids are none that a line can hold."""
    if run and call and run.isascii() and call.isascii():  # as nearly all are
        return
    for text in (run, call):
        if not text or text != _whole(text):
            raise ProtocolMisuse("Run and call ids are texts, not empty and without half characters.")


def _notification(method: str, run: str, call: str, more: str) -> bytes:
    head = f'{{"jsonrpc":"2.0","method":"{method}","params":{{"run":{_quoted(run)},"call":{_quoted(call)}'
    return f"{head}{more}}}}}\n".encode()


def _reply(run: str, call: str, member: str) -> bytes:
    return _notification("reply", run, call, f',"outcome":{{{member}}}')


def _cut(reason: str, excess: int) -> str:
    """`reason` as a JSON string that is shorter by `excess` bytes or a few more."""
    room = len(_quoted(reason).encode()) - excess
    # A character takes six bytes at most, so that this many stay within the room whatever they are.
    kept = reason[: max(0, (room - 2) // 6)]
    return _quoted(kept)


def _whole(text: str) -> str:
    """`text` as UTF-8 can write it."""
    return text if text.isascii() else text.encode("utf-8", "backslashreplace").decode("utf-8")
