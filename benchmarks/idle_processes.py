"""What a child that does nothing costs its host: memory, processor time, wake-ups, descriptors.

    python benchmarks/idle_processes.py [COUNT] [SECONDS]

Each row is a host in a process of its own, measured while it waits for SECONDS: without children, with COUNT that
have written nothing, and with COUNT that have each filled the log that is kept of their standard error (and it is
the log's bound that is seen then, for they wrote eight times as much). The children are `cat`, or a shell that
writes and becomes `cat`. Reads /proc: Linux only.
"""

from __future__ import annotations

import asyncio
import gc
import json
import resource
import subprocess
import sys
import time
from pathlib import Path

from flow_lsp.processes.child import Child, Ending, start_child
from flow_lsp.processes.guardian import groups
from flow_lsp.processes.tail import KEPT

FILL = f"head -c {8 * KEPT} /dev/zero | tr '\\\\0' x >&2; exec cat"


def memory_of(process: int | str, kind: str) -> int:
    """KiB of `kind`, as /proc calls it."""
    for line in Path(f"/proc/{process}/smaps_rollup").read_text(encoding="ascii").splitlines():
        if line.startswith(f"{kind}:"):
            return int(line.split()[1])
    raise LookupError(kind)


def started(arguments: list[str]) -> Child:
    """A child that lives."""
    child = start_child("/", arguments[0], arguments[1:])
    assert isinstance(child, Child), child
    return child


async def host(count: int, fills: bool, seconds: float) -> dict[str, float]:
    """Measure one host, this process."""
    await started(["/bin/true"]).end(Ending())  # what the first child brings along: modules, the guardian
    children = [started(["/bin/sh", "-c", FILL] if fills else ["/bin/cat"]) for _ in range(count)]
    for child in children:
        assert child.input.send(b"ready\n")
        assert await child.output.read() == b"ready\n"
        while fills and child.error_tail.total < 8 * KEPT:
            await asyncio.sleep(0.01)
    gc.collect()
    cpu, wakes = time.process_time(), resource.getrusage(resource.RUSAGE_SELF).ru_nvcsw
    await asyncio.sleep(seconds)
    figures = {
        "memory": memory_of("self", "Private_Dirty"),
        "cpu": 1000 * (time.process_time() - cpu) / seconds,
        "wakes": (resource.getrusage(resource.RUSAGE_SELF).ru_nvcsw - wakes) / seconds,
        "descriptors": len(list(Path("/proc/self/fd").iterdir())) - 1,
        "guardian": memory_of(groups.pid or 0, "Pss"),
    }
    await asyncio.gather(*[child.end(Ending()) for child in children])
    return figures


def measured(count: int, fills: bool, seconds: float) -> dict[str, float]:
    """The figures of a host in a process of its own, the median of three by memory."""
    command = [sys.executable, __file__, "--host", str(count), str(int(fills)), str(seconds)]
    runs = [json.loads(subprocess.run(command, check=True, stdout=subprocess.PIPE).stdout) for _ in range(3)]
    return dict(sorted(runs, key=lambda run: run["memory"])[1])


def main() -> None:
    """Print the table."""
    if sys.argv[1:2] == ["--host"]:
        print(json.dumps(asyncio.run(host(int(sys.argv[2]), sys.argv[3] == "1", float(sys.argv[4])))))
        return
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 100
    seconds = float(sys.argv[2]) if len(sys.argv) > 2 else 10.0
    print(f"{'host with':<28}{'memory KiB':>12}{'CPU ms/s':>10}{'wakes/s':>9}{'descriptors':>13}{'guardian KiB':>14}")
    alone = measured(0, False, seconds)
    for name, children, fills in (("no child", 0, False), ("idle", count, False), ("idle, log full", count, True)):
        found = measured(children, fills, seconds) if children else alone
        title = name if not children else f"{children} {name}"
        print(
            f"{title:<28}{found['memory']:>12.0f}{found['cpu']:>10.2f}{found['wakes']:>9.1f}"
            f"{found['descriptors']:>13.0f}{found['guardian']:>14.0f}"
        )
        if children:
            each = {key: (found[key] - alone[key]) / children for key in found}
            print(
                f"{'  more for each child':<28}{each['memory']:>12.1f}{each['cpu']:>10.4f}{each['wakes']:>9.2f}"
                f"{each['descriptors']:>13.2f}{each['guardian']:>14.2f}"
            )


if __name__ == "__main__":
    main()
