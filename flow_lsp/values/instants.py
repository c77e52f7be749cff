"""Instants: exact points in time on the proleptic Gregorian calendar, in UTC, without leap seconds.

Realizes "The canonical form" and decisions 1, 3 and 4. Python's datetime would lose years and fractions.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from decimal import Decimal
from typing import Final, overload

from flow_lsp.values.durations import Duration
from flow_lsp.values.limits import DEFAULT_LIMITS, Limits
from flow_lsp.values.numbers import number_text, whole_number
from flow_lsp.values.times import ZERO, TimeFault, digits_fit, exact_decimal, exact_difference, exact_sum

_TEXT = re.compile(
    r"([+-]?)([0-9]{4,})-([0-9]{2})-([0-9]{2})T([0-9]{2}):([0-9]{2}):([0-9]{2})(?:\.([0-9]+))?"
    r"(?:Z|([+-])([0-9]{2}):([0-9]{2}))"
)
_FORM: Final = "an Instant is written as `2024-01-31T12:30:00.5Z`, or with an offset such as `+02:00`"
_DAY: Final = 86_400
_ERA_DAYS: Final = 146_097  # of 400 years, after which the calendar repeats
_EPOCH_DAYS: Final = 719_468  # from 0000-03-01 to 1970-01-01
_ONE: Final = Decimal(1)
_ORDINARY: Final = 10**15  # seconds of years with at most so many digits
_DIGITS: Final = 8


@dataclass(frozen=True, slots=True, order=True)
class Instant:
    """A point in time: `seconds` whole ones since 1970-01-01T00:00:00Z (negative before it), rounded down, and the
    `fraction` of one that follows, 0 <= fraction < 1, exact."""

    seconds: int
    fraction: Decimal = ZERO

    def __post_init__(self) -> None:
        if isinstance(self.seconds, bool) or not isinstance(self.seconds, int):
            raise TypeError(f"An Instant's seconds are an int, never a {type(self.seconds).__name__}.")
        fraction = exact_decimal(self.fraction, "An Instant's fraction")
        if not 0 <= fraction < 1:
            raise ValueError("An Instant's fraction is at least 0 and below 1.")
        object.__setattr__(self, "fraction", fraction)

    @property
    def date(self) -> tuple[int, int, int]:
        """The year, the month and the day in UTC; year 0 is the one before year 1."""
        return _date_of(self.seconds // _DAY)

    @property
    def time(self) -> tuple[int, int, int]:
        """The hour, the minute and the whole second in UTC."""
        hours, rest = divmod(self.seconds % _DAY, 3_600)
        return hours, *divmod(rest, 60)

    def __str__(self) -> str:
        """The canonical text, such as `2024-01-31T12:30:00.5Z`."""
        year, month, day = self.date
        hour, minute, second = self.time
        fraction = number_text(self.fraction)[1:] if self.fraction else ""
        return f"{_year_text(year)}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}{fraction}Z"

    def __add__(self, other: object) -> Instant:
        return self._moved(other.seconds) if isinstance(other, Duration) else NotImplemented

    @overload
    def __sub__(self, other: Instant) -> Duration: ...
    @overload
    def __sub__(self, other: Duration) -> Instant: ...
    def __sub__(self, other: Instant | Duration) -> Duration | Instant:
        if isinstance(other, Duration):
            return self._moved(other.seconds.copy_negate())
        if isinstance(other, Instant):
            fractions = exact_difference(self.fraction, other.fraction)
            return Duration(exact_sum(Decimal(self.seconds - other.seconds), fractions))
        return NotImplemented

    def _moved(self, seconds: Decimal) -> Instant:
        whole = int(seconds)  # towards zero; the rest has the sign of `seconds`
        fraction = exact_sum(self.fraction, exact_difference(seconds, Decimal(whole)))
        if fraction < 0:
            return Instant(self.seconds + whole - 1, exact_sum(fraction, _ONE))
        if fraction >= 1:
            return Instant(self.seconds + whole + 1, exact_difference(fraction, _ONE))
        return Instant(self.seconds + whole, fraction)


def read_instant(text: str, limits: Limits = DEFAULT_LIMITS) -> Instant | TimeFault:
    """The Instant that `text` writes: RFC 3339 with any offset, extended to signed years (decisions 1 and 3).

    Linear in `text`.
    """
    match = _TEXT.fullmatch(text)
    if match is None:
        return TimeFault(_what_is_wrong(text))
    year_sign, year_digits, *parts, fraction, offset_sign, offset_hours, offset_minutes = match.groups(default="")
    problem = _year_problem(year_sign, year_digits)
    if problem is not None:
        return TimeFault(problem)
    if len(year_digits) > limits.decimal_places + 1:  # one more may come back inside by its offset
        return _PAST_LIMIT
    year = whole_number(year_digits) * (-1 if year_sign == "-" else 1)
    month, day, hour, minute, second = map(int, parts)
    problem = _field_problem(year, month, day, hour, minute, second)
    if problem is not None:
        return TimeFault(problem)
    seconds = _days_before(year, month, day) * _DAY + hour * 3_600 + minute * 60 + second
    if offset_sign:
        if int(offset_hours) > 23 or int(offset_minutes) > 59:
            return TimeFault(f"`{offset_sign}{offset_hours}:{offset_minutes}` is no offset")
        offset = int(offset_hours) * 3_600 + int(offset_minutes) * 60
        seconds += offset if offset_sign == "-" else -offset
    fraction = fraction.rstrip("0")
    if not digits_fit("", fraction, limits):
        return TimeFault("its fraction is past the limit on a number's digits", past_limit=True)
    instant = Instant(seconds, Decimal(f"0.{fraction}") if fraction else ZERO)
    return instant if instant_fits(instant, limits) else _PAST_LIMIT


def instant_fits(instant: Instant, limits: Limits) -> bool:
    """Whether the year and the fraction of `instant` are inside Decimal's limits."""
    ordinary = abs(instant.seconds) < _ORDINARY and min(limits.decimal_digits, limits.decimal_places) >= _DIGITS
    if not ordinary and not digits_fit(number_text(abs(instant.date[0])), "", limits):
        return False
    return not instant.fraction or digits_fit("", number_text(instant.fraction)[2:], limits)


_PAST_LIMIT = TimeFault("its year is past the limit on a number's digits", past_limit=True)


def _year_problem(sign: str, digits: str) -> str | None:
    if not sign:
        return None if len(digits) == 4 else "a year of more than four digits has a sign, such as `+10000`"
    if len(digits) > 4:
        return "a year has no leading zero beyond four digits" if digits.startswith("0") else None
    if sign == "+":
        return "a year from 0000 to 9999 has no sign"
    return "the year before 0001 is 0000, without a sign" if digits == "0000" else None


def _field_problem(year: int, month: int, day: int, hour: int, minute: int, second: int) -> str | None:
    if not 1 <= month <= 12:
        return f"there is no month {month:02}"
    if not 1 <= day <= _days_of(year, month):
        return f"there is no day {day:02} in that month"
    if hour > 23:
        return f"there is no hour {hour:02}; a day ends at 23:59:59 and its fractions"
    if minute > 59:
        return f"there is no minute {minute:02}"
    if second > 59:
        return f"there is no second {second:02}; Flow's time has no leap seconds"
    return None


def _what_is_wrong(text: str) -> str:
    """What to say of a text that is no Instant."""
    if re.fullmatch(r"[+-]?[0-9]{4,}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}(\.[0-9]+)?", text):
        return "it has no offset: `Z` for UTC, or one such as `+02:00`"
    if _TEXT.fullmatch(text[:200].upper().replace(" ", "T", 1)):
        return "the T and the Z are capital letters, and no space stands for the T"
    return _FORM


def _days_of(year: int, month: int) -> int:
    if month == 2:
        return 29 if year % 4 == 0 and (year % 100 != 0 or year % 400 == 0) else 28
    return 30 if month in (4, 6, 9, 11) else 31


# Years are counted from the first of March, so that the leap day is the last of its year: then months before a
# day have a simple formula, and eras of 400 years are all alike.


def _days_before(year: int, month: int, day: int) -> int:
    """The days from 1970-01-01 to that date; negative before it."""
    if month <= 2:
        year -= 1
    era, year_of_era = divmod(year, 400)
    day_of_year = (153 * ((month + 9) % 12) + 2) // 5 + day - 1
    day_of_era = year_of_era * 365 + year_of_era // 4 - year_of_era // 100 + day_of_year
    return era * _ERA_DAYS + day_of_era - _EPOCH_DAYS


def _date_of(days: int) -> tuple[int, int, int]:
    """The date that is so many days after 1970-01-01."""
    era, day_of_era = divmod(days + _EPOCH_DAYS, _ERA_DAYS)
    # Each division takes away the days that leap years added before the day.
    year_of_era = (day_of_era - day_of_era // 1_460 + day_of_era // 36_524 - day_of_era // 146_096) // 365
    day_of_year = day_of_era - (365 * year_of_era + year_of_era // 4 - year_of_era // 100)
    month_from_march = (5 * day_of_year + 2) // 153
    day = day_of_year - (153 * month_from_march + 2) // 5 + 1
    month = month_from_march + 3 if month_from_march < 10 else month_from_march - 9
    return era * 400 + year_of_era + (month <= 2), month, day


def _year_text(year: int) -> str:
    if 0 <= year <= 9999:
        return f"{year:04}"
    return f"{'-' if year < 0 else '+'}{number_text(abs(year)).zfill(4)}"
