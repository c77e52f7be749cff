"""Words with places are the words that a command has; places lie where they are written, whatever the string."""

from __future__ import annotations

from itertools import pairwise

from hypothesis import given, settings
from hypothesis import strategies as st
from toml_texts import TEXTS

from flow_lsp.analysis.navigation.manifests import manifest_folds, manifest_outline, manifest_selections
from flow_lsp.manifest.command_words import placed_words, string_content
from flow_lsp.manifest.model import PlaceKind
from flow_lsp.manifest.reader import read_manifest
from flow_lsp.manifest.words import Words, split_words

LINES = st.text(st.sampled_from("ab/. \t\n'\"\\$`#é😋-"), max_size=20)


@settings(deadline=None)
@given(LINES, st.booleans())
def test_the_words_are_those_of_the_command(text: str, windows: bool) -> None:
    split = split_words(text, windows)
    placed = placed_words(text, windows)
    if isinstance(split, Words) and not (windows and ('"' in text or "\n" in text)):
        assert tuple(word.text for word in placed) == split.words
        assert all(word.open == "" for word in placed)
    places = [place for word in placed for place in (word.start, word.end)]
    assert places == sorted(places)
    assert all(0 <= place <= len(text) for place in places)


STRINGS = st.builds(
    lambda quote, parts, end: quote + "".join(parts) + (quote if end else ""),
    st.sampled_from(['"', "'", '"""', "'''"]),
    st.lists(
        st.sampled_from(
            ["a", " ", "\\n", "\\u00e9", "\\U0001F600", "\\\\", '\\"', "é", "\n", "\r\n", "\\\n  ", "'", '"']
        ),
        max_size=8,
    ),
    st.booleans(),
)


@settings(deadline=None)
@given(STRINGS)
def test_a_string_says_what_the_reader_says_and_each_letter_has_its_place(token: str) -> None:
    text = f'[tools."a.flow"]\ncommand = {token}'
    start = text.index("= ") + 2
    for entry in read_manifest(text).tables[0].entries:
        table = read_manifest(text).tables[0]
        if entry.name == "command" and entry.value_span is not None and table.text is not None:
            content = string_content(text, start, entry.value_span.end)
            assert content is not None
            assert content.text == table.text
    content = string_content(text, start)
    assert content is not None
    assert len(content.offsets) == len(content.text) + 1
    assert list(content.offsets) == sorted(content.offsets)
    assert all(start < offset <= len(text) for offset in content.offsets)


@settings(deadline=None)
@given(TEXTS, st.data())
def test_outline_folds_and_selections_lie_inside_the_text(text: str, data: st.DataObject) -> None:
    manifest = read_manifest(text)
    for one in manifest_outline(manifest):
        assert one.name.strip()
        assert 0 <= one.span.start <= one.name_span.start <= one.name_span.end <= one.span.end <= len(text)
        for child in one.children:
            assert child.span.start <= child.name_span.start <= child.name_span.end <= child.span.end <= one.span.end
    for fold in manifest_folds(manifest):
        assert 0 <= fold.span.start < fold.span.end <= len(text)
    offset = data.draw(st.integers(0, len(text)))
    spans = manifest_selections(manifest, offset)
    assert spans[-1] == (0, len(text))
    for inner, outer in pairwise(spans):
        assert outer.start <= inner.start <= offset <= inner.end <= outer.end
    place = manifest.at(offset)
    if place is not None and place.kind is PlaceKind.TABLE:
        assert place.span in spans or place.span == (0, len(text))
