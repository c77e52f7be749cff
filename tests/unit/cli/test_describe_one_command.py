"""`flow-lsp describe --command`: one program asked directly, without a workspace and without a question."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from support.command_line import FIND, Run, command_line, serve, write

from flow_lsp.findings.model import shown


@pytest.fixture
def program(run: Run, tmp_path: Path) -> str:
    """A command that answers, in a folder without any workspace of its own."""
    write({"a.flow": FIND})
    serve(run, "a.flow:find")
    os.remove("a.flow")
    return command_line()


def test_it_runs_in_the_working_directory_and_is_printed_like_any_other(run: Run, program: str) -> None:
    ran = run("describe", "--command", program)
    assert ran.status == 0
    assert ran.err == ""
    head, line, tool = ran.out.splitlines()
    assert head == f"{shown(program.replace(chr(39), ''))}  (in .)"
    assert line.startswith("  data version 0.1, 1 Tool, ")
    assert tool.endswith("  a.find")


def test_as_json(run: Run, program: str) -> None:
    found = run("describe", "--format", "json", "--command", program).json
    assert found["version"] == 1
    (command,) = found["commands"]
    assert (command["state"], command["directory"], command["reason"]) == ("current", ".", None)
    assert [tool["tool"] for tool in command["tools"]] == ["a.find"]


def test_nothing_is_asked_or_kept(run: Run, program: str, tmp_path: Path) -> None:
    run("describe", "--command", program)
    assert not (tmp_path / "state").exists()


def test_words_are_split_as_in_a_manifest_and_no_shell_runs(run: Run) -> None:
    write({"serve.py": "import sys\nprint(sys.argv[1:], file=sys.stderr)\nsys.exit(3)"})
    ran = run("describe", "--command", f"{command_line()} 'a b' $HOME ; | * --trust")
    assert ran.status == 1
    assert "  ended with exit status 3 before it answered.\n" in ran.out
    assert "standard error: ['a b', '$HOME', ';', '|', '*', '--trust']" in ran.out


def test_a_program_that_is_not_there_is_said(run: Run) -> None:
    ran = run("describe", "--command", "no-such-program-anywhere --x")
    assert ran.status == 1
    assert "  not run: no-such-program-anywhere is in no directory of PATH." in ran.out
    found = run("describe", "--command", "./gone", "--format", "json").json["commands"][0]
    assert (found["state"], "does not exist" in found["reason"]) == ("unknown", True)


def test_it_is_ended_when_the_time_is_up(run: Run) -> None:
    write({"serve.py": "import sys; sys.stdin.read()"})
    ran = run("describe", "--timeout", "0.3", "--command", command_line())
    assert ran.status == 1
    assert "did not answer within 0.3 s." in ran.out


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["--command", "x", "."], "PATHs cannot stand beside it"),
        (["--command", "x", "--workspace", "."], "--workspace cannot stand beside it"),
        (["--command", "x", "--repository", "a@1"], "--repository cannot stand beside it"),
        (["--command", "x", "--override", "a=b"], "--override cannot stand beside it"),
        (["--command", "x", "--record", "f"], "--record cannot stand beside it"),
        (["--command", "'x"], "the quote ' is not closed"),
        (["--command", "  "], "names no program"),
    ],
)
def test_what_cannot_be_is_wrong_usage(run: Run, arguments: list[str], sentence: str) -> None:
    ran = run("describe", *arguments)
    assert (ran.status, ran.out) == (2, "")
    assert sentence in ran.err
