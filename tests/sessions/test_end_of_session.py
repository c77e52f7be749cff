"""How sessions end: children that will not, an editor that is gone, answers that come too late."""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
import sys
import time

import pytest
from editor_session import SECONDS, SERVER, Editor
from lsprotocol import types
from session_client import capabilities, processes_with
from session_workspace import FIND, Workspace, command, table
from wire_client import Wire, framed, notification, request

SOURCE = "tools/search.flow"
ALWAYS = {"trust": "always"}


REQUESTS = (
    "textDocument/hover",
    "textDocument/completion",
    "textDocument/diagnostic",
    "workspace/diagnostic",
    "workspace/executeCommand",
)
NOTIFICATIONS = (
    "textDocument/didSave",
    "workspace/didChangeWatchedFiles",
    "workspace/didChangeConfiguration",
    "workspace/didChangeWorkspaceFolders",
)
SHAPES = (
    None,
    [],
    5,
    {},
    {"textDocument": 5},
    {"textDocument": {"uri": 5}},
    {"textDocument": {"uri": "x"}},
    {"textDocument": {"uri": "file:///p/flow.toml"}, "position": {"line": -1, "character": "x"}},
    {"command": 5},
    {"command": "flow.describe", "arguments": {}},
    {"previousResultIds": [5, {}]},
    {"changes": [5, {}, {"uri": 5}]},
    {"event": {"added": 5, "removed": [5, {}]}},
)


def bind(workspace: Workspace, *arguments: object) -> None:
    workspace.write("flow.toml", table(SOURCE, command("--log", "starts", *arguments)))
    workspace.write(SOURCE, FIND)


async def opened(one: Editor, **more) -> Editor:
    await one.start(options=ALWAYS, **more)
    one.open(SOURCE)
    await one.started()
    return one


async def test_shutdown_with_a_child_that_ignores_all_that_is_asked_of_it(editor, workspace: Workspace):
    bind(workspace, "--stubborn", "--gate", "never")
    one = await opened(editor())
    begin = time.monotonic()
    await one.leave()  # which proves that nothing is left
    assert time.monotonic() - begin < 10


async def test_exit_without_shutdown_is_status_1_and_leaves_nothing(editor, workspace: Workspace):
    bind(workspace, "--gate", "never")
    one = await opened(editor())
    one.client.exit(None)
    await one.ended(1)


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
async def test_a_signal_leaves_nothing(editor, workspace: Workspace, number):
    bind(workspace, "--gate", "never")
    one = await opened(editor())
    one.process.send_signal(number)
    await one.ended(128 + number)


def test_an_editor_that_is_killed_leaves_neither_server_nor_children(workspace: Workspace, tmp_path):
    """The server is the child of another process, whose death closes no pipe that the server reads."""
    bind(workspace, "--stubborn", "--gate", "never")
    marker = os.urandom(16).hex()
    server = ["env", f"FLOW_LSP_TEST_MARKER={marker}", f"FLOW_LSP_STATE_DIRECTORY={tmp_path / 'state'}", SERVER]
    with (
        subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE) as parent,
        Wire(server) as wire,
    ):
        folder = {"uri": workspace.uri(), "name": "w"}
        wire.initialize(processId=parent.pid, workspaceFolders=[folder], initializationOptions=ALWAYS)
        document = {"uri": workspace.uri(SOURCE), "languageId": "flow", "version": 1, "text": FIND}
        wire.send(notification("textDocument/didOpen", {"textDocument": document}))
        deadline = time.monotonic() + SECONDS
        while not workspace.starts():
            assert time.monotonic() < deadline
            place = {"textDocument": {"uri": workspace.uri(SOURCE)}, "position": {"line": 0, "character": 10}}
            wire.ask("hover", "textDocument/hover", place)
        parent.kill()
        assert wire.end() == 1
        assert processes_with(marker) == []


async def test_a_server_that_is_killed_leaves_no_child(editor, workspace: Workspace):
    bind(workspace, "--stubborn", "--gate", "never")
    one = await opened(editor())
    one.process.kill()
    await one.process.wait()
    deadline = time.monotonic() + SECONDS
    while one.left():
        assert time.monotonic() < deadline


async def test_late_second_and_foreign_answers_are_dropped(editor, workspace: Workspace):
    bind(workspace)
    one = editor()
    one.configuration = {}
    one.configuration_gate = asyncio.Event()
    await one.start(capabilities(configuration=True, progress=True))
    one.open(SOURCE)
    await one.until(lambda: one.configurations_asked)
    one.configure()
    await one.until(lambda: one.configurations_asked == 2)
    one.configuration_gate.set()
    writer = one.process.stdin
    for number in (1, 1, 2, 2, 3, 99, 10**30):
        writer.write(framed({"jsonrpc": "2.0", "id": number, "result": [{"trust": "always"}]}))
        writer.write(framed({"jsonrpc": "2.0", "id": number, "error": {"code": 1, "message": "x"}}))
    for number in ("1", None, 1.5, True, [1]):
        writer.write(framed({"jsonrpc": "2.0", "id": number, "result": None}))
    question = await one.question()
    assert "find" in await one.hover(SOURCE, 0, 10)
    question.answer("Run once")
    await one.started()
    await one.current(SOURCE)


async def test_an_edit_while_progress_is_being_created(editor, workspace: Workspace):
    bind(workspace, "--gate", "gate")
    one = editor()
    gate = asyncio.Event()

    async def created(params: types.WorkDoneProgressCreateParams) -> None:
        one.created_progress.append(params.token)
        one._happened.set()
        await gate.wait()

    one.client.protocol.fm.features.pop(types.WINDOW_WORK_DONE_PROGRESS_CREATE)
    one.client.feature(types.WINDOW_WORK_DONE_PROGRESS_CREATE)(created)
    await one.start(capabilities(progress=True), options=ALWAYS)
    one.open(SOURCE)
    await one.until(lambda: one.created_progress)
    one.change(SOURCE, FIND + "\n")
    one.save(SOURCE)
    workspace.write("gate", "")
    await one.current(SOURCE)
    gate.set()
    assert "find" in await one.hover(SOURCE, 0, 10)
    await one.quiet(0.3)
    kinds = [value["kind"] for _, value in one.progress]
    assert kinds in ([], ["begin", "report", "end"], ["begin", "end"])


def test_requests_of_any_shape_are_answered_each_once(workspace: Workspace, tmp_path):
    environment = [f"FLOW_LSP_STATE_DIRECTORY={tmp_path / 'state'}", SERVER]
    with Wire(["env", *environment], strict=True) as wire:
        wire.initialize(workspaceFolders=[{"uri": workspace.uri(), "name": "w"}])
        document = {"uri": "file:///p/flow.toml", "languageId": "toml", "version": 1, "text": "a = 1"}
        wire.send(notification("textDocument/didOpen", {"textDocument": document}))
        number = 0
        for method in REQUESTS:
            for shape in SHAPES:
                number += 1
                wire.send(request(number, method, shape))
        for method in NOTIFICATIONS:
            for shape in SHAPES:
                wire.send(notification(method, shape))
        answered = []
        while len(answered) < number:
            answer = wire.wait(lambda message: "method" not in message)
            assert ("result" in answer) != ("error" in answer)
            answered.append(answer["id"])
        assert sorted(answered) == list(range(1, number + 1))
        assert wire.leave() == 0
