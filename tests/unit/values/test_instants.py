"""Instants: which texts are one, what they are, and what is said of the others."""

from __future__ import annotations

from decimal import Decimal

import pytest

from flow_lsp.values.durations import Duration
from flow_lsp.values.instants import Instant, read_instant
from flow_lsp.values.limits import DEFAULT_LIMITS, Limits
from flow_lsp.values.times import TimeFault

NINES = "9" * 4096


@pytest.mark.parametrize(
    ("text", "canonical"),
    [
        ("2020-01-01T00:00:00.7654321Z", "2020-01-01T00:00:00.7654321Z"),
        ("2020-01-01T00:00:59.99999996Z", "2020-01-01T00:00:59.99999996Z"),
        ("2020-01-01T00:00:00.500Z", "2020-01-01T00:00:00.5Z"),
        ("2020-01-01T00:00:00.05Z", "2020-01-01T00:00:00.05Z"),
        ("2020-01-01T00:00:00.000Z", "2020-01-01T00:00:00Z"),
        ("0009-01-01T00:00:00Z", "0009-01-01T00:00:00Z"),
        ("+10000-01-01T00:00:00Z", "+10000-01-01T00:00:00Z"),
        ("-0001-12-31T00:00:00Z", "-0001-12-31T00:00:00Z"),
        ("-0400-02-29T00:00:00Z", "-0400-02-29T00:00:00Z"),
        ("0000-02-29T00:00:00Z", "0000-02-29T00:00:00Z"),
        ("1969-12-31T23:59:58.25Z", "1969-12-31T23:59:58.25Z"),
        ("0001-01-01T00:00:00+01:00", "0000-12-31T23:00:00Z"),
        ("9999-12-31T23:59:59-00:01", "+10000-01-01T00:00:59Z"),
        ("2024-03-01T00:30:00+23:59", "2024-02-29T00:31:00Z"),
        ("2024-01-01T00:00:00-00:00", "2024-01-01T00:00:00Z"),
        (f"+{NINES}-12-31T23:59:59Z", f"+{NINES}-12-31T23:59:59Z"),
        (f"-{NINES}-01-01T00:00:00Z", f"-{NINES}-01-01T00:00:00Z"),
        (f"+1{'0' * 4096}-01-01T00:00:00+00:01", f"+{NINES}-12-31T23:59:00Z"),
        (f"2024-01-01T00:00:00.{'0' * 4095}1Z", f"2024-01-01T00:00:00.{'0' * 4095}1Z"),
        (f"2024-01-01T00:00:00.{'0' * 100_000}Z", "2024-01-01T00:00:00Z"),
    ],
)
def test_an_instant_and_its_one_text(text: str, canonical: str) -> None:
    instant = read_instant(text)
    assert isinstance(instant, Instant)
    assert str(instant) == canonical
    assert read_instant(canonical) == instant


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("2016-12-31T23:59:60Z", "there is no second 60; Flow's time has no leap seconds"),
        ("2016-06-01T12:00:60Z", "there is no second 60; Flow's time has no leap seconds"),
        ("2016-06-01T24:00:00Z", "there is no hour 24; a day ends at 23:59:59 and its fractions"),
        ("2016-06-01T12:60:00Z", "there is no minute 60"),
        ("2015-02-29T00:00:00Z", "there is no day 29 in that month"),
        ("1900-02-29T00:00:00Z", "there is no day 29 in that month"),
        ("2015-04-31T00:00:00Z", "there is no day 31 in that month"),
        ("2015-13-01T00:00:00Z", "there is no month 13"),
        ("2015-00-01T00:00:00Z", "there is no month 00"),
        ("2015-01-00T00:00:00Z", "there is no day 00 in that month"),
        ("2015-01-01t00:00:00Z", "the T and the Z are capital letters, and no space stands for the T"),
        ("2015-01-01T00:00:00z", "the T and the Z are capital letters, and no space stands for the T"),
        ("2015-01-01 00:00:00Z", "the T and the Z are capital letters, and no space stands for the T"),
        ("2015-01-01T00:00:00", "it has no offset: `Z` for UTC, or one such as `+02:00`"),
        ("2015-01-01T00:00:00+24:00", "`+24:00` is no offset"),
        ("2015-01-01T00:00:00-01:60", "`-01:60` is no offset"),
        ("-0000-01-01T00:00:00Z", "the year before 0001 is 0000, without a sign"),
        ("+2020-01-01T00:00:00Z", "a year from 0000 to 9999 has no sign"),
        ("10000-01-01T00:00:00Z", "a year of more than four digits has a sign, such as `+10000`"),
        ("+010000-01-01T00:00:00Z", "a year has no leading zero beyond four digits"),
    ],
)
def test_what_is_said_of_a_text_that_is_none(text: str, reason: str) -> None:
    assert read_instant(text) == TimeFault(reason)


@pytest.mark.parametrize(
    "text",
    [
        "", "2015-01-01", "2015-1-1T0:0:0Z", "2015-01-01T00:00Z", "2015-01-01T00:00:00.Z", "2015-01-01T00:00:00,5Z",
        "2015-01-01T00:00:00Z\n", " 2015-01-01T00:00:00Z", "2015-01-01T00:00:00+0200", "2015-W01-1T00:00:00Z",
        "٢٠١٥-01-01T00:00:00Z", "15-01-01T00:00:00Z", "-1-01-01T00:00:00Z",
    ],
)  # fmt: skip
def test_other_forms_are_none(text: str) -> None:
    found = read_instant(text)
    assert isinstance(found, TimeFault)
    assert not found.past_limit


@pytest.mark.parametrize(
    "text",
    [
        f"+1{'0' * 4096}-01-01T00:00:00Z",
        f"+{NINES}-12-31T23:59:59-00:01",
        f"-{NINES}-01-01T00:00:00+00:01",
        f"+{'9' * 1_000_000}-01-01T00:00:00Z",
        f"2024-01-01T00:00:00.{'0' * 4096}1Z",
        f"2024-01-01T00:00:00.{'1' * 4097}Z",
    ],
)
def test_past_the_limits(text: str) -> None:
    found = read_instant(text)
    assert isinstance(found, TimeFault)
    assert found.past_limit


def test_other_limits() -> None:
    limits = Limits(decimal_digits=5, decimal_places=6)
    assert isinstance(read_instant("+123450-01-01T00:00:00Z", limits), Instant)
    assert isinstance(read_instant("+123456-01-01T00:00:00Z", limits), TimeFault)
    assert isinstance(read_instant("2024-01-01T00:00:00.123456Z", limits), TimeFault)
    assert isinstance(read_instant("2024-01-01T00:00:00.012345Z", limits), Instant)
    assert DEFAULT_LIMITS.decimal_digits == 4096


def test_time_before_1970_counts_down_to_its_fraction() -> None:
    assert read_instant("1969-12-31T23:59:58.25Z") == Instant(-2, Decimal("0.25"))
    assert Instant(-2, Decimal("0.25")) < Instant(-2, Decimal("0.3")) < Instant(-1) < Instant(0)
    assert Instant(-2, Decimal("0.25")).time == (23, 59, 58)


def test_sums_and_differences_are_exact() -> None:
    tiny = Duration(Decimal("1e-4096"))
    start = Instant(10**40, Decimal("0.5"))
    assert (start + tiny) - start == tiny
    assert (start - tiny) + tiny == start
    assert Instant(0) - Duration(Decimal("0.25")) == Instant(-1, Decimal("0.75"))
    assert Instant(0, Decimal("0.75")) + Duration(Decimal("0.25")) == Instant(1)
    with pytest.raises(TypeError):
        start + 1  # type: ignore[operator]


@pytest.mark.parametrize(
    ("seconds", "fraction", "error"),
    [
        (1.5, Decimal(0), TypeError),
        (True, Decimal(0), TypeError),
        (1, 0.5, TypeError),
        (1, Decimal(1), ValueError),
        (1, Decimal("-0.5"), ValueError),
        (1, Decimal("NaN"), ValueError),
    ],
)
def test_what_no_instant_is_made_of(seconds: object, fraction: object, error: type[Exception]) -> None:
    with pytest.raises(error):
        Instant(seconds, fraction)  # type: ignore[arg-type]
