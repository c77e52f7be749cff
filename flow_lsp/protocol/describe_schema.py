"""The JSON Schema of a describe result. `schemas/describe.schema.json` is written from it, and a test holds
the two equal.

Realizes the describe message of "The Tool process protocol". It says the shape of the result and of each
signature's outer part. What stands inside a schema is for the fingerprint to judge; unknown members are
allowed, for minors of the data version only add.
"""

from __future__ import annotations

from typing import Any

from flow_lsp.values.data_version import DATA_VERSION

_NAMES: dict[str, Any] = {"type": "array", "items": {"type": "string"}}
_SCHEMA: dict[str, Any] = {"type": ["object", "boolean"], "description": "The schema of a type's encoding."}

DESCRIBE_RESULT: dict[str, Any] = {
    "$schema": "https://json-schema.org/draft/2020-12/schema",
    "title": "The result of describe",
    "description": "What a Flow Tool implementation answers to the request describe.",
    "type": "object",
    "required": ["data", "tools"],
    "properties": {
        "data": {
            "type": "string",
            "pattern": "^(0|[1-9][0-9]*)\\.(0|[1-9][0-9]*)$",
            "description": f'The data version, MAJOR.MINOR, such as "{DATA_VERSION}".',
        },
        "tools": {
            "type": "array",
            "description": "Each declaration that the implementation serves.",
            "items": {
                "type": "object",
                "required": ["tool", "fingerprint", "signature"],
                "properties": {
                    "tool": {
                        "type": "string",
                        "minLength": 1,
                        "description": 'The declaration\'s identity, such as "tools/search.find".',
                    },
                    "fingerprint": {
                        "type": "string",
                        "description": "sha256: and the canonical signature's hash in lowercase hexadecimal.",
                    },
                    "signature": {
                        "type": "object",
                        "required": ["params", "ok", "err", "generic"],
                        "properties": {
                            "params": {
                                "type": "array",
                                "description": "The parameters' names and schemas, in declaration order.",
                                "items": {
                                    "type": "array",
                                    "prefixItems": [{"type": "string"}, _SCHEMA],
                                    "minItems": 2,
                                    "items": False,
                                },
                            },
                            "ok": _SCHEMA,
                            "err": _SCHEMA,
                            "generic": _NAMES,
                        },
                    },
                },
            },
        },
    },
}
