"""Files and folders renamed and deleted in the editor: what the server has edited, asks, and knows after."""

from __future__ import annotations

import shutil
from collections.abc import AsyncIterator, Awaitable, Callable
from pathlib import Path
from typing import Any
from urllib.parse import unquote

import pytest
from editor_session import Editor
from lsprotocol import types
from session_client import capabilities
from session_workspace import FIND, Workspace, table

QUIET = {"trust": "never", "diagnostics": {"severity": {"not-run": "off"}}}
BOUND = table("a.flow", "python3") + "\n" + table("sub/b.flow", "python3")


class Editing(Editor):
    """An editor that makes the edits it is told to."""

    def __init__(self, workspace: Workspace, state: Path) -> None:
        self.more_features = {types.WORKSPACE_APPLY_EDIT: self._apply}
        self.applied: list[str | None] = []
        super().__init__(workspace, state)

    def _apply(self, params: types.ApplyWorkspaceEditParams) -> types.ApplyWorkspaceEditResult:
        self.make(params.edit)
        self.applied.append(params.label)
        self._happened.set()
        return types.ApplyWorkspaceEditResult(applied=True)

    def make(self, edit: types.WorkspaceEdit) -> None:
        """Makes an edit in the files of the workspace; none of them is open."""
        for uri, edits in (edit.changes or {}).items():
            name = unquote(uri.removeprefix(self.workspace.uri() + "/"))
            lines = self.workspace.path(name).read_bytes().decode().split("\n")
            for one in sorted(edits, key=lambda one: (-one.range.start.line, -one.range.start.character)):
                start, end = one.range.start, one.range.end
                text = lines[start.line][: start.character] + one.new_text + lines[end.line][end.character :]
                lines[start.line : end.line + 1] = text.split("\n")
            self.workspace.path(name).write_bytes("\n".join(lines).encode())
            self.watched(uri)

    async def rename(self, *pairs: tuple[str, str]) -> types.WorkspaceEdit | None:
        """As an editor renames: it asks first, makes the edit, renames, and tells."""
        files = [types.FileRename(self.workspace.uri(old), self.workspace.uri(new)) for old, new in pairs]
        edit = await self.answer(self.client.workspace_will_rename_files_async(types.RenameFilesParams(files)))
        if edit is not None:
            self.make(edit)
        for old, new in pairs:
            self.workspace.path(new).parent.mkdir(parents=True, exist_ok=True)
            self.workspace.path(old).rename(self.workspace.path(new))
        self.client.workspace_did_rename_files(types.RenameFilesParams(files))
        return edit

    def delete(self, *names: str) -> None:
        for name in names:
            path = self.workspace.path(name)
            shutil.rmtree(path) if path.is_dir() else path.unlink()
        files = [types.FileDelete(self.workspace.uri(name)) for name in names]
        self.client.workspace_did_delete_files(types.DeleteFilesParams(files))


def client(**more: Any) -> types.ClientCapabilities:
    can = capabilities(watch=False, **more)
    assert can.workspace is not None
    can.workspace.apply_edit = True
    return can


@pytest.fixture
async def begun(workspace: Workspace, tmp_path: Path) -> AsyncIterator[Callable[..., Awaitable[Editing]]]:
    """Starts an editor in a workspace of two bound files, one of which imports the other."""
    made: list[Editing] = []

    async def begin(can: types.ClientCapabilities | None = None) -> Editing:
        workspace.write("flow.toml", BOUND)
        workspace.write("a.flow", FIND)
        workspace.write("sub/b.flow", "import ../a\n" + FIND)
        made.append(Editing(workspace, tmp_path / "state"))
        await made[0].start(can or client(), options=QUIET)
        return made[0]

    try:
        yield begin
        await made[0].leave()
    finally:
        await made[0].abandon()


async def test_renaming_a_file_and_a_folder_changes_keys_and_imports(begun, workspace: Workspace):
    one = await begun()
    edit = await one.rename(("a.flow", "lib/c é.flow"), ("sub", "other"))
    assert edit is not None
    assert workspace.path("flow.toml").read_text() == BOUND.replace("a.flow", "lib/c é.flow").replace("sub/", "other/")
    one.open("flow.toml")
    await one.shows("flow.toml")
    one.close("flow.toml")
    edit = await one.rename(("lib/c é.flow", "lib/c.flow"))
    assert edit is not None
    assert 'tools."lib/c.flow"' in workspace.path("flow.toml").read_text()


async def test_an_import_follows_and_nothing_is_wrong_after(begun, workspace: Workspace):
    one = await begun()
    await one.rename(("a.flow", "lib/kinds.flow"))
    assert workspace.path("sub/b.flow").read_text() == "import ../lib/kinds as a\n" + FIND
    await one.until(lambda: one.said() == {"sub/b.flow": ["unused-import"]})


async def test_a_document_that_is_open_is_edited_as_it_stands(begun, workspace: Workspace):
    one = await begun()
    one.open("flow.toml", "# unsaved\n" + BOUND)
    file = types.FileRename(workspace.uri("a.flow"), workspace.uri("b.flow"))
    edit = await one.answer(one.client.workspace_will_rename_files_async(types.RenameFilesParams([file])))
    assert edit.changes is not None
    (change,) = edit.changes[workspace.uri("flow.toml")]
    assert (change.range.start.line, change.new_text) == (1, '"b.flow"')


async def test_what_names_nothing_and_what_is_no_file_gives_no_edit(begun, workspace: Workspace):
    one = await begun()
    for old, new in (("x.txt", "y.txt"), ("none.flow", "y.flow")):
        file = types.FileRename(workspace.uri(old), workspace.uri(new))
        assert await one.answer(one.client.workspace_will_rename_files_async(types.RenameFilesParams([file]))) is None
    file = types.FileRename("untitled:a.flow", "file:///%zz.flow")
    assert await one.answer(one.client.workspace_will_rename_files_async(types.RenameFilesParams([file]))) is None


async def test_the_table_of_a_deleted_file_is_removed_when_the_user_wants_it(begun, workspace: Workspace):
    one = await begun()
    await one.everything_checked()
    one.delete("a.flow")
    question = await one.question()
    assert question.message.startswith("`a.flow` was deleted. Remove its table from `")
    question.answer("Remove")
    await one.until(lambda: one.applied)
    assert workspace.path("flow.toml").read_text() == table("sub/b.flow", "python3")
    one.delete("sub")
    question = await one.question(1)
    question.answer("Keep")
    await one.until(lambda: one.said() == {"flow.toml": ["missing-file"]})
    assert workspace.path("flow.toml").read_text() == table("sub/b.flow", "python3")


async def test_nobody_is_asked_about_a_file_without_a_table_or_where_it_cannot_be(begun):
    one = await begun(client(questions=False))
    one.delete("a.flow")
    await one.until(lambda: one.codes("flow.toml") == ["missing-file"])
    assert one.questions == []
