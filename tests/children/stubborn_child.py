"""A child that does not mind the end of its input, for hosts that are killed. Standard library alone.

Started as `python -S -E stubborn_child.py BEHAVIOUR`; writes a line once it behaves so.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time

FOREVER = 120.0  # a bound for what should have been ended long before


def ready() -> None:
    os.write(1, b"ready\n")


def ignores_end() -> None:
    ready()
    time.sleep(FOREVER)


def ignores_term() -> None:
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    ready()
    time.sleep(FOREVER)


def stopped() -> None:
    ready()
    os.kill(os.getpid(), signal.SIGSTOP)


def last_words() -> None:
    """Ends with its input, and has something to do before that which SIGTERM would cut short."""
    ready()
    sys.stdin.buffer.read()
    time.sleep(0.05)
    with open(os.environ["FLOW_LSP_TEST_WORDS"], "w", encoding="utf-8") as file:
        file.write("done")


def start_two() -> None:
    """Two more, which ignore SIGTERM, and behave so when this returns."""
    for _ in range(2):
        started = [sys.executable, "-S", "-E", __file__, "ignores_term"]
        with subprocess.Popen(started, stdout=subprocess.PIPE) as process:
            assert process.stdout is not None
            assert process.stdout.readline() == b"ready\n"
            process.returncode = 0  # not waited for


def grandchildren() -> None:
    start_two()
    ready()
    time.sleep(FOREVER)


def orphans() -> None:
    """Leaves the two behind, and ends."""
    start_two()
    ready()
    os._exit(0)


def error_flood() -> None:
    """Writes to its standard error without end, whether anyone reads it or not."""
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    ready()
    end = time.monotonic() + FOREVER
    while time.monotonic() < end:
        try:
            os.write(2, b"E" * 65536)
        except OSError:
            time.sleep(0.01)


if __name__ == "__main__":
    globals()[sys.argv[1]]()
