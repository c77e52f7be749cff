"""What a mistyped or foreign name may have been meant to be."""

from __future__ import annotations

import string

import pytest
from support.bounds import not_hopeless

from flow_lsp.source.suggestions import Suggestions

NAMES = Suggestions(["Text", "Int", "Instant", "Hit", "Problem", "SearchResult"])


@pytest.mark.parametrize(
    ("word", "meant"),
    [
        ("Txet", "Text"),
        ("text", "Text"),
        ("Tex", "Text"),
        ("Textt", "Text"),
        ("Instnat", "Instant"),
        ("SearchResults", "SearchResult"),
        ("Prolbem", "Problem"),
        ("Unrelated", None),
        ("X" * 5000, None),
    ],
)
def test_closest(word: str, meant: str | None) -> None:
    assert NAMES.closest(word) == meant


@pytest.mark.parametrize(
    ("word", "meant"),
    [("String", "Text"), ("bool", "Bool"), ("Map", "Dict"), ("Vec", "List"), ("DateTime", "Instant"), ("Hiit", "Hit")],
)
def test_words_of_other_languages(word: str, meant: str) -> None:
    assert NAMES.instead_of(word) == meant


def test_many_names_are_looked_through_quickly() -> None:
    many = Suggestions(f"{one}{two}Type{n}" for one in string.ascii_lowercase for two in "abcdefgh" for n in range(20))
    with not_hopeless():
        for n in range(500):
            many.closest(f"Unknown{n}")
