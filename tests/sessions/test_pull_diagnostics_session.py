"""textDocument/diagnostic and workspace/diagnostic: a client that asks, and is told when to ask again."""

from __future__ import annotations

from lsprotocol import types
from session_client import capabilities
from session_workspace import FIND, Workspace, command, table

SOURCE = "tools/search.flow"
NEVER = {"trust": "never", "diagnostics": {"severity": {"not-run": "off"}}}


def codes(report) -> list[str]:
    assert isinstance(report, types.RelatedFullDocumentDiagnosticReport | types.WorkspaceFullDocumentDiagnosticReport)
    return [item.code for item in report.items]


async def test_what_is_asked_for_is_not_pushed(editor, workspace: Workspace):
    one = editor()
    await one.start(capabilities(pull=True, refresh=True), options=NEVER)
    one.open("a.flow", FIND)
    first = await one.pull("a.flow")
    assert codes(first) == ["unbound-no-manifest"]
    again = await one.pull("a.flow", first.result_id)
    assert isinstance(again, types.RelatedUnchangedDocumentDiagnosticReport)
    one.change("a.flow", "record Hit { x: Txt }\n")
    assert codes(await one.pull("a.flow", first.result_id)) == ["unknown-type"]
    await one.quiet(0.4)
    assert one.publications("a.flow") == []


async def test_a_pull_behind_an_edit_of_another_file_sees_that_edit(editor, workspace: Workspace):
    workspace.write("flow.toml", "")
    one = editor()
    await one.start(capabilities(pull=True, refresh=True), options=NEVER)
    one.open("flow.toml")
    one.open("a.flow", FIND)
    assert codes(await one.pull("a.flow")) == ["unbound-no-table"]
    one.change("flow.toml", table("a.flow", "python3"))
    assert codes(await one.pull("a.flow")) == []


async def test_the_client_is_told_to_ask_again_when_an_answer_came(editor, workspace: Workspace):
    workspace.write("flow.toml", table(SOURCE, command("--gate", "gate", "--log", "starts")))
    workspace.write(SOURCE, FIND.replace("Int", "Text"))
    one = editor()
    await one.start(capabilities(pull=True, refresh=True), options={"trust": "always"})
    one.open(SOURCE)
    first = await one.pull(SOURCE)
    assert codes(first) == []
    await one.started()
    workspace.write("gate", "")
    await one.until(lambda: one.refreshes)
    report = await one.pull(SOURCE, first.result_id)
    while codes(report) != ["drift"]:
        seen = one.refreshes
        await one.until(lambda seen=seen: one.refreshes > seen)
        report = await one.pull(SOURCE)
    await one.quiet(0.5)
    assert one.refreshes <= 4


async def test_a_command_is_asked_though_the_client_pulls_behind_each_edit(editor, workspace: Workspace):
    workspace.write("flow.toml", "")
    workspace.write(SOURCE, FIND)
    one = editor()
    await one.start(capabilities(pull=True, refresh=True), options={"trust": "always"})
    one.open("flow.toml")
    one.open(SOURCE)
    await one.pull("flow.toml")
    one.change("flow.toml", table(SOURCE, command("--log", "starts")))
    await one.pull("flow.toml")
    await one.pull(SOURCE)
    await one.started()


async def test_the_workspace_is_reported_with_versions_and_only_what_changed(editor, workspace: Workspace):
    for name in ("a", "b", "c"):
        workspace.write(f"{name}.flow", FIND)
    one = editor()
    await one.start(capabilities(pull=True, refresh=True), options=NEVER)
    one.open("a.flow", version=7)
    report = await one.pull_workspace()
    found = {item.uri: (item.version, codes(item)) for item in report.items}
    assert found == {
        workspace.uri(f"{name}.flow"): (7 if name == "a" else None, ["unbound-no-manifest"]) for name in ("a", "b", "c")
    }
    previous = [types.PreviousResultId(item.uri, item.result_id) for item in report.items]
    workspace.path("b.flow").unlink()
    one.watched("b.flow", kind=types.FileChangeType.Deleted)
    one.change("a.flow", "record Hit { x: Txt }\n")
    await one.until(lambda: one.refreshes)
    report = await one.pull_workspace(previous)
    kinds = {item.uri.rpartition("/")[2]: item for item in report.items}
    assert codes(kinds["a.flow"]) == ["unknown-type"]
    assert codes(kinds["b.flow"]) == []
    assert isinstance(kinds["c.flow"], types.WorkspaceUnchangedDocumentDiagnosticReport)


async def test_the_workspace_is_waited_for(editor, workspace: Workspace):
    for number in range(300):
        workspace.write(f"d{number % 7}/f{number}.flow", FIND)
    one = editor()
    await one.start(capabilities(pull=True, refresh=True), options=NEVER)
    report = await one.pull_workspace()
    assert len(report.items) == 300


async def test_a_report_can_come_in_parts(editor, workspace: Workspace):
    for number in range(250):
        workspace.write(f"f{number}.flow", FIND)
    one = editor()
    await one.start(capabilities(pull=True, refresh=True), options=NEVER)
    params = types.WorkspaceDiagnosticParams(previous_result_ids=[], partial_result_token="parts")
    last = await one.answer(one.client.workspace_diagnostic_async(params))
    assert list(last.items) == []
    parts = [value for token, value in one.progress if token == "parts"]
    assert [len(value["items"]) for value in parts] == [100, 100, 50]


async def test_a_client_that_cannot_be_told_to_ask_again_is_pushed(editor, workspace: Workspace):
    one = editor()
    result = await one.start(capabilities(pull=True), options=NEVER)
    assert result.capabilities.diagnostic_provider is None
    one.open("a.flow", FIND)
    await one.shows("a.flow", "unbound-no-manifest", version=1)
