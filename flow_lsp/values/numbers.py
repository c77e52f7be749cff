"""JSON numbers, exact and harmless.

A number of a JSON text becomes an `int` (a literal without fraction and exponent), a `Decimal` (any other),
or, where it lies past the limits of decisions 4, a `HugeNumber`, which keeps its text. So what is an int or a
Decimal is small enough to compute with and to write out, and a number past the limits costs nothing while it
stands in a member that nobody reads: number limits hold for decoded values alone.

Python's own guard on conversions between int and str is not met: long ones go through Decimal, without one.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from decimal import Decimal
from enum import StrEnum
from functools import lru_cache
from typing import Final

from flow_lsp.values.limits import DEFAULT_LIMITS, Limits

_UNGUARDED: Final = 600  # Python's guard cannot be set lower than 640 digits
_ORDINARY: Final = 100  # a literal without exponent of at most so many characters is inside the limits
_LONGEST_EXPONENT: Final = 19  # characters, with a sign
_SMALL: Final = 10**18  # below it, and with as few digits, everything is inside the limits
_LITERAL = re.compile(r"(-?)([0-9]+)(?:\.([0-9]+))?(?:[eE]([+-]?)([0-9]+))?")


@dataclass(frozen=True, slots=True)
class HugeNumber:
    """A JSON number past the limits. `text` is one spelling for all literals of one value: the significant
    digits, `e`, and the exponent of the last of them, as in `-25e999999999`.
    """

    text: str

    def __str__(self) -> str:
        return self.text

    @property
    def digits(self) -> str:
        """The significant digits, from the first to the last that is not zero."""
        return self.text.lstrip("-").partition("e")[0]

    @property
    def last_place(self) -> int | None:
        """The power of ten of the last significant digit; None where it has more than 18 digits itself."""
        exponent = self.text.partition("e")[2]
        return int(exponent) if len(exponent) <= _LONGEST_EXPONENT else None

    @property
    def is_whole(self) -> bool:
        """Whether it has no fraction."""
        return "e-" not in self.text


class NumberFault(StrEnum):
    """Why a number is no value of a numeric type."""

    NOT_WHOLE = "number"  # an Int is a whole number
    LIMIT = "limit"  # past the limits of its type


def read_number(literal: str, limits: Limits = DEFAULT_LIMITS) -> int | Decimal | HugeNumber:
    """The value of `literal`, a number by JSON's grammar, in time linear in its characters."""
    if len(literal) <= _ORDINARY and _are_ordinary(limits):
        if literal.lstrip("-").isdigit():
            return int(literal)
        if "e" not in literal and "E" not in literal:
            return Decimal(literal)
    return _read_by_digits(literal, limits)


def _read_by_digits(literal: str, limits: Limits) -> int | Decimal | HugeNumber:
    match = _LITERAL.fullmatch(literal)
    assert match is not None, "JSON's grammar of numbers"
    sign, whole, fraction, exponent_sign, exponent_digits = match.groups(default="")
    digits = (whole + fraction).lstrip("0")
    significant = digits.rstrip("0")
    if not significant:
        return 0
    exponent_digits = exponent_digits.lstrip("0") or "0"
    if len(exponent_digits) > 18:  # past what the count of digits in any text can bring back
        return HugeNumber(f"{sign}{significant}e{'-' if exponent_sign == '-' else ''}{exponent_digits}")
    exponent = int(exponent_digits) * (-1 if exponent_sign == "-" else 1)
    last = exponent - len(fraction) + len(digits) - len(significant)  # the power of ten of the last digit
    first = last + len(significant) - 1
    if (
        len(significant) > limits.decimal_digits
        or first >= limits.decimal_places
        or last < -limits.decimal_places
        or (last >= 0 and first >= limits.int_digits)
    ):
        return HugeNumber(f"{sign}{significant}e{last}")
    if not fraction and not match.group(5):
        return whole_number(sign + digits)
    return Decimal(f"{sign}{significant}E{last}")


def whole_number(digits: str) -> int:
    """The int that `digits`, decimal with an optional `-`, writes, however many there are."""
    return int(digits) if len(digits) <= _UNGUARDED else int(Decimal(digits))


def number_text(number: int | Decimal | HugeNumber) -> str:
    """The canonical text of `number`: plain decimal notation, without a superfluous zero.

    A HugeNumber has no canonical text; it is written with its exponent, equal numbers alike.
    """
    if isinstance(number, HugeNumber):
        return number.text
    if isinstance(number, int):
        return str(int(number)) if -(10**500) < number < 10**500 else format(Decimal(number), "f")
    if not number:
        return "0"
    text = format(number, "f")
    return text.rstrip("0").rstrip(".") if "." in text else text


def as_int(number: int | Decimal | HugeNumber, limits: Limits = DEFAULT_LIMITS) -> int | NumberFault:
    """The Int that `number` is, by value and not by spelling (decisions 3 and 4): `1E3` is 1000.

    Takes no time for an exponent: what is past the limit is not written out.
    """
    if isinstance(number, HugeNumber):
        place = number.last_place
        if not number.is_whole:
            return NumberFault.NOT_WHOLE
        if place is None or len(number.digits) + place > limits.int_digits:
            return NumberFault.LIMIT
        return int(Decimal(f"{number.text.partition('e')[0]}E{place}"))
    if isinstance(number, int):
        if -_SMALL < number < _SMALL and limits.int_digits >= 18:
            return number
        return number if abs(number) < _power(limits.int_digits) else NumberFault.LIMIT
    if not number:
        return 0
    if number != number.to_integral_value():
        return NumberFault.NOT_WHOLE
    return int(number) if number.adjusted() < limits.int_digits else NumberFault.LIMIT


def as_decimal(number: int | Decimal | HugeNumber, limits: Limits = DEFAULT_LIMITS) -> Decimal | NumberFault:
    """The Decimal that `number` is, exactly; `number` is finite, and zero has no sign (decisions 3 and 4).

    Takes no time for an exponent: what is past the limit is not written out.
    """
    if isinstance(number, HugeNumber):
        place = number.last_place
        if place is None or not _decimal_fits(len(number.digits), place, limits):
            return NumberFault.LIMIT
        return Decimal(f"{number.text.partition('e')[0]}E{place}")
    if not number:
        return Decimal(0)
    if isinstance(number, int):
        exact = Decimal(number)
        if -_SMALL < number < _SMALL and _are_ordinary(limits):
            return exact
    else:
        exact = number
    _, digits, exponent = exact.as_tuple()
    assert isinstance(exponent, int)
    significant = "".join(map(str, digits)).lstrip("0").rstrip("0")
    place = exact.adjusted() - len(significant) + 1
    return exact if _decimal_fits(len(significant), place, limits) else NumberFault.LIMIT


def _decimal_fits(significant: int, last_place: int, limits: Limits) -> bool:
    return (
        significant <= limits.decimal_digits
        and last_place >= -limits.decimal_places
        and last_place + significant <= limits.decimal_places
    )


def _are_ordinary(limits: Limits) -> bool:
    """Whether a short number without an exponent is inside `limits`."""
    return limits.decimal_places >= _ORDINARY and limits.decimal_digits >= _ORDINARY and limits.int_digits >= _ORDINARY


@lru_cache(8)
def _power(digits: int) -> int:
    """The first number that has more than so many digits."""
    return int(10**digits)
