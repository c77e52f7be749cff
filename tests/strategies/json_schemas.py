"""JSON Schemas as servers write them, each with values that it allows; and hostile ones of any make."""

from __future__ import annotations

from typing import Any, NamedTuple

from hypothesis import strategies as st
from strategies.json_strategies import json_values, mutated

from flow_lsp.values.strict_json import Json


class Sampled(NamedTuple):
    """A schema, and some values that it allows."""

    schema: Any
    values: list[Any]


names = st.sampled_from(
    ["a", "b", "title", "import", "\u00e9t\u00e9", "Text", "None", "foo-bar", "x y", "1st", "$ref", ""]
)
words = st.lists(st.sampled_from(["Low", "High", "Mid", "as", "b c", "1"]), min_size=1, max_size=4, unique=True)
texts = st.text(st.characters(exclude_categories=["Cs"]), max_size=5)


@st.composite
def sampled(draw: st.DrawFn, depth: int = 0) -> Sampled:
    """A schema in the words that servers use, with values."""
    kinds = ["string", "integer", "number", "boolean", "null", "words", "numbers", "any", "mixed"]
    if depth < 3:
        kinds += ["array", "object", "object", "dict", "nullable", "nullable", "wrapped"]
    kind = draw(st.sampled_from(kinds))
    described = {"description": draw(texts)} if draw(st.integers(0, 3)) == 0 else {}
    made = _BASIC[kind](draw, depth)
    return Sampled({**made.schema, **described} if isinstance(made.schema, dict) else made.schema, made.values)


def _words(draw: st.DrawFn, depth: int) -> Sampled:
    chosen = draw(words)
    typed = {"type": "string"} if draw(st.booleans()) else {}
    return Sampled({**typed, "enum": chosen}, chosen)


def _array(draw: st.DrawFn, depth: int) -> Sampled:
    inner = draw(sampled(depth + 1))
    return Sampled({"type": "array", "items": inner.schema}, [[], inner.values, inner.values[:1] * 2])


def _dict(draw: st.DrawFn, depth: int) -> Sampled:
    inner = draw(sampled(depth + 1))
    keys = draw(st.lists(texts, max_size=3, unique=True))
    values = [{}, dict.fromkeys(keys, inner.values[0])]
    return Sampled({"type": "object", "additionalProperties": inner.schema}, values)


def _object(draw: st.DrawFn, depth: int) -> Sampled:
    chosen = draw(st.lists(names, max_size=4, unique=True))
    parts = {name: draw(sampled(depth + 1)) for name in chosen}
    required = [name for name in chosen if draw(st.booleans())]
    schema: dict[str, Any] = {"type": "object", "properties": {name: part.schema for name, part in parts.items()}}
    if required or draw(st.booleans()):
        schema["required"] = required
    values = [
        {name: part.values[-1] for name, part in parts.items()},
        {name: parts[name].values[0] for name in required},
    ]
    if draw(st.booleans()):
        schema["additionalProperties"] = False
    else:
        values.append({**values[0], "something else": [1]})
    return Sampled(schema, values)


def _nullable(draw: st.DrawFn, depth: int) -> Sampled:
    inner = draw(sampled(depth + 1))
    form = draw(st.sampled_from(["anyOf", "oneOf", "type"]))
    given = inner.schema.get("type") if isinstance(inner.schema, dict) else None
    if form == "type" and isinstance(given, str) and given != "null" and "enum" not in inner.schema:
        return Sampled({**inner.schema, "type": [given, "null"]}, [None, *inner.values])
    if inner.values and None in inner.values:
        return inner
    return Sampled({"anyOf": [inner.schema, {"type": "null"}], "default": None}, [None, *inner.values])


def _wrapped(draw: st.DrawFn, depth: int) -> Sampled:
    inner = draw(sampled(depth + 1))
    return Sampled({draw(st.sampled_from(["allOf", "anyOf", "oneOf"])): [inner.schema]}, inner.values)


def _mixed(draw: st.DrawFn, depth: int) -> Sampled:
    return Sampled({"type": ["string", "integer"]}, ["x", 7])


_BASIC: dict[str, Any] = {
    "string": lambda draw, depth: Sampled({"type": "string"}, ["", draw(texts)]),
    "integer": lambda draw, depth: Sampled({"type": "integer"}, [0, draw(st.integers())]),
    "number": lambda draw, depth: Sampled({"type": "number"}, [0, -1.5]),
    "boolean": lambda draw, depth: Sampled({"type": "boolean"}, [True, False]),
    "null": lambda draw, depth: Sampled({"type": "null"}, [None]),
    "numbers": lambda draw, depth: Sampled({"enum": [1, 2]}, [1, 2]),
    "any": lambda draw, depth: Sampled(draw(st.sampled_from([{}, True])), [None, [1, {"a": "b"}], "x"]),
    "words": _words,
    "mixed": _mixed,
    "array": _array,
    "dict": _dict,
    "object": _object,
    "nullable": _nullable,
    "wrapped": _wrapped,
}

RECURSIVE = {
    "type": "object",
    "properties": {
        "node": {"$ref": "#/$defs/Node"},
        "list": {"$ref": "#/$defs/List"},
        "self": {"anyOf": [{"$ref": "#"}, {"type": "null"}]},
        "level": {"enum": ["Low", "High"], "description": "How much."},
        "tuple": {"type": "array", "prefixItems": [{"type": "string"}], "items": [{}]},
        "of": {"type": "object", "additionalProperties": {"$ref": "#/$defs/Node"}, "properties": {}},
        "mixed": {"oneOf": [{"type": "string"}, {"$ref": "#/$defs/Other"}]},
        "bad name": {"type": "string"},
    },
    "required": ["node", "self"],
    "$defs": {
        "Node": {"type": "object", "properties": {"next": {"$ref": "#/$defs/Other"}, "all": {"$ref": "#/$defs/List"}},
                 "required": ["next"], "description": "A node.\n\n/// */ \u202e `x`"},
        "Other": {"properties": {"back": {"$ref": "#/$defs/Node"}, "up": {"$ref": "#"}}, "required": ["back"]},
        "List": {"type": "array", "items": {"$ref": "#/$defs/List"}},
    },
}  # fmt: skip

schemas: st.SearchStrategy[Json] = sampled().map(lambda made: made.schema) | mutated(RECURSIVE, 6) | json_values(8)
hostile_texts = texts | st.sampled_from(
    [
        *(
            "",
            "a",
            "import",
            "fn",
            "get-sum",
            "Text",
            "Result",
            "json",
            "e\u0301",
            "\u3164",
            "x\u200by",
            "\u65e5\u672c",
        ),
        *("/*", "*/", "///", "x\n}\nfn y() {", "\r\n\x00\x1b[2J", "\u2028@tool", "\ud800", '"', "   ", "\t\tx"),
        *("\u65e5\u672c", "a" * 300, "w " * 3_000, "\u1100\u1161", "\u1161", "\U0001f600\ufe0f", "A\u0300B"),
    ]
)


@st.composite
def tool_entries(draw: st.DrawFn) -> Any:
    """One entry of a server's list, hostile in every part."""
    entry: dict[str, Any] = {"name": draw(hostile_texts), "inputSchema": draw(schemas)}
    for key in ("title", "description"):
        if draw(st.booleans()):
            entry[key] = draw(hostile_texts)
    if draw(st.booleans()):
        entry["outputSchema"] = draw(schemas)
    if draw(st.integers(0, 9)) == 0:
        entry["execution"] = {"taskSupport": "required"}
    return entry
