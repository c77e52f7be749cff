"""flow/tools, flow/toolsDidChange and flow.tool.page: an editor's view of all Tools."""

from __future__ import annotations

import asyncio
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from call_editor import ACT, ALWAYS, SOURCE, CallingEditor, bind, can_call
from editor_session import SERVER
from lsprotocol import types
from session_workspace import Workspace, table


class ViewingEditor(CallingEditor):
    """An editor with a view of all Tools; `told` is all that it was told of it."""

    def __init__(self, workspace: Workspace, state: Path) -> None:
        self.told: list[Any] = []
        super().__init__(workspace, state)
        self.client.feature("flow/toolsDidChange")(lambda params: self._took(params))

    async def begin(self, **options: Any) -> types.InitializeResult:
        can = can_call()
        can.experimental = {"flowTools": True}
        return await self.start(can, options={**ALWAYS, **options})

    async def tools(self) -> Any:
        return await self.answer(self.client.protocol.send_request_async("flow/tools", {}))

    async def told_of(self, tools: int, unfit: int) -> None:
        """Waits until the counts are these and nothing goes on."""
        await self.until(
            lambda: (
                bool(self.told)
                and (self.told[-1].tools, self.told[-1].unfit, self.told[-1].doing) == (tools, unfit, None)
            )
        )

    def _took(self, params: Any) -> None:
        self.told.append(params)
        self._happened.set()


@pytest.fixture
async def viewer(workspace: Workspace, tmp_path: Path):
    bind(workspace)
    made = ViewingEditor(workspace, tmp_path / "state")
    try:
        yield made
        if made.process.returncode is None:
            await made.leave()
    finally:
        await made.abandon()


def every(answer: Any) -> list[Any]:
    return [tool for manifest in answer.manifests for file in manifest.files for tool in file.tools]


async def test_all_tools_stand_below_their_manifests_and_files(viewer: ViewingEditor, workspace: Workspace):
    workspace.write("sub/b.flow", ACT)
    workspace.write("sub/flow.toml", "")
    workspace.write("types.flow", "record Hit { x: Int }\n")
    result = await viewer.begin()
    assert result.capabilities.experimental == {"flowTools": True}
    await viewer.told_of(2, 1)
    found = await viewer.tools()
    assert [(one.label, one.uri) for one in found.manifests] == [
        (name, workspace.uri(name)) for name in ("flow.toml", "sub/flow.toml")
    ]
    (mine,), (other,) = [one.files for one in found.manifests]
    assert (mine.label, mine.uri, other.label, other.uri) == (
        SOURCE, workspace.uri(SOURCE), "b.flow", workspace.uri("sub/b.flow"),
    )  # fmt: skip
    (tool,) = mine.tools
    assert (tool.name, tool.identity, tool.state, tool.standing) == ("act", "tools.act", "fits", "current")
    assert (tool.range.start.line, tool.range.start.character, tool.range.end.character) == (1, 7, 10)
    assert tool.asOf.endswith("Z")
    assert tool.commands == ["flow.describe", "flow.call.open", "flow.tool.schema", "flow.tool.page"]
    assert (found.tools, found.unfit, found.truncated) == (2, 1, False)


async def test_a_file_without_a_manifest_stands_below_none(viewer: ViewingEditor, workspace: Workspace):
    workspace.path("flow.toml").unlink()
    await viewer.begin()
    await viewer.told_of(1, 1)
    (none,) = (await viewer.tools()).manifests
    assert (none.uri, [file.label for file in none.files]) == (None, [SOURCE])


async def test_the_view_follows_what_is_typed(viewer: ViewingEditor, workspace: Workspace):
    await viewer.begin()
    viewer.open(SOURCE)
    await viewer.told_of(1, 0)
    viewer.change(SOURCE, ACT + ACT.replace("act", "other"))
    assert [tool.name for tool in every(await viewer.tools())] == ["act", "other"]
    await viewer.told_of(2, 1)
    before = len(viewer.told)
    viewer.change(SOURCE, ((0, 0), (0, 0), "\n"))  # the counts stay, and the places do not
    await viewer.until(lambda: len(viewer.told) > before)
    assert [tool.range.start.line for tool in every(await viewer.tools())] == [2, 4]


async def test_a_text_that_shows_nothing_else_tells_nothing(viewer: ViewingEditor, workspace: Workspace):
    await viewer.begin()
    viewer.open(SOURCE)
    await viewer.told_of(1, 0)
    before = len(viewer.told)
    viewer.change(SOURCE, ACT + "// a comment\n")
    await viewer.everything_checked()
    await viewer.tools()
    viewer.change(SOURCE, ACT + "// a comment\n" + ACT.replace("act", "other"))
    await viewer.told_of(2, 1)
    assert len(viewer.told) == before + 1


async def test_what_is_being_asked_is_said(viewer: ViewingEditor, workspace: Workspace):
    line = f"{sys.executable} -c 'import sys; sys.stdin.read()'"  # it never answers
    workspace.write("flow.toml", table(SOURCE, line))
    await viewer.begin()
    said = f"Asking {sys.executable[:30]}"
    await viewer.until(lambda: any((one.doing or "").startswith(said) for one in viewer.told))
    (tool,) = every(await viewer.tools())  # which is not waited for
    assert (tool.state, tool.standing, tool.asOf) == ("not-checked", "running", None)


async def test_a_client_without_a_view_is_told_nothing(workspace: Workspace, tmp_path: Path):
    bind(workspace)
    one = ViewingEditor(workspace, tmp_path / "state")
    await one.start(can_call(), options=ALWAYS)
    one.open(SOURCE)
    await one.current(SOURCE, line=1, character=8)
    await one.everything_checked()
    assert one.told == []
    await one.leave()


async def test_the_view_agrees_with_the_command_line(viewer: ViewingEditor, workspace: Workspace, tmp_path: Path):
    workspace.write("b.flow", ACT + "@tool fn odd(x: Nope) -> Result<Int, Never>\n")
    workspace.write("bad/flow.toml", "bogus = 1\n")
    workspace.write("bad/é😋.flow", "// 😋\n" + ACT)
    workspace.write(SOURCE, ACT.replace("value: Int", "value: Text") + ACT.replace("act", "gone"))
    ran = await asyncio.to_thread(
        subprocess.run,
        [SERVER, "check", "--format", "json", "--trust"],
        cwd=workspace.folder,
        env={**os.environ, "FLOW_LSP_STATE_DIRECTORY": str(tmp_path / "other")},
        capture_output=True, check=False, timeout=60,
    )  # fmt: skip
    wanted = json.loads(ran.stdout)["tools"]
    assert {each["state"] for each in wanted} == {"drift", "unserved", "unbound", "refused"}
    await viewer.begin()
    unfit = ("drift", "unserved", "describe-failed", "unbound", "refused")
    await viewer.told_of(len(wanted), sum(each["state"] in unfit for each in wanted))
    found = every(await viewer.tools())
    assert sorted((one.identity, one.state, one.standing, one.range.start.line + 1) for one in found) == sorted(
        (each["tool"], each["state"], each["standing"], each["line"]) for each in wanted
    )


async def test_the_page_of_a_tool(viewer: ViewingEditor, workspace: Workspace):
    workspace.write(
        SOURCE, "/// Own.\nrecord Own { x: Int }\n/// Acts.\n@tool fn act(own: Own) -> Result<Own, Never>\n"
    )
    await viewer.begin()
    found = await viewer.run("flow.tool.page", workspace.uri(SOURCE), "act")
    tool, own = found["sections"]
    assert (found["title"], found["identity"], found["doc"]) == ("act", "tools.act", "Acts.")
    assert json.loads(found["json"])["fingerprint"] == found["fingerprint"]
    assert found["markdown"].startswith("# act\n")
    assert tool["lines"][1][:2] == [{"text": "fn act(own: "}, {"text": "Own", "to": "type-tools.Own"}]
    assert (own["id"], own["heading"], own["kind"], own["doc"]) == ("type-tools.Own", "Own", "record", "Own.")
    place = {"start": {"line": 1, "character": 7}, "end": {"line": 1, "character": 10}}
    assert own["location"] == {"uri": workspace.uri(SOURCE), "range": place}


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ((), "flow.tool.page takes the URI of a .flow file and a Tool"),
        ((SOURCE, "other"), "declares no Tool `other`"),
        ((SOURCE, "odd"), "`odd` has no page while its signature is not known"),
    ],
)
async def test_a_page_that_cannot_be_made(viewer: ViewingEditor, workspace: Workspace, given, message):
    workspace.write(SOURCE, ACT + "@tool fn odd(x: Nope) -> Result<Int, Never>\n")
    await viewer.begin()
    name = (workspace.uri(given[0]), given[1]) if given else ()
    with pytest.raises(Exception, match=message):
        await viewer.run("flow.tool.page", *name)
