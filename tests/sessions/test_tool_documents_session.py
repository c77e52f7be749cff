"""flow.tool.changes and flow.tool.schema: documents about a Tool, and what each client does with them."""

from __future__ import annotations

import json

import pytest
from call_editor import ACT, ALWAYS, SOURCE, CallingEditor, can_call, path_of, plain
from lsprotocol import types
from session_workspace import Workspace

CHANGED = ACT.replace("value: Int", "value: Text")


async def started(one: CallingEditor, source: str, can: types.ClientCapabilities | None = None) -> None:
    one.workspace.write(SOURCE, source)
    await one.start(can or can_call(), options=ALWAYS)
    one.open(SOURCE)


async def test_what_changed_is_shown_as_two_texts(one: CallingEditor, workspace: Workspace):
    await started(one, CHANGED)
    await one.lens("drift · ")
    found = plain(await one.run_lens(SOURCE, "What changed"))
    assert found["shown"]
    assert found["title"] == "act: declared and served"
    declared, served = path_of(found["declared"]), path_of(found["served"])
    assert declared.read_text() == "fn act(how: Text, value: Text) -> Result<Text, Text>\n"
    assert served.read_text() == "fn act(how: Text, value: Int) -> Result<Text, Text>\n"
    assert [(shown.uri, shown.take_focus) for shown in one.shown] == [
        (found["declared"], False),
        (found["served"], True),
    ]
    assert workspace.folder not in declared.parents
    uri = one.open(found["served"], served.read_text())  # opened as Flow text, it is no source
    await one.everything_checked()
    assert one.found(uri) == []


async def test_a_client_that_shows_differences_does_it_itself(one: CallingEditor):
    can = can_call()
    can.experimental = {"flowDiff": True}
    await started(one, CHANGED, can)
    await one.lens("drift · ")
    found = plain(await one.run_lens(SOURCE, "What changed"))
    assert not found["shown"]
    assert one.shown == []
    assert path_of(found["served"]).exists()


async def test_a_client_that_shows_nothing_is_told_where_the_texts_are(one: CallingEditor):
    await started(one, CHANGED, can_call(show=False))
    await one.lens("drift · ")
    found = plain(await one.run_lens(SOURCE, "What changed"))
    assert not found["shown"]
    messages = [message.message for message in one.client.messages]
    assert messages == [
        f"act as it is declared: {path_of(found['declared'])}",
        f"act as it is served: {path_of(found['served'])}",
    ]


async def test_the_schemas_of_a_tool_are_a_document(one: CallingEditor):
    await started(one, ACT)
    found = plain(await one.run_lens(SOURCE, "Schema"))
    assert found["shown"]
    document = json.loads(path_of(found["uri"]).read_text())
    assert document["params"] == {"how": {"type": "string"}, "value": {"type": "integer"}}
    assert [shown.uri for shown in one.shown] == [found["uri"]]


@pytest.mark.parametrize("command", ["flow.tool.changes", "flow.tool.schema"])
@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ([], "COMMAND takes the URI of a .flow file and a Tool."),
        (["untitled:x", "act"], "COMMAND takes the URI of a .flow file and a Tool."),
        (["SOURCE", "atc"], "tools.flow declares no Tool `atc`. Is `act` meant?"),
    ],
)
async def test_what_is_no_tool_is_refused(one: CallingEditor, command: str, arguments: list[str], message: str):
    await started(one, ACT)
    given = [one.workspace.uri(SOURCE) if argument == "SOURCE" else argument for argument in arguments]
    with pytest.raises(Exception, match=r".") as refused:
        await one.run(command, *given)
    assert str(refused.value).startswith(message.replace("COMMAND", command))


async def test_a_tool_of_which_too_little_is_known_is_refused(one: CallingEditor):
    await started(one, ACT.replace("value: Int", "value: Nothing"))
    for command, said in (
        ("flow.tool.changes", "The signature of `act` is not known."),
        ("flow.tool.schema", "`act` has no schemas while its signature is not known."),
    ):
        with pytest.raises(Exception, match=said):
            await one.run(command, one.workspace.uri(SOURCE), "act")


async def test_a_tool_that_is_bound_to_nothing_has_no_other_side(one: CallingEditor, workspace: Workspace):
    workspace.write("flow.toml", "")
    await started(one, ACT)
    with pytest.raises(Exception, match=r"Nothing is known to be served for `act`\."):
        await one.run("flow.tool.changes", workspace.uri(SOURCE), "act")
