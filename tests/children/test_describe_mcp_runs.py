"""MCP servers asked what they offer, with real processes: what each comes to, and that nothing is left of it."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path

import pytest
from started_implementations import HASTY, PATIENT, RUTHLESS, Implementations

from flow_lsp.files.uris import uri_of
from flow_lsp.host.describe import DescribeLimits
from flow_lsp.host.describe_mcp import describe_mcp
from flow_lsp.processes.child import Ending
from flow_lsp.protocol.mcp.listing import McpListing
from flow_lsp.protocol.outcome import DescribeOutcome, FailureKind

SERVER = str(Path(__file__).with_name("mcp_child.py"))


async def described(
    implementations: Implementations, *arguments: str, timeout: float = 20.0, line: int = 100_000, end: Ending = PATIENT
) -> DescribeOutcome:
    return await describe_mcp(
        implementations.directory,
        (implementations.program.path, "-S", "-E", SERVER, *arguments),
        implementations.program,
        timeout=timeout,
        limits=DescribeLimits(line, end),
        environment=implementations.environment,
    )


def listing(outcome: DescribeOutcome) -> McpListing:
    assert outcome.failure is None
    assert outcome.listing is None
    assert outcome.mcp is not None
    return outcome.mcp


async def test_all_pages_of_its_tools_and_what_it_calls_itself(implementations: Implementations) -> None:
    outcome = await described(implementations)
    found = listing(outcome)
    assert (found.server, found.revision) == ("child 1.5", "2025-11-25")
    assert [tool.name for tool in found.tools] == ["find", "get-sum"]
    assert found.tools[0].output_schema is not None
    assert (found.tools[1].title, found.tools[1].output_schema) == ("Sum", None)
    assert (outcome.exit_status, outcome.terminated, outcome.program) == (0, False, implementations.program.path)
    assert outcome.duration > 0


async def test_an_older_revision_is_spoken(implementations: Implementations) -> None:
    assert listing(await described(implementations, "--revision", "2024-11-05")).revision == "2024-11-05"


async def test_its_own_requests_are_answered_with_the_directory_it_runs_in(implementations: Implementations) -> None:
    (tool,) = listing(await described(implementations, "asks")).tools
    assert tool.name == uri_of(implementations.directory)


async def test_what_it_prints_is_noise_and_ends_nothing(implementations: Implementations) -> None:
    outcome = await described(implementations, "noisy")
    assert len(listing(outcome).tools) == 2
    assert outcome.noise == ("Need to install the following packages:", "listening")
    assert outcome.stderr_tail == ("starting up",)


async def test_a_server_without_tools_lists_none_and_says_so(implementations: Implementations) -> None:
    found = listing(await described(implementations, "no-tools"))
    assert (found.tools, found.remarks) == ((), ("The server declares no tools in its capabilities.",))


async def test_what_is_left_out_of_the_list_is_said(implementations: Implementations) -> None:
    path = Path(implementations.directory, "tools.json")
    path.write_text(json.dumps([{"name": "a", "inputSchema": {}}, {"name": "a", "inputSchema": {}}, {"name": "b"}]))
    found = listing(await described(implementations, "--tools", str(path)))
    assert [tool.name for tool in found.tools] == ["a"]
    assert len(found.remarks) == 2


@pytest.mark.parametrize(
    ("arguments", "kind", "sentence"),
    [
        (("exits",), FailureKind.EXITED, "ended with exit status 3 before it answered."),
        (("no-mcp",), FailureKind.ERROR_RESPONSE, "answered initialize with error -32601: method not found."),
        (("refuses",), FailureKind.MCP_REVISION, "speaks MCP 2099-01-01, and this host speaks MCP 2024-11-05, "),
        (("--revision", "2099-01-01"), FailureKind.MCP_REVISION, "speaks MCP 2099-01-01, and this host speaks MCP "),
        (("circle",), FailureKind.INVALID, "it gave the cursor `again` twice, so its pages would never end."),
    ],
)
async def test_a_server_that_cannot_be_used(
    implementations: Implementations, arguments: tuple[str, ...], kind: FailureKind, sentence: str
) -> None:
    outcome = await described(implementations, *arguments)
    assert outcome.answer is None
    assert outcome.failure is not None
    assert outcome.failure.kind is kind
    assert sentence in outcome.failure.sentence


@pytest.mark.parametrize("behaviour", ["silent", "half"])
async def test_a_server_that_does_not_answer_in_time(implementations: Implementations, behaviour: str) -> None:
    outcome = await described(implementations, behaviour, timeout=0.5)
    assert outcome.failure is not None
    assert outcome.failure.kind is FailureKind.TIMED_OUT
    assert outcome.failure.sentence == "did not answer within 0.5 s."


async def test_a_line_past_the_limit_is_no_answer(implementations: Implementations) -> None:
    outcome = await described(implementations, line=100)
    assert outcome.failure is not None
    assert outcome.failure.kind is FailureKind.TOO_LARGE


async def test_a_server_that_does_not_end_is_killed(implementations: Implementations) -> None:
    outcome = await described(implementations, "stubborn", end=RUTHLESS)
    assert len(listing(outcome).tools) == 2
    assert outcome.terminated


async def test_a_cancelled_run_leaves_no_process(implementations: Implementations) -> None:
    run = asyncio.ensure_future(described(implementations, "silent", end=HASTY))
    async with asyncio.timeout(10):
        while not implementations.left():
            await asyncio.sleep(0.001)
    run.cancel()
    with pytest.raises(asyncio.CancelledError):
        await run
    assert implementations.left() == []
