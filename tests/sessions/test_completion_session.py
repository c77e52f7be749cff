"""textDocument/completion in flow.toml."""

from __future__ import annotations

from lsprotocol import types
from session_client import capabilities
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


async def test_programs_and_files_are_offered_inside_a_command(editor, workspace: Workspace):
    workspace.write("tools/serve it.py", "")
    program = workspace.path("run-me")
    program.write_text("#!/bin/sh\n")
    program.chmod(0o755)
    one = editor()
    await one.start(options={"trust": "never"})
    one.open("flow.toml", '[tools."a.flow"]\ncommand = "run-m')
    assert await one.complete("flow.toml", 1, 16) == ["run-me"]
    one.change("flow.toml", '[tools."a.flow"]\ncommand = "python3 tools/"\n')
    params = types.CompletionParams(one.identifier("flow.toml"), types.Position(1, 25))
    (item,) = (await one.answer(one.client.text_document_completion_async(params))).items
    assert (item.label, item.text_edit.new_text) == ("tools/serve it.py", "'tools/serve it.py'")
    assert (item.text_edit.range.start, item.text_edit.range.end) == (types.Position(1, 19), types.Position(1, 25))


async def test_a_client_with_snippets_gets_whole_tables(editor, workspace: Workspace):
    workspace.write("a.flow", FIND)
    can = capabilities()
    item = types.ClientCompletionItemOptions(snippet_support=True)
    can.text_document.completion = types.CompletionClientCapabilities(completion_item=item)
    one = editor()
    await one.start(can, options={"trust": "never"})
    one.open("flow.toml", "")
    await one.until(lambda: one.codes("a.flow") == ["unbound-no-table"])
    params = types.CompletionParams(one.identifier("flow.toml"), types.Position(0, 0))
    found = (await one.answer(one.client.text_document_completion_async(params))).items
    texts = {item.label: (item.text_edit.new_text, item.insert_text_format) for item in found}
    assert texts['[tools."a.flow"]'] == ('[tools."a.flow"]\ncommand = "$0"', types.InsertTextFormat.Snippet)
