"""What a tools/call result says, as an outcome ("Adapters"; decisions 11); the ledger decodes it as any other reply.

The structured result is `structuredContent` or, where there is none, the JSON that the one text block holds. A
`structuredContent` of null is none: in every revision with a handshake it is an object, so that null can only be a
server's way to write that a member is absent. Blocks that are no text do not count.
"""

from __future__ import annotations

from flow_lsp.codecs.refusals import json_kind
from flow_lsp.findings.model import shown
from flow_lsp.values.limits import DEFAULT_LIMITS, Limits
from flow_lsp.values.strict_json import Json, JsonObject, JsonRefused, read_json


def outcome_of(result: Json, limits: Limits = DEFAULT_LIMITS) -> JsonObject | str:
    """The outcome that `result`, that of a tools/call response, stands for: `{"Ok": value}`, or `{"Failed": value}`
    where it is marked isError; or, in a sentence, why it stands for none, which is BadReply. Never raises; linear.
    """
    if not isinstance(result, dict):
        return f"The MCP server's result is {json_kind(result)}, and an object is expected."
    is_error = result.get("isError", False)
    if not isinstance(is_error, bool):
        return "The result's isError is neither true nor false, so it is not known what it means."
    name = "Failed" if is_error else "Ok"
    structured = result.get("structuredContent")
    if structured is not None:
        return {name: structured}
    content = result.get("content", [])
    if not isinstance(content, list):
        return "The result has no structuredContent, and its content is no array."
    blocks = [block for block in content if isinstance(block, dict) and block.get("type") == "text"]
    if len(blocks) != 1:
        count = f"{len(blocks)} text blocks" if blocks else "no text block"
        return f"The result has no structuredContent and {count}, where one that holds JSON is expected."
    text = blocks[0].get("text")
    if not isinstance(text, str):
        return "The result has no structuredContent, and its text block holds no text."
    try:
        return {name: read_json(text, limits)}
    except JsonRefused as refused:
        meaning = "an error that is" if is_error else "a text block that is"
        why = f" ({refused.sentence.rstrip('.')})" if text.lstrip().startswith(("{", "[", '"')) else ""
        return f"The result is {meaning} no JSON: `{shown(text)}`{why}."
