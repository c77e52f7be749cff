"""The setting flow.contracts: what was recorded is used where nothing runs, marked, and read again when it changes."""

from __future__ import annotations

import asyncio
import json
import os
import subprocess
from pathlib import Path

import pytest
from editor_session import SERVER, Editor
from lsprotocol import types
from session_client import capabilities
from session_workspace import FIND, Workspace, command, table
from test_command_line_agrees import by_check, by_editor
from test_watched_files_session import patterns

SOURCE = "tools/search.flow"
TEXT_RESULT = FIND.replace("Int", "Text")
FILE = "contracts.json"
NEVER = {"trust": "never", "contracts": FILE}
AS_RECORDED = "(as recorded on 20"
CREATED, CHANGED, DELETED = types.FileChangeType.Created, types.FileChangeType.Changed, types.FileChangeType.Deleted


@pytest.fixture
async def recorded(workspace: Workspace, tmp_path: Path) -> Path:
    """A workspace whose one Tool drifted from what is recorded; the path of its contracts file."""
    workspace.write("flow.toml", table(SOURCE, command("--log", "starts")))
    workspace.write(SOURCE, TEXT_RESULT)
    await record(workspace, tmp_path)
    workspace.path("starts").unlink()
    return workspace.path(FILE)


async def record(workspace: Workspace, tmp_path: Path) -> None:
    """Has the command line record, as somebody else in another place would."""
    ran = await asyncio.to_thread(
        subprocess.run,
        [SERVER, "describe", "--trust", "--record", FILE],
        cwd=workspace.folder,
        env={**os.environ, "FLOW_LSP_STATE_DIRECTORY": str(tmp_path / "another's state")},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        check=False,
        timeout=60,
    )
    assert ran.returncode == 0, ran.stderr


def messages(one: Editor) -> list[str]:
    return [message.message for message in one.client.messages]


async def test_a_contract_speaks_where_nothing_may_run(editor, workspace: Workspace, recorded: Path):
    one = editor()
    await one.start(options=NEVER)
    one.open(SOURCE)
    one.open("flow.toml")
    (drift,) = await one.shows(SOURCE, "drift")
    assert AS_RECORDED in drift.message
    text = await one.hover(SOURCE, 0, 10)
    assert AS_RECORDED in text
    assert "answer: as recorded on 20" in text
    assert "The setting flow.trust is never." in text
    await one.shows("flow.toml")
    assert (workspace.starts(), messages(one)) == ([], [])


async def test_the_answer_of_the_program_takes_its_place(editor, workspace: Workspace, recorded: Path):
    workspace.write("flow.toml", table(SOURCE, command("--log", "starts", "--gate", "gate")))
    contracts = json.loads(recorded.read_text())
    contracts["contracts"][0]["words"] += ["--gate", "gate"]
    workspace.write(FILE, json.dumps(contracts))
    one = editor()
    await one.start(options={"contracts": [FILE]})
    one.open(SOURCE)
    question = await one.question()
    await one.until(lambda: AS_RECORDED in one.message(SOURCE, "drift"))
    question.answer("Run once")
    await one.started()
    assert AS_RECORDED in one.message(SOURCE, "drift")
    workspace.write("gate", "")
    await one.until(lambda: one.message(SOURCE, "drift") and "(as " not in one.message(SOURCE, "drift"))


async def test_a_program_that_is_not_there_is_no_finding_where_a_contract_speaks(editor, workspace, recorded):
    line = "no-such-program-anywhere --x"
    workspace.write("flow.toml", table(SOURCE, line))
    one = editor()
    await one.start(options={"trust": "always", "contracts": FILE})
    one.open("flow.toml")
    await one.shows("flow.toml", "program-not-found")
    contracts = json.loads(recorded.read_text())
    contracts["contracts"][0]["words"] = line.split()
    workspace.write(FILE, json.dumps(contracts))
    one.watched(FILE)
    await one.shows("flow.toml")
    await one.until(lambda: AS_RECORDED in one.message(SOURCE, "drift"))


async def test_asking_that_is_turned_off_leaves_it_to_the_contract(editor, workspace: Workspace, recorded: Path):
    one = editor()
    await one.start(options={"trust": "always", "describe": {"enabled": False}, "contracts": FILE})
    await one.until(lambda: AS_RECORDED in one.message(SOURCE, "drift"))
    assert workspace.starts() == []


async def test_the_file_is_watched_and_read_again(editor, workspace: Workspace, tmp_path: Path, recorded: Path):
    one = editor()
    await one.start(options=NEVER)
    await one.until(lambda: one.codes(SOURCE) == ["drift"])
    (registration,) = one.registrations.values()
    assert patterns(registration) == ["**/*.flow", "**/flow.toml", "**/flow_tools.py", f"**/{FILE}"]
    before = recorded.read_text()
    recorded.unlink()
    one.watched(FILE, kind=DELETED)
    await one.until(lambda: one.codes(SOURCE) == [] and one.codes("flow.toml") == ["not-run"])
    (said,) = messages(one)
    assert said.startswith("The contracts file contracts.json cannot be used. This file does not exist.")
    workspace.write(FILE, before)
    one.watched(FILE, kind=CREATED)
    await one.until(lambda: one.codes(SOURCE) == ["drift"] and one.codes("flow.toml") == [])


async def test_a_broken_file_is_said_once_with_its_place_and_the_rest_goes_on(editor, workspace, recorded: Path):
    before = recorded.read_text()
    one = editor()
    await one.start(options=NEVER)
    await one.until(lambda: one.codes(SOURCE) == ["drift"])
    for _ in range(2):
        workspace.write(FILE, "<<<<<<< HEAD\n" + before)
        one.watched(FILE)
        await one.until(lambda: one.codes("flow.toml") == ["not-run"])
    (said,) = messages(one)
    assert said.startswith("The contracts file contracts.json:1:1 cannot be used. ")
    workspace.write(FILE, before)
    one.watched(FILE)
    await one.until(lambda: one.said() == {SOURCE: ["drift"]})


@pytest.mark.parametrize("content", [b"\xff", b"[" * 100_000, b'{"version": 1, "contracts": [{"words": 5}]}', b""])
async def test_a_hostile_file_is_a_message(editor, workspace: Workspace, recorded: Path, content: bytes):
    workspace.write(FILE, content)
    one = editor()
    await one.start(options=NEVER)
    await one.until(lambda: messages(one))
    await one.everything_checked()
    assert one.said() == {"flow.toml": ["not-run"]}


async def test_a_setting_that_comes_later_counts_and_a_wrong_one_is_said(editor, workspace, recorded: Path):
    one = editor()
    await one.start(options={"trust": "never"})
    await one.until(lambda: one.said() == {"flow.toml": ["not-run"]})
    one.configure({"flow": {"contracts": 5}})
    await one.until(lambda: any("flow.contracts was ignored" in line for line in one.logs))
    one.configure({"flow": {"contracts": ["gone.json", str(recorded)]}})
    await one.until(lambda: one.said() == {SOURCE: ["drift"]})
    assert [message.split(" cannot")[0] for message in messages(one)] == ["The contracts file gone.json"]
    one.configure({"flow": {"contracts": []}})
    await one.until(lambda: one.said() == {"flow.toml": ["not-run"]})


async def test_a_save_looks_at_the_file_too_for_a_client_may_watch_nothing(editor, workspace, recorded: Path):
    before = recorded.read_text()
    recorded.unlink()
    one = editor()
    await one.start(capabilities(watch=False), options=NEVER)
    one.open(SOURCE)
    await one.until(lambda: messages(one))
    workspace.write(FILE, before)
    one.save(SOURCE)
    await one.shows(SOURCE, "drift")


async def test_the_editor_and_the_command_line_agree_on_contracts(editor, workspace, tmp_path: Path, recorded: Path):
    arguments = ["--no-describe", "--contracts", FILE]
    expected = await asyncio.to_thread(by_check, workspace, tmp_path / "other state", *arguments)
    assert {each[6] for each in expected} == {"drift"}
    one = editor()
    await one.start(capabilities(("utf-32",)), options=NEVER)
    await one.until(lambda: by_editor(one) == expected)


async def test_a_window_without_a_folder_has_no_contracts_of_a_relative_path(editor, workspace, recorded: Path):
    one = editor()
    await one.start(options=NEVER, folders=[])
    one.open(SOURCE)
    await one.everything_checked()
    await one.quiet(0.3)
    assert (one.codes(SOURCE), messages(one)) == ([], [])
