"""Strict reading: what is refused, where, and at what cost."""

from __future__ import annotations

import contextlib
import sys
import tracemalloc
from collections.abc import Iterator
from decimal import Decimal
from typing import Any

import pytest
from support.bounds import not_hopeless

from flow_lsp.values.limits import DEFAULT_LIMITS, Limits
from flow_lsp.values.numbers import HugeNumber
from flow_lsp.values.strict_json import Json, JsonFault, JsonRefused, read_json


@pytest.mark.parametrize(
    ("text", "kind", "offset", "words"),
    [
        ('{"n":1,"n":2}', "duplicate-key", 7, "`n` stands twice"),
        ('{"n":1,"\\u006e":2}', "duplicate-key", 7, "`n`"),
        ('[{"a":{"b":1,"c":2,"b":3}}]', "duplicate-key", 19, "`b`"),
        ("NaN", "syntax", 0, "`NaN`"),
        ("[-Infinity]", "syntax", 1, "-Infinity"),
        ("Infinity", "syntax", 0, "Infinity"),
        ("+1", "syntax", 0, "`+1`"),
        ("01", "syntax", 1, "`1`"),
        ("1.", "syntax", 1, "`.`"),
        (".5", "syntax", 0, "`.5`"),
        ("-", "syntax", 0, "`-`"),
        ("1 1", "syntax", 2, "Nothing may follow"),
        ("[1,]", "syntax", 3, "value is expected"),
        ('{"a":1,}', "syntax", 7, "A key in double quotes"),
        ('{"a" 1}', "syntax", 5, "colon"),
        ("{1:2}", "syntax", 1, "key"),
        ("[1 2]", "syntax", 3, "comma or `]`"),
        ('{"a":1]', "syntax", 6, "comma or `}`"),
        ("", "syntax", 0, "the text ends"),
        ("   ", "syntax", 3, "the text ends"),
        ("[", "syntax", 1, "the text ends"),
        ("tru", "syntax", 0, "`tru`"),
        ("truex", "syntax", 0, "`truex`"),
        ('"abc', "syntax", 0, "no closing quote"),
        ('"a\tb"', "syntax", 2, "U+0009"),
        ('"\\x"', "syntax", 1, "no escape"),
        ('"\\u12g4"', "syntax", 1, "no escape"),
        ('"\\ud83d"', "surrogate", 1, "\\ud83d"),
        ('"\\ude00\\ud83d"', "surrogate", 1, "\\ude00"),
        ('{"\\ud83d": 1}', "surrogate", 2, "\\ud83d"),
        ('["\\\\", "\\\\\\ud83d"]', "surrogate", 10, "\\ud83d"),
        ('"\\ud83d\\u0041"', "surrogate", 1, "\\ud83d"),
        ('"\ud800"', "surrogate", 1, "\\ud800"),
        ("\ufeff1", "utf8", 0, "byte order mark"),
        ("\u00a01", "syntax", 0, "value is expected"),
        (b"\xef\xbb\xbf1", "utf8", 0, "byte order mark"),
        (b'"\xc0\xaf"', "utf8", 1, "Byte 2"),
        (b'"\xed\xa0\x80"', "utf8", 1, "not UTF-8"),
    ],
)
def test_refusals(text: str | bytes, kind: str, offset: int, words: str) -> None:
    with pytest.raises(JsonRefused) as refused:
        read_json(text)
    assert (refused.value.kind.value, refused.value.offset) == (kind, offset)
    assert words in refused.value.sentence
    assert refused.value.sentence.endswith(".")
    refused.value.sentence.encode("utf-8")


def test_whole_characters_from_escapes() -> None:
    assert read_json('["\\ud83d\\ude00", "\\\\ud83d", "\\u00e9"]') == ["😀", "\\ud83d", "é"]


def test_one_key_in_two_objects_is_fine() -> None:
    assert read_json('[{"a":1},{"a":2}]') == [{"a": 1}, {"a": 2}]


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("0", 0), ("-0", 0), ("-12", -12),
        ("-0.0", Decimal(0)), ("1.50", Decimal("1.5")), ("1E2", Decimal(100)),
        ("1e+3", Decimal(1000)), ("25e-2", Decimal("0.25")), ("0e888888888888888888888888", 0), ("0.000", 0),
        ("3.141592653589793238462643383279502884190", Decimal("3.14159265358979323846264338327950288419")),
        ("1E400", Decimal("1E400")), ("1" + "0" * 3000, 10**3000), ("0." + "0" * 10_000 + "e10000", 0),
        ("0." + "0" * 5000 + "1e5001", 1),
    ],
)  # fmt: skip
def test_numbers_are_exact(text: str, value: int | Decimal) -> None:
    assert read_json(text) == value


@pytest.mark.parametrize(
    ("inside", "outside"),
    [
        ("9" * 4096, "9" * 4097),
        ("1e4095", "1e4096"),
        ("-1e-4096", "-1e-4097"),
        ("1" + "0" * 4095, "1" + "0" * 4096),
        ("0." + "1" * 4096, "1." + "1" * 4096),
        ("1." + "0" * 9999, "1e" + "9" * 9999),
    ],
)
def test_limits_go_by_value(inside: str, outside: str) -> None:
    assert isinstance(read_json(inside), int | Decimal)
    assert isinstance(read_json(outside), HugeNumber)


def test_huge_numbers_of_one_value_are_equal() -> None:
    spellings = ["1e5000", "10e4999", "1.0E+5000", "0.1e05001", "100e4998"]
    assert {read_json(text) for text in spellings} == {HugeNumber("1e5000")}
    assert read_json("-1e5000") == HugeNumber("-1e5000")


def test_other_limits() -> None:
    limits = Limits(int_digits=3, decimal_digits=3, decimal_places=3)
    assert read_json("[999, 1.25, 1000, 1.234]", limits) == [
        999, Decimal("1.25"), HugeNumber("1e3"), HugeNumber("1234e-3")
    ]  # fmt: skip


@pytest.fixture(params=[640, 4300, 0])
def guard(request: pytest.FixtureRequest) -> Iterator[int]:
    """Python's guard against long ints, as a user may set it; 0 is none."""
    before = sys.get_int_max_str_digits()
    sys.set_int_max_str_digits(request.param)
    yield request.param
    sys.set_int_max_str_digits(before)


@pytest.mark.usefixtures("guard")
@pytest.mark.parametrize("digits", [600, 640, 641, 2048, 2049, 4095, 4096])
@pytest.mark.parametrize("sign", ["", "-"])
def test_pythons_guard_does_not_matter(digits: int, sign: str) -> None:
    number = (10**digits - 1) // 9 * 7 * (-1 if sign else 1)
    literal = sign + "7" * digits
    for text in (literal, f" {literal} ", f'["{"a" * 700}",{literal}]', f'{{"a":[0.5,{literal}],"b":{literal}}}'):
        assert number in numbers_of(read_json(text))
        assert not [each for each in numbers_of(read_json(text)) if isinstance(each, HugeNumber)]


@pytest.mark.usefixtures("guard")
@pytest.mark.parametrize("digits", [4097, 4300, 4301, 5000])
def test_a_number_with_too_many_digits_is_huge_whatever_the_guard(digits: int) -> None:
    literal = "7" * digits
    for text in (literal, f"[1,{literal},0.5]", f'{{"a":"{"9" * 5000}","b":-{literal}}}'):
        assert HugeNumber(f"{literal}e0") in [HugeNumber(str(each).lstrip("-")) for each in numbers_of(read_json(text))]


@pytest.mark.usefixtures("guard")
@pytest.mark.parametrize("start", [0, 1, 639, 640, 641, 2047, 2048, 2049, 4096])
def test_long_digits_are_seen_wherever_they_stand(start: int) -> None:
    literal = "7" * 4097
    assert numbers_of(read_json(f'["{"a" * start}",{literal}]')) == [HugeNumber(f"{literal}e0")]
    assert numbers_of(read_json(f'["{"a" * start}",1.{literal}]')) == [HugeNumber(f"1{literal}e-4097")]


@pytest.mark.parametrize("start", range(104))
def test_one_digit_too_many_is_seen_wherever_it_stands(start: int) -> None:
    limits = Limits(int_digits=100, decimal_digits=200, decimal_places=150)
    before = f'["{"a" * start}",'
    assert numbers_of(read_json(f"{before}{'7' * 100}]", limits)) == [int("7" * 100)]
    assert numbers_of(read_json(f"{before}{'7' * 101}]", limits)) == [Decimal("7" * 101)]
    assert numbers_of(read_json(f"{before}{'7' * 151}]", limits)) == [HugeNumber("7" * 151 + "e0")]
    assert numbers_of(read_json(f"{before}{'7' * 100}.{'7' * 100}]", limits)) == [Decimal(f"{'7' * 100}.{'7' * 100}")]
    assert numbers_of(read_json(f"{before}{'7' * 100}.{'7' * 101}]", limits)) == [HugeNumber("7" * 201 + "e-101")]
    assert numbers_of(read_json(f"{before}7.{'7' * 151}]", limits)) == [HugeNumber("7" * 152 + "e-151")]


def test_one_digit_too_many_is_seen_where_there_is_nothing_else() -> None:
    limits = Limits(int_digits=100)
    assert read_json("7" * 100, limits) == int("7" * 100)
    assert isinstance(read_json("7" * 101, limits), Decimal)
    assert read_json("-" + "7" * 100, limits) == -int("7" * 100)
    assert isinstance(read_json("-" + "7" * 101, limits), Decimal)


def test_few_significant_digits_are_counted_on_both_sides_of_the_point() -> None:
    limits = Limits(decimal_digits=200)
    literal = f"{'7' * 110}.{'7' * 110}"
    assert read_json(literal, limits) == HugeNumber(literal.replace(".", "") + "e-110")


@pytest.mark.parametrize("letters", ["", "...", "e" * 5000, "." * 5000, "1e5." * 2000])
@pytest.mark.parametrize("literal", ["1e5000", "1E5000", "1.5e+5000", "1.5E5000", "-1.0e-5000", "0.1E+05000"])
def test_an_exponent_is_seen_whatever_else_the_text_is_full_of(letters: str, literal: str) -> None:
    for text in (f'[0.5,"{letters}",{literal}]', f'[{literal},0.5,"{letters}"]', f'["{letters}",{literal}]'):
        assert any(isinstance(each, HugeNumber) for each in numbers_of(read_json(text)))


def numbers_of(value: Json) -> list[Any]:
    """All numbers in `value`."""
    if isinstance(value, dict):
        value = list(value.values())
    if isinstance(value, list):
        return [number for item in value for number in numbers_of(item)]
    return [value] if isinstance(value, int | Decimal | HugeNumber) else []


def test_nesting_is_bounded_with_room_for_an_envelope() -> None:
    deepest = "[" * 512 + "]" * 512
    read_json(deepest)
    with pytest.raises(JsonRefused) as refused:
        read_json(f'{{"a":{deepest}}}')
    assert refused.value.kind is JsonFault.DEPTH
    read_json(f'{{"a":{deepest}}}', DEFAULT_LIMITS, envelope=1)
    read_json("[" + "[]," * 5000 + "[]]")


@pytest.mark.parametrize("inner", ["1", '"a"', "", "[]", "1e5000", "1e5000,[]", "[],0.5"])
@pytest.mark.parametrize(("opening", "closing"), [("[", "]"), ('{"a":', "}"), ('[{"a":', "}]")])
@pytest.mark.parametrize("before", ["", " " * 600])
def test_the_innermost_container_counts(opening: str, closing: str, inner: str, before: str) -> None:
    for levels in (7, 8, 9):
        depth = (len(opening.replace('"a":', "")) * levels) + 1 + ("[]" in inner)
        text = f"{before}{opening * levels}[{inner}]{closing * levels}"
        read_json(text, Limits(nesting=depth))
        with pytest.raises(JsonRefused) as refused:
            read_json(text, Limits(nesting=depth - 1))
        assert refused.value.kind is JsonFault.DEPTH


def test_deeper_than_pythons_own_scanner_goes() -> None:
    deep = '[{"a":' * 3000 + "1" + "}]" * 3000
    value = read_json(deep, Limits(nesting=6000))
    for _ in range(3000):
        assert isinstance(value, list)
        (inner,) = value
        assert isinstance(inner, dict)
        value = inner["a"]
    assert value == 1


@pytest.mark.parametrize(
    "text",
    [
        "[" * 5_000_000,
        '{"a":' * 1_000_000,
        "9" * 5_000_000,
        "1e" + "9" * 5_000_000,
        "0." + "0" * 5_000_000 + "1",
        '"' + "\\\\" * 2_500_000 + '\\ud800"',
        '"' + "a" * 5_000_000,
        "[1e999999999]",
        "[" + ",".join(["1e" + "9" * 30] * 30_000) + "]",
        "[" + ",".join(["7" * 4096] * 250) + "]",
        "[" + ",".join(["7" * 2000 + "." + "7" * 2000] * 250) + "]",
        "[" * 500_000 + "]" * 500_000,
        "[" * 500 + "[" + "[]," * 300_000 + "[]]" + "]" * 500,
        "{" + ",".join(f'"k{number % 5000}":{number}' for number in range(80_000)) + "}",
        "[" + ",".join(['{"a":1,"a":2}'] * 80_000) + "]",
        '"' + "7" * 640 + ("a" + "7" * 639) * 1500 + '"',
    ],
    ids=[
        "arrays", "objects", "digits", "exponent", "zeros", "escapes", "string", "bomb", "bombs", "long", "decimals",
        "brackets", "wide", "repeats", "pairs", "runs",
    ],
)  # fmt: skip
@pytest.mark.usefixtures("guard")
def test_hostile_texts_cost_little(text: str) -> None:
    with not_hopeless(), contextlib.suppress(JsonRefused):
        read_json(text)


EMPTY = "[" + "[]," * 60_000 + "[]]"
OBJECTS = "[" + '{"a":1},' * 25_000 + "{}]"
NESTED = "[" + ",".join(["[" * 500 + "]" * 500] * 200) + "]"


@pytest.mark.parametrize(
    "text",
    [
        EMPTY,
        OBJECTS,
        NESTED,
        "[" + "1e99999," * 25_000 + "1]",
        '[{"a":1e99999},' + "[1]," * 50_000 + "[]]",
        f"[{NESTED},{'[' * 600}{']' * 600}]",
        f"[{OBJECTS},{'[' * 600}{']' * 600}]",
        f"[{OBJECTS},[1,]]",
        f'[{OBJECTS},{{"a":1,"a":2}}]',
        "1" * 200_000,
        '"' + "\\" * 100_000 + '"',
        "[" * 200_000,
    ],
    ids=[
        "arrays", "objects", "nested", "huge numbers", "a huge number", "too deep at last", "objects, too deep at last",
        "wrong at last", "a pair at last", "digits", "escapes", "brackets",
    ],
)  # fmt: skip
def test_no_text_takes_much_more_memory_than_its_value(text: str) -> None:
    """Two bytes make an array, which takes Python 88; a value that were held twice would pass the bound."""
    with contextlib.suppress(JsonRefused):
        read_json(text)  # what is imported at first
    tracemalloc.start()
    try:
        with contextlib.suppress(JsonRefused):
            read_json(text)
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert peak < 60 * len(text) + 100_000
