"""Exact values to narrower types: what fits is the same value, what does not is refused."""

from __future__ import annotations

import decimal
from contextlib import suppress
from datetime import UTC, datetime, timedelta, timezone
from decimal import Decimal
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies.value_strategies import durations, instants

from flow_lsp.toolkit import (
    Duration,
    Instant,
    from_datetime,
    from_timedelta,
    to_datetime,
    to_float,
    to_int32,
    to_int64,
    to_timedelta,
)
from flow_lsp.values.durations import read_duration
from flow_lsp.values.instants import read_instant


@pytest.mark.parametrize(("narrow", "bits"), [(to_int32, 32), (to_int64, 64)])
def test_ints_of_a_width(narrow: Any, bits: int) -> None:
    least, most = -(2 ** (bits - 1)), 2 ** (bits - 1) - 1
    assert [narrow(number) for number in (least, -1, 0, most)] == [least, -1, 0, most]
    for number in (least - 1, most + 1, 10**4000):
        with pytest.raises(ValueError, match=f"{bits} bits with a sign do not hold this number"):
            narrow(number)
    for number in (True, 1.0, "1", None):
        with pytest.raises(TypeError, match="An int is expected"):
            narrow(number)


def test_floats() -> None:
    assert to_float(Decimal("0.1")) == 0.1
    assert to_float(2**53 + 1) == 2**53
    assert to_float(Decimal("-0.0")) == 0
    for number in (10**400, -(10**400), Decimal("1e400"), Decimal("NaN"), Decimal("sNaN"), Decimal("Infinity")):
        with pytest.raises(ValueError, match="A float does not reach this number"):
            to_float(number)
    with pytest.raises(ValueError, match="too small for a float"):
        to_float(Decimal("1e-400"))
    with pytest.raises(TypeError):
        to_float(True)


@pytest.mark.parametrize(
    "text",
    ["0001-01-01T00:00:00Z", "1969-12-31T23:59:59.999999Z", "2024-02-29T12:30:00.5Z", "9999-12-31T23:59:59.999999Z"],
)
def test_instants_within_a_datetime(text: str) -> None:
    instant = read_instant(text)
    assert isinstance(instant, Instant)
    assert to_datetime(instant) == datetime.fromisoformat(text)
    assert to_datetime(instant).utcoffset() == timedelta(0)
    assert from_datetime(to_datetime(instant)) == instant


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("0000-12-31T23:59:59.999999Z", "outside them"),
        ("+10000-01-01T00:00:00Z", "outside them"),
        (f"+{'9' * 4000}-01-01T00:00:00Z", "outside them"),
        ("2024-01-01T00:00:00.0000001Z", "parts of a microsecond"),
        (f"2024-01-01T00:00:00.123456{'0' * 40}1Z", "parts of a microsecond"),
    ],
)
def test_instants_that_are_no_datetime(text: str, why: str) -> None:
    instant = read_instant(text)
    assert isinstance(instant, Instant)
    with pytest.raises(ValueError, match=why):
        to_datetime(instant)


def test_datetimes_need_an_offset() -> None:
    with pytest.raises(ValueError, match="no offset from UTC"):
        from_datetime(datetime(2024, 1, 1))
    shifted = datetime(2024, 1, 1, 2, tzinfo=timezone(timedelta(hours=2)))
    assert from_datetime(shifted) == from_datetime(datetime(2024, 1, 1, tzinfo=UTC))


@given(st.datetimes(timezones=st.timezones() | st.just(UTC)))
def test_every_datetime_comes_back(moment: datetime) -> None:
    assert to_datetime(from_datetime(moment)) == moment.astimezone(UTC)


@given(st.timedeltas())
def test_every_timedelta_comes_back(length: timedelta) -> None:
    assert to_timedelta(from_timedelta(length)) == length
    with decimal.localcontext(decimal.Context(prec=3)):
        assert to_timedelta(from_timedelta(length)) == length


@given(durations, instants)
def test_what_is_narrowed_is_never_another_value(duration: Duration, instant: Instant) -> None:
    with suppress(ValueError):
        assert from_timedelta(to_timedelta(duration)) == duration
    with suppress(ValueError):
        assert from_datetime(to_datetime(instant)) == instant


@pytest.mark.parametrize("text", ["PT0.0000001S", "PT86400000000000S", f"PT-{'9' * 4000}S"])
def test_durations_that_are_no_timedelta(text: str) -> None:
    duration = read_duration(text)
    assert isinstance(duration, Duration)
    with pytest.raises(ValueError):
        to_timedelta(duration)
