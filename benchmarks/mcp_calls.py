"""What a call of an MCP tool costs: our adapter against the client of the official Python SDK (the `mcp` package).

    python benchmarks/mcp_calls.py [CALLS]

Both call the same program, a server of a few lines that gives back its arguments at once as structured content and as
text; each has a process of its own. Ours checks and writes the arguments at their declared types, and decodes the
result at its own; the SDK's gives the result as it validates it, and the tool lists no output schema that it would have
to check. Round trips are one after another, in blocks of a tenth of CALLS (2,000) that take turns; at once are CALLS in
tasks of their own. A ratio is the median of the pairs', after one pair that does not count. `must`: below 1.
"""

from __future__ import annotations

import asyncio
import statistics
import sys
import tempfile
import time
from collections.abc import Awaitable, Callable
from pathlib import Path

from mcp import ClientSession, StdioServerParameters
from mcp.client.stdio import stdio_client

from flow_lsp.binding.model import CommandKey
from flow_lsp.host.host import Host
from flow_lsp.host.mcp_host import McpImplementation
from flow_lsp.host.run import BoundTool, Run, start_run
from flow_lsp.manifest.model import BindingKind
from flow_lsp.protocol.call_outcomes import Ok

PAIRS = 9
SOURCE = (
    "pub record Found { query: Text, size: Int }\n@tool\npub fn find(query: Text, size: Int) -> Result<Found, Text>\n"
)
PROGRAM = """
import json, sys
out, flush = sys.stdout.buffer.write, sys.stdout.buffer.flush
for line in sys.stdin.buffer:
    message = json.loads(line)
    method = message["method"]
    if method == "initialize":
        result = {"protocolVersion": message["params"]["protocolVersion"], "capabilities": {"tools": {}}}
        result["serverInfo"] = {"name": "bench", "version": "1"}
    elif method == "tools/list":
        result = {"tools": [{"name": "find", "inputSchema": {"type": "object"}}]}
    elif method == "tools/call":
        given = message["params"]["arguments"]
        result = {"content": [{"type": "text", "text": json.dumps(given)}], "structuredContent": given}
    else:
        continue
    out(json.dumps({"jsonrpc": "2.0", "id": message["id"], "result": result}).encode() + b"\\n")
    flush()
"""
ARGUMENTS = {"query": "hello", "size": 3}
Call = Callable[[], Awaitable[None]]


async def one_after_another(call: Call, count: int) -> float:
    """The median time of `count` calls, in seconds."""
    times = []
    for _ in range(count):
        start = time.perf_counter()
        await call()
        times.append(time.perf_counter() - start)
    return statistics.median(times)


async def at_once(call: Call, count: int) -> float:
    """The time of one of `count` calls that are made at once, in seconds."""
    start = time.perf_counter()
    await asyncio.gather(*(call() for _ in range(count)))
    return (time.perf_counter() - start) / count


async def measured(ours: Call, theirs: Call, count: int) -> dict[str, list[tuple[float, float]]]:
    """The pairs of each measurement, ours first."""
    found: dict[str, list[tuple[float, float]]] = {"one call, round trip": [], f"{count:,} calls at once": []}
    single, many = found.values()
    for _ in range(PAIRS + 1):
        single.append((await one_after_another(ours, count // 10), await one_after_another(theirs, count // 10)))
        many.append((await at_once(ours, count), await at_once(theirs, count)))
    return {name: pairs[1:] for name, pairs in found.items()}


async def measure(folder: Path, count: int) -> dict[str, list[tuple[float, float]]]:
    """Starts both, and measures them."""
    (folder / "tools.flow").write_text(SOURCE, "utf-8")
    (folder / "server.py").write_text(PROGRAM, "utf-8")
    words = (sys.executable, "-S", "-E", str(folder / "server.py"))
    tool = Host(str(folder)).tools["tools.find"]
    implementation = McpImplementation(CommandKey(str(folder), words, BindingKind.MCP), [tool])
    run = await start_run([BoundTool(tool, implementation)])
    assert isinstance(run, Run), run
    server = StdioServerParameters(command=words[0], args=list(words[1:]))
    async with stdio_client(server) as (reading, writing), ClientSession(reading, writing) as session:
        await session.initialize()
        await session.list_tools()

        async def ours() -> None:
            outcome = await run.call(tool.identity, ARGUMENTS)
            assert isinstance(outcome, Ok), outcome

        async def theirs() -> None:
            result = await session.call_tool("find", ARGUMENTS)
            assert result.structured_content == ARGUMENTS

        found = await measured(ours, theirs, count)
    await implementation.close()
    return found


def main() -> int:
    """Prints the table; the exit status is 1 where ours is not ahead."""
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 2_000
    with tempfile.TemporaryDirectory() as folder:
        found = asyncio.run(measure(Path(folder), count))
    print("| what | ours (ms a call) | SDK (ms a call) | ratio | must |")
    print("|---|---|---|---|---|")
    behind = False
    for name, pairs in found.items():
        ours, theirs = (statistics.median(side) for side in zip(*pairs, strict=True))
        ratio = statistics.median(mine / other for mine, other in pairs)
        behind = behind or ratio >= 1
        print(f"| {name} | {ours * 1e3:.3f} | {theirs * 1e3:.3f} | {ratio:.2f} | below 1 |")
    return int(behind)


if __name__ == "__main__":
    sys.exit(main())
