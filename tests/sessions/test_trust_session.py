"""Trust as the server enforces it: the question, each answer, when it is put again, and what never runs."""

from __future__ import annotations

import json
import os
import shlex
import sys

import pytest
from editor_session import Editor
from session_client import capabilities
from session_workspace import FIND, Workspace, command, table

SOURCE = "tools/search.flow"
TEXT_RESULT = FIND.replace("Int", "Text")
TITLES = ["Run once", "Always for this command here", "Never"]


@pytest.fixture
def starts(workspace: Workspace):
    """A workspace whose one command leaves a line for each start."""
    workspace.write("flow.toml", table(SOURCE, command("--log", "starts")))
    workspace.write(SOURCE, TEXT_RESULT)
    return workspace.starts


def on_path(workspace: Workspace, directory: str) -> str:
    """Puts a program that starts the implementation in a directory beside the workspace."""
    path = workspace.folder.parent / directory / "implementation"
    path.parent.mkdir(exist_ok=True)
    path.write_text(f"#!/bin/sh\nexec {command('--log', 'starts')}\n")
    path.chmod(0o755)
    return str(path)


def with_path(one: Editor) -> Editor:
    """The editor looks for programs in two directories beside the workspace first."""
    beside = one.workspace.folder.parent
    one.environment["PATH"] = os.pathsep.join([str(beside / "first"), str(beside / "second"), os.environ["PATH"]])
    return one


async def opened(one: Editor, **more) -> Editor:
    await one.start(**more)
    one.open(SOURCE)
    return one


async def test_the_question_holds_all_that_would_run_and_where(editor, workspace: Workspace, starts):
    words = [sys.executable, "-c", "pass", "a b", "", "it's", "\u202edlrow", "x" * 3000]
    quoted = shlex.join(words)
    workspace.write("flow.toml", f'[tools."{SOURCE}"]\ncommand = {json.dumps(quoted)}\n')
    one = await opened(editor())
    question = await one.question()
    assert question.titles == TITLES
    for part in (sys.executable, "'a b'", "''", '"it\'s"', "\\u202edlrow", "x" * 3000, str(workspace.folder)):
        assert part in question.message
    assert "\u202e" not in question.message
    question.answer(None)


async def test_once_is_for_this_session_alone(editor, workspace: Workspace, starts):
    one = await opened(editor())
    question = await one.question()
    assert starts() == []
    question.answer("Run once")
    await one.shows(SOURCE, "drift")
    one.save(SOURCE)
    await one.started(times=2)
    await one.leave()
    two = await opened(editor())
    await two.question()
    assert len(starts()) == 2
    two.questions[0].answer(None)


async def test_always_is_kept_outside_of_the_workspace(editor, workspace: Workspace, starts):
    files = set(workspace.folder.rglob("*"))
    one = await opened(editor())
    (await one.question()).answer("Always for this command here")
    await one.shows(SOURCE, "drift")
    await one.leave()
    two = await opened(editor())
    await two.shows(SOURCE, "drift")
    assert two.questions == []
    assert len(starts()) == 2
    assert set(workspace.folder.rglob("*")) - files == {workspace.path("starts")}


async def test_never_is_kept_until_the_user_asks_for_it(editor, workspace: Workspace, starts):
    one = await opened(editor())
    one.open("flow.toml")
    (await one.question()).answer("Never")
    await one.until(lambda: "You answered that it never runs here" in one.message("flow.toml", "not-run"))
    one.save(SOURCE)
    await one.everything_checked()
    await one.leave()
    two = await opened(editor())
    two.open("flow.toml")
    await two.until(lambda: "You answered that it never runs here" in two.message("flow.toml", "not-run"))
    assert (two.questions, starts()) == ([], [])
    await two.describe(SOURCE)
    (await two.question()).answer("Run once")
    await two.shows(SOURCE, "drift")


async def test_a_question_that_was_closed_is_not_put_again_until_the_user_asks(editor, workspace, starts):
    workspace.write("sure/flow.toml", table(SOURCE, command("--log", "starts")))
    workspace.write(f"sure/{SOURCE}", FIND)
    one = await opened(editor())
    (await one.question()).answer(None)
    one.open("flow.toml")
    (waits,) = await one.shows("flow.toml", "not-run")
    assert "It waits for your consent" in waits.message
    one.save(SOURCE)
    one.save("flow.toml")
    one.change(SOURCE, FIND)
    one.open(f"sure/{SOURCE}")  # a question about another shows that none came about the first
    (await one.question(1)).answer("Run once")
    await one.started("sure/starts")
    assert (len(one.questions), starts()) == (2, [])
    await one.describe("flow.toml")
    (await one.question(2)).answer("Run once")
    await one.started()
    assert one.questions[2].message == one.questions[0].message


@pytest.mark.parametrize("change", ["words", "directory", "program"])
async def test_consent_is_asked_for_again_when_what_it_was_about_changes(editor, workspace, change):
    on_path(workspace, "second")
    workspace.write("flow.toml", table(SOURCE, "implementation"))
    workspace.write(SOURCE, TEXT_RESULT)
    one = await opened(with_path(editor()))
    (await one.question()).answer("Always for this command here")
    await one.shows(SOURCE, "drift")
    await one.leave()
    two = with_path(editor())
    if change == "words":
        workspace.write("flow.toml", table(SOURCE, "implementation --x"))
    elif change == "directory":
        moved = Workspace(workspace.folder.with_name("moved"))
        workspace.folder.rename(moved.folder / "below")
        two.workspace = Workspace(moved.folder / "below")
    else:
        on_path(workspace, "first")
    await opened(two)
    question = await two.question()
    question.answer(None)
    await two.everything_checked()
    assert len(two.workspace.starts()) == 1


async def test_a_program_that_changes_in_a_session_is_asked_about_again(editor, workspace: Workspace):
    on_path(workspace, "second")
    workspace.write("flow.toml", table(SOURCE, "implementation"))
    workspace.write(SOURCE, TEXT_RESULT)
    one = await opened(with_path(editor()))
    (await one.question()).answer("Run once")
    await one.shows(SOURCE, "drift")
    on_path(workspace, "first")
    one.save(SOURCE)
    question = await one.question(1)
    assert on_path(workspace, "first") in question.message
    assert len(workspace.starts()) == 1
    question.answer("Run once")
    await one.started(times=2)


@pytest.mark.parametrize(
    "options",
    [{"flow": {"trust": "never"}}, {"trust": "always", "workspaceTrusted": False}],
)
async def test_nothing_runs_whatever_is_done(editor, workspace: Workspace, starts, options):
    before = editor()
    await opened(before, options={"trust": "always"})
    await before.shows(SOURCE, "drift")
    await before.leave()
    one = await opened(editor(), options=options)
    one.open("flow.toml")
    reason = "flow.trust is never" if "never" in str(options) else "does not trust this workspace"
    await one.until(lambda: one.codes("flow.toml") == ["not-run"])
    assert reason in one.message("flow.toml", "not-run")
    (drift,) = await one.shows(SOURCE, "drift")  # what it said in the session before, with its age
    assert "(as of " in drift.message
    await one.describe()
    await one.describe(SOURCE)
    one.save(SOURCE)
    one.save("flow.toml")
    one.change("flow.toml", table(SOURCE, command("--log", "starts", "--print", "x")))
    one.watched("flow.toml")
    await one.everything_checked()
    await one.quiet(1.3)  # longer than anything waits before it starts a command
    assert (len(starts()), one.questions) == (1, [])


async def test_without_an_earlier_answer_all_that_is_static_is_said(editor, workspace: Workspace, starts):
    workspace.write(SOURCE, TEXT_RESULT.replace("query: Text", "query: Txt"))
    workspace.write("other.flow", FIND)
    one = await opened(editor(), options={"trust": "never"})
    await one.until(
        lambda: one.said() == {"flow.toml": ["not-run"], SOURCE: ["unknown-type"], "other.flow": ["unbound-no-table"]}
    )
    assert starts() == []


async def test_the_question_is_about_what_is_open_alone_and_one_at_a_time(editor, workspace: Workspace):
    for name in ("one", "two", "three"):
        workspace.write(f"{name}/flow.toml", table(SOURCE, command("--log", "starts")))
        workspace.write(f"{name}/{SOURCE}", FIND)
    one = editor()
    await one.start()
    one.open(f"one/{SOURCE}")
    one.open(f"two/{SOURCE}")
    first = await one.question()
    await one.everything_checked()
    await one.quiet(0.3)
    assert len(one.questions) == 1
    first.answer("Run once")
    (await one.question(1)).answer(None)
    await one.everything_checked()
    await one.quiet(0.3)
    assert len(one.questions) == 2
    assert not any(str(workspace.path("three")) in question.message for question in one.questions)


async def test_an_answer_that_comes_when_nothing_is_bound_any_more_starts_nothing(editor, workspace, starts):
    workspace.write("sure/flow.toml", table(SOURCE, command("--log", "starts")))
    workspace.write(f"sure/{SOURCE}", FIND)
    one = await opened(editor())
    question = await one.question()
    one.open("flow.toml")
    one.change("flow.toml", "")
    one.save("flow.toml")
    await one.shows(SOURCE, "unbound-no-table")
    one.open(f"sure/{SOURCE}")
    await one.everything_checked()
    await one.quiet(0.3)
    question.answer("Run once")
    (await one.question(1)).answer("Run once")
    await one.started("sure/starts")
    assert starts() == []


async def test_a_client_that_cannot_ask_runs_nothing_and_says_so(editor, workspace: Workspace, starts):
    one = await opened(editor(), can=capabilities(questions=False))
    one.open("flow.toml")
    (waits,) = await one.shows("flow.toml", "not-run")
    assert "It waits for your consent" in waits.message
    await one.describe()
    await one.quiet(0.5)
    assert starts() == []


async def test_an_answer_of_the_editor_that_is_none_runs_nothing(editor, workspace: Workspace, starts):
    from lsprotocol import types

    one = await opened(editor())
    (await one.question()).answered.set_result(types.MessageActionItem(title="Allow everything"))
    await one.everything_checked()
    await one.quiet(0.5)
    assert starts() == []
