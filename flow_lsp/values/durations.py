"""Durations: an exact number of seconds, of either sign ("The canonical form"; decisions 1, 3 and 4)."""

from __future__ import annotations

import re
from dataclasses import dataclass
from decimal import Decimal
from typing import Final

from flow_lsp.values.limits import DEFAULT_LIMITS, Limits
from flow_lsp.values.numbers import number_text, whole_number
from flow_lsp.values.times import TimeFault, digits_fit, exact_decimal, exact_difference, exact_sum

_UNITS = re.compile(
    r"P(?:([0-9]+)W)?(?:([0-9]+)D)?(?:T(?=[0-9])(?:([0-9]+)H)?(?:([0-9]+)M)?(?:([0-9]+)(?:\.([0-9]+))?S)?)?"
)
_NEGATIVE = re.compile(r"PT-([0-9]+)(?:\.([0-9]+))?S")
_SECONDS_OF: Final = (604_800, 86_400, 3_600, 60, 1)  # a week, a day, an hour, a minute, a second
_FORM: Final = "a Duration is written as `PT90S` or `P1DT2H30M0.5S`"


@dataclass(frozen=True, slots=True, order=True)
class Duration:
    """A length of time. `seconds` is exact: an int or a finite Decimal, kept as a Decimal."""

    seconds: Decimal

    def __init__(self, seconds: int | Decimal) -> None:
        object.__setattr__(self, "seconds", exact_decimal(seconds, "A Duration's seconds"))

    def __str__(self) -> str:
        """The canonical text, such as `PT90S`. It takes as many characters as the number has places."""
        return f"PT{number_text(self.seconds)}S"

    def __add__(self, other: object) -> Duration:
        return Duration(exact_sum(self.seconds, other.seconds)) if isinstance(other, Duration) else NotImplemented

    def __sub__(self, other: object) -> Duration:
        return (
            Duration(exact_difference(self.seconds, other.seconds)) if isinstance(other, Duration) else NotImplemented
        )

    def __neg__(self) -> Duration:
        return Duration(self.seconds.copy_negate())

    def __bool__(self) -> bool:
        return bool(self.seconds)


def read_duration(text: str, limits: Limits = DEFAULT_LIMITS) -> Duration | TimeFault:
    """The Duration that `text` writes, in any form of decisions 3. Linear in `text`."""
    negative = _NEGATIVE.fullmatch(text)
    if negative is not None:
        whole, fraction = negative.group(1), negative.group(2) or ""
        sign = "-"
    else:
        units = _UNITS.fullmatch(text)
        if units is None:
            return TimeFault(_what_is_wrong(text))
        *wholes, fraction = units.groups(default="")
        if not any(wholes):
            return TimeFault(f"no unit stands in it, and {_FORM}")
        wholes = [digits.lstrip("0") for digits in wholes]
        if any(len(digits) > limits.decimal_places for digits in wholes):
            return _PAST_LIMIT
        total = sum(
            seconds * whole_number(digits) for digits, seconds in zip(wholes, _SECONDS_OF, strict=True) if digits
        )
        whole, sign = number_text(total), ""
    whole, fraction = whole.lstrip("0"), fraction.rstrip("0")
    if not digits_fit(whole, fraction, limits):
        return _PAST_LIMIT
    if not whole and not fraction:
        return Duration(0)
    return Duration(Decimal(f"{sign}{whole or '0'}.{fraction}" if fraction else sign + whole))


_PAST_LIMIT = TimeFault("its seconds are past the limit on a number's digits", past_limit=True)


def _what_is_wrong(text: str) -> str:
    """What to say of a text that is no Duration."""
    if re.match(r"[+-]", text):
        return "a sign stands before the P; a negative Duration is written as `PT-5S`"
    if "," in text:
        return "a fraction is written with a point, not with a comma"
    if re.match(r"P[^T]*[YM]", text):
        return "years and months have no fixed length, and cannot stand in a Duration"
    return _FORM
