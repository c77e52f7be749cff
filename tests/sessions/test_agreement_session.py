"""The editor and the command line say the same; a long session says what a fresh one does."""

from __future__ import annotations

import asyncio
import json
import os
import random
import subprocess
import sys
from pathlib import Path

import pytest
from editor_session import SERVER, Editor
from lsprotocol import types
from session_client import capabilities
from session_workspace import FIND, Workspace, command, table

from flow_lsp.cli.implementations import NOBODY_ASKED
from flow_lsp.host.implementations import IN_AN_EDITOR

EXAMPLE = Path(__file__).parents[2] / "examples" / "weather"
SEVERITIES = {1: "error", 2: "warning", 3: "information", 4: "hint"}
NEVER = {"trust": "never", "diagnostics": {"severity": {"not-run": "off"}}}


def shown_by(one: Editor) -> list[tuple]:
    """What the editor shows, in the terms of the command line: lines and columns from 1, in code points."""
    root = one.workspace.uri() + "/"
    return sorted(
        (
            types_path(uri, root),
            item.range.start.line + 1,
            item.range.start.character + 1,
            item.range.end.line + 1,
            item.range.end.character + 1,
            SEVERITIES[item.severity],
            item.code,
            item.message,
        )
        for uri, found in one.client.diagnostics.items()
        for item in found
    )


def types_path(uri: str, root: str) -> str:
    from flow_lsp.files.uris import path_of

    return path_of(uri).removeprefix(path_of(root))


def checked_by_command_line(workspace: Workspace, state: Path, *options: str) -> list[tuple]:
    environment = {**os.environ, "FLOW_LSP_STATE_DIRECTORY": str(state)}
    ran = subprocess.run(
        [SERVER, "check", "--format", "json", *options],
        cwd=workspace.folder, env=environment, capture_output=True, text=True, timeout=60,
    )  # fmt: skip
    assert ran.returncode in (0, 1), ran.stderr
    names = ("path", "line", "column", "end_line", "end_column", "severity", "code", "message")
    found = json.loads(ran.stdout)["diagnostics"]
    for item in found:
        # How to agree is another thing on the command line than in an editor, and all that is said otherwise.
        item["message"] = item["message"].replace(NOBODY_ASKED.waiting, IN_AN_EDITOR.waiting)
    return sorted(tuple(item[name] for name in names) for item in found)


def many_findings(workspace: Workspace) -> None:
    """A workspace in which most kinds of findings stand."""
    workspace.serve(("a.find", {"ok": {"type": "string"}}), ("a.extra", {}))
    workspace.write(
        "flow.toml",
        table("a.flow", command("--served", "served.json", "--print", "hello"))
        + table("no/such.flow", "no/such/program")
        + '[tools."c.flow"]\ncommand = "python3"\nmcp = "python3"\n[tools.d.flow]\ncommand = "x"\n',
    )
    workspace.write("good/flow.toml", workspace.path("flow.toml").read_text().split('[tools."c')[0])
    workspace.write("good/a.flow", FIND + "@tool fn other() -> Result<Int, Never>\n")
    workspace.write("good/deep/é😋.flow", "// 😋\n@tool fn é(q: Txt, 😋: Int) -> Int\nimport ./gone.{X}\n")
    workspace.write("fails/flow.toml", table("a.flow", f"{sys.executable} -c 'import sys; sys.exit(\"no key\")'"))
    workspace.write("fails/a.flow", FIND)
    workspace.write("a.flow", FIND + "record A { a: A }\n")
    workspace.write("bad.flow", b"\xff")


@pytest.mark.parametrize("trusted", [True, False])
async def test_the_editor_shows_what_the_command_line_prints(editor, workspace: Workspace, tmp_path, trusted):
    many_findings(workspace)
    options = ("--trust",) if trusted else ()
    wanted = checked_by_command_line(workspace, tmp_path / "other state", *options)
    assert len({item[6] for item in wanted}) >= (10 if trusted else 7)
    one = editor()
    await one.start(capabilities(("utf-32",)), options={"trust": "always" if trusted else "ask"})
    await one.until(lambda: shown_by(one) == wanted)
    await one.everything_checked()
    assert shown_by(one) == wanted


async def test_the_example_in_the_editor_is_as_on_the_command_line(editor, workspace: Workspace, tmp_path):
    for path in EXAMPLE.iterdir():
        if path.is_file():
            workspace.write(path.name, path.read_bytes())
    wanted = checked_by_command_line(workspace, tmp_path / "other state", "--trust")
    assert {item[6] for item in wanted} == {"drift", "unbound-no-table"}
    one = editor()
    await one.start(capabilities(("utf-32",)), options={"trust": "always"})
    one.open("weather.flow")
    await one.until(lambda: shown_by(one) == wanted)


# -- random sessions -------------------------------------------------------------------------------------

FILES = ("flow.toml", "a.flow", "sub/b.flow", "sub/flow.toml")
PIECES = {
    "flow.toml": (
        table("a.flow", "python3"),
        table("sub/b.flow", "python3 x"),
        '[tools."a.flow"]\n',
        "bogus = 1\n",
        "[tools]\n",
        '[tools."./a.flow"]\nmcp = "python3"\n',
        *('"', "[", "]", "\n", "\r\n", "#", "é😋", "command = "),
    ),
    "a.flow": (
        FIND,
        "record Hit { x: Int, y: Option<Hit> }\n",
        "import ./sub/b.{Page, Bad}\n",
        "import ./sub/b\n",
        "@tool fn other(h: Hit) -> Result<Page<Int>, Bad>\n",
        "enum Bad { A, B(Int) }\n",
        *("{", "}", "<", ">", "(", "/*", "*/", "//", "\n", "\r\n", "é😋", "Int", "Hit", "/// doc\n"),
    ),
    "sub/b.flow": (
        "record Page<T> { items: List<T> }\n",
        "enum Bad { Offline }\n",
        "import ../a.{Hit}\n",
        "record Page<A, B> { a: A }\n",
        "@tool fn deep(p: Page<Text>) -> Result<Bad, Never>\n",
        "opaque record Bad { x: Int }\n",
        *("{", "}", "<", "\n", "Never"),
    ),
    "sub/flow.toml": (table("b.flow", "python3"), table("../a.flow", "python3"), "[", "\n", "x = 1\n"),
}
BEGIN = {name: "".join(pieces[:2]) for name, pieces in PIECES.items()}
STEPS = 120
CHECKS = 4


class RandomSession:
    """Edits, opens, closes, saves, writes to the disk and deletes, at random; `texts` is what counts at the end."""

    def __init__(self, one: Editor, seed: int) -> None:
        self.one, self.workspace, self.random = one, one.workspace, random.Random(seed)
        self.open: dict[str, str] = {}

    async def step(self) -> None:
        name = self.random.choice(FILES)
        act = self.random.choices((self.edit, self.begin, self.end, self.on_disk, self.ask), (60, 10, 6, 8, 8))[0]
        await act(name)

    async def edit(self, name: str) -> None:
        if name not in self.open:
            await self.begin(name)
            return
        text = self.open[name]
        start = self.random.randint(0, len(text))
        kind = self.random.random()
        if kind < 0.1 or len(text) > 1500:
            text = BEGIN[name]
            self.one.change(name, text)
        else:
            end = start if kind < 0.6 else min(len(text), start + self.random.choice((1, 2, 10, 60)))
            new = self.random.choice(PIECES[name]) if kind < 0.8 else ""
            while start and text[start - 1 : start + 1] == "\r\n":
                start -= 1
            if text[end - 1 : end + 1] == "\r\n":
                end += 1
            self.one.change(name, (place(text, start), place(text, max(start, end)), new))
            text = text[:start] + new + text[max(start, end) :]
        self.open[name] = text

    async def begin(self, name: str) -> None:
        if name not in self.open:
            path = self.workspace.path(name)
            text = path.read_bytes().decode() if path.exists() else BEGIN[name]
            self.one.open(name, text)
            self.open[name] = text

    async def end(self, name: str) -> None:
        if name in self.open:
            if self.random.random() < 0.5:
                self.workspace.write(name, self.open[name])
                self.one.save(name)
            self.one.close(name)
            del self.open[name]

    async def on_disk(self, name: str) -> None:
        path = self.workspace.path(name)
        if path.exists() and self.random.random() < 0.4:
            path.unlink()
            self.one.watched(name, kind=types.FileChangeType.Deleted)
        else:
            self.workspace.write(name, "".join(self.random.choices(PIECES[name], k=3)))
            self.one.watched(name)

    async def ask(self, name: str) -> None:
        if name in self.open:
            line = self.random.randint(0, self.open[name].count("\n"))
            await self.one.hover(name, line, self.random.randint(0, 30))
            await self.one.complete(name, line, self.random.randint(0, 30))


def place(text: str, offset: int) -> tuple[int, int]:
    """The position of an offset, in code points."""
    before = text[:offset].replace("\r\n", "\n").replace("\r", "\n")
    return before.count("\n"), len(before) - before.rfind("\n") - 1


@pytest.mark.parametrize("seed", range(4))
async def test_after_random_edits_a_session_shows_what_a_fresh_one_does(editor, workspace: Workspace, seed):
    for name, text in BEGIN.items():
        workspace.write(name, text)
    one = editor()
    await one.start(capabilities(("utf-32",)), options=NEVER)
    session = RandomSession(one, seed)
    for number in range(1, STEPS + 1):
        await session.step()
        if number % (STEPS // CHECKS):
            continue
        await asyncio.wait_for(gathered(one), 20)
        fresh = editor()
        await fresh.start(capabilities(("utf-32",)), options=NEVER)
        for name, text in session.open.items():
            fresh.open(name, text)
        await fresh.everything_checked()
        await one.everything_checked()
        assert shown_by(one) == shown_by(fresh), session.open
        await fresh.leave()


async def gathered(one: Editor) -> None:
    """Waits until the watch events so far were looked at, which are gathered for a moment: a marked one comes last."""
    name = f"marker{len(one.published)}.flow"
    one.workspace.write(name, "record X { x: NoSuchType }\n")
    one.watched(name, kind=types.FileChangeType.Created)
    await one.until(lambda: one.codes(name) == ["unknown-type"])
    one.workspace.path(name).unlink()
    one.watched(name, kind=types.FileChangeType.Deleted)
    await one.until(lambda: one.codes(name) == [])
