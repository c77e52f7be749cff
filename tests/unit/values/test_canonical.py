"""The canonical text, member by member of its rule."""

from __future__ import annotations

import decimal
import sys
from decimal import Decimal
from enum import IntEnum, StrEnum
from fractions import Fraction
from typing import Any, NamedTuple

import pytest

from flow_lsp.values.canonical import _written, canonical_text
from flow_lsp.values.numbers import HugeNumber
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


FLOATS = [0.0, -0.0, 1.5, -1.5, 100.0, 1e16, -1e16, 1e22, 1.5e300, 1e-7, -2.5e-9, 5e-324, 1 / 3, float("nan"),
          float("inf"), float("-inf")]  # fmt: skip
AROUND: list[Any] = [
    lambda one: one,
    lambda one: [one],
    lambda one: [one, "a"],
    lambda one: ["a", one, None],
    lambda one: {"a": one},
    lambda one: {"a": one, "b": 1},
    lambda one: {"a": [{"b": (one,)}]},
    lambda one: [Decimal("1.5"), one],
    lambda one: ["\0", one],
    lambda one: {"1": one, "2": {}},
]


@pytest.mark.parametrize("number", FLOATS)
@pytest.mark.parametrize("around", AROUND)
def test_a_float_is_refused_wherever_it_stands(number: float, around: Any) -> None:
    with pytest.raises(TypeError):
        canonical_text(around(number))


@pytest.mark.parametrize("key", [0, 7, -7, True, False, None, 0.5, 1e16, float("nan"), Decimal(1), b"a", ("a",)])
@pytest.mark.parametrize("others", [{}, {"a": 1}, {8: 1}, {-8: 1}])
@pytest.mark.parametrize("around", AROUND)
def test_a_key_that_is_no_string_is_refused(key: object, others: dict[Any, Json], around: Any) -> None:
    with pytest.raises(TypeError):
        canonical_text(around({key: 1, **others}))
    with pytest.raises(TypeError):
        canonical_text(around({**others, key: Decimal("0.5")}))


@pytest.mark.parametrize("number", ["NaN", "-NaN", "NaN123", "sNaN", "Infinity", "-Infinity"])
@pytest.mark.parametrize("around", AROUND)
def test_a_decimal_that_is_no_number_is_refused(number: str, around: Any) -> None:
    with pytest.raises(ValueError):
        canonical_text(around(Decimal(number)))


@pytest.mark.parametrize("other", [object(), b"a", {"a"}, 1j, Fraction(1, 2), iter([]), int, range(2)])
@pytest.mark.parametrize("around", AROUND)
def test_what_is_no_json_is_a_mistake_of_the_caller(other: object, around: Any) -> None:
    with pytest.raises(TypeError):
        canonical_text(around(other))


def test_a_container_that_holds_itself_is_a_mistake_of_the_caller() -> None:
    array: list[Any] = [Decimal("1.5")]
    array.append({"a": array})
    with pytest.raises(ValueError, match="holds itself"):
        canonical_text(array)
    twice = [Decimal("1.5")]
    assert canonical_text([twice, {"a": twice}, twice]) == '[[1.5],{"a":[1.5]},[1.5]]'  # type: ignore[list-item]


@pytest.mark.parametrize(
    "text",
    [
        "1.5", "-1.5,", "[1.5,2]", "1.5]", "e+10", "1e+16,", "5e-324}", "a.5,b", '{"1":2}', "true", "\0", '"\0"',
        "\\u0000", '"\0', '\0"', '\\"\0', "NaN", "Infinity",
    ],
)  # fmt: skip
def test_texts_and_keys_that_look_like_numbers_are_texts_and_keys(text: str) -> None:
    value: Json = [text, {text: text}, [text, text], Decimal("1.50"), {text: Decimal("0.5"), "": 1}]
    assert read_json(canonical_text(value)) == value
    assert canonical_text(value) == _written(value)


def test_subclasses_are_written_as_what_they_are() -> None:
    class Word(StrEnum):
        ONE = "one"

    class Number(IntEnum):
        TWO = 2

    class Pair(NamedTuple):
        first: int
        second: Decimal

    class Loud(str):
        __slots__ = ()

        def __str__(self) -> str:
            return "loud"

    value: Any = {Word.ONE: [Number.TWO, Pair(1, Decimal("0.50"))], "a": (Word.ONE, Loud("quiet"), True), Loud("k"): ()}
    for written in (canonical_text, _written):
        assert written(value) == '{"a":["one","quiet",true],"k":[],"one":[2,[1,0.5]]}'


def test_the_decimal_context_is_no_matter() -> None:
    numbers = [Decimal("1.23456789e-20"), Decimal("1.5e3"), Decimal("-0.00"), Decimal("1.10"), Decimal("1E+2")]
    with decimal.localcontext(decimal.Context(prec=2, capitals=0)):
        assert canonical_text(numbers) == "[0.0000000000000000000123456789,1500,0,1.1,100]"  # type: ignore[arg-type]


def test_a_number_past_the_limits_among_others() -> None:
    value: Json = {"b": [HugeNumber("1e5000"), Decimal("1.50"), "\0"], "a": 10**700}
    assert canonical_text(value) == '{"a":1' + "0" * 700 + ',"b":[1e5000,1.5,"\\u0000"]}'
