"""A tools/call result against the declared types ("Adapters"; decisions 11).

The structured result is `structuredContent` or, where there is none, the JSON that the one text block holds. A
`structuredContent` of null is none: in every revision with a handshake it is an object, so that null can only be a
server's way to write that a member is absent. Blocks that are no text do not count.
"""

from __future__ import annotations

from typing import Any, TypeAlias

from flow_lsp.codecs.codec import Codec
from flow_lsp.codecs.refusals import ValueRefused, json_kind
from flow_lsp.findings.model import shown
from flow_lsp.protocol.call_outcomes import BadReply, Failed, Ok
from flow_lsp.values.limits import DEFAULT_LIMITS, Limits
from flow_lsp.values.strict_json import Json, JsonRefused, deeper_than, read_json

Admitted: TypeAlias = Ok | Failed | BadReply


class _Unusable(Exception):  # noqa: N818 - how reading ends early; it never leaves this module
    pass


def admitted(result: Json, ok: Codec, err: Codec, limits: Limits = DEFAULT_LIMITS) -> Admitted:
    """What `result`, that of a tools/call response, comes to. Never raises; linear in `result`."""
    try:
        if not isinstance(result, dict):
            raise _Unusable(f"The server's result is {json_kind(result)}, and an object is expected.")
        is_error = result.get("isError", False)
        if not isinstance(is_error, bool):
            raise _Unusable("The result's isError is neither true nor false, so it is not known what it means.")
        structured, source = _structured(result, is_error, limits)
        codec, what = (err, "error") if is_error else (ok, "success")
        try:
            value: Any = codec.decode(structured)
            text = codec.encode(value)
        except ValueRefused as refused:
            at = f" at {shown(refused.pointer)}" if refused.pointer else ""
            sentence = f"{source} does not decode as the {what} type {shown(codec.name)}{at}: {refused.sentence}"
            raise _Unusable(sentence + _words(structured, is_error)) from None
    except _Unusable as unusable:
        return BadReply(str(unusable))
    return Failed(text, value) if is_error else Ok(text, value)


def refused_call(code: str, message: str) -> BadReply:
    """What an error response to tools/call comes to."""
    return BadReply(f"The server answered the call with error{code}: {message}")


def _structured(result: dict[str, Json], is_error: bool, limits: Limits) -> tuple[Json, str]:
    """The structured result, and what it is called."""
    structured = result.get("structuredContent")
    if structured is not None:
        if deeper_than(structured, limits.nesting):
            raise _Unusable(f"The structuredContent is nested more than {limits.nesting} levels deep.")
        return structured, "The structuredContent"
    content = result.get("content", [])
    if not isinstance(content, list):
        raise _Unusable("The result has no structuredContent, and its content is no array.")
    blocks = [block for block in content if isinstance(block, dict) and block.get("type") == "text"]
    if len(blocks) != 1:
        count = f"{len(blocks)} text blocks" if blocks else "no text block"
        raise _Unusable(f"The result has no structuredContent and {count}, where one that holds JSON is expected.")
    text = blocks[0].get("text")
    if not isinstance(text, str):
        raise _Unusable("The result has no structuredContent, and its text block holds no text.")
    try:
        return read_json(text, limits), "The text block"
    except JsonRefused as refused:
        meaning = "an error that is" if is_error else "a text block that is"
        why = f" ({refused.sentence.rstrip('.')})" if text.lstrip().startswith(("{", "[", '"')) else ""
        raise _Unusable(f"The result is {meaning} no JSON: `{shown(text)}`{why}.") from None


def _words(structured: Json, is_error: bool) -> str:
    """The error in the server's words, where it is a mere text: what a person needs to know first."""
    return f" The server says: `{shown(structured)}`." if is_error and isinstance(structured, str) else ""
