"""Calls in a hostile world: texts that are no arguments, files that are in the way, Tools that change meanwhile."""

from __future__ import annotations

import json
import shutil
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
from editor_session import SERVER
from lsprotocol import types
from session_workspace import Workspace

MIB = 1024 * 1024


# -- texts -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ('{"how": "\ud800", "value": 1}', "A text holds half a character, the lone surrogate \\ud800"),
        ('{"how": "ok", "value": 1}\udfff', "A text holds half a character, the lone surrogate \\udfff"),
        ('{"how": "\\ud800", "value": 1}', "half a character"),
        ('\ufeff{"how": "ok", "value": 1}', "The text begins with a byte order mark"),
        ("[" * 200_000, "The text is nested more than 512 levels deep."),
        ('{"how":' * 100_000, "The text is nested more than 512 levels deep."),
        ('{"how": "o\x00k", "value": 1}', "The control character U+0000"),
        ('{"how": "ok", "value": 1e999999999}', ""),
        ('{"how": "ok", "value": ' + "9" * 100_000 + "}", ""),
    ],
    ids=["half", "half outside", "half escaped", "mark", "deep list", "deep object", "control", "exponent", "digits"],
)
async def test_a_text_that_is_no_arguments_is_said_and_calls_nothing(one: CallingEditor, workspace, text, reason):
    uri = await started(one, describe={"enabled": False})
    version = one.change(uri, text)
    await one.hover(uri, 0, 3)
    await one.complete(uri, 0, 3)
    kind, said = outcome(await one.call(uri))
    assert (kind, reason in said) == ("NotRun", True), said
    published = await one.until(lambda: [each for each in one.published if each.version == version])
    assert len(published[-1].diagnostics) == 1
    assert starts(workspace) == 0


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (b'{"how": "\xff", "value": 1}', "half a character"),
        (b'\xef\xbb\xbf{"how": "ok", "value": 1}', "The text begins with a byte order mark"),
        ('{"how": "ok", "value": 1}'.encode("utf-16"), ""),
    ],
    ids=["latin", "mark", "utf-16"],
)
async def test_a_file_that_is_no_text_calls_nothing(one: CallingEditor, data: bytes, reason: str):
    uri = await started(one)
    one.close(uri)
    path_of(uri).write_bytes(data)
    kind, said = outcome(await one.call(uri))
    assert (kind, reason in said) == ("NotRun", True), said


async def test_line_ends_of_windows_are_white_space(one: CallingEditor):
    uri = await started(one)
    one.change(uri, '{\r\n  "how": "ok",\r\n  "value": 1\r\n}\r\n')
    assert (await one.call(uri))["outcome"] == '{"Ok":"1"}'


async def test_arguments_may_be_as_large_as_a_message(one: CallingEditor):
    uri = await started(one)
    one.change(uri, arguments("long" + "x" * (10 * MIB - 4)))
    answer = await one.call(uri)
    assert answer["outcome"] == f'{{"Ok":"{10 * MIB}"}}'
    assert len(result(answer)["args"]["how"]) == 10 * MIB
    one.change(uri, arguments("long" + "x" * (16 * MIB - 64)))
    kind, reason = outcome(await one.call(uri))
    assert (kind, "the limit of one message" in reason) == ("NotRun", True)
    version = one.change(uri, arguments("long" + "x" * 64 * MIB))
    kind, reason = outcome(await one.call(uri))
    assert (kind, reason) == ("NotRun", "The arguments have more than 16 MiB, which no call carries.")
    await one.shows(uri, "call-tool", version=version)


# -- files -----------------------------------------------------------------------------------------------------------


async def test_a_result_is_not_written_through_a_link(one: CallingEditor, tmp_path: Path):
    uri = await started(one)
    other = tmp_path / "other.json"
    other.write_text("mine")
    there = path_of(uri).with_name("act.flow-result.json")
    there.symlink_to(other)
    answer = await act(one, uri, "ok", 1)
    assert other.read_text() == "mine"
    assert path_of(answer["uri"]) == there
    assert not there.is_symlink()


async def test_arguments_are_not_written_through_a_link(one: CallingEditor, workspace: Workspace, tmp_path: Path):
    uri = await started(one)
    one.close(uri)
    directory = path_of(uri).parent
    elsewhere = directory.rename(tmp_path / "elsewhere")
    for file in elsewhere.iterdir():
        file.unlink()
    directory.symlink_to(elsewhere)
    with pytest.raises(Exception, match="The arguments could not be kept as "):
        await one.run("flow.call.open", workspace.uri(SOURCE), "act")
    assert list(elsewhere.iterdir()) == []


async def test_a_result_that_cannot_be_kept_is_said(one: CallingEditor):
    uri = await started(one)
    path_of(uri).parent.chmod(0o777)  # where others may write, nothing is kept
    answer = await act(one, uri, "ok", 7)
    assert (answer["outcome"], answer["uri"], answer["shown"]) == ('{"Ok":"7"}', None, False)
    (said,) = one.client.messages
    assert said.type is types.MessageType.Warning
    assert said.message.startswith("act: Ok after ")
    assert said.message.endswith('The result could not be kept beside its arguments: {"Ok":"7"}')


async def test_on_a_full_disk_arguments_cannot_be_opened_and_nothing_half_written_is_left(one, workspace, tmp_path):
    full = ["sh", "-c", 'ulimit -f 0 && exec "$0"', SERVER]  # no file may have a byte
    await one.start(can_call(), options={**ALWAYS, "describe": {"enabled": False}}, command=full)
    one.open(SOURCE)
    with pytest.raises(Exception, match="The arguments could not be kept as "):
        await one.run("flow.call.open", workspace.uri(SOURCE), "act")
    assert [path for path in (tmp_path / "state").rglob("*") if path.is_file()] == []


async def test_what_was_out_when_its_files_went_has_its_result_all_the_same(one: CallingEditor, tmp_path: Path):
    uri = await started(one)
    call = await out(one, uri, "until-cancelled")
    shutil.rmtree(tmp_path / "state")
    one.close(uri)
    assert await one.run("flow.call.cancel", uri) == 1
    answer = plain(await one.answer(call))
    assert answer["outcome"] == '{"Ok":"stopped"}'
    assert result(answer)["outcome"] == {"Ok": "stopped"}


async def test_two_editors_of_one_user_call_at_once(one: CallingEditor, workspace: Workspace, tmp_path: Path):
    uri = await started(one)
    two = CallingEditor(workspace, tmp_path / "state")
    try:
        assert await started(two) == uri
        first, second = await out(one, uri, "until-cancelled"), await out(two, uri, "until-cancelled")
        assert await two.run("flow.call.cancel", uri) == 1
        assert plain(await two.answer(second))["outcome"] == '{"Ok":"stopped"}'
        assert not first.done()
        await one.run("flow.call.cancel", uri)
        answer = plain(await one.answer(first))
        assert result(answer)["outcome"] == {"Ok": "stopped"}
        await two.leave()
    finally:
        await two.abandon()


# -- Tools -----------------------------------------------------------------------------------------------------------


async def test_a_tool_that_changed_since_its_arguments_were_opened(one: CallingEditor, workspace: Workspace):
    uri = await started(one)
    one.change(uri, arguments("ok", 1))
    one.change(SOURCE, ACT.replace("act", "other"))
    assert outcome(await one.call(uri)) == ("NotRun", "tools.flow declares no Tool `act`.")
    one.change(SOURCE, ACT.replace("value: Int", "value: Text"))
    assert outcome(await one.call(uri)) == (
        "NotRun",
        "A string is expected for Text, and this is a number (at /value).",
    )
    one.close(SOURCE)
    workspace.path(SOURCE).unlink()
    one.watched(SOURCE)
    while await one.titles(uri):  # until the event is looked into
        await one.everything_checked()
    kind, reason = outcome(await one.call(uri))
    assert (kind, "is not part of this workspace, or not there any more" in reason) == ("NotRun", True)


async def test_a_tool_that_changes_while_a_call_is_out_leaves_the_call_alone(one: CallingEditor):
    uri = await started(one)
    call = await out(one, uri, "until-cancelled")
    one.change(SOURCE, ACT.replace("act", "other"))
    assert await one.titles(uri) == ["Cancel"]
    assert await one.run_lens(uri, "Cancel") == 1
    assert plain(await one.answer(call))["outcome"] == '{"Ok":"stopped"}'


async def test_names_that_a_file_system_may_take_for_one_have_their_own_arguments(one: CallingEditor, workspace):
    names = ["Act", "a" * 3_000, "a" * 2_999, "été"]
    more = "".join(f"@tool\nfn {name}(x: Int) -> Result<Int, Int>\n" for name in names)
    workspace.write(SOURCE, ACT + more)
    await one.start(can_call(), options=ALWAYS)
    one.open(SOURCE)
    uris = [await one.arguments_of(name, f'{{"x": {number}}}') for number, name in enumerate(["act", *names])]
    assert len({path_of(uri).parent.name.casefold() for uri in uris}) == len(uris)
    for uri, name in zip(uris[1:], names, strict=True):
        answer = await one.call(uri)
        assert outcome(answer)[0] == "NotRun"
        assert result(answer)["tool"] == f"tools.{name}"
        assert json.loads(path_of(uri).with_name("tool.json").read_text())["name"] == name


# -- cancelling ------------------------------------------------------------------------------------------------------


async def test_a_call_is_cancelled_once_however_often_it_is_asked(one: CallingEditor):
    uri = await started(one)
    call = await out(one, uri, "never")
    for _ in range(3):
        await one.run("flow.call.cancel", uri)
    await one.answer(call)
    assert [value.get("message") for _, value in one.progress].count("being cancelled") == 1


async def test_a_token_that_the_client_uses_twice_cancels_both(one: CallingEditor):
    uri = await started(one)
    calls = [await out(one, uri, "until-cancelled", token="t") for _ in range(2)]
    one.client.window_work_done_progress_cancel(types.WorkDoneProgressCancelParams(token="t"))
    for call in calls:
        assert plain(await one.answer(call))["outcome"] == '{"Ok":"stopped"}'
