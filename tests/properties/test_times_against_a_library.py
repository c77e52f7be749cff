"""Instants against a date library, inside the range that it has: years 1 to 9999 and nine digits of a second."""

from __future__ import annotations

from decimal import Decimal

import whenever
from hypothesis import given
from hypothesis import strategies as st

from flow_lsp.values.instants import Instant, read_instant

EARLIEST, LATEST = -62135596800, 253402300799  # 0001-01-01 and 9999-12-31T23:59:59
nanoseconds = st.integers(0, 999_999_999)


@given(st.integers(EARLIEST, LATEST), nanoseconds)
def test_the_text_of_an_instant_is_that_time_for_the_library(seconds: int, fraction: int) -> None:
    instant = Instant(seconds, Decimal(fraction).scaleb(-9))
    theirs = whenever.Instant.parse_iso(str(instant))
    assert theirs.timestamp(unit="nanosecond") == seconds * 10**9 + fraction


@given(st.integers(EARLIEST, LATEST), nanoseconds)
def test_the_librarys_text_is_that_instant_for_us(seconds: int, fraction: int) -> None:
    theirs = whenever.Instant.from_timestamp(seconds * 10**9 + fraction, unit="nanosecond")
    assert read_instant(theirs.format_iso()) == Instant(seconds, Decimal(fraction).scaleb(-9))


@given(st.integers(EARLIEST + 86_400, LATEST - 86_400), st.integers(-23 * 60 - 59, 23 * 60 + 59))
def test_offsets_are_read_as_the_library_reads_them(seconds: int, minutes: int) -> None:
    local = str(Instant(seconds)).removesuffix("Z")
    sign, (hours, rest) = "-" if minutes < 0 else "+", divmod(abs(minutes), 60)
    text = f"{local}{sign}{hours:02}:{rest:02}"
    ours = read_instant(text)
    assert isinstance(ours, Instant)
    assert whenever.OffsetDateTime.parse_iso(text).to_instant().timestamp() == ours.seconds
