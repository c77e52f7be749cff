"""What a call costs through the toolkit's run time, beside the same Tool as an MCP server of the official SDK.

    python benchmarks/toolkit_calls.py [CALLS]

The Tool is `current` of examples/weather: a record in, one with an enum out, an async function that does nothing else.
Ours is generated, served by the toolkit and called by this package's host; theirs is a FastMCP server (MCPServer, as
its second version calls it) with Pydantic models, over standard input and output, called by the SDK's client. Both
decode and check the arguments, and the client the result. Round trips are one after another (the median of CALLS,
1,000); then as many at once. Both take turns, three times; the fastest counts. `must`: at most a third of theirs.

The last rows leave the clients out: a bare client of JSON lines calls both servers.
"""

from __future__ import annotations

import asyncio
import json
import statistics
import subprocess
import sys
import tempfile
import time
from decimal import Decimal
from pathlib import Path

from toolkit_programs import WEATHER, write_implementation

from flow_lsp.binding.model import CommandKey
from flow_lsp.host.host import Host
from flow_lsp.host.process_host import ProcessImplementation
from flow_lsp.host.run import BoundTool, Run, start_run
from flow_lsp.protocol.call_outcomes import Ok
from flow_lsp.values.strict_json import JsonObject

ROUNDS = 3
PLACE = {"latitude": 52.37, "longitude": 4.89, "name": "Amsterdam"}
MAIN = """
from decimal import Decimal
from flow_tools import Observation, SkyClouds, serve
from flow_lsp.toolkit import Instant


class Weather:
    async def current(self, place):
        return Observation(Instant(1_700_000_000), Decimal("11.5"), SkyClouds(40))

    def forecast(self, place, days):
        return ()


serve(Weather())
"""
SERVER = """
from datetime import UTC, datetime
from decimal import Decimal
from typing import Literal
from pydantic import BaseModel

try:
    from mcp.server.mcpserver import MCPServer as FastMCP
except ImportError:
    from mcp.server.fastmcp import FastMCP


class Place(BaseModel):
    latitude: Decimal
    longitude: Decimal
    name: str | None = None


class Clouds(BaseModel):
    percent: int


class Observation(BaseModel):
    at: datetime
    temperature: Decimal
    sky: Literal["Clear", "Rain", "Snow"] | Clouds


server = FastMCP("weather")


@server.tool()
async def current(place: Place) -> Observation:
    at = datetime.fromtimestamp(1_700_000_000, UTC)
    return Observation(at=at, temperature=Decimal("11.5"), sky=Clouds(percent=40))


server.run()
"""
CLIENT = """
import asyncio, json, statistics, sys, time
from mcp import ClientSession, StdioServerParameters
from mcp.client.stdio import stdio_client


async def main():
    count, arguments = int(sys.argv[1]), json.loads(sys.argv[2])
    parameters = StdioServerParameters(command=sys.executable, args=["server.py"])
    async with stdio_client(parameters) as (source, target), ClientSession(source, target) as session:
        await session.initialize()

        async def one():
            start = time.perf_counter()
            result = await session.call_tool("current", arguments)
            assert (getattr(result, "structured_content", None) or result.structuredContent)["temperature"] == "11.5"
            return time.perf_counter() - start

        await one()
        times = [await one() for _ in range(count)]
        start = time.perf_counter()
        await asyncio.gather(*(one() for _ in range(count)))
        print(json.dumps([statistics.median(times), time.perf_counter() - start]))


asyncio.run(main())
"""
INITIALIZE = {
    "jsonrpc": "2.0",
    "id": 0,
    "method": "initialize",
    "params": {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "bare", "version": "1"}},
}


async def hosted(run: Run, count: int) -> tuple[float, float]:
    """The median of one call, and the time of many at once."""
    given: JsonObject = {"latitude": Decimal("52.37"), "longitude": Decimal("4.89"), "name": "Amsterdam"}
    place = run.tools["weather.current"].types.arguments.decode({"place": given})["place"]

    async def one() -> float:
        start = time.perf_counter()
        outcome = await run.call("weather.current", {"place": place})
        assert isinstance(outcome, Ok)
        return time.perf_counter() - start

    await one()
    times = [await one() for _ in range(count)]
    start = time.perf_counter()
    await asyncio.gather(*(one() for _ in range(count)))
    return statistics.median(times), time.perf_counter() - start


def client(folder: Path, count: int) -> tuple[float, float]:
    """The same by the SDK's client."""
    words = [sys.executable, "client.py", str(count), json.dumps({"place": PLACE})]
    ran = subprocess.run(words, cwd=folder, check=True, capture_output=True, text=True)
    one, many = json.loads(ran.stdout)
    return one, many


def bare(folder: Path, script: str, before: list[object], call: dict[str, object], count: int) -> float:
    """The median of a call by a client that writes a line and reads one."""
    process = subprocess.Popen(
        [sys.executable, script], cwd=folder, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
    )
    assert process.stdin is not None
    assert process.stdout is not None
    for message in before:
        process.stdin.write(json.dumps(message).encode() + b"\n")
        process.stdin.flush()
        if isinstance(message, dict) and "id" in message:
            process.stdout.readline()
    params = call["params"]
    assert isinstance(params, dict)
    times = []
    for number in range(count + 1):
        message = {**call, "id": number + 1} if call["method"] != "call" else call
        if call["method"] == "call":
            params["call"] = str(number)
        line = json.dumps(message).encode() + b"\n"
        start = time.perf_counter()
        process.stdin.write(line)
        process.stdin.flush()
        answer = process.stdout.readline()
        times.append(time.perf_counter() - start)
        assert b"11.5" in answer, answer
    process.stdin.close()
    process.wait()
    return statistics.median(times[1:])


async def measure(folder: Path, count: int) -> dict[str, float]:
    """The fastest of each measurement."""
    write_implementation(WEATHER, folder, MAIN)
    (folder / "server.py").write_text(SERVER, "utf-8")
    (folder / "client.py").write_text(CLIENT, "utf-8")
    tools = Host(str(folder)).tools
    implementation = ProcessImplementation(CommandKey(str(folder), (sys.executable, "main.py")))
    run = await start_run([BoundTool(tool, implementation) for tool in tools.values()])
    assert isinstance(run, Run), run
    best: dict[str, float] = {}

    def keep(name: str, seconds: float) -> None:
        best[name] = min(best.get(name, seconds), seconds)

    for _ in range(ROUNDS):
        one, many = await hosted(run, count)
        keep("one", one)
        keep("many", many)
        one, many = client(folder, count)
        keep("one, peer", one)
        keep("many, peer", many)
        call: dict[str, object] = {"run": "r", "call": "", "tool": "weather.current", "args": {"place": PLACE}}
        message: dict[str, object] = {"jsonrpc": "2.0", "method": "call", "params": call}
        keep("bare", bare(folder, "main.py", [], message, count))
        asked: dict[str, object] = {"name": "current", "arguments": {"place": PLACE}}
        message = {"jsonrpc": "2.0", "method": "tools/call", "params": asked}
        initialized: dict[str, object] = {"jsonrpc": "2.0", "method": "notifications/initialized"}
        keep("bare, peer", bare(folder, "server.py", [INITIALIZE, initialized], message, count))
    await implementation.close()
    return best


def main() -> int:
    """Prints the table; the exit status is 1 where a target is missed."""
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 1_000
    with tempfile.TemporaryDirectory() as folder:
        best = asyncio.run(measure(Path(folder), count))
    rows = [
        ("one call, host and run time; SDK and FastMCP", "one", 1 / 3, "at most 0.33"),
        (f"{count:,} calls at once, the same", "many", 1 / 3, "at most 0.33"),
        ("one call by a bare client", "bare", 1 / 3, "at most 0.33"),
    ]
    print("| what | ours (ms) | peer (ms) | ratio | must |\n|---|---|---|---|---|")
    met = True
    for name, key, most, must in rows:
        ours, theirs = best[key], best[f"{key}, peer"]
        met &= ours <= most * theirs
        print(f"| {name} | {ours * 1e3:.3f} | {theirs * 1e3:.3f} | {ours / theirs:.2f} | {must} |")
    return 0 if met else 1


if __name__ == "__main__":
    sys.exit(main())
