"""`flow-lsp doctor`: what would run for each binding, from where, and what is wrong with it."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import Any

import pytest
from support.command_line import FIND, Ran, Run, command_line, mcp_command, mcp_table, serve, table, write

from flow_lsp import __version__

SECRETS = ("hunter2", "topsecret")


def doctor(run: Run, *arguments: str) -> Ran:
    return run("doctor", "--no-login-shell", *arguments)


def found(run: Run, *arguments: str) -> Any:
    return doctor(run, "--format", "json", *arguments).json


def lines(text: str, command: str) -> dict[str, str]:
    """The lines below the heading of a command, by their labels."""
    part = next(part for part in text.split("\n\n") if part.splitlines()[0].endswith(command))
    return {line[2:18].strip(): line[18:] for line in part.splitlines()[1:]}


@pytest.fixture
def fits(run: Run) -> None:
    """A workspace whose one command answers, with a word on standard error."""
    write({"a.flow": FIND, "flow.toml": table("a.flow", command_line())})
    serve(run, "a.flow:find")
    program = Path("serve.py").read_text(encoding="utf-8")
    write({"serve.py": program + "\nprint('served', file=sys.stderr)\n"})


@pytest.mark.usefixtures("fits")
def test_what_runs_from_where_and_what_it_said(run: Run) -> None:
    ran = doctor(run, "--trust")
    assert (ran.status, ran.err) == (0, "")
    facts = lines(ran.out, "-S serve.py")
    assert facts["bound by"] == "flow.toml for a.flow"
    assert facts["runs in"] == "."
    assert facts["program"] == sys.executable
    assert facts["--version"] == f"Python {sys.version.split()[0]}"
    assert facts["describe"].startswith("data 0.1, 1 Tool, in ")
    assert facts["standard error"] == "served"
    assert ran.out.startswith(f"flow-lsp {__version__}, Python ")
    assert ran.out.endswith("Nothing wrong was found. `flow-lsp check` says of every Tool whether it fits.\n")


@pytest.mark.usefixtures("fits")
def test_json_is_as_documented(run: Run) -> None:
    report = found(run, "--trust")
    assert list(report) == ["version", "flow_lsp", "path", "login_shell", "manifests", "commands", "summary"]
    (command,) = report["commands"]
    assert command["kind"] == "command"
    assert command["words"][1:] == ["-S", "serve.py"]
    assert command["tables"] == [{"manifest": "flow.toml", "table": "a.flow"}]
    assert command["program"] == sys.executable
    assert command["printed_version"].startswith("Python ")
    assert command["describe"]["tools"] == 1
    assert command["describe"]["standard_error"] == ["served"]
    assert command["problems"] == []
    assert report["summary"] == {"commands": 1, "problems": 0, "not_run": 0}
    assert [entry["entry"] for entry in report["path"]] == os.environ["PATH"].split(os.pathsep)


@pytest.mark.usefixtures("fits")
def test_nothing_runs_without_consent(run: Run) -> None:
    write({"serve.py": "open('ran', 'w')", "sitecustomize.py": "open('ran', 'w')"})
    ran = doctor(run)
    assert ran.status == 0
    facts = lines(ran.out, "-S serve.py")
    assert facts["describe"] == "not run: Pass --trust, or answer the question on a terminal."
    assert "--version" not in facts
    assert ran.out.endswith(
        "Nothing wrong was found. 1 command was not run. `flow-lsp check` says of every Tool whether it fits.\n"
    )
    assert not Path("ran").exists()


def test_everything_that_is_wrong_has_what_to_do_next(run: Run) -> None:
    write(
        {
            "flow.toml": table("a.flow", "no-such-program-anywhere")
            + table("b.flow", command_line("gone.py"))
            + table("c.flow", "./script.sh"),
            "script.sh": "#!/no/such/interpreter\n",
            "broken/flow.toml": "\nbogus = 1\n",
        }
    )
    os.chmod("script.sh", 0o755)
    ran = doctor(run, "--trust")
    assert ran.status == 1
    assert lines(ran.out, "no-such-program-anywhere")["next"] == "Install it, or write its path in flow.toml."
    facts = lines(ran.out, "-S gone.py")
    assert facts["WRONG"] == "Asked what it serves, it ended with exit status 2 before it answered."
    assert "gone.py" in facts["standard error"]
    assert lines(ran.out, "./script.sh")["first line"] == "#!/no/such/interpreter"
    assert "which does not exist." in ran.out
    broken = lines(ran.out, "broken/flow.toml")
    assert broken["WRONG"].startswith("flow.toml:2:1: ")
    assert broken["next"] == "Correct it; until then it binds nothing."
    assert ran.out.count("WRONG") == ran.out.count("next     ") == 4
    assert ran.out.endswith("4 things are wrong; what to do next stands beside each.\n")
    assert found(run, "--trust")["summary"]["problems"] == 4


def test_the_entry_of_path_and_a_link_are_named(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("one", "two"):
        write({f"{name}/tool": "#!/bin/sh\necho tool 1.2\n"})
        os.chmod(f"{name}/tool", 0o755)
    Path("zero").mkdir()
    Path("zero/tool").symlink_to("../one/tool")
    here = os.getcwd()
    monkeypatch.setenv("PATH", os.pathsep.join(f"{here}/{name}" for name in ("gone", "zero", "two")))
    write({"flow.toml": table("a.flow", "tool --serve")})
    ran = doctor(run, "--trust")
    facts = lines(ran.out, "tool --serve")
    assert facts["program"] == f"{here}/zero/tool, by the PATH entry {here}/zero"
    assert facts["a link to"] == f"{here}/one/tool"
    assert facts["further on PATH"] == f"{here}/two/tool"
    assert facts["first line"] == "#!/bin/sh, which comes to /bin/sh"
    assert facts["--version"] == "tool 1.2"
    assert f"  {here}/gone   (does not exist)\n" in ran.out


def test_an_mcp_server_is_run_like_any_command_and_named(run: Run) -> None:
    write({"flow.toml": mcp_table("a.flow", mcp_command()), "a.flow": FIND})
    assert lines(doctor(run).out, "mcp_child.py")["describe"].startswith("not run: ")
    ran = doctor(run, "--trust")
    assert ran.status == 0
    assert "\n\nMCP server  " in ran.out
    assert lines(ran.out, "mcp_child.py")["describe"].startswith("child 1.5, MCP 2025-11-25, 2 tools, in ")
    (server,) = found(run)["commands"]
    assert (server["kind"], server["describe"]["tools"], server["describe"]["data"]) == ("mcp", 2, None)
    assert server["describe"]["server"] == {"name": "child", "version": "1.5", "revision": "2025-11-25"}


def test_what_is_wrong_with_an_mcp_server_has_its_own_remedies(run: Run) -> None:
    for behaviour, what, remedy in (
        ("no-mcp", "answered initialize with error", "whether it is an MCP server"),
        ("refuses", "speaks MCP 2099-01-01, and this host speaks MCP 2024-11-05", "Use a version of the server"),
        ("no-tools", "It offers no tools.", "whether it is the server that is meant"),
    ):
        write({"flow.toml": mcp_table("a.flow", mcp_command(behaviour)), "a.flow": FIND})
        ran = doctor(run, "--trust")
        assert ran.status == 1
        assert what in ran.out
        assert remedy in ran.out
    write({"flow.toml": '[tools."a.flow"]\nmcp = "no-such-program-anywhere"\n'})
    assert doctor(run, "--trust").status == 1


@pytest.mark.usefixtures("fits")
def test_an_override_is_a_binding_too(run: Run) -> None:
    ran = doctor(run, "--trust", "--override", "a.find=no-such-program-anywhere", "a.flow")
    assert lines(ran.out, "no-such-program-anywhere")["bound by"] == "an override for a.find"
    assert "-S serve.py" not in ran.out


def test_a_broken_manifest_above_the_file_named_is_said(run: Run) -> None:
    write({"flow.toml": "bogus = 1\n", "a.flow": FIND})
    ran = doctor(run, "a.flow")
    assert ran.status == 1
    assert lines(ran.out, "manifest  flow.toml")["WRONG"].startswith("flow.toml:1:1: `bogus` is no key")


def test_nothing_bound_is_nothing_wrong(run: Run) -> None:
    ran = doctor(run)
    assert ran.status == 0
    assert ran.out.endswith("No table of a flow.toml names a command here.\n")


def test_a_path_that_is_not_there_is_wrong_usage(run: Run) -> None:
    assert doctor(run, "nowhere").status == 2


# -- what a report must not hold -----------------------------------------------------------------------------


def test_credentials_are_masked_wherever_they_come_from(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DATABASE_PASSWORD", "hunter2")
    monkeypatch.setenv("ACME_TOKEN", "topsecret")
    program = """
import os, sys
for line in (f"password={os.environ['DATABASE_PASSWORD']}", "Authorization: Bearer topsecret",
             "https://me:hunter2@host/x", "api_key: 'topsecret hunter2'", "plain words",
             f"I was given {os.environ['DATABASE_PASSWORD']}.", f"and {os.environ['ACME_TOKEN']}"):
    print(line, file=sys.stderr)
print("token=hunter2", flush=True)
sys.exit(1)
"""
    names = [
        "API_KEY=hunter2 serve",
        f"{command_line()} --token hunter2 --url=https://u:topsecret@h/ 'key=topsecret hunter2'",
    ]
    write({"serve.py": program, "flow.toml": table("a.flow", names[0]) + table("b.flow", names[1])})
    assert "such as `token=***`.\n" in doctor(run, "--trust").out
    for arguments in ([], ["--format", "json"]):
        ran = doctor(run, "--trust", *arguments)
        assert ran.status == 1
        assert not [secret for secret in SECRETS if secret in ran.out + ran.err], ran.out
        assert "plain words" in ran.out
        assert "--token" in ran.out
        assert "API_KEY=***" in ran.out


@pytest.mark.usefixtures("fits")
def test_of_the_environment_only_path_is_printed(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    marks = {f"FLOW_TEST_{number}": f"mark-{number}-mark" for number in range(5)}
    for name, value in marks.items():
        monkeypatch.setenv(name, value)
    text = run("doctor", "--trust").out + run("doctor", "--trust", "--format", "json").out
    assert not [name for name, value in marks.items() if name in text or value in text]


def test_a_report_moves_no_cursor(run: Run) -> None:
    write({"serve.py": "import sys; print('\\x1b[31mred\\u202e', file=sys.stderr); sys.exit(1)"})
    write({"flow.toml": table("a.flow", f"{command_line()} '\u202edlrow'")})
    text = doctor(run, "--trust").out
    assert "\x1b" not in text
    assert "\u202e" not in text


# -- the login shell -----------------------------------------------------------------------------------------


def test_the_login_shell_is_compared_with_this_process(
    run: Run, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    import pwd
    from types import SimpleNamespace

    tool = tmp_path / "terminal" / "tool-of-a-terminal"
    tool.parent.mkdir()
    tool.write_text("#!/bin/sh\n")
    tool.chmod(0o755)
    home = tmp_path / "home"
    home.mkdir()
    (home / ".bash_profile").write_text(f'echo hello\nexport PATH="{tool.parent}:/usr/bin:/bin"\n')
    monkeypatch.setenv("HOME", str(home))
    monkeypatch.setattr(pwd, "getpwuid", lambda _: SimpleNamespace(pw_shell="/bin/bash"))
    monkeypatch.setenv("PATH", "/opt/only-here:/usr/bin:/bin")
    write({"flow.toml": table("a.flow", tool.name)})
    ran = run("doctor")
    assert ran.status == 1
    assert f"PATH of your login shell /bin/bash\n  + {tool.parent}   (only there)\n" in ran.out
    assert "\n  - /opt/only-here   (only in this process)\n" in ran.out
    assert f"Your login shell finds {tool}" in lines(ran.out, tool.name)["next"]
    shell = run("doctor", "--format", "json").json["login_shell"]
    assert shell == {"program": "/bin/bash", "path": [str(tool.parent), "/usr/bin", "/bin"], "reason": None}
    assert "PATH of a login shell: not known. It was not asked, for --no-login-shell was given." in doctor(run).out
