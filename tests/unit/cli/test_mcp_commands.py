"""MCP servers on the command line: described, checked in every format, recorded and judged as recorded."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator
from support.command_line import FIND, Run, mcp_command, mcp_table, write

from flow_lsp.findings.model import shown
from flow_lsp.host.contracts_schema import CONTRACTS_FILE

TEXT = {"type": "string"}
SERVER = {"name": "child", "version": "1.5", "revision": "2025-11-25"}
HIT = "pub record Hit { query: Text }\n"
OFFERED = HIT + "@tool\nfn find(query: Text) -> Result<Hit, Never>\n"
MISSING = "@tool\nfn get_sum(a: Int) -> Result<Hit, Never>\n@tool\nfn same<T>(value: T) -> Result<T, Never>\n"


@pytest.fixture
def bound() -> None:
    """A workspace of one file behind the server of the tests, which offers `find` and `get-sum`."""
    write({"a.flow": OFFERED, "flow.toml": mcp_table("a.flow", mcp_command())})


# -- describe --------------------------------------------------------------------------------------------------


@pytest.mark.usefixtures("bound")
def test_a_workspace_s_server_is_described_with_what_its_tools_answer(run: Run) -> None:
    write({"a.flow": OFFERED + MISSING})
    ran = run("describe", "--trust")
    assert ran.status == 0
    _, server, find, get_sum, missing = ran.out.splitlines()
    assert server.startswith("  MCP server child 1.5, MCP 2025-11-25, 2 tools, ")
    assert find == "  find     answers a.find"
    assert get_sum == "  get-sum  nothing here declares it"
    assert missing == "  no tool for a.get_sum"
    (command,) = run("describe", "--trust", "--format", "json").json["commands"]
    assert (command["kind"], command["server"], command["data"]) == ("mcp", SERVER, None)
    assert [(tool["name"], tool["answers"]) for tool in command["tools"]] == [("find", ["a.find"]), ("get-sum", [])]
    assert [tool["has_output_schema"] for tool in command["tools"]] == [True, False]
    assert command["not_offered"] == ["a.get_sum"]


@pytest.mark.usefixtures("bound")
def test_a_server_does_not_run_without_consent(run: Run) -> None:
    write({"flow.toml": mcp_table("a.flow", mcp_command("--log", "starts"))})
    for command in ("describe", "check"):
        assert "Pass --trust, or answer" in run(command).out
    assert not Path("starts").exists()


def test_any_server_is_asked_directly_and_nothing_is_kept(run: Run, tmp_path: Path) -> None:
    ran = run("describe", "--mcp", mcp_command())
    assert (ran.status, ran.err) == (0, "")
    head, server, find, get_sum = ran.out.splitlines()
    assert head == f"{shown(mcp_command())}  (in .)"
    assert server.startswith("  MCP server child 1.5, MCP 2025-11-25, 2 tools, ")
    assert (find, get_sum) == ("  find     Finds things.", "  get-sum  Sum")
    (command,) = run("describe", "--format", "json", "--mcp", mcp_command()).json["commands"]
    assert (command["kind"], command["state"], command["not_offered"]) == ("mcp", "current", None)
    assert [tool["answers"] for tool in command["tools"]] == [None, None]
    assert not (tmp_path / "state").exists()


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (("exits",), "  ended with exit status 3 before it answered.\n  standard error: usage: mcp_child stdio\n"),
        (("no-mcp",), "  answered initialize with error -32601: method not found.\n"),
        (("refuses",), "  speaks MCP 2099-01-01, and this host speaks MCP 2024-11-05, "),
    ],
)
def test_a_server_that_gives_no_list_is_status_one(run: Run, arguments: tuple[str, ...], sentence: str) -> None:
    ran = run("describe", "--mcp", mcp_command(*arguments))
    assert ran.status == 1
    assert sentence in ran.out


def test_what_a_server_prints_and_leaves_out_is_told(run: Run) -> None:
    assert "  standard output, no message: listening\n" in run("describe", "--mcp", mcp_command("noisy")).out
    ran = run("describe", "--mcp", mcp_command("no-tools"))
    assert (ran.status, "  The server declares no tools in its capabilities.\n" in ran.out) == (0, True)


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["--mcp", "x", "."], "--mcp asks one program without a workspace, so PATHs cannot stand beside it"),
        (["--mcp", "x", "--record", "f"], "--record cannot stand beside it"),
        (["--mcp", "x", "--command", "y"], "give one of them"),
        (["--mcp", "'x"], "--mcp 'x: the quote ' is not closed"),
        (["--mcp", " "], "--mcp names no program"),
    ],
)
def test_what_cannot_be_is_wrong_usage(run: Run, arguments: list[str], sentence: str) -> None:
    ran = run("describe", *arguments)
    assert (ran.status, ran.out) == (2, "")
    assert sentence in ran.err


# -- check -----------------------------------------------------------------------------------------------------


@pytest.mark.usefixtures("bound")
def test_a_tool_that_is_offered_is_all_clear_and_its_server_is_named(run: Run) -> None:
    ran = run("check", "--trust", "--verbose")
    assert ran.status == 0
    assert ran.out.splitlines()[0].startswith("offered  a.find  mcp ")
    assert ran.out.splitlines()[0].endswith(", child 1.5")
    assert ran.out.endswith("All clear: 1 Tool in 2 files checked.\n")
    (tool,) = run("check", "--trust", "--format", "json").json["tools"]
    assert (tool["state"], tool["detail"], tool["standing"]) == ("offered", "Offered by child 1.5.", "current")
    assert (tool["binding"]["kind"], tool["binding"]["server"]) == ("mcp", SERVER)


@pytest.mark.usefixtures("bound")
def test_every_format_tells_what_is_missing_and_what_differs(run: Run) -> None:
    write({"a.flow": OFFERED.replace("query: Text)", "query: Int)") + MISSING})
    ran = run("check", "--trust")
    assert ran.status == 1
    assert (
        "a.flow:3:4: information[mcp-differs]: `find` and its MCP tool at child 1.5 differ: parameter query is Int"
        in (ran.out)
    )
    assert "a.flow:5:4: error[unbound-no-mcp-tool]: `get_sum` is unbound: " in ran.out
    assert "It has `get-sum`" in ran.out
    assert "a.flow:7:4: error[unbound-generic]: `same` is unbound: " in ran.out
    assert ran.out.count("    = flow.toml:1:1: bound to `") == 3
    found = run("check", "--trust", "--format", "json").json
    assert [(each["code"], each["severity"]) for each in found["diagnostics"]] == [
        ("mcp-differs", "information"),
        ("unbound-no-mcp-tool", "error"),
        ("unbound-generic", "error"),
    ]
    assert found["summary"] | {"information": 1, "errors": 2} == found["summary"]
    assert [tool["state"] for tool in found["tools"]] == ["offered", "unbound", "unbound"]
    (sarif,) = run("check", "--trust", "--format", "sarif").json["runs"]
    assert [each["level"] for each in sarif["results"]] == ["note", "error", "error"]
    github = run("check", "--trust", "--format", "github").out.splitlines()
    assert [line.partition(" ")[0] for line in github] == ["::notice", "::error", "::error"]


def test_a_server_that_cannot_be_used_is_told_once_for_a_file_and_at_its_table(run: Run) -> None:
    write({"a.flow": OFFERED + MISSING, "flow.toml": mcp_table("a.flow", mcp_command("exits"))})
    ran = run("check", "--trust", "--format", "json")
    assert ran.status == 1
    said = [(each["path"], each["line"], each["code"]) for each in ran.json["diagnostics"]]
    assert said == [("a.flow", 3, "mcp-failed"), ("a.flow", 7, "unbound-generic"), ("flow.toml", 2, "mcp-failed")]
    assert "Its standard error ends: usage: mcp_child stdio" in ran.json["diagnostics"][0]["message"]


@pytest.mark.usefixtures("bound")
def test_what_a_server_said_before_is_told_with_its_age_where_it_may_not_run(run: Run) -> None:
    write({"a.flow": OFFERED.replace("find(", "found(")})
    run("check", "--trust")
    ran = run("check")
    assert "error[unbound-no-mcp-tool]" in ran.out
    assert "(as of " in ran.out


def test_one_program_bound_as_a_command_and_as_a_server_is_two_implementations(run: Run) -> None:
    command = mcp_command("--log", "starts")
    manifest = mcp_table("a.flow", command) + mcp_table("b.flow", command).replace("mcp =", "command =")
    write({"a.flow": OFFERED, "b.flow": FIND, "flow.toml": manifest})
    found = run("check", "--trust", "--format", "json").json
    assert [(tool["tool"], tool["state"]) for tool in found["tools"]] == [
        ("a.find", "offered"),
        ("b.find", "describe-failed"),
    ]
    assert len(Path("starts").read_text("utf-8").splitlines()) == 2


# -- contracts -------------------------------------------------------------------------------------------------


def record(run: Run) -> Any:
    ran = run("describe", "--trust", "--record", "contracts.json", "--format", "json")
    assert ran.status == 0
    Draft202012Validator(CONTRACTS_FILE).validate(json.loads(Path("contracts.json").read_text("utf-8")))
    (command,) = ran.json["record"]["commands"]
    return command


@pytest.mark.usefixtures("bound")
def test_what_a_server_offers_is_recorded_and_judged_where_it_does_not_run(run: Run) -> None:
    assert record(run)["change"] == "new"
    before = Path("contracts.json").read_bytes()
    (contract,) = json.loads(before)["contracts"]
    assert (contract["server"], [tool["name"] for tool in contract["tools"]]) == (SERVER, ["find", "get-sum"])
    assert record(run)["change"] == "unchanged"
    assert Path("contracts.json").read_bytes() == before
    ran = run("check", "--no-describe", "--contracts", "contracts.json", "--verbose")
    assert ran.status == 0
    assert ", child 1.5 (as recorded on " in ran.out
    assert "All clear as recorded: 1 Tool in 2 files checked." in ran.out
    write({"a.flow": OFFERED.replace("find(", "found(")})
    ran = run("check", "--no-describe", "--contracts", "contracts.json")
    assert ran.status == 1
    assert "It offers `find`, `get-sum`. (as recorded on " in ran.out


def test_what_changed_in_a_server_is_told(run: Run) -> None:
    entry: Any = {"name": "find", "inputSchema": {"type": "object", "properties": {"query": TEXT}}}
    table = mcp_table("a.flow", mcp_command("--tools", "tools.json"))
    write({"tools.json": json.dumps([entry, entry | {"name": "old"}]), "flow.toml": table})
    record(run)
    entry["inputSchema"]["properties"]["query"] = {"type": "integer"}
    write({"tools.json": json.dumps([entry, entry | {"name": "new"}])})
    changed = record(run)
    assert (changed["kind"], changed["change"], changed["added"], changed["removed"]) == (
        "mcp",
        "changed",
        ["new"],
        ["old"],
    )
    assert changed["changed"] == [{"tool": "find", "detail": "parameter query is integer now and string before"}]


@pytest.mark.usefixtures("bound")
def test_the_contract_of_a_server_that_became_a_command_is_removed(run: Run) -> None:
    record(run)
    manifest = Path("flow.toml").read_text("utf-8").replace("mcp =", "command =")
    write({"flow.toml": manifest})
    commands = run("describe", "--trust", "--record", "contracts.json", "--format", "json").json["record"]["commands"]
    assert [(each["kind"], each["change"]) for each in commands] == [("command", "missing"), ("mcp", "removed")]
