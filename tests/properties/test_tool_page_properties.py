"""A law of the pages of Tools: read as Flow, a page is what it is of."""

from __future__ import annotations

from hypothesis import given, settings
from strategies.flow_pairs import versions
from support.snapshots import ROOT, Fixture, snapshot

from flow_lsp.analysis.engine import Analysis
from flow_lsp.analysis.snapshot import Snapshot
from flow_lsp.analysis.tool_page import ToolPage, tool_page
from flow_lsp.signature.readable import readable_declaration

KEY = f"{ROOT}/a.flow"


def page_of(state: Snapshot) -> tuple[ToolPage, str] | None:
    analysis = Analysis()
    tools = analysis.tools(state, KEY)
    if not tools or tools[0].declared.signature is None:
        return None
    found = tool_page(analysis, state, KEY, tools[0])
    assert found is not None
    return found, readable_declaration(tools[0].declared.name, tools[0].declared.signature.served, docs=False)


@settings(max_examples=80, deadline=None)
@given(versions())
def test_a_page_read_as_flow_declares_the_same_tool_and_its_pieces_lead_to_sections(texts: dict[str, str]) -> None:
    made = page_of(snapshot(Fixture(texts, {})))
    if made is None:
        return
    page, readable = made
    ids = [section.id for section in page.sections]
    assert len(set(ids)) == len(ids)
    pieces = [piece for section in page.sections for line in section.lines for piece in line]
    assert {piece.to for piece in pieces if piece.to is not None} == set(ids) - {"tool"}
    whole = "import std/json\n\n" + "\n\n".join(section.text for section in page.sections) + "\n"
    again = page_of(snapshot(Fixture({"a.flow": whole}, {})))
    assert again is not None, whole
    assert again[1] == readable
