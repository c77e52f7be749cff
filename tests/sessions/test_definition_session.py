"""textDocument/definition, typeDefinition, references and documentHighlight, in open files and others."""

from __future__ import annotations

import pytest
from editor_session import Editor
from lsprotocol import types
from session_asks import ask
from session_client import capabilities
from session_workspace import Workspace

TYPES = "// 🙂\n/// A hit.\nrecord Hit { title: Text }\nenum Bad { Offline }\n"
TEXT = 'import ./types.{Hit}\nrecord Page { a: Hit, b: List<Hit> } // 🙂 Hit\nfn f() { "🙂"; Hit }\n'


def place(one: Editor, name: str, line: int, start: int, end: int) -> types.Location:
    return types.Location(one.workspace.uri(name), types.Range(types.Position(line, start), types.Position(line, end)))


@pytest.fixture
def work(workspace: Workspace) -> Workspace:
    workspace.write("types.flow", TYPES)
    workspace.write("a.flow", TEXT)
    workspace.write("flow.toml", "")
    return workspace


async def test_a_declaration_in_a_file_that_is_not_open_and_one_in_unsaved_text(editor, work: Workspace):
    one = editor()
    await one.start(capabilities(encodings=("utf-8",)))
    one.open("a.flow")
    there = place(one, "types.flow", 2, 7, 10)
    assert await ask(one, "definition", "a.flow", 1, 17) == [there]
    assert await ask(one, "typeDefinition", "a.flow", 1, 22) == [there]
    one.open("types.flow", "\n" + TYPES)
    assert await ask(one, "definition", "a.flow", 1, 17) == [place(one, "types.flow", 3, 7, 10)]
    assert await ask(one, "definition", "a.flow", 0, 9) == [place(one, "types.flow", 0, 0, 0)]
    assert await ask(one, "definition", "a.flow", 1, 10_000) is None


async def test_links_for_a_client_that_takes_them(editor, work: Workspace):
    can = capabilities()
    can.text_document.definition = types.DefinitionClientCapabilities(link_support=True)
    can.text_document.type_definition = types.TypeDefinitionClientCapabilities(link_support=True)
    one = editor()
    await one.start(can)
    one.open("a.flow")
    for method, column in (("definition", 18), ("typeDefinition", 14)):
        (link,) = await ask(one, method, "a.flow", 1, column)
        assert link.target_uri == one.workspace.uri("types.flow")
        assert link.target_selection_range == place(one, "types.flow", 2, 7, 10).range
        assert link.target_range == types.Range(types.Position(1, 0), types.Position(2, 26))
        assert link.origin_selection_range.start.line == 1


async def test_references_in_all_files_with_and_without_the_declaration(editor, work: Workspace):
    one = editor()
    await one.start()
    one.open("types.flow")
    declared = place(one, "types.flow", 2, 7, 10)
    used = [
        place(one, "a.flow", 0, 16, 19), place(one, "a.flow", 1, 17, 20), place(one, "a.flow", 1, 30, 33),
        place(one, "a.flow", 2, 15, 18),
    ]  # fmt: skip
    with_it, without = {"includeDeclaration": True}, {"includeDeclaration": False}
    assert list(await ask(one, "references", "types.flow", 2, 8, context=with_it)) == [declared, *used]
    assert list(await ask(one, "references", "types.flow", 2, 8, context=without)) == used
    one.open("a.flow", TEXT.replace("a: Hit, ", ""))
    assert len(await ask(one, "references", "types.flow", 2, 8, context=without)) == 3
    assert await ask(one, "references", "types.flow", 1, 6, context=with_it) is None


async def test_highlights_say_what_is_done_at_each_place(editor, work: Workspace):
    one = editor()
    await one.start()
    one.open("a.flow", TEXT + "record Hat { hat: Hat }\n")
    kinds = [(found.range.start.line, found.kind) for found in await ask(one, "documentHighlight", "a.flow", 3, 19)]
    assert kinds == [(3, types.DocumentHighlightKind.Write), (3, types.DocumentHighlightKind.Read)]
    found = await ask(one, "documentHighlight", "a.flow", 1, 31)
    assert [marked.kind.value for marked in found] == [2, 2, 2, 1]
    assert await ask(one, "documentHighlight", "a.flow", 2, 0) is None


async def test_documents_that_are_no_files_have_nothing_and_those_not_open_are_refused(editor, work: Workspace):
    one = editor()
    await one.start()
    uri = one.open("untitled:Untitled-1", "record A { a: A }", language="flow")
    for method in ("definition", "typeDefinition", "references", "documentHighlight"):
        context = {"context": {"includeDeclaration": True}} if method == "references" else {}
        assert await ask(one, method, uri, 0, 8, **context) is None
        with pytest.raises(Exception, match="is not open"):
            await ask(one, method, "a.flow", 0, 0, **context)
