"""textDocument/codeAction in `.flow` files: what is offered, and what the files are when it was done."""

from __future__ import annotations

from typing import Any

import pytest
from lsprotocol import types
from session_client import capabilities
from session_workspace import FIND, Workspace, command, table

SOURCE = "tools/search.flow"
UPDATE = "Update the declaration to what is served"


def can(*, disabled: bool = False, encodings: tuple[str, ...] = ("utf-16",)) -> types.ClientCapabilities:
    made = capabilities(encodings)
    made.text_document.code_action = types.CodeActionClientCapabilities(
        disabled_support=disabled,
        code_action_literal_support=types.ClientCodeActionLiteralOptions(
            types.ClientCodeActionKindOptions([types.CodeActionKind.QuickFix])
        ),
    )
    made.workspace.workspace_edit = types.WorkspaceEditClientCapabilities(
        document_changes=True, resource_operations=[types.ResourceOperationKind.Create]
    )
    return made


async def actions(
    one: Any, name: str, line: int, first: int, last: int, only: list[str] | None = None, named: Any = ()
) -> list[Any]:
    where = types.Range(types.Position(line, first), types.Position(line, last))
    context = types.CodeActionContext(diagnostics=[*named], only=only)
    params = types.CodeActionParams(one.identifier(name), where, context)
    return list(await one.answer(one.client.text_document_code_action_async(params)) or ())


def done(text: str, edits: Any) -> str:
    """The text with edits made from the last to the first; columns count in code units of UTF-16."""
    lines = [*text.splitlines(keepends=True), ""]

    def offset(position: types.Position) -> int:
        line = lines[position.line].encode("utf-16-le")[: position.character * 2].decode("utf-16-le")
        return sum(map(len, lines[: position.line])) + len(line)

    for edit in sorted(edits, key=lambda edit: (edit.range.start.line, edit.range.start.character), reverse=True):
        text = text[: offset(edit.range.start)] + edit.new_text + text[offset(edit.range.end) :]
    return text


async def test_a_type_is_imported_by_the_fix_of_its_diagnostic(editor, workspace: Workspace):
    workspace.write("types.flow", "record Hit { a: Int }\n")
    text = "// 😋\n\nrecord A { 名: (Hit, Int) }\n"
    one = editor()
    await one.start(can(), options={"trust": "never"})
    one.open("a.flow", text)
    await one.everything_checked()
    (shown,) = one.found("a.flow")
    (action, declare) = await actions(one, "a.flow", 2, 15, 15)
    assert (action.title, action.is_preferred) == ("Import `Hit` by `import ./types`", True)
    assert [(item.code, item.range, item.message) for item in action.diagnostics] == [
        (shown.code, shown.range, shown.message)
    ]
    assert declare.title == "Declare the record `Hit` here"
    (change,) = action.edit.document_changes
    assert change.text_document.version == one.version("a.flow")
    after = done(text, change.edits)
    assert after == "// 😋\n\nimport ./types.{Hit}\n\nrecord A { 名: (Hit, Int) }\n"
    one.change("a.flow", after)
    await one.shows("a.flow")
    assert await actions(one, "a.flow", 4, 15, 15) == []


async def test_findings_that_the_client_names_are_fixed_from_elsewhere_in_the_line(editor, workspace: Workspace):
    workspace.write("types.flow", "record Hit { a: Int }\n")
    one = editor()
    await one.start(can(), options={"trust": "never"})
    one.open("a.flow", "record A { b: Hit }\n")
    await one.everything_checked()
    (shown,) = one.found("a.flow")
    assert await actions(one, "a.flow", 0, 0, 0) == []
    at_it = await actions(one, "a.flow", 0, 14, 14, named=[shown])
    assert at_it[0].title == "Import `Hit` by `import ./types`"
    assert len({action.title for action in at_it}) == len(at_it)
    from_elsewhere = await actions(one, "a.flow", 0, 0, 0, named=[shown])
    assert from_elsewhere[0] == at_it[0]
    another = types.Diagnostic(shown.range, "of somebody else", source="other")
    beyond = types.Diagnostic(
        types.Range(types.Position(90, 0), types.Position(90, 4)), "of an older text", source=shown.source
    )
    assert await actions(one, "a.flow", 0, 0, 0, named=[another, beyond]) == []


async def test_all_that_is_safe_is_fixed_at_once(editor, workspace: Workspace):
    text = "import std/json\nrecord A { x: String, y: Map<Text, Integer> }\n"
    one = editor()
    await one.start(can(), options={"trust": "never"})
    one.open("a.flow", text)
    (action,) = await actions(one, "a.flow", 0, 0, 0, ["source.fixAll"])
    (change,) = action.edit.document_changes
    assert done(text, change.edits) == "record A { x: Text, y: Dict<Text, Int> }\n"


async def test_a_drifted_declaration_becomes_what_the_implementation_serves(editor, workspace: Workspace):
    workspace.write("flow.toml", table(SOURCE, command()))
    text = "/// Finds.\n@tool fn find(\n  words: List<Text>, // what\n) -> Result<Text, Never>\n"
    workspace.write(SOURCE, text)
    one = editor()
    await one.start(can(), options={"trust": "always"})
    one.open(SOURCE)
    await one.shows(SOURCE, "drift")
    (action,) = await actions(one, SOURCE, 1, 10, 10)
    assert (action.title, action.is_preferred, action.disabled) == (UPDATE, True, None)
    (change,) = action.edit.document_changes
    after = done(text, change.edits)
    assert after == "/// Finds.\n@tool fn find(\n  query: Text,\n) -> Result<Int, Text>\n"
    one.change(SOURCE, after)
    await one.shows(SOURCE)
    assert await actions(one, SOURCE, 1, 10, 10) == []


@pytest.mark.parametrize("disabled", [True, False])
async def test_why_a_declaration_cannot_be_updated_is_said_where_the_client_shows_it(
    editor, workspace: Workspace, disabled: bool
):
    workspace.serve(("tools/search.find", {"ok": {"type": "array"}}))
    workspace.write("flow.toml", table(SOURCE, command("--served", "served.json")))
    workspace.write(SOURCE, FIND)
    one = editor()
    await one.start(can(disabled=disabled), options={"trust": "always"})
    one.open(SOURCE)
    await one.shows(SOURCE, "drift")
    found = await actions(one, SOURCE, 0, 10, 10)
    if not disabled:
        assert found == []
        return
    (action,) = found
    assert action.title == UPDATE
    assert action.edit is None
    assert action.disabled.reason == 'A type there is in no Flow form: {"type":"array"}.'
