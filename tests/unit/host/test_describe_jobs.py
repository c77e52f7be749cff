"""Which runs happen, and when. The runs here are futures in the test's hands; no process is started."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Awaitable, Callable

import pytest

from flow_lsp.host.describe_jobs import DescribeJobs, Progress
from flow_lsp.processes.child import uncancelled
from flow_lsp.protocol.outcome import DescribeFailure, DescribeListing, DescribeOutcome, FailureKind

GOOD = DescribeOutcome(listing=DescribeListing("0.1", ()))
OTHER = DescribeOutcome(listing=DescribeListing("0.2", ()))
BAD = DescribeOutcome(failure=DescribeFailure(FailureKind.EXITED, "ended."))


class Runs:
    """Every run that was started, by key, each waiting for its outcome."""

    def __init__(self) -> None:
        self.open: list[tuple[str, asyncio.Future[DescribeOutcome | None]]] = []
        self.started: Counter[str] = Counter()
        self.ended: Counter[str] = Counter()
        self.most = 0

    async def __call__(self, key: str) -> DescribeOutcome | None:
        future: asyncio.Future[DescribeOutcome | None] = asyncio.get_running_loop().create_future()
        entry = (key, future)
        self.open.append(entry)
        self.started[key] += 1
        self.most = max(self.most, len(self.open))
        try:
            return await future
        finally:
            self.open.remove(entry)
            self.ended[key] += 1

    def finish(self, outcome: DescribeOutcome | None = GOOD) -> None:
        for _, future in list(self.open):
            if not future.done():
                future.set_result(outcome)


async def until(condition: Callable[[], bool]) -> None:
    async with asyncio.timeout(5):
        while not condition():
            await asyncio.sleep(0)


async def settle() -> None:
    for _ in range(20):
        await asyncio.sleep(0)


def jobs(runs: Callable[[str], Awaitable[DescribeOutcome | None]], **more: object) -> DescribeJobs[str]:
    return DescribeJobs(runs, **{"debounce": 0.0, "concurrency": 4, **more})  # type: ignore[arg-type]


async def test_ten_requests_at_once_make_one_run() -> None:
    runs = Runs()
    made = jobs(runs)
    for _ in range(10):
        made.request("a", "open")
    await until(lambda: bool(runs.open))
    assert made.state("a").running
    assert not made.state("a").current
    runs.finish()
    await made.idle()
    made.request("a", "open")
    await made.idle()
    assert runs.started == {"a": 1}
    state = made.state("a")
    assert (state.running, state.current, state.result, state.good, state.cause) == (
        False,
        True,
        GOOD,
        GOOD,
        "open",
    )
    assert made.known() == ("a",)


async def test_no_more_than_the_given_number_run_at_once() -> None:
    runs = Runs()
    made = jobs(runs, concurrency=3)
    for number in range(10):
        made.request(str(number), "open")
    while sum(runs.ended.values()) < 10:
        await until(lambda: bool(runs.open))
        await settle()
        runs.finish()
        await settle()
    await made.idle()
    assert runs.most == 3


async def test_a_refresh_cancels_the_older_run_and_drops_its_result() -> None:
    runs = Runs()
    made = jobs(runs)
    made.request("a", "open")
    await until(lambda: bool(runs.open))
    made.refresh("a", "saved")
    await until(lambda: runs.started["a"] == 2)
    assert runs.ended["a"] == 1, "the newer run starts only when the older one's process is gone"
    runs.finish(OTHER)
    await made.idle()
    assert made.state("a").result == OTHER
    assert made.state("a").cause == "saved"


async def test_a_result_that_arrives_with_a_refresh_is_dropped() -> None:
    runs = Runs()
    made = jobs(runs)
    made.request("a", "open")
    await until(lambda: bool(runs.open))
    runs.finish(GOOD)
    made.refresh("a", "saved")
    await until(lambda: runs.started["a"] == 2)
    assert made.state("a").result is None
    runs.finish(OTHER)
    await made.idle()
    assert made.state("a").result == OTHER


async def test_refreshes_within_the_quiet_make_one_run() -> None:
    runs = Runs()
    now = [0.0]
    made = jobs(runs, debounce=0.02, clock=lambda: now[0])
    for _ in range(5):
        made.refresh("a", "saved")
        now[0] += 0.01
        await asyncio.sleep(0.03)  # it wakes, and by the clock it is not time yet
    assert runs.started["a"] == 0
    now[0] += 1
    await until(lambda: runs.started["a"] == 1)
    runs.finish()
    await made.idle()
    assert runs.started["a"] == 1


async def test_a_result_counts_as_long_as_its_stamps_are_unchanged() -> None:
    runs = Runs()
    stamp = [1]

    async def stamps(key: str) -> object:
        return (key, stamp[0])

    made = jobs(runs, stamps=stamps)
    for expected in (1, 1, 2):
        if expected == 2:
            stamp[0] = 2
        made.request("a", "open")
        await settle()
        runs.finish()
        await made.idle()
        assert runs.started["a"] == expected
        assert made.state("a").current


async def test_a_failure_keeps_the_last_good_answer() -> None:
    runs = Runs()
    made = jobs(runs)
    for outcome in (GOOD, BAD):
        made.refresh("a", "saved")
        await until(lambda: bool(runs.open))
        runs.finish(outcome)
        await made.idle()
    state = made.state("a")
    assert (state.result, state.good, state.current) == (BAD, GOOD, True)


async def test_a_run_that_was_not_to_be_leaves_what_was_known_and_is_not_current() -> None:
    runs = Runs()
    made = jobs(runs)
    for outcome in (GOOD, None):
        made.refresh("a", "saved")
        await until(lambda: bool(runs.open))
        runs.finish(outcome)
        await made.idle()
    state = made.state("a")
    assert (state.result, state.running, state.current) == (GOOD, False, False)


async def test_a_command_that_fails_again_and_again_is_tried_at_a_bounded_rate() -> None:
    now = [0.0]
    count = 0

    async def fails(key: str) -> DescribeOutcome:
        nonlocal count
        count += 1
        return BAD

    made = jobs(fails, first_pause=0.5, clock=lambda: now[0])
    for step in range(50):
        now[0] = step * 0.04
        made.refresh("a", "saved")
        await settle()
    assert count == 3, "at once, half a second later, and a second after that"
    made.refresh("a", "command", at_once=True)
    await until(lambda: count == 4)
    await made.close()


async def test_a_failing_command_whose_files_changed_is_tried_at_once() -> None:
    count = 0

    async def fails(key: str) -> DescribeOutcome:
        nonlocal count
        count += 1
        return BAD

    async def stamps(key: str) -> object:
        return count  # they are others after each run

    made = jobs(fails, stamps=stamps, first_pause=1000.0)
    for _ in range(5):
        made.refresh("a", "saved")
        await made.idle()
    assert count == 5


async def test_cancelling_stops_a_run_and_keeps_what_was_known() -> None:
    runs = Runs()
    made = jobs(runs)
    made.request("a", "open")
    await until(lambda: bool(runs.open))
    runs.finish()
    await made.idle()
    made.refresh("a", "saved")
    await until(lambda: bool(runs.open))
    made.cancel("a")
    await made.idle()
    assert runs.open == []
    state = made.state("a")
    assert (state.result, state.running, state.current) == (GOOD, False, False)


async def test_cancelling_before_the_first_step_leaves_nothing_waiting() -> None:
    runs = Runs()
    made = jobs(runs)
    made.cancel("a")
    made.request("a", "open")
    made.cancel("a")
    await asyncio.wait_for(made.idle(), 5)
    assert runs.started == {}
    assert not made.state("a").running


async def test_a_request_right_after_a_cancellation_is_served() -> None:
    runs = Runs()
    made = jobs(runs)
    made.request("a", "open")
    await until(lambda: bool(runs.open))
    made.cancel("a")
    made.request("a", "again")
    await until(lambda: runs.started["a"] == 2)
    runs.finish()
    await made.idle()
    assert made.state("a").current


async def test_forgetting_stops_the_run_and_lets_go() -> None:
    runs = Runs()
    told: list[str] = []
    made = jobs(runs, on_change=told.append)
    made.request("a", "open")
    await until(lambda: bool(runs.open))
    made.forget("a")
    made.request("a", "again")
    await until(lambda: runs.started["a"] == 2)
    runs.finish()
    await made.idle()
    assert (runs.ended["a"], made.state("a").current) == (2, True)
    made.forget("a")
    made.forget("a")
    assert made.known() == ()
    assert made.state("a").result is None


async def test_cancelling_twice_still_waits_for_the_run_to_end() -> None:
    release = asyncio.Event()
    ended: list[str] = []

    async def ending(key: str) -> None:
        await release.wait()
        ended.append(key)

    async def run(key: str) -> DescribeOutcome:
        try:
            await asyncio.Event().wait()
        finally:
            await uncancelled(asyncio.ensure_future(ending(key)))
        return GOOD

    made = jobs(run)
    made.request("a", "open")
    await settle()
    made.cancel("a")
    await settle()
    made.cancel("a")
    closing = asyncio.ensure_future(made.close())
    await settle()
    assert not closing.done()
    release.set()
    await closing
    assert ended == ["a"]


async def test_closing_ends_every_run_and_later_requests_do_nothing() -> None:
    runs = Runs()
    made = jobs(runs, concurrency=2)
    for key in "abcd":
        made.request(key, "open")
    await until(lambda: len(runs.open) == 2)
    await made.close()
    assert runs.open == []
    made.request("e", "open")
    made.refresh("a", "saved")
    await made.idle()
    await made.close()
    assert sum(runs.started.values()) == 2
    assert len(asyncio.all_tasks()) == 1


async def test_changes_and_progress_are_told() -> None:
    runs = Runs()
    changes: list[tuple[str, bool]] = []
    progress: list[Progress] = []

    def changed(key: str) -> None:
        changes.append((key, made.state(key).running))

    made = jobs(runs, on_change=changed, on_progress=progress.append)
    for key in "ab":
        made.request(key, "open")
    await until(lambda: len(runs.open) == 2)
    runs.finish()
    await made.idle()
    assert changes == [("a", True), ("b", True), ("a", False), ("b", False)]
    assert progress == [Progress(0, 1), Progress(0, 2), Progress(1, 2), Progress(2, 2)]
    made.refresh("a", "saved")
    await until(lambda: bool(runs.open))
    runs.finish()
    await made.idle()
    assert progress[4:] == [Progress(0, 1), Progress(1, 1)]


async def test_a_run_that_raises_is_reported_and_stops_nothing_else() -> None:
    reported: list[dict[str, object]] = []
    asyncio.get_running_loop().set_exception_handler(lambda _loop, context: reported.append(context))

    async def raises(key: str) -> DescribeOutcome:
        if key == "a":
            raise RuntimeError("a mistake of ours")
        return GOOD

    made = jobs(raises)
    made.request("a", "open")
    made.request("b", "open")
    await made.idle()
    assert [str(context["exception"]) for context in reported] == ["a mistake of ours"]
    assert not made.state("a").current
    assert made.state("b").current


@pytest.mark.parametrize("seed", range(30))
async def test_whatever_the_order_of_events_the_last_one_wins(seed: int) -> None:
    """Random requests, refreshes, cancellations and endings: at rest nothing runs, no key has had two runs at
    once, and a key whose last event was a refresh has that refresh's result."""
    import random

    chance = random.Random(seed)
    running: Counter[str] = Counter()
    version: Counter[str] = Counter()

    async def ending(key: str) -> None:
        """A process that takes its time to end, whatever happens to who waits for it."""
        for _ in range(chance.randrange(4)):
            await asyncio.sleep(0)
        running[key] -= 1

    async def run(key: str) -> DescribeOutcome:
        running[key] += 1
        assert running[key] == 1
        begun_at = version[key]
        try:
            for _ in range(chance.randrange(4)):
                await asyncio.sleep(0)
        finally:
            await uncancelled(asyncio.ensure_future(ending(key)))
        return DescribeOutcome(listing=DescribeListing(f"0.{begun_at}", ()))

    made = jobs(run, concurrency=2)
    last: dict[str, str] = {}
    for _ in range(60):
        key, event = chance.choice("abc"), chance.choice(["request", "refresh", "refresh", "cancel"])
        if event == "request":
            made.request(key, "r")
        elif event == "refresh":
            version[key] += 1
            made.refresh(key, "f")
        else:
            made.cancel(key)
        last[key] = event
        for _ in range(chance.randrange(3)):
            await asyncio.sleep(0)
    await asyncio.wait_for(made.idle(), 10)
    assert sum(running.values()) == 0
    for key, event in last.items():
        state = made.state(key)
        assert not state.running
        if event == "refresh":
            assert state.current
            assert state.result is not None
            assert state.result.listing is not None
            assert state.result.listing.data == f"0.{version[key]}"
    assert len(asyncio.all_tasks()) == 1
