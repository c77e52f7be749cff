"""Calls and trust: nothing runs without consent, and the question for describing is the one for calling."""

from __future__ import annotations

import pytest
from call_editor import (
    CallingEditor,
    act,
    arguments,
    can_call,
    out,
    outcome,
    plain,
    result,
    started,
    starts,
)
from session_workspace import Workspace


async def test_the_question_for_describing_is_the_one_for_calling(one: CallingEditor, workspace: Workspace):
    uri = await started(one, trust="ask")
    one.change(uri, arguments("ok", 3))
    question = await one.question()
    call = one.send("flow.call", uri)
    while "Cancel" not in await one.titles(uri):
        await one.titles(uri)
    assert starts(workspace) == 0
    question.answer("Run once")
    assert plain(await one.answer(call))["outcome"] == '{"Ok":"3"}'
    assert (await act(one, uri, "ok", 4))["outcome"] == '{"Ok":"4"}'
    assert len(one.questions) == 1


async def test_a_call_asks_where_nothing_was_described(one: CallingEditor, workspace: Workspace):
    uri = await started(one, trust="ask", describe={"enabled": False})
    one.change(uri, arguments("ok", 3))
    call = one.send("flow.call", uri)
    question = await one.question()
    assert question.titles == ["Run once", "Always for this command here", "Never"]
    assert "calling_child.py" in question.message
    question.answer("Always for this command here")
    assert plain(await one.answer(call))["outcome"] == '{"Ok":"3"}'


@pytest.mark.parametrize(
    ("answer", "reason"),
    [
        ("Never", "You answered that it never runs here; describe it again to be asked anew."),
        (None, "It waits for your consent: describe it again to be asked."),
    ],
)
async def test_without_consent_nothing_runs_and_a_call_asks_anew(one: CallingEditor, workspace, answer, reason):
    uri = await started(one, trust="ask")
    (await one.question()).answer(answer)
    await one.everything_checked()  # by then the answer has arrived
    one.change(uri, arguments("ok", 3))
    call = one.send("flow.call", uri)
    (await one.question(1)).answer(answer)
    assert outcome(plain(await one.answer(call))) == ("NotRun", reason)
    assert starts(workspace) == 0


@pytest.mark.parametrize(
    ("options", "reason"),
    [
        ({"trust": "never"}, "The setting flow.trust is never."),
        ({"trust": "always", "workspaceTrusted": False}, "The editor does not trust this workspace."),
    ],
)
async def test_an_untrusted_workspace_runs_nothing_and_says_so(one: CallingEditor, workspace, options, reason):
    uri = await started(one, **options)
    answer = await act(one, uri, "ok")
    assert outcome(answer) == ("NotRun", reason)
    assert result(answer)["outcome"] == {"NotRun": reason}
    assert (starts(workspace), one.questions) == (0, [])


async def test_a_client_that_cannot_ask_runs_nothing(one: CallingEditor, workspace: Workspace):
    uri = await started(one, can_call(questions=False), trust="ask")
    kind, reason = outcome(await act(one, uri, "ok"))
    assert (kind, reason) == ("NotRun", "It waits for your consent: describe it again to be asked.")
    assert starts(workspace) == 0


async def test_when_trust_ends_what_runs_ends_with_it(one: CallingEditor, workspace: Workspace):
    can = can_call()
    assert can.workspace is not None
    can.workspace.configuration = False
    uri = await started(one, can)
    call = await out(one, uri, "never")
    one.configure({"flow": {"trust": "never"}})
    kind, _ = outcome(plain(await one.answer(call)))
    assert kind == "Unknown"
    await one.alone()
    assert outcome(await act(one, uri, "ok")) == ("NotRun", "The setting flow.trust is never.")
