"""The start of an implementation on the toolkit, until describe is answered, beside Python's own imports.

    python benchmarks/toolkit_start.py [ROUNDS]

The implementation is what `flow-lsp generate python` makes of examples/weather, with functions that do nothing. The
peer is `python -c "import asyncio, json"`, the least that a hand-written asyncio implementation imports. Both are run
by this interpreter, in turn, ROUNDS times (30); medians and the fastest. `must`: describe is answered within 1.5 times
the peer. The other rows are what follows: the process when its input is closed at once, and the answer to a first call.
"""

from __future__ import annotations

import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from toolkit_programs import WEATHER, write_implementation

DESCRIBE = b'{"jsonrpc":"2.0","id":1,"method":"describe","params":{"data":"0.1"}}\n'
CALL = (
    b'{"jsonrpc":"2.0","method":"call","params":{"run":"r","call":"1","tool":"weather.current",'
    b'"args":{"place":{"latitude":52.37,"longitude":4.89}}}}\n'
)
MAIN = """
from decimal import Decimal
from flow_tools import Observation, SkyClear, serve
from flow_lsp.toolkit import Instant


class Weather:
    async def current(self, place):
        return Observation(Instant(0), Decimal("1.5"), SkyClear())

    def forecast(self, place, days):
        return ()


serve(Weather())
"""


def imports() -> float:
    start = time.perf_counter()
    subprocess.run([sys.executable, "-c", "import asyncio, json"], check=True)
    return time.perf_counter() - start


def started(folder: Path, lines: bytes, answers: int, to_end: bool = False) -> float:
    """Seconds until so many lines came, or until the process has ended after them."""
    start = time.perf_counter()
    process = subprocess.Popen([sys.executable, "main.py"], cwd=folder, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    assert process.stdin is not None
    assert process.stdout is not None
    process.stdin.write(lines)
    process.stdin.flush()
    for _ in range(answers):
        assert b"Unknown" not in process.stdout.readline()
    took = time.perf_counter() - start
    process.stdin.close()
    process.wait()
    return time.perf_counter() - start if to_end else took


def main() -> int:
    """Prints the table; the exit status is 1 where the target is missed."""
    rounds = int(sys.argv[1]) if len(sys.argv) > 1 else 30
    with tempfile.TemporaryDirectory() as directory:
        folder = Path(directory)
        write_implementation(WEATHER, folder, MAIN)
        runs: dict[str, Callable[[], float]] = {
            "import asyncio, json": imports,
            "start to describe answered": lambda: started(folder, DESCRIBE, 1),
            "start, describe, end": lambda: started(folder, DESCRIBE, 1, to_end=True),
            "start to the first call answered": lambda: started(folder, DESCRIBE + CALL, 2),
        }
        for run in runs.values():  # compiles and caches
            run()
        times: dict[str, list[float]] = {name: [] for name in runs}
        for _ in range(rounds):
            for name, run in runs.items():
                times[name].append(run())
    peer = statistics.median(times["import asyncio, json"])
    print("| what | median (ms) | fastest (ms) | of the peer's median | must |\n|---|---|---|---|---|")
    for name, taken in times.items():
        must = "at most 1.5" if name == "start to describe answered" else ""
        middle = statistics.median(taken)
        print(f"| {name} | {middle * 1e3:.1f} | {min(taken) * 1e3:.1f} | {middle / peer:.2f} | {must} |")
    return int(statistics.median(times["start to describe answered"]) > 1.5 * peer)


if __name__ == "__main__":
    sys.exit(main())
