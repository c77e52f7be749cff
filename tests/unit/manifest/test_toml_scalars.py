"""Numbers, dates and times, as TOML 1.0 has them."""

from __future__ import annotations

from datetime import UTC, date, datetime, time, timedelta, timezone

import pytest

from flow_lsp.manifest.toml_scalars import scalar
from flow_lsp.manifest.toml_syntax import ValueKind


@pytest.mark.parametrize(
    ("text", "kind", "value"),
    [
        ("true", ValueKind.BOOLEAN, True),
        ("+1_000", ValueKind.INTEGER, 1000),
        ("0xdead_BEEF", ValueKind.INTEGER, 0xDEADBEEF),
        ("0o17", ValueKind.INTEGER, 15),
        ("0b11", ValueKind.INTEGER, 3),
        ("-0", ValueKind.INTEGER, 0),
        ("1_0.2_5e-0_1", ValueKind.FLOAT, 1.025),
        ("-inf", ValueKind.FLOAT, float("-inf")),
        ("1979-05-27", ValueKind.DATE, date(1979, 5, 27)),
        ("07:32:00.1234567", ValueKind.DATE, time(7, 32, 0, 123456)),
        ("1979-05-27T07:32:00", ValueKind.DATE, datetime(1979, 5, 27, 7, 32)),
        ("1979-05-27 07:32:00z", ValueKind.DATE, datetime(1979, 5, 27, 7, 32, tzinfo=UTC)),
        (
            "1979-05-27t07:32:00-07:30",
            ValueKind.DATE,
            datetime(1979, 5, 27, 7, 32, tzinfo=timezone(-timedelta(hours=7, minutes=30))),
        ),
    ],
)
def test_a_scalar_is_read(text: str, kind: ValueKind, value: object) -> None:
    assert scalar(text) == (kind, value)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("acme", "quotes"),
        ("TRUE", "small letters: true"),
        ("01", "neither a number"),
        ("+0x1", "neither a number"),
        ("1_", "neither a number"),
        ("9" * 5_000, "too many digits"),
        ("2021-02-30", "no date or time"),
        ("0000-01-01", "no date or time"),
        ("1979-05-27T", "no date or time"),
        ("1979-05-27X07:32:00", "no date or time"),
        ("1979-05-27T07:32", "no date or time"),
        ("1979-05-27T24:00:00", "no date or time"),
        ("1979-05-27T07:32:60", "no date or time"),
        ("1979-05-27T07:32:00+24:00", "no date or time"),
        ("1979-05-27T07:32:00+2:00", "no date or time"),
        ("07:32:00Z", "no date or time"),
        ("07:32", "no date or time"),
    ],
)
def test_what_is_no_scalar_says_why(text: str, words: str) -> None:
    said = scalar(text)
    assert isinstance(said, str)
    assert words in said
