"""The whole loop in an editor: a declaration, an implementation generated for it, a change, drift, and back in step."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import pytest
from call_editor import CallingEditor, can_call
from lsprotocol import types
from session_workspace import Workspace

SOURCE = "greeter.flow"
GREET = "@tool\npub fn greet(name: Text) -> Result<Text, Never>\n"
UPDATE = "Update generated types in greeter_tools/flow_tools.py"


def can_edit() -> types.ClientCapabilities:
    """A client that makes files, and shows what else VS Code does."""
    can = can_call()
    assert can.workspace is not None
    assert can.text_document is not None
    operations = [types.ResourceOperationKind.Create]
    can.workspace.workspace_edit = types.WorkspaceEditClientCapabilities(
        document_changes=True, resource_operations=operations
    )
    kinds = types.ClientCodeActionKindOptions(value_set=["quickfix"])
    can.text_document.code_action = types.CodeActionClientCapabilities(
        code_action_literal_support=types.ClientCodeActionLiteralOptions(kinds)
    )
    return can


async def action(one: CallingEditor, line: int, title: str) -> types.CodeAction:
    """The action of that title at a line of the source."""
    place = types.Range(types.Position(line, 0), types.Position(line, 100))
    params = types.CodeActionParams(one.identifier(SOURCE), place, types.CodeActionContext([]))
    found = await one.answer(one.client.text_document_code_action_async(params))
    (chosen,) = [each for each in found if each.title.startswith(title)]
    return chosen


def apply(one: CallingEditor, workspace: Workspace, edit: types.WorkspaceEdit) -> list[str]:
    """Makes an edit as an editor does that saves what it changed; the names of the files."""
    names: dict[str, types.FileChangeType] = {}
    for change in edit.document_changes or ():
        if isinstance(change, types.CreateFile):
            name = change.uri.removeprefix(workspace.uri() + "/")
            assert not workspace.path(name).exists()
            workspace.write(name, "")
            names[name] = types.FileChangeType.Created
        elif isinstance(change, types.TextDocumentEdit):
            name = change.text_document.uri.removeprefix(workspace.uri() + "/")
            lines = workspace.path(name).read_bytes().decode().split("\n")
            for each in reversed(change.edits):
                assert isinstance(each, types.TextEdit)
                start, end = each.range.start, each.range.end
                before, behind = lines[start.line][: start.character], lines[end.line][end.character :]
                lines[start.line : end.line + 1] = f"{before}{each.new_text}{behind}".split("\n")
            workspace.write(name, "\n".join(lines))
            names.setdefault(name, types.FileChangeType.Changed)
    for name, kind in names.items():
        one.watched(name, kind=kind)
    return sorted(names)


@pytest.fixture
def python(workspace: Workspace) -> None:
    """The workspace has an environment of its own, in which the toolkit is installed."""
    program = workspace.path(".venv/bin/python")
    program.parent.mkdir(parents=True)
    program.write_text(f'#!/bin/sh\nexec "{sys.executable}" "$@"\n')
    program.chmod(0o755)


@pytest.mark.usefixtures("python")
async def test_declare_generate_call_change_drift_update_and_call_again(workspace: Workspace, tmp_path: Path):
    workspace.write(SOURCE, GREET)
    one = CallingEditor(workspace, tmp_path / "state")
    try:
        await one.start(can_edit(), options={"trust": "ask"})
        one.open(SOURCE)
        await one.until(lambda: one.said() == {SOURCE: ["unbound-no-manifest"]})

        begin = await action(one, 1, "Generate Python implementation")
        assert begin.edit is not None
        made = apply(one, workspace, begin.edit)
        assert made == ["flow.toml", "greeter_tools/flow_tools.py", "greeter_tools/main.py"]
        question = await one.until(lambda: one.questions and one.questions[0])
        assert ".venv/bin/python greeter_tools/main.py" in question.message
        question.answer("Run once")
        await one.lens("fits", SOURCE)
        assert one.said() == {}

        main = workspace.path("greeter_tools/main.py").read_text()
        workspace.write("greeter_tools/main.py", main.replace("raise NotImplementedError", 'return f"Hello {name}" #'))
        assert await called(one, {"name": "Ada"}) == {"Ok": "Hello Ada"}

        one.change(SOURCE, GREET.replace("name: Text", "name: Text, times: Int"))
        await one.until(lambda: one.said() == {SOURCE: ["drift"]})
        assert "parameter `times` is declared but not served" in one.message(SOURCE, "drift")
        update = await action(one, 1, UPDATE)
        assert update.edit is not None
        assert apply(one, workspace, update.edit) == ["greeter_tools/flow_tools.py"]
        # The author's function does not take the new argument yet, and the toolkit says so before any call.
        await one.until(lambda: one.said() == {"flow.toml": ["describe-failed"], SOURCE: ["describe-failed"]})
        assert "times" in one.message(SOURCE, "describe-failed")
        main = workspace.path("greeter_tools/main.py").read_text().replace("name: str", "name: str, times: int")
        workspace.write("greeter_tools/main.py", main.replace("{name}", "{name * times}"))
        one.watched("greeter_tools/main.py")
        await one.until(lambda: one.said() == {})
        await one.lens("fits", SOURCE)
        assert await called(one, {"name": "Ada", "times": 2}) == {"Ok": "Hello AdaAda"}
        await one.leave()
    finally:
        await one.abandon()


async def called(one: CallingEditor, arguments: dict[str, object]) -> Any:
    """The outcome of a call with these arguments."""
    result = await one.run("flow.call.open", one.workspace.uri(SOURCE), "greet")
    uri = result["uri"] if isinstance(result, dict) else result.uri
    one.open(uri, json.dumps(arguments), language="json")
    outcome = json.loads((await one.call(uri))["outcome"])
    one.close(uri)
    return outcome
