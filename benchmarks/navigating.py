"""Going through a large workspace of `.flow` files, beside a bare pygls server, pyright, and reading the files.

    python benchmarks/navigating.py --harness DIR [--files 2000] [--large 10000] [--rounds 3] [--only PART ...]

DIR holds `lsp_client.py`, a client for any language server, and the bare server. The parts are

- `idle`: hover, completion and definition while nothing else is going on, against the bare server's hover;
- `reading`: the same hover from the first moment on, while the workspace is read, and then checked;
- `memory`: what is resident once all of `--large` files of about 100 lines are known, against pyright on as many lines
  of Python stubs (installed from npm into a folder of its own, or left out where it cannot be);
- `rename`: one type with 1,000 uses in 200 files, against reading those files into declarations.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import random
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from importlib import import_module
from pathlib import Path
from typing import Any

from flow_lsp.source.reader import read_source

BIN = Path(sys.executable).parent
OPTIONS = {"flow": {"trust": "never"}}
# What VS Code says of completion, and the client here does not.
COMPLETION = {
    "completionItem": {
        "snippetSupport": True,
        "insertReplaceSupport": True,
        "documentationFormat": ["markdown", "plaintext"],
        "resolveSupport": {"properties": ["documentation", "detail", "additionalTextEdits"]},
    },
    "completionList": {"itemDefaults": ["commitCharacters", "editRange", "insertTextFormat", "insertTextMode", "data"]},
    "contextSupport": True,
}
PYRIGHT = "pyright@1.1.407"
ASKS = 300  # of each kind in a round
GROUPS = 3  # of declarations in a file
USERS, USES = 200, 5  # files that use the type that is renamed, and how often each

FLOW = """\
/// One thing that the shop {name} sells.
pub record Item{name} {{
    title: Text
    price: Decimal
    left: Option<Int>
    tags: Set<Text>
}}

/// Why the shop {name} has no answer.
pub enum Problem{name} {{
    Closed
    Slow(Duration)
    Refused {{ code: Int, reason: Text }}
}}

pub record Order{name} {{
    items: List<Item{name}>
    placed: Instant
    before: Option<{neighbour}.Item{other}>
}}

/// Finds what fits a question.
@tool
pub fn find{name}(question: Text, limit: Int) -> Result<List<Item{name}>, Problem{name}>

/// Buys something.
@tool
pub fn buy{name}(order: Order{name}, note: Option<Text>) -> Result<Instant, Problem{name}>

"""
STUB = '''\
class Item{name}:
    """One thing that the shop {name} sells."""
    title: str
    price: float
    left: int | None
    tags: set[str]

class Problem{name}:
    """Why the shop {name} has no answer."""
    closed: bool
    slow: timedelta | None
    code: int
    reason: str

class Order{name}:
    """What is bought."""
    items: list[Item{name}]
    placed: datetime
    before: {neighbour}.Item{other} | None

def find{name}(question: str, limit: int) -> list[Item{name}] | Problem{name}:
    """Finds what fits a question."""
    ...

def buy{name}(order: Order{name}, note: str | None) -> datetime | Problem{name}:
    """Buys something."""
    ...


'''


def write_workspace(folder: Path, files: int) -> list[str]:
    """Writes `.flow` files under a manifest for each hundred; their texts, in order."""
    texts = []
    for number in range(files):
        place = folder / f"project{number // 100}"
        place.mkdir(parents=True, exist_ok=True)
        other = number - 1 if number % 100 else number
        text = f"import ./shop{other}\n\n" if other != number else f"import ./shop{number} as shop{other}\n\n"
        for group in range(GROUPS):
            text += FLOW.format(name=f"{number}x{group}", neighbour=f"shop{other}", other=f"{other}x{group}")
        (place / f"shop{number}.flow").write_text(text, encoding="utf-8")
        if not number % 100:
            (place / "flow.toml").write_text("", encoding="utf-8")
        texts.append(text)
    return texts


def write_stubs(folder: Path, files: int) -> None:
    """Writes as many stubs with as many lines."""
    for number in range(files):
        place = folder / f"project{number // 100}"
        place.mkdir(parents=True, exist_ok=True)
        (place / "__init__.pyi").touch()
        other = number - 1 if number % 100 else number
        text = "from datetime import datetime, timedelta\n"
        text += f"from . import shop{other}\n\n"
        for group in range(GROUPS):
            text += STUB.format(name=f"{number}x{group}", neighbour=f"shop{other}", other=f"{other}x{group}")
        (place / f"shop{number}.pyi").write_text(text, encoding="utf-8")


def places(text: str, words: list[str]) -> list[tuple[int, int]]:
    """Lines and columns just inside each of `words`, wherever they stand."""
    found = []
    for word in words:
        at = text.find(word)
        while at >= 0:
            found.append((text.count("\n", 0, at), at - text.rfind("\n", 0, at)))
            at = text.find(word, at + 1)
    return found


class Server:
    """One server in a folder, with one of its files open."""

    def __init__(self, harness: Any, client: Any, uri: str) -> None:
        self.harness = harness
        self.client = client
        self.uri = uri

    async def ask(self, method: str, place: tuple[int, int], **more: Any) -> tuple[Any, float]:
        """The answer of one request, and how many milliseconds it took."""
        position = {"line": place[0], "character": place[1]}
        params = {"textDocument": {"uri": self.uri}, "position": position, **more}
        at = time.perf_counter()
        result, came = await self.client.request_timed(f"textDocument/{method}", params, 120)
        return result, (came - at) * 1000

    async def quiet(self, seconds: float = 1.0, most: float = 600) -> None:
        """Waits until the server has used nearly no processor time for so long."""
        deadline = time.monotonic() + most
        before = -1.0
        while time.monotonic() < deadline:
            now = cpu_seconds(self.harness.tree(self.client.process.pid))
            if before >= 0 and now - before < 0.02 * seconds:
                return
            before = now
            await asyncio.sleep(seconds)

    def resident(self) -> float:
        """MiB of the whole process tree."""
        return float(self.harness.memory(self.client.process.pid)["rss"])


def cpu_seconds(pids: list[int]) -> float:
    """The processor time that processes have used."""
    total = 0
    for pid in pids:
        try:
            fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
        except OSError:
            continue
        total += int(fields[11]) + int(fields[12])
    return total / os.sysconf("SC_CLK_TCK")


@asynccontextmanager
async def serving(
    harness: Any, command: list[str], folder: Path, file: Path, language: str, settings: Any = None
) -> AsyncIterator[Server]:
    """A server started in `folder` with `file` open."""
    client = harness.Client(command, folder, settings or {}, asyncio.subprocess.DEVNULL, False)
    send = client.request_timed

    def as_vscode(method: str, params: Any, *more: Any, **named: Any) -> Any:
        if method == "initialize":
            params["capabilities"]["textDocument"]["completion"] = COMPLETION
        return send(method, params, *more, **named)

    client.request_timed = as_vscode
    await client.start()
    try:
        await client.initialize(OPTIONS, ["utf-8", "utf-16"])
        client.open(file.as_uri(), language, file.read_text(encoding="utf-8"))
        yield Server(harness, client, file.as_uri())
    finally:
        await client.stop()


def flow_lsp() -> list[str]:
    return [str(BIN / "flow-lsp")]


def p95(values: list[float]) -> float:
    return sorted(values)[max(0, -(-len(values) * 95 // 100) - 1)]


async def several(server: Server, method: str, at: list[tuple[int, int]], count: int) -> tuple[list[float], int]:
    """Milliseconds of that many requests at random places, and how many answers were empty."""
    rng = random.Random(1)
    took: list[float] = []
    empty = 0
    for _ in range(count):
        result, one = await server.ask(method, rng.choice(at))
        items = result.get("items") if isinstance(result, dict) and "items" in result else result
        took.append(one)
        empty += not items
    return took, empty


async def idle(harness: Any, floor: list[str], folder: Path, texts: list[str], rounds: int) -> float:
    """Prints the first part; our hover's p95."""
    number = len(texts) // 2 + 1
    file = folder / f"project{number // 100}" / f"shop{number}.flow"
    text = texts[number]
    names = places(text, [f"Item{number}", f"Item{number - 1}", f"Problem{number}", f"find{number}", "Text", "title"])
    used = places(text, [f"<Item{number}x", f".Item{number - 1}x", f" Problem{number}x", f"order: Order{number}"])
    used = [(line, column + 2) for line, column in used]
    typing = [(line, column + 5) for line, column in places(text, ["List<", "order: Ord"])]
    figures: dict[str, list[float]] = {}
    for _ in range(rounds):
        async with serving(harness, [*floor], folder, file, "flow") as bare:
            figures.setdefault("floor hover", []).append(p95((await several(bare, "hover", names, ASKS))[0]))
        async with serving(harness, flow_lsp(), folder, file, "flow") as ours:
            await ours.quiet()
            for method, at in (("hover", names), ("definition", used), ("completion", typing)):
                took, empty = await several(ours, method, at, ASKS)
                figures.setdefault(method, []).append(p95(took))
                if empty:
                    print(f"  note: {empty} of {ASKS} answers to {method} were empty", file=sys.stderr)
    shown = {name: statistics.median(values) for name, values in figures.items()}
    print(f"\n## {len(texts)} files, idle\n\n| p95 | ms | to the bare server's hover |\n|---|---|---|")
    for name, value in shown.items():
        print(f"| {name} | {value:.2f} | {value / shown['floor hover']:.2f} |")
    return shown["hover"]


async def reading(harness: Any, folder: Path, texts: list[str], rounds: int, idle_hover: float) -> None:
    """Prints how long hovers take while the workspace is first read, and while it is first checked."""
    number = len(texts) // 2 + 1
    file = folder / f"project{number // 100}" / f"shop{number}.flow"
    names = places(texts[number], [f"Item{number}", f"Problem{number}", f"find{number}"])
    figures: dict[str, list[float]] = {}
    for _ in range(rounds):
        async with serving(harness, flow_lsp(), folder, file, "flow") as ours:
            await ours.ask("hover", names[0])  # the first waits for modules, like any server's
            read = asyncio.ensure_future(ours.client.request("workspace/symbol", {"query": "~"}, 600))
            began = time.perf_counter()
            took = await _hovers_until(ours, names, read.done)
            figures.setdefault("seconds of reading", []).append(time.perf_counter() - began)
            figures.setdefault("hover p95 while reading", []).append(p95(took))
            figures.setdefault("hover worst while reading", []).append(max(took))
            began = time.perf_counter()
            took = await _hovers_until(ours, names, lambda began=began: time.perf_counter() - began > 3)  # type: ignore[misc]
            figures.setdefault("hover p95 in the 3 s after", []).append(p95(took))
    print(f"\n## {len(texts)} files, being read\n\n| figure | | to the idle hover |\n|---|---|---|")
    for name, values in figures.items():
        value = statistics.median(values)
        ratio = "" if "seconds" in name else f"{value / idle_hover:.2f}"
        print(f"| {name} | {value:.2f} | {ratio} |")


async def _hovers_until(server: Server, at: list[tuple[int, int]], done: Callable[[], bool]) -> list[float]:
    rng = random.Random(2)
    took: list[float] = []
    while not done() or not took:
        took.append((await server.ask("hover", rng.choice(at)))[1])
        await asyncio.sleep(0.01)
    return took


def install_pyright(folder: Path) -> list[str] | str:
    """The command of pyright's server, or a sentence that says why there is none."""
    npm, node = shutil.which("npm"), shutil.which("node")
    if npm is None or node is None:
        return "pyright needs Node.js and npm, which are not there; it is left out."
    command = [npm, "install", "--silent", "--no-fund", "--no-audit", "--prefix", str(folder), PYRIGHT]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=600)
    entry = folder / "node_modules" / "pyright" / "langserver.index.js"
    if done.returncode or not entry.exists():
        return f"pyright could not be installed from npm (status {done.returncode}); it is left out."
    return [node, str(entry), "--stdio"]


async def memory(harness: Any, files: int) -> None:
    """Prints what is resident once everything is known, ours and pyright's."""
    shown: dict[str, float] = {}
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name) / "flow"
        texts = write_workspace(folder, files)
        lines = sum(text.count("\n") for text in texts) / files
        async with serving(harness, flow_lsp(), folder, folder / "project0" / "shop1.flow", "flow") as ours:
            await ours.client.request("workspace/symbol", {"query": "~"}, 600)
            await ours.quiet(2.0)
            shown["flow-lsp"] = ours.resident()
    with tempfile.TemporaryDirectory() as name:
        command = install_pyright(Path(name) / "pyright")
        if isinstance(command, str):
            print(f"\n{command}")
        else:
            folder = Path(name) / "stubs"
            write_stubs(folder, files)
            settings = {"python": {"analysis": {"diagnosticMode": "workspace"}}}
            file = folder / "project0" / "shop1.pyi"
            async with serving(harness, command, folder, file, "python", settings) as theirs:
                await theirs.quiet(4.0)
                shown["pyright"] = theirs.resident()
    print(f"\n## {files} files of {lines:.0f} lines, all known\n\n| MiB resident | | ratio |\n|---|---|---|")
    for server, value in shown.items():
        print(f"| {server} | {value:.0f} | {value / shown.get('pyright', value):.2f} |")


async def rename(harness: Any, folder: Path, texts: list[str], rounds: int) -> None:
    """Prints how long it takes to rename a type with many uses, and to read the files that hold them."""
    shared = folder / "shared.flow"
    shared.write_text("/// Used everywhere.\npub record Shared { x: Int }\n", encoding="utf-8")
    users = []
    for number in range(USERS):
        file = folder / f"project{number // 100}" / f"shop{number}.flow"
        uses = "".join(f"pub record Use{number}x{use} {{ x: Shared }}\n" for use in range(USES - 1))
        file.write_text(f"import ../shared.{{Shared}}\n{texts[number]}{uses}", encoding="utf-8")
        users.append(file)
    figures: dict[str, list[float]] = {}
    for _ in range(rounds):
        async with serving(harness, flow_lsp(), folder, shared, "flow") as ours:
            await ours.client.request("workspace/symbol", {"query": "~"}, 600)
            await ours.quiet()
            for number in range(5):
                edit, took = await ours.ask("rename", (1, 12), newName=f"Renamed{number}")
                changes = edit["changes"].values()
                assert (len(changes), sum(map(len, changes))) == (USERS + 1, USERS * USES + 1), "uses are missing"
                figures.setdefault("rename" if number else "first rename", []).append(took)
        at = time.perf_counter()
        read = [file.read_text(encoding="utf-8") for file in users]
        figures.setdefault("their bytes alone", []).append((time.perf_counter() - at) * 1000)
        for text in read:
            read_source(text)
        figures.setdefault("reading the files", []).append((time.perf_counter() - at) * 1000)
    shown = {name: statistics.median(values) for name, values in figures.items()}
    print(
        f"\n## One type, {USERS * USES} uses in {USERS} of {len(texts)} files\n\n| figure | ms | ratio |\n|---|---|---|"
    )
    for name, value in shown.items():
        print(f"| {name} | {value:.2f} | {value / shown['reading the files']:.2f} |")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--harness", type=Path, required=True)
    parser.add_argument("--files", type=int, default=2000)
    parser.add_argument("--large", type=int, default=10_000)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--only", nargs="*", default=["idle", "reading", "memory", "rename"])
    arguments = parser.parse_args()
    sys.path.insert(0, str(arguments.harness.resolve()))
    harness: Any = import_module("lsp_client")
    floor = [sys.executable, str(arguments.harness.resolve() / "servers" / "pygls_server.py"), "--check", "tomllib"]

    async def everything() -> None:
        with tempfile.TemporaryDirectory() as name:
            folder = Path(name).resolve()
            texts = write_workspace(folder, arguments.files)
            hover = 0.0
            if {"idle", "reading"} & set(arguments.only):
                hover = await idle(harness, floor, folder, texts, arguments.rounds)
            if "reading" in arguments.only:
                await reading(harness, folder, texts, arguments.rounds, hover)
            if "rename" in arguments.only:
                await rename(harness, folder, texts, arguments.rounds)
        if "memory" in arguments.only:
            await memory(harness, arguments.large)

    asyncio.run(everything())


if __name__ == "__main__":
    main()
