"""Splitting a command agrees with Python's POSIX splitter, wherever both have the same rules."""

from __future__ import annotations

import shlex

from hypothesis import given, settings
from hypothesis import strategies as st

from flow_lsp.manifest.words import Words, WordsProblem, split_words

# Python's splitter keeps a quoted new line and knows "\`" and "\$" in double quotes as two characters each.
LETTERS = st.text("ab \t\r\n\"'\\#=;|*é", max_size=12).filter(lambda text: "\\\n" not in text)


@settings(deadline=None, max_examples=500)
@given(LETTERS)
def test_posix_words_are_those_of_shlex(text: str) -> None:
    try:
        expected = shlex.split(text, comments=False, posix=True)
    except ValueError:
        assert isinstance(split_words(text), WordsProblem)
        return
    assert split_words(text) == Words(tuple(expected))


@settings(deadline=None, max_examples=300)
@given(st.lists(st.text(max_size=6), min_size=1, max_size=4))
def test_quoted_words_come_back(words: list[str]) -> None:
    assert split_words(shlex.join(words)) == Words(tuple(words))


@settings(deadline=None, max_examples=300)
@given(st.text("ab \t\"\\'", max_size=12))
def test_every_text_splits_or_is_located_on_windows(text: str) -> None:
    split = split_words(text, windows=True)
    if isinstance(split, WordsProblem):
        assert text[split.offset] == '"'
    else:
        assert all(word in text.replace('"', "") or '"' in text for word in split.words)
