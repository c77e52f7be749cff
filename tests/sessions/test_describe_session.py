"""Implementations asked in the background, as an editor sees it: what is shown when, what runs, what is cancelled."""

from __future__ import annotations

import sys

import pytest
from lsprotocol import types
from session_client import capabilities
from session_workspace import FIND, Workspace, command, table

ALWAYS = {"trust": "always"}
SOURCE = "tools/search.flow"
TEXT_RESULT = FIND.replace("Int", "Text")
EXITS = f"{sys.executable} -c 'import sys; sys.exit(\"the key is missing\")'"


def bound(workspace: Workspace, source: str = FIND, *arguments: object) -> str:
    """Binds the source to the implementation, and gives the text of the manifest."""
    text = table(SOURCE, command(*arguments))
    workspace.write("flow.toml", text)
    workspace.write(SOURCE, source)
    return text


async def test_an_edit_changes_drift_live(editor, workspace: Workspace):
    bound(workspace, FIND, "--log", "starts")
    one = editor()
    await one.start(options=ALWAYS)
    one.open(SOURCE)
    assert "**fits**" in await one.current(SOURCE)
    one.change(SOURCE, TEXT_RESULT)
    (drift,) = await one.shows(SOURCE, "drift", version=2)
    assert "the success type is Text here and Int there" in drift.message
    one.change(SOURCE, FIND)
    await one.shows(SOURCE, version=3)
    assert len(workspace.starts()) == 1  # no edit of a declaration asks again


async def test_every_difference_is_told_by_its_path(editor, workspace: Workspace):
    hit = "record Hit { title: Text, score: Option<Int> }\nenum Bad { Offline, Slow }\n"
    source = hit + "@tool fn find(limit: Int, query: Text) -> Result<Hit, Bad>\n"
    bound(workspace, source, "--served", "served.json")
    served_hit = {
        "type": "object",
        "title": "Hit",
        "properties": {"title": {"type": "string"}, "rank": {"type": "integer"}},
        "required": ["title", "rank"],
        "additionalProperties": False,
    }
    workspace.serve(
        (
            "tools/search.find",
            {"params": [["query", {"type": "string"}], ["limit", {"type": "boolean"}]], "ok": served_hit},
        )
    )
    one = editor()
    await one.start(options=ALWAYS)
    one.open(SOURCE)
    (drift,) = await one.shows(SOURCE, "drift")
    assert "`limit`" in drift.message
    assert "other order" in drift.message


async def test_unserved_and_what_nothing_declares(editor, workspace: Workspace):
    bound(workspace, FIND, "--served", "served.json")
    workspace.serve(("tools/search.fnid", {}), ("tools/other.one", {}))
    one = editor()
    await one.start(options=ALWAYS)
    one.open(SOURCE)
    one.open("flow.toml")
    (unserved,) = await one.shows(SOURCE, "unserved")
    assert "is `tools/search.fnid` meant?" in unserved.message
    (undeclared,) = await one.shows("flow.toml", "served-undeclared")
    assert "`tools/other.one`, `tools/search.fnid`" in undeclared.message


async def test_an_unsaved_manifest_rebinds_and_the_old_process_is_cancelled(editor, workspace: Workspace):
    bound(workspace, FIND, "--log", "old", "--gate", "never")
    workspace.serve(("tools/search.find", {"ok": {"type": "string"}}))
    one = editor()
    await one.start(options=ALWAYS)
    one.open(SOURCE)
    one.open("flow.toml")
    await one.started("old")
    one.change("flow.toml", table(SOURCE, command("--log", "new", "--served", "served.json")))
    await one.shows(SOURCE, "drift")
    assert len(workspace.starts("old")) == len(workspace.starts("new")) == 1
    await one.alone()
    one.close("flow.toml")  # and back to what is on the disk
    await one.shows(SOURCE)
    await one.started("old", 2)


async def test_a_half_typed_command_is_not_started(editor, workspace: Workspace):
    text = bound(workspace, FIND, "--log", "starts")
    one = editor()
    await one.start(options=ALWAYS)
    one.open("flow.toml")
    await one.started()
    for length in range(1, 5):
        one.change("flow.toml", text.replace('starts"', f'starts{length}"'))
        await one.everything_checked()
        await one.quiet(0.2)  # longer than the pause before everything is checked
    await one.started("starts4")
    assert not any(workspace.path(f"starts{length}").exists() for length in (1, 2, 3))


async def test_a_broken_manifest_keeps_the_last_good_bindings_in_view(editor, workspace: Workspace):
    text = bound(workspace, TEXT_RESULT, "--log", "starts")
    one = editor()
    await one.start(options=ALWAYS)
    one.open(SOURCE)
    one.open("flow.toml")
    await one.shows(SOURCE, "drift")
    one.change("flow.toml", text.replace('"\n', "\n", 1) + "command = 5\nother = [")
    await one.until(lambda: "toml" in one.codes("flow.toml"))
    await one.until(lambda: "by the last flow.toml without errors" in one.message(SOURCE, "drift"))
    hover = await one.hover(SOURCE, 0, 10)
    assert "this is by its last text without one" in hover
    one.change("flow.toml", text)
    await one.until(lambda: "last flow.toml" not in one.message(SOURCE, "drift"))
    await one.quiet(1.3)  # beyond the pause after which a command that was typed in is started
    assert len(workspace.starts()) == 1


async def test_a_manifest_that_was_never_whole_calls_nothing_unbound_and_starts_nothing(editor, workspace):
    workspace.write("flow.toml", table(SOURCE, command("--log", "starts")) + "bogus = 1\n")
    workspace.write(SOURCE, FIND)
    workspace.write("good/flow.toml", table(SOURCE, command("--log", "starts")))
    workspace.write(f"good/{SOURCE}", TEXT_RESULT)
    one = editor()
    await one.start(options=ALWAYS)
    one.open(SOURCE)
    one.open("flow.toml")
    await one.describe("flow.toml")
    await one.describe()
    await one.until(lambda: one.said() == {"flow.toml": ["unknown-key"], f"good/{SOURCE}": ["drift"]})
    assert not workspace.path("starts").exists()


async def test_an_override_wins_over_the_manifest(editor, workspace: Workspace):
    bound(workspace, FIND, "--log", "starts")
    workspace.serve(("tools/search.find", {"ok": {"type": "string"}}))
    one = editor()
    overriding = command("--served", "served.json")
    await one.start(options={**ALWAYS, "overrides": {"tools/search.find": overriding}})
    one.open(SOURCE)
    (drift,) = await one.shows(SOURCE, "drift")
    assert drift.related_information is None
    assert "by an override" in await one.hover(SOURCE, 0, 10)


async def test_an_override_runs_in_the_first_folder(editor, workspace: Workspace):
    for name in ("one", "two"):
        workspace.write(f"{name}/{SOURCE}", FIND)
    one = editor()
    overriding = command("--log", "starts")
    await one.start(
        options={**ALWAYS, "overrides": {"tools/search.find": overriding}},
        folders=[workspace.uri("one"), workspace.uri("two")],
    )
    one.open(f"two/{SOURCE}")
    assert f"in `{workspace.path('one')}`" in await one.current(f"two/{SOURCE}")
    assert len(workspace.starts("one/starts")) == 1


async def test_save_of_manifest_and_of_a_declared_file_asks_again(editor, workspace: Workspace):
    bound(workspace, FIND, "--log", "starts", "--served", "served.json")
    workspace.serve(("tools/search.find", {}))
    workspace.write("other.flow", FIND)
    one = editor()
    await one.start(options=ALWAYS)
    one.open(SOURCE)
    one.open("flow.toml")
    one.open("other.flow")
    await one.current(SOURCE)
    workspace.serve(("tools/search.find", {"ok": {"type": "string"}}))
    one.save(SOURCE)
    await one.shows(SOURCE, "drift")
    workspace.serve(("tools/search.find", {}))
    one.save("flow.toml")
    await one.shows(SOURCE)
    one.save("other.flow")  # nothing answers for it
    await one.everything_checked()
    await one.quiet()
    assert len(workspace.starts()) == 3


async def test_ten_saves_at_once_are_one_run(editor, workspace: Workspace):
    bound(workspace, FIND, "--log", "starts")
    one = editor()
    await one.start(options=ALWAYS)
    one.open(SOURCE)
    await one.current(SOURCE)
    for _ in range(10):
        one.save(SOURCE)
    await one.started(times=2)
    await one.current(SOURCE)
    await one.quiet()
    assert len(workspace.starts()) == 2


async def test_the_command_asks_again(editor, workspace: Workspace):
    bound(workspace, FIND, "--log", "starts", "--served", "served.json")
    workspace.serve(("tools/search.find", {}))
    one = editor()
    await one.start(options=ALWAYS)
    one.open(SOURCE)
    await one.current(SOURCE)
    for number, arguments in enumerate(((SOURCE,), ("flow.toml",), ()), 2):
        kind = "string" if number % 2 == 0 else "integer"
        workspace.serve(("tools/search.find", {"ok": {"type": kind}}))
        await one.describe(*arguments)
        await one.shows(SOURCE, *(["drift"] if kind == "string" else []))
        assert len(workspace.starts()) == number


async def test_the_command_refuses_what_is_no_file_of_ours(editor, workspace: Workspace):
    one = editor()
    await one.start(options=ALWAYS)
    for arguments in (["x"], ["file:///p/a.txt"], [5], [None], [{}], ["untitled:x.flow"]):
        params = types.ExecuteCommandParams("flow.describe", arguments)
        with pytest.raises(Exception, match="takes the URI"):
            await one.answer(one.client.workspace_execute_command_async(params))
    with pytest.raises(Exception, match="There is no command"):
        await one.answer(one.client.workspace_execute_command_async(types.ExecuteCommandParams("flow.no")))


async def test_a_stale_answer_is_marked_while_a_newer_one_is_on_its_way(editor, workspace: Workspace):
    bound(workspace, TEXT_RESULT, "--log", "starts", "--gate", "gate")
    workspace.write("gate", "")
    one = editor()
    await one.start(options=ALWAYS)
    one.open(SOURCE)
    await one.shows(SOURCE, "drift")
    await one.until(lambda: "as of" not in one.message(SOURCE, "drift"))
    workspace.path("gate").unlink()
    one.save(SOURCE)
    await one.until(lambda: "being asked again" in one.message(SOURCE, "drift"))
    workspace.write("gate", "")
    await one.until(lambda: "as of" not in one.message(SOURCE, "drift"))
    assert len(workspace.starts()) == 2


@pytest.mark.parametrize(
    ("arguments", "code", "sentence"),
    [
        ("no/such/program", "unbound-no-program", "cannot start"),
        (EXITS, "describe-failed", "the key is missing"),
        (f"{sys.executable} -c 'import time; time.sleep(60)'", "describe-failed", "did not answer within 0.4 s"),
        (f"{sys.executable} -c 'print(\"hello\" * 9)'", "describe-failed", ""),
    ],
    ids=["no program", "exits", "never answers", "prints and exits"],
)
async def test_an_implementation_that_fails_is_one_clear_finding(editor, workspace, arguments, code, sentence):
    workspace.write("flow.toml", table(SOURCE, arguments))
    workspace.write(SOURCE, FIND + "@tool fn other() -> Result<Int, Never>\n")
    one = editor()
    await one.start(options={**ALWAYS, "describe": {"timeout": 0.4}})
    one.open(SOURCE)
    one.open("flow.toml")
    expected = [code, code] if code == "unbound-no-program" else [code]
    found = await one.shows(SOURCE, *expected)
    assert sentence in found[0].message
    await one.until(lambda: one.codes("flow.toml"))
    await one.alone()


async def test_what_an_implementation_prints_never_reaches_the_editor_s_stream(editor, workspace: Workspace):
    bound(workspace, FIND, "--print", "Content-Length: 5\r\n\r\nhello")
    one = editor()
    await one.start(options=ALWAYS)
    one.open(SOURCE)
    one.open("flow.toml")
    (noise,) = await one.shows("flow.toml", "output-noise")
    assert "Content-Length: 5" in noise.message
    await one.shows(SOURCE)


async def test_50_implementations_are_asked_and_progress_is_well_formed(editor, workspace: Workspace):
    count = 12
    for number in range(count):
        workspace.write(f"p{number}/flow.toml", table(SOURCE, command("--log", "starts", "--gate", "../gate")))
        workspace.write(f"p{number}/{SOURCE}", FIND)
    one = editor()
    await one.start(capabilities(progress=True), options=ALWAYS)
    one.open(f"p0/{SOURCE}")
    await one.until(lambda: one.progress)
    workspace.write("gate", "")
    await one.until(lambda: one.progress[-1][1]["kind"] == "end")
    (token,) = one.created_progress
    kinds = [value["kind"] for found, value in one.progress if found == token]
    assert len(kinds) == len(one.progress)
    assert kinds[0] == "begin"
    assert set(kinds[1:-1]) == {"report"}
    assert kinds[-1] == "end"
    percentages = [value["percentage"] for _, value in one.progress[:-1]]
    assert percentages == sorted(percentages)
    assert all(len(workspace.starts(f"p{number}/starts")) == 1 for number in range(count))
    await one.describe(f"p3/{SOURCE}")
    await one.until(lambda: len(one.progress) > len(kinds) and one.progress[-1][1]["kind"] == "end")
    assert len(set(one.created_progress)) == 2


async def test_a_client_without_progress_is_sent_none(editor, workspace: Workspace):
    bound(workspace)
    one = editor()
    await one.start(options=ALWAYS)
    one.open(SOURCE)
    await one.current(SOURCE)
    assert (one.created_progress, one.progress) == ([], [])


async def test_an_idle_server_says_nothing_more(editor, workspace: Workspace):
    bound(workspace, TEXT_RESULT, "--log", "starts")
    one = editor()
    await one.start(options=ALWAYS)
    one.open(SOURCE)
    await one.shows(SOURCE, "drift")
    await one.quiet(0.6)
    count = len(one.published)
    await one.quiet(0.6)
    assert (len(one.published), len(workspace.starts())) == (count, 1)


async def test_a_failing_implementation_is_not_started_again_and_again(editor, workspace: Workspace):
    script = "open('starts', 'a').write('1\\n')"
    workspace.write("flow.toml", table(SOURCE, f'{sys.executable} -c "{script}"'))
    workspace.write(SOURCE, FIND)
    one = editor()
    await one.start(options=ALWAYS)
    one.open(SOURCE)
    await one.shows(SOURCE, "describe-failed")
    for number in range(20):
        one.change(SOURCE, FIND + " " * number)
        await one.everything_checked()
    await one.quiet()
    assert len(workspace.starts()) <= 2


async def test_a_program_that_was_replaced_is_asked_again_at_a_save(editor, workspace: Workspace):
    """A relative program, which is no file at first."""
    workspace.write("flow.toml", table(SOURCE, "./implementation --x"))
    workspace.write(SOURCE, TEXT_RESULT)
    one = editor()
    await one.start(options=ALWAYS)
    one.open(SOURCE)
    await one.shows(SOURCE, "unbound-no-program")
    line = command("--log", "starts")
    workspace.write("implementation", f"#!/bin/sh\nexec {line}\n")
    workspace.path("implementation").chmod(0o755)
    one.save(SOURCE)
    await one.shows(SOURCE, "drift")
