"""JSON Schemas of any make: references, kinds, null, words."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

import pytest
from support.bounds import not_hopeless

from flow_lsp.protocol.mcp.foreign import ALL, SchemaDocument, allowed_values, kind_of, properties_of, required_of
from flow_lsp.values.numbers import HugeNumber

NAMED = {
    "$defs": {"a/b~c d": {"type": "integer"}, "loop": {"$ref": "#/$defs/loop"}, "list": {"oneOf": [True]}},
    "definitions": {"é": {"$ref": "#/$defs/a~1b~0c%20d"}},
}


@pytest.mark.parametrize(
    ("schema", "expected"),
    [
        ({"$ref": "#/$defs/a~1b~0c%20d"}, {"type": "integer"}),
        ({"$ref": "#/definitions/%C3%A9"}, {"type": "integer"}),
        ({"$ref": "#/definitions/é", "description": "x"}, {"type": "integer"}),
        ({"allOf": [{"$ref": "#/definitions/é"}], "description": "x"}, {"type": "integer"}),
        ({"anyOf": [{"type": "string"}], "default": 1}, {"type": "string"}),
        ({"$ref": "#/$defs/list/oneOf/0"}, True),
        ({"$ref": "#"}, NAMED),
        ({"$ref": "#/$defs/loop"}, None),
        ({"$ref": "#/$defs/none"}, None),
        ({"$ref": "#/$defs/list/oneOf/1"}, None),
        ({"$ref": "#/$defs/list/oneOf/00"}, None),
        ({"$ref": "#anchor"}, None),
        ({"$ref": "https://example.com/a.json"}, None),
        ({"$ref": 7}, None),
        ({"$dynamicRef": "#x"}, None),
        ({"allOf": [7]}, {"allOf": [7]}),
        ({"allOf": [{}], "type": "object"}, {"allOf": [{}], "type": "object"}),
        (True, True),
        (False, False),
        (7, None),
        (None, None),
    ],
)
def test_references_lead_inside_the_document_or_nowhere(schema: Any, expected: Any) -> None:
    assert SchemaDocument(NAMED).resolved(schema) == expected


@pytest.mark.parametrize(
    ("schema", "kinds"),
    [
        ({"type": "string"}, {"string"}),
        ({"type": ["string", "null"]}, {"string", "null"}),
        ({"type": "number"}, {"number", "integer"}),
        ({"type": "integer"}, {"integer"}),
        ({"type": "quantity"}, ALL),
        ({"type": ["quantity", "null"]}, {"null"}),
        ({"type": []}, set()),
        ({"type": 3}, ALL),
        ({"properties": {}}, {"object"}),
        ({"items": {}}, {"array"}),
        ({"enum": ["a", 1, Decimal("1.5"), None, True, [], {}]}, ALL),
        ({"type": "string", "enum": ["a", 1]}, {"string"}),
        ({"const": 1}, {"integer"}),
        ({"anyOf": [{"type": "string"}, {"type": "null"}]}, {"string", "null"}),
        ({"oneOf": [{"type": "string"}, {"$ref": "#/nowhere"}]}, ALL),
        ({"allOf": [{"type": ["string", "null"]}, {"type": ["null", "array"]}]}, {"null"}),
        ({"anyOf": []}, set()),
        ({}, ALL),
        (True, ALL),
        (False, set()),
        ("x", ALL),
    ],
)
def test_the_kinds_of_values_that_a_schema_allows(schema: Any, kinds: Any) -> None:
    assert SchemaDocument(schema).kinds(schema) == frozenset(kinds)


def test_the_name_of_what_is_referred_to_is_seen_through_wrappings_and_not_for_ever() -> None:
    document = SchemaDocument({})
    here: Any = {"$ref": "#/$defs/a"}
    assert document.reference({"allOf": [{"anyOf": [here]}], "description": "x"}) == "#/$defs/a"
    assert document.reference({"allOf": [here, here]}) == ""
    assert document.reference(True) == ""
    for _ in range(100):
        here = {"allOf": [here]}
    assert document.reference(here) == ""
    assert document.resolved(here) is None


def test_kinds_and_null_of_what_holds_itself_or_is_deep_come_to_an_end() -> None:
    circle = {"$defs": {"a": {"anyOf": [{"$ref": "#/$defs/a"}] * 30 + [{"type": "null"}, {"type": "string"}]}}}
    document = SchemaDocument(circle)
    assert document.kinds({"$ref": "#/$defs/a"}) == {"null", "string"}
    deep: Any = {"type": "string"}
    for _ in range(400):
        deep = {"anyOf": [deep, {"type": "null"}]}
    with not_hopeless():
        document = SchemaDocument(deep)
        assert document.kinds(deep) == ALL
        assert document.without_null(deep) == (deep, False)
        assert document.words(deep) == "any value"


STRING = {"type": "string"}


@pytest.mark.parametrize(
    ("schema", "rest", "nullable"),
    [
        ({"type": ["string", "null"], "title": "T"}, {"type": "string", "title": "T"}, True),
        ({"type": ["string", "null", "array"]}, {"type": ["string", "array"]}, True),
        ({"anyOf": [STRING, {"type": "null"}], "default": None}, STRING, True),
        ({"oneOf": [{"const": None}, STRING, {"type": "array"}]}, {"oneOf": [STRING, {"type": "array"}]}, True),
        ({"type": ["string", "null"], "enum": ["a", None]}, {"type": "string", "enum": ["a"]}, True),
        ({"enum": ["a", None]}, {"enum": ["a"]}, True),
        ({"anyOf": [STRING, {"type": "null"}], "type": ["string", "null"]}, None, False),
        ({"anyOf": [STRING, {"type": ["null", "array"]}]}, None, False),
        ({"type": "null"}, None, False),
        (STRING, None, False),
        ({}, None, False),
        (True, None, False),
    ],
)
def test_null_is_taken_apart_where_one_schema_is_left(schema: Any, rest: Any, nullable: bool) -> None:
    document = SchemaDocument(schema)
    assert document.without_null(schema) == (rest if nullable else schema, nullable)
    assert document.without_null(schema) == (rest if nullable else schema, nullable)


@pytest.mark.parametrize(
    ("schema", "words"),
    [
        (STRING, "string"),
        ({"type": ["null", "number"]}, "null or number"),
        ({"type": "array", "items": STRING}, "array of string"),
        (
            {"type": "array", "items": {"type": "array", "items": {"type": "array", "items": STRING}}},
            "array of array of array",
        ),
        ({"enum": ["a", 1, "a", None]}, 'one of "a", 1, null'),
        ({"enum": list("abcdefgh")}, 'one of "a", "b", "c", "d", "e", "f", …'),
        ({"const": {"b": 1, "a": 2}}, '{"a":2,"b":1}'),
        ({"enum": []}, "no value"),
        ({}, "any value"),
        (False, "no value"),
        ({"$ref": "#/nowhere"}, "any value"),
    ],
)
def test_schemas_in_words(schema: Any, words: str) -> None:
    assert SchemaDocument(schema).words(schema) == words


def test_words_of_hostile_values_are_short() -> None:
    assert len(SchemaDocument({}).words({"enum": ["x" * 10_000, "\x1b[2J"]})) < 150


def test_parts_of_another_shape_are_none() -> None:
    for schema in (None, 1, [], {}, {"properties": [], "required": {}, "enum": {}}):
        assert properties_of(schema) == {}  # type: ignore[arg-type]
        assert required_of(schema) == ()  # type: ignore[arg-type]
        assert allowed_values(schema) is None  # type: ignore[arg-type]
    assert required_of({"required": ["b", 1, "a", "b"]}) == ("b", "a")


def test_a_number_is_whole_by_its_value() -> None:
    found = [kind_of(value) for value in (1, Decimal("1.0"), Decimal("1e40"), Decimal("1.5"), True)]
    assert found == ["integer", "integer", "integer", "number", "boolean"]
    assert (kind_of(HugeNumber("1e99999")), kind_of(HugeNumber("1e-99999"))) == ("integer", "number")
