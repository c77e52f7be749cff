"""A call's arguments as an MCP tool takes them."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

import pytest

from flow_lsp.codecs.refusals import ValueRefused
from flow_lsp.protocol.mcp.arguments import arguments_text
from flow_lsp.types.terms import ListOf, OptionOf, Parameter, Primitive

TEXT = Primitive.TEXT
PARAMS = (
    Parameter("b", TEXT),
    Parameter("a", OptionOf(TEXT)),
    Parameter("twice", OptionOf(OptionOf(TEXT))),
    Parameter("list", ListOf(OptionOf(TEXT))),
)


def test_options_are_left_out_or_passed_as_their_values_and_the_rest_is_canonical() -> None:
    values = {"b": "x", "a": "None", "twice": {"Some": "None"}, "list": ["None", {"Some": "y"}], "other": 1}
    assert arguments_text(PARAMS, values) == '{"b":"x","list":["None",{"Some":"y"}],"twice":"None"}'
    values = {"b": "", "a": {"Some": "None"}, "twice": {"Some": {"Some": "z"}}, "list": []}
    assert arguments_text(PARAMS, values) == '{"a":"None","b":"","list":[],"twice":{"Some":"z"}}'


def test_numbers_stay_exact_and_keys_are_in_order_of_code_points() -> None:
    params = [Parameter("\U00010000", Primitive.DECIMAL), Parameter("\ue000", Primitive.INT)]
    values = {"\U00010000": Decimal("1.50"), "\ue000": 10**30}
    assert arguments_text(params, values) == '{"\ue000":1000000000000000000000000000000,"\U00010000":1.5}'
    assert arguments_text([], {}) == "{}"


@pytest.mark.parametrize("value", [None, "x", {}, {"Some": 1, "x": 2}, {"None": 1}, ["None"], True])
def test_an_option_in_another_form_is_refused_with_its_place(value: Any) -> None:
    with pytest.raises(ValueRefused) as refused:
        arguments_text([Parameter("a/b", OptionOf(TEXT))], {"a/b": value})
    assert refused.value.pointer == "/a~1b"


def test_a_missing_argument_is_refused() -> None:
    with pytest.raises(ValueRefused, match="`b` is missing"):
        arguments_text(PARAMS, {})
