"""The editor and `flow-lsp check` say the same of a workspace: the same sentences, at the same places."""

from __future__ import annotations

import asyncio
import json
import os
import subprocess
from collections.abc import Callable
from pathlib import Path
from urllib.parse import unquote, urlsplit

import pytest
from editor_session import SERVER, Editor
from lsprotocol import types
from session_client import capabilities
from session_workspace import FIND, Workspace, command, table

Said = tuple[str, int, int, int, int, int, str, str, tuple[tuple[str, int, int, str], ...]]
# Path, range, severity, code, message, related places.

SEVERITIES = {"error": 1, "warning": 2, "information": 3, "hint": 4}

FILES = f"""--- tools/search.flow
import ../types
import ./nowhere
{FIND}@tool fn drifted(query: Text) -> Result<Decimal, Text>
@tool fn absent(query: Text) -> Result<Int, Never>
@tool fn endless(query: types.Hit) -> Result<Int, Never>
@tool fn wrong(query: Nope) -> Result<Int, Never>
--- types.flow
record Hit {{ title: Text, 😋: Loop }}
record Loop {{ next: Loop }}
--- unbound.flow
@tool fn alone() -> Result<Int, Never>
--- broken/flow.toml
"字" = 1
[tools."a.flow"]
command = 3
--- broken/a.flow
@tool fn silenced() -> Result<Int, Never>
--- dead/flow.toml
[tools."b.flow"]
command = "no-such-program-anywhere"
--- dead/b.flow
@tool fn lost() -> Result<Int, Never>
--- none/c.flow
/* open
"""

GONE = '[tools."gone.flow"]\nmcp = "cat"\n'


def by_check(workspace: Workspace, state: Path, *arguments: str) -> set[Said]:
    """What `flow-lsp check` says."""
    ran = subprocess.run(
        [SERVER, "check", "--format", "json", *arguments],
        cwd=workspace.folder,
        env={**os.environ, "FLOW_LSP_STATE_DIRECTORY": str(state)},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        check=False,
        timeout=60,
    )
    assert ran.returncode == 1, ran.stderr
    return {
        (
            each["path"],
            each["line"],
            each["column"],
            each["end_line"],
            each["end_column"],
            SEVERITIES[each["severity"]],
            each["code"],
            each["message"],
            tuple((other["path"], other["line"], other["column"], other["message"]) for other in each["related"]),
        )
        for each in json.loads(ran.stdout)["diagnostics"]
    }


def by_editor(one: Editor) -> set[Said]:
    """What has been published last, with places as the command line writes them."""

    def name(uri: str) -> str:
        return str(Path(unquote(urlsplit(uri).path)).relative_to(one.workspace.folder))

    def said(uri: str, found: types.Diagnostic) -> Said:
        related = tuple(
            (
                name(other.location.uri),
                other.location.range.start.line + 1,
                other.location.range.start.character + 1,
                other.message,
            )
            for other in found.related_information or ()
        )
        start, end = found.range.start, found.range.end
        places = start.line + 1, start.character + 1, end.line + 1, end.character + 1
        return (name(uri), *places, int(found.severity or 0), str(found.code), found.message, related)

    return {said(uri, found) for uri, all_found in one.client.diagnostics.items() for found in all_found}


@pytest.mark.parametrize("trust", ["always", "never"])
async def test_the_editor_and_the_command_line_agree(
    workspace: Workspace, tmp_path: Path, editor: Callable[[], Editor], trust: str
) -> None:
    for part in FILES.split("--- ")[1:]:
        path, _, text = part.partition("\n")
        workspace.write(path, text)
    served = command("--served", str(workspace.path("served.json")), "--print", "hello")
    workspace.write("flow.toml", table("tools/search.flow", served) + GONE)
    workspace.serve(("tools/search.find", {}), ("tools/search.drifted", {}), ("tools/search.extra", {}))
    arguments = ["--trust"] if trust == "always" else ["--no-describe"]
    expected = await asyncio.to_thread(by_check, workspace, tmp_path / "other state", *arguments)
    codes = {each[6] for each in expected}
    assert {"import", "unknown-type", "endless-value", "unbound-no-table", "unknown-key", "value"} <= codes
    assert {"program-not-found", "unbound-no-program", "missing-file", "open-comment"} <= codes
    if trust == "always":
        assert {"drift", "unserved", "output-noise", "served-undeclared"} <= codes
    one = editor()
    options = {"trust": trust, "diagnostics": {"severity": {"not-run": "off"}}}
    await one.start(capabilities(("utf-32",)), options=options)
    await one.until(lambda: by_editor(one) == expected)
    one.open("tools/search.flow")
    await one.quiet()
    assert by_editor(one) == expected
