"""Stripping schemas that anybody may have written."""

from __future__ import annotations

from typing import Any

import pytest

from flow_lsp.schema.stripping import MergedKeys, stripped, undescribed


def test_the_keyword_goes_and_the_property_stays() -> None:
    schema = {
        "description": "d",
        "properties": {"description": {"type": "string", "description": "d"},
                       "properties": {"description": "d"}},
        "required": ["description"],
    }  # fmt: skip
    assert stripped(schema) == {
        "properties": {"description": {"type": "string"}, "properties": {}},
        "required": ["description"],
    }


def test_a_definition_called_description_stays() -> None:
    assert stripped({"$defs": {"description": {"description": 1}}}) == {"$defs": {"description": {}}}


def test_constants_are_values_and_no_schemas() -> None:
    schema: dict[str, Any] = {
        "oneOf": [{"const": {"description": 1}, "description": 2}],
        "enum": [{"description": 1}],
    }
    assert stripped(schema) == {"oneOf": [{"const": {"description": 1}}], "enum": [{"description": 1}]}


def test_versions_go_in_keys_and_references() -> None:
    schema = {
        "$ref": "#/$defs/a~1b@1~1k.P%3Ca~1b@2~1k.Q%3E",
        "$defs": {"a/b@1/k.P<a/b@2/k.Q>": {"items": {"$ref": "#/$defs/a~1b@2~1k.Q"}}},
    }
    assert stripped(schema) == {
        "$ref": "#/$defs/a~1b~1k.P%3Ca~1b~1k.Q%3E",
        "$defs": {"a/b/k.P<a/b/k.Q>": {"items": {"$ref": "#/$defs/a~1b~1k.Q"}}},
    }


def test_keys_that_become_one_are_told() -> None:
    with pytest.raises(MergedKeys) as merged:
        stripped({"$defs": {"a@1/k.P": {}, "a@2/k.P": {}}})
    assert (merged.value.first, merged.value.second) == ("a@1/k.P", "a@2/k.P")


@pytest.mark.parametrize("value", [None, 1, "x", [1], True, {"$ref": 1}, {"$defs": []}, {"properties": [1]}])
def test_what_is_no_schema_is_passed_through(value: Any) -> None:
    assert stripped(value) == value


def test_depth_is_no_matter() -> None:
    schema: Any = {"description": "d"}
    for _ in range(50_000):
        schema = {"items": schema}
    result: Any = stripped(schema)
    for _ in range(50_000):
        result = result["items"]
    assert result == {}


def test_descriptions_alone_are_left_out_where_versions_count() -> None:
    schema = {
        "$ref": "#/$defs/a@1~1k.P", "description": "d",
        "$defs": {"a@1/k.P": {"properties": {"description": {"description": "d"}}}, "a@2/k.P": {}},
    }  # fmt: skip
    assert undescribed(schema) == {
        "$ref": "#/$defs/a@1~1k.P", "$defs": {"a@1/k.P": {"properties": {"description": {}}}, "a@2/k.P": {}},
    }  # fmt: skip
