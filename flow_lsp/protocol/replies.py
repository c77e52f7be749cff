"""What a line of an implementation answers: a reply, one with a fault, or nothing.

Rules (decisions 7):
- a reply is a notification whose params hold run and call, strings and not empty; else it answers nothing and is
  noise, as it is in a batch or with an id;
- a fault of strict reading inside its outcome, or an outcome that stands twice, makes it a faulty reply; a fault
  anywhere else makes the line no message;
- a line past the limit is a faulty reply where run and call stand before the limit and nothing there says that it
  is another message.
"""

from __future__ import annotations

from dataclasses import dataclass

from flow_lsp.protocol.envelope import Envelope, read_envelope
from flow_lsp.protocol.messages import NoMessage, read_message
from flow_lsp.values.strict_json import Json

REPLY = "reply"


@dataclass(slots=True)  # not frozen: one is made for each call, and that would take three times as long
class ReplyReceived:
    """A reply. Its outcome is JSON that was read strictly, and is not decoded yet."""

    run: str
    call: str
    outcome: Json


@dataclass(frozen=True, slots=True)
class FaultyReply:
    """A reply of which nothing can be used but the pair. `reason` is a sentence."""

    run: str
    call: str
    reason: str


def read_reply(params: Json) -> ReplyReceived | FaultyReply | NoMessage:
    """The reply with these params. Never raises."""
    if not isinstance(params, dict):
        return NoMessage("it is a reply whose params are no object")
    run, call = params.get("run"), params.get("call")
    if not isinstance(run, str) or not isinstance(call, str) or not run or not call:
        return NoMessage("it is a reply without a run and a call that are strings and not empty")
    if "outcome" not in params:
        return FaultyReply(run, call, "The reply has no outcome.")
    return ReplyReceived(run, call, params["outcome"])


def faulty_reply(line: bytes, fault: NoMessage) -> FaultyReply | NoMessage:
    """What `line` is, which `fault` keeps from being read strictly. Never raises; linear in `line`."""
    envelope = read_envelope(line)
    pair = _pair_of_reply(envelope)
    if envelope is None or pair is None or not envelope.whole:
        return fault
    around = read_message(envelope.without("outcome"))
    if isinstance(around, NoMessage):
        return around
    # Strict reading ends at the first fault, and around the outcome there is none.
    return FaultyReply(*pair, f"The outcome cannot be read. {fault.reason}.")


def reply_in_head(head: bytes, reason: str) -> FaultyReply | None:
    """The reply that a line past the limit is, of which `head` is the beginning; `reason` is a sentence."""
    envelope = read_envelope(head)
    pair = _pair_of_reply(envelope)
    return None if pair is None else FaultyReply(*pair, reason)


def _pair_of_reply(envelope: Envelope | None) -> tuple[str, str] | None:
    if envelope is None or not envelope.is_notification(REPLY):
        return None
    return envelope.pair
