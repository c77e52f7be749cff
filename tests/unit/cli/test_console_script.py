"""The installed console script as a real process: every command and format, terminals, pipes and signals."""

from __future__ import annotations

import gc
import json
import os
import pty
import re
import select
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from support.command_line import FIND, Run, command_line, serve, table, write

SCRIPT = str(Path(sys.executable).with_name("flow-lsp"))
BOUND = 30.0  # seconds, for what takes less than one


def script(*arguments: str, **options: object) -> subprocess.CompletedProcess[bytes]:
    """Runs the console script without a terminal."""
    given = {"stdin": subprocess.DEVNULL, "capture_output": True, "timeout": BOUND} | options
    return subprocess.run([SCRIPT, *arguments], check=False, **given)  # type: ignore[call-overload, no-any-return]


class Terminal:
    """The console script on a pseudo-terminal."""

    def __init__(self, *arguments: str) -> None:
        environment = {**os.environ, "TERM": "xterm"}
        self._master, slave = pty.openpty()
        self.process = subprocess.Popen(
            [SCRIPT, *arguments], stdin=slave, stdout=slave, stderr=slave, env=environment, start_new_session=True
        )
        os.close(slave)
        self.text = ""

    def until(self, expected: str) -> None:
        """Reads until the expected text has come."""
        deadline = time.monotonic() + BOUND
        while expected not in self.text:
            assert self._more(deadline - time.monotonic()), self.text

    def type(self, text: str) -> None:
        """Types on the terminal."""
        os.write(self._master, text.encode())

    def end(self) -> int:
        """Reads to the end; the exit status."""
        deadline = time.monotonic() + BOUND
        while self._more(deadline - time.monotonic()):
            pass
        status = self.process.wait(BOUND)
        os.close(self._master)
        return status

    def _more(self, seconds: float) -> bool:
        if seconds <= 0 or not select.select([self._master], [], [], seconds)[0]:
            pytest.fail(f"nothing came any more after: {self.text!r}")
        try:
            data = os.read(self._master, 65536)
        except OSError:  # the other end is closed
            return False
        self.text += data.decode()
        return bool(data)


@contextmanager
def terminal(*arguments: str) -> Iterator[Terminal]:
    """A terminal session, ended whatever happens."""
    session = Terminal(*arguments)
    try:
        yield session
    finally:
        if session.process.poll() is None:
            session.process.kill()
            session.process.wait()


@pytest.fixture
def bound(run: Run) -> None:
    """A workspace with one Tool that fits; its command leaves a trace when it runs."""
    write({"a.flow": FIND, "flow.toml": table("a.flow", command_line())})
    serve(run, "a.flow:find")
    program = Path("serve.py")
    program.write_text("open('ran', 'a').write('x')\n" + program.read_text(encoding="utf-8"), encoding="utf-8")


def runs() -> int:
    """How often the command ran."""
    return len(Path("ran").read_text(encoding="utf-8")) if Path("ran").exists() else 0


# -- without a terminal ------------------------------------------------------------------------------------


@pytest.mark.usefixtures("bound")
@pytest.mark.parametrize(
    ("arguments", "status", "beginning"),
    [
        (["check", "--trust"], 0, b"All clear: 1 Tool in 2 files checked.\n"),
        (["check", "--trust", "--format", "json"], 0, b'{\n  "version": 1,\n'),
        (["check", "--trust", "--format", "sarif"], 0, b'{\n  "$schema": '),
        (["check", "--trust", "--format", "github"], 0, b""),
        (["check", "--no-describe", "nowhere"], 2, b""),
        (["tools"], 0, b'{\n  "data": "0.1",\n'),
        (["schema", "a.flow:find"], 0, b'{\n  "params": '),
        (["fingerprint", "a.flow"], 0, b"sha256:"),
        (["describe", "--trust"], 0, b""),
        (["describe"], 1, b""),
        (["describe", "--command", command_line()], 0, b""),
        (["describe", "--trust", "--record", "contracts.json"], 0, b""),
        (["doctor", "--trust"], 0, b"flow-lsp "),
        (["doctor", "--no-login-shell", "--format", "json"], 0, b'{\n  "version": 1,\n'),
        (["explain", "drift"], 0, b"# drift\n"),
        (["--version"], 0, b"flow-lsp "),
        (["--help"], 0, b"usage: flow-lsp "),
        (["bogus"], 2, b""),
    ],
)
def test_every_command_as_a_process(arguments: list[str], status: int, beginning: bytes) -> None:
    ran = script(*arguments)
    assert ran.returncode == status, ran.stderr
    assert ran.stdout.startswith(beginning)
    assert b"\x1b" not in ran.stdout + ran.stderr
    assert (ran.stderr == b"") == (status != 2)


def test_a_command_inside_another_program_leaves_its_collector_on(run: Run) -> None:
    assert gc.isenabled()
    for arguments in (["--version"], ["tools"], ["bogus"]):
        run(*arguments)
        assert gc.isenabled()


def test_the_module_runs_like_the_script() -> None:
    ran = subprocess.run(
        [sys.executable, "-m", "flow_lsp.cli.main", "--version"], capture_output=True, check=False, timeout=BOUND
    )
    assert ran.stdout == script("--version").stdout


def test_serve_answers_an_editor_and_ends_with_it() -> None:
    body = b'{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"processId":null,"capabilities":{}}}'
    for arguments in ([], ["serve"], ["--stdio"], ["serve", "--stdio"]):
        ran = script(*arguments, input=b"Content-Length: %d\r\n\r\n%s" % (len(body), body), stdin=None)
        assert ran.stdout.startswith(b"Content-Length: "), ran.stderr
        assert b'"serverInfo":{"name":"flow-lsp"' in ran.stdout.replace(b": ", b":")


def test_a_reader_that_goes_away_changes_no_status_and_causes_no_noise() -> None:
    write({f"{number}.flow": FIND for number in range(300)})
    process = subprocess.Popen(
        [SCRIPT, "check"], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )
    assert process.stdout is not None
    process.stdout.close()
    assert process.stderr is not None
    assert process.stderr.read() == b""
    process.stderr.close()
    assert process.wait(BOUND) == 1


@pytest.mark.parametrize("arguments", [["check"], ["--help"], ["explain"], ["tools"]])
def test_output_that_cannot_be_written_is_an_environment_problem(arguments: list[str]) -> None:
    write({"a.flow": FIND})
    with open("a.flow", "rb") as not_for_writing:
        ran = script(*arguments, stdout=not_for_writing, stderr=subprocess.PIPE, capture_output=False)
    if arguments != ["--help"]:  # argparse itself prints it, and does not mind
        assert ran.returncode == 2
        assert ran.stderr == b"flow-lsp: the output cannot be written: Bad file descriptor.\n"
    assert b"Traceback" not in ran.stderr
    assert b"Exception" not in ran.stderr


def test_closed_standard_streams_are_no_obstacle() -> None:
    write({"a.flow": FIND})
    ran = subprocess.run(["sh", "-c", f"'{SCRIPT}' check <&- >&- 2>&-"], check=False, timeout=BOUND)
    assert ran.returncode == 1


def test_other_encodings_of_the_terminal_lose_nothing() -> None:
    write({"ü字.flow": FIND})
    ascii_only = {**os.environ, "PYTHONIOENCODING": "ascii", "LC_ALL": "C"}
    ran = script("check", env=ascii_only)
    assert ran.returncode == 1
    assert b"\\xfc\\u5b57.flow:2:4: error" in ran.stdout
    for arguments in (["check", "--format", "json"], ["schema", "ü字.flow"]):
        ran = script(*arguments, env=ascii_only)
        assert ran.stdout == script(*arguments).stdout
        assert json.loads(ran.stdout.decode("utf-8"))


@pytest.mark.parametrize(
    ("arguments", "number"),
    [
        (["check", "--trust"], signal.SIGTERM),
        (["check", "--trust"], signal.SIGINT),
        (["describe", "--command", command_line()], signal.SIGTERM),
        (["doctor", "--trust"], signal.SIGTERM),
    ],
)
def test_a_signal_ends_what_was_started(arguments: list[str], number: signal.Signals) -> None:
    stubborn = "signal.signal(signal.SIGTERM, signal.SIG_IGN)\n" if number is signal.SIGTERM else ""
    program = (
        f"import os, signal, time\n{stubborn}"
        "open('pid.new', 'w').write(str(os.getpid()))\n"
        "os.rename('pid.new', 'pid')\n"
        "while True: time.sleep(60)\n"
    )
    write({"a.flow": FIND, "flow.toml": table("a.flow", command_line()), "serve.py": program})
    process = subprocess.Popen([SCRIPT, *arguments], stdin=subprocess.DEVNULL, stderr=subprocess.PIPE)
    _until_there("pid", process)
    process.send_signal(number)
    assert process.stderr is not None
    with process.stderr:
        assert process.stderr.read() == b""
    assert process.wait(BOUND) == 128 + number
    with pytest.raises(ProcessLookupError):
        os.kill(int(Path("pid").read_text(encoding="utf-8")), 0)


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGHUP])
def test_a_signal_that_is_ignored_stays_ignored(number: signal.Signals) -> None:
    program = "open('started', 'w').close()\nopen('go').close()\n"
    write({"a.flow": FIND, "flow.toml": table("a.flow", command_line()), "serve.py": program})
    os.mkfifo("go")
    before = signal.signal(number, signal.SIG_IGN)
    try:
        process = subprocess.Popen(
            [SCRIPT, "check", "--trust"], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE
        )
    finally:
        signal.signal(number, before)
    _until_there("started", process)
    process.send_signal(number)
    Path("go").write_bytes(b"")
    assert process.communicate(timeout=BOUND) == (None, b"")
    assert process.returncode == 1  # the command gave no answer


def _until_there(name: str, process: subprocess.Popen[bytes]) -> None:
    """Waits for a file that what `process` starts writes."""
    deadline = time.monotonic() + BOUND
    while not Path(name).exists():
        assert process.poll() is None
        assert time.monotonic() < deadline
        select.select([], [], [], 0.01)


# -- on a terminal -----------------------------------------------------------------------------------------

QUESTION = "Enter: not now: "


@pytest.mark.usefixtures("bound")
def test_on_a_terminal_the_user_is_asked_with_the_whole_command(folder: Path) -> None:
    with terminal("check") as session:
        session.until(QUESTION)
        assert runs() == 0
        assert f"{sys.executable} -S serve.py" in session.text
        assert f"in the directory {folder}" in session.text
        session.type("o\n")
        assert session.end() == 0
    assert "All clear: 1 Tool in 2 files checked." in session.text
    assert runs() == 1


@pytest.mark.usefixtures("bound")
def test_once_is_for_this_time_alone_and_always_for_ever() -> None:
    for answer, asked_again in (("once\n", True), ("always\n", False)):
        with terminal("check") as session:
            session.until(QUESTION)
            session.type(answer)
            assert session.end() == 0
        with terminal("check", "--format", "json") as session:
            if asked_again:
                session.until(QUESTION)
                session.type("\n")
            assert session.end() == 0
            assert (QUESTION in session.text) == asked_again
    assert runs() == 3
    assert script("check").stdout == b"All clear: 1 Tool in 2 files checked.\n"  # also without a terminal
    assert runs() == 4


@pytest.mark.usefixtures("bound")
def test_never_holds_until_describe_is_asked_for() -> None:
    with terminal("check") as session:
        session.until(QUESTION)
        session.type("n\n")
        assert session.end() == 0
        assert "You answered that it never runs here" in session.text
    with terminal("check") as session:
        assert session.end() == 0
        assert QUESTION not in session.text
    assert runs() == 0
    with terminal("describe") as session:
        session.until(QUESTION)
        session.type("a\n")
        assert session.end() == 0
    assert runs() == 1


@pytest.mark.usefixtures("bound")
@pytest.mark.parametrize("answer", ["\n", "\x04"])
def test_no_answer_means_not_now(answer: str) -> None:
    with terminal("check") as session:
        session.until(QUESTION)
        session.type(answer)
        assert session.end() == 0
        assert "You answered not now; run it again to be asked." in session.text
        assert "--trust" not in session.text
    assert runs() == 0


@pytest.mark.usefixtures("bound")
@pytest.mark.parametrize(("second", "times"), [("o\n", 1), ("yes\n", 0), ("\n", 0)])
def test_what_is_no_answer_is_asked_for_once_more(second: str, times: int) -> None:
    with terminal("check") as session:
        session.until(QUESTION)
        session.type("yes\n")
        session.until("Type o, a or n, or Enter alone for not now: ")
        session.type(second)
        assert session.end() == 0
    assert runs() == times


@pytest.mark.usefixtures("bound")
def test_control_c_at_the_question_ends_at_once() -> None:
    with terminal("check") as session:
        session.until(QUESTION)
        session.process.send_signal(signal.SIGINT)
        assert session.end() == 130
        assert "Traceback" not in session.text
    assert runs() == 0


@pytest.mark.usefixtures("bound")
def test_several_commands_are_counted() -> None:
    write({"b.flow": FIND, "flow.toml": table("a.flow", command_line()) + table("b.flow", "cat")})
    with terminal("check") as session:
        session.until("(1 of 2)")
        session.until(QUESTION)
        session.type("\n")
        session.until("(2 of 2)")
        session.type("\n")
        session.end()


def test_a_command_cannot_hide_itself_from_the_question() -> None:
    write({"a.flow": FIND, "flow.toml": '[tools."a.flow"]\ncommand = "true \'\\u001b[2K\\u202e\\n\' x"\n'})
    with terminal("check", "--format", "json") as session:
        session.until(QUESTION)
        assert "true '\\x1b[2K\\u202e\\n' x".replace("'", "") in session.text.replace('"', "")
        session.type("\n")
        session.end()
    assert "\u202e" not in session.text


def test_colours_only_on_a_terminal_and_not_against_the_users_wish(monkeypatch: pytest.MonkeyPatch) -> None:
    write({"a.flow": FIND})
    with terminal("check") as session:
        assert session.end() == 1
        assert "\x1b[31;1merror\x1b[0m" in session.text
    monkeypatch.setenv("NO_COLOR", "1")
    with terminal("check") as session:
        assert session.end() == 1
        assert "\x1b" not in session.text


def test_progress_is_shown_on_a_terminal_while_it_lasts() -> None:
    slow = "import sys, time\nsys.stdin.readline()\ntime.sleep(0.7)\n"
    write({"slow.py": slow, "flow.toml": table("a.flow", command_line("slow.py")) + table("b.flow", "false")})
    with terminal("check", "--trust", "--timeout", "5") as session:
        assert session.end() == 1
    assert re.search(r"asking Tools what they serve: \d of 2", session.text)
    assert "\r\x1b[K" in session.text
    assert b"asking Tools" not in script("check", "--trust").stderr
