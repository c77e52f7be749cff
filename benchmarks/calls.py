"""What a call costs: the host against a bare JSON-lines client in asyncio, over the same pipe to the same program.

    python benchmarks/calls.py [CALLS]

The program answers each line at once; each client has a process of it. The bare client writes a call's line with
`json.dumps` and reads the reply's with `json.loads`: no describe, no types, no ledger, no log. It knows what it waits
for: its round trips are a write and a read, and of many calls one loop writes the lines and another reads the replies.
So it does not do what many calls at once are about, to give each caller its own reply. A second client does, with a
future for each call and as many tasks that call, as ours is called. By itself it takes 2 to 3 times as long as the two
loops; both ratios are shown, and the one to the client that does the same work is judged.

Round trips are one after another, in blocks of a tenth of CALLS (2,000); at once are five times CALLS; a large reply is
one text of 4 and of 15 MiB. What is compared takes turns; a ratio is the median of the pairs', after one pair that does
not count, so that a machine that is busy now and then is busy for both. `must`: a round trip at most 2 times the bare
client's; at least half of the rate of the client with tasks; 15 MiB in at most 4 times the time of 4 MiB.
"""

from __future__ import annotations

import asyncio
import itertools
import json
import statistics
import sys
import tempfile
import time
from collections.abc import Awaitable, Callable
from pathlib import Path

from flow_lsp.binding.model import CommandKey
from flow_lsp.host.calling import CallableTool
from flow_lsp.host.host import Host
from flow_lsp.host.process_host import ProcessImplementation
from flow_lsp.host.run import BoundTool, Run, start_run
from flow_lsp.protocol.call_outcomes import Ok

PAIRS = 9
MIB = 1024 * 1024
ROUND_TRIP = "one call, round trip, beside the bare client"
MANY = "{count:,} calls at once, beside the bare client's two loops"
MANY_TASKS = "{count:,} calls at once, beside the client with tasks"
LARGE = "a reply of 15 MiB, beside one of 4 MiB"
LARGE_BARE = "the bare client: 15 MiB, beside 4 MiB"
MUST = {ROUND_TRIP: 2.0, MANY_TASKS: 2.0, LARGE: 4.0}
SOURCE = "@tool\npub fn echo(value: Text, size: Int) -> Result<Text, Text>\n"
PROGRAM = """
import json, sys
listing = open(sys.argv[1]).read()
out, flush, filling = sys.stdout.buffer.write, sys.stdout.buffer.flush, b"x" * 65536
for line in sys.stdin.buffer:
    message = json.loads(line)
    if message["method"] == "describe":
        out(('{"jsonrpc":"2.0","id":%d,"result":%s}\\n' % (message["id"], listing)).encode())
    elif message["method"] == "call":
        params = message["params"]
        size = params["args"]["size"]
        reply = {"run": params["run"], "call": params["call"], "outcome": {"Ok": params["args"]["value"]}}
        line = json.dumps({"jsonrpc": "2.0", "method": "reply", "params": reply}).encode()
        if size:  # by hand, so that it takes the host's time and not this program's
            out(line[:-4])
            for _ in range(size // 65536):
                out(filling)
            out(line[-4:] + b"\\n")
        else:
            out(line + b"\\n")
    flush()
"""


class Bare:
    """The bare client: it knows what it waits for."""

    def __init__(self, process: asyncio.subprocess.Process, tool: str) -> None:
        assert process.stdin is not None
        assert process.stdout is not None
        self.tool = tool
        self.stdin, self.stdout = process.stdin, process.stdout

    def line(self, call: str, size: int = 0) -> bytes:
        """The line of a call."""
        params = {"run": "r", "call": call, "tool": self.tool, "args": {"value": "hello", "size": size}}
        return json.dumps({"jsonrpc": "2.0", "method": "call", "params": params}).encode() + b"\n"

    async def one(self) -> None:
        """A round trip."""
        self.stdin.write(self.line("1"))
        reply = json.loads(await self.stdout.readline())
        assert reply["params"]["outcome"] == {"Ok": "hello"}

    async def many(self, count: int) -> None:
        """So many calls at once."""

        async def write() -> None:
            for number in range(count):
                self.stdin.write(self.line(str(number)))
                if number % 100 == 99:
                    await self.stdin.drain()

        writing = asyncio.ensure_future(write())
        for _ in range(count):
            assert json.loads(await self.stdout.readline())["params"]["outcome"] == {"Ok": "hello"}
        await writing

    async def large(self, size: int) -> None:
        """A reply of so many bytes."""
        self.stdin.write(self.line("1", size))
        reply = json.loads(await self.stdout.readline())
        assert len(reply["params"]["outcome"]["Ok"]) == size + len("hello")


class Waiting(Bare):
    """The same with a future for each call, so that any task may call."""

    def __init__(self, process: asyncio.subprocess.Process, tool: str) -> None:
        super().__init__(process, tool)
        self.waiters: dict[str, asyncio.Future[object]] = {}
        self.numbers = itertools.count()

    async def read(self) -> None:
        """Gives each reply to who waits for it."""
        while line := await self.stdout.readline():
            params = json.loads(line)["params"]
            self.waiters.pop(params["call"]).set_result(params["outcome"])

    async def call(self) -> None:
        """One call."""
        number = str(next(self.numbers))
        waiter: asyncio.Future[object] = asyncio.get_running_loop().create_future()
        self.waiters[number] = waiter
        self.stdin.write(self.line(number))
        await self.stdin.drain()
        assert await waiter == {"Ok": "hello"}

    async def many(self, count: int) -> None:
        """So many calls at once."""
        reading = asyncio.ensure_future(self.read())
        await asyncio.gather(*(self.call() for _ in range(count)))
        reading.cancel()


async def one_after_another(one: Callable[[], Awaitable[None]], count: int) -> float:
    """The median time of `count` calls, in seconds."""
    times = []
    for _ in range(count):
        start = time.perf_counter()
        await one()
        times.append(time.perf_counter() - start)
    return statistics.median(times)


async def timed(work: Awaitable[None]) -> float:
    """How many seconds it takes."""
    start = time.perf_counter()
    await work
    return time.perf_counter() - start


async def measure(folder: Path, count: int) -> dict[str, list[tuple[float, float]]]:
    """The pairs of each measurement: what is judged, and what it is compared with."""
    (folder / "tools.flow").write_text(SOURCE, "utf-8")
    (folder / "program.py").write_text(PROGRAM, "utf-8")
    tool: CallableTool = Host(str(folder)).tools["tools.echo"]
    entry = {"tool": tool.identity, "fingerprint": tool.signature.fingerprint, "signature": tool.signature.served}
    (folder / "listing.json").write_text(json.dumps({"data": "0.1", "tools": [entry]}), "utf-8")
    words = (sys.executable, "-S", "-E", "program.py", "listing.json")
    process = await asyncio.create_subprocess_exec(
        *words, cwd=folder, stdin=asyncio.subprocess.PIPE, stdout=asyncio.subprocess.PIPE, limit=32 * MIB
    )
    bare, waiting = Bare(process, tool.identity), Waiting(process, tool.identity)
    implementation = ProcessImplementation(CommandKey(str(folder), words))
    run = await start_run([BoundTool(tool, implementation)], "r")
    assert isinstance(run, Run)

    async def one() -> None:
        outcome = await run.call(tool.identity, {"value": "hello", "size": 0})
        assert isinstance(outcome, Ok)

    async def many(count: int) -> None:
        calls = (run.call(tool.identity, {"value": "hello", "size": 0}) for _ in range(count))
        assert all(isinstance(outcome, Ok) for outcome in await asyncio.gather(*calls))

    async def large(size: int) -> None:
        outcome = await run.call(tool.identity, {"value": "hello", "size": size})
        assert isinstance(outcome, Ok)
        assert len(outcome.text) == size + len('"hello"')

    pairs: dict[str, list[tuple[float, float]]] = {
        name: [] for name in (ROUND_TRIP, MANY, MANY_TASKS, LARGE, LARGE_BARE)
    }
    for _ in range(PAIRS + 1):
        pairs[ROUND_TRIP].append(
            (await one_after_another(one, count // 10), await one_after_another(bare.one, count // 10))
        )
        pairs[MANY].append((await timed(many(5 * count)), await timed(bare.many(5 * count))))
        pairs[MANY_TASKS].append((await timed(many(5 * count)), await timed(waiting.many(5 * count))))
        pairs[LARGE].append((await timed(large(15 * MIB)), await timed(large(4 * MIB))))
        pairs[LARGE_BARE].append((await timed(bare.large(15 * MIB)), await timed(bare.large(4 * MIB))))
    await implementation.close()
    bare.stdin.close()
    await process.wait()
    return {name: found[1:] for name, found in pairs.items()}


def main() -> int:
    """Prints the table; the exit status is 1 where a target is missed."""
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 2_000
    with tempfile.TemporaryDirectory() as folder:
        pairs = asyncio.run(measure(Path(folder), count))
    print("| what | ours (ms) | beside (ms) | ratio | must |")
    print("|---|---|---|---|---|")
    missed = False
    for name, found in pairs.items():
        ours, theirs = (statistics.median(side) for side in zip(*found, strict=True))
        ratio = statistics.median(mine / other for mine, other in found)
        most = MUST.get(name)
        missed = missed or (most is not None and ratio > most)
        title = name.format(count=5 * count)
        print(
            f"| {title} | {ours * 1e3:.3f} | {theirs * 1e3:.3f} | {ratio:.2f} | {f'at most {most:g}' if most else ''} |"
        )
    return int(missed)


if __name__ == "__main__":
    sys.exit(main())
