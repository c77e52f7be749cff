"""The JSON Schema of a contracts file. `schemas/contracts.schema.json` is written from it, and a test holds the two
equal. A file that is read is held to these rules by `contracts`, which says what is wrong in a sentence."""

from __future__ import annotations

from typing import Any

from flow_lsp.protocol.describe_schema import DESCRIBE_RESULT
from flow_lsp.protocol.mcp.revisions import REVISIONS
from flow_lsp.protocol.mcp.tools import TOOLS_LIMIT

MOMENT = r"^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z$"

_TOOL: dict[str, Any] = {
    "type": "object",
    "required": ["name", "inputSchema"],
    "properties": {
        "name": {"type": "string", "minLength": 1},
        "title": {"description": "A name for people: a string."},
        "description": {"description": "What the tool does: a string."},
        "inputSchema": {"type": "object", "description": "What the tool takes."},
        "outputSchema": {"description": "What it gives, where it says that: an object."},
        "execution": {"description": "How calls are taken, where not as plain ones."},
    },
}
_RESULT: dict[str, Any] = DESCRIBE_RESULT["properties"]

CONTRACTS_FILE: dict[str, Any] = {
    "$schema": "https://json-schema.org/draft/2020-12/schema",
    "title": "Recorded contracts",
    "description": "What implementations of Flow Tools said that they serve, as flow-lsp describe --record writes it.",
    "type": "object",
    "required": ["version", "contracts"],
    "properties": {
        "version": {"const": 1, "description": "The version of this format."},
        "contracts": {
            "type": "array",
            "description": "One contract for each command or MCP server, by directory and words.",
            "items": {
                "type": "object",
                "required": ["directory", "words", "recorded", "tools"],
                "properties": {
                    "directory": {
                        "type": "string",
                        "pattern": "^[^/]",
                        "description": "Where the command runs, from the folder of this file, with `/`.",
                    },
                    "words": {
                        "type": "array",
                        "items": {"type": "string"},
                        "minItems": 1,
                        "description": "The words of the command; what looks like a credential is written `***`.",
                    },
                    "recorded": {
                        "type": "string",
                        "format": "date-time",
                        "pattern": MOMENT,
                        "description": "When it was first recorded as it stands here, in UTC.",
                    },
                    "data": _RESULT["data"],
                    "server": {
                        "type": "object",
                        "description": "Of an MCP server: what it calls itself, and the revision of MCP it speaks.",
                        "required": ["name", "version", "revision"],
                        "properties": {
                            "name": {"type": "string"},
                            "version": {"type": "string"},
                            "revision": {"enum": list(REVISIONS)},
                        },
                    },
                    "tools": {"type": "array"},
                },
                "oneOf": [
                    {"required": ["data"], "properties": {"tools": _RESULT["tools"]}},
                    {
                        "required": ["server"],
                        "properties": {"tools": {"type": "array", "maxItems": TOOLS_LIMIT, "items": _TOOL}},
                    },
                ],
                "additionalProperties": False,
            },
        },
    },
    "additionalProperties": False,
}
