"""What a call costs: the host against a bare JSON-lines client in asyncio, over the same pipe to the same program.

    python benchmarks/calls.py [CALLS]

The program answers each line at once. The peer writes a call's line with `json.dumps` and reads the reply's with
`json.loads`: no describe, no types, no ledger, no log. Round trips are one after another (the median of CALLS, 2,000);
multiplexed are five times as many at once. A large reply is one text of 4 and of 15 MiB. Ours and the peer's take
turns, several times each; the fastest counts. `must`: a round trip at most 2 times the peer's; at least half of its
rate with many at once; 15 MiB in at most 4 times the time of 4 MiB.
"""

from __future__ import annotations

import asyncio
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

ROUNDS = 3
MIB = 1024 * 1024
SOURCE = "@tool\npub fn echo(value: Text, size: Int) -> Result<Text, Text>\n"
PROGRAM = """
import json, sys
listing = open(sys.argv[1]).read()
out, flush = sys.stdout.buffer.write, sys.stdout.buffer.flush
for line in sys.stdin.buffer:
    message = json.loads(line)
    if message["method"] == "describe":
        out(('{"jsonrpc":"2.0","id":%d,"result":%s}\\n' % (message["id"], listing)).encode())
    elif message["method"] == "call":
        params = message["params"]
        value = params["args"]["value"] + "x" * params["args"]["size"]
        reply = {"run": params["run"], "call": params["call"], "outcome": {"Ok": value}}
        out(json.dumps({"jsonrpc": "2.0", "method": "reply", "params": reply}).encode() + b"\\n")
    flush()
"""


class Peer:
    """The bare client."""

    def __init__(self, process: asyncio.subprocess.Process, tool: str) -> None:
        assert process.stdin is not None
        assert process.stdout is not None
        self.process, self.tool = process, tool
        self.stdin, self.stdout = process.stdin, process.stdout

    def line(self, call: str) -> bytes:
        params = {"run": "r", "call": call, "tool": self.tool, "args": {"value": "hello", "size": 0}}
        return json.dumps({"jsonrpc": "2.0", "method": "call", "params": params}).encode() + b"\n"

    async def one(self, number: int) -> None:
        self.stdin.write(self.line(str(number)))
        reply = json.loads(await self.stdout.readline())
        assert reply["params"]["outcome"] == {"Ok": "hello"}

    async def many(self, count: int) -> None:
        async def write() -> None:
            for number in range(count):
                self.stdin.write(self.line(str(number)))
                if number % 100 == 99:
                    await self.stdin.drain()

        writing = asyncio.ensure_future(write())
        for _ in range(count):
            assert json.loads(await self.stdout.readline())["params"]["outcome"] == {"Ok": "hello"}
        await writing


async def round_trips(one: Callable[[int], Awaitable[None]], count: int) -> float:
    """The median of `count` calls, one after another, in seconds."""
    times = []
    for number in range(count):
        start = time.perf_counter()
        await one(number)
        times.append(time.perf_counter() - start)
    return statistics.median(times)


async def timed(work: Awaitable[None]) -> float:
    start = time.perf_counter()
    await work
    return time.perf_counter() - start


async def measure(folder: Path, count: int) -> dict[str, float]:
    """The fastest of each measurement."""
    (folder / "tools.flow").write_text(SOURCE, "utf-8")
    (folder / "program.py").write_text(PROGRAM, "utf-8")
    tool: CallableTool = Host(str(folder)).tools["tools.echo"]
    entry = {"tool": tool.identity, "fingerprint": tool.signature.fingerprint, "signature": tool.signature.served}
    (folder / "listing.json").write_text(json.dumps({"data": "0.1", "tools": [entry]}), "utf-8")
    words = (sys.executable, "-S", "-E", "program.py", "listing.json")
    process = await asyncio.create_subprocess_exec(
        *words, cwd=folder, stdin=asyncio.subprocess.PIPE, stdout=asyncio.subprocess.PIPE
    )
    peer = Peer(process, tool.identity)
    implementation = ProcessImplementation(CommandKey(str(folder), words))
    run = await start_run([BoundTool(tool, implementation)], "r")
    assert isinstance(run, Run)

    async def one(_: int) -> None:
        outcome = await run.call(tool.identity, {"value": "hello", "size": 0})
        assert isinstance(outcome, Ok)

    async def many() -> None:
        await asyncio.gather(*(one(number) for number in range(5 * count)))

    async def large(size: int) -> None:
        outcome = await run.call(tool.identity, {"value": "", "size": size})
        assert isinstance(outcome, Ok)
        assert len(outcome.text) == size + 2

    best: dict[str, float] = {}

    def keep(name: str, seconds: float) -> None:
        best[name] = min(best.get(name, seconds), seconds)

    for _ in range(ROUNDS):
        keep("one call, peer", await round_trips(peer.one, count))
        keep("one call", await round_trips(one, count))
        keep("many, peer", await timed(peer.many(5 * count)))
        keep("many", await timed(many()))
        keep("4 MiB", await timed(large(4 * MIB)))
        keep("15 MiB", await timed(large(15 * MIB)))
    await implementation.close()
    peer.stdin.close()
    await process.wait()
    return best


def main() -> int:
    """Prints the table; the exit status is 1 where a target is missed."""
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 2_000
    with tempfile.TemporaryDirectory() as folder:
        best = asyncio.run(measure(Path(folder), count))
    rows = [
        ("one call, round trip", best["one call"], best["one call, peer"], 2.0, "at most 2"),
        (f"{5 * count:,} calls at once", best["many"], best["many, peer"], 2.0, "at most 2 (half the rate)"),
        ("a reply of 15 MiB, beside one of 4 MiB", best["15 MiB"], best["4 MiB"], 4.0, "at most 4"),
    ]
    print("| what | ours (ms) | peer (ms) | ratio | must |")
    print("|---|---|---|---|---|")
    for name, ours, theirs, _, must in rows:
        print(f"| {name} | {ours * 1e3:.3f} | {theirs * 1e3:.3f} | {ours / theirs:.2f} | {must} |")
    return int(any(ours / theirs > most for _, ours, theirs, most, _ in rows))


if __name__ == "__main__":
    sys.exit(main())
