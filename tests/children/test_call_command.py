"""`flow-lsp call` as a user runs it: its own process, a real implementation, the outcome and the exit status."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from support.callables import callable_tools

CHILD = str(Path(__file__).with_name("calling_child.py"))
SOURCE = """@tool
pub fn act(how: Text, value: Int) -> Result<Text, Text>
"""
ECHO = """pub record Box<T> { value: T }
@tool
pub fn echo<T>(value: T) -> Result<Box<T>, Never>
"""


class Place:
    """A workspace of one file, bound to the child of this directory."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        act = callable_tools(SOURCE)["act"]
        tool = {"tool": act.identity, "fingerprint": act.signature.fingerprint, "signature": act.signature.served}
        (folder / "listing.json").write_text(json.dumps({"data": "0.1", "tools": [tool]}), "utf-8")
        (folder / "tools.flow").write_text(SOURCE, "utf-8")
        command = f"{sys.executable} -S -E {CHILD} listing.json starts"
        (folder / "flow.toml").write_text(f'[tools."tools.flow"]\ncommand = "{command}"\n', "utf-8")
        self.environment = {**os.environ, "FLOW_LSP_STATE_DIRECTORY": str(folder / "state")}

    @property
    def starts(self) -> int:
        path = self.folder / "starts"
        return path.stat().st_size if path.exists() else 0

    def call(self, args: str, *more: str, stdin: str = "", target: str = "tools.flow:act") -> tuple[int, str, str]:
        ran = subprocess.run(
            [sys.executable, "-m", "flow_lsp.cli.main", "call", target, "--args", args, *more],
            cwd=self.folder,
            env=self.environment,
            input=stdin,
            capture_output=True,
            text=True,
            timeout=100,
        )
        return ran.returncode, ran.stdout, ran.stderr

    def act(self, how: str, value: int = 0, *more: str) -> tuple[int, str, str]:
        return self.call(json.dumps({"how": how, "value": value}), "--trust", *more)


@pytest.fixture
def place(tmp_path: Path) -> Place:
    return Place(tmp_path)


@pytest.mark.parametrize(
    ("how", "value", "status", "outcome"),
    [
        ("ok", 10**30, 0, '{"Ok":"1000000000000000000000000000000"}\n'),
        ("failed", 0, 3, '{"Failed":"no luck"}\n'),
        ("not-run", 0, 4, '{"NotRun":"not today"}\n'),
        ("unknown", 0, 5, '{"Unknown":"who knows"}\n'),
        ("malformed", 0, 6, '{"BadReply":"The outcome is `Okay`, which is none of Ok, Failed, NotRun and Unknown."}\n'),
    ],
)
def test_each_outcome_has_its_status(place: Place, how: str, value: int, status: int, outcome: str) -> None:
    assert place.act(how, value)[:2] == (status, outcome)


def test_a_process_that_ends_is_unknown_with_its_last_words(place: Place) -> None:
    status, out, _ = place.act("exit", 3)
    assert status == 5
    assert "The process ended with exit status 3." in json.loads(out)["Unknown"]


def test_arguments_are_checked_before_anything_is_started(place: Place) -> None:
    status, out, err = place.call('{"how": "ok", "value": "7"}', "--trust")
    assert (status, json.loads(out)) == (
        4,
        {"NotRun": "A whole number is expected for Int, and this is a string (at /value)."},
    )
    assert '1 | {"how": "ok", "value": "7"}\n   |                        ^^^\n  = at /value' in err
    assert place.call("{", "--trust")[0] == 4
    assert place.starts == 0


def test_arguments_from_a_file_and_from_standard_input(place: Place) -> None:
    text = '{"how": "ok", "value": 1e2, "more": 1}'
    (place.folder / "arguments.json").write_text(text, "utf-8")
    status, out, err = place.call("@arguments.json", "--trust")
    assert (status, out) == (0, '{"Ok":"100"}\n')
    assert "the argument more is not used: act has no such parameter." in err
    assert place.call("-", "--trust", stdin=text)[:2] == (0, '{"Ok":"100"}\n')


def test_nothing_runs_without_consent(place: Place) -> None:
    status, out, _ = place.call('{"how": "ok", "value": 1}')
    assert status == 4
    assert "not run without consent" in json.loads(out)["NotRun"]
    assert place.starts == 0


def test_a_call_that_takes_too_long_is_cancelled(place: Place) -> None:
    assert place.act("until-cancelled", 0, "--timeout", "0.3")[:2] == (0, '{"Ok":"stopped"}\n')
    status, out, _ = place.act("never", 0, "--timeout", "0.3")
    assert (status, json.loads(out)) == (
        5,
        {"Unknown": "The call was cancelled, and no reply came; it had been sent."},
    )


def test_a_declaration_that_does_not_fit_is_not_run_and_says_what_differs(place: Place) -> None:
    (place.folder / "tools.flow").write_text(SOURCE.replace("value: Int", "value: Text"), "utf-8")
    status, out, _ = place.call('{"how": "ok", "value": "7"}', "--trust")
    assert status == 4
    reason = json.loads(out)["NotRun"]
    assert "serves it with another signature" in reason
    assert "value" in reason


def test_what_is_not_bound_is_not_run(place: Place) -> None:
    (place.folder / "flow.toml").write_text("", "utf-8")
    status, out, _ = place.act("ok")
    assert status == 4
    assert 'has no table [tools."tools.flow"]' in json.loads(out)["NotRun"]
    (place.folder / "flow.toml").write_text("x = 1\n", "utf-8")
    assert "has an error, which refuses the run" in place.act("ok")[1]


@pytest.mark.parametrize(
    ("target", "more", "said"),
    [
        ("tools.flow:atc", (), "tools.flow declares no Tool atc. Is act meant?"),
        ("tools.flow", (), "name the Tool as FILE:NAME"),
        ("nothing.flow:act", (), "does not exist"),
        ("tools.flow:act", ("--type", "T=Int"), "act is not generic."),
        ("echo.flow:echo", (), "echo is generic: give --type T=TYPE, each once."),
        ("echo.flow:echo", ("--type", "T=Intt"), "There is no type `Intt`"),
        ("echo.flow:echo", ("--type", "U=Int"), "give --type T=TYPE"),
    ],
)
def test_wrong_usage(place: Place, target: str, more: tuple[str, ...], said: str) -> None:
    (place.folder / "echo.flow").write_text(ECHO, "utf-8")
    status, out, err = place.call("{}", *more, target=target)
    assert (status, out) == (2, "")
    assert said in err


def test_an_override_answers_in_place_of_the_manifest(place: Place) -> None:
    (place.folder / "flow.toml").write_text("", "utf-8")
    command = f"{sys.executable} -S -E {CHILD} listing.json starts"
    assert place.act("ok", 5, "--override", f"tools.act={command}")[:2] == (0, '{"Ok":"5"}\n')


def test_what_the_implementation_logs_is_shown_where_it_failed_or_when_asked(place: Place) -> None:
    assert "standard error: EEEE" not in place.act("stderr", 1)[2]
    assert "standard error: EEEE" in place.act("stderr", 1, "--verbose")[2]


def test_what_the_implementation_logs_is_shown_once(place: Place) -> None:
    _, out, err = place.act("exit", 3)
    assert "The process ended with exit status 3." in out
    assert "The process ended" not in err
    assert "Its standard error ends" not in err
    assert "was ended by the host" not in place.act("unknown", 0)[2]
