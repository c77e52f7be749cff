"""Real MCP servers behind declarations: listed, called, failed, cancelled, ended.

They are published ones, which `make test-mcp` installs into .tools: mcp-server-time (Python, the official SDK) and
@modelcontextprotocol/server-everything (Node).
"""

from __future__ import annotations

import asyncio
import sys
from collections.abc import AsyncIterator, Callable
from pathlib import Path
from typing import Any

import pytest
from support.callables import callable_tools

from flow_lsp.binding.model import Bound, CommandKey, Origin
from flow_lsp.host.mcp_host import McpImplementation
from flow_lsp.host.pool import Pool
from flow_lsp.host.process_host import ProcessLimits
from flow_lsp.host.process_life import LifeLimits
from flow_lsp.host.run import BoundTool, Run, RunRefused, start_run
from flow_lsp.manifest.model import BindingKind
from flow_lsp.protocol.call_outcomes import BadReply, Failed, NotRun, Ok, Unknown
from flow_lsp.values.instants import Instant

TOOLS = Path(__file__).parents[2] / ".tools"
TIME = (str(TOOLS / "mcp" / "bin" / "mcp-server-time"),)
EVERYTHING = (str(TOOLS / "mcp-node" / "node_modules" / ".bin" / "mcp-server-everything"), "stdio")
LIMITS = ProcessLimits(LifeLimits(describe=60.0), cancel_grace=1.0)

DECLARED = callable_tools("""
import std/json
pub record Now { timezone: Text, datetime: Instant, day_of_week: Text, is_dst: Bool }
pub record Weather { temperature: Decimal, conditions: Text, humidity: Decimal }
pub enum City { Chicago }
@tool pub fn get_current_time(timezone: Text) -> Result<Now, json.Value>
@tool pub fn convert_time(source_timezone: Text, time: Text, target_timezone: Text) -> Result<json.Value, json.Value>
@tool pub fn get_sum(a: Decimal, b: Decimal) -> Result<json.Value, json.Value>
@tool pub fn echo(message: Text) -> Result<json.Value, json.Value>
@tool fn same<T>(message: T) -> Result<T, Never>
""")


@pytest.fixture
async def server(tmp_path: Path) -> AsyncIterator[Callable[..., McpImplementation]]:
    made: list[McpImplementation] = []

    def start(words: tuple[str, ...], *names: str) -> McpImplementation:
        tools = [DECLARED[name] for name in names]
        made.append(McpImplementation(CommandKey(str(tmp_path), words), tools, LIMITS, logged.append))
        return made[-1]

    logged: list[str] = []
    yield start
    for each in made:
        await each.close()


async def run_of(implementation: McpImplementation, *names: str) -> Run | RunRefused:
    return await start_run([BoundTool(DECLARED[name], implementation) for name in names])


async def test_a_python_server_answers_with_typed_values(server: Any) -> None:
    run = await run_of(server(TIME, "get_current_time", "convert_time"), "get_current_time", "convert_time")
    assert isinstance(run, Run)
    outcome = await run.call("tools.get_current_time", {"timezone": "Europe/Paris"})
    assert isinstance(outcome, Ok)
    value: Any = outcome.value
    assert (value["timezone"], type(value["datetime"])) == ("Europe/Paris", Instant)
    arguments = {"source_timezone": "UTC", "time": "12:00", "target_timezone": "Asia/Tokyo"}
    outcome = await run.call("tools.convert_time", arguments)
    assert isinstance(outcome, Ok)
    assert outcome.value["time_difference"] == "+9.0h"  # type: ignore[index]


async def test_an_error_that_is_no_json_is_a_bad_reply(server: Any) -> None:
    run = await run_of(server(TIME, "get_current_time"), "get_current_time")
    assert isinstance(run, Run)
    outcome = await run.call("tools.get_current_time", {"timezone": "Nowhere"})
    assert isinstance(outcome, BadReply)
    assert "Invalid timezone" in outcome.reason


async def test_a_name_that_the_server_spells_otherwise_is_named(server: Any) -> None:
    refused = await run_of(server(EVERYTHING, "get_sum", "echo"), "get_sum", "echo")
    assert isinstance(refused, RunRefused)
    [problem] = refused.problems
    assert problem.tool.name == "get_sum"
    assert "The server has `get-sum`" in problem.reason


async def test_a_generic_declaration_cannot_be_offered(server: Any) -> None:
    refused = await run_of(server(EVERYTHING, "same"), "same")
    assert isinstance(refused, RunRefused)
    assert "`same` is generic, and MCP has no place for the types" in refused.problems[0].reason


async def test_a_node_server_lists_all_its_tools_and_says_who_it_is(server: Any) -> None:
    implementation = server(EVERYTHING, "echo")
    run = await run_of(implementation, "echo")
    assert isinstance(run, Run)
    assert {"echo", "get-sum", "trigger-long-running-operation"} <= {tool.name for tool in implementation.tools}
    assert implementation.server is not None
    assert implementation.server.name == "mcp-servers/everything"
    outcome = await run.call("tools.echo", {"message": "hello"})
    assert isinstance(outcome, BadReply)  # its text is no JSON
    assert "Echo: hello" in outcome.reason


async def test_a_call_that_is_cancelled_and_a_server_that_goes_on(server: Any) -> None:
    implementation = server(TIME, "get_current_time")
    run = await run_of(implementation, "get_current_time")
    assert isinstance(run, Run)
    calls = [
        asyncio.ensure_future(run.call("tools.get_current_time", {"timezone": "UTC"}, call_id=f"c{number}"))
        for number in range(20)
    ]
    await asyncio.sleep(0)
    implementation.cancel(run.id, "c7")
    outcomes = await asyncio.gather(*calls)
    assert {type(outcome) for outcome in outcomes} <= {Ok, Unknown, NotRun, Failed}
    assert isinstance(await run.call("tools.get_current_time", {"timezone": "UTC"}), Ok)


async def test_two_runs_with_the_same_call_ids_have_servers_of_their_own(tmp_path: Path) -> None:
    pool = Pool(limits=LIMITS)
    bound = Bound(CommandKey(str(tmp_path), TIME, BindingKind.MCP), Origin.MANIFEST)
    tool = DECLARED["get_current_time"]
    try:
        runs = await asyncio.gather(*(pool.start_run([(tool, bound)], f"run{number}") for number in range(2)))
        outcomes = []
        for run in runs:
            assert isinstance(run, Run)
            outcomes.append(run.call(tool.identity, {"timezone": "UTC"}, call_id="same"))
        assert all(isinstance(outcome, Ok) for outcome in await asyncio.gather(*outcomes))
        assert isinstance(runs[0], Run)
        await pool.end_run(runs[0])
        assert isinstance(runs[1], Run)
        assert isinstance(await runs[1].call(tool.identity, {"timezone": "UTC"}), Ok)
    finally:
        await pool.close()


async def test_a_program_that_is_no_mcp_server_refuses_the_run(server: Any) -> None:
    words = (sys.executable, "-c", "print('hello'); import sys; sys.stdin.read()")
    implementation = McpImplementation(
        CommandKey("/", words), [DECLARED["echo"]], ProcessLimits(LifeLimits(describe=1.0))
    )
    refused = await run_of(implementation, "echo")
    assert isinstance(refused, RunRefused)
    assert "did not answer within 1 s." in refused.problems[0].reason
    await implementation.close()
