"""flow.call.cancel, window/workDoneProgress/cancel, and the end of a session: what is out comes to its outcome."""

from __future__ import annotations

import json
from typing import Any

import pytest
from call_editor import (
    CallingEditor,
    arguments,
    bind,
    can_call,
    out,
    outcome,
    path_of,
    plain,
    result,
    started,
    starts,
)
from lsprotocol import types
from session_workspace import Workspace


def of_calls(one: CallingEditor) -> list[tuple[Any, dict[str, Any]]]:
    return [(token, value) for token, value in one.progress if "describe" not in str(token)]


async def test_the_lens_cancels_and_the_outcome_still_comes(one: CallingEditor):
    uri = await started(one)
    call = await out(one, uri, "until-cancelled")
    assert await one.titles(uri) == ["Call", "Cancel"]
    assert await one.run_lens(uri, "Cancel") == 1
    answer = plain(await one.answer(call))
    assert answer["outcome"] == '{"Ok":"stopped"}'
    assert result(answer)["outcome"] == {"Ok": "stopped"}
    assert await one.run("flow.call.cancel", uri) == 0


async def test_a_cancelled_call_without_a_reply_is_unknown(one: CallingEditor):
    uri = await started(one)
    call = await out(one, uri, "never")
    await one.run("flow.call.cancel", uri)
    assert outcome(plain(await one.answer(call))) == (
        "Unknown",
        "The call was cancelled, and no reply came; it had been sent.",
    )


async def test_the_progress_is_shown_and_cancels(one: CallingEditor):
    uri = await started(one)
    call = await out(one, uri, "until-cancelled")
    ((token, begin), *reports) = of_calls(one)
    assert (begin["kind"], begin["title"], begin["cancellable"]) == ("begin", "Calling act", True)
    assert token in one.created_progress
    one.client.window_work_done_progress_cancel(types.WorkDoneProgressCancelParams(token="another"))
    one.client.window_work_done_progress_cancel(types.WorkDoneProgressCancelParams(token=token))
    assert plain(await one.answer(call))["outcome"] == '{"Ok":"stopped"}'
    kinds = [(at, value["kind"], value.get("message", "")) for at, value in of_calls(one)]
    assert (token, "report", "running") in kinds
    assert kinds[-2] == (token, "report", "being cancelled")
    assert kinds[-1][:2] == (token, "end")
    assert kinds[-1][2].startswith("Ok after ")
    assert reports


async def test_the_progress_of_the_clients_own_token_is_used(one: CallingEditor):
    uri = await started(one, can_call(progress=False))
    call = await out(one, uri, "until-cancelled", token="mine")
    assert one.created_progress == []
    one.client.window_work_done_progress_cancel(types.WorkDoneProgressCancelParams(token="mine"))
    assert plain(await one.answer(call))["outcome"] == '{"Ok":"stopped"}'
    assert {token for token, _ in of_calls(one)} == {"mine"}


async def test_a_cancelled_request_stops_the_call_and_its_result_still_comes(one: CallingEditor):
    uri = await started(one)
    call = await out(one, uri, "until-cancelled")
    (number,) = [each for each, future in one.client.protocol._request_futures.items() if not future.done()]
    one.client.cancel_request(types.CancelParams(number))
    with pytest.raises(Exception, match="cancelled"):
        await one.answer(call)
    await one.until(lambda: one.shown and one.shown[-1].uri.endswith("act.flow-result.json"))
    assert json.loads(path_of(one.shown[-1].uri).read_text())["outcome"] == {"Ok": "stopped"}


async def test_a_call_that_waits_for_consent_can_be_cancelled(one: CallingEditor, workspace: Workspace):
    uri = await started(one, trust="ask")
    one.change(uri, arguments("ok"))
    question = await one.question()
    call = one.send("flow.call", uri)
    while "Cancel" not in await one.titles(uri):
        await one.titles(uri)
    await one.run("flow.call.cancel", uri)
    assert outcome(plain(await one.answer(call))) == ("NotRun", "The call was cancelled before it was sent.")
    question.answer(None)
    assert starts(workspace) == 0


@pytest.mark.parametrize("more", [(), ("stubborn",)])
async def test_nothing_is_left_when_the_session_ends_and_what_was_out_is_on_record(workspace, tmp_path, more):
    bind(workspace, *more)
    one = CallingEditor(workspace, tmp_path / "state")
    try:
        uri = await started(one)
        call = await out(one, uri, "never")
        await one.leave()  # which proves that no process is left
        call.cancel()
        found = json.loads(path_of(uri).with_name("act.flow-result.json").read_text())
        assert list(found["outcome"]) == ["Unknown"]
    finally:
        await one.abandon()


async def test_nothing_is_left_when_the_editor_goes_away_without_a_word(one: CallingEditor):
    uri = await started(one)
    call = await out(one, uri, "never")
    assert one.process.stdin is not None
    one.process.stdin.close()
    await one.ended(1)
    call.cancel()
