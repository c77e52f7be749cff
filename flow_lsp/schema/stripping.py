"""A schema as the signature has it: without `description`, and with no `@version` in keys and references; or
without descriptions alone.

Realizes "Identity and fingerprints" for schemas from anywhere: what is no schema is passed through.
"""

from __future__ import annotations

from typing import Any

from flow_lsp.schema.keys import key_without_versions, reference, referenced_key
from flow_lsp.values.strict_json import Json

_SCHEMAS_BY_NAME = frozenset({"properties", "patternProperties", "dependentSchemas"})
_ONE_SCHEMA = frozenset(
    {"items", "additionalProperties", "not", "contains", "propertyNames", "if", "then", "else"}
    | {"unevaluatedItems", "unevaluatedProperties", "contentSchema"}
)
_SCHEMA_LIST = frozenset({"prefixItems", "oneOf", "anyOf", "allOf"})


class MergedKeys(Exception):  # noqa: N818 - what happened
    """Two keys of `$defs`, `first` and `second`, that are one without their versions."""

    def __init__(self, first: str, second: str) -> None:
        super().__init__(first, second)
        self.first = first
        self.second = second


def stripped(schema: Json, keys: dict[str, str] | None = None) -> Json:
    """`schema` without descriptions and versions; a new value where it is an object.

    `description` is left out as a keyword alone, never as the name of a property. `keys` gathers each `$defs`
    key by the key it becomes, over as many schemas as it is given to; raises MergedKeys where two become one.
    """
    return _without_descriptions(schema, {} if keys is None else keys)


def undescribed(schema: Json) -> Json:
    """`schema` without descriptions, its keys as they are; a new value where it is an object."""
    return _without_descriptions(schema, None)


def _without_descriptions(schema: Json, keys: dict[str, str] | None) -> Json:
    """`schema` without descriptions, and without versions where `keys` gathers what they become."""
    holder: list[Any] = [None]
    # Each schema still to be stripped, and the place in the result that it goes to.
    ahead: list[tuple[Json, Any, Any]] = [(schema, holder, 0)]
    while ahead:
        source, target, slot = ahead.pop()
        if not isinstance(source, dict):
            target[slot] = source
            continue
        made: dict[str, Any] = {}
        target[slot] = made
        for keyword, value in source.items():
            if keyword == "description":
                continue
            made[keyword] = value
            if keyword == "$ref" and keys is not None:
                made[keyword] = _reference(value)
            elif keyword in _ONE_SCHEMA:
                ahead.append((value, made, keyword))
            elif keyword in _SCHEMA_LIST and isinstance(value, list):
                made[keyword] = [None] * len(value)
                ahead.extend((item, made[keyword], index) for index, item in enumerate(value))
            elif keyword in _SCHEMAS_BY_NAME and isinstance(value, dict):
                made[keyword] = dict.fromkeys(value)
                ahead.extend((item, made[keyword], name) for name, item in value.items())
            elif keyword == "$defs" and isinstance(value, dict):
                made[keyword] = {}
                for key, item in value.items():
                    bare = key if keys is None else key_without_versions(key)
                    if keys is not None and keys.setdefault(bare, key) != key:
                        raise MergedKeys(keys[bare], key)
                    made[keyword][bare] = None
                    ahead.append((item, made[keyword], bare))
    result: Json = holder[0]
    return result


def _reference(ref: Json) -> Json:
    if not isinstance(ref, str) or "@" not in ref:
        return ref
    key = referenced_key(ref)
    return ref if key is None else reference(key_without_versions(key))
