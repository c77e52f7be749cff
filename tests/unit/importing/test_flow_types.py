"""Which Flow types JSON Schemas become, as parameters and as results."""

from __future__ import annotations

from typing import Any

import pytest
from support.bounds import not_hopeless
from support.flow_declarations import declared
from support.mcp_peer import tool

from flow_lsp.importing.flow_file import flow_text
from flow_lsp.importing.names import TypeNames, camel
from flow_lsp.protocol.mcp.tools import McpTool, read_tool

STRING, INTEGER, NULL = {"type": "string"}, {"type": "integer"}, {"type": "null"}


def text_of(entry: Any) -> tuple[str, tuple[str, ...]]:
    """The text written for one tool, without what stands before it, and its notes; it has no finding."""
    found = read_tool(entry)
    assert isinstance(found, McpTool)
    made = flow_text("peer", [found])
    assert len(declared(made.text)) == 1
    return made.text.partition("import std/json\n\n")[2], made.notes


def taken(schema: Any, *, required: bool = True, **defs: Any) -> tuple[str, list[str]]:
    """The type of a parameter with `schema`, and what is noted of it."""
    root = {"type": "object", "properties": {"p": schema}, "required": ["p"] if required else [], "$defs": defs}
    text, notes = text_of(tool("f", inputSchema=root, outputSchema=NULL))
    return text.partition("    p: ")[2].partition(",\n")[0], [note.partition(": ")[2] for note in notes]


def given(schema: Any, **defs: Any) -> tuple[str, list[str]]:
    """The type of a result with `schema`, and what is noted of it."""
    schema = {**schema, "$defs": defs} if defs else schema
    text, notes = text_of(tool("f", outputSchema=schema))
    result = text.partition(") -> Result<")[2].partition("\n")[0]
    return result.removesuffix(", json.Value>"), [note.partition(": ")[2] for note in notes]


def block(text: str, head: str) -> str:
    """The declaration in `text` that begins with `head`."""
    start = text.index(head)
    return text[start : text.index("}", start) + 1]


@pytest.mark.parametrize(
    ("schema", "expected"),
    [
        (STRING, "Text"),
        ({"type": "string", "format": "date-time"}, "Text"),
        (INTEGER, "Int"),
        ({"type": "number", "minimum": 1}, "Decimal"),
        ({"type": "boolean"}, "Bool"),
        (NULL, "Unit"),
        ({"const": None}, "Unit"),
        ({"type": "array", "items": {"type": "array", "items": INTEGER}}, "List<List<Int>>"),
        ({"type": "array"}, "List<json.Value>"),
        ({"type": "object"}, "Dict<Text, json.Value>"),
        ({"type": "object", "properties": {}}, "Dict<Text, json.Value>"),
        ({"type": "object", "additionalProperties": {"type": "array", "items": STRING}}, "Dict<Text, List<Text>>"),
        ({}, "json.Value"),
        (True, "json.Value"),
        ({"description": "anything", "title": "T"}, "json.Value"),
        ({"allOf": [STRING], "description": "x"}, "Text"),
        ({"$ref": "#/$defs/S", "description": "x"}, "Text"),
    ],
)
def test_plain_schemas_have_plain_types_both_ways_without_a_note(schema: Any, expected: str) -> None:
    assert taken(schema, S=STRING) == (expected, [])
    if isinstance(schema, dict):
        assert given(schema, S=STRING) == (expected, [])


@pytest.mark.parametrize(
    ("schema", "expected", "note"),
    [
        ({"type": ["string", "integer"]}, "json.Value", "Any JSON value: integer or string."),
        ({"oneOf": [STRING, {"type": "object"}]}, "json.Value", "Any JSON value: string or object."),
        ({"anyOf": [{}, STRING]}, "json.Value", "Any JSON value: its schema is put together of several."),
        ({"not": STRING}, "json.Value", "Any JSON value: its schema is put together of several."),
        (
            {"$ref": "https://example.com/x.json"},
            "json.Value",
            "Any JSON value: what its schema refers to is not there.",
        ),
        ({"$ref": "#/$defs/none"}, "json.Value", "Any JSON value: what its schema refers to is not there."),
        ({"$ref": "#/$defs/S"}, "json.Value", "Any JSON value: what its schema refers to is not there."),
        (False, "json.Value", "Any JSON value: its schema allows none."),
        ({"enum": []}, "json.Value", "Any JSON value: its schema allows none."),
        ({"enum": ["New York", "Rome"]}, "Text", 'One of "New York", "Rome".'),
        ({"enum": ["import"]}, "Text", 'Only "import".'),
        ({"enum": [1, 2]}, "Int", "One of 1, 2."),
        ({"const": True}, "Bool", "Only true."),
        ({"enum": ["a", 1]}, "json.Value", 'One of "a", 1.'),
        ({"enum": [{}, []]}, "json.Value", "One of {}, []."),
        ({"type": "array", "prefixItems": [STRING]}, "List<json.Value>", "Its items have types by their places."),
        ({"type": "array", "items": [STRING]}, "List<json.Value>", "Its items have types by their places."),
        ({"type": "array", "items": {"enum": [1]}}, "List<Int>", "Only 1."),
        ({"type": "object", "anyOf": [{}]}, "Dict<Text, json.Value>", "Its schema is put together of several."),
        (
            {"type": "array", "items": {"$ref": "#/properties/p"}},
            "List<json.Value>",
            "what its schema says holds itself.",
        ),
    ],
)
def test_what_types_cannot_say_is_noted(schema: Any, expected: str, note: str) -> None:
    found, [said] = taken(schema, S={"$ref": "#/$defs/S"})
    assert found == expected
    assert said.endswith(note)


def test_a_note_stands_beside_what_it_is_about() -> None:
    text, notes = text_of(
        tool("f", inputSchema={"properties": {"p": {"type": ["string", "integer"], "description": "D"}}})
    )
    assert "    // Any JSON value: integer or string.\n    /// D\n    p: Option<json.Value>,\n" in text
    assert "`f`, parameter `p`: Any JSON value: integer or string." in notes


def test_what_need_not_be_there_is_an_option() -> None:
    assert taken(STRING, required=False) == ("Option<Text>", [])
    assert taken({"type": "array", "items": STRING}, required=False) == ("Option<List<Text>>", [])


def test_null_beside_a_type_is_an_option_of_a_parameter() -> None:
    nullable = {"anyOf": [STRING, NULL], "default": None}
    assert taken(nullable, required=False) == ("Option<Text>", [])
    assert taken({"type": ["integer", "null"]}, required=False) == ("Option<Int>", [])
    wanted = ["The tool wants it always, and takes null, which cannot be passed: pass Some."]
    assert taken(nullable) == ("Option<Text>", wanted)
    mixed = {"type": ["string", "integer", "null"]}
    assert taken(mixed) == ("json.Value", ["Any JSON value: integer or string."])
    assert taken(mixed, required=False)[0] == "Option<json.Value>"


def test_null_inside_a_container_is_any_json() -> None:
    found, notes = taken({"type": "array", "items": {"type": ["integer", "null"]}})
    assert found == "List<json.Value>"
    assert notes == ["Any JSON value: null or integer, and null is no Option here."]


def test_null_in_a_result_is_any_json_for_no_option_takes_it() -> None:
    assert given({"type": ["string", "null"]}) == (
        "json.Value",
        ["Its result: Any JSON value: null or string, and null is no Option here."],
    )
    schema = {"type": "object", "properties": {"a": {"anyOf": [STRING, NULL]}, "b": STRING}, "required": ["a"]}
    text, _ = text_of(tool("f", outputSchema=schema))
    assert block(text, "pub record FResult") == (
        "pub record FResult {\n"
        "    // Any JSON value: null or string, and null is no Option here.\n"
        "    a: json.Value,\n"
        "    b: Option<Text>,\n"
        "}"
    )


def test_texts_that_are_all_names_are_an_enum() -> None:
    text, notes = text_of(
        tool(
            "set-x".replace("-", "_"),
            inputSchema={"properties": {"log level": {}, "level": {"enum": ["low", "High", "low"]}}},
        )
    )
    assert "    level: Option<SetXLevel>,\n" in text
    assert block(text, "pub enum") == "pub enum SetXLevel {\n    low,\n    High,\n}"
    assert "// `log level` is left out: it is no Flow name.\n" in text
    assert "`set_x`: `log level` is left out: it is no Flow name." in notes


def test_records_are_named_for_their_tool_and_place_and_described() -> None:
    schema = {
        "properties": {
            "at": {"type": "object", "properties": {"x-y": STRING, "lat": {"type": "number", "description": "North."}},
                   "required": ["lat"], "description": "A place."},
            "ways": {"type": "array", "items": {"type": "object", "properties": {"import": STRING}}},
            "by": {"type": "object", "additionalProperties": {"$ref": "#/$defs/some.Thing"}},
            "none": {"type": "object", "additionalProperties": False},
        },
        "$defs": {"some.Thing": {"description": "A thing.", "properties": {"a": INTEGER}}},
    }  # fmt: skip
    text, _ = text_of(tool("go_to", inputSchema=schema))
    assert "    /// A place.\n    at: Option<GoToAt>,\n" in text
    assert "    ways: Option<List<GoToWaysItem>>,\n    by: Option<Dict<Text, GoToSomeThing>>,\n" in text
    assert block(text, "pub record GoToAt ") == (
        "pub record GoToAt {\n    // `x-y` is left out: it is no Flow name.\n    /// North.\n    lat: Decimal,\n}"
    )
    assert block(text, "pub record GoToWaysItem") == "pub record GoToWaysItem {\n    import: Option<Text>,\n}"
    assert block(text, "/// A thing.") == "/// A thing.\npub record GoToSomeThing {\n    a: Option<Int>,\n}"
    assert "pub record GoToNone {}\n" in text


def test_an_object_that_requires_what_cannot_be_a_field_is_any_json_as_a_parameter_alone() -> None:
    schema = {"type": "object", "properties": {"x-y": STRING, "a": STRING}, "required": ["x-y", "a"]}
    assert taken(schema) == ("json.Value", ["Any JSON value: the property `x-y` that it requires is no Flow name."])
    assert given(schema)[0] == "FResult"
    many = {"properties": {f"p{n}": {} for n in range(1001)}}
    assert given(many) == ("json.Value", ["Its result: Any JSON value: it has more than 1000 properties."])


def test_a_record_whose_schema_says_more_says_so() -> None:
    schema = {"type": "object", "properties": {"a": STRING}, "oneOf": [{"required": ["a"]}]}
    assert taken(schema) == ("FP", ["Its schema says more than these fields."])
    assert given(schema) == ("FResult", [])


def test_recursive_types_are_named_once_and_what_has_no_value_is_broken() -> None:
    here = {"$ref": "#/$defs/Node"}
    node = {
        "properties": {"next": {"anyOf": [here, NULL]}, "all": {"type": "array", "items": here}},
        "required": ["all"],
    }
    assert taken({"$ref": "#/$defs/Node"}, Node=node) == ("FNode", [])
    endless = {"type": "object", "properties": {"other": {"$ref": "#/$defs/Other"}}, "required": ["other"]}
    other = {"type": "object", "properties": {"back": {"$ref": "#/$defs/Node"}}, "required": ["back"]}
    found, notes = given({"$ref": "#/$defs/Node"}, Node=endless, Other=other)
    assert found == "FNode"
    assert notes == ["FNode, which would hold itself without end: any JSON value."]


def test_names_of_types_are_told_apart() -> None:
    schema = {
        "properties": {"a-b": {"enum": ["X"]}, "a b": {"enum": ["Y"]}, "a_b": {"enum": ["Z"]}, "aB": {"enum": ["W"]}}
    }
    entries = [tool("f", inputSchema=schema), tool("F", inputSchema=schema), tool("FAB", inputSchema={})]
    tools = [one for one in map(read_tool, entries) if isinstance(one, McpTool)]
    text = flow_text("peer", tools).text
    assert len(declared(text)) == 3
    assert [line.split()[2] for line in text.splitlines() if line.startswith("pub enum")] == [
        "FAB2",
        "FAB3",
        "FAB4",
        "FAB5",
    ]


@pytest.mark.parametrize(
    ("text", "made"),
    [
        ("get-weather", "GetWeather"),
        ("getWeather_now", "GetWeatherNow"),
        ("3d.model", "3dModel"),
        ("ß", "ß"),
        ("\u65e5 \u672c", "\u65e5\u672c"),
        ("e\u0301!", "E"),
        ("---", ""),
        ("a" * 500, "A" + "a" * 199),
    ],
)
def test_parts_of_names(text: str, made: str) -> None:
    assert camel(text) == made


def test_made_names_are_never_words_of_flow_nor_broken() -> None:
    names = TypeNames({"Echo"})
    assert [names.new("Text"), names.new("Echo"), names.new("Result"), names.new("Text")] == [
        *("Text2", "Echo2", "Result2", "Text3"),
    ]
    assert [names.new("3d"), names.new(""), names.new("\u3164")] == ["Type3d", "Type", "Type2"]
    assert len(names.new("A" * 500)) == 80
    assert names.new("\u1100", "\u1161") == "\uac00"


def test_large_and_deep_schemas_come_to_an_end() -> None:
    deep: Any = STRING
    for _ in range(200):
        deep = {"type": "array", "items": deep}
    found, notes = given(deep)
    assert found.count("List<") == 16
    assert notes == ["Its result: Any JSON value: it is nested too deep."]
    dicts: Any = STRING
    for _ in range(200):
        dicts = {"type": "object", "additionalProperties": dicts}
    assert given(dicts)[0].count("Dict<Text, ") == 16
    nested: Any = STRING
    for _ in range(170):
        nested = {"type": "object", "properties": {"a": nested}, "required": ["a"]}
    assert given(nested) == ("FResult", [])
    defs = {f"T{n}": {"properties": {"a": {"$ref": f"#/$defs/T{n + 1}"}}, "required": ["a"]} for n in range(700)}
    with not_hopeless():
        found, notes = given({"$ref": "#/$defs/T0"}, **defs)
    assert found == "FT0"
    assert [note.rpartition(": ")[2] for note in notes] == ["there are too many types."]
