"""Calls to MCP servers of this directory, through the adapter: ids, and processes that are ended or end."""

from __future__ import annotations

import asyncio
import json
import os
import signal
from collections.abc import AsyncIterator, Callable
from pathlib import Path

import pytest
from started_implementations import RUTHLESS, Implementations
from support.callables import callable_tools

from flow_lsp.binding.model import CommandKey
from flow_lsp.host.mcp_host import McpImplementation
from flow_lsp.host.process_host import ProcessLimits
from flow_lsp.host.process_life import LifeLimits
from flow_lsp.host.run import BoundTool, Run, start_run
from flow_lsp.manifest.model import BindingKind
from flow_lsp.protocol.call_outcomes import CallOutcome, NotRun, Ok, Unknown

CHILD = str(Path(__file__).with_name("mcp_child.py"))
FIND = callable_tools("""
pub record Found { query: Text }
@tool
pub fn find(query: Text) -> Result<Found, Text>
""")["find"]


@pytest.fixture
async def server(implementations: Implementations, tmp_path: Path) -> AsyncIterator[Callable[..., McpImplementation]]:
    made: list[McpImplementation] = []

    def start(behaviour: str = "good") -> McpImplementation:
        words = (implementations.program.path, "-S", "-E", CHILD, behaviour, "--log", str(tmp_path / "starts"))
        limits = ProcessLimits(LifeLimits(describe=60.0, ending=RUTHLESS), cancel_grace=0.1)
        key = CommandKey(str(tmp_path), words, BindingKind.MCP)
        made.append(McpImplementation(key, [FIND], limits, environment=implementations.environment))
        return made[-1]

    yield start
    for each in made:
        await each.close()
    assert implementations.left() == []


async def started(implementation: McpImplementation) -> Run:
    run = await start_run([BoundTool(FIND, implementation)])
    assert isinstance(run, Run), run
    return run


def found(query: str) -> str:
    return json.dumps({"query": query}, separators=(",", ":"))


async def test_a_call_under_an_id_that_was_answered_is_not_run_and_the_next_is(
    server: Callable[..., McpImplementation],
) -> None:
    run = await started(server())
    async with asyncio.timeout(60):
        first = await run.call(FIND.identity, {"query": "a"}, call_id="1")
        again = await run.call(FIND.identity, {"query": "b"}, call_id="1")
        other = await run.call(FIND.identity, {"query": "c"}, call_id="2")
    assert isinstance(first, Ok)
    assert first.text == found("a")
    assert isinstance(again, NotRun)
    assert "the id 1 before" in again.reason
    assert isinstance(other, Ok)
    assert other.text == found("c")


async def test_calls_made_while_a_server_ends_go_to_the_next_one(
    server: Callable[..., McpImplementation], tmp_path: Path
) -> None:
    """Lines that were made of them and could not be handed over are made again."""
    run = await started(server())
    os.kill(int((tmp_path / "starts").read_text("utf-8")), signal.SIGKILL)
    calls: list[asyncio.Future[CallOutcome]] = []
    async with asyncio.timeout(60):
        for number in range(300):
            calls.append(asyncio.ensure_future(run.call(FIND.identity, {"query": str(number)})))
            await asyncio.sleep(0)
        outcomes = await asyncio.gather(*calls)
        assert isinstance(await run.call(FIND.identity, {"query": "after"}), Ok)
    # What the pipe took before it broke was lost with the server.
    assert {type(outcome) for outcome in outcomes} <= {Ok, Unknown}
    assert [outcome.text for outcome in outcomes if isinstance(outcome, Ok)] == [
        found(str(number)) for number, outcome in enumerate(outcomes) if isinstance(outcome, Ok)
    ]
