"""A host under faults for minutes: every call has one outcome that fits it, and nothing is left or grows.

    python benchmarks/soak.py [--minutes N] [--seed S] [--trace]

Pools of several implementations (the children of tests/children: one that answers in every way there is, dies, is slow,
floods its standard error, leaves half lines and grandchildren; one that ignores SIGTERM; two MCP servers) are called at
once by many tasks. Meanwhile children, and now and then the guardian, are killed or stopped, calls cancelled and timed
out, runs and pools closed and opened again. One pool lives as long as the soak, the others for a few seconds.

After each round, when all calls have their outcomes, it is counted: processes, tasks, descriptors, objects that the
garbage collector knows, memory. The exit status is 1, with a sentence, where
- a call has no outcome a minute after it should, or one that its behaviour cannot have, or another call's;
- a process is left that no child of the living pool leads, at the end any;
- a task is left, or a descriptor, or a thread beyond the executor's;
- in the last third of the rounds, by the median, there are more than 400 objects or 12 MiB more than in the second.
Linux only. `--trace` says where the memory was taken that was not given back.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import random
import signal
import sys
import tempfile
import time
import tracemalloc
import uuid
from collections import Counter
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from leaks import Count, Leak, counted, judged

from flow_lsp.binding.model import Bound, CommandKey, Origin
from flow_lsp.host.calling import CallableTool, prepare_values
from flow_lsp.host.host import Host
from flow_lsp.host.pool import Pool
from flow_lsp.host.process_host import ProcessLimits
from flow_lsp.host.process_life import LifeLimits
from flow_lsp.host.run import Run, RunRefused
from flow_lsp.manifest.model import BindingKind
from flow_lsp.processes.child import Ending
from flow_lsp.processes.guardian import groups
from flow_lsp.protocol.call_outcomes import CallOutcome, NotRun, Ok

CHILDREN = Path(__file__).resolve().parent.parent / "tests" / "children"
MARK = "FLOW_LSP_SOAK"
LIMITS = ProcessLimits(LifeLimits(describe=20.0, ending=Ending(grace=0.3, terminate=0.3, kill=20.0)), cancel_grace=0.2)
ROUND = 4.0  # seconds
CALLERS = 6  # tasks for each run
LONGEST = 60.0  # seconds that an outcome may take which nothing else holds up

ACT = "@tool\npub fn act(how: Text, value: Int) -> Result<Text, Text>\n"
FIND = "pub record Found { query: Text }\n@tool\npub fn find(query: Text) -> Result<Found, Text>\n"

# How often each behaviour is asked for, its greatest value, and the outcomes it may have beside those of a process
# that ended. Those without any are not answered: their calls are given up.
BEHAVIOURS: dict[str, tuple[int, int, tuple[str, ...]]] = {
    "ok": (60, 10**9, ("Ok",)),
    "failed": (4, 0, ("Failed",)),
    "not-run": (2, 0, ("NotRun",)),
    "unknown": (2, 0, ("Unknown",)),
    "wrong-type": (2, 7, ("BadReply",)),
    "malformed": (2, 0, ("BadReply",)),
    "twice": (2, 0, ("Ok",)),
    "strays": (2, 0, ("Ok",)),
    "big": (3, 300_000, ("Ok",)),
    "utf8": (1, 0, ("BadReply",)),
    "surrogate": (1, 0, ("BadReply",)),
    "noise": (2, 20, ("Ok",)),
    "stderr": (2, 20, ("Ok",)),
    "slow": (3, 40, ("Ok",)),
    "reply-and-exit": (1, 0, ("Ok",)),
    "exit": (1, 3, ("Unknown",)),
    "kill": (1, 0, ("Unknown",)),
    "half-a-reply": (1, 0, ("Unknown",)),
    "grandchild": (1, 0, ("Unknown",)),
    "never": (2, 0, ()),
    "until-cancelled": (2, 0, ()),
}
ENDED = ("Unknown", "NotRun")  # what any call may come to where its process ends, or the host is closed


@dataclass
class Commands:
    """The implementations, and the Tools that each answers."""

    folder: Path
    tools: list[tuple[CallableTool, Bound]] = field(default_factory=list)

    def make(self) -> None:
        """Writes their files, and reads the declarations."""
        for name in ("steady", "deadly", "stubborn"):
            (self.folder / f"{name}.flow").write_text(ACT, "utf-8")
        for name in ("server", "other"):
            (self.folder / f"{name}.flow").write_text(FIND, "utf-8")
        (self.folder / "mcp.json").write_text(
            json.dumps([{"name": "find", "inputSchema": {"type": "object"}}]), "utf-8"
        )
        python: tuple[str, ...] = (sys.executable, "-S", "-E")
        for identity, tool in Host(str(self.folder)).tools.items():
            name = identity.partition(".")[0]
            if tool.name == "act":
                entry = {
                    "tool": identity,
                    "fingerprint": tool.signature.fingerprint,
                    "signature": tool.signature.served,
                }
                listing = self.folder / f"{name}.json"
                listing.write_text(json.dumps({"data": "0.1", "tools": [entry]}), "utf-8")
                program = (
                    *python,
                    str(CHILDREN / "calling_child.py"),
                    str(listing),
                    str(self.folder / f"{name}.starts"),
                )
                key = CommandKey(str(self.folder), (*program, *(["stubborn"] if name == "stubborn" else [])))
            else:
                behaviour = "good" if name == "server" else "stubborn"
                program = (*python, str(CHILDREN / "mcp_child.py"), behaviour, "--tools", str(self.folder / "mcp.json"))
                key = CommandKey(str(self.folder), program, BindingKind.MCP)
            self.tools.append((tool, Bound(key, Origin.MANIFEST)))


class Soak:
    """All that goes on, and what is found wrong."""

    def __init__(self, commands: Commands, seed: int, mark: str) -> None:
        self.random = random.Random(seed)
        self.commands = commands
        self.mark = mark.encode()
        self.outcomes: Counter[str] = Counter()
        self.kills = 0
        self.closed: set[str] = set()  # the runs whose calls are answered by what is closed

    # -- calls ----------------------------------------------------------------------------------------------

    async def call(self, run: Run, stops: bool) -> None:
        """One call, in one of the ways there are; `stops` where it is one that is given up."""
        identity = self.random.choice(list(run.tools))
        expected: tuple[str, ...] = ("Ok",)
        if run.tools[identity].name == "find":
            query = uuid.uuid4().hex
            arguments: dict[str, object] = {"query": query}
            how, text = "find", json.dumps({"query": query}, separators=(",", ":"))
        else:
            how = self.random.choices(list(BEHAVIOURS), [weight for weight, _, _ in BEHAVIOURS.values()])[0]
            if identity.startswith("steady") and how in (
                "exit",
                "kill",
                "half-a-reply",
                "grandchild",
                "reply-and-exit",
            ):
                how = "ok"
            _, most, expected = BEHAVIOURS[how]
            value = self.random.randint(0, most)
            arguments = {"how": how, "value": value}
            if how == "big":
                text = f'"{"x" * value}"'
            else:
                text = {"ok": f'"{value}"', "twice": '"first"'}.get(how, '"done"')
        call_id = uuid.uuid4().hex
        called = f"The call {how} of {identity}"
        if stops or not expected:
            await self.given_up(run, identity, arguments, call_id, called)
            return
        try:
            async with asyncio.timeout(LONGEST):
                outcome = await run.call(identity, arguments, call_id=call_id)
        except TimeoutError:
            raise Leak(f"{called} has no outcome after {LONGEST:g} s.") from None
        self.judge(run.id, called, outcome, expected, text)

    async def given_up(self, run: Run, identity: str, arguments: dict[str, object], call_id: str, called: str) -> None:
        """A call whose task is cancelled, whose time is over, or that is asked to stop and gets its outcome."""
        seconds = self.random.choice([0.0, self.random.random() * 0.1])
        way = self.random.randrange(3)
        if way == 0:
            with suppress(TimeoutError):
                await asyncio.wait_for(run.call(identity, arguments, call_id=call_id), seconds)
        elif way == 1:
            task = asyncio.ensure_future(run.call(identity, arguments, call_id=call_id))
            await asyncio.sleep(seconds)
            task.cancel()
            await asyncio.wait([task])
            if not task.cancelled() and task.exception() is not None:
                raise Leak(f"{called} raised {task.exception()!r}.")
        else:
            prepared = prepare_values(run.id, call_id, run.tools[identity], run.tools[identity].types, arguments)
            task = asyncio.ensure_future(run.send(prepared))
            await asyncio.sleep(seconds)
            run.cancel(prepared)  # type: ignore[arg-type]
            done, _ = await asyncio.wait([task], timeout=LONGEST)
            if not done:
                raise Leak(f"{called} has no outcome {LONGEST:g} s after it was cancelled.")
            self.outcomes[f"cancelled, {type(task.result()).__name__}"] += 1

    def judge(self, run_id: str, called: str, outcome: CallOutcome, expected: tuple[str, ...], text: str) -> None:
        """Whether the outcome is one that the call can have."""
        name = type(outcome).__name__
        self.outcomes[name] += 1
        if outcome == NotRun("The host is closed."):
            self.closed.add(run_id)
        if name not in expected and name not in ENDED:
            raise Leak(f"{called} came to {outcome!r:.300}.")
        if isinstance(outcome, Ok) and outcome.text != text:
            raise Leak(f"{called} was answered with {outcome.text:.100} and not {text:.100}: another call's reply.")

    async def calls(self, run: Run, until: float) -> None:
        """One caller, up to its time or until what it calls is closed."""
        while time.monotonic() < until and run.id not in self.closed:
            if self.random.random() < 0.02:
                await asyncio.gather(*(self.call(run, self.random.random() < 0.1) for _ in range(100)))
            else:
                await self.call(run, self.random.random() < 0.15)

    # -- faults -----------------------------------------------------------------------------------------------

    def processes(self) -> list[tuple[int, int]]:
        """The number and the group of each process that a pool started, or one that it started."""
        found = []
        for entry in Path("/proc").iterdir():
            if entry.name.isdigit() and int(entry.name) != os.getpid():
                with suppress(OSError):
                    if self.mark in (entry / "environ").read_bytes():
                        state, _, group, *_ = (entry / "stat").read_text("latin-1").rpartition(")")[2].split(None, 3)
                        if state not in "ZX":
                            found.append((int(entry.name), int(group)))
        return found

    async def kills_on(self, until: float) -> None:
        """Ends or stops a process now and then."""
        while time.monotonic() < until:
            await asyncio.sleep(self.random.random() * 0.8)
            there = [process for process, _ in self.processes()]
            if groups.pid is not None and self.random.random() < 0.03:
                there = [groups.pid]
            if there:
                self.kills += 1
                victim = self.random.choice(there)
                number = self.random.choice([signal.SIGKILL, signal.SIGKILL, signal.SIGTERM, signal.SIGSTOP])
                with suppress(ProcessLookupError):
                    os.kill(victim, number)
                    if number == signal.SIGSTOP:
                        await asyncio.sleep(self.random.random() * 0.3)
                        os.kill(victim, signal.SIGCONT)

    # -- pools ------------------------------------------------------------------------------------------------

    async def started(self, pool: Pool) -> Run | None:
        """A run over some of the Tools."""
        wanted = self.random.sample(self.commands.tools, self.random.randint(1, len(self.commands.tools)))
        async with asyncio.timeout(LONGEST):
            run = await pool.start_run(wanted)
        self.outcomes["run refused" if isinstance(run, RunRefused) else "run"] += 1
        return run if isinstance(run, Run) else None

    async def run(self, pool: Pool, until: float) -> None:
        """Runs, one after another, each with its callers, some ended in their midst."""
        while time.monotonic() < until:
            try:
                run = await self.started(pool)
            except TimeoutError:
                raise Leak(f"A run neither started nor was refused within {LONGEST:g} s.") from None
            if run is None:
                continue
            end = min(until, time.monotonic() + self.random.random() * 2 * ROUND)
            early = self.random.random() * ROUND if self.random.random() < 0.3 else 0.0
            callers = [asyncio.ensure_future(self.calls(run, end)) for _ in range(CALLERS)]
            if early:
                await asyncio.wait(callers, timeout=early)
                await pool.end_run(run)
            await gathered(callers)
            await pool.end_run(run)
            self.closed.discard(run.id)

    async def lets_go(self, pool: Pool, until: float) -> None:
        """Ends an implementation now and then, as a change of its files does."""
        while time.monotonic() < until:
            await asyncio.sleep(self.random.random() * 2 * ROUND)
            await pool.let_go(self.random.choice(self.commands.tools)[1].key)

    async def short_pools(self, until: float) -> None:
        """Pools that are closed while they are called, and while a run starts."""
        while time.monotonic() < until:
            pool = Pool(limits=LIMITS)
            end = min(until, time.monotonic() + self.random.random() * ROUND)
            runs = [asyncio.ensure_future(self.run(pool, end)) for _ in range(2)]
            await asyncio.sleep(self.random.random() * max(0.0, end - time.monotonic()))
            late = asyncio.ensure_future(self.started(pool))
            for _ in range(self.random.randrange(4)):
                await asyncio.sleep(0)
            await pool.close()
            await gathered([*runs, late])
            await pool.close()

    async def round(self, living: Pool) -> None:
        """Everything at once for a while; then all calls have their outcomes."""
        until = time.monotonic() + ROUND
        work = [self.run(living, until) for _ in range(2)]
        await gathered([asyncio.ensure_future(each) for each in (
            *work, self.short_pools(until), self.lets_go(living, until), self.kills_on(until),
        )])  # fmt: skip

    # -- what is left -----------------------------------------------------------------------------------------

    async def nothing_left(self, leads: bool) -> None:
        """Waits, a few seconds at most, until all that may end by itself has, and says what has not. `leads` where
        children of the living pool may go on."""
        end = time.monotonic() + 10.0
        while True:
            left = [
                f"process {process} of group {group}"
                for process, group in self.processes()
                if not leads or process != group or group not in groups.guarded
            ]
            others = asyncio.all_tasks() - {asyncio.current_task()}
            tasks = [task for task in others if not leads or "ProcessImplementation._run" not in repr(task.get_coro())]
            if not left and not tasks:
                return
            if time.monotonic() > end:
                raise Leak(f"There is left: {', '.join([*left, *map(repr, tasks)])}.")
            await asyncio.sleep(0.05)


async def gathered(
    tasks: Iterable[asyncio.Future[Any]],
) -> None:
    """Waits for all of `tasks`; raises the first fault once all are done."""
    done = await asyncio.gather(*tasks, return_exceptions=True)
    for result in done:
        if isinstance(result, BaseException):
            raise result


async def soak(folder: Path, minutes: float, seed: int, mark: str) -> None:
    """Rounds until the time is over; raises Leak."""
    commands = Commands(folder)
    commands.make()
    it = Soak(commands, seed, mark)
    least = counted()
    living = Pool(limits=LIMITS)
    end = time.monotonic() + 60 * minutes
    counts: list[Count] = []
    traced: tracemalloc.Snapshot | None = None
    try:
        while time.monotonic() < end:
            await it.round(living)
            await it.nothing_left(leads=True)
            counts.append(counted())
            if tracemalloc.is_tracing() and len(counts) == 5:
                traced = tracemalloc.take_snapshot()
            print(f"round {len(counts)}: {counts[-1]}, {it.kills} kills, {dict(it.outcomes)}", flush=True)
    finally:
        await living.close()
    await it.nothing_left(leads=False)
    if traced is not None:
        for line in tracemalloc.take_snapshot().compare_to(traced, "lineno")[:20]:
            print(line)
    judged(counts, least, counted())


def main() -> int:
    """Prints a line for each round; the exit status is 1, with a sentence, where something is wrong."""
    parser = argparse.ArgumentParser(description="A host under faults.")
    parser.add_argument("--minutes", type=float, default=3.0)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--trace", action="store_true")
    options = parser.parse_args()
    mark = uuid.uuid4().hex
    os.environ[MARK] = mark  # what the children are known by, and theirs
    if options.trace:
        tracemalloc.start()
    with tempfile.TemporaryDirectory() as folder:
        try:
            asyncio.run(soak(Path(folder), options.minutes, options.seed, mark))
        except Leak as leak:
            print(f"seed {options.seed}: {leak}", file=sys.stderr)
            return 1
    print(f"seed {options.seed}: nothing is left, and nothing grows.")
    return 0


if __name__ == "__main__":
    sys.exit(main())
