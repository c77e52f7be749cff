"""flow.call: outcomes, results, and what is called by which binding."""

from __future__ import annotations

import json
import shlex
import sys
from pathlib import Path

import pytest
from call_editor import (
    ACT,
    ALWAYS,
    SOURCE,
    CallingEditor,
    act,
    arguments,
    can_call,
    out,
    outcome,
    path_of,
    plain,
    result,
    started,
    starts,
)
from session_workspace import Workspace

MCP_SERVER = str(Path(__file__).parents[1] / "children" / "mcp_child.py")
ECHO = "record Box<T> { value: T }\n@tool\nfn echo<T>(value: T) -> Result<Box<T>, Never>\n"


@pytest.mark.parametrize(
    ("how", "expected"),
    [
        ("ok", '{"Ok":"1000000000000000000000000000001"}'),
        ("failed", '{"Failed":"no luck"}'),
        ("not-run", '{"NotRun":"not today"}'),
        ("unknown", '{"Unknown":"who knows"}'),
        ("malformed", '{"BadReply":"The outcome is `Okay`, which is none of Ok, Failed, NotRun and Unknown."}'),
    ],
)
async def test_each_outcome_is_answered_as_text_and_kept_as_a_document(one: CallingEditor, how: str, expected: str):
    uri = await started(one)
    answer = await act(one, uri, how, 10**30 + 1)
    assert answer["outcome"] == expected
    assert answer["shown"] is True
    shown = one.shown[-1]
    assert (shown.uri, shown.take_focus) == (answer["uri"], False)
    path = path_of(answer["uri"])
    assert path == path_of(uri).with_name("act.flow-result.json")
    text = path.read_text("utf-8")
    assert '"args": {"how": "' + how + '", "value": 1000000000000000000000000000001}' in text
    found = json.loads(text)
    assert found["outcome"] == json.loads(expected)
    assert list(found) == ["tool", "outcome", "args", "started", "seconds", "log"]
    assert found["tool"] == "tools.act"


async def test_a_client_that_shows_no_documents_has_the_outcome_all_the_same(one: CallingEditor):
    uri = await started(one, can_call(show=False, progress=False, refresh=False))
    answer = await act(one, uri, "ok", 5)
    assert (answer["outcome"], answer["shown"]) == ('{"Ok":"5"}', False)
    assert one.client.messages[-1].message.startswith("act: Ok after ")
    assert one.client.messages[-1].message.endswith(str(path_of(answer["uri"])))
    assert (one.shown, one.progress, one.lens_refreshes) == ([], [], 0)


async def test_unsaved_arguments_count_and_a_closed_document_is_read_from_the_disk(one: CallingEditor):
    uri = await started(one)
    assert (await act(one, uri, "ok", 1))["outcome"] == '{"Ok":"1"}'
    one.close(uri)
    path_of(uri).write_text(arguments("ok", 2), "utf-8")
    assert (await one.call(uri))["outcome"] == '{"Ok":"2"}'


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("{", "The arguments are no JSON: A key in double quotes is expected here, and the text ends."),
        ('{"how": 1, "value": 1}', "A string is expected for Text, and this is a number (at /how)."),
        ('{"how": "ok"}', "The argument `value` is missing."),
        ("[]", "An object is expected for the arguments, and this is an array."),
    ],
)
async def test_arguments_that_are_wrong_start_nothing(one: CallingEditor, workspace: Workspace, text, reason):
    uri = await started(one, describe={"enabled": False})
    one.change(uri, text)
    assert outcome(await one.call(uri)) == ("NotRun", reason)
    assert starts(workspace) == 0


async def test_members_that_are_not_used_are_not_sent(one: CallingEditor):
    uri = await started(one)
    one.change(uri, '{"how": "ok", "value": 1e2, "more": [1.0]}')
    answer = await one.call(uri)
    assert answer["outcome"] == '{"Ok":"100"}'
    assert result(answer)["args"] == {"how": "ok", "value": 100}


async def test_the_last_lines_of_the_implementation_are_kept(one: CallingEditor):
    uri = await started(one)
    assert result(await act(one, uri, "ok"))["log"] == []
    log = result(await act(one, uri, "noise", 2))["log"]
    assert any("is no message" in line and "npm notice" in line for line in log)
    log = result(await act(one, uri, "exit", 3))["log"]
    assert log[-1] == "The process ended with exit status 3."


async def test_a_process_is_kept_between_calls_and_started_again_when_it_ended(one: CallingEditor, workspace):
    uri = await started(one, describe={"enabled": False})
    for value in range(3):
        assert (await act(one, uri, "ok", value))["outcome"] == f'{{"Ok":"{value}"}}'
    assert starts(workspace) == 1
    kind, reason = outcome(await act(one, uri, "exit", 3))
    assert kind == "Unknown"
    assert "exit status 3" in reason
    assert (await act(one, uri, "ok", 4))["outcome"] == '{"Ok":"4"}'
    assert starts(workspace) == 2


async def test_several_calls_are_out_at_once(one: CallingEditor):
    uri = await started(one)
    held = []
    for number in range(1, 4):
        one.change(uri, arguments("hold", number))
        held.append(one.send("flow.call", uri))
    await one.lens("Call", uri)
    while "Cancel (3)" not in await one.titles(uri):
        await one.titles(uri)
    assert not any(call.done() for call in held)
    last = await act(one, uri, "release")
    answers = [plain(await one.answer(call)) for call in held]
    assert sorted(json.loads(each["outcome"])["Ok"] for each in [*answers, last]) == [
        f"call-{number}" for number in range(1, 5)
    ]
    assert await one.titles(uri) == ["Call"]


# -- bindings --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("manifest", "reason"),
    [
        ("", 'has no table [tools."tools.flow"].'),
        ("x = 1\n", "has an error, which refuses the run. `flow-lsp check` shows it."),
        (f'[tools."{SOURCE}"]\ncommand = "no/such"\n', "The program no/such does not exist."),
    ],
)
async def test_what_is_not_bound_is_not_run(one: CallingEditor, workspace: Workspace, manifest, reason):
    workspace.write("flow.toml", manifest)
    uri = await started(one)
    kind, said = outcome(await act(one, uri, "ok"))
    assert kind == "NotRun"
    assert reason in said


async def test_a_declaration_that_does_not_fit_is_not_run_and_says_what_differs(one: CallingEditor, workspace):
    workspace.write(SOURCE, ACT.replace("value: Int", "value: Text"))
    uri = await started(one)
    one.change(uri, '{"how": "ok", "value": ""}')
    kind, reason = outcome(await one.call(uri))
    assert kind == "NotRun"
    assert "serves it with another signature" in reason


async def test_an_override_answers_in_place_of_the_manifest(one: CallingEditor, workspace: Workspace):
    line = json.loads(workspace.path("flow.toml").read_text().partition("command = ")[2])
    workspace.write("flow.toml", "")
    uri = await started(one, overrides={"tools.act": line})
    assert (await act(one, uri, "ok", 7))["outcome"] == '{"Ok":"7"}'


async def test_a_changed_program_answers_the_next_call(one: CallingEditor, workspace: Workspace):
    uri = await started(one, describe={"enabled": False})
    await act(one, uri, "ok", 1)
    held = await out(one, uri, "never")
    workspace.write("listing.json", workspace.path("listing.json").read_text() + "\n")
    assert (await act(one, uri, "ok", 2))["outcome"] == '{"Ok":"2"}'
    assert starts(workspace) == 2
    assert not held.done()  # a call that is out to the old one is not taken away from it
    await one.run("flow.call.cancel", uri)
    assert outcome(plain(await one.answer(held)))[0] == "Unknown"


async def test_a_process_is_let_go_of_when_nothing_is_bound_to_it(one: CallingEditor, workspace: Workspace):
    uri = await started(one, describe={"enabled": False})
    await act(one, uri, "ok", 1)
    assert len(one.left()) > 1
    workspace.write("flow.toml", "")
    one.watched("flow.toml")
    await one.alone()
    assert outcome(await act(one, uri, "ok"))[0] == "NotRun"


async def test_a_generic_tool_is_called_at_the_types_of_its_document(one: CallingEditor, workspace: Workspace):
    workspace.write("echo.flow", ECHO)
    uri = await started(one)
    uri = await one.arguments_of("echo", '{"types": {"T": "Intt"}, "args": {"value": 1}}', "echo.flow")
    kind, reason = outcome(await one.call(uri))
    assert (kind, "There is no type `Intt`" in reason) == ("NotRun", True)
    one.change(uri, '{"types": {"T": "Int"}, "args": {"value": "x"}}')
    assert outcome(await one.call(uri)) == (
        "NotRun",
        "A whole number is expected for Int, and this is a string (at /value).",
    )
    one.change(uri, '{"types": {"T": "Box<List<Int>>"}, "args": {"value": {"value": [1]}}}')
    kind, reason = outcome(await one.call(uri))
    assert 'has no table [tools."echo.flow"]' in reason


async def test_an_mcp_server_answers_calls_and_is_kept_between_them(one: CallingEditor, workspace: Workspace):
    line = shlex.join([sys.executable, "-S", "-E", MCP_SERVER, "--log", "log"])
    workspace.write("hits.flow", "record Hit { query: Text }\n@tool fn find(query: Text) -> Result<Hit, Never>\n")
    workspace.write("flow.toml", f'[tools."hits.flow"]\nmcp = {json.dumps(line)}\n')
    await one.start(can_call(), options={**ALWAYS, "describe": {"enabled": False}})
    one.open("hits.flow")
    uri = await one.arguments_of("find", '{"query": "rain"}', "hits.flow")
    for _ in range(2):
        assert (await one.call(uri))["outcome"] == '{"Ok":{"query":"rain"}}'
    assert len(workspace.starts("log")) == 1


@pytest.mark.parametrize(
    ("command", "given", "message"),
    [
        ("flow.call", [], "flow.call takes the URI of a document of arguments."),
        (
            "flow.call",
            ["file:///nowhere/act.flow-call.json"],
            "flow.call takes the URI of a document of arguments, as ",
        ),
        ("flow.call", ["untitled:x"], "flow.call takes the URI of a document of arguments, as "),
        ("flow.call", ["SOURCE"], "flow.call takes the URI of a document of arguments, as "),
        ("flow.call.cancel", [1], "flow.call.cancel takes the URI of a document of arguments."),
    ],
)
async def test_what_cannot_be_called_is_refused(one: CallingEditor, workspace, command, given, message):
    await started(one)
    given = [workspace.uri(SOURCE) if argument == "SOURCE" else argument for argument in given]
    with pytest.raises(Exception, match=r".") as refused:
        await one.run(command, *given)
    assert str(refused.value).startswith(message)
