"""Outline, workspace symbols, folding, selection ranges and links, as far as the client can show them."""

from __future__ import annotations

import pytest
from lsprotocol import types
from session_asks import ask, request
from session_client import capabilities
from session_workspace import Workspace

TEXT = """\
import ./types.{Hit}
import ./gone
import std/json

/// A page. 🙂
/// More.
record Page {
  /* 🙂 */ items: List<Hit>
  b: Text
}
@tool
fn find(
  query: Text
) -> Result<Page, Never>
"""


@pytest.fixture
def work(workspace: Workspace) -> Workspace:
    workspace.write("a.flow", TEXT)
    workspace.write("types.flow", "record Hit { title: Text }\nenum HitKind { A }\n")
    workspace.write("sub/more.flow", "@tool fn search_hits() -> Result<Int, Never>\n")
    return workspace


def lines(found: types.Range) -> tuple[int, int]:
    return found.start.line, found.end.line


async def test_an_outline_as_a_tree_and_as_a_list(editor, work: Workspace):
    can = capabilities()
    can.text_document.document_symbol = types.DocumentSymbolClientCapabilities(
        hierarchical_document_symbol_support=True
    )
    one = editor()
    await one.start(can)
    one.open("a.flow")
    page, find = await ask(one, "documentSymbol", "a.flow")
    assert (page.name, page.kind, lines(page.range)) == ("Page", types.SymbolKind.Struct, (4, 9))
    assert [(child.name, child.detail) for child in page.children] == [("items", "List<Hit>"), ("b", "Text")]
    assert page.children[0].selection_range.start == types.Position(7, 11)
    assert (find.kind, find.detail) == (types.SymbolKind.Function, "(query: Text) -> Result<Page, Never>")

    other = editor()
    await other.start()
    other.open("a.flow")
    found = await ask(other, "documentSymbol", "a.flow")
    assert [(symbol.name, symbol.container_name) for symbol in found] == [
        ("Page", None), ("items", "Page"), ("b", "Page"), ("find", None),
    ]  # fmt: skip


async def test_symbols_of_the_workspace_with_unsaved_text_over_the_disk(editor, work: Workspace):
    one = editor()
    await one.start()
    found = await request(one, "workspace/symbol", {"query": "hit"})
    assert [(symbol.name, symbol.container_name) for symbol in found] == [
        ("Hit", "types"), ("HitKind", "types"), ("search_hits", "sub/more"),
    ]  # fmt: skip
    assert found[2].location == types.Location(
        one.workspace.uri("sub/more.flow"), types.Range(types.Position(0, 9), types.Position(0, 20))
    )
    one.open("types.flow", "\nhost Hitch\n")
    found = await request(one, "workspace/symbol", {"query": "hit"})
    assert [symbol.name for symbol in found] == ["Hitch", "search_hits"]
    assert found[0].location.range.start == types.Position(1, 5)


async def test_folds_by_lines_and_exactly(editor, work: Workspace):
    can = capabilities()
    can.text_document.folding_range = types.FoldingRangeClientCapabilities(line_folding_only=True, range_limit=4)
    one = editor()
    await one.start(can)
    one.open("a.flow")
    found = [(fold.start_line, fold.end_line, fold.kind) for fold in await ask(one, "foldingRange", "a.flow")]
    assert found == [(0, 2, "imports"), (4, 5, "comment"), (6, 8, None), (10, 13, None)]

    other = editor()
    await other.start()
    other.open("a.flow")
    exact = await ask(other, "foldingRange", "a.flow")
    assert [(fold.start_line, fold.start_character, fold.end_line, fold.end_character) for fold in exact] == [
        (0, 20, 2, 15), (4, 14, 5, 9), (6, 13, 9, 0), (10, 5, 13, 24), (11, 8, 13, 0),
    ]  # fmt: skip


async def test_selections_grow_from_each_position(editor, work: Workspace):
    one = editor()
    await one.start()
    one.open("a.flow")
    positions = [{"line": 7, "character": 24}, {"line": 99, "character": 0}]
    first, last = await ask(one, "selectionRange", "a.flow", positions=positions)
    grown = []
    while first is not None:
        grown.append((first.range.start.line, first.range.start.character, first.range.end.line))
        first = first.parent
    assert grown == [(7, 23, 7), (7, 18, 7), (7, 11, 7), (7, 2, 8), (6, 12, 9), (6, 0, 9), (4, 0, 9), (0, 0, 14)]
    assert last.range == types.Range(types.Position(0, 0), types.Position(14, 0))


async def test_imports_are_links_where_there_is_a_file(editor, work: Workspace):
    one = editor()
    await one.start()
    one.open("a.flow")
    (link,) = await ask(one, "documentLink", "a.flow")
    assert link.target == one.workspace.uri("types.flow")
    assert link.range == types.Range(types.Position(0, 7), types.Position(0, 14))


async def test_a_document_that_is_no_file_has_none_of_it(editor, work: Workspace):
    one = editor()
    await one.start()
    uri = one.open("untitled:Untitled-1", TEXT, language="flow")
    for method in ("documentSymbol", "foldingRange", "documentLink"):
        assert await ask(one, method, uri) is None
    assert await ask(one, "selectionRange", uri, positions=[{"line": 0, "character": 0}]) is None
