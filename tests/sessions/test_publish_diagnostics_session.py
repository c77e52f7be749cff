"""textDocument/publishDiagnostics as an editor sees it: versions, places, what is cleared."""

from __future__ import annotations

import pytest
from editor_session import FIND, Workspace, command, table

pytestmark = pytest.mark.asyncio


async def test_smoke(editor, workspace: Workspace):
    workspace.write("flow.toml", table("tools/search.flow", command("--log", "starts")))
    workspace.write("tools/search.flow", FIND.replace("Int", "Text"))
    one = editor()
    await one.start(options={"trust": "always"})
    one.open("tools/search.flow")
    await one.shows("tools/search.flow", "drift", version=1)
    print(await one.hover("tools/search.flow", 0, 10))
    assert len(workspace.starts()) == 1


async def test_smoke2(editor, workspace: Workspace):
    workspace.write("flow.toml", table("tools/search.flow", command("--log", "starts")))
    workspace.write("tools/search.flow", FIND.replace("Int", "Text"))
    one = editor()
    await one.start(options={"trust": "always"})
    one.open("tools/search.flow")
    await one.quiet(1)
    for p in one.published:
        print(p.uri[-10:], p.version, [d.message[-60:] for d in p.diagnostics])
