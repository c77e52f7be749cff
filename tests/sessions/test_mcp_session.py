"""MCP servers behind declarations, as an editor sees it: asked with consent, judged live, cancelled and ended."""

from __future__ import annotations

import json
import shlex
import sys
from pathlib import Path
from typing import Any

from session_client import capabilities
from session_workspace import FIND, Workspace, command

SERVER = str(Path(__file__).parents[1] / "children" / "mcp_child.py")
ALWAYS = {"trust": "always"}
SOURCE = "tools/search.flow"
OFFERED = "record Hit { query: Text }\n@tool fn find(query: Text) -> Result<Hit, Never>\n"


def server(*arguments: str) -> str:
    return shlex.join([sys.executable, "-S", "-E", SERVER, *arguments])


def table(line: str, path: str = SOURCE, kind: str = "mcp") -> str:
    return f'[tools."{path}"]\n{kind} = {json.dumps(line)}\n'


def bound(workspace: Workspace, source: str = OFFERED, *arguments: str) -> str:
    """Binds the source to the MCP server, and gives the text of the manifest."""
    text = table(server(*arguments))
    workspace.write("flow.toml", text)
    workspace.write(SOURCE, source)
    return text


async def test_a_server_is_asked_once_and_each_edit_judged_by_what_it_said(editor: Any, workspace: Workspace) -> None:
    bound(workspace, OFFERED, "--log", "starts")
    one = editor()
    await one.start(options=ALWAYS)
    one.open(SOURCE)
    text = await one.current(SOURCE, 1)
    assert "**offered**: Offered by child 1.5." in text
    assert "MCP server `child 1.5`, MCP `2025-11-25`" in text
    one.change(SOURCE, OFFERED.replace("find(", "get_sum("))
    (unbound,) = await one.shows(SOURCE, "unbound-no-mcp-tool", version=2)
    assert "It has `get-sum`" in unbound.message
    (related,) = unbound.related_information
    assert related.message.startswith("bound to `")
    one.change(SOURCE, OFFERED.replace("query: Text)", "query: Int)"))
    (differs,) = await one.shows(SOURCE, "mcp-differs", version=3)
    assert differs.severity == 3
    assert "parameter query is Int here and string there" in differs.message
    one.change(SOURCE, OFFERED.replace("find(query: Text)", "find<T>(query: T)"))
    await one.shows(SOURCE, "unbound-generic", version=4)
    one.change(SOURCE, OFFERED)
    await one.shows(SOURCE, version=5)
    await one.alone()
    assert len(workspace.starts()) == 1


async def test_a_server_runs_only_when_the_user_agrees(editor: Any, workspace: Workspace) -> None:
    bound(workspace, OFFERED, "--log", "starts")
    one = editor()
    await one.start()
    one.open(SOURCE)
    one.open("flow.toml")
    question = await one.question()
    assert "mcp_child.py" in question.message
    await one.until(lambda: one.codes("flow.toml") == ["not-run"])
    assert not workspace.starts()
    question.answer("Run once")
    await one.shows("flow.toml")
    assert "**offered**" in await one.current(SOURCE, 1)
    assert len(workspace.starts()) == 1


async def test_one_program_as_a_command_and_as_a_server_is_one_question_and_two_processes(
    editor: Any, workspace: Workspace
) -> None:
    line = server("--log", "starts")
    workspace.write("flow.toml", table(line) + table(line, "tools/other.flow", "command"))
    workspace.write(SOURCE, OFFERED)
    workspace.write("tools/other.flow", FIND)
    one = editor()
    await one.start()
    one.open(SOURCE)
    one.open("tools/other.flow")
    (await one.question()).answer("Run once")
    await one.shows("tools/other.flow", "describe-failed")
    assert "**offered**" in await one.current(SOURCE, 1)
    assert (len(workspace.starts()), len(one.questions)) == (2, 1)


async def test_a_save_asks_again_and_an_older_answer_is_marked_meanwhile(editor: Any, workspace: Workspace) -> None:
    tools = [{"name": "other", "inputSchema": {"type": "object"}}]
    workspace.write("tools.json", json.dumps(tools))
    workspace.write("gate", "")
    bound(workspace, OFFERED, "--tools", "tools.json", "--gate", "gate", "--log", "starts")
    one = editor()
    await one.start(options=ALWAYS)
    one.open(SOURCE)
    (unbound,) = await one.shows(SOURCE, "unbound-no-mcp-tool")
    assert "It offers `other`." in unbound.message
    workspace.path("gate").unlink()
    entry = {"name": "find", "inputSchema": {"type": "object", "properties": {"query": {}}, "required": ["query"]}}
    workspace.write("tools.json", json.dumps([entry | {"outputSchema": {"type": "object"}}]))
    one.save(SOURCE)
    await one.until(lambda: "being asked again" in one.message(SOURCE, "unbound-no-mcp-tool"))
    workspace.write("gate", "")
    await one.shows(SOURCE, "mcp-differs")  # its result may be any object
    assert len(workspace.starts()) == 2


async def test_a_table_that_becomes_a_command_lets_go_of_the_server(editor: Any, workspace: Workspace) -> None:
    text = bound(workspace, FIND, "silent", "--log", "servers")
    one = editor()
    await one.start(options=ALWAYS)
    one.open(SOURCE)
    one.open("flow.toml")
    await one.started("servers")
    one.change("flow.toml", table(command("--log", "starts"), kind="command"))
    assert "**fits**" in await one.current(SOURCE)
    await one.alone()
    one.change("flow.toml", text)
    await one.until(lambda: len(workspace.starts("servers")) == 2)


async def test_a_server_that_fails_is_one_clear_finding_at_its_table_and_at_the_first_tool(
    editor: Any, workspace: Workspace
) -> None:
    bound(workspace, OFFERED + "@tool fn second() -> Result<Hit, Never>\n", "exits")
    one = editor()
    await one.start(options=ALWAYS)
    one.open(SOURCE)
    one.open("flow.toml")
    (failed,) = await one.shows(SOURCE, "mcp-failed")
    assert (
        "ended with exit status 3 before it answered. Its standard error ends: usage: mcp_child stdio" in failed.message
    )
    await one.shows("flow.toml", "mcp-failed")
    await one.alone()


async def test_a_server_that_never_answers_is_ended_with_the_session(editor: Any, workspace: Workspace) -> None:
    bound(workspace, OFFERED, "silent", "--log", "starts")
    one = editor()
    await one.start(options=ALWAYS)
    one.open(SOURCE)
    await one.started()
    await one.leave()  # which fails where a process is left


async def test_progress_and_the_doctor_take_servers_for_what_they_are(editor: Any, workspace: Workspace) -> None:
    from lsprotocol import types

    bound(workspace)
    one = editor()
    await one.start(capabilities(progress=True), options=ALWAYS)
    one.open(SOURCE)
    await one.current(SOURCE, 1)
    await one.until(lambda: not one.progress or one.progress[-1][1]["kind"] == "end")
    report = await one.answer(one.client.workspace_execute_command_async(types.ExecuteCommandParams("flow.doctor")))
    assert "\n\nMCP server  " in report
    assert "describe        child 1.5, MCP 2025-11-25, 2 tools, in " in report
