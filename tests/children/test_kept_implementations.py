"""Implementations that are kept between calls: shared, let go of when their files change, and all gone at the end."""

from __future__ import annotations

import asyncio
import json
import sys
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from started_implementations import Implementations
from support.callables import callable_tools

from flow_lsp.binding.model import Bound, CommandKey, Origin
from flow_lsp.host.calling import Call, prepare_json
from flow_lsp.host.kept import Kept, KeptImplementations
from flow_lsp.host.pool import Pool
from flow_lsp.host.process_host import ProcessLimits
from flow_lsp.host.run import Run, RunRefused
from flow_lsp.manifest.model import BindingKind
from flow_lsp.protocol.call_outcomes import CallOutcome, Ok, Unknown

CHILD = str(Path(__file__).with_name("calling_child.py"))
SERVER = str(Path(__file__).with_name("mcp_child.py"))
ACT = callable_tools("@tool\npub fn act(how: Text, value: Int) -> Result<Text, Text>\n")["act"]
FIND = callable_tools("record Hit { query: Text }\n@tool\npub fn find(query: Text) -> Result<Hit, Never>\n")["find"]


class Place:
    """A folder whose Tool `act` is answered, and what is kept of it. `refusal` is why nothing may run."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.serve()
        self.key = CommandKey(str(folder), (sys.executable, "-S", "-E", CHILD, "listing.json", "starts"))
        self.refusal: str | None = None
        self.kept = KeptImplementations(ProcessLimits, lambda _: self.refusal)

    def serve(self, text: str = "", *, nothing: bool = False) -> None:
        tool = {"tool": ACT.identity, "fingerprint": ACT.signature.fingerprint, "signature": ACT.signature.served}
        listing = json.dumps({"data": "0.1", "tools": [] if nothing else [tool]})
        (self.folder / "listing.json").write_text(listing + text, "utf-8")

    @property
    def starts(self) -> int:
        path = self.folder / "starts"
        return path.stat().st_size if path.exists() else 0

    async def run(self, kept: Kept) -> Run:
        found = await self.kept.run(kept, ACT, Bound(self.key, Origin.MANIFEST))
        assert isinstance(found, Run)
        return found

    async def call(self, how: str, value: int = 0) -> CallOutcome:
        kept = self.kept.lease(self.key)
        try:
            run = await self.run(kept)
            return await run.send(prepared(run, how, value))
        finally:
            self.kept.release(kept)


def prepared(run: Run, how: str, value: int = 0) -> Call:
    call = prepare_json(run.id, run.next_id(), ACT, ACT.types, {"how": how, "value": value})
    assert isinstance(call, Call)
    return call


@pytest.fixture
async def place(
    implementations: Implementations, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> AsyncIterator[Place]:
    monkeypatch.setenv("FLOW_LSP_TEST_MARKER", implementations.marker)
    made = Place(tmp_path)
    yield made
    await made.kept.close()


async def test_calls_share_one_process_and_one_start(place: Place) -> None:
    found = await asyncio.gather(*(place.call("ok", value) for value in range(5)))
    assert [outcome.text for outcome in found if isinstance(outcome, Ok)] == [f'"{value}"' for value in range(5)]
    assert isinstance(await place.call("ok"), Ok)
    assert place.starts == 1


async def test_a_file_that_changed_starts_it_afresh_and_what_is_out_stays_out(
    place: Place, implementations: Implementations
) -> None:
    old = place.kept.lease(place.key)
    run = await place.run(old)
    held = asyncio.ensure_future(run.send(prepared(run, "hold")))
    await place.run(old)
    place.serve("\n")
    assert isinstance(await place.call("ok"), Ok)
    assert place.starts == 2
    assert not held.done()
    assert isinstance(await run.send(prepared(run, "release")), Ok)
    assert isinstance(await held, Ok)
    assert len(implementations.left()) == 2
    place.kept.release(old)
    while len(implementations.left()) > 1:
        await asyncio.wait({asyncio.ensure_future(place.call("ok"))})
    assert place.starts == 2


async def test_what_it_changes_itself_while_it_starts_does_not_end_it(place: Place) -> None:
    await place.call("ok")  # it writes to `starts`, a word of its command
    await place.call("ok")
    place.kept.look(lambda _: True)
    await place.call("ok")
    assert place.starts == 1


async def test_what_nobody_wants_is_ended(place: Place, implementations: Implementations) -> None:
    await place.call("ok")
    place.kept.look(lambda key: key == place.key)
    assert len(implementations.left()) == 1
    place.kept.look(lambda _: False)
    await place.kept.close()
    assert implementations.left() == []
    assert isinstance(await place.call("ok"), Ok)
    assert place.starts == 2


async def test_a_run_that_was_refused_is_tried_again(place: Place) -> None:
    place.serve(nothing=True)
    kept = place.kept.lease(place.key)
    refused = await place.kept.run(kept, ACT, Bound(place.key, Origin.MANIFEST))
    place.kept.release(kept)
    assert isinstance(refused, RunRefused)
    place.serve()
    assert isinstance(await place.call("ok"), Ok)


async def test_what_may_not_run_any_more_is_ended_at_once(place: Place, implementations: Implementations) -> None:
    kept = place.kept.lease(place.key)
    run = await place.run(kept)
    held = asyncio.ensure_future(run.send(prepared(run, "never")))
    await place.run(kept)
    await place.kept.stop_refused()
    assert len(implementations.left()) == 1
    place.refusal = "It is not trusted."
    await place.kept.stop_refused()
    assert implementations.left() == []
    assert isinstance(await held, Unknown)
    place.kept.release(kept)
    again = place.kept.lease(place.key)
    refused = await place.kept.run(again, ACT, Bound(place.key, Origin.MANIFEST))
    assert isinstance(refused, RunRefused)
    assert refused.problems[0].reason == "It is not trusted."
    place.kept.release(again)


async def test_the_end_takes_what_was_let_go_of_but_is_in_use(place: Place, implementations: Implementations) -> None:
    kept = place.kept.lease(place.key)
    run = await place.run(kept)
    held = asyncio.ensure_future(run.send(prepared(run, "never")))
    await place.run(kept)
    place.kept.look(lambda _: False)
    assert len(implementations.left()) == 1
    await place.kept.close()
    assert implementations.left() == []
    assert isinstance(await held, Unknown)
    place.kept.release(kept)


async def test_its_log_is_kept_by_lines(place: Place) -> None:
    kept = place.kept.lease(place.key)
    run = await place.run(kept)
    first = kept.count
    await run.send(prepared(run, "noise", 3))
    lines = kept.since(first, 2)
    assert len(lines) == 2
    assert "is no message" in lines[-1]
    assert kept.since(kept.count, 5) == []
    assert len(kept.since(0, 10_000)) == kept.count
    place.kept.release(kept)


async def test_an_mcp_server_that_is_starting_when_its_pool_is_closed_is_ended(
    implementations: Implementations, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("FLOW_LSP_TEST_MARKER", implementations.marker)
    words = (sys.executable, "-S", "-E", SERVER, "--log", "started", "--gate", "never")
    bound = Bound(CommandKey(str(tmp_path), words, BindingKind.MCP), Origin.MANIFEST)
    pool = Pool()
    starting = asyncio.ensure_future(pool.start_run([(FIND, bound)]))
    while not (tmp_path / "started").exists():
        await asyncio.wait({starting}, timeout=0.01)
    await pool.close()
    assert implementations.left() == []
    assert isinstance(await starting, RunRefused)
