"""What a process has of everything that can leak, counted again and again, and whether it grows."""

from __future__ import annotations

import gc
import os
import statistics
import threading
from dataclasses import dataclass
from pathlib import Path

from flow_lsp.processes.guardian import groups

FEWEST = 2  # rounds in each third
MOST_OBJECTS, MOST_BYTES = 400, 12 * 1024 * 1024


class Leak(Exception):  # noqa: N818 - what is looked for
    """A sentence that says what went wrong."""


@dataclass(frozen=True, slots=True)
class Count:
    """What there is after a round."""

    descriptors: int
    threads: int
    objects: int
    bytes: int


def counted() -> Count:
    """What there is now."""
    gc.collect()
    gc.collect()
    descriptors = len(list(Path("/proc/self/fd").iterdir()))
    resident = int(Path("/proc/self/statm").read_text("ascii").split()[1]) * os.sysconf("SC_PAGE_SIZE")
    return Count(descriptors, threading.active_count(), len(gc.get_objects()), resident)


def judged(counts: list[Count], least: Count, closed: Count) -> None:
    """Raises Leak where the rounds' counts grow, or where `closed`, with everything closed, is not as before."""
    if closed.descriptors > least.descriptors + (groups.pid is not None):
        raise Leak(f"{closed.descriptors} descriptors are open at the end, and {least.descriptors} were at the start.")
    most_threads = min(32, (os.cpu_count() or 1) + 4) + 1
    if closed.threads > most_threads:
        raise Leak(f"{closed.threads} threads run, more than {most_threads}.")
    third = len(counts) // 3
    if third < FEWEST:
        raise Leak(f"There were {len(counts)} rounds, too few to say whether anything grows: give it more minutes.")
    for name, most in (("objects", MOST_OBJECTS), ("bytes", MOST_BYTES)):
        before, after = (
            statistics.median(getattr(count, name) for count in part)
            for part in (counts[third : 2 * third], counts[2 * third :])
        )
        print(f"{name}: {before:,.0f}, then {after:,.0f}")
        if after > before + most:
            raise Leak(
                f"There were {before:,.0f} {name} in the second third of the rounds and {after:,.0f} in the last."
            )
