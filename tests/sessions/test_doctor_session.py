"""workspace/executeCommand with flow.doctor: the report as one text, obeying the trust of the session."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from pathlib import Path

import pytest
from editor_session import Editor
from lsprotocol import types
from session_client import capabilities
from session_workspace import FIND, Workspace, command, table

SOURCE = "tools/search.flow"
NOT_ASKED = "PATH of a login shell: not known. It was not asked, "


@pytest.fixture
def one(editor: Callable[[], Editor], workspace: Workspace, tmp_path: Path) -> Editor:
    """An editor of a user without start-up files, in a workspace with one command that leaves a line for each start."""
    workspace.write("flow.toml", table(SOURCE, command("--log", "starts")))
    workspace.write(SOURCE, FIND)
    made = editor()
    (tmp_path / "home").mkdir()
    made.environment["HOME"] = str(tmp_path / "home")
    return made


async def doctor(one: Editor) -> str:
    found = await one.answer(one.client.workspace_execute_command_async(types.ExecuteCommandParams("flow.doctor")))
    assert isinstance(found, str)
    return found


async def test_it_is_advertised(one: Editor):
    result = await one.start()
    assert result.capabilities.execute_command_provider is not None
    assert "flow.doctor" in result.capabilities.execute_command_provider.commands


async def test_what_may_run_is_asked_anew_and_reported(one: Editor, workspace: Workspace):
    await one.start(options={"trust": "always"})
    one.open(SOURCE)
    await one.current(SOURCE)
    text = await doctor(one)
    assert text.startswith("flow-lsp ")
    assert f"  bound by        flow.toml for {SOURCE}\n" in text
    assert "  runs in         .\n" in text
    assert "  --version       Python " in text
    assert "  describe        data 0.1, 1 Tool, in " in text
    assert "PATH of your login shell " in text
    assert "Nothing wrong was found." in text
    assert len(workspace.starts()) == 2


async def test_without_consent_nothing_runs_and_no_question_is_put(one: Editor, workspace: Workspace):
    await one.start()
    text = await doctor(one)
    assert "not run: It waits for your consent" in text
    assert "--version" not in text
    assert (workspace.starts(), one.questions) == ([], [])
    one.open(SOURCE)
    (await one.question()).answer("Run once")
    await one.current(SOURCE)
    assert "data 0.1, 1 Tool" in await doctor(one)


@pytest.mark.parametrize(
    ("options", "reason"),
    [
        ({"trust": "never"}, "for the setting flow.trust is never."),
        ({"trust": "always", "workspaceTrusted": False}, "for the editor does not trust this workspace."),
    ],
)
async def test_where_nothing_is_trusted_not_even_the_login_shell_runs(
    one: Editor, workspace: Workspace, tmp_path: Path, options: dict[str, object], reason: str
):
    (tmp_path / "home" / ".profile").write_text(f"touch '{tmp_path}/ran'\n")
    (tmp_path / "home" / ".bash_profile").write_text(f"touch '{tmp_path}/ran'\n")
    await one.start(options=options)
    text = await doctor(one)
    assert NOT_ASKED + reason in text
    assert "not run: " in text
    assert workspace.starts() == []
    assert not (tmp_path / "ran").exists()


async def test_it_waits_until_the_settings_are_known(one: Editor, workspace: Workspace):
    one.configuration = {"trust": "never"}
    one.configuration_gate = asyncio.Event()
    await one.start(capabilities(configuration=True), options={"trust": "always"})
    asked = asyncio.ensure_future(doctor(one))
    await one.until(lambda: one.configurations_asked)
    await one.quiet(0.3)
    assert not asked.done()
    one.configuration_gate.set()
    assert "for the setting flow.trust is never." in await asked
    assert workspace.starts() == []


async def test_what_is_wrong_is_said_of_the_unsaved_text_too(one: Editor):
    await one.start(options={"trust": "always"})
    one.open("flow.toml")
    one.change("flow.toml", table(SOURCE, "no-such-program-anywhere --password hunter2"))
    text = await doctor(one)
    assert "command  no-such-program-anywhere --password ***\n" in text
    assert "  WRONG           no-such-program-anywhere is in no directory of PATH.\n" in text
    assert "hunter2" not in text
    one.change("flow.toml", "bogus = 1\n")
    assert "manifest  flow.toml\n  WRONG " in await doctor(one)


async def test_a_session_that_ends_meanwhile_leaves_nothing(one: Editor, workspace: Workspace):
    workspace.write("flow.toml", table(SOURCE, command("--log", "starts", "--gate", "never", "--stubborn")))
    await one.start(options={"trust": "always"})
    asked = asyncio.ensure_future(doctor(one))
    await one.started()
    await one.leave()
    with pytest.raises(Exception, match="cancelled"):
        await asked
