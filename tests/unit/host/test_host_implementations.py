"""What may run, what is known of each command, and how far it can be relied on. No process is started here."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from dataclasses import replace
from pathlib import Path

import pytest
from support.mcp_answers import offering

from flow_lsp.analysis.snapshot import Described, Standing
from flow_lsp.binding.model import CommandKey
from flow_lsp.host import implementations as module
from flow_lsp.host.consent import Answer, TrustPolicy
from flow_lsp.host.implementations import Implementations
from flow_lsp.manifest.model import BindingKind
from flow_lsp.protocol.outcome import DescribeFailure, DescribeListing, DescribeOutcome, FailureKind

GOOD = DescribeOutcome(listing=DescribeListing("0.1", ()), started_at=1000.0)
MCP = DescribeOutcome(mcp=offering("find"), program="run", started_at=1000.0)
BAD = DescribeOutcome(failure=DescribeFailure(FailureKind.EXITED, "ended."), started_at=2000.0)


class World:
    """A folder with a program, and every run that was asked for: the test gives the outcomes."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.program("run")
        self.key = CommandKey(str(folder), ("./run", "x"))
        self.runs: list[tuple[CommandKey, str, asyncio.Future[DescribeOutcome]]] = []
        self.changes: list[CommandKey] = []
        self.made: list[Implementations] = []

    def program(self, name: str) -> Path:
        path = self.folder / name
        path.write_text("#!/bin/sh\n")
        path.chmod(0o755)
        return path

    async def describe(self, directory, words, program, *, timeout, limits) -> DescribeOutcome:
        future: asyncio.Future[DescribeOutcome] = asyncio.get_running_loop().create_future()
        self.runs.append((CommandKey(directory, words), program.path, future))
        return await future

    def make(self, policy: TrustPolicy = TrustPolicy.ASK, trusted: bool = True) -> Implementations:
        made = Implementations(policy=policy, timeout=3.0, workspace_trusted=trusted, on_change=self.changes.append)
        self.made.append(made)
        return made

    async def finish(self, outcome: DescribeOutcome = GOOD) -> None:
        """Ends the newest run once it is there, and waits until nothing is under way."""
        await until(lambda: bool(self.runs) and not self.runs[-1][2].done())
        self.runs[-1][2].set_result(outcome)
        await self.made[-1].idle()


async def until(condition: Callable[[], bool]) -> None:
    async with asyncio.timeout(10):
        while not condition():
            await asyncio.sleep(0.001)


@pytest.fixture
async def world(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[World]:
    monkeypatch.setenv("FLOW_LSP_STATE_DIRECTORY", str(tmp_path / "state"))
    (tmp_path / "w").mkdir()
    world = World(tmp_path / "w")
    monkeypatch.setattr(module, "describe_program", world.describe)
    yield world
    for made in world.made:
        await made.close()


async def test_what_is_allowed_is_asked_once_and_then_current(world: World):
    made = world.make(TrustPolicy.ALWAYS)
    assert made.want([world.key], "a test") == []
    assert made.described(world.key).standing is Standing.RUNNING
    await world.finish()
    assert made.described(world.key).standing is Standing.CURRENT
    assert made.described(world.key).outcome is GOOD
    count = len(world.changes)
    for _ in range(5):
        made.want([world.key], "again")
    await made.idle()
    assert (len(world.runs), len(world.changes)) == (1, count)  # else an editor would never be idle
    assert world.runs[0][:2] == (world.key, str(world.folder / "run"))


async def test_a_failure_is_current_too_and_not_asked_again(world: World):
    made = world.make(TrustPolicy.ALWAYS)
    made.want([world.key], "a test")
    await world.finish(BAD)
    made.want([world.key], "again")
    await made.idle()
    assert (len(world.runs), made.described(world.key).outcome) == (1, BAD)


async def test_while_a_newer_answer_is_on_its_way_the_older_is_no_longer_current(world: World):
    made = world.make(TrustPolicy.ALWAYS)
    made.want([world.key], "a test")
    await world.finish()
    made.refresh([world.key], "a save", at_once=True)
    described = made.described(world.key)
    assert (described.standing, described.outcome) == (Standing.RUNNING, GOOD)
    assert "being asked again" in described.as_of_text
    await world.finish(BAD)
    assert made.described(world.key) == Described(Standing.CURRENT, BAD, described_at(BAD))


def described_at(outcome: DescribeOutcome) -> str:
    return module._when(outcome.started_at)


async def test_without_an_answer_of_the_user_nothing_runs_and_the_question_is_given(world: World):
    made = world.make()
    (question,) = made.want([world.key], "a test")
    assert (question.key, question.consent.program) == (world.key, str(world.folder / "run"))
    assert made.waits_for(question)
    assert made.described(world.key).standing is Standing.NOT_TRUSTED
    made.allow_once(question)
    assert not made.waits_for(question)
    await world.finish()
    assert made.described(world.key).standing is Standing.CURRENT
    other = world.make()
    assert len(other.want([world.key], "another session")) == 1


@pytest.mark.parametrize(("answer", "runs"), [(Answer.ALWAYS, 1), (Answer.NEVER, 0)])
async def test_answers_are_remembered_for_other_sessions(world: World, answer: Answer, runs: int):
    made = world.make()
    (question,) = made.want([world.key], "a test")
    assert made.remember(question, answer)
    other = world.make()
    assert other.want([world.key], "another session") == []
    if runs:
        await until(lambda: len(world.runs) == 2)
        for *_, future in world.runs:
            future.set_result(GOOD)
    await other.idle()
    assert len(world.runs) == runs * 2
    if not runs:
        other.forget_answer(world.key)
        assert len(other.refresh([world.key], "you asked for it")) == 1


async def test_an_answer_that_cannot_be_kept_holds_for_the_session(world: World, monkeypatch):
    made = world.make()
    (question,) = made.want([world.key], "a test")
    monkeypatch.setattr(made._consent, "remember", lambda key, answer: False)
    assert not made.remember(question, Answer.ALWAYS)
    await world.finish()
    assert made.described(world.key).standing is Standing.CURRENT


async def test_an_answer_about_a_command_that_is_bound_no_more_starts_nothing(world: World):
    made = world.make()
    (question,) = made.want([world.key], "a test")
    made.keep_only([])
    assert not made.waits_for(question)
    made.allow_once(question)
    await made.idle()
    assert (world.runs, made.all_described()) == ([], {})


async def test_the_program_that_starts_is_the_one_that_was_agreed_to(world: World, monkeypatch):
    """It changes between the user's answer and the start."""
    first, second = world.folder.parent / "first", world.folder.parent / "second"
    for directory in (first, second):
        directory.mkdir()
    monkeypatch.setenv("PATH", f"{first}:{second}")
    key = CommandKey(str(world.folder), ("tool",))
    world.program("../second/tool")
    made = world.make()
    (question,) = made.want([key], "a test")
    world.program("../first/tool")
    made.allow_once(question)
    await made.idle()
    assert world.runs == []
    assert made.described(key).standing is Standing.NOT_TRUSTED
    (again,) = made.want([key], "again")
    assert again.consent.program.endswith("first/tool")


async def test_an_answer_of_another_program_is_asked_for_again(world: World, monkeypatch):
    first, second = world.folder.parent / "first", world.folder.parent / "second"
    for directory in (first, second):
        directory.mkdir()
    monkeypatch.setenv("PATH", f"{first}:{second}")
    key = CommandKey(str(world.folder), ("tool",))
    world.program("../second/tool")
    made = world.make()
    made.allow_once(made.want([key], "a test")[0])
    await world.finish()
    world.program("../first/tool")
    (question,) = made.refresh([key], "a save")
    assert made.described(key).standing is Standing.NOT_TRUSTED
    made.allow_once(question)
    await world.finish(BAD)
    assert [Path(path).parent.name for _, path, _ in world.runs] == ["second", "first"]
    assert made.described(key).outcome is BAD


@pytest.mark.parametrize(("policy", "trusted"), [(TrustPolicy.NEVER, True), (TrustPolicy.ALWAYS, False)])
async def test_nothing_runs_and_nothing_is_asked(world: World, policy: TrustPolicy, trusted: bool):
    made = world.make(policy, trusted)
    assert made.undescribed().standing is Standing.NOT_TRUSTED
    assert made.want([world.key], "a test") == []
    assert made.refresh([world.key], "a test", at_once=True) == []
    made.forget_answer(world.key)
    assert made.want([world.key], "a test") == []
    await made.idle()
    assert world.runs == []
    assert made.described(world.key).reason == made.undescribed().reason


async def test_a_policy_that_narrows_ends_what_runs(world: World):
    made = world.make(TrustPolicy.ALWAYS)
    made.want([world.key], "a test")
    await until(lambda: len(world.runs) == 1)
    made.policy = TrustPolicy.NEVER
    made.forget_decisions()
    await made.idle()
    assert world.runs[0][2].cancelled()
    assert made.described(world.key).standing is Standing.NOT_TRUSTED


async def test_the_last_answer_of_an_earlier_session_is_shown_while_nothing_may_run(world: World):
    made = world.make(TrustPolicy.ALWAYS)
    made.want([world.key], "a test")
    await world.finish()
    await made.close()
    for other in (world.make(), world.make(TrustPolicy.NEVER), world.make(TrustPolicy.ALWAYS, trusted=False)):
        other.want([world.key], "another session")
        await other.idle()
        described = other.described(world.key)
        assert described.standing is Standing.NOT_TRUSTED
        assert described.outcome is not None
        assert described.outcome.listing == GOOD.listing
        assert described.as_of == described_at(GOOD)
        assert other.all_described() == {world.key: described}


async def test_a_failure_does_not_replace_what_is_remembered(world: World):
    made = world.make(TrustPolicy.ALWAYS)
    made.want([world.key], "a test")
    await world.finish()
    made.refresh([world.key], "a save", at_once=True)
    await world.finish(BAD)
    other = world.make(TrustPolicy.NEVER)
    other.want([world.key], "another session")
    await other.idle()
    outcome = other.described(world.key).outcome
    assert outcome is not None
    assert outcome.listing == GOOD.listing


async def test_what_is_bound_no_more_is_ended_and_forgotten(world: World):
    made = world.make(TrustPolicy.ALWAYS)
    other = CommandKey(str(world.folder), ("./run", "y"))
    made.want([world.key, other], "a test")
    await until(lambda: len(world.runs) == 2)
    made.keep_only([other])
    runs = {key: future for key, _, future in world.runs}
    runs[other].set_result(GOOD)
    await made.idle()
    assert runs[world.key].cancelled()
    assert set(made.all_described()) == {other}


async def test_a_program_that_is_not_there_is_looked_for_again(world: World):
    made = world.make()
    key = CommandKey(str(world.folder), ("./later",))
    assert made.want([key], "a test") == []
    assert made.described(key).standing is Standing.UNKNOWN
    world.program("later")
    assert len(made.want([key], "again")) == 1


async def test_closing_ends_what_runs(world: World):
    made = world.make(TrustPolicy.ALWAYS)
    made.want([world.key], "a test")
    await until(lambda: len(world.runs) == 1)
    await made.close()
    assert world.runs[0][2].cancelled()
    made.want([world.key], "too late")
    await made.idle()
    assert len(world.runs) == 1


async def test_the_same_words_as_an_mcp_server_are_another_implementation_and_one_question(
    world: World, monkeypatch: pytest.MonkeyPatch
):
    server = replace(world.key, kind=BindingKind.MCP)
    asked: list[CommandKey] = []

    async def describe_mcp(directory, words, program, *, timeout, limits) -> DescribeOutcome:
        asked.append(CommandKey(directory, words, BindingKind.MCP))
        return MCP

    monkeypatch.setattr("flow_lsp.host.describe_mcp.describe_mcp", describe_mcp)
    made = world.make()
    one, other = made.want([world.key, server], "a test")
    assert one.consent == other.consent
    made.allow_once(one)
    assert not made.waits_for(other)
    await world.finish()
    assert asked == [server]
    assert (made.described(world.key).outcome, made.described(server).outcome) == (GOOD, MCP)
    made.keep_only([server])
    assert made.described(world.key).standing is Standing.UNKNOWN
    assert made.described(server).standing is Standing.CURRENT


async def test_an_mcp_server_s_answer_is_remembered_for_other_sessions(world: World, monkeypatch: pytest.MonkeyPatch):
    server = replace(world.key, kind=BindingKind.MCP)

    async def describe_mcp(*_, **__) -> DescribeOutcome:
        return MCP

    monkeypatch.setattr("flow_lsp.host.describe_mcp.describe_mcp", describe_mcp)
    made = world.make(TrustPolicy.ALWAYS)
    made.want([server], "a test")
    await made.idle()
    other = world.make()
    other.want([server], "another session")
    await other.idle()
    found = other.described(server)
    assert found.standing is Standing.NOT_TRUSTED
    assert found.outcome is not None
    assert found.outcome.mcp == MCP.mcp
