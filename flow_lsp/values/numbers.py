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
from typing import Final

from flow_lsp.values.limits import DEFAULT_LIMITS, Limits

_UNGUARDED: Final = 600  # Python's guard cannot be set lower than 640 digits
_ORDINARY: Final = 100  # a literal without exponent of at most so many characters is inside the limits
_LITERAL = re.compile(r"(-?)([0-9]+)(?:\.([0-9]+))?(?:[eE]([+-]?)([0-9]+))?")


@dataclass(frozen=True, slots=True)
class HugeNumber:
    """A JSON number past the limits. `text` is one spelling for all literals of one value: the significant
    digits, `e`, and the exponent of the last of them, as in `-25e999999999`.
    """

    text: str

    def __str__(self) -> str:
        return self.text


def read_number(literal: str, limits: Limits = DEFAULT_LIMITS) -> int | Decimal | HugeNumber:
    """The value of `literal`, a number by JSON's grammar, in time linear in its characters."""
    if len(literal) <= _ORDINARY and limits.decimal_places >= _ORDINARY and limits.int_digits >= _ORDINARY:
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
