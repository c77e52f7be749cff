"""JSON Schemas of any make, as a server gives them: what they refer to, which values they allow, what to call them.

A schema is read for what it most likely means: one with properties and no type is an object's. What cannot be known
(a reference out of the document, or to nothing) allows everything. Nothing here raises, recurs without a bound or
takes longer than the document is large.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Any, Final

from flow_lsp.findings.model import shown
from flow_lsp.values.canonical import canonical_text
from flow_lsp.values.numbers import HugeNumber
from flow_lsp.values.strict_json import Json, JsonObject

KINDS: Final = ("null", "boolean", "integer", "number", "string", "array", "object")
ALL: Final = frozenset(KINDS)
NOTHING: Final[frozenset[str]] = frozenset()
_NULL: Final = frozenset({"null"})

_HOPS = 32  # references one behind the other
_DEPTH = 40  # schemas inside each other that are looked at for one question
_VALUES_SHOWN = 6
_ESCAPE = re.compile(rb"%([0-9A-Fa-f]{2})")
_INDEX = re.compile(r"0|[1-9][0-9]{0,8}", re.ASCII)
# Words of a schema that say nothing about which values it allows.
ANNOTATIONS: Final = frozenset(
    {"title", "description", "default", "examples", "deprecated", "readOnly", "writeOnly", "$comment", "$schema", "$id"}
    | {"$defs", "definitions"}
)


class SchemaDocument:
    """One schema with all that it holds: what its references lead into. Nobody changes it."""

    def __init__(self, root: Json) -> None:
        self.root = root
        self._targets: dict[str, Json] = {}
        # By the identity of schemas, which all live as long as this object does.
        self._kinds: dict[int, frozenset[str]] = {}
        self._without_null: dict[int, Json] = {}

    def resolved(self, schema: Json) -> Json:
        """`schema`, or what it leads to where it is a reference, or no more than a wrapping of one other schema. None
        where it leads nowhere: out of the document, in a circle, or to what is no schema."""
        for _ in range(_HOPS):
            if not isinstance(schema, dict):
                return schema if isinstance(schema, bool) else None
            if "$ref" in schema:
                schema = self._target(schema["$ref"])
                continue
            if "$dynamicRef" in schema or "$recursiveRef" in schema:
                return None
            inner = _wrapped(schema)
            if inner is None:
                return schema
            schema = inner
        return None

    def reference(self, schema: Json) -> str:
        """The first reference that `schema` is, or wraps; empty where it is none."""
        for _ in range(_HOPS):
            if not isinstance(schema, dict):
                return ""
            found = schema.get("$ref")
            if isinstance(found, str):
                return found
            schema = _wrapped(schema)
        return ""

    def kinds(self, schema: Json) -> frozenset[str]:
        """The kinds of JSON values that `schema` allows; `integer` stands for the whole ones among the numbers."""
        return self._kinds_of(schema, 0)

    def without_null(self, schema: Json) -> tuple[Json, bool]:
        """A schema for what `schema` allows beside null, and whether it allows null. Where null is all it allows, or
        what is left cannot be said by one schema, it is what `schema` leads to."""
        found = self.resolved(schema)
        if not isinstance(found, dict) or "null" not in self.kinds(found) or self.kinds(found) in (ALL, _NULL):
            return found, False
        if id(found) not in self._without_null:
            self._without_null[id(found)] = self._apart_from_null(found)
        rest = self._without_null[id(found)]
        return (found, False) if rest is None else (rest, True)

    def words(self, schema: Json, depth: int = 0) -> str:
        """What `schema` allows, in a few words."""
        found = self.resolved(schema)
        values = allowed_values(found)
        if values is not None:
            listed = ", ".join(shown(canonical_text(value)) for value in values[:_VALUES_SHOWN])
            more = ", …" if len(values) > _VALUES_SHOWN else ""
            return (f"one of {listed}{more}" if len(values) > 1 else listed) if values else "no value"
        kinds = self.kinds(found)
        if kinds == ALL:
            return "any value"
        names = [kind for kind in KINDS if kind in kinds and not (kind == "integer" and "number" in kinds)]
        if names == ["array"] and isinstance(found, dict) and depth < 2 and isinstance(found.get("items"), dict):
            return f"array of {self.words(found['items'], depth + 1)}"
        return " or ".join(names) or "no value"

    def _apart_from_null(self, schema: JsonObject) -> Json:
        for keyword in ("anyOf", "oneOf"):
            branches = schema.get(keyword)
            if isinstance(branches, list):
                rest = [branch for branch in branches if self.kinds(branch) != _NULL]
                others = schema.keys() - ANNOTATIONS - {keyword}
                if len(rest) == len(branches) or others:
                    return None
                return rest[0] if len(rest) == 1 else {keyword: rest}
        given, values = schema.get("type"), schema.get("enum")
        made = dict(schema)
        if isinstance(given, list):
            names = [name for name in given if name != "null"]
            made["type"] = names[0] if len(names) == 1 else names
        if isinstance(values, list):
            made["enum"] = [value for value in values if value is not None]
        return made if made != schema else None

    def _target(self, reference: Json) -> Json:
        if not isinstance(reference, str) or not reference.startswith("#"):
            return None
        if reference not in self._targets:
            self._targets[reference] = self._at(reference[1:])
        return self._targets[reference]

    def _at(self, fragment: str) -> Json:
        pointer = _ESCAPE.sub(lambda found: bytes((int(found[1], 16),)), fragment.encode()).decode("utf-8", "replace")
        value = self.root
        if pointer and not pointer.startswith("/"):
            return None
        for token in pointer.split("/")[1:]:
            step = token.replace("~1", "/").replace("~0", "~")
            if isinstance(value, dict) and step in value:
                value = value[step]
            elif isinstance(value, list) and _INDEX.fullmatch(step) and int(step) < len(value):
                value = value[int(step)]
            else:
                return None
        return value

    def _kinds_of(self, schema: Json, depth: int) -> frozenset[str]:
        found = self.resolved(schema)
        if not isinstance(found, dict):
            return NOTHING if found is False else ALL
        if depth > _DEPTH:
            return ALL
        known = self._kinds.get(id(found))
        if known is None:
            self._kinds[id(found)] = NOTHING  # what leads back here adds nothing
            known = self._kinds[id(found)] = self._kinds_anew(found, depth + 1)
        return known

    def _kinds_anew(self, schema: JsonObject, depth: int) -> frozenset[str]:
        kinds = _typed(schema)
        values = allowed_values(schema)
        if values is not None:
            kinds &= frozenset(map(kind_of, values))
        for keyword in ("anyOf", "oneOf"):
            if isinstance(schema.get(keyword), list):
                kinds &= NOTHING.union(*(self._kinds_of(branch, depth) for branch in schema[keyword]))
        if isinstance(schema.get("allOf"), list):
            for part in schema["allOf"]:
                kinds &= self._kinds_of(part, depth)
        return kinds


def allowed_values(schema: Json) -> list[Json] | None:
    """The values of `enum` or `const`, each once, in order; None where the schema has neither."""
    if not isinstance(schema, dict):
        return None
    if "const" in schema:
        return [schema["const"]]
    values = schema.get("enum")
    if not isinstance(values, list):
        return None
    return list({canonical_text(value): value for value in values}.values())


def properties_of(schema: Json) -> Mapping[str, Json]:
    """The properties that `schema` lists; none where it is no object's."""
    found = schema.get("properties") if isinstance(schema, dict) else None
    return found if isinstance(found, dict) else {}


def required_of(schema: Json) -> tuple[str, ...]:
    """The names of the properties that must be there, each once, in order."""
    found = schema.get("required") if isinstance(schema, dict) else None
    names: Iterable[Any] = found if isinstance(found, list) else ()
    return tuple(dict.fromkeys(name for name in names if isinstance(name, str)))


def kind_of(value: Json) -> str:
    """The kind of a JSON value."""
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "boolean"
    if isinstance(value, str):
        return "string"
    if isinstance(value, dict):
        return "object"
    if isinstance(value, list):
        return "array"
    if isinstance(value, HugeNumber):
        whole = not value.text.rpartition("e")[2].startswith("-")
    else:
        whole = isinstance(value, int) or value == value.to_integral_value()
    return "integer" if whole else "number"


def _typed(schema: JsonObject) -> frozenset[str]:
    """The kinds that the words `type`, `properties` and the like allow."""
    given = schema.get("type")
    names = [given] if isinstance(given, str) else given if isinstance(given, list) else None
    if names is not None:
        known = {name for name in names if isinstance(name, str) and name in ALL}
        if known or not names:
            return frozenset(known | {"integer"} if "number" in known else known)
        return ALL  # a word that is none of JSON Schema's
    if any(word in schema for word in ("properties", "additionalProperties", "required", "patternProperties")):
        return frozenset({"object"})
    if "items" in schema or "prefixItems" in schema:
        return frozenset({"array"})
    return ALL


def _wrapped(schema: JsonObject) -> Json:
    """The one schema that `schema` wraps, with words about it alone; None where it is more than that."""
    for keyword in ("allOf", "anyOf", "oneOf"):
        branches = schema.get(keyword)
        if isinstance(branches, list) and len(branches) == 1 and not (schema.keys() - ANNOTATIONS - {keyword}):
            inner: Json = branches[0]
            return inner if isinstance(inner, dict | bool) else None
    return None
