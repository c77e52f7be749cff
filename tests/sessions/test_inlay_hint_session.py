"""textDocument/inlayHint and workspace/inlayHint/refresh: the state of each Tool, where the user wants it."""

from __future__ import annotations

import asyncio
from typing import Any

from editor_session import Editor
from lsprotocol import types
from session_client import capabilities
from session_workspace import FIND, Workspace, command, table

SOURCE = "tools/search.flow"
WANTED = {"trust": "always", "inlayHints": True}


def can(refresh: bool = True) -> types.ClientCapabilities:
    made = capabilities(configuration=True)
    made.workspace.inlay_hint = types.InlayHintWorkspaceClientCapabilities(refresh_support=refresh)
    return made


async def hints(one: Any, start: tuple[int, int] = (0, 0), end: tuple[int, int] = (99, 0)) -> list[types.InlayHint]:
    where = types.Range(types.Position(*start), types.Position(*end))
    params = types.InlayHintParams(one.identifier(SOURCE), where)
    return list(await one.answer(one.client.text_document_inlay_hint_async(params)))


class HintedEditor(Editor):
    """An editor that counts how often it is told to ask for hints again."""

    def __init__(self, *arguments: Any) -> None:
        self.hints_refreshed = 0
        self.more_features = {types.WORKSPACE_INLAY_HINT_REFRESH: self._hints}
        super().__init__(*arguments)

    def _hints(self, _: object) -> None:
        self.hints_refreshed += 1
        self._happened.set()


async def test_the_state_stands_behind_the_name_and_follows_what_changes(workspace: Workspace, tmp_path):
    workspace.write("flow.toml", table(SOURCE, command()))
    workspace.write(SOURCE, FIND + "@tool fn other() -> Result<Int, Never>\n")
    one = HintedEditor(workspace, tmp_path / "state")
    try:
        one.configuration = WANTED
        await one.start(can(), options=WANTED)
        one.open(SOURCE)
        first = await hints(one)
        await one.shows(SOURCE, "unserved")
        await one.until(lambda: one.hints_refreshed or [hint.label for hint in first] == ["fits", "unserved"])
        found = await hints(one)
        assert [hint.label for hint in found] == ["fits", "unserved"]
        assert found[0].position == types.Position(0, 13)
        assert found[0].padding_left
        assert found[0].tooltip == "The implementation serves the same signature."
        assert [hint.label for hint in await hints(one, (1, 0), (1, 20))] == ["unserved"]
        before = one.hints_refreshed
        one.change(SOURCE, FIND.replace("Int", "Text"))
        await one.until(lambda: one.hints_refreshed > before)
        assert [hint.label for hint in await hints(one)] == ["drift"]
        before = one.hints_refreshed
        one.configuration = {**WANTED, "inlayHints": False}
        one.configure()
        await one.until(lambda: one.hints_refreshed > before)
        assert await hints(one) == []
        await one.leave()
    finally:
        await one.abandon()


async def test_there_are_none_unless_they_are_wanted(editor, workspace: Workspace):
    workspace.write(SOURCE, FIND)
    one = editor()
    await one.start(can(refresh=False), options={"trust": "never"})
    one.open(SOURCE)
    await one.everything_checked()
    assert await hints(one) == []
    one.open("flow.toml", "")
    where = types.Range(types.Position(0, 0), types.Position(9, 0))
    params = types.InlayHintParams(one.identifier("flow.toml"), where)
    assert not await asyncio.wait_for(one.client.text_document_inlay_hint_async(params), 20)
