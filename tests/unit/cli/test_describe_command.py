"""`flow-lsp describe`: what each command of the workspace said."""

from __future__ import annotations

from pathlib import Path

from support.command_line import FIND, Run, command_line, serve, table, write


def test_a_listing_is_printed_with_its_identities(run: Run) -> None:
    write({"a.flow": FIND, "flow.toml": table("a.flow", command_line())})
    serve(run, "a.flow:find")
    ran = run("describe", "--trust")
    assert ran.status == 0
    assert "data version 0.1, 1 Tool, " in ran.out
    assert "  a.find\n" in ran.out
    found = run("describe", "--trust", "--format", "json").json
    (command,) = found["commands"]
    assert found["version"] == 1
    assert command["state"] == "current"
    assert command["reason"] is None
    assert command["failure"] is None
    assert command["data"] == "0.1"
    assert [tool["tool"] for tool in command["tools"]] == ["a.find"]


def test_what_may_not_run_is_said_and_is_status_one(run: Run) -> None:
    write({"flow.toml": table("a.flow", command_line()), "serve.py": "open('ran', 'w')"})
    ran = run("describe")
    assert ran.status == 1
    assert "not run: Pass --trust, or answer" in ran.out
    assert run("describe", "--format", "json").json["commands"][0]["state"] == "not-trusted"
    assert not Path("ran").exists()


def test_an_earlier_answer_is_shown_and_what_was_not_run_is_status_one(run: Run) -> None:
    write({"a.flow": FIND, "flow.toml": table("a.flow", command_line())})
    serve(run, "a.flow:find")
    assert run("describe", "--trust").status == 0
    ran = run("describe")
    assert "not run: Pass --trust, or answer the question on a terminal.\n  an earlier answer" in ran.out
    assert ran.status == 1
    for printed in (run("check").out, run("check", "--format", "json").out, run("check", "--format", "github").out):
        assert "Pass --trust, or answer the question on a terminal." in printed
        assert "describe it again" not in printed


def test_a_command_that_fails_is_told_with_its_standard_error(run: Run) -> None:
    program = "import sys; print('hello'); print('no luck', file=sys.stderr); sys.exit(3)"
    write({"flow.toml": table("a.flow", command_line()), "serve.py": program})
    ran = run("describe", "--trust")
    assert ran.status == 1
    assert "ended with exit status 3" in ran.out
    assert "standard output, no message: hello" in ran.out
    assert "standard error: no luck" in ran.out
    (command,) = run("describe", "--trust", "--format", "json").json["commands"]
    assert command["failure"]["kind"] == "exited"
    assert command["exit_status"] == 3


def test_a_program_that_is_not_there_is_told_as_such(run: Run) -> None:
    write({"flow.toml": table("a.flow", "no-such-program-anywhere")})
    ran = run("describe", "--trust")
    assert ran.status == 1
    assert "no-such-program-anywhere" in ran.out
    assert "PATH" in ran.out


def test_a_fingerprint_that_is_not_its_signatures_is_status_one(run: Run) -> None:
    write({"a.flow": FIND, "flow.toml": table("a.flow", command_line())})
    serve(run, "a.flow:find")
    listing = Path("listing.json")
    listing.write_text(listing.read_text(encoding="utf-8").replace("integer", "number"), encoding="utf-8")
    assert run("describe", "--trust").status == 1


def test_a_command_that_does_not_answer_in_time_is_ended(run: Run) -> None:
    write({"flow.toml": table("a.flow", command_line()), "serve.py": "import sys; sys.stdin.read()"})
    ran = run("describe", "--trust", "--timeout", "0.3")
    assert ran.status == 1
    assert "0.3" in ran.out


def test_no_command_is_nothing_to_do(run: Run) -> None:
    write({"flow.toml": ""})
    ran = run("describe", "--trust")
    assert (ran.status, ran.out) == (0, "No table of a flow.toml names a command here.\n")
    assert run("describe", "--format", "json").json == {"version": 1, "commands": []}


def test_each_command_runs_once_however_many_tables_name_it(run: Run) -> None:
    program = "open('ran', 'a').write('x')\nimport sys\nsys.exit(1)"
    write({"serve.py": program, "flow.toml": "".join(table(f"{name}.flow", command_line()) for name in "abc")})
    run("describe", "--trust", ".", ".")
    assert Path("ran").read_text(encoding="utf-8") == "x"
