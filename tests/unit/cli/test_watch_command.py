"""`flow-lsp check --watch` as a real process: it checks again at every change, and leaves nothing when it ends."""

from __future__ import annotations

import os
import select
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from support.command_line import FIND, Run, command_line, serve, table, write

BOUND = 60.0  # seconds, for what takes one


class Watching:
    """A check that goes on."""

    def __init__(self, *arguments: str) -> None:
        words = [sys.executable, "-m", "flow_lsp.cli.main", "check", "--watch", *arguments]
        self.process = subprocess.Popen(words, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE)
        self._text = ""

    def next_check(self) -> str:
        """What the next check printed."""
        assert self.process.stdout is not None
        deadline = time.monotonic() + BOUND
        while "Ctrl-C ends it.\n" not in self._text:
            left = deadline - time.monotonic()
            assert left > 0, self._text
            assert select.select([self.process.stdout], [], [], left)[0], self._text
            data = os.read(self.process.stdout.fileno(), 65536)
            assert data, self._text
            self._text += data.decode()
        one, _, self._text = self._text.partition("Ctrl-C ends it.\n")
        return one

    def until(self, expected: str) -> None:
        """Waits for a check that says so: one may come between two writes."""
        checks = [self.next_check()]
        while expected not in checks[-1]:
            assert len(checks) < 10, checks
            checks.append(self.next_check())


@pytest.fixture
def watching() -> Iterator[Watching]:
    made: list[Watching] = []

    def start(*arguments: str) -> Watching:
        made.append(Watching(*arguments))
        return made[-1]

    try:
        yield start  # type: ignore[misc]
    finally:
        for each in made:
            each.process.kill()
            each.process.wait(BOUND)
            assert each.process.stdout is not None
            each.process.stdout.close()


@pytest.mark.usefixtures("run")
def test_a_change_of_a_file_is_checked(watching) -> None:
    write({"a.flow": FIND, "flow.toml": ""})
    one = watching("--no-describe")
    assert "unbound-no-table" in one.next_check()
    write({"flow.toml": table("a.flow", "python3 serve.py")})
    one.until("No errors in what could be checked")
    Path("new").mkdir()
    write({"new/b.flow": "record B { x: Txt }\n"})
    one.until("unknown-type")
    os.remove("new/b.flow")
    one.until("No errors in what could be checked")


def test_a_change_of_a_program_has_it_asked_again(run: Run, watching) -> None:
    write({"a.flow": FIND})
    serve(run, "a.flow:find")
    write({"flow.toml": table("a.flow", command_line())})
    one = watching("--trust")
    assert "All clear" in one.next_check()
    program = Path("serve.py")
    text = program.read_text()
    program.write_text("import sys; sys.exit(3)\n")
    one.until("ended with exit status 3")
    program.write_text(text)
    one.until("All clear")


@pytest.mark.usefixtures("run")
@pytest.mark.parametrize(("number", "status"), [(signal.SIGINT, 130), (signal.SIGTERM, 128 + signal.SIGTERM)])
def test_a_signal_ends_it(watching, number: int, status: int) -> None:
    write({"a.flow": FIND})
    one = watching("--no-describe")
    one.next_check()
    one.process.send_signal(number)
    assert one.process.wait(BOUND) == status


def test_another_format_is_refused(run: Run) -> None:
    ran = run("check", "--watch", "--format", "json")
    assert ran.status == 2
    assert "--watch prints text alone" in ran.err
