"""What a line answers that cannot be read as a message: one past the limit, or one with a fault inside its result.

Realizes decisions 7 for the envelope of a JSON-RPC response: a line that is JSON by the grammar, whose id can be read,
is a message; what does not pass strict reading inside its result or error is a bad reply to that request, and a fault
elsewhere makes the line no message. Of a line past the limit the id counts where it stands before the limit.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from flow_lsp.protocol.envelope import read_envelope
from flow_lsp.protocol.messages import MalformedResponse, Response, read_message

_NEXT_ANSWERS = re.compile(rb'\s*,\s*"(?:result|error)"\s*:')


@dataclass(frozen=True, slots=True)
class FaultyAnswer:
    """The response to the request `id`, the line `data`, has a fault, which `reason` says as a clause."""

    id: str
    reason: str
    data: bytes


def faulty_answer(line: bytes, reason: str) -> FaultyAnswer | None:
    """What `line` answers, which is no message for `reason`; None where the fault is none of its result alone."""
    envelope = read_envelope(line)
    if envelope is None or not envelope.whole:
        return None
    request_id = envelope.text(envelope.outer, "id")
    parts = [*envelope.outer.get("result", ()), *envelope.outer.get("error", ())]
    if request_id is None or len(parts) != 1:
        return None
    start, end = parts[0]
    if isinstance(read_message(line[:start] + b"null" + line[end:]), Response | MalformedResponse):
        return FaultyAnswer(request_id, reason, line)
    return None


def answered_by_head(head: bytes) -> str | None:
    """The id of the request that a line answers of which `head` is the beginning; None where it cannot be told.

    A server numbers its own requests as it likes, so that a line is a response where its result or error is seen to
    begin, and not before.
    """
    envelope = read_envelope(head)
    if envelope is None or "method" in envelope.outer:
        return None
    last = max([end for spans in envelope.outer.values() for _, end in spans], default=0)
    if not envelope.outer.keys() & {"result", "error"} and not _NEXT_ANSWERS.match(head, last):
        return None
    return envelope.text(envelope.outer, "id")
