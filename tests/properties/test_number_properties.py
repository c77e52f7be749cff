"""Laws of numbers, held against fractions: what is an Int and what is a Decimal within any limits."""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction

from hypothesis import given, settings
from hypothesis import strategies as st

from flow_lsp.values.limits import Limits
from flow_lsp.values.numbers import HugeNumber, NumberFault, as_decimal, as_int, number_text, read_number, whole_number

few = st.integers(1, 12)
limits_of_any_size = st.builds(Limits, int_digits=few, decimal_digits=few, decimal_places=few) | st.builds(
    Limits,
    int_digits=st.sampled_from([5, 100, 150, 4096]),
    decimal_digits=st.sampled_from([5, 100, 150, 4096]),
    decimal_places=st.sampled_from([5, 100, 150, 4096]),
)
digits = st.text("0123456789", max_size=9) | st.text("09", max_size=110)


@st.composite
def short_literals(draw: st.DrawFn) -> str:
    """A number by JSON's grammar whose exponent a fraction can bear."""
    whole = draw(digits).lstrip("0") or "0"
    fraction = draw(st.just("") | digits)
    exponent = draw(st.just("") | st.integers(-130, 130).map(lambda power: f"e{power}"))
    return f"{draw(st.sampled_from(['', '-']))}{whole}{'.' if fraction else ''}{fraction}{exponent}"


def int_by_fraction(value: Fraction, limits: Limits) -> int | NumberFault:
    if value.denominator != 1:
        return NumberFault.NOT_WHOLE
    return int(value) if len(str(abs(value.numerator))) <= limits.int_digits or not value else NumberFault.LIMIT


def decimal_by_fraction(value: Fraction, limits: Limits) -> Fraction | NumberFault:
    places, scaled = 0, abs(value)
    while scaled.denominator != 1:
        places, scaled = places + 1, scaled * 10
    significant = str(scaled.numerator).rstrip("0")
    before = len(str(abs(value).__floor__())) if abs(value) >= 1 else 0
    fits = (
        len(significant) <= limits.decimal_digits
        and places <= limits.decimal_places
        and before <= limits.decimal_places
    )
    return value if fits else NumberFault.LIMIT


@given(short_literals(), limits_of_any_size)
@settings(max_examples=600, deadline=None)
def test_each_type_takes_what_is_inside_its_limits(literal: str, limits: Limits) -> None:
    value = Fraction(literal)
    number = read_number(literal, limits)
    whole, exact = as_int(number, limits), as_decimal(number, limits)
    assert whole == int_by_fraction(value, limits)
    assert exact == decimal_by_fraction(value, limits) or Fraction(exact) == decimal_by_fraction(value, limits)  # type: ignore[arg-type]
    assert type(whole) in (int, NumberFault)
    assert isinstance(exact, Decimal | NumberFault)
    # The contract of the reader: an int is an Int, a Decimal a Decimal, and what is neither is a HugeNumber.
    if isinstance(number, HugeNumber):
        assert isinstance(exact, NumberFault)
        parts = number.parts
        assert Fraction(int(parts.digits)) * Fraction(10) ** parts.last * (-1 if parts.negative else 1) == value
    elif isinstance(number, int):
        assert whole == number == value
    else:
        assert exact == number
        assert Fraction(number) == value


@given(short_literals(), limits_of_any_size)
@settings(max_examples=300, deadline=None)
def test_what_is_given_goes_by_value(literal: str, limits: Limits) -> None:
    exact = Decimal(literal)
    expected = as_int(read_number(literal, limits), limits)
    assert as_int(exact, limits) == expected
    assert as_decimal(exact, limits) == as_decimal(read_number(literal, limits), limits)
    if exact == exact.to_integral_value():
        assert as_int(int(exact), limits) == expected
        assert as_decimal(int(exact), limits) == as_decimal(exact, limits)


@given(
    st.sampled_from(["", "-"]), st.integers(1, 10**12), st.integers(0, 9), st.integers(10**16, 10**40), st.booleans()
)
@settings(max_examples=200, deadline=None)
def test_all_spellings_of_a_huge_number_are_one(sign: str, digits: int, zeros: int, power: int, small: bool) -> None:
    power = -power if small else power
    plain = f"{sign}{digits}e{power}"
    longer = f"{sign}{digits}{'0' * zeros}E{power - zeros:+}"
    text = str(digits)
    shifted = f"{sign}{text[0]}.{text[1:]}{'0' * (zeros + 1)}e{power + len(text) - 1}"
    lower = f"{sign}0.{'0' * zeros}{digits}e{power + zeros + len(text)}"
    assert len({read_number(each) for each in (plain, longer, shifted, lower)}) == 1
    number = read_number(plain)
    assert isinstance(number, HugeNumber)
    assert as_int(number) is (NumberFault.NOT_WHOLE if small else NumberFault.LIMIT)
    assert as_decimal(number) is NumberFault.LIMIT
    assert number != read_number(f"{sign}{digits}e{power + 1}")


@given(st.integers(-(10**700), 10**700))
@settings(max_examples=100, deadline=None)
def test_whole_numbers_are_read_as_they_are_written(number: int) -> None:
    assert whole_number(number_text(number)) == number
    assert read_number(number_text(number)) == number
