"""Exact numbers and times to Python's narrower types, and back. What does not fit is a ValueError, never a change.

Realizes "Narrowing to a fixed width is a checked conversion that the author writes and handles" ("Toolkits").
"""

from __future__ import annotations

from contextlib import suppress
from datetime import UTC, datetime, timedelta
from decimal import Decimal

from flow_lsp.findings.model import shown
from flow_lsp.values.durations import Duration
from flow_lsp.values.instants import Instant
from flow_lsp.values.times import exact_difference

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_SECONDS_OF_A_DAY = 86_400
_MOST_SECONDS = 10**9 * _SECONDS_OF_A_DAY  # no timedelta is as long


def to_int64(number: int) -> int:
    """`number`, where 64 bits with a sign hold it; raises ValueError where they do not."""
    return _within(number, 64)


def to_int32(number: int) -> int:
    """`number`, where 32 bits with a sign hold it; raises ValueError where they do not."""
    return _within(number, 32)


def to_float(number: int | Decimal) -> float:
    """The float nearest to `number`: this rounds, as most decimals are no floats. Raises ValueError where `number` is
    past what a float reaches, or so small that the nearest float is zero."""
    _check(number, int | Decimal, "an int or a Decimal")
    try:
        found = float(number)
    except (OverflowError, ValueError):  # ValueError for a signalling NaN
        found = float("nan")
    if found != found or found in (float("inf"), float("-inf")):
        raise ValueError("A float does not reach this number.")
    if not found and number:
        raise ValueError("This number is too small for a float, which would be zero.")
    return found


def to_datetime(instant: Instant) -> datetime:
    """The datetime in UTC that is exactly `instant`; raises ValueError where it is outside the years 1 to 9999, or its
    fraction has parts of a microsecond."""
    _check(instant, Instant, "an Instant")
    microseconds = _whole_microseconds(instant.fraction, "This Instant")
    try:
        return _EPOCH + timedelta(*divmod(instant.seconds, _SECONDS_OF_A_DAY), microseconds)
    except OverflowError:
        raise ValueError("A datetime reaches the years 1 to 9999, and this Instant is outside them.") from None


def from_datetime(moment: datetime) -> Instant:
    """The Instant that is exactly `moment`; raises ValueError for a datetime without an offset."""
    _check(moment, datetime, "a datetime")
    if moment.utcoffset() is None:
        raise ValueError("This datetime has no offset from UTC, so it names no point in time; give it a tzinfo.")
    since = moment - _EPOCH
    return Instant(since.days * _SECONDS_OF_A_DAY + since.seconds, Decimal(f"0.{since.microseconds:06}"))


def to_timedelta(duration: Duration) -> timedelta:
    """The timedelta that is exactly `duration`; raises ValueError where it has parts of a microsecond, or is longer
    than a timedelta reaches."""
    _check(duration, Duration, "a Duration")
    seconds = duration.seconds
    if seconds.copy_abs() < _MOST_SECONDS:  # else its whole part may have thousands of digits
        whole = int(seconds)  # towards zero
        microseconds = _whole_microseconds(exact_difference(seconds, Decimal(whole)), "This Duration")
        with suppress(OverflowError):
            return timedelta(0, whole, microseconds)
    raise ValueError("This Duration is longer than a timedelta reaches.")


def from_timedelta(length: timedelta) -> Duration:
    """The Duration that is exactly `length`."""
    _check(length, timedelta, "a timedelta")
    return Duration(Decimal(f"{(length.days * _SECONDS_OF_A_DAY + length.seconds) * 10**6 + length.microseconds}e-6"))


def _within(number: int, bits: int) -> int:
    _check(number, int, "an int")
    if not -(1 << (bits - 1)) <= number < 1 << (bits - 1):
        raise ValueError(f"{bits} bits with a sign do not hold this number, which needs {number.bit_length() + 1}.")
    return number


def _whole_microseconds(fraction: Decimal, what: str) -> int:
    """`fraction`, of a second, in microseconds."""
    # By its digits, since arithmetic with Decimals rounds as the author's context says.
    sign, digits, exponent = fraction.as_tuple()
    assert isinstance(exponent, int)
    text = "".join(map(str, digits))
    cut = -6 - exponent  # digits that stand for less than a microsecond
    if cut > 0:
        if text[-cut:].strip("0"):
            raise ValueError(f"{what} has parts of a microsecond, which Python's type does not keep.")
        text = text[:-cut]
    else:
        text += "0" * -cut
    return int(text or "0") * (-1 if sign else 1)


def _check(value: object, kind: object, expected: str) -> None:
    if isinstance(value, bool) or not isinstance(value, kind):  # type: ignore[arg-type]
        raise TypeError(
            f"{expected[0].upper()}{expected[1:]} is expected, and this is a {shown(type(value).__name__)}."
        )
