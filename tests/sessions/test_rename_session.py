"""textDocument/rename and prepareRename: edits of open files with their versions, and of files on the disk."""

from __future__ import annotations

from typing import Any

import pytest
from editor_session import SERVER, Editor
from lsprotocol import types
from session_asks import ask
from session_client import capabilities
from session_workspace import Workspace
from wire_client import Wire, did_open, notification, request

TYPES = "// 🙂\nrecord Hit { title: Text }\n"
TEXT = "import ./types.{Hit}\n/* 🙂 */ record Page { a: Hit }\nfn body() { Hit }\n"


@pytest.fixture
def work(workspace: Workspace) -> Workspace:
    workspace.write("types.flow", TYPES)
    workspace.write("a.flow", TEXT)
    workspace.write("flow.toml", '[tools."a.flow"]\ncommand = "x"\n')
    return workspace


def renaming(*, changes: bool = True, annotations: bool = False, prepare: bool = True) -> types.ClientCapabilities:
    can = capabilities()
    support = types.ChangeAnnotationsSupportOptions(groups_on_label=True) if annotations else None
    can.workspace.workspace_edit = types.WorkspaceEditClientCapabilities(
        document_changes=changes, change_annotation_support=support
    )
    can.text_document.rename = types.RenameClientCapabilities(prepare_support=prepare)
    return can


def made(text: str, edits: list[Any]) -> str:
    """`text` with the edits made, whose columns are in UTF-16."""
    lines = text.split("\n")
    for edit in sorted(edits, key=lambda one: (one.range.start.line, one.range.start.character), reverse=True):
        assert edit.range.start.line == edit.range.end.line
        line = lines[edit.range.start.line].encode("utf-16-le")
        start, end = 2 * edit.range.start.character, 2 * edit.range.end.character
        lines[edit.range.start.line] = (line[:start] + edit.new_text.encode("utf-16-le") + line[end:]).decode(
            "utf-16-le"
        )
    return "\n".join(lines)


async def test_an_open_file_and_one_on_the_disk_are_edited_and_the_open_one_with_its_version(editor, work: Workspace):
    one: Editor = editor()
    started = await one.start(renaming(annotations=True))
    assert started.capabilities.rename_provider == types.RenameOptions(prepare_provider=True)
    one.open("a.flow", "\n" + TEXT, version=7)
    prepared = await ask(one, "prepareRename", "a.flow", 2, 28)
    assert prepared.placeholder == "Hit"
    assert prepared.range == types.Range(types.Position(2, 26), types.Position(2, 29))
    edit = await ask(one, "rename", "a.flow", 2, 28, newName="Treffer")
    there, here = edit.document_changes
    assert (there.text_document.uri, there.text_document.version) == (one.workspace.uri("types.flow"), None)
    assert (here.text_document.uri, here.text_document.version) == (one.workspace.uri("a.flow"), 7)
    assert made(TYPES, there.edits) == TYPES.replace("Hit", "Treffer")
    assert made("\n" + TEXT, here.edits) == "\n" + TEXT.replace("Hit", "Treffer")
    asked = [edit.change_annotations[one.annotation_id].needs_confirmation for one in here.edits]
    assert asked == [False, False, True]


async def test_a_client_that_can_little_gets_plain_edits(editor, work: Workspace):
    one = editor()
    started = await one.start(renaming(changes=False, prepare=False))
    assert started.capabilities.rename_provider is True
    one.open("types.flow")
    edit = await ask(one, "rename", "types.flow", 1, 8, newName="Treffer")
    assert edit.document_changes is None
    assert edit.change_annotations is None
    uri = one.workspace.uri("a.flow")
    assert set(edit.changes) == {uri, one.workspace.uri("types.flow")}
    assert made(TEXT, edit.changes[uri]) == TEXT.replace("Hit", "Treffer")
    assert all(type(one) is types.TextEdit for one in edit.changes[uri])


async def test_what_cannot_be_renamed_is_said_in_a_sentence(editor, work: Workspace):
    one = editor()
    await one.start(renaming())
    one.open("a.flow")
    with pytest.raises(Exception, match="`Page` already"):
        await ask(one, "rename", "a.flow", 1, 28, newName="Page")
    with pytest.raises(Exception, match="This path names a file"):
        await ask(one, "prepareRename", "a.flow", 0, 9)
    with pytest.raises(Exception, match="Nothing that has a name"):
        await ask(one, "prepareRename", "a.flow", 2, 1)
    uri = one.open("untitled:Untitled-1", "record A { }", language="flow")
    assert await ask(one, "prepareRename", uri, 0, 8) is None
    assert await ask(one, "rename", uri, 0, 8, newName="B") is None


async def test_a_rename_asked_at_once_waits_for_the_workspace_and_is_complete(editor, work: Workspace):
    for number in range(200):
        work.write(f"uses/u{number}.flow", f"import ../types.{{Hit}}\nrecord U{number} {{ hit: Hit }}\n")
    one = editor()
    await one.start(renaming())
    one.open("types.flow")
    edit = await ask(one, "rename", "types.flow", 1, 8, newName="Treffer")
    assert len(edit.document_changes) == 202
    assert sum(len(change.edits) for change in edit.document_changes) == 1 + 3 + 400


def test_what_takes_long_is_heard_to_be_cancelled_and_holds_up_nothing(workspace: Workspace):
    workspace.write("types.flow", "record Hit { n: Int }\n")
    for number in range(1000):
        workspace.write(
            f"f{number}.flow", "import ./types.{Hit}\n" + f"record R{number} {{ a: Hit, b: List<Hit> }}\n" * 2
        )
    uri = workspace.uri("types.flow")
    document = {"textDocument": {"uri": uri}, "position": {"line": 0, "character": 8}}
    with Wire([SERVER], strict=True) as wire:
        folders = [{"uri": workspace.uri(), "name": "w"}]
        wire.initialize(workspaceFolders=folders, initializationOptions={"trust": "never"})
        wire.send(did_open("record Hit { n: Int }\n", uri=uri))
        assert len(wire.ask("before", "textDocument/references", {**document, "context": {}})["result"]) == 5000
        wire.send(
            request("rename", "textDocument/rename", {**document, "newName": "Found"}),
            request("references", "textDocument/references", {**document, "context": {}}),
            request("hover", "textDocument/hover", document),
            notification("$/cancelRequest", {"id": "rename"}),
            notification("$/cancelRequest", {"id": "references"}),
        )
        answers = [wire.wait(lambda message: "method" not in message) for _ in range(3)]
        assert [answer["id"] for answer in answers] == ["hover", "rename", "references"]
        assert [answer["error"]["code"] for answer in answers[1:]] == [-32800, -32800]
        assert wire.leave() == 0
