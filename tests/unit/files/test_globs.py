"""Glob patterns of the LSP against paths."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.bounds import not_hopeless

from flow_lsp.files.globs import glob_matches


@pytest.mark.parametrize(
    ("pattern", "path", "matches"),
    [
        ("*.py", "a.py", True),
        ("*.py", "d/a.py", False),
        ("**/*.py", "a.py", True),
        ("**/*.py", "d/e/a.py", True),
        ("**/*.py", "a.pyc", False),
        ("src/**", "src/a", True),
        ("src/**", "src", True),
        ("src/**", "srcs/a", False),
        ("src/**/b", "src/b", True),
        ("src/**/b", "src/x/y/b", True),
        ("**", "a/b", True),
        ("?.py", "a.py", True),
        ("?.py", "ab.py", False),
        ("?", "/", False),
        ("a?b", "a/b", False),
        ("*.{py,pyi}", "a.pyi", True),
        ("*.{py,pyi}", "a.pyx", False),
        ("{a,b/{c,d}}/x", "b/d/x", True),
        ("{a,b/{c,d}}/x", "d/x", False),
        ("example.[0-9]", "example.5", True),
        ("example.[!0-9]", "example.5", False),
        ("example.[!0-9]", "example.a", True),
        ("a{b", "a{b", True),
        ("a}b", "a}b", True),
        ("", "", True),
        ("", "a", False),
        ("A.py", "a.py", False),
        ("[", "[", True),
    ],
)
def test_a_pattern_names_a_path(pattern: str, path: str, matches: bool):
    assert glob_matches(pattern, path) is matches


@pytest.mark.parametrize(
    ("pattern", "path"),
    [
        ("**/" * 160 + "b", "a/" * 2000 + "a"),
        ("*a" * 240 + "b", "a" * 4000),
        ("{a,b}" * 90, "a" * 90),
        ("{" * 499, "x"),
        ("*" * 10_000, "x" * 10_000),
        ("?" * 501, "x" * 501),
    ],
)
def test_a_hostile_pattern_takes_no_time_and_names_nothing(pattern: str, path: str):
    with not_hopeless():
        assert not glob_matches(pattern, path)


SEGMENTS = st.lists(st.text("ab.", min_size=1, max_size=3), min_size=1, max_size=5)


@given(SEGMENTS)
def test_a_path_is_named_by_itself_and_by_stars_in_place_of_its_parts(segments: list[str]):
    path = "/".join(segments)
    assert glob_matches(path, path)
    assert glob_matches("**", path)
    assert glob_matches("/".join("*" for _ in segments), path)
    assert glob_matches("**/" + segments[-1], path)
    assert glob_matches(segments[0] + "/**", path)
    assert not glob_matches("/".join(["*"] * (len(segments) + 1)), path)
