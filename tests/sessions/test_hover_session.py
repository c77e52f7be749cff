"""textDocument/hover: Tools in each state, types, members, manifests; in Markdown and as plain text."""

from __future__ import annotations

import re

import pytest
from editor_session import Editor
from lsprotocol import types
from session_client import capabilities
from session_workspace import FIND, Workspace, command, table

SOURCE = "tools/search.flow"
TEXT_RESULT = FIND.replace("Int", "Text")
ALWAYS = {"trust": "always"}
DECLARED = """\
/// What was found.
record Hit { title: Text, score: Option<Decimal> }
enum Bad { Offline, Slow(Duration) }
/// Looks for `it`; <b>all</b> of it.
@tool fn find(query: Text, limit: Int) -> Result<List<Hit>, Bad>
"""


async def of(one: Editor, name: str, text: str, word: str, nth: int = 0) -> str:
    """The hover at the nth place of `word` in `text`."""
    place = [found.start() for found in re.finditer(re.escape(word), text)][nth]
    return await one.hover(name, text.count("\n", 0, place), place - (text.rfind("\n", 0, place) + 1))


async def test_a_tool_with_all_that_is_known_of_it(editor, workspace: Workspace):
    workspace.write("flow.toml", table(SOURCE, command()))
    workspace.write(SOURCE, "/// Finds.\n" + FIND)
    one = editor()
    await one.start(options=ALWAYS)
    one.open(SOURCE)
    hover = await one.current(SOURCE, line=1)
    for part in (
        "```flow\n@tool fn find(query: Text) -> Result<Int, Text>\n```",
        "Finds.",
        "**fits**",
        str(workspace.path("flow.toml")),
        "identity `tools/search.find`",
        "fingerprint `sha256:",
        "data version `0.1`",
        "exit status 0",
        "answer: current",
        '"query": {"type": "string"}',
    ):
        assert part in hover


@pytest.mark.parametrize(
    ("manifest", "options", "state"),
    [
        (None, ALWAYS, "**unbound**: No flow.toml stands in this file's directory or above it."),
        ("", ALWAYS, "**unbound**"),
        ("bogus = 1\n", ALWAYS, "**refused**"),
        (table(SOURCE, "no/such/program"), ALWAYS, "**unbound**"),
        (table(SOURCE, command()), {"trust": "never"}, "**not checked**"),
        (table(SOURCE, command("--served", "none.json")), ALWAYS, "**describe failed**"),
        (f'[tools."{SOURCE}"]\nmcp = "python3 server.py"\n', {"trust": "never"}, "**not checked**"),
    ],
    ids=["no manifest", "no table", "refused", "no program", "not trusted", "failed", "mcp"],
)
async def test_a_tool_in_each_state(editor, workspace: Workspace, manifest, options, state):
    if manifest is not None:
        workspace.write("flow.toml", manifest)
    workspace.write(SOURCE, FIND)
    one = editor()
    await one.start(options=options)
    one.open(SOURCE)
    if state == "**describe failed**":
        await one.shows(SOURCE, "describe-failed")
        assert "standard error ends:" in await one.hover(SOURCE, 0, 10)
    assert state in await one.hover(SOURCE, 0, 10)


async def test_drift_and_what_is_not_served(editor, workspace: Workspace):
    text = TEXT_RESULT + "@tool fn other() -> Result<Int, Never>\n"
    workspace.write("flow.toml", table(SOURCE, command()))
    workspace.write(SOURCE, text)
    one = editor()
    await one.start(options=ALWAYS)
    one.open(SOURCE)
    one.open("flow.toml")
    await one.shows(SOURCE, "drift", "unserved")
    assert "**drift**: the success type is Text here and Int there" in await of(one, SOURCE, text, "find")
    assert "**unserved**" in await of(one, SOURCE, text, "other")
    listed = await one.hover("flow.toml", 0, 10)
    assert "`find` **drift**" in listed
    assert "`other` **unserved**" in listed


async def test_types_and_members(editor, workspace: Workspace):
    workspace.write("types.flow", DECLARED)
    text = "import ./types.{Hit}\n@tool fn one(of: Hit) -> Result<Decimal, Never>\n"
    one = editor()
    await one.start(options={"trust": "never"})
    one.open("a.flow", text)
    one.open("types.flow")
    hit = await of(one, "a.flow", text, "Hit", 1)
    assert "What was found." in hit
    assert '"title": {"type": "string"}' in hit
    assert "types.flow" in hit
    assert hit.startswith("```flow\nrecord Hit")
    assert "score: Option<Decimal>" in await of(one, "types.flow", DECLARED, "score")
    assert "Offline" in await of(one, "types.flow", DECLARED, "Offline")
    assert "limit: Int" in await of(one, "types.flow", DECLARED, "limit")
    assert "exact decimal" in await of(one, "a.flow", text, "Decimal")
    doc = await of(one, "types.flow", DECLARED, "find")
    assert "<b>" not in doc  # a doc comment brings no markup of its own
    assert await of(one, "types.flow", DECLARED, "/// What") == ""


async def test_a_manifest_key_and_a_value(editor, workspace: Workspace):
    text = table(SOURCE, command("x y"))
    workspace.write("flow.toml", text)
    workspace.write(SOURCE, FIND)
    one = editor()
    await one.start(options={"trust": "never"})
    one.open("flow.toml")
    key, value = await one.hover("flow.toml", 0, 10), await one.hover("flow.toml", 1, 14)
    assert "`find` **not checked**" in key
    for text in (key, value):
        assert "`x y`" in text
        assert f"directory `{workspace.folder}`" in text
        assert "answer: not run (The setting flow.trust is never.)" in text
    assert await one.hover("flow.toml", 2, 0) == ""
    one.change("flow.toml", '[tools."gone.flow"]\ncommand = "no-such-program-here"\n')
    assert "There is no such file." in await one.hover("flow.toml", 0, 10)
    assert "no-such-program-here" in await one.hover("flow.toml", 1, 12)


async def test_a_hover_right_behind_an_edit_is_of_the_new_text(editor, workspace: Workspace):
    one = editor()
    await one.start()
    one.open("a.flow", FIND)
    one.open("types.flow", DECLARED)
    one.change("types.flow", DECLARED.replace("What was found", "Another doc"))
    one.change("a.flow", "import ./types.{Hit}\n@tool fn a(x: Hit) -> Result<Int, Never>\n")
    assert "Another doc" in await one.hover("a.flow", 1, 14)


async def test_plain_text_for_a_client_that_wants_it(editor, workspace: Workspace):
    one = editor()
    await one.start(capabilities(markdown=False))
    one.open("a.flow", FIND)
    params = types.HoverParams(one.identifier("a.flow"), types.Position(0, 10))
    found = await one.answer(one.client.text_document_hover_async(params))
    assert found.contents.kind is types.MarkupKind.PlainText
    assert found.range == types.Range(types.Position(0, 9), types.Position(0, 13))


async def test_places_that_are_none_and_documents_that_are_not_open(editor, workspace: Workspace):
    one = editor()
    await one.start()
    one.open("a.flow", FIND)
    one.open("flow.toml", "")
    for line, character in ((40, 3), (0, 10_000), (2**31 - 1, 2**31 - 1), (1, 0)):
        await one.hover("a.flow", line, character)
        await one.hover("flow.toml", line, character)
    with pytest.raises(Exception, match="is not open"):
        await one.hover("never.flow", 0, 0)
