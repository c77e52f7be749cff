"""What is an Int and what is a Decimal, by value and whatever the exponent."""

from __future__ import annotations

import decimal
import sys
from decimal import Decimal

import pytest
from support.bounds import not_hopeless

from flow_lsp.values.limits import DEFAULT_LIMITS, Limits
from flow_lsp.values.numbers import HugeNumber, NumberFault, NumberParts, as_decimal, as_int, number_text, read_number

NOT_WHOLE, LIMIT = NumberFault.NOT_WHOLE, NumberFault.LIMIT
WIDE_INTS = Limits(int_digits=6000)
WIDE_DECIMALS = Limits(decimal_digits=6000, decimal_places=7000)
TINY = Limits(int_digits=3, decimal_digits=3, decimal_places=5)


def short(value: object) -> str:
    """The name of a parameter; str takes no int of any length."""
    return value[:24] if isinstance(value, str) else type(value).__name__


@pytest.mark.parametrize(
    ("literal", "expected"),
    [
        ("7", 7), ("-7", -7), ("0", 0), ("-0", 0), ("-0.0", 0), ("0e999999999999999999999", 0),
        ("1E3", 1000), ("1000.0", 1000), ("120e-1", 12), ("-2.50e1", -25), ("1.5", NOT_WHOLE), ("-0.5", NOT_WHOLE),
        ("9" * 4096, 10**4096 - 1), ("9" * 4097, LIMIT), ("-" + "9" * 4097, LIMIT), ("1e4095", 10**4095),
        ("1e4096", LIMIT), ("-1e4095", -(10**4095)), ("-1e4096", LIMIT), ("1e5000", LIMIT), ("7e3000000000", LIMIT),
        ("1e999999999999999999999999", LIMIT), ("1e-5000", NOT_WHOLE), ("-7e-3000000000", NOT_WHOLE),
        ("1e-999999999999999999999999", NOT_WHOLE), ("1." + "0" * 5000, 1), ("1." + "0" * 5000 + "1", NOT_WHOLE),
        ("9" * 5000 + ".5", NOT_WHOLE), ("10e999999999999999999", LIMIT), ("1" + "0" * 4095, 10**4095),
    ],
    ids=short,
)  # fmt: skip
def test_ints_go_by_value(literal: str, expected: int | NumberFault) -> None:
    found = as_int(read_number(literal))
    assert found == expected
    assert isinstance(found, int) == isinstance(expected, int)


@pytest.mark.parametrize(
    ("literal", "expected"),
    [
        ("7", "7"), ("-7.25", "-7.25"), ("1.50", "1.5"), ("0", "0"), ("-0", "0"), ("-0.000", "0"), ("0e-99999", "0"),
        ("1e4095", "1e4095"), ("1e4096", LIMIT), ("1e-4096", "1e-4096"), ("1e-4097", LIMIT),
        ("9" * 4096, "9" * 4096), ("9" * 4097, LIMIT), ("1" * 4095 + ".5", "1" * 4095 + ".5"),
        ("1" * 4096 + ".5", LIMIT), ("1." + "0" * 9000, "1"), ("0." + "0" * 4000 + "12e3900", "1.2e-101"),
        ("1e5000", LIMIT), ("-7e-3000000000", LIMIT), ("1e999999999999999999999999", LIMIT),
        ("1e-999999999999999999999999", LIMIT),
    ],
    ids=short,
)  # fmt: skip
def test_decimals_go_by_value(literal: str, expected: str | NumberFault) -> None:
    found = as_decimal(read_number(literal))
    if isinstance(expected, NumberFault):
        assert found is expected
    else:
        assert isinstance(found, Decimal)
        assert found == Decimal(expected)
        assert found or str(found) == "0"


def test_each_type_has_its_own_limits() -> None:
    whole = read_number("3" * 5000, WIDE_INTS)
    assert as_int(whole, WIDE_INTS) == int(Decimal("3" * 5000))
    assert as_decimal(whole, WIDE_INTS) is LIMIT
    assert as_int(read_number("1e5999", WIDE_INTS), WIDE_INTS) == 10**5999
    assert as_int(read_number("1e6000", WIDE_INTS), WIDE_INTS) is LIMIT
    large = read_number("3" * 5000, WIDE_DECIMALS)
    assert as_decimal(large, WIDE_DECIMALS) == Decimal("3" * 5000)
    assert as_int(large, WIDE_DECIMALS) is LIMIT
    assert as_decimal(read_number("-1e-6999", WIDE_DECIMALS), WIDE_DECIMALS) == Decimal("-1e-6999")
    assert as_decimal(read_number("1e-7001", WIDE_DECIMALS), WIDE_DECIMALS) is LIMIT


@pytest.mark.parametrize(
    ("literal", "whole", "exact"),
    [
        ("999", 999, "999"), ("1000", LIMIT, "1000"), ("12345", LIMIT, LIMIT), ("12300", LIMIT, "12300"),
        ("1e4", LIMIT, "10000"), ("1e5", LIMIT, LIMIT), ("1.25", NOT_WHOLE, "1.25"), ("1.234", NOT_WHOLE, LIMIT),
        ("1.230", NOT_WHOLE, "1.23"), ("0.00001", NOT_WHOLE, "0.00001"), ("0.000001", NOT_WHOLE, LIMIT),
        ("1234.5", NOT_WHOLE, LIMIT), ("100.0", 100, "100"), ("1e-9", NOT_WHOLE, LIMIT), ("-0.0", 0, "0"),
    ],
    ids=short,
)  # fmt: skip
def test_small_limits_hold_for_short_numbers_too(
    literal: str, whole: int | NumberFault, exact: str | NumberFault
) -> None:
    number = read_number(literal, TINY)
    assert as_int(number, TINY) == whole
    assert as_decimal(number, TINY) == (exact if isinstance(exact, NumberFault) else Decimal(exact))
    assert not isinstance(number, int) or as_int(number, TINY) == number
    assert not isinstance(number, Decimal) or as_decimal(number, TINY) == number


@pytest.mark.parametrize(
    ("number", "fault"),
    [
        (10**5000, LIMIT), (-(10**4096), LIMIT), (10**4096 - 1, None), (Decimal("1E+999999999999"), LIMIT),
        (Decimal("1E-999999999999"), LIMIT), (Decimal("1.00") * 10**90, None), (Decimal("NaN"), ValueError),
        (Decimal("-Infinity"), ValueError), (Decimal("sNaN123"), ValueError), (True, TypeError), (1.5, TypeError),
        ("1", TypeError), (None, TypeError),
    ],
    ids=short,
)  # fmt: skip
def test_numbers_that_no_text_gave(number: object, fault: object) -> None:
    if isinstance(fault, type) and issubclass(fault, Exception):
        with pytest.raises(fault):
            as_decimal(number)  # type: ignore[arg-type]
        with pytest.raises(fault):
            as_int(number)  # type: ignore[arg-type]
    else:
        assert as_decimal(number) == (number if fault is None else fault)  # type: ignore[arg-type]


def test_wholeness_is_judged_before_the_limit() -> None:
    assert as_int(Decimal("1E+99999999")) is LIMIT
    assert as_int(Decimal("9" * 5000 + ".5")) is NOT_WHOLE
    assert as_int(Decimal("9" * 5000 + ".0")) is LIMIT
    assert as_int(Decimal("1E-99999999")) is NOT_WHOLE


def test_the_decimal_context_is_no_matter() -> None:
    with decimal.localcontext(decimal.Context(prec=3, capitals=0, traps=[decimal.Inexact, decimal.FloatOperation])):
        number = Decimal("1.23456789e30")
        assert as_int(number) == 1234567890000000000000000000000
        assert as_decimal(number) == number
        assert as_decimal(12345) == Decimal("12345")
        assert as_decimal(10**40 + 1) == Decimal(10**40 + 1)
        assert number_text(Decimal("1.5e-9")) == "0.0000000015"
        assert number_text(number) == "1234567890000000000000000000000"
        assert read_number("1234567e99999999999999999999") == HugeNumber("1234567e99999999999999999999")


def test_the_parts_of_a_huge_number() -> None:
    assert HugeNumber("-25e999999999").parts == NumberParts(True, "25", 999999999)
    assert HugeNumber("25e-5000").parts == NumberParts(False, "25", -5000)
    assert HugeNumber("25e-5000").parts.first == -4999
    for sign, bound in (("", 10**18), ("-", -(10**18))):
        assert HugeNumber(f"1e{sign}{'9' * 5000}").parts == NumberParts(False, "1", bound)
        assert HugeNumber(f"1e{sign}{'9' * 19}").parts.last == bound


@pytest.mark.parametrize("exponent", ["9" * 17, "9" * 18, "9" * 19, "1" + "0" * 18, "9" * 30, "9" * 300])
@pytest.mark.parametrize("sign", ["", "-"])
def test_one_value_has_one_huge_number_however_long_its_exponent(exponent: str, sign: str) -> None:
    power = int(sign + exponent)
    spellings = [f"15e{power}", f"150e{power - 1}", f"1.5E{power + 1:+}", f"0.0015e{power + 4}", f"1500e{power - 2}"]
    assert {read_number(text) for text in spellings} == {HugeNumber(f"15e{power}")}


@pytest.mark.parametrize("guard", [640, 4300, 0])
def test_pythons_guard_is_not_met(guard: int) -> None:
    before = sys.get_int_max_str_digits()
    sys.set_int_max_str_digits(guard)
    try:
        assert as_int(read_number("7" * 4096)) == (10**4096 - 1) // 9 * 7
        assert as_int(read_number("7" * 4096 + ".0")) == (10**4096 - 1) // 9 * 7
        assert as_int(read_number("7" * 6000, WIDE_INTS), WIDE_INTS) == (10**6000 - 1) // 9 * 7
        assert as_decimal((10**4096 - 1) // 9 * 7) == Decimal("7" * 4096)
        assert read_number("1e" + "9" * 5000) == HugeNumber("1e" + "9" * 5000)
    finally:
        sys.set_int_max_str_digits(before)


@pytest.mark.parametrize(
    "literal",
    ["9" * 1_000_000, "1e" + "9" * 1_000_000, "10e-" + "9" * 1_000_000, "0." + "0" * 1_000_000 + "1", "1e999999999999"],
    ids=["digits", "exponent", "adjusted", "zeros", "bomb"],
)
def test_hostile_numbers_cost_little(literal: str) -> None:
    with not_hopeless():
        number = read_number(literal, DEFAULT_LIMITS)
        assert isinstance(as_int(number), NumberFault)
        assert as_decimal(number) is LIMIT
