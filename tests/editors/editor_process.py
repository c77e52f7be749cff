"""Runs an editor without a screen: within a bound, and with nothing of it left when it has ended."""

from __future__ import annotations

import os
import signal
import subprocess
import time
import uuid
from collections.abc import Mapping, Sequence
from pathlib import Path

BOUND = 60  # seconds for a whole session
ENDING = 10  # seconds for what the editor started to end after it, longer than a server gives its children


def run_editor(command: Sequence[str], directory: Path, environment: Mapping[str, str]) -> tuple[int, str]:
    """The status that `command` ended with, and what it said. AssertionError where processes of it are left; those are
    ended."""
    mark = uuid.uuid4().hex
    child = subprocess.Popen(
        command,
        cwd=directory,
        env={**environment, "FLOW_TEST_RUN": mark},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        start_new_session=True,
    )
    try:
        said = child.communicate(timeout=BOUND)[0].strip()
    except subprocess.TimeoutExpired:
        os.killpg(child.pid, signal.SIGKILL)
        said = f"{child.communicate()[0].strip()} … and was ended after {BOUND} seconds"
    left = _left(mark)
    deadline = time.monotonic() + ENDING
    while left and time.monotonic() < deadline:
        os.sched_yield()
        left = _left(mark)
    for process in left:
        os.kill(process, signal.SIGKILL)
    assert not left, f"these processes were left: {left}; the editor said: {said}"
    return child.returncode, said


def _left(mark: str) -> dict[int, str]:
    """The commands of the processes that have the mark in their environment."""
    found = {}
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                if f"FLOW_TEST_RUN={mark}".encode() in (entry / "environ").read_bytes().split(b"\0"):
                    found[int(entry.name)] = (entry / "cmdline").read_bytes().replace(b"\0", b" ").decode()
            except OSError:
                continue
    return found
