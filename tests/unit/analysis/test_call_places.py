"""Hovers and completions in documents of arguments. `|` marks the place."""

from __future__ import annotations

import pytest
from support.call_forms import form, marked

from flow_lsp.analysis.call_places import CallCompletionKind, call_completions, call_hover


def hover(name: str, text: str) -> tuple[str, str]:
    """What is hovered, and what is said of it."""
    text, offset = marked(text)
    found = call_hover(form(name), text, offset)
    return ("", "") if found is None else (text[found.span.start : found.span.end], found.text)


def offered(name: str, text: str) -> dict[str, str]:
    """By label, the text as it is when each completion was taken."""
    text, offset = marked(text)
    found = call_completions(form(name), text, offset)
    return {item.label: text[: item.span.start] + item.text + text[item.span.end :] for item in found}


def test_a_key_says_its_type_its_docs_and_what_is_accepted() -> None:
    at, text = hover("current", '{"pl|ace": {"latitude"')
    assert at == '"place"'
    for part in (
        "```flow\nplace: Place\n```",
        "Where it is asked about.",
        "An object.",
        "Somewhere on earth.",
        "record Place {\n  latitude: Decimal\n  longitude: Decimal\n  name: Option<Text>\n}",
    ):
        assert part in text


@pytest.mark.parametrize(
    ("text", "at", "parts"),
    [
        ('{"place": {"name": "x|"', '"x"', ["name: Text", "What people call it.", "A string. It may be left out."]),
        ('{"sky": |"None"', '"None"', ["sky: Option<Sky>", '`"None"`, or an object of the one property `Some`.']),
        (
            '{"sky": {"Some": |{',
            "{",
            ["Some: Sky", "enum Sky", "Both(Int, Text)", "percent: Int, from: Option<Instant>"],
        ),
        ('{"sky": {"Some": {"Cl|ouds": {', '"Clouds"', ["How much of it.", "An object with the parts of Sky.Clouds."]),
        ('{"sky": {"Some": {"Both": |[1', "[", ["(Int, Text)", "An array of exactly 2."]),
        ('{"sky": {"Some": {"Clouds": {"percent": 5|', "5", ["percent: Int", "such as `12`"]),
        ('{"tags": ["a|"', '"a"', ["```flow\nText\n```"]),
    ],
)
def test_each_place_says_what_belongs_there(text: str, at: str, parts: list[str]) -> None:
    found, said = hover("current", text)
    assert found == at
    for part in parts:
        assert part in said


@pytest.mark.parametrize(
    "text", ["|", "{| }", '|{"place": 1}', '{"no|ne": 1}', '{"place": {"x|": 1}}', '{"tags": ["a",| ]}']
)
def test_where_nothing_is_known_nothing_is_said(text: str) -> None:
    assert hover("current", text) == ("", "")


def test_the_types_of_a_generic_call_are_hovered_and_hovers_follow_them() -> None:
    assert "The type that `T` stands for" in hover("largest", '{"types": {"T|": ""}}')[1]
    assert "each type parameter of `largest`" in hover("largest", '{"ty|pes": {"T": ""}}')[1]
    assert "values: List<Place>" in hover("largest", '{"types": {"T": "Place"}, "args": {"val|ues": [')[1]
    assert "values: List<json.Value>" in hover("largest", '{"args": {"val|ues": [')[1]
    assert hover("largest", '{"other|": 1}') == ("", "")


@pytest.mark.parametrize(
    ("text", "form_of"),
    [
        ('{"b": tr|ue}', "`true` or `false`."),
        ('{"at": "|"}', "any offset is accepted"),
        ('{"long": "|"}', "`&quot;PT90S&quot;`"),
        ('{"d": |[]}', "An array of pairs"),
        ('{"m": |{}}', "An object, whose keys are the Dict's."),
        ('{"pair": |[]}', "An array of exactly 2."),
        ('{"raw": "|"}', "base64"),
    ],
)
def test_what_is_accepted_is_said_of_each_type(text: str, form_of: str) -> None:
    assert form_of.replace("&quot;", '"') in hover("kinds", text)[1]


def test_missing_members_are_offered_with_a_template_those_that_must_be_first() -> None:
    assert offered("current", '{"tags": [], |}') == {
        "place": '{"tags": [], "place": {"latitude": 0, "longitude": 0}}',
        "sky": '{"tags": [], "sky": "None"}',
    }
    found = offered("current", '{"place": {"latitude": 1, "|"}}')
    assert list(found.items()) == [
        ("longitude", '{"place": {"latitude": 1, "longitude": 0}}'),
        ("name", '{"place": {"latitude": 1, "name": ""}}'),
    ]


def test_a_key_that_has_its_colon_keeps_its_value_and_a_missing_comma_is_put() -> None:
    assert offered("current", '{"place": {"l|": 5, "latitude": 1}}')["longitude"] == (
        '{"place": {"longitude": 5, "latitude": 1}}'
    )
    assert offered("current", '{"place": {| "latitude": 1}}')["longitude"] == (
        '{"place": {"longitude": 0, "latitude": 1}}'
    )


def test_constructors_are_offered_where_an_enum_belongs() -> None:
    assert offered("current", '{"sky": {"Some": |}}') == {
        "Clear": '{"sky": {"Some": "Clear"}}',
        "Clouds": '{"sky": {"Some": {"Clouds": {"percent": 0}}}}',
        "Rain": '{"sky": {"Some": {"Rain": 0}}}',
        "Both": '{"sky": {"Some": {"Both": [0, ""]}}}',
    }
    assert offered("current", '{"sky": {"Some": {"|"}}}') == {
        "Clouds": '{"sky": {"Some": {"Clouds": {"percent": 0}}}}',
        "Rain": '{"sky": {"Some": {"Rain": 0}}}',
        "Both": '{"sky": {"Some": {"Both": [0, ""]}}}',
    }
    assert offered("current", '{"sky": {"Some": {"Rain": 1, "|"}}}') == {}
    assert offered("current", '{"sky": N|}') == {"None": '{"sky": "None"}', "Some": '{"sky": {"Some": "Clear"}}'}


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("b", ["true", "false"]),
        ("i", ["0"]),
        ("t", ['""']),
        ("at", ['"2024-01-31T12:30:00Z"']),
        ("long", ['"PT90S"', '"P1DT2H30M"']),
        ("d", ["[]", '[[0, ""]]']),
        ("m", ["{}", '{"": {"latitude": 0, "longitude": 0}}']),
        ("pair", ['[0, ""]']),
    ],
)
def test_values_are_offered_for_each_type(name: str, expected: list[str]) -> None:
    found = offered("kinds", f'{{"{name}": |}}')
    assert list(found.values()) == [f'{{"{name}": {value}}}' for value in expected]


def test_the_types_of_a_generic_call_are_offered() -> None:
    found = offered("largest", '{"types": {"T": "|"}}')
    assert list(found)[:2] == ["Place", "Sky"]
    assert found["List<Text>"] == '{"types": {"T": "List<Text>"}}'
    assert offered("largest", '{"types": {|}}') == {"T": '{"types": {"T": ""}}'}
    assert offered("largest", "{|}") == {"types": '{"types": {}}', "args": '{"args": {}}'}
    assert offered("largest", '{"types": {"T": "Place"}, "args": {"otherwise": |') == {
        '{"latitude": 0, "longitude": 0}': (
            '{"types": {"T": "Place"}, "args": {"otherwise": {"latitude": 0, "longitude": 0}'
        )
    }


@pytest.mark.parametrize(
    "text", ['{"place" |', '{"place": 1 |', '{"nothing": |', '{"place": |{}}', '{"place": {"x": |']
)
def test_where_nothing_belongs_nothing_is_offered(text: str) -> None:
    assert offered("current", text) == {}


@pytest.mark.parametrize("name", ["current", "largest", "nothing"])
def test_in_an_empty_document_the_whole_is_offered(name: str) -> None:
    assert offered(name, "|\n") == {f"arguments of {name}": form(name).fresh()}


def test_what_has_no_value_is_not_offered() -> None:
    assert offered("impossible", '{"no": |') == {}
    assert offered("impossible", "{|") == {"no": '{"no": null', "yes": '{"yes": false'}


def test_each_completion_says_what_it_is() -> None:
    text, offset = marked('{"place": {|')
    first, *_, last = call_completions(form("current"), text, offset)
    assert (first.kind, first.detail, first.written) == (CallCompletionKind.MEMBER, "Decimal", '"latitude"')
    assert (last.detail, last.doc) == ("Text (may be left out)", "What people call it.")
    text, offset = marked('{"sky": {"Some": |')
    clear, clouds, *_ = call_completions(form("current"), text, offset)
    assert (clear.kind, clear.written, clouds.written, clouds.doc) == (
        CallCompletionKind.CONSTRUCTOR,
        '"Clear"',
        '"Clouds"',
        "How much of it.",
    )
