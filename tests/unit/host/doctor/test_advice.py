"""For everything that is wrong a sentence that says so, and one that says what to do next."""

from __future__ import annotations

from pathlib import Path

import pytest
from support.snapshots import answered, listing

from flow_lsp.analysis.snapshot import Described, Standing
from flow_lsp.binding.model import CommandKey
from flow_lsp.host.doctor.advice import troubles
from flow_lsp.host.doctor.model import FirstLine, LoginShell, ProgramFacts, Trouble
from flow_lsp.processes.programs import ProgramProblem, resolve_program
from flow_lsp.protocol.outcome import DescribeFailure, DescribeOutcome, FailureKind

FOUND = ProgramFacts("/bin/tool")
NOTHING = Described(Standing.UNKNOWN)


def of_program(directory: Path, *words: str, login: str | None = None) -> Trouble:
    key = CommandKey(str(directory), words)
    problem = resolve_program(key.directory, words[0])
    assert isinstance(problem, ProgramProblem)
    (found,) = troubles(key, ProgramFacts(problem=problem), NOTHING, LoginShell("/bin/sh", login))
    return found


def of_failure(
    kind: FailureKind, sentence: str = "ended.", words: tuple[str, ...] = ("tool",), directory: str = "/w"
) -> Trouble:
    outcome = DescribeOutcome(failure=DescribeFailure(kind, sentence), stderr_tail=("no luck",))
    described = Described(Standing.CURRENT, outcome)
    (found,) = troubles(CommandKey(directory, words), FOUND, described, LoginShell())
    return found


def of_answer(*lines: object) -> list[Trouble]:
    return list(troubles(CommandKey("/w", ("tool",)), FOUND, answered(*lines), LoginShell()))


@pytest.mark.parametrize(
    ("word", "what", "next_one"),
    [
        ("no-such-tool", "no-such-tool is in no directory of PATH.", "Install it, or write its path"),
        ("API_KEY=a b", "API_KEY=*** is taken for the program", "put the word env in front"),
        ("~/bin/tool", "~/bin/tool is taken as it stands", "Write the whole path"),
        ("$HOME/tool", "$HOME/tool is taken as it stands", "Write the whole path"),
        ("source", "source is in no directory of PATH.", "Put it into a script"),
        ("./gone", "The program ./gone does not exist.", "counts from the directory that the command runs in"),
        ("./folder", "./folder is a directory.", "Name the program inside it."),
        ("./plain", "./plain is there, but may not be executed.", "chmod +x"),
        ("plain", "plain is in no directory of PATH.", "write ./plain in flow.toml"),
        ("", "The command names no program.", "Name a program"),
    ],
)
def test_a_program_that_cannot_start(tmp_path: Path, word: str, what: str, next_one: str) -> None:
    (tmp_path / "folder").mkdir()
    (tmp_path / "plain").write_text("")
    found = of_program(tmp_path, word)
    assert what in found.what
    assert next_one in found.next
    assert (found.what[-1], found.next[-1]) == (".", ".")


def test_a_program_that_the_login_shell_finds(tmp_path: Path) -> None:
    tool = tmp_path / "bin" / "tool-of-a-terminal"
    tool.parent.mkdir()
    tool.write_text("#!/bin/sh\n")
    tool.chmod(0o755)
    assert f"Your login shell finds {tool}" in of_program(tmp_path, tool.name, login=str(tool.parent)).next
    assert "Your login shell" not in of_program(tmp_path, tool.name, login="/nowhere").next


def test_a_directory_that_is_not_there(tmp_path: Path) -> None:
    assert of_program(tmp_path / "gone", "tool").next.startswith("Create the directory")


@pytest.mark.parametrize("kind", FailureKind)
def test_every_failure_of_describe_has_something_to_do_next(kind: FailureKind) -> None:
    found = of_failure(kind)
    assert found.what == "Asked what it serves, it ended."
    assert found.next.endswith(".")
    assert len(found.next) > 20


@pytest.mark.parametrize(
    ("words", "next_one"),
    [
        (("python3", "srve.py"), "srve.py is no file in the directory that it runs in"),
        (("python3", "there.py"), "What it wrote to standard error says why"),
        (("python3", "-m", "gone.py"), "What it wrote to standard error says why"),
        (("tool", "&&", "other"), "The word && is passed as it stands"),
        (("tool", "$HOME/x"), "The word $HOME/x is passed as it stands"),
        (("tool", "--token=$KEY"), "What it wrote to standard error says why"),
    ],
)
def test_a_command_that_is_written_for_a_shell_or_names_no_file(
    tmp_path: Path, words: tuple[str, ...], next_one: str
) -> None:
    (tmp_path / "there.py").write_text("")
    found = of_failure(FailureKind.EXITED, words=words, directory=str(tmp_path))
    assert next_one in found.next


@pytest.mark.parametrize("module", ["flow_lsp", "flow_lsp.toolkit"])
def test_a_python_without_the_run_time(module: str) -> None:
    outcome = DescribeOutcome(
        failure=DescribeFailure(FailureKind.EXITED, "ended."),
        stderr_tail=(f"ModuleNotFoundError: No module named '{module}'",),
        program="/usr/bin/python3",
    )
    (found,) = troubles(CommandKey("/w", ("python3",)), FOUND, Described(Standing.CURRENT, outcome), LoginShell())
    assert found.next == "Generate again with --vendor, or install flow-lsp into /usr/bin/python3."


def test_a_first_line_that_leads_nowhere_is_the_only_thing_that_is_said() -> None:
    first = FirstLine("#!/usr/bin/env gone", None, "Its first line asks for gone.", "Install it.")
    facts = ProgramFacts("/w/run", first_line=first)
    failed = Described(Standing.CURRENT, DescribeOutcome(failure=DescribeFailure(FailureKind.EXITED, "ended.")))
    for described in (NOTHING, failed):
        (found,) = troubles(CommandKey("/w", ("./run",)), facts, described, LoginShell())
        assert found == Trouble("Its first line asks for gone.", "Install it.")
    works = answered(listing(("a.x", "sha256:0", {"params": [], "ok": {}, "err": {}, "generic": []})))
    (other,) = troubles(CommandKey("/w", ("./run",)), facts, works, LoginShell())
    assert "fingerprint" in other.what


def test_what_is_wrong_with_an_answer() -> None:
    (noise,) = (found for found in of_answer("hello", listing(("a.x", "", {}))) if "standard output" in found.what)
    assert noise.what == "It wrote a line that is no message to its standard output, such as `hello`."
    (nothing,) = of_answer(listing())
    assert nothing.what == "It lists no Tool."
    signature = {"params": [], "ok": {}, "err": {}, "generic": []}
    (wrong,) = of_answer(listing(*((f"a.t{number}", "sha256:0", signature) for number in range(5))))
    assert wrong.what == ("It lists `a.t0`, `a.t1`, `a.t2` and 2 more with a fingerprint that is not the signature's.")


def test_an_earlier_answer_is_not_held_against_a_program() -> None:
    earlier = answered("hello", listing(), standing=Standing.NOT_TRUSTED)
    assert list(troubles(CommandKey("/w", ("tool",)), FOUND, earlier, LoginShell())) == []
