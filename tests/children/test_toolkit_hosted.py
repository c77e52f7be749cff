"""An implementation on the toolkit behind our own host: what a program gets, whatever its author did."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
from started_implementations import PATIENT, Implementations
from support.callables import callable_tools
from toolkit_process import SOURCE, words, write_module

from flow_lsp.binding.model import Bound, CommandKey, Origin
from flow_lsp.codecs.data import ValueSet
from flow_lsp.host.calling import CallTypes, generic_types
from flow_lsp.host.pool import Pool
from flow_lsp.host.process_host import ProcessImplementation, ProcessLimits
from flow_lsp.host.process_life import LifeLimits
from flow_lsp.host.run import BoundTool, Run, RunRefused, start_run
from flow_lsp.protocol.call_outcomes import CallOutcome, Failed, NotRun, Ok, Unknown
from flow_lsp.types.terms import Primitive

TOOLS = callable_tools(SOURCE)


class Hosted:
    """A run over all Tools of the implementation, and what was logged."""

    def __init__(self, implementations: Implementations, directory: Path, *served: str) -> None:
        write_module(directory)
        self.directory = directory
        self.logged: list[str] = []
        limits = ProcessLimits(LifeLimits(describe=60.0, ending=PATIENT), cancel_grace=0.3)
        key = CommandKey(str(directory), words(directory, *served))
        self.implementation = ProcessImplementation(key, limits, self.logged.append, implementations.environment)
        self.bound = [BoundTool(tool, self.implementation) for tool in TOOLS.values()]
        self.run: Run | None = None

    async def started(self) -> Run:
        if self.run is None:
            run = await start_run(self.bound, "r1")
            assert isinstance(run, Run), run
            self.run = run
        return self.run

    async def call(self, tool: str, how: str, value: int = 0, call: str | None = None) -> CallOutcome:
        run = await self.started()
        return await asyncio.wait_for(run.call(f"tools.{tool}", {"how": how, "value": value}, call_id=call), 60)


async def begun() -> None:
    """Lets tasks that were made run until their lines are handed over."""
    for _ in range(5):
        await asyncio.sleep(0)


@pytest.fixture
async def hosts(implementations: Implementations, tmp_path: Path) -> AsyncIterator[Any]:
    made: list[Hosted] = []

    def host(*served: str) -> Hosted:
        made.append(Hosted(implementations, tmp_path, *served))
        return made[-1]

    yield host
    for each in made:
        await asyncio.wait_for(each.implementation.close(), 60)


@pytest.mark.parametrize("tool", ["act", "work"])
async def test_the_four_outcomes(hosts: Any, tool: str) -> None:
    host = hosts()
    assert await host.call(tool, "ok", 7) == Ok('"7"', "7")
    failed = await host.call(tool, "failed-odd", 7)
    assert isinstance(failed, Failed)
    assert failed.text == '{"Odd":{"code":7}}'
    assert await host.call(tool, "not-run") == NotRun("not today")
    assert await host.call(tool, "wrong-type") == Unknown(
        f"The function `{tool}` returned what is no value of the success type: A str is expected for Text, and this is "
        "a number."
    )


@pytest.mark.parametrize("tool", ["act", "work"])
async def test_a_process_that_ends_itself_is_started_again(hosts: Any, tool: str) -> None:
    host = hosts()
    outcome = await host.call(tool, "os-exit", 5)
    assert isinstance(outcome, Unknown)
    assert outcome.reason.startswith("The process ended with exit status 5.")
    assert await host.call(tool, "ok", 1) == Ok('"1"', "1")


@pytest.mark.parametrize("tool", ["act", "work"])
async def test_a_cancel_that_is_never_honoured(hosts: Any, tool: str) -> None:
    host = hosts()
    await host.started()
    never = asyncio.ensure_future(host.call(tool, "never", call="c"))
    await begun()
    assert isinstance(await host.call("act", "ok"), Ok)
    host.implementation.cancel("r1", "c")
    assert await never == Unknown("The call was cancelled, and no reply came; it had been sent.")
    assert await host.call("act", "ok", 1) == Ok('"1"', "1")


async def test_a_cancel_that_a_function_makes_something_of(hosts: Any) -> None:
    host = hosts()
    await host.started()
    waiting = asyncio.ensure_future(host.call("act", "until-cancelled", call="c"))
    await begun()
    assert isinstance(await host.call("act", "ok"), Ok)
    host.implementation.cancel("r1", "c")
    assert await waiting == Ok('"stopped"', "stopped")


async def test_ten_thousand_calls_of_each_kind(hosts: Any) -> None:
    host = hosts()
    await host.started()
    for tool in ("act", "work"):
        outcomes = await asyncio.gather(*(host.call(tool, "ok", number) for number in range(10_000)))
        assert outcomes == [Ok(f'"{number}"', str(number)) for number in range(10_000)]
    assert not any("standard output" in line for line in host.logged)


async def test_prints_are_logged_and_disturb_nothing(hosts: Any) -> None:
    host = hosts()
    assert await host.call("work", "print") == Ok('"printed"', "printed")
    await host.implementation.close()
    assert any("printed by a child" in line for line in host.logged)
    assert not any("is no message" in line for line in host.logged)


async def test_closing_gives_running_calls_their_grace(hosts: Any) -> None:
    host = hosts()
    await host.started()
    brief, too = (asyncio.ensure_future(host.call(tool, "briefly")) for tool in ("act", "work"))
    never = asyncio.ensure_future(host.call("act", "never"))
    blocked = asyncio.ensure_future(host.call("work", "never"))
    await begun()
    assert isinstance(await host.call("act", "ok"), Ok)
    await host.implementation.close()
    assert await brief == await too == Ok('"done"', "done")
    ended = Unknown("The process ended while the function ran.")
    assert await never == await blocked == ended


async def test_a_generic_call(hosts: Any) -> None:
    host = hosts()
    run = await host.started()
    types = generic_types(TOOLS["keep"], [Primitive.INT], {})
    assert isinstance(types, CallTypes)
    outcome = await run.call("tools.keep", {"values": (3, 1, 3, 2), "how": "sorted"}, types=types)
    assert outcome == Ok("[1,2,3]", ValueSet([1, 2, 3]))


async def test_an_object_without_the_functions_refuses_the_run(hosts: Any) -> None:
    host = hosts("Lacking")
    refused = await start_run(host.bound)
    assert isinstance(refused, RunRefused)
    assert len(refused.problems) == len(TOOLS)
    assert "ended with exit status 2 before it answered." in refused.problems[0].reason
    assert any("`act` takes no argument `value`" in line for line in host.logged)


async def test_through_the_pool(implementations: Implementations, tmp_path: Path) -> None:
    write_module(tmp_path)
    key = CommandKey(str(tmp_path), ("env", f"FLOW_LSP_TEST_MARKER={implementations.marker}", *words(tmp_path)))
    pool = Pool(limits=ProcessLimits(LifeLimits(describe=60.0, ending=PATIENT)))
    bound = Bound(key, Origin.MANIFEST)
    run = await pool.start_run([(tool, bound) for tool in TOOLS.values()])
    assert isinstance(run, Run), run
    assert await run.call("tools.total", {"items": (1, 2), "note": ""}) == Ok("3", 3)
    await pool.close()
