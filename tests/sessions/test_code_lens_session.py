"""textDocument/codeLens and workspace/codeLens/refresh: what stands above each Tool, and what its commands do."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest
from call_editor import ACT, ALWAYS, SOURCE, CallingEditor, bind, can_call, starts
from lsprotocol import types
from session_workspace import Workspace


@pytest.fixture
async def one(workspace: Workspace, tmp_path) -> AsyncIterator[CallingEditor]:
    made = CallingEditor(workspace, tmp_path / "state")
    try:
        yield made
        await made.leave()
    finally:
        await made.abandon()


async def test_what_can_be_done_with_a_tool_stands_above_it(one: CallingEditor, workspace: Workspace):
    bind(workspace)
    await one.start(can_call(), options=ALWAYS)
    one.open(SOURCE, "// A line before.\n" + ACT)
    await one.lens("fits · ")
    lenses = await one.lenses()
    end = types.Position(1, 5)
    assert [lens.range for lens in lenses] == [types.Range(types.Position(1, column), end) for column in range(4)]
    uri = workspace.uri(SOURCE)
    state, *others = [lens.command for lens in lenses]
    assert (state.command, state.arguments) == ("flow.tool.explain", (uri, "act"))
    assert others == [
        types.Command("Describe again", "flow.describe", arguments=(uri,)),
        types.Command("Call", "flow.call.open", arguments=(uri, "act")),
        types.Command("Schema", "flow.tool.schema", arguments=(uri, "act")),
    ]
    assert one.result.capabilities.code_lens_provider == types.CodeLensOptions(resolve_provider=False)


@pytest.mark.parametrize(
    ("manifest", "source", "options", "title"),
    [
        (None, ACT, ALWAYS, "unbound: no flow.toml"),
        ("", ACT, ALWAYS, "unbound: no table in flow.toml"),
        ("bogus = 1\n", ACT, ALWAYS, "refused: flow.toml has an error"),
        (f'[tools."{SOURCE}"]\ncommand = "no/such/program"\n', ACT, ALWAYS, "unbound · no/such/program"),
        ("bound", ACT, {"trust": "never"}, "not run: not trusted · "),
        ("bound", ACT, {"trust": "always", "describe": {"enabled": False}}, "not asked yet · "),
        ("bound", ACT.replace("value: Int", "value: Text"), ALWAYS, "drift · "),
        ("bound", ACT.replace("fn act", "fn other"), ALWAYS, "unserved · "),
        ("bound", ACT.replace("Int", "Nothing"), ALWAYS, "its signature is not known"),
    ],
)
async def test_each_state_in_a_few_words(one: CallingEditor, workspace, manifest, source, options, title):
    bind(workspace)
    workspace.write(SOURCE, source)
    if manifest is None:
        workspace.path("flow.toml").unlink()
    elif manifest != "bound":
        workspace.write("flow.toml", manifest)
    await one.start(can_call(), options=options)
    one.open(SOURCE)
    await one.everything_checked()
    await one.lens(title)
    again = ["Describe again"] if manifest == "bound" else []
    changed = ["What changed"] if title.startswith("drift") else []
    known = ["Call", "Schema"] if "Nothing" not in source else []
    assert (await one.titles())[1:] == [*again, *changed, *known]


async def test_what_a_command_said_in_an_earlier_session_is_marked(workspace: Workspace, tmp_path, one: CallingEditor):
    bind(workspace)
    before = CallingEditor(workspace, tmp_path / "state")
    await before.start(can_call(), options=ALWAYS)
    before.open(SOURCE)
    await before.current(SOURCE, line=1, character=8)
    await before.leave()
    await one.start(can_call(), options={"trust": "never"})
    one.open(SOURCE)
    await one.lens("fits, as it was; not run: not trusted · ")


async def test_an_implementation_is_asked_again(one: CallingEditor, workspace: Workspace):
    bind(workspace)
    await one.start(can_call(), options=ALWAYS)
    one.open(SOURCE)
    await one.lens("fits")
    count = starts(workspace)
    await one.run_lens(SOURCE, "Describe again")
    while starts(workspace) == count:
        await one.titles()


async def test_the_lens_of_an_unbound_tool_says_what_to_do(one: CallingEditor, workspace: Workspace):
    bind(workspace)
    workspace.write("flow.toml", "")
    await one.start(can_call(), options=ALWAYS)
    one.open(SOURCE)
    await one.everything_checked()
    said = await one.run_lens(SOURCE, "unbound: no table in flow.toml")
    assert said.startswith("`act` is unbound: flow.toml has no table for this file.")
    assert 'Add [tools."tools.flow"] with a command or an MCP server.' in said
    assert [(message.type, message.message) for message in one.client.messages] == [(types.MessageType.Info, said)]


async def test_lenses_follow_what_is_typed(one: CallingEditor, workspace: Workspace):
    bind(workspace)
    await one.start(can_call(), options={"trust": "never"})
    one.open(SOURCE, "")
    assert await one.lenses() == []
    one.change(SOURCE, ACT + ACT.replace("act", "other"))
    lenses = await one.lenses()
    assert [lens.range.start.line for lens in lenses] == [0] * 4 + [2] * 4
    one.change(SOURCE, ((0, 0), (0, 0), "// x\n"))
    assert [lens.range.start.line for lens in await one.lenses()] == [1] * 4 + [3] * 4


async def test_a_client_that_cannot_refresh_is_not_asked_to(one: CallingEditor, workspace: Workspace):
    bind(workspace)
    await one.start(can_call(refresh=False), options=ALWAYS)
    one.open(SOURCE)
    await one.titles()
    await one.current(SOURCE, line=1, character=8)
    assert (await one.titles())[0].startswith("fits")
    assert one.lens_refreshes == 0


async def test_a_client_that_never_asked_for_lenses_is_not_told_of_them(one: CallingEditor, workspace: Workspace):
    bind(workspace)
    await one.start(can_call(), options=ALWAYS)
    one.open(SOURCE)
    await one.current(SOURCE, line=1, character=8)
    await one.everything_checked()
    assert one.lens_refreshes == 0


async def test_other_documents_have_none(one: CallingEditor, workspace: Workspace):
    bind(workspace)
    await one.start(can_call(), options=ALWAYS)
    one.open("flow.toml")
    one.open("untitled:a.flow", ACT, language="flow")
    one.open("x.flow-call.json", "{}", language="json")  # not one of ours, for all its name
    for name in ("flow.toml", "untitled:a.flow", "x.flow-call.json"):
        assert await one.lenses(name) == []


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ([], "flow.tool.explain takes the URI of a .flow file and the name of a Tool."),
        (["untitled:x", "act"], "flow.tool.explain takes the URI of a .flow file and a Tool."),
        (["SOURCE", "atc"], "tools.flow declares no Tool `atc`. Is `act` meant?"),
    ],
)
async def test_what_cannot_be_explained_is_refused(one: CallingEditor, workspace, arguments, message):
    bind(workspace)
    await one.start(can_call(), options=ALWAYS)
    one.open(SOURCE)
    given = [workspace.uri(SOURCE) if argument == "SOURCE" else argument for argument in arguments]
    with pytest.raises(Exception, match=r".") as refused:
        await one.run("flow.tool.explain", *given)
    assert str(refused.value).startswith(message)
