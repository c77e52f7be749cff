"""workspace/configuration and workspace/didChangeConfiguration: what changes at once, and what never widens."""

from __future__ import annotations

import asyncio

import pytest
from lsprotocol import types
from session_client import capabilities
from session_workspace import FIND, Workspace, command, table

SOURCE = "tools/search.flow"
TEXT_RESULT = FIND.replace("Int", "Text")


@pytest.fixture
def starts(workspace: Workspace):
    workspace.write("flow.toml", table(SOURCE, command("--log", "starts")))
    workspace.write(SOURCE, TEXT_RESULT)
    return workspace.starts


async def test_the_settings_are_asked_for_and_a_change_is_registered(editor, workspace: Workspace):
    one = editor()
    one.configuration = {"diagnostics": {"severity": {"unbound-no-manifest": "warning"}}}
    await one.start(capabilities(configuration=True))
    one.open("a.flow", FIND)
    await one.until(lambda: [item.severity for item in one.found("a.flow")] == [types.DiagnosticSeverity.Warning])
    await one.until(lambda: "+workspace/didChangeConfiguration" in one.registered)
    one.configuration = {"diagnostics": {"severity": {"unbound-no-manifest": "off"}}}
    one.configure()
    await one.shows("a.flow")
    one.configuration = None
    one.configure()
    await one.shows("a.flow", "unbound-no-manifest")
    assert one.found("a.flow")[0].severity == types.DiagnosticSeverity.Error


async def test_settings_that_are_pushed_count_where_none_can_be_asked_for(editor, workspace: Workspace):
    one = editor()
    await one.start()
    one.open("a.flow", FIND)
    await one.shows("a.flow", "unbound-no-manifest")
    one.configure({"flow": {"diagnostics.severity": {"unbound-no-manifest": "off"}}})
    await one.shows("a.flow")
    assert one.configurations_asked == 0


@pytest.mark.parametrize("settings", [5, {"flow": {"trust": 7, "overrides": [], "describe": 1}}])
async def test_settings_of_any_shape_break_nothing(editor, workspace: Workspace, settings):
    one = editor()
    one.configuration = settings
    await one.start(capabilities(configuration=True), options=settings)
    for number, shape in enumerate((5, [], "x", {"flow": 5}, settings, {"trust": {}, "repositories": [5]}), 2):
        one.configuration = shape
        one.configure(shape)
        await one.until(lambda number=number: one.configurations_asked == number)
    one.open("a.flow", FIND)
    await one.shows("a.flow", "unbound-no-manifest")


async def test_a_wrong_setting_is_said_and_the_others_count(editor, workspace: Workspace):
    one = editor()
    await one.start(options={"describe": {"timeout": -1}, "diagnostics": {"severity": {"unbound-no-manifest": "off"}}})
    one.open("a.flow", FIND)
    await one.shows("a.flow")
    assert any("flow.describe.timeout was ignored" in line for line in one.logs)


async def test_trust_that_comes_with_the_workspace_s_settings_can_only_narrow(editor, workspace, starts):
    one = editor()
    one.configuration = {"trust": "always"}
    await one.start(capabilities(configuration=True), options={"trust": "ask"})
    one.open(SOURCE)
    question = await one.question()
    assert any("only the user's own settings may widen trust" in line for line in one.logs)
    assert starts() == []
    question.answer("Run once")
    await one.shows(SOURCE, "drift")
    one.open("flow.toml")
    one.configuration = {"trust": "never"}
    one.configure()
    await one.until(lambda: one.codes("flow.toml") == ["not-run"])
    await one.until(lambda: "(as of" in one.message(SOURCE, "drift"))
    await one.describe()
    one.configuration = {"trust": "ask"}
    one.configure()
    await one.shows("flow.toml")  # what was agreed to once is still
    await one.until(lambda: "(as of" not in one.message(SOURCE, "drift"))
    assert len(starts()) == 1


async def test_nothing_starts_before_the_settings_are_known(editor, workspace: Workspace, starts):
    one = editor()
    one.configuration = {"trust": "never"}
    one.configuration_gate = asyncio.Event()
    await one.start(capabilities(configuration=True), options={"trust": "always"})
    one.open(SOURCE)
    one.open("flow.toml")
    await one.until(lambda: one.configurations_asked)
    one.save(SOURCE)
    await one.describe()
    await one.everything_checked()
    await one.quiet(0.5)
    one.configuration_gate.set()
    await one.until(lambda: one.codes("flow.toml") == ["not-run"])
    assert starts() == []


async def test_a_client_that_refuses_to_tell_its_settings_is_served_by_those_it_began_with(editor, workspace, starts):
    one = editor()
    one.client.protocol.fm.features.pop("workspace/configuration")
    await one.start(capabilities(configuration=True), options={"trust": "always"})
    one.open(SOURCE)
    await one.shows(SOURCE, "drift")


async def test_of_two_answers_about_settings_the_newer_question_s_counts(editor, workspace: Workspace):
    one = editor()
    one.configuration = {"diagnostics": {"severity": {"unbound-no-manifest": "warning"}}}
    await one.start(capabilities(configuration=True))
    one.open("a.flow", FIND)
    await one.until(lambda: [item.severity for item in one.found("a.flow")] == [types.DiagnosticSeverity.Warning])
    for severity in ("hint", "information", "error", "hint"):
        one.configuration = {"diagnostics": {"severity": {"unbound-no-manifest": severity}}}
        one.configure()
    await one.until(lambda: [item.severity for item in one.found("a.flow")] == [types.DiagnosticSeverity.Hint])
    await one.everything_checked()
    assert one.found("a.flow")[0].severity == types.DiagnosticSeverity.Hint


async def test_describing_can_be_turned_off_but_for_the_user_s_command(editor, workspace: Workspace, starts):
    one = editor()
    await one.start(options={"trust": "always", "describe": {"enabled": False}})
    one.open(SOURCE)
    one.save(SOURCE)
    await one.everything_checked()
    await one.quiet(0.5)
    assert starts() == []
    await one.describe(SOURCE)
    await one.shows(SOURCE, "drift")


async def test_an_override_that_is_set_later_counts_at_once(editor, workspace: Workspace, starts):
    workspace.serve(("tools/search.find", {"ok": {"type": "string"}}))
    one = editor()
    await one.start(options={"trust": "always"})
    one.open(SOURCE)
    await one.shows(SOURCE, "drift")
    one.configure({"flow": {"overrides": {"tools/search.find": command("--served", "served.json")}}})
    await one.shows(SOURCE)
    one.configure({"flow": {}})
    await one.shows(SOURCE, "drift")
