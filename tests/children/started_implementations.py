"""Starts the implementation for tests, and knows what must not be left of it."""

from __future__ import annotations

import os
import sys
import uuid
from pathlib import Path

from flow_lsp.host.describe import DescribeLimits, describe_program
from flow_lsp.processes.child import Ending
from flow_lsp.processes.guardian import groups
from flow_lsp.processes.programs import Program, resolve_program
from flow_lsp.protocol.outcome import DescribeOutcome

IMPLEMENTATION = str(Path(__file__).with_name("child_implementation.py"))
PATIENT = Ending(grace=20.0, terminate=20.0, kill=20.0)  # for those that end by themselves
HASTY = Ending(grace=0.1, terminate=20.0, kill=20.0)  # for those that SIGTERM ends
RUTHLESS = Ending(grace=0.1, terminate=0.1, kill=20.0)  # for those that only SIGKILL ends


def open_descriptors() -> int:
    """How many descriptors this process has open, but for the guardian's pipe, which stays."""
    return len(list(Path("/proc/self/fd").iterdir())) - (groups.pid is not None)


class Implementations:
    """Starts the implementation of this directory, and knows what must not be left of it."""

    def __init__(self, directory: Path) -> None:
        self.directory = str(directory)
        self.marker = uuid.uuid4().hex
        self.environment = {**os.environ, "FLOW_LSP_TEST_MARKER": self.marker}
        found = resolve_program(self.directory, sys.executable)
        assert isinstance(found, Program)
        self.program = found

    def words(self, *behaviour: str) -> tuple[str, ...]:
        return (self.program.path, "-S", "-E", IMPLEMENTATION, *behaviour)

    async def describe(
        self, *behaviour: str, timeout: float = 20.0, line: int = 16 * 1024 * 1024, ending: Ending = PATIENT
    ) -> DescribeOutcome:
        return await describe_program(
            self.directory,
            self.words(*behaviour),
            self.program,
            timeout=timeout,
            limits=DescribeLimits(line=line, ending=ending),
            environment=self.environment,
        )

    def left(self) -> list[str]:
        """The command lines of the processes that carry the marker."""
        found = []
        for entry in Path("/proc").iterdir():
            if entry.name.isdigit():
                try:
                    if self.marker.encode() in (entry / "environ").read_bytes():
                        found.append((entry / "cmdline").read_bytes().replace(b"\0", b" ").decode())
                except OSError:
                    continue
        return found
