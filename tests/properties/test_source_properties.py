"""The laws of reading and checking `.flow` text: total, tiling, the same after an edit as from nothing."""

from __future__ import annotations

import json

from hypothesis import given, settings
from hypothesis import strategies as st
from strategies.flow_checks import MAIN, TYPES, TwoFiles, said
from strategies.flow_texts import edits, texts

from flow_lsp.source.elements import element_at, meaning_of
from flow_lsp.source.files import Memory
from flow_lsp.source.listing import tools_listing
from flow_lsp.source.program import check_file
from flow_lsp.source.reader import read_source


@settings(max_examples=300, deadline=None)
@given(st.data())
def test_reading_after_edits_equals_reading_anew(data: st.DataObject) -> None:
    source = read_source(data.draw(texts))
    for _ in range(data.draw(st.integers(1, 4))):
        text = data.draw(edits(source.text))
        source = read_source(text, source)
        anew = read_source(text)
        assert source.text == text
        assert source.items == anew.items
        assert source.starts == anew.starts
        assert source.findings == anew.findings


@settings(max_examples=200, deadline=None)
@given(st.data())
def test_checking_after_edits_equals_checking_anew(data: st.DataObject) -> None:
    sources = {MAIN: read_source(data.draw(texts)), TYPES: read_source(data.draw(texts))}
    memory = Memory()
    checked = check_file(TwoFiles(dict(sources)), MAIN, None, memory)
    for _ in range(data.draw(st.integers(1, 4))):
        path = data.draw(st.sampled_from([MAIN, MAIN, TYPES]))
        sources[path] = read_source(data.draw(edits(sources[path].text)), sources[path])
        workspace = TwoFiles(dict(sources))
        checked = check_file(workspace, MAIN, checked, memory)
        assert said(checked) == said(check_file(workspace, MAIN))


@settings(max_examples=300, deadline=None)
@given(st.one_of(texts, st.text(max_size=60)))
def test_items_tile_the_text_and_spans_stay_inside(text: str) -> None:
    source = read_source(text)
    assert source.lead + sum(item.size for item in source.items) == len(text)
    assert all(item.size > 0 for item in source.items)
    for item in source.items:
        spans = [item.extent, item.name_span, *(finding.span for finding in item.findings)]
        assert all(0 <= span.start <= span.end <= item.size for span in spans)


@settings(max_examples=200, deadline=None)
@given(texts, texts)
def test_a_check_of_any_text_gives_a_listing_that_can_be_written(main: str, types: str) -> None:
    workspace = TwoFiles({MAIN: read_source(main), TYPES: read_source(types)})
    checked = [one for path in (MAIN, TYPES) if (one := check_file(workspace, path)) is not None]
    listing = tools_listing(checked, "/w")
    json.dumps(listing, ensure_ascii=False).encode("utf-8")
    for entry in listing["tools"]:
        assert entry["fingerprint"].startswith("sha256:")
    refused = sum(tool.refused for file in checked for tool in file.tools)
    assert len(listing["tools"]) <= sum(len(file.tools) for file in checked) - refused
    assert not refused or listing["problems"]


@settings(max_examples=100, deadline=None)
@given(texts, st.data())
def test_every_place_can_be_asked_about(text: str, data: st.DataObject) -> None:
    workspace = TwoFiles({MAIN: read_source(text)})
    checked = check_file(workspace, MAIN)
    assert checked is not None
    offset = data.draw(st.integers(-3, len(text) + 3))
    element = element_at(checked.source, offset)
    if element is not None:
        assert element.span.holds(offset)
        meaning_of(checked, element)
