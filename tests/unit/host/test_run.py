"""Runs: bound before anything is sent, and calls of functions of the host's own program."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from decimal import Decimal
from typing import Any

import pytest
from support.callables import callable_tools

from flow_lsp.host.calling import CallRefused, CallTypes, generic_types
from flow_lsp.host.functions import FunctionImplementation
from flow_lsp.host.run import BoundTool, Run, RunRefused, start_run
from flow_lsp.protocol.call_outcomes import BadReply, CallOutcome, Failed, NotRun, Ok, Unknown
from flow_lsp.toolkit import ToolFailed, ToolNotRun
from flow_lsp.types.terms import ListOf, Primitive
from flow_lsp.values.strict_json import read_json

TOOLS = callable_tools("""
pub record Hit { title: Text, score: Option<Decimal> }
pub enum Problem { Offline, Slow(Duration) }
@tool
pub fn find(query: Text, limit: Option<Int>) -> Result<List<Hit>, Problem>
@tool
pub fn nothing() -> Result<Unit, Never>
@tool
fn echo<T>(value: T) -> Result<T, Never>
""")
FIND, NOTHING, ECHO = TOOLS["find"], TOOLS["nothing"], TOOLS["echo"]


async def run_of(function: Callable[..., Any], *tools: Any) -> Run:
    run = await start_run([BoundTool(tool, FunctionImplementation(function)) for tool in tools or (FIND,)])
    assert isinstance(run, Run)
    return run


async def outcome_of(function: Callable[..., Any], args: str = '{"query":"x","limit":"None"}') -> CallOutcome:
    return await (await run_of(function)).call_json("tools.find", read_json(args))


async def test_a_function_is_given_values_and_gives_one() -> None:
    hit = FIND.types.ok.read('[{"title":"a"}]')[0]
    seen: dict[str, Any] = {}

    async def find(query: str, limit: int | None) -> tuple[Any, ...]:
        seen.update(query=query, limit=limit)
        return (type(hit)(query, Decimal("1.50")),)

    outcome = await outcome_of(find, '{"query":"x","limit":{"Some":1e1},"more":1}')
    assert isinstance(outcome, Ok)
    assert outcome.text == '[{"score":1.5,"title":"x"}]'
    assert seen == {"query": "x", "limit": 10}
    run = await run_of(find)
    assert await run.call("tools.find", {"query": "x", "limit": None}) == outcome


async def test_a_plain_function_runs_beside_the_event_loop() -> None:
    def find(query: str, limit: int | None) -> list[Any]:
        with pytest.raises(RuntimeError):
            asyncio.get_running_loop()
        return []

    assert isinstance(await outcome_of(find), Ok)


async def test_a_declared_failure() -> None:
    problem = FIND.types.err.read('{"Slow":"PT5S"}')

    async def find(query: str, limit: int | None) -> Any:
        raise ToolFailed(problem)

    assert await outcome_of(find) == Failed('{"Slow":"PT5S"}', problem)


async def test_what_a_function_raises_otherwise() -> None:
    async def not_run(query: str, limit: int | None) -> Any:
        raise ToolNotRun("The cupboard is empty.")

    async def broken(query: str, limit: int | None) -> Any:
        raise ValueError("half way")

    assert await outcome_of(not_run) == NotRun("The cupboard is empty.")
    assert await outcome_of(broken) == Unknown("The function raised ValueError: half way")


@pytest.mark.parametrize("value", [None, "x", [1], ({"title": "a"},)])
async def test_what_is_no_value_of_the_declared_type_is_a_bad_reply(value: Any) -> None:
    async def find(query: str, limit: int | None) -> Any:
        return value

    outcome = await outcome_of(find)
    assert isinstance(outcome, BadReply)
    assert "Ok value is not one of the declared type" in outcome.reason


@pytest.mark.parametrize(
    ("args", "reason"),
    [
        ("{}", "The arguments `query` and 1 more are missing."),
        ('{"query":1,"limit":"None"}', "A string is expected for Text, and this is a number (at /query)."),
        ("[]", "An object is expected for the arguments, and this is an array."),
    ],
)
async def test_arguments_that_do_not_decode_are_not_run(args: str, reason: str) -> None:
    called = []
    assert await outcome_of(lambda **given: called.append(given), args) == NotRun(reason)
    assert not called


async def test_values_that_are_no_arguments_are_not_run() -> None:
    run = await run_of(lambda **_: [])
    for values, part in (
        ({"query": "x"}, "The argument `limit` is missing"),
        ({"query": "x", "limit": None, "x": 1}, "has no parameter 'x'; it has query, limit"),
        ({"query": "x", "limit": 1.5}, "(at /limit/Some)"),
    ):
        outcome = await run.call("tools.find", values)
        assert isinstance(outcome, NotRun)
        assert part in outcome.reason


async def test_a_generic_call() -> None:
    types = generic_types(ECHO, [ListOf(Primitive.INT)], {})
    assert isinstance(types, CallTypes)
    assert types.schema == '{"items":{"type":"integer"},"type":"array"}'
    assert types.types is not None

    async def echo(value: Any) -> Any:
        return value

    run = await run_of(echo, ECHO)
    outcome = await run.call_json("tools.echo", read_json('{"value":[1,2.0]}'), types=types)
    assert isinstance(outcome, Ok)
    assert outcome.text == "[1,2]"
    assert isinstance(generic_types(ECHO, [], {}), CallRefused)


async def test_a_run_is_refused_before_anything_is_sent() -> None:
    called = []
    refused = await start_run(
        [
            BoundTool(FIND, None, "No flow.toml names tools.flow."),
            BoundTool(NOTHING, FunctionImplementation(lambda: called.append(1))),
            BoundTool(ECHO, None),
        ]
    )
    assert isinstance(refused, RunRefused)
    assert refused.sentence == (
        "The run is refused.\ntools.find: No flow.toml names tools.flow.\ntools.echo: Nothing is bound to it."
    )
    assert not called


async def test_a_call_can_be_cancelled() -> None:
    started, stopped = asyncio.Event(), asyncio.Event()

    async def nothing() -> None:
        started.set()
        try:
            await asyncio.sleep(60)
        finally:
            stopped.set()

    run = await run_of(nothing, NOTHING)
    task = asyncio.ensure_future(run.call("tools.nothing", {}))
    await started.wait()
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    await asyncio.wait_for(stopped.wait(), 5)


async def test_closing_the_host_leaves_an_open_call_unknown() -> None:
    started = asyncio.Event()

    async def nothing() -> None:
        started.set()
        await asyncio.sleep(60)

    implementation = FunctionImplementation(nothing)
    run = await start_run([BoundTool(NOTHING, implementation)])
    assert isinstance(run, Run)
    task = asyncio.ensure_future(run.call("tools.nothing", {}))
    await started.wait()
    await implementation.close()
    assert await task == Unknown("The function was stopped while it ran.")
