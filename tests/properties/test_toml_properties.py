"""Our TOML reader and Python's `tomllib` say the same of every text, but where decisions say otherwise."""

from __future__ import annotations

import sys
import tomllib
from pathlib import Path

from hypothesis import event, example, given, settings
from hypothesis import strategies as st

sys.path.insert(0, str(Path(__file__).parent))

from toml_texts import TEXTS, edited, read_plainly

from flow_lsp.manifest.model import Manifest
from flow_lsp.manifest.reader import read_manifest


@settings(deadline=None, max_examples=400)
@example('"""')
@example("a = 1\r\r\n")
@example("[a]\nb.c = 1\n[a.b]\n")
@example("a.b = 1\n[a]\n")
@example("[[a]]\n[a.b]\n[[a]]\n[a.b]\n")
@example("a = [{}]\n[a.b]\n")
@given(TEXTS)
def test_verdict_and_data_are_those_of_tomllib(text: str) -> None:
    data, mistakes = read_plainly(text)
    try:
        expected = tomllib.loads(text.removeprefix("\ufeff"))
    except ValueError:
        event("refused")
        assert mistakes, text
        assert any(finding.rule.code == "toml" for finding in read_manifest(text).findings), text
        return
    event("accepted")
    assert mistakes == 0, text
    assert repr(data) == repr(expected)
    assert not any(finding.rule.code == "toml" for finding in read_manifest(text).findings), text


def observed(manifest: Manifest) -> object:
    """Everything that anybody can see of a manifest."""
    return (
        manifest.text,
        manifest.findings,
        list(manifest.tables),
        dict(manifest.index_by_path),
        [manifest.offset_of(index) for index in range(len(manifest.tables))],
        manifest.has_error,
        [manifest.at(offset) for offset in range(len(manifest.text) + 1)],
        manifest.segments,
        manifest.starts,
        manifest.marked,
        manifest.relations,
    )


@settings(deadline=None, max_examples=300)
@given(TEXTS, st.data())
def test_reading_again_after_an_edit_is_reading_afresh(text: str, data: st.DataObject) -> None:
    manifest = read_manifest(text)
    for _ in range(data.draw(st.integers(1, 4))):
        text = data.draw(edited(text))
        manifest = read_manifest(text, manifest)
        assert observed(manifest) == observed(read_manifest(text)), text


@settings(deadline=None, max_examples=200)
@given(TEXTS)
def test_every_span_lies_in_the_text(text: str) -> None:
    manifest = read_manifest(text)
    for finding in manifest.findings:
        assert 0 <= finding.span.start <= finding.span.end <= len(text)
        assert finding.message.encode("utf-8")
    for index, table in enumerate(manifest.tables):
        base = manifest.offset_of(index)
        for span in (
            table.extent,
            table.key_span,
            table.header_span,
            *(entry.key_span for entry in table.entries),
        ):
            assert 0 <= span.start + base < span.end + base <= len(text)
