"""Durations: which texts are one, what they are, and what is said of the others."""

from __future__ import annotations

from decimal import Decimal

import pytest

from flow_lsp.values.durations import Duration, read_duration
from flow_lsp.values.limits import Limits
from flow_lsp.values.times import TimeFault


@pytest.mark.parametrize(
    ("text", "canonical"),
    [
        ("PT0.0000001S", "PT0.0000001S"),
        ("PT1.05S", "PT1.05S"),
        ("PT-0.25S", "PT-0.25S"),
        ("PT90.0S", "PT90S"),
        ("PT-0S", "PT0S"),
        ("PT-0.0S", "PT0S"),
        ("P1W2DT3H", "PT788400S"),
        ("P1W", "PT604800S"),
        ("P0D", "PT0S"),
        ("PT007S", "PT7S"),
        ("PT1H1M1.1S", "PT3661.1S"),
        ("P1DT0S", "PT86400S"),
        (f"PT{'0' * 100_000}5S", "PT5S"),
        (f"PT{'9' * 4096}S", f"PT{'9' * 4096}S"),
        (f"PT0.{'0' * 4095}1S", f"PT0.{'0' * 4095}1S"),
    ],
)
def test_a_duration_and_its_one_text(text: str, canonical: str) -> None:
    duration = read_duration(text)
    assert isinstance(duration, Duration)
    assert str(duration) == canonical
    assert read_duration(canonical) == duration


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("-PT5S", "a sign stands before the P; a negative Duration is written as `PT-5S`"),
        ("+PT5S", "a sign stands before the P; a negative Duration is written as `PT-5S`"),
        ("P1Y", "years and months have no fixed length, and cannot stand in a Duration"),
        ("P1M", "years and months have no fixed length, and cannot stand in a Duration"),
        ("PT1,5S", "a fraction is written with a point, not with a comma"),
        ("P", "no unit stands in it, and a Duration is written as `PT90S` or `P1DT2H30M0.5S`"),
    ],
)
def test_what_is_said_of_a_text_that_is_none(text: str, reason: str) -> None:
    assert read_duration(text) == TimeFault(reason)


@pytest.mark.parametrize(
    "text",
    [
        "", "PT", "P1DT", "PT1S1M", "PT1.5H", "PT.5S", "PT5.S", "PT+5S", "PT-1M", "PT-1H5S", "P-1D", "P1D2W", "pt5s",
        "PT5S ", "PT5S\n", "5", "PT٥S", "P1DT-5S",
    ],
)  # fmt: skip
def test_other_forms_are_none(text: str) -> None:
    found = read_duration(text)
    assert isinstance(found, TimeFault)
    assert not found.past_limit


@pytest.mark.parametrize(
    "text",
    [f"PT1{'0' * 4096}S", f"P{'9' * 4096}W", f"PT{'1' * 4096}.1S", f"PT0.{'0' * 4096}1S", f"P{'9' * 1_000_000}D"],
)
def test_past_the_limits(text: str) -> None:
    found = read_duration(text)
    assert isinstance(found, TimeFault)
    assert found.past_limit


def test_other_limits() -> None:
    limits = Limits(decimal_digits=3, decimal_places=4)
    assert read_duration("PT1230S", limits) == Duration(1230)
    assert isinstance(read_duration("PT1234S", limits), TimeFault)
    assert isinstance(read_duration("PT12.34S", limits), TimeFault)


def test_they_are_numbers_of_seconds() -> None:
    assert Duration(1) + Duration(Decimal("0.5")) == Duration(Decimal("1.50"))
    assert Duration(1) - Duration(3) == -Duration(2) == Duration(-2)
    assert Duration(-2) < Duration(0) < Duration(Decimal("0.1"))
    assert not Duration(0)
    assert hash(Duration(Decimal("1.0"))) == hash(Duration(1))
    assert str(Duration(Decimal("-0.0"))) == "PT0S"
    huge = Decimal("1." + "1" * 4000)
    assert (Duration(huge) + Duration(1)) - Duration(1) == Duration(huge)


@pytest.mark.parametrize(
    ("seconds", "error"),
    [(1.5, TypeError), ("1", TypeError), (True, TypeError), (Decimal("Infinity"), ValueError)],
)
def test_what_no_duration_is_made_of(seconds: object, error: type[Exception]) -> None:
    with pytest.raises(error):
        Duration(seconds)  # type: ignore[arg-type]
