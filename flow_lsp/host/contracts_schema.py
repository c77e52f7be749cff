"""The JSON Schema of a contracts file. `schemas/contracts.schema.json` is written from it, and a test holds the two
equal. A file that is read is held to these rules by `contracts`, which says what is wrong in a sentence."""

from __future__ import annotations

from typing import Any

from flow_lsp.protocol.describe_schema import DESCRIBE_RESULT

MOMENT = r"^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z$"

_RESULT: dict[str, Any] = DESCRIBE_RESULT["properties"]

CONTRACTS_FILE: dict[str, Any] = {
    "$schema": "https://json-schema.org/draft/2020-12/schema",
    "title": "Recorded contracts",
    "description": "What implementations of Flow Tools answered to describe, as flow-lsp describe --record writes it.",
    "type": "object",
    "required": ["version", "contracts"],
    "properties": {
        "version": {"const": 1, "description": "The version of this format."},
        "contracts": {
            "type": "array",
            "description": "One contract for each command, by directory and words.",
            "items": {
                "type": "object",
                "required": ["directory", "words", "recorded", "data", "tools"],
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
                    "tools": _RESULT["tools"],
                },
                "additionalProperties": False,
            },
        },
    },
    "additionalProperties": False,
}
