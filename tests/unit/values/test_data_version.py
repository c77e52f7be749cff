"""The data version: how it is written and what it is compared by."""

from __future__ import annotations

import pytest

from flow_lsp.values.data_version import DATA_VERSION, DataVersion, parse_data_version, same_major


def test_a_version_is_read_and_written_alike() -> None:
    for text in ("0.0", DATA_VERSION, "0.10", "10.0", "99999999999999999999999.1", "1." + "9" * 98):
        assert str(parse_data_version(text)) == text
    assert parse_data_version("3.14") == DataVersion(3, 14)


@pytest.mark.parametrize(
    "text",
    [
        "", "0", ".", "0.", ".1", "0.1.2", "v0.1", "0.1 ", "0.1\n", " 0.1", "00.1", "01.1", "0.01", "+0.1", "-1.0",
        "٠.1", "0,1", "1_0.1", "1e1.0", "1." + "9" * 99, "9" * 1_000_000 + ".0",
    ],
)  # fmt: skip
def test_what_is_no_version(text: str) -> None:
    assert parse_data_version(text) is None
    assert not same_major(text, DATA_VERSION)
    assert not same_major(DATA_VERSION, text)
    assert not same_major(text, text)


def test_versions_are_ordered_by_number() -> None:
    texts = ["0.1", "0.2", "0.10", "1.0", "1.9", "2.0", "10.0"]
    versions = [parse_data_version(text) for text in texts]
    assert sorted(versions, key=lambda each: each or DataVersion(0, 0)) == versions
    assert DataVersion(0, 9) < DataVersion(0, 10) < DataVersion(1, 0)


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [("0.1", "0.10", True), ("1.0", "1.7", True), ("0.1", "1.1", False), ("1.0", "10.0", False)],
)
def test_within_a_major_minors_understand_each_other(one: str, other: str, same: bool) -> None:
    assert same_major(one, other) is same
    assert same_major(other, one) is same
