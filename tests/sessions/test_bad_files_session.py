"""Files that cannot be read, or are hostile: each one clear finding, and everything else goes on."""

from __future__ import annotations

import os

import pytest
from lsprotocol import types
from session_workspace import FIND, Workspace, table

NEVER = {"trust": "never", "diagnostics": {"severity": {"not-run": "off"}}}


async def goes_on(one, workspace: Workspace) -> None:
    """Requests are answered and an edit is checked."""
    one.open("sound/a.flow", FIND)
    assert "find" in await one.hover("sound/a.flow", 0, 10)
    one.change("sound/a.flow", "record Hit { x: Txt }\n")
    await one.shows("sound/a.flow", "unknown-type", version=2)


@pytest.mark.parametrize("kind", ["directory", "invalid UTF-8", "link to itself", "link to nothing", "pipe"])
async def test_a_manifest_that_cannot_be_read(editor, workspace: Workspace, kind):
    workspace.write("bad/a.flow", FIND)
    path = workspace.path("bad/flow.toml")
    if kind == "directory":
        path.mkdir()
    elif kind == "invalid UTF-8":
        path.write_bytes(b'[tools."a.flow"]\ncommand = "\xff"\n')
    elif kind == "pipe":
        os.mkfifo(path)
    else:
        path.symlink_to("flow.toml" if kind == "link to itself" else "gone.toml")
    one = editor()
    await one.start(options=NEVER)
    await one.until(lambda: one.said() == {"bad/flow.toml": ["unreadable-manifest"]})
    assert one.found("bad/flow.toml")[0].range.start == types.Position(0, 0)
    await goes_on(one, workspace)


@pytest.mark.parametrize("kind", ["invalid UTF-8", "link to itself", "pipe"])
async def test_a_source_that_cannot_be_read(editor, workspace: Workspace, kind):
    path = workspace.path("bad/a.flow")
    workspace.write("bad/flow.toml", table("a.flow", "python3"))
    if kind == "invalid UTF-8":
        path.write_bytes(FIND.encode() + b"\xff")
    elif kind == "pipe":
        os.mkfifo(path)
    else:
        path.symlink_to("a.flow")
    one = editor()
    await one.start(options=NEVER)
    one.open("bad/flow.toml")
    await one.until(lambda: one.said() == {"bad/a.flow": ["unreadable-source"]})
    assert await one.everything_checked() == {"bad/a.flow": ["unreadable-source"]}
    await goes_on(one, workspace)


async def test_a_loop_of_links_ends_the_scan(editor, workspace: Workspace):
    workspace.write("lib/a.flow", FIND)
    workspace.path("lib/a").mkdir()
    workspace.path("lib/a/lib").symlink_to(workspace.path("lib"))
    workspace.path("lib/up").symlink_to(workspace.folder)
    one = editor()
    await one.start(options=NEVER)
    assert await one.everything_checked() == {"lib/a.flow": ["unbound-no-manifest"]}
    await goes_on(one, workspace)


@pytest.mark.parametrize("name", ["flow.toml", "a.flow"])
async def test_a_line_of_five_megabytes(editor, workspace: Workspace, name):
    size = 5 * 1024 * 1024
    text = f'x = "{"y" * size}"\n' if name == "flow.toml" else f"// {'y' * size}\nrecord Hit {{ x: Txt }}\n"
    one = editor()
    await one.start(options=NEVER)
    uri = one.open(name, text)
    await one.until(lambda: one.found(name))
    assert len(one.found(name)) == 1
    one.change(name, ((0, 3), (0, 4), "z"))
    await one.hover(name, 0, size)
    await one.until(lambda: one.publications(uri)[-1].version == 2)
    await goes_on(one, workspace)


HOSTILE_TOML = {
    "brackets": "[" * 100_000,
    "arrays": "a = " + "[" * 50_000,
    "dotted": "a." * 50_000,
    "surrogate": 'x = "\\ud800"\n',
    "controls": "\x00\x01\x7f",
    "marks": "\ufeff\ufeff",
    "exponent": "a = 1e" + "9" * 5000,
    "half": '[tools."\ud800.flow"]\ncommand = "x"\n\ud800 = 1\n',  # a client may send the escape of half a character
}
HOSTILE_FLOW = {
    "nested": "record A { x: " + "List<" * 20_000,
    "tools": "@tool " * 20_000,
    "braces": "{" * 50_000,
    "comments": "/*" * 50_000,
    "imports": "import ./imports\n" * 2000,
    "controls": "\x00\ud7ff\u2028",
    "half": "record H { x: \ud800 }\n@tool fn f(x: \udc00) -> Result<Int, Never>\n",
}


async def test_hostile_texts_are_answered_at_once(editor, workspace: Workspace):
    one = editor()
    await one.start(options=NEVER)
    for name, text in HOSTILE_TOML.items():
        one.open(f"{name}/flow.toml", text)
        await one.until(lambda name=name: one.found(f"{name}/flow.toml"))
        await one.complete(f"{name}/flow.toml", 0, 0)
        await one.hover(f"{name}/flow.toml", 0, 3)
    for name, text in HOSTILE_FLOW.items():
        one.open(f"{name}.flow", text)
        await one.until(lambda name=name: one.publications(f"{name}.flow"))
        await one.hover(f"{name}.flow", 0, 8)
    await goes_on(one, workspace)
