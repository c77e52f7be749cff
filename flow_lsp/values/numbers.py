"""JSON numbers, exact and harmless.

A number of a JSON text becomes an `int` (a literal without fraction and exponent, inside Int's limit), else a
`Decimal` where it is inside Decimal's limits, else a `HugeNumber`, which keeps its text. So what is an int or a
Decimal is small enough to compute with and to write out, and a number past the limits costs nothing while it
stands in a member that nobody reads: number limits hold for decoded values alone. `as_int` and `as_decimal` decide
by value what is one of a type's.

Python's own guard on conversions between int and str is not met: long ones go through Decimal, without one.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from decimal import MAX_EMAX, MAX_PREC, MIN_EMIN, Context, Decimal
from enum import StrEnum
from typing import Final, NamedTuple

from flow_lsp.values.limits import DEFAULT_LIMITS, Limits

_UNGUARDED: Final = 600  # Python's guard cannot be set lower than 640 digits
_ORDINARY: Final = 100  # a literal without exponent of at most so many characters is inside the limits
_SMALL: Final = 10**18  # ints below are not measured
_FEW: Final = 18  # and have no more digits than this
_LONGEST_EXPONENT: Final = 18  # digits; longer ones are past what the count of digits in any text can bring back
_LITERAL = re.compile(r"(-?)([0-9]+)(?:\.([0-9]+))?(?:[eE]([+-]?)([0-9]+))?")
_EXACT = Context(prec=MAX_PREC, Emax=MAX_EMAX, Emin=MIN_EMIN, traps=[])


class NumberFault(StrEnum):
    """Why a number is no value of a numeric type, by the class of the conformance cases."""

    NOT_WHOLE = "number"  # an Int that is not whole
    LIMIT = "limit"  # past the type's limits


class NumberParts(NamedTuple):
    """A number that is not zero: `digits`, from the first to the last that is not zero, and `last`, the power of
    ten that the last of them counts.

    Where `last` itself has more than 18 digits, it stands at plus or minus 10**18, which is past every limit.
    """

    negative: bool
    digits: str
    last: int

    @property
    def first(self) -> int:
        """The power of ten that the first digit counts."""
        return self.last + len(self.digits) - 1

    def are_decimal(self, limits: Limits) -> bool:
        """Whether the number is inside Decimal's limits."""
        return (
            len(self.digits) <= limits.decimal_digits
            and self.last >= -limits.decimal_places
            and self.first < limits.decimal_places
        )


@dataclass(frozen=True, slots=True)
class HugeNumber:
    """A JSON number past the limits. `text` is one spelling for all literals of one value: the significant
    digits, `e`, and the exponent of the last of them, as in `-25e999999999`.
    """

    text: str

    def __str__(self) -> str:
        return self.text

    @property
    def parts(self) -> NumberParts:
        """Its sign, digits and exponent, in time linear in its text."""
        sign, digits, exponent = self.text[:1] == "-", *self.text.lstrip("-").split("e")
        if len(exponent.lstrip("-")) > _LONGEST_EXPONENT:
            return NumberParts(sign, digits, -(10**18) if exponent[0] == "-" else 10**18)
        return NumberParts(sign, digits, int(exponent))


def read_number(literal: str, limits: Limits = DEFAULT_LIMITS) -> int | Decimal | HugeNumber:
    """The value of `literal`, a number by JSON's grammar, in time linear in its characters."""
    if len(literal) <= _ORDINARY and _are_ordinary(limits):
        if literal.lstrip("-").isdigit():
            return int(literal)
        if "e" not in literal and "E" not in literal:
            return Decimal(literal)
    return _read_by_digits(literal, limits)


def _are_ordinary(limits: Limits) -> bool:
    """Whether `limits` let every number of a few digits without an exponent be."""
    return limits is DEFAULT_LIMITS or (
        limits.int_digits >= _ORDINARY and limits.decimal_digits >= _ORDINARY and limits.decimal_places >= _ORDINARY
    )


def _read_by_digits(literal: str, limits: Limits) -> int | Decimal | HugeNumber:
    match = _LITERAL.fullmatch(literal)
    assert match is not None, "JSON's grammar of numbers"
    sign, whole, fraction, exponent_sign, exponent_digits = match.groups(default="")
    digits = (whole + fraction).lstrip("0")
    significant = digits.rstrip("0")
    if not significant:
        return 0
    if not fraction and not exponent_digits and len(digits) <= limits.int_digits:
        return whole_number(sign + digits)
    shift = len(digits) - len(significant) - len(fraction)
    exponent_digits = exponent_digits.lstrip("0") or "0"
    if len(exponent_digits) > _LONGEST_EXPONENT:
        exponent = Decimal(f"{exponent_sign}{exponent_digits}")
        return HugeNumber(f"{sign}{significant}e{_EXACT.add(exponent, Decimal(shift)):f}")
    parts = NumberParts(sign == "-", significant, int(exponent_sign + exponent_digits) + shift)
    if parts.are_decimal(limits):
        return _decimal(parts)
    return HugeNumber(f"{sign}{significant}e{parts.last}")


def _parts(literal: str) -> NumberParts:
    """The parts of a number that is not zero, as Decimal writes it or JSON does, its exponent short."""
    match = _LITERAL.fullmatch(literal)
    assert match is not None, "a number"
    sign, whole, fraction, exponent_sign, exponent_digits = match.groups(default="")
    digits = (whole + fraction).lstrip("0")
    significant = digits.rstrip("0")
    last = int(f"{exponent_sign}{exponent_digits or '0'}") - len(fraction) + len(digits) - len(significant)
    return NumberParts(sign == "-", significant, last)


def _decimal(parts: NumberParts) -> Decimal:
    return Decimal(f"{'-' if parts.negative else ''}{parts.digits}E{parts.last}")


def whole_number(digits: str) -> int:
    """The int that `digits`, decimal with an optional `-`, writes, however many there are."""
    return int(digits) if len(digits) <= _UNGUARDED else int(Decimal(digits))


def number_text(number: int | Decimal | HugeNumber) -> str:
    """The canonical text of `number`: plain decimal notation, without a superfluous zero.

    A HugeNumber has no canonical text; it is written with its exponent, equal numbers alike. Raises ValueError
    for a Decimal that is not finite.
    """
    if isinstance(number, Decimal):
        if not number:
            return "0"
        if not number.is_finite():
            raise ValueError(f"{number} is no number of JSON")
        text = str(number)
        if "E" in text or "e" in text:
            text = format(number, "f")
        return text.rstrip("0").rstrip(".") if "." in text else text
    if isinstance(number, HugeNumber):
        return number.text
    return str(int(number)) if -(10**500) < number < 10**500 else format(Decimal(number), "f")


def as_int(number: int | Decimal | HugeNumber, limits: Limits = DEFAULT_LIMITS) -> int | NumberFault:
    """The Int that `number` is by value, not by spelling (decisions 3 and 4): `1E3` is 1000.

    What is not whole is NOT_WHOLE, however large or small. Nothing past the limit is written out, so the time does
    not depend on an exponent. Raises ValueError for a Decimal that is not finite, and TypeError for a bool or what
    is no number.
    """
    if type(number) is int and -_SMALL < number < _SMALL and limits.int_digits >= _FEW:
        return number
    if isinstance(number, Decimal):
        if not number:
            return 0
        if not number.is_finite():
            raise ValueError(f"{number} is no number of JSON")
        if number.adjusted() < limits.int_digits:
            whole = int(number)
            return whole if whole == number else NumberFault.NOT_WHOLE
        return NumberFault.NOT_WHOLE if _parts(str(number)).last < 0 else NumberFault.LIMIT
    if isinstance(number, HugeNumber):
        parts = number.parts
        if parts.last < 0:
            return NumberFault.NOT_WHOLE
        return int(_decimal(parts)) if parts.first < limits.int_digits else NumberFault.LIMIT
    _refuse_other(number)
    # Three bits are less than a digit, and four are more.
    if number.bit_length() <= 3 * limits.int_digits or (
        number.bit_length() <= 4 * limits.int_digits and abs(number) < 10**limits.int_digits
    ):
        return int(number)
    return NumberFault.LIMIT


def as_decimal(number: int | Decimal | HugeNumber, limits: Limits = DEFAULT_LIMITS) -> Decimal | NumberFault:
    """The Decimal that `number` is, exactly, with the zeros it was written with; a zero has neither sign nor places.

    LIMIT is the only fault (decisions 4). Nothing is rounded or written out, so neither Python's decimal context nor
    an exponent matters. Raises ValueError for a Decimal that is not finite, and TypeError for a bool or what is no
    number.
    """
    if isinstance(number, Decimal):
        if not number:
            return Decimal()
        text = str(number)
        if len(text) <= _ORDINARY and "E" not in text and "e" not in text and _are_ordinary(limits):
            if number.is_finite():
                return number
            raise ValueError(f"{number} is no number of JSON")
        if not number.is_finite():
            raise ValueError(f"{number} is no number of JSON")
        return number if _parts(text).are_decimal(limits) else NumberFault.LIMIT
    if isinstance(number, HugeNumber):
        parts = number.parts
        return _decimal(parts) if parts.are_decimal(limits) else NumberFault.LIMIT
    _refuse_other(number)
    if -_SMALL < number < _SMALL and _are_ordinary(limits):
        return Decimal(number)
    if number.bit_length() > 4 * limits.decimal_places:
        return NumberFault.LIMIT
    exact = Decimal(number)
    return exact if not exact or _parts(str(exact)).are_decimal(limits) else NumberFault.LIMIT


def _refuse_other(number: object) -> None:
    if isinstance(number, bool) or not isinstance(number, int):
        raise TypeError(f"a {type(number).__name__} is no number of JSON")
