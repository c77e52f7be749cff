"""From flow.toml to files and back: definition, links, references, highlights, outline, folds, selections, symbols."""

from __future__ import annotations

from lsprotocol import types
from session_workspace import FIND, Workspace

TEXT = """\
# of the tools
[tools."sub/a.flow"]
command = "python3 serve.py"

[tools."b é.flow"]
mcp = "x"
"""


def at(one, line: int, character: int) -> dict:
    return {"text_document": one.identifier("flow.toml"), "position": types.Position(line, character)}


async def test_a_manifest_leads_to_its_files_and_is_led_to(editor, workspace: Workspace):
    workspace.write("flow.toml", TEXT)
    workspace.write("sub/a.flow", FIND)
    workspace.write("b é.flow", "import ./sub/a\n" + FIND)
    workspace.write("serve.py", "")
    one = editor()
    await one.start(options={"trust": "never"})
    one.open("flow.toml")
    client = one.client

    found = await one.answer(client.text_document_definition_async(types.DefinitionParams(**at(one, 1, 12))))
    assert [getattr(link, "target_uri", None) or link.uri for link in found] == [workspace.uri("sub/a.flow")]
    found = await one.answer(client.text_document_definition_async(types.DefinitionParams(**at(one, 2, 22))))
    assert [getattr(link, "target_uri", None) or link.uri for link in found] == [workspace.uri("serve.py")]

    params = types.DocumentLinkParams(one.identifier("flow.toml"))
    links = await one.answer(client.text_document_document_link_async(params))
    assert [(link.range.start.line, link.target) for link in links] == [
        (1, workspace.uri("sub/a.flow")), (2, workspace.uri("serve.py")), (4, workspace.uri("b é.flow")),
    ]  # fmt: skip

    context = types.ReferenceContext(include_declaration=True)
    found = await one.answer(
        client.text_document_references_async(types.ReferenceParams(context=context, **at(one, 1, 12)))
    )
    assert [(place.uri, place.range.start.line) for place in found] == [
        (workspace.uri("flow.toml"), 1), (workspace.uri("b é.flow"), 0),
    ]  # fmt: skip
    one.open("b é.flow")
    context = types.ReferenceContext(include_declaration=False)
    imported = types.ReferenceParams(context, one.identifier("b é.flow"), types.Position(0, 12))
    found = await one.answer(client.text_document_references_async(imported))
    assert [(place.uri, place.range.start.line) for place in found] == [
        (workspace.uri("b é.flow"), 0), (workspace.uri("flow.toml"), 1),
    ]  # fmt: skip
    marks = await one.answer(
        client.text_document_document_highlight_async(types.DocumentHighlightParams(**at(one, 1, 12)))
    )
    assert [mark.range.start for mark in marks] == [types.Position(1, 7)]

    outline = await one.answer(
        client.text_document_document_symbol_async(types.DocumentSymbolParams(one.identifier("flow.toml")))
    )
    assert [symbol.name for symbol in outline][:1] == ["sub/a.flow"]
    folds = await one.answer(
        client.text_document_folding_range_async(types.FoldingRangeParams(one.identifier("flow.toml")))
    )
    assert [(fold.start_line, fold.end_line) for fold in folds] == [(1, 2), (4, 5)]
    ranges = await one.answer(
        client.text_document_selection_range_async(
            types.SelectionRangeParams(one.identifier("flow.toml"), [types.Position(2, 22)])
        )
    )
    assert ranges[0].range == types.Range(types.Position(2, 19), types.Position(2, 27))
    symbols = await one.answer(client.workspace_symbol_async(types.WorkspaceSymbolParams("sub")))
    assert [symbol.name for symbol in symbols] == ["sub/a.flow"]


async def test_a_place_that_leads_nowhere_gives_nothing(editor, workspace: Workspace):
    one = editor()
    await one.start(options={"trust": "never"})
    one.open("flow.toml", TEXT)
    for line, character in ((1, 12), (0, 3), (3, 0), (40, 1)):
        params = types.DefinitionParams(**at(one, line, character))
        assert not await one.answer(one.client.text_document_definition_async(params))
