"""textDocument/codeAction about flow.toml and what is bound by it: what a client gets, and what is then said."""

from __future__ import annotations

from typing import Any

from editor_session import Editor
from lsprotocol import types
from session_client import capabilities
from session_workspace import FIND, Workspace, table

QUIET = {"trust": "never", "diagnostics": {"severity": {"not-run": "off"}}}


def client(creates: bool = True) -> types.ClientCapabilities:
    can = capabilities()
    assert can.text_document is not None
    assert can.workspace is not None
    kinds = types.ClientCodeActionKindOptions(value_set=[])
    literals = types.ClientCodeActionLiteralOptions(code_action_kind=kinds)
    can.text_document.code_action = types.CodeActionClientCapabilities(code_action_literal_support=literals)
    if creates:
        can.workspace.workspace_edit = types.WorkspaceEditClientCapabilities(
            document_changes=True, resource_operations=[types.ResourceOperationKind.Create]
        )
    return can


async def actions(one: Editor, name: str, line: int, character: int, *only: str) -> list[Any]:
    at = types.Position(line, character)
    context = types.CodeActionContext([], only=list(only) or None)
    params = types.CodeActionParams(one.identifier(name), types.Range(at, at), context)
    return list(await one.answer(one.client.text_document_code_action_async(params)) or ())


async def test_an_unbound_file_gets_a_manifest_or_a_table(editor, workspace: Workspace):
    workspace.write("sub/a.flow", FIND)
    one = editor()
    await one.start(client(), options=QUIET)
    one.open("sub/a.flow")
    await one.shows("sub/a.flow", "unbound-no-manifest")
    first, beside, *_ = await actions(one, "sub/a.flow", 0, 10, "quickfix")
    assert beside.title == "Create flow.toml beside this file, with a table for this file"
    created, edit = first.edit.document_changes
    assert created.uri == workspace.uri("flow.toml")
    assert edit.edits[0].new_text == '[tools."sub/a.flow"]\ncommand = ""\n'
    assert [diagnostic.code for diagnostic in first.diagnostics] == ["unbound-no-manifest"]

    one.open("flow.toml", "# mine\n")
    await one.shows("sub/a.flow", "unbound-no-table")
    action = (await actions(one, "sub/a.flow", 0, 10, "quickfix"))[0]
    (change,) = action.edit.document_changes
    assert (change.text_document.uri, change.text_document.version) == (workspace.uri("flow.toml"), 1)
    one.change("flow.toml", "# mine\n" + change.edits[0].new_text)
    await one.shows("flow.toml", "value")
    titles = [action.title for action in await actions(one, "sub/a.flow", 0, 10, "quickfix")]
    assert not [title for title in titles if "table" in title]


async def test_a_client_that_creates_no_files_is_offered_no_new_one(editor, workspace: Workspace):
    workspace.write("a.flow", FIND)
    one = editor()
    await one.start(client(creates=False), options=QUIET)
    one.open("a.flow")
    await one.shows("a.flow", "unbound-no-manifest")
    assert not [action for action in await actions(one, "a.flow", 0, 10) if "flow.toml" in action.title]


async def test_all_that_is_safe_is_fixed_in_a_manifest_with_crlf(editor, workspace: Workspace):
    workspace.write("a.flow", FIND)
    one = editor()
    await one.start(client(), options=QUIET)
    one.open("flow.toml", "# é\r\n[tools.'./a.flow']\r\ncomand = 'x'\r\n")
    await one.shows("flow.toml", "unknown-key")
    (action,) = await actions(one, "flow.toml", 0, 0, "source.fixAll")
    (change,) = action.edit.document_changes
    (edit,) = change.edits
    assert (edit.range.start, edit.range.end, edit.new_text) == (types.Position(2, 0), types.Position(2, 6), "command")
    one.change("flow.toml", ((2, 0), (2, 6), "command"))
    await one.until(lambda: one.codes("flow.toml") != ["unknown-key"])
    assert await actions(one, "flow.toml", 0, 0, "source.fixAll") == []


async def test_a_table_is_moved_into_the_nearer_manifest_in_one_change(editor, workspace: Workspace):
    workspace.write("flow.toml", table("sub/b.flow", "python3"))
    workspace.write("sub/flow.toml", "")
    workspace.write("sub/b.flow", FIND)
    one = editor()
    await one.start(client(), options=QUIET)
    one.open("flow.toml")
    await one.shows("flow.toml", "shadowed")
    move = (await actions(one, "flow.toml", 0, 3, "quickfix"))[0]
    assert move.is_preferred
    assert {change.text_document.uri for change in move.edit.document_changes} == {
        workspace.uri("flow.toml"), workspace.uri("sub/flow.toml"),
    }  # fmt: skip
