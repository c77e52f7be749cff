"""How near describing many implementations comes to the bound that the slowest and the number at once set.

    python benchmarks/describe_many.py [COUNT] [AT_ONCE]

Each implementation is a Python process that answers after a time of its own. The bound is what no scheduler
can beat: the larger of the slowest one alone and all their times together over the number at once. Their
times are those of the same programs, started and read by a bare loop without this package, so that what it
adds is seen. Where they answer at once there is nothing but the start of Python, which keeps a core busy:
several at once then share the cores, with each other and with this process, and the bound cannot be met.
"""

from __future__ import annotations

import asyncio
import os
import subprocess
import sys
import time
from functools import partial
from pathlib import Path

from flow_lsp.host.describe import describe_program
from flow_lsp.host.describe_jobs import DescribeJobs
from flow_lsp.processes.programs import Program, file_stamp
from flow_lsp.protocol.listing import read_listing
from flow_lsp.protocol.outcome import DescribeOutcome

CODE = """
import sys, time
sys.stdin.readline()
time.sleep({seconds})
print('{{"jsonrpc":"2.0","id":1,"result":{{"data":"0.1","tools":[]}}}}', flush=True)
sys.stdin.read()
"""


def words_of(seconds: float) -> tuple[str, ...]:
    """The command of an implementation that answers after `seconds`."""
    return (sys.executable, "-S", "-E", "-c", CODE.format(seconds=seconds))


def bare_time(words: tuple[str, ...]) -> float:
    """What the program takes, in seconds, asked by a bare script."""
    begin = time.perf_counter()
    with subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.write(b'{"jsonrpc":"2.0","id":1,"method":"describe","params":{"data":"0.1"}}\n')
        process.stdin.flush()
        process.stdout.readline()
        process.stdin.close()
        process.stdout.read()
    return time.perf_counter() - begin


async def described(program: Program, delays: dict[str, float], key: str) -> DescribeOutcome:
    """One run."""
    return await describe_program(str(Path.cwd()), words_of(delays[key]), program)


async def all_described(delays: dict[str, float], at_once: int) -> float:
    """How long it takes, in seconds, until every one of `delays` has been described."""
    stamp = file_stamp(sys.executable)
    assert stamp is not None
    jobs = DescribeJobs(partial(described, Program(sys.executable, stamp), delays), concurrency=at_once)
    begin = time.perf_counter()
    for key in delays:
        jobs.request(key, "benchmark")
    await jobs.idle()
    taken = time.perf_counter() - begin
    for key in delays:
        outcome = jobs.state(key).result
        assert outcome is not None
        assert outcome.listing is not None, outcome
    await jobs.close()
    return taken


def row(name: str, delays: list[float], at_once: int) -> None:
    """Measure and print one line of the table."""
    times = [bare_time(words_of(delay)) for delay in delays]
    bound = max(max(times), sum(times) / at_once)
    taken = asyncio.run(all_described({f"{index}": delay for index, delay in enumerate(delays)}, at_once))
    print(f"{name:<34}{len(delays):>5}{at_once:>9}{bound:>9.3f}{taken:>9.3f}{taken / bound:>8.2f}")


def main() -> None:
    """Print the table."""
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 50
    at_once = int(sys.argv[2]) if len(sys.argv) > 2 else min(4, os.cpu_count() or 1)
    read_listing({"data": "0.1", "tools": []})  # the first one imports the schema library: once per process
    print(f"{'implementations':<34}{'count':>5}{'at once':>9}{'bound s':>9}{'taken s':>9}{'ratio':>8}")
    row("answer after 0.1 s", [0.1] * count, at_once)
    row("answer after 0 to 0.2 s", [0.2 * index / count for index in range(count)], at_once)
    row("one of 2 s first, others 0.02 s", [2.0] + [0.02] * (count - 1), at_once)
    row("answer at once", [0.0] * count, at_once)


if __name__ == "__main__":
    main()
