"""Laws of semantic tokens: in order and apart, the same after edits as anew, differences that come to the whole."""

from __future__ import annotations

from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st
from strategies.flow_texts import edits, texts
from support.painting import decoded
from toml_texts import TEXTS, edited

from flow_lsp.analysis.engine import Analysis
from flow_lsp.analysis.navigation.manifest_tokens import manifest_tokens
from flow_lsp.analysis.navigation.tokens import FileTokens, file_tokens
from flow_lsp.analysis.snapshot import Folder, Snapshot
from flow_lsp.manifest.model import Manifest
from flow_lsp.manifest.reader import read_manifest
from flow_lsp.server.token_pieces import Segment, difference, numbers_of, piece, segments
from flow_lsp.source.declarations import CheckedFile
from flow_lsp.source.reader import read_source
from flow_lsp.text.lines import LineIndex, PositionEncoding

OTHERS = "record Hit { x: Int }\nenum Problem { A }\n"
encodings = st.sampled_from(PositionEncoding)


class Painting:
    """One file that is edited beside another, painted again and again."""

    def __init__(self) -> None:
        self.analysis = Analysis()
        self.source = read_source("")
        self.others = read_source(OTHERS)

    def checked(self, text: str, others: str = OTHERS) -> CheckedFile:
        self.source = read_source(text, self.source)
        self.others = read_source(others, self.others)
        sources = {"/w/a.flow": self.source, "/w/types.flow": self.others}
        found = self.analysis.checked(Snapshot(folders=(Folder("/w"),), sources=sources), "/w/a.flow")
        assert found is not None
        return found


def laid_out(
    checked: CheckedFile, tokens: FileTokens, encoding: PositionEncoding, multiline: bool = False
) -> list[Segment]:
    source = checked.source
    index = LineIndex.of(source.text)
    return segments(
        (
            piece(one, source.text[source.starts[at] : source.starts[at + 1]], encoding, multiline),
            index.position(source.starts[at], encoding).character,
        )
        for at, one in enumerate(tokens.items)
    )


@given(texts, encodings, st.booleans())
def test_tokens_are_in_order_apart_and_at_their_places(text: str, encoding: PositionEncoding, multiline: bool) -> None:
    checked = Painting().checked(text)
    tokens = file_tokens(checked)
    end = 0
    exact = []
    for at, one in enumerate(tokens.items):
        for token in one.tokens:
            start = checked.source.starts[at] + token.start
            assert end <= start < checked.source.starts[at] + token.end <= checked.source.starts[at + 1]
            end = checked.source.starts[at] + token.end
            exact.append((start, end))
    found = decoded(numbers_of(laid_out(checked, tokens, encoding, multiline)), text, encoding)
    if multiline:
        assert [place[:2] for place in found] == exact
    else:
        covered = [at for start, end, _ in found for at in range(start, end)]
        assert covered == [at for start, end in exact for at in range(start, end) if text[at] not in "\r\n"]
        assert all("\n" not in text[start:end] for start, end, _ in found)


@given(TEXTS, encodings, st.booleans())
def test_tokens_of_a_manifest_are_in_order_apart_and_end_before_the_end_of_a_line(
    text: str, encoding: PositionEncoding, multiline: bool
) -> None:
    manifest = read_manifest(text)
    exact = [
        (start + token.start, start + token.end)
        for start, one in zip(manifest.starts, manifest_tokens(manifest).items, strict=True)
        for token in one.tokens
    ]
    assert all(start < end for start, end in exact)
    assert all(end <= start for (_, end), (start, _) in pairwise(exact))
    assert all(text[end - 1] not in "\r\n" or text[start:end].startswith(('"""', "'''")) for start, end in exact)
    found = decoded(numbers_of(laid_out_manifest(manifest, encoding, multiline)), text, encoding)
    if multiline:
        assert [place[:2] for place in found] == exact
    else:
        assert all("\n" not in text[start:end] for start, end, _ in found)


def laid_out_manifest(manifest: Manifest, encoding: PositionEncoding, multiline: bool = False) -> list[Segment]:
    ends = [*manifest.starts[1:], len(manifest.text)]
    items = manifest_tokens(manifest).items
    return segments(
        (piece(one, manifest.text[start:end], encoding, multiline), 0)
        for one, start, end in zip(items, manifest.starts, ends, strict=True)
    )


@given(st.data(), TEXTS)
def test_after_edits_of_a_manifest_tokens_are_as_anew(data: st.DataObject, text: str) -> None:
    manifest = read_manifest(text)
    tokens = manifest_tokens(manifest)
    for _ in range(data.draw(st.integers(1, 3))):
        manifest = read_manifest(data.draw(edited(manifest.text)), manifest)
        tokens = manifest_tokens(manifest, tokens)
        assert [one.tokens for one in tokens.items] == [one.tokens for one in manifest_tokens(manifest).items]


@given(st.data(), texts, encodings)
def test_after_edits_here_and_there_tokens_are_as_anew_and_differences_come_to_them(
    data: st.DataObject, text: str, encoding: PositionEncoding
) -> None:
    painting = Painting()
    others = OTHERS
    before: FileTokens | None = None
    shown: list[Segment] = []
    for _ in range(data.draw(st.integers(1, 4))):
        checked = painting.checked(text, others)
        now = file_tokens(checked, before)
        assert [one.tokens for one in now.items] == [one.tokens for one in file_tokens(checked).items]
        fresh = laid_out(checked, now, encoding)
        numbers = numbers_of(shown)
        found = difference(shown, fresh)
        if found is not None:
            start, count, more = found
            assert start % 5 == count % 5 == len(more) % 5 == 0
            numbers[start : start + count] = more
        assert numbers == numbers_of(fresh)
        before, shown = now, fresh
        if data.draw(st.booleans()):
            text = data.draw(edits(text))
        else:
            others = data.draw(st.sampled_from([OTHERS, OTHERS.replace("record", "enum"), "host Hit\n", ""]))
