"""textDocument/completion in flow.toml."""

from __future__ import annotations

from lsprotocol import types
from session_workspace import FIND, Workspace


async def test_the_line_after_the_last_newline(editor, workspace: Workspace):
    one = editor()
    await one.start()
    one.open("flow.toml", '[tools."a.flow"]\n')
    assert await one.complete("flow.toml", 1, 0) == ["command", "mcp"]
    one.change("flow.toml", '[tools."a.flow"]')
    await one.complete("flow.toml", 0, 16)
    one.change("flow.toml", "a = 1\n")
    await one.complete("flow.toml", 40, 3)
    one.change("flow.toml", "")
    assert await one.complete("flow.toml", 0, 0) == ["tools"]
    one.open("empty.flow", "")
    assert "@tool" in await one.complete("empty.flow", 0, 0)


async def test_an_entry_that_is_there_is_not_offered_again(editor, workspace: Workspace):
    one = editor()
    await one.start()
    one.open("flow.toml", '[tools."a.flow"]\ncommand = "x"\n\n')
    assert await one.complete("flow.toml", 2, 0) == []


async def test_the_files_without_a_table_are_offered_and_what_is_taken_binds(editor, workspace: Workspace):
    workspace.write("sub/a é.flow", FIND)
    workspace.write("plain.flow", "record Hit { x: Int }\n")
    one = editor()
    await one.start(options={"trust": "never", "diagnostics": {"severity": {"not-run": "off"}}})
    await one.until(lambda: one.codes("sub/a é.flow") == ["unbound-no-manifest"])
    one.open("flow.toml", "[]\n")
    params = types.CompletionParams(one.identifier("flow.toml"), types.Position(0, 1))
    found = await one.answer(one.client.text_document_completion_async(params))
    (item,) = found.items
    assert item.label == "sub/a é.flow"
    where = item.text_edit.range
    start, end = (where.start.line, where.start.character), (where.end.line, where.end.character)
    one.change("flow.toml", (start, end, item.text_edit.new_text))
    one.change("flow.toml", ((1, 0), (1, 0), 'command = "python3"\n'))
    await one.shows("sub/a é.flow")
    assert one.codes("flow.toml") == []
