"""Differences between a declaration and the MCP tool of its name, in words."""

from __future__ import annotations

from typing import Any

import pytest
from support.bounds import not_hopeless
from support.flow_declarations import declared, signature
from support.mcp_peer import tool

from flow_lsp.protocol.mcp.compared import ADVICE_LIMIT, Advice, AdviceKind, compared
from flow_lsp.protocol.mcp.tools import McpTool, read_tool

STRING, INTEGER, NUMBER = {"type": "string"}, {"type": "integer"}, {"type": "number"}


def advice(text: str, **members: Any) -> tuple[Advice, ...]:
    [*_, declaration] = declared("import std/json\n" * ("json." in text) + text)
    listed = read_tool(tool(declaration.name, **members))
    assert isinstance(listed, McpTool)
    return compared(signature(declaration).served, listed)


def taken(params: str, properties: Any, required: Any = (), types: str = "", **more: Any) -> list[str]:
    schema = {"type": "object", "properties": properties, "required": list(required), **more}
    text = f"{types}\n@tool\nfn f({params}) -> Result<Unit, Never>"
    return [one.sentence for one in advice(text, inputSchema=schema, outputSchema={"type": "null"})]


def given(ok: str, output: Any, types: str = "") -> list[str]:
    return [one.sentence for one in advice(f"{types}\n@tool\nfn f() -> Result<{ok}, Never>", outputSchema=output)]


def test_equal_sides_have_nothing_to_say() -> None:
    properties = {
        "a": STRING,
        "b": INTEGER,
        "c": NUMBER,
        "d": {"type": "boolean"},
        "e": {"type": ["null", "array"]},
        "f": {"type": "object"},
        "g": {},
        "h": True,
        "i": {"type": "string", "format": "date-time"},
        "j": STRING,
    }
    params = "a: Text, b: Int, c: Decimal, d: Bool, e: List<Int>, f: Dict<Text, Int>, g: Int, h: Text, i: Instant"
    assert taken(f"{params}, j: Option<Bytes>", properties, ["a", "b"]) == []
    assert given("json.Value", {"type": "object"}) == []
    assert given("Unit", {}) == []


def test_parameters_that_one_side_alone_has() -> None:
    assert taken("citty: Text, x: Int", {"city": STRING, "units": {"enum": ["C", "F"]}}, ["city", "ghost"]) == [
        "parameter citty (Text) is declared, and the MCP tool lists none; it has city",
        "parameter x (Int) is declared, and the MCP tool lists none",
        "the MCP tool requires parameter city (string), which is not declared",
        "the MCP tool requires parameter ghost (any value), which is not declared",
        'the MCP tool also takes parameter units (one of "C", "F"), which is not declared',
    ]


def test_a_parameter_that_is_optional_here_and_required_there() -> None:
    text = "@tool\nfn f(a: Option<Text>, b: Text) -> Result<Unit, Never>"
    schema = {"properties": {"a": STRING, "b": STRING}, "required": ["a"]}
    assert advice(text, inputSchema=schema, outputSchema={"type": "null"}) == (
        Advice("parameter `a`", AdviceKind.REQUIRED, "parameter a is optional here (Option<Text>) and required there"),
    )


@pytest.mark.parametrize(
    ("declared_type", "schema", "sentence"),
    [
        ("Text", INTEGER, "parameter a is Text here and integer there"),
        ("Decimal", INTEGER, "parameter a is Decimal here and integer there"),
        ("Option<Int>", STRING, "parameter a is Int here and string there"),
        ("Unit", STRING, "parameter a is Unit here and string there"),
        ("List<Text>", {"type": "array", "items": INTEGER}, "an item of parameter a is Text here and integer there"),
        ("Set<Text>", {"type": "array", "items": False}, "an item of parameter a is Text here and no value there"),
        ("Dict<Text, Int>", {"additionalProperties": STRING}, "a value of parameter a is Int here and string there"),
        ("Dict<Int, Int>", {"type": "object"}, "parameter a is Dict<Int, Int> here and object there"),
        ("(Int, Text)", {"prefixItems": [INTEGER, INTEGER]}, "part 2 of parameter a is Text here and integer there"),
        (
            "List<Option<Int>>",
            {"type": "array", "items": {"type": ["integer", "null"]}},
            "an item of parameter a is Option<Int> here and null or integer there",
        ),
    ],
)
def test_values_that_the_tool_may_refuse(declared_type: str, schema: Any, sentence: str) -> None:
    assert taken(f"a: {declared_type}", {"a": schema}) == [sentence]


@pytest.mark.parametrize(
    ("ok", "output", "sentence"),
    [
        ("Int", NUMBER, "the success type is Int here and number there"),
        ("Text", {"type": ["string", "null"]}, "the success type may be null there, which Text does not take"),
        ("List<Int>", {"anyOf": [{"type": "array", "items": STRING}]}, "an item of the success type is Int here and"),
        ("Bool", {"$ref": "#/$defs/b", "$defs": {"b": STRING}}, "the success type is Bool here and string there"),
        (
            "List<Int>",
            {"type": "object", "properties": {"result": {"type": "array"}}, "required": ["result"]},
            "the success type is List<Int> here and object there, with the value in its field result: declare a "
            "record with that field",
        ),
    ],
)
def test_results_that_may_not_decode(ok: str, output: Any, sentence: str) -> None:
    [found] = given(ok, output)
    assert found.startswith(sentence)


RECORD = "record Hit { title: Text, score: Option<Decimal>, next: Option<Hit> }"


def test_records_are_compared_field_by_field_and_once() -> None:
    hit: Any = {
        "type": "object",
        "properties": {"title": INTEGER, "score": {"anyOf": [NUMBER, {"type": "null"}]}, "next": {"$ref": "#"}},
        "required": ["score"],
    }
    assert given("Hit", hit, RECORD) == [
        "field title of Hit is required here and may be left out there",
        "field title of Hit is Text here and integer there",
        "field score of Hit may be null there, which Decimal does not take",
    ]
    hit["properties"]["next"]["$ref"] = "#/properties/h"
    assert taken("h: Hit", {"h": hit | {"required": ["next", "other"]}}, types=RECORD) == [
        "field next of Hit is optional here and required there",
        "field other is required there, and Hit has none",
        "field title of Hit is Text here and integer there",
    ]
    hit["properties"]["next"]["$ref"] = "#"
    one = advice(f"{RECORD}\n@tool\nfn f() -> Result<Hit, Never>", outputSchema=hit)[1]
    assert one.path == "success type -> field `title`"
    assert one.kind is AdviceKind.TYPE


def test_fields_that_are_not_listed_and_objects_that_list_none() -> None:
    other = {"type": "object", "properties": {"titel": STRING}}
    assert given("Hit", other, RECORD)[0] == "field title of Hit is declared and not listed there"
    assert given("Hit", {"type": "object"}, RECORD) == ["the success type is Hit here and any object there"]
    assert taken("h: Hit", {"h": {"type": "object"}}, types=RECORD) == []
    assert given("json.Value", other) == []


ENUM = "enum Level { Low, High }\nenum Shape { Dot, Line(Int), Rest { a: Int } }\nenum Only { One(Int) }"


def test_what_has_no_words_or_no_values_says_nothing() -> None:
    assert given("List<Int>", {"type": "array", "items": False}) == []
    deep = "List<" * 101 + "Int" + ">" * 101
    schema: Any = STRING
    for _ in range(101):
        schema = {"type": "array", "items": schema}
    assert given(deep, schema) == []


def test_enums_are_compared_with_the_texts_allowed() -> None:
    assert taken("a: Level", {"a": {"enum": ["Low", "Mid"]}}, types=ENUM) == [
        'constructor High of Level is declared, and parameter a is one of "Low", "Mid" there'
    ]
    assert given("Level", {"enum": ["Low", "High", "Mid"]}, ENUM) == [
        'the success type may be "Mid" there, no constructor of Level'
    ]
    assert given("Level", STRING, ENUM) == ["the success type is one of Low, High here (Level) and any string there"]
    assert taken("a: Level", {"a": STRING}, types=ENUM) == []
    assert given("Shape", STRING, ENUM) == ["the success type is one of Dot here (Shape) and any string there"]
    assert taken("a: Shape", {"a": STRING}, types=ENUM) == ["parameter a is Shape here and string there"]
    assert given("Only", {"type": "object"}, ENUM) == []
    assert given("Only", STRING, ENUM) == ["the success type is Only here and string there"]


def test_a_host_type_is_a_string() -> None:
    assert taken("s: Session", {"s": STRING}, types="host Session") == []
    assert taken("s: Session", {"s": INTEGER}, types="host Session") == [
        "parameter s is Session here and integer there"
    ]


def test_a_tool_without_an_output_schema_promises_nothing() -> None:
    [one] = advice("@tool\nfn f() -> Result<List<Int>, Never>")
    assert one.kind is AdviceKind.NO_OUTPUT_SCHEMA
    assert one.sentence.startswith("the success type List<Int> is no object and the MCP tool has no outputSchema")
    [one] = advice("record R { a: Int }\n@tool\nfn f() -> Result<R, Never>")
    assert one.kind is AdviceKind.NO_OUTPUT_SCHEMA
    assert "nothing promises that its result is R" in one.sentence


def test_a_tool_that_takes_tasks_alone_is_said_to() -> None:
    text = "@tool\nfn f() -> Result<json.Value, Never>"
    [first, *_] = advice(text, execution={"taskSupport": "required"}, outputSchema={})
    assert first.kind is AdviceKind.TASK


def test_what_is_said_is_bounded() -> None:
    assert len(taken("", {f"p{number}": STRING for number in range(100)})) == ADVICE_LIMIT
    deep: Any = STRING
    for _ in range(90):
        deep = {"type": "array", "items": deep}
    long = advice(f"@tool\nfn f() -> Result<{'List<' * 90}Int{'>' * 90}, Never>", outputSchema=deep)
    assert all(len(one.sentence) < 2_000 and len(one.path) < 500 for one in long)
    assert long


def test_many_types_beside_many_schemas_come_to_an_end() -> None:
    count = 200
    types = "".join(f"record R{n} {{ a: Option<R{(n + 1) % count}> }}\n" for n in range(count))
    defs = {f"S{n}": {"properties": {"a": {"$ref": f"#/$defs/S{(n + 7) % 199}"}}} for n in range(199)}
    with not_hopeless():
        assert given("R0", {"$ref": "#/$defs/S0", "$defs": defs}, types) == []
