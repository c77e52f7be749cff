"""Misspelt names."""

from __future__ import annotations

import pytest

from flow_lsp.text.distance import distance, nearest_name


@pytest.mark.parametrize(
    ("one", "other", "changes"),
    [
        ("", "", 0),
        ("", "ab", 2),
        ("command", "command", 0),
        ("comand", "command", 1),
        ("commnad", "command", 1),
        ("mpc", "mcp", 1),
        ("abc", "xyz", 3),
    ],
)
def test_the_changes_are_counted(one: str, other: str, changes: int) -> None:
    assert distance(one, other) == distance(other, one) == changes


@pytest.mark.parametrize(
    ("name", "meant"),
    [
        ("comand", "command"),
        ("commands", "command"),
        ("Command", "command"),
        ("cmd", None),
        ("mpc", "mcp"),
        ("args", None),
        ("", None),
        ("c" * 100_000, None),
    ],
)
def test_the_nearest_name_is_one_that_may_be_meant(name: str, meant: str | None) -> None:
    assert nearest_name(name, ("command", "mcp")) == meant
