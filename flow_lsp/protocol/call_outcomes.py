"""What a call comes to: the four outcomes that cross, and BadReply, which the host alone decides.

Realizes "The Tool process protocol" (reply), "Decoding" and decisions 7. Rules:
- an outcome has exactly one of the members Ok, Failed, NotRun and Unknown;
- Ok and Failed are decoded against the declared types, whole: the nesting limit holds for members that the type
  ignores, too. What does not decode is BadReply, with the reason in its text;
- NotRun and Unknown hold a string, which is passed on as it is. Anything else is malformed, which is BadReply.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from flow_lsp.codecs.codec import Codec
from flow_lsp.codecs.refusals import ValueRefused, json_kind
from flow_lsp.findings.model import shown
from flow_lsp.values.canonical import canonical_text
from flow_lsp.values.limits import DEFAULT_LIMITS, Limits
from flow_lsp.values.strict_json import Json, deeper_than


@dataclass(frozen=True, slots=True)
class Ok:
    """The declared success value: its canonical text, and the value that its codec made of it."""

    text: str
    value: object = None


@dataclass(frozen=True, slots=True)
class Failed:
    """The declared error value, as Ok."""

    text: str
    value: object = None


@dataclass(frozen=True, slots=True)
class NotRun:
    """The call definitely did not happen."""

    reason: str


@dataclass(frozen=True, slots=True)
class Unknown:
    """The call may or may not have happened."""

    reason: str


@dataclass(frozen=True, slots=True)
class BadReply:
    """There was a reply, and it cannot be used. Never sent."""

    reason: str


SentOutcome: TypeAlias = Ok | Failed | NotRun | Unknown
CallOutcome: TypeAlias = SentOutcome | BadReply


def outcome_text(outcome: CallOutcome) -> str:
    """The outcome as one line of canonical JSON, such as `{"Ok":1}`."""
    name = type(outcome).__name__
    if isinstance(outcome, Ok | Failed):
        return f'{{"{name}":{outcome.text}}}'
    return f'{{"{name}":{canonical_text(outcome.reason)}}}'


def read_outcome(outcome: Json, ok: Codec, err: Codec, limits: Limits = DEFAULT_LIMITS) -> CallOutcome:
    """What the member `outcome` of a reply comes to, where `ok` and `err` decode the declared types.

    Never raises; linear in `outcome`.
    """
    if not isinstance(outcome, dict):
        return BadReply(f"The outcome is {json_kind(outcome)}, not an object.")
    if len(outcome) != 1:
        return BadReply(f"The outcome has {len(outcome)} members, not exactly one of Ok, Failed, NotRun and Unknown.")
    [(name, value)] = outcome.items()
    if name == "Ok" or name == "Failed":
        return _decoded(name, value, ok if name == "Ok" else err, limits)
    if name != "NotRun" and name != "Unknown":
        return BadReply(f"The outcome is `{shown(name)}`, which is none of Ok, Failed, NotRun and Unknown.")
    if not isinstance(value, str):
        return BadReply(f"The reason of {name} is {json_kind(value)}, not a string.")
    return NotRun(value) if name == "NotRun" else Unknown(value)


def _decoded(name: str, value: Json, codec: Codec, limits: Limits) -> CallOutcome:
    if (type(value) is dict or type(value) is list) and deeper_than(value, limits.nesting):
        return BadReply(f"The value of {name} is nested more than {limits.nesting} levels deep.")
    try:
        decoded = codec.decode(value)
        text = codec.encode(decoded)
    except ValueRefused as refused:
        at = f" (at {shown(refused.pointer)})" if refused.pointer else ""
        return BadReply(f"The value of {name} is not one of the declared type: {refused.sentence.rstrip('.')}{at}.")
    return Ok(text, decoded) if name == "Ok" else Failed(text, decoded)
