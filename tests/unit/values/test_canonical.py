"""The canonical text, member by member of its rule."""

from __future__ import annotations

import sys
from decimal import Decimal

import pytest

from flow_lsp.values.canonical import canonical_text
from flow_lsp.values.strict_json import Json, read_json


@pytest.mark.parametrize(
    ("text", "canonical"),
    [
        ('{ "b" : 1 , "a" : [ 1 , 2 ] }', '{"a":[1,2],"b":1}'),
        ('{"\U0001f980":1,"\uf900":2}', '{"\uf900":2,"\U0001f980":1}'),
        ('{"\ue000":1,"\U00010000":2,"aa":3,"a":4,"A":5,"":6}',
         '{"":6,"A":5,"a":4,"aa":3,"\ue000":1,"\U00010000":2}'),
        ('{"\\u007f":1,"\\"":2}', '{"\\"":2,"\x7f":1}'),
        ('"\\/\\u00e9\\u0008\\u000c\\u000A\\u000d\\u0009\\u001F\\u007f"', '"/é\\b\\f\\n\\r\\t\\u001f\x7f"'),
        ('"\u2028\u0085\U0001f600"', '"\u2028\u0085\U0001f600"'),
        ("[true,false,null,{},[]]", "[true,false,null,{},[]]"),
        ("3.141592653589793238462643383279502884190", "3.14159265358979323846264338327950288419"),
        ("[0.1000000000000000055,1.50,1E2,100,-0,-0.0,0.000,-5e-3]",
         "[0.1000000000000000055,1.5,100,100,0,0,0,-0.005]"),
        ("123456789012345678901234567890123456789012345678901234567890.5", None),
    ],
)  # fmt: skip
def test_canonical_text(text: str, canonical: str | None) -> None:
    assert canonical_text(read_json(text)) == (canonical or text)


def test_long_numbers_are_written_out() -> None:
    before = sys.get_int_max_str_digits()
    try:
        sys.set_int_max_str_digits(640)
        for text in ("8" * 4096, "-" + "8" * 4096, "0." + "8" * 4096):
            assert canonical_text(read_json(text)) == text
        assert canonical_text(read_json("1e4095")) == "1" + "0" * 4095
    finally:
        sys.set_int_max_str_digits(before)


def test_a_number_past_the_limits_keeps_its_exponent() -> None:
    assert canonical_text(read_json("[10e999999999,-25.0E+999999999]")) == "[1e1000000000,-25e999999999]"


@pytest.mark.parametrize(
    "text",
    [
        '["\\u0000number:1.5",1.5]',
        '{"\\u0000number:1":0.5}',
        '["\\\\u0000number:1",2.5]',
        "[1.5,-0.25,1e5000]",
    ],
)
def test_no_text_is_taken_for_a_number(text: str) -> None:
    value = read_json(text)
    assert canonical_text(value) == text
    assert canonical_text(read_json(canonical_text(value))) == text


def test_depth_is_no_matter() -> None:
    value: Json = Decimal("1.5")
    for _ in range(5000):
        value = {"k": [value]}
    assert canonical_text(value) == '{"k":[' * 5000 + "1.5" + "]}" * 5000


def test_what_is_no_json_is_a_mistake_of_the_caller() -> None:
    with pytest.raises(TypeError):
        canonical_text({"a": object()})  # type: ignore[dict-item]
