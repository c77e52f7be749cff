"""The formats of `flow-lsp check` for other programs: JSON, SARIF 2.1.0, GitHub workflow commands."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any
from urllib.parse import unquote

import pytest
from support.command_line import FIND, Run, command_line, serve, table, write

BROKEN = 'bogus = 1\n[tools."a.flow"]\n'
SARIF_LEVELS = {"none", "note", "warning", "error"}


@pytest.fixture
def drifted(run: Run) -> None:
    """A workspace with a Tool that drifted, one that fits and one that is unbound."""
    other = "@tool\nfn other() -> Result<Int, Never>\n"
    write({"a.flow": FIND + other, "sub dir/b.flow": FIND, "flow.toml": table("a.flow", command_line())})
    serve(run, "a.flow:find", "a.flow:other", changed={"query: Text": "query: Int"})


# -- JSON ------------------------------------------------------------------------------------------------


@pytest.mark.usefixtures("drifted")
def test_json_is_as_documented(run: Run) -> None:
    ran = run("check", "--trust", "--format", "json")
    assert ran.status == 1
    found = ran.json
    assert list(found) == ["version", "diagnostics", "tools", "summary"]
    assert found["version"] == 1
    drift, unbound = found["diagnostics"]
    assert {name: drift[name] for name in ("path", "line", "column", "end_line", "end_column", "severity", "code")} == {
        "path": "a.flow",
        "line": 2,
        "column": 4,
        "end_line": 2,
        "end_column": 8,
        "severity": "error",
        "code": "drift",
    }
    (related,) = drift["related"]
    assert (related["path"], related["line"], related["column"]) == ("flow.toml", 1, 1)
    assert related["message"].startswith("bound to ")
    assert (unbound["path"], unbound["code"]) == ("sub dir/b.flow", "unbound-no-table")
    assert found["summary"] == {
        "files": 3,
        "tools": 3,
        "errors": 2,
        "warnings": 0,
        "information": 0,
        "hints": 0,
        "not_run": [],
        "by_contract": [],
        "not_looked_at": [],
    }


@pytest.mark.usefixtures("drifted")
def test_json_says_each_tools_state_and_what_binds_it(run: Run) -> None:
    found = run("check", "--trust", "--format", "json").json["tools"]
    assert [(tool["tool"], tool["state"]) for tool in found] == [
        ("a.find", "drift"),
        ("a.other", "fits"),
        ("sub%20dir/b.find" if "%20" in found[2]["tool"] else "sub dir/b.find", "unbound"),
    ]
    assert found[1]["binding"]["kind"] == "command"
    assert found[1]["binding"]["directory"] == "."
    assert found[1]["binding"]["table"]["path"] == "flow.toml"
    assert found[1]["fingerprint"].startswith("sha256:")
    assert found[1]["as_of"] is None
    assert found[2]["binding"] is None
    waiting = run("check", "--format", "json").json
    assert [tool["state"] for tool in waiting["tools"]] == ["drift", "fits", "unbound"]
    assert waiting["tools"][1]["as_of"]
    assert waiting["summary"]["not_run"][0]["reason"].startswith("Pass --trust")
    assert waiting["summary"]["not_run"][0]["words"][1:] == ["-S", "serve.py"]


@pytest.mark.parametrize(
    ("manifest", "state"),
    [
        ("", "unbound"),
        ("bogus = 1\n", "refused"),
        ('[tools."a.flow"]\nmcp = "cat"\n', "not-checked"),
        ('[tools."a.flow"]\ncommand = "cat"\n', "not-checked"),
        ('[tools."a.flow"]\ncommand = "no-such-program-anywhere"\n', "unbound"),
    ],
)
def test_the_states_that_files_alone_tell(run: Run, manifest: str, state: str) -> None:
    write({"a.flow": FIND, "flow.toml": manifest})
    (tool,) = run("check", "--no-describe", "--format", "json").json["tools"]
    assert tool["state"] == state
    assert tool["detail"].endswith(".")


@pytest.mark.parametrize(
    ("program", "state"),
    [
        ("raise SystemExit(3)", "describe-failed"),
        ("import json; open('listing.json', 'w').write('[]'); exec(open('serve.py').read())", "unserved"),
    ],
)
def test_the_states_that_a_command_tells(run: Run, program: str, state: str) -> None:
    write({"a.flow": FIND, "flow.toml": table("a.flow", command_line("other.py")), "other.py": program})
    serve(run, "a.flow:find")
    ran = run("check", "--trust", "--format", "json")
    assert ran.status == 1
    assert [tool["state"] for tool in ran.json["tools"]] == [state]


def test_columns_count_code_points(run: Run) -> None:
    write({"flow.toml": 'tools = { "😋😋.flow" = { bogus = 1, mcp = "cat" } }'})
    found = run("check", "--format", "json").json["diagnostics"]
    (unknown,) = (each for each in found if each["code"] == "unknown-key")
    assert (unknown["line"], unknown["column"], unknown["end_column"]) == (1, 25, 30)


# -- SARIF -----------------------------------------------------------------------------------------------


def members(value: object, name: str) -> Iterator[Any]:
    """Every member called `name`, at any depth."""
    if isinstance(value, dict):
        for key, member in value.items():
            if key == name:
                yield member
            yield from members(member, name)
    elif isinstance(value, list):
        for item in value:
            yield from members(item, name)


def check_sarif(log: Any) -> None:
    """What SARIF 2.1.0 requires of the parts that are used (OASIS standard, sections 3.13 to 3.58)."""
    assert log["version"] == "2.1.0"
    assert log["$schema"].endswith("sarif-2.1.0.json")
    (run,) = log["runs"]
    driver = run["tool"]["driver"]
    assert driver["name"]
    assert run["columnKind"] in ("utf16CodeUnits", "unicodeCodePoints")
    assert all(isinstance(each["executionSuccessful"], bool) for each in run["invocations"])
    assert len({rule["id"] for rule in driver["rules"]}) == len(driver["rules"])
    for result in run["results"]:
        assert driver["rules"][result["ruleIndex"]]["id"] == result["ruleId"]
        assert result["message"]["text"]
        assert len(result["locations"]) == 1
    assert all(level in SARIF_LEVELS for level in members(log, "level"))
    assert all(message["text"] for message in members(log, "message"))
    for location in members(log, "physicalLocation"):
        uri = location["artifactLocation"]["uri"]
        assert uri.isascii()
        assert not set(uri) & set(' "<>\\^`{|}')
        region = location["region"]
        assert all(isinstance(number, int) and number >= 1 for number in region.values())
        start, end = ((region[f"{which}Line"], region[f"{which}Column"]) for which in ("start", "end"))
        assert start <= end


@pytest.mark.usefixtures("drifted")
def test_sarif_is_valid_and_says_the_same(run: Run) -> None:
    ran = run("check", "--trust", "--format", "sarif")
    plain = run("check", "--trust", "--format", "json").json
    assert ran.status == 1
    check_sarif(ran.json)
    results = ran.json["runs"][0]["results"]
    assert [(result["ruleId"], result["message"]["text"]) for result in results] == [
        (each["code"], each["message"]) for each in plain["diagnostics"]
    ]
    uris = [result["locations"][0]["physicalLocation"]["artifactLocation"]["uri"] for result in results]
    assert uris == ["a.flow", "sub%20dir/b.flow"]
    assert results[0]["relatedLocations"][0]["message"]["text"].startswith("bound to ")
    assert "How to fix it" in ran.json["runs"][0]["tool"]["driver"]["rules"][0]["help"]["markdown"]


def test_sarif_without_findings_has_an_empty_list_and_says_what_was_not_run(run: Run) -> None:
    write({"a.flow": FIND, "flow.toml": table("a.flow", "cat")})
    ran = run("check", "--no-describe", "--format", "sarif")
    assert ran.status == 0
    check_sarif(ran.json)
    (only,) = ran.json["runs"]
    assert only["results"] == []
    assert "was not run" in only["invocations"][0]["toolExecutionNotifications"][0]["message"]["text"]


@pytest.mark.parametrize("name", ["100% #1", "a:b", "ü?x", "q\"'"])
def test_sarif_addresses_lead_back_to_the_file(run: Run, name: str) -> None:
    write({f"{name}.flow": FIND})
    log = run("check", "--format", "sarif").json
    check_sarif(log)
    (uri,) = members(log, "uri")
    assert unquote(uri) == f"{name}.flow"
    assert ":" not in uri.split("/")[0]  # else it would be a scheme


# -- GitHub ----------------------------------------------------------------------------------------------


def test_github_commands_have_their_properties_escaped(run: Run) -> None:
    write({"a,b:c%\n.flow": FIND, "x\x1b[31m\u202e.flow": FIND})
    ran = run("check", "--format", "github")
    assert ran.status == 1
    line, other = ran.out.splitlines()
    place = "file=a%2Cb%3Ac%25%0A.flow,line=2,col=4,endColumn=8"
    assert line.startswith(f"::error {place},title=flow-lsp unbound-no-manifest::`find` is unbound")
    assert other.startswith("::error file=x\\x1b[31m\\u202e.flow,line=2,")


def test_github_columns_are_left_out_where_a_finding_has_several_lines(run: Run) -> None:
    write({"a.flow": "/* open\nand on\n"})
    lines = run("check", "--format", "github").out.splitlines()
    (line,) = (line for line in lines if "open-comment" in line)
    assert line.startswith("::warning file=a.flow,line=1,")
    assert ("endLine" in line) != ("col=" in line)


def test_github_says_nothing_where_all_is_clear_and_tells_what_was_not_run(run: Run) -> None:
    write({"a.flow": "pub record Hit { title: Text }\n", "flow.toml": ""})
    ran = run("check", "--format", "github")
    assert (ran.status, ran.out) == (0, "")
    write({"a.flow": FIND, "flow.toml": table("a.flow", "cat")})
    assert "::notice title=flow-lsp not run::`cat`. Pass --trust" in run("check", "--format", "github").out


# -- all of them -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("form", ["text", "json", "sarif", "github"])
def test_every_format_ends_with_the_same_status(run: Run, form: str) -> None:
    write({"flow.toml": ""})
    assert run("check", "--format", form).status == 0
    write({"flow.toml": BROKEN})
    ran = run("check", "--format", form)
    assert ran.status == 1
    assert "unknown-key" in ran.out


def test_the_formats_for_programs_are_utf8_json_whatever_a_name_holds(run: Run) -> None:
    write({"😋\u2028.flow": FIND})
    for form in ("json", "sarif"):
        assert json.loads(run("check", "--format", form).out)
