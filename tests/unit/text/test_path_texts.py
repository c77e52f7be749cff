"""Paths as text."""

from __future__ import annotations

import pytest

from flow_lsp.text.paths import ancestors, inside, joined, parent


@pytest.mark.parametrize(
    ("path", "above"),
    [
        ("/w/lib/a.flow", ["/w/lib", "/w", "/"]),
        ("/a.flow", ["/"]),
        ("C:/w/a.flow", ["C:/w", "C:/"]),
        ("C:/a.flow", ["C:/"]),
    ],
)
def test_the_directories_above_a_file_end_at_its_root(path: str, above: list[str]) -> None:
    assert list(ancestors(parent(path))) == above


def test_containment_goes_by_whole_segments() -> None:
    assert inside("/w/lib/a", "/w/lib")
    assert inside("/w/lib", "/w/lib")
    assert inside("/w", "/")
    assert not inside("/w/lib2/a", "/w/lib")


def test_a_name_is_joined_to_a_root_and_to_a_directory() -> None:
    assert joined("/", "a") == "/a"
    assert joined("C:/", "a") == "C:/a"
    assert joined("/w", "a") == "/w/a"
