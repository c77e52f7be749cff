"""Calls to real processes: each fault with its one outcome, within a bound, and nothing left."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
from started_implementations import HASTY, PATIENT, RUTHLESS, Implementations
from support.callables import callable_tools

from flow_lsp.binding.model import CommandKey
from flow_lsp.host.calling import CallableTool
from flow_lsp.host.implementing import NoFit
from flow_lsp.host.process_host import ProcessImplementation, ProcessLimits
from flow_lsp.host.process_life import LifeLimits
from flow_lsp.host.run import BoundTool, Run, RunRefused, start_run
from flow_lsp.processes.child import Ending
from flow_lsp.protocol.call_outcomes import BadReply, CallOutcome, Failed, NotRun, Ok, Unknown

CHILD = str(Path(__file__).with_name("calling_child.py"))
MIB = 1024 * 1024
ACT: CallableTool = callable_tools("""
@tool
pub fn act(how: Text, value: Int) -> Result<Text, Text>
""")["act"]


class Hosted:
    """An implementation with the child of this directory behind it, and what it logged."""

    def __init__(self, implementations: Implementations, path: Path, change: str, ending: Ending) -> None:
        self.starts_file = path / "starts"
        listing = path / "listing.json"
        tool = {"tool": ACT.identity, "fingerprint": ACT.signature.fingerprint, "signature": ACT.signature.served}
        listing.write_text(json.dumps({"data": "0.1", "tools": [tool]}), "utf-8")
        words = (
            implementations.program.path, "-S", "-E", CHILD, str(listing), str(self.starts_file),
            *([change] if change else []),
        )  # fmt: skip
        self.logged: list[str] = []
        limits = ProcessLimits(LifeLimits(describe=20.0, ending=ending), cancel_grace=0.3)
        self.implementation = ProcessImplementation(
            CommandKey(str(path), words), limits, self.logged.append, implementations.environment
        )
        self.run: Run | None = None

    @property
    def starts(self) -> int:
        return self.starts_file.stat().st_size

    async def started(self) -> Run:
        run = await start_run([BoundTool(ACT, self.implementation)], "r1")
        assert isinstance(run, Run), run
        self.run = run
        return run

    async def act(self, how: str, value: int = 0, call: str | None = None) -> CallOutcome:
        run = self.run or await self.started()
        return await asyncio.wait_for(run.call(ACT.identity, {"how": how, "value": value}, call_id=call), 60)


async def begun() -> None:
    """Lets tasks that were made run until their lines are handed over."""
    for _ in range(5):
        await asyncio.sleep(0)


@pytest.fixture
async def hosts(implementations: Implementations, tmp_path: Path) -> AsyncIterator[Any]:
    made: list[Hosted] = []

    def host(change: str = "", ending: Ending = PATIENT) -> Hosted:
        made.append(Hosted(implementations, tmp_path, change, ending))
        return made[-1]

    yield host
    for each in made:
        await asyncio.wait_for(each.implementation.close(), 60)


async def test_the_four_outcomes(hosts: Any) -> None:
    host = hosts()
    assert await host.act("ok", 7) == Ok('"7"', "7")
    assert await host.act("failed") == Failed('"no luck"', "no luck")
    assert await host.act("not-run") == NotRun("not today")
    assert await host.act("unknown") == Unknown("who knows")
    assert host.starts == 1


@pytest.mark.parametrize(
    ("how", "reason"),
    [
        ("wrong-type", "The value of Ok is not one of the declared type: A string is expected for Text"),
        ("malformed", "The outcome is `Okay`, which is none of Ok, Failed, NotRun and Unknown."),
        ("utf8", "The outcome cannot be read."),
        ("surrogate", "The outcome cannot be read."),
    ],
)
async def test_replies_that_cannot_be_used(hosts: Any, how: str, reason: str) -> None:
    host = hosts()
    outcome = await host.act(how)
    assert isinstance(outcome, BadReply)
    assert outcome.reason.startswith(reason)
    assert isinstance(await host.act("ok"), Ok)
    assert host.starts == 1


async def test_a_large_reply_and_a_too_large_one(hosts: Any) -> None:
    host = hosts()
    outcome = await host.act("big", 15 * MIB)
    assert isinstance(outcome, Ok)
    assert len(outcome.text) == 15 * MIB + 2
    outcome = await host.act("big", 17 * MIB)
    assert isinstance(outcome, BadReply)
    assert "16777216 is the limit of one message" in outcome.reason
    assert isinstance(await host.act("ok"), Ok)


async def test_a_call_that_is_too_large_is_not_sent(hosts: Any) -> None:
    outcome = await hosts().act("x" * (17 * MIB))
    assert isinstance(outcome, NotRun)
    assert "the limit of one message" in outcome.reason


async def test_replies_in_any_order(hosts: Any) -> None:
    host = hosts()
    await host.started()
    calls = [asyncio.ensure_future(host.act("hold", call=f"c{number}")) for number in range(20)]
    await begun()
    assert await host.act("release", call="last") == Ok('"last"', "last")
    assert await asyncio.gather(*calls) == [Ok(f'"c{number}"', f"c{number}") for number in range(20)]


async def test_second_and_stray_replies_are_dropped_and_logged(hosts: Any) -> None:
    host = hosts()
    assert await host.act("twice", call="c1") == Ok('"first"', "first")
    assert isinstance(await host.act("strays", call="c2"), Ok)
    assert isinstance(await host.act("ok"), Ok)
    dropped = [line for line in host.logged if "dropped" in line]
    assert len(dropped) == 3, host.logged


async def test_a_process_that_ends_leaves_what_it_had_read_unknown(hosts: Any) -> None:
    host = hosts()
    outcome = await host.act("exit", 3)
    assert isinstance(outcome, Unknown)
    assert outcome.reason.startswith("The process ended with exit status 3.")
    outcome = await host.act("kill")
    assert isinstance(outcome, Unknown)
    assert "SIGKILL" in outcome.reason
    assert isinstance(await host.act("half-a-reply"), Unknown)
    assert await host.act("ok", 1) == Ok('"1"', "1")
    assert host.starts == 4


async def test_a_reply_written_before_the_end_counts(hosts: Any) -> None:
    host = hosts()
    held = [asyncio.ensure_future(host.act("hold", call=f"c{number}")) for number in range(2)]
    await host.started()
    await begun()
    assert isinstance(await host.act("reply-and-exit"), Ok)
    assert all(isinstance(outcome, Unknown) for outcome in await asyncio.gather(*held))
    assert isinstance(await host.act("ok"), Ok)


async def test_a_grandchild_that_holds_the_output_does_not_hold_the_outcome(hosts: Any) -> None:
    host = hosts(ending=HASTY)
    assert isinstance(await host.act("grandchild"), Unknown)
    assert isinstance(await host.act("ok"), Ok)


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ("serves-nothing", "The implementation does not serve `tools.act`."),
        ("other-fingerprint", "The implementation lists `tools.act` with a fingerprint that is not its signature's."),
        ("other-major", "speaks data version 1.0, of another major than this host's 0.1."),
    ],
)
async def test_what_a_restarted_process_no_longer_serves_is_not_run(hosts: Any, change: str, reason: str) -> None:
    host = hosts(change)
    assert isinstance(await host.act("ok"), Ok)
    assert isinstance(await host.act("exit"), Unknown)
    outcome = await host.act("ok")
    assert isinstance(outcome, NotRun)
    assert reason in outcome.reason


async def test_calls_that_were_not_sent_wait_for_the_restart(hosts: Any) -> None:
    host = hosts()
    run = await host.started()
    dying = asyncio.ensure_future(host.act("exit"))
    waiting = []
    for number in range(200):
        args = {"how": "ok", "value": number}
        waiting.append(asyncio.ensure_future(run.call(ACT.identity, args)))
    await dying
    outcomes = await asyncio.gather(*waiting)
    assert {type(outcome) for outcome in outcomes} <= {Ok, Unknown, NotRun}
    assert isinstance(await host.act("ok"), Ok)


async def test_ten_thousand_calls_in_flight(hosts: Any) -> None:
    host = hosts()
    await host.started()
    calls = [asyncio.ensure_future(host.act("hold")) for _ in range(10_000)]
    await begun()
    await host.act("release")
    assert all(isinstance(outcome, Ok) for outcome in await asyncio.gather(*calls))
    assert host.starts == 1


async def test_a_process_that_does_not_read_holds_its_calls_back(hosts: Any) -> None:
    host = hosts()
    run = await host.started()
    slow = asyncio.ensure_future(host.act("sleepy", 300))
    large = [
        asyncio.ensure_future(run.call(ACT.identity, {"how": "x" * MIB, "value": 0}, call_id=f"large{number}"))
        for number in range(20)
    ]
    assert isinstance(await slow, Ok)
    for number, call in enumerate(large):
        host.implementation.cancel("r1", f"large{number}")
        assert isinstance(await call, Unknown)
    assert isinstance(await host.act("ok"), Ok)


async def test_noise_and_floods_change_nothing(hosts: Any) -> None:
    host = hosts()
    assert isinstance(await host.act("noise", 1000), Ok)
    assert isinstance(await host.act("stderr", 200), Ok)
    assert len(host.logged) < 5_000
    assert any("is no message" in line for line in host.logged)


async def test_a_cancel_proves_nothing(hosts: Any) -> None:
    host = hosts()
    await host.started()
    until = asyncio.ensure_future(host.act("until-cancelled", call="c1"))
    never = asyncio.ensure_future(host.act("never", call="c2"))
    assert isinstance(await host.act("ok"), Ok)
    host.implementation.cancel("r1", "c1")
    host.implementation.cancel("r1", "c2")
    host.implementation.cancel("r1", "c3")
    assert await until == Ok('"stopped"', "stopped")
    assert await never == Unknown("The call was cancelled, and no reply came; it had been sent.")
    assert isinstance(await host.act("ok"), Ok)


async def test_a_task_that_is_cancelled_cancels_its_call(hosts: Any) -> None:
    host = hosts()
    await host.started()
    task = asyncio.ensure_future(host.act("until-cancelled", call="c1"))
    assert isinstance(await host.act("ok"), Ok)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert isinstance(await host.act("ok"), Ok)
    assert not any("dropped" in line for line in host.logged)


async def test_one_pair_again_after_its_outcome(hosts: Any) -> None:
    host = hosts()
    assert isinstance(await host.act("exit", call="c1"), Unknown)
    assert isinstance(await host.act("ok", call="c1"), Ok)
    held = asyncio.ensure_future(host.act("hold", call="c2"))
    await begun()
    with pytest.raises(ValueError, match="open already"):
        await host.act("ok", call="c2")
    await host.act("release")
    assert isinstance(await held, Ok)


async def test_a_process_that_dies_at_once_refuses_the_run(hosts: Any) -> None:
    host = hosts("dies-at-once")
    refused = await start_run([BoundTool(ACT, host.implementation)])
    assert isinstance(refused, RunRefused)
    [problem] = refused.problems
    assert isinstance(problem, NoFit)
    assert "ended with exit status 7 before it answered." in problem.reason


async def test_closing_ends_even_a_stubborn_process(hosts: Any) -> None:
    host = hosts("stubborn", RUTHLESS)
    await host.started()
    never = asyncio.ensure_future(host.act("never"))
    assert isinstance(await host.act("ok"), Ok)
    await host.implementation.close()
    outcome = await never
    assert isinstance(outcome, Unknown)
    assert outcome.reason.startswith("The process was ended by the host.")
    assert await host.act("ok") == NotRun("The host is closed.")


async def test_closing_gives_running_calls_their_grace(hosts: Any) -> None:
    host = hosts()
    await host.started()
    slow = asyncio.ensure_future(host.act("slow", 200))
    await begun()
    await host.implementation.close()
    assert isinstance(await slow, Ok)


async def test_what_is_closed_before_a_run_asks_it_refuses_the_run(hosts: Any) -> None:
    """As where files change while a run starts: nobody waits for a process that will not be started."""
    host = hosts()
    starting = asyncio.ensure_future(start_run([BoundTool(ACT, host.implementation)]))
    await asyncio.sleep(0)  # what asks is made, and has not asked
    await host.implementation.close()
    async with asyncio.timeout(60):
        refused = await starting
    assert isinstance(refused, RunRefused)
    assert "the host was closed" in refused.sentence
    assert not host.starts_file.exists()
