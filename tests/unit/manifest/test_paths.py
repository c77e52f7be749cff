"""Keys of tool tables as paths (decisions 10; B26, B27), and the nearest manifest ("Binding")."""

from __future__ import annotations

import pytest

from flow_lsp.manifest.paths import PathProblem, normalized_path


@pytest.mark.parametrize(
    ("key", "path"),
    [
        ("a.flow", "a.flow"),
        ("./a.flow", "a.flow"),
        ("sub//a.flow", "sub/a.flow"),
        ("sub/./a.flow", "sub/a.flow"),
        ("sub/.//./a.flow", "sub/a.flow"),
        (".hidden.flow", ".hidden.flow"),
        (".flow", ".flow"),
        ("...flow", "...flow"),
        ("a..b/c.flow", "a..b/c.flow"),
        ("a b%20c.flow", "a b%20c.flow"),
        ("é😋.flow", "é😋.flow"),
        ("ab:c.flow", "ab:c.flow"),
        ('a"b.flow', 'a"b.flow'),
    ],
)
def test_a_path_has_one_plain_spelling(key: str, path: str) -> None:
    assert normalized_path(key) == path


@pytest.mark.parametrize(
    ("key", "reason", "suggestion"),
    [
        ("", "it is empty", None),
        ("/abs/a.flow", "it is absolute", None),
        ("\\\\server\\a.flow", "it is absolute", None),
        ("C:/a.flow", "it has a drive", None),
        ("c:a.flow", "it has a drive", None),
        ("sub\\a.flow", "it has a backslash. Write `sub/a.flow`", "sub/a.flow"),
        ("../a.flow", "it has `..`", None),
        ("sub/../a.flow", "it has `..`", None),
        ("a", "it does not end in `.flow`. Did you mean `a.flow`", "a.flow"),
        ("a.toml", "it does not end in `.flow`", None),
        ("A.FLOW", "it does not end in `.flow`", None),
        ("a.flow/", "it does not end in `.flow`", None),
        (".", "it does not end in `.flow`", None),
        ("a\0.flow", "the control character U+0000", None),
        ("a\n.flow", "the control character U+000A", None),
    ],
)
def test_what_is_no_path_says_why(key: str, reason: str, suggestion: str | None) -> None:
    problem = normalized_path(key)
    assert isinstance(problem, PathProblem)
    assert problem.reason.startswith(reason)
    assert problem.suggestion == suggestion
