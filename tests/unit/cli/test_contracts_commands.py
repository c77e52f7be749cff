"""`describe --record` and `check --contracts`: what was said, kept, reviewed, and used where nothing runs."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator
from support.command_line import FIND, Run, command_line, serve, table, write

from flow_lsp.host.contracts_schema import CONTRACTS_FILE

FILE = "contracts.json"
AS_RECORDED = "(as recorded on 20"


def record(run: Run, *arguments: str, file: str = FILE) -> Any:
    """Records, and gives the file's JSON."""
    assert run("describe", "--trust", "--record", file, *arguments).status == 0
    return contracts(file)


def contracts(file: str = FILE) -> Any:
    found = json.loads(Path(file).read_text(encoding="utf-8"))
    Draft202012Validator(CONTRACTS_FILE).validate(found)
    return found["contracts"]


def dated(moment: str, file: str = FILE) -> None:
    """Has every contract recorded at another moment."""
    found = json.loads(Path(file).read_text(encoding="utf-8"))
    for contract in found["contracts"]:
        contract["recorded"] = moment
    Path(file).write_text(json.dumps(found), encoding="utf-8")


@pytest.fixture
def drifted(run: Run) -> None:
    """A workspace whose one command serves a Tool that fits and one that drifted."""
    other = "@tool\nfn other() -> Result<Int, Never>\n"
    write({"a.flow": FIND + other, "flow.toml": table("a.flow", command_line())})
    serve(run, "a.flow:find", "a.flow:other", changed={"query: Text": "query: Int"})


# -- recording ---------------------------------------------------------------------------------------------


@pytest.mark.usefixtures("drifted")
def test_what_is_recorded_is_what_was_said_and_nothing_of_this_machine(run: Run, folder: Path) -> None:
    (contract,) = record(run)
    assert (contract["directory"], contract["words"][1:]) == (".", ["-S", "serve.py"])
    assert [tool["tool"] for tool in contract["tools"]] == ["a.find", "a.other"]
    assert contract["tools"][0]["signature"]["params"] == [["query", {"type": "integer"}]]
    text = Path(FILE).read_text(encoding="utf-8")
    assert str(folder) not in text
    assert text.count('"tool": ') == 2
    assert max(map(len, text.splitlines())) < 160


@pytest.mark.usefixtures("drifted")
def test_recording_the_same_again_leaves_the_file_as_it_is(run: Run) -> None:
    record(run)
    dated("2026-01-02T03:04:05Z")
    first = record(run)
    text, stamp = Path(FILE).read_bytes(), os.stat(FILE).st_mtime_ns
    assert first[0]["recorded"] == "2026-01-02T03:04:05Z"
    ran = run("describe", "--trust", "--record", FILE)
    assert ran.out.endswith("\ncontracts.json holds 1 contract, and is as it was.\n")
    assert (Path(FILE).read_bytes(), os.stat(FILE).st_mtime_ns) == (text, stamp)


def test_directories_count_from_the_folder_of_the_file_and_contracts_are_sorted(run: Run) -> None:
    for name in ("b", "a"):
        write({f"{name}/x.flow": FIND, f"{name}/flow.toml": table("x.flow", command_line())})
        serve(run, f"{name}/x.flow:find", directory=name)
        write({f"{name}/flow.toml": table("x.flow", command_line())})
    Path("kept").mkdir()
    assert [each["directory"] for each in record(run)] == ["a", "b"]
    assert [each["directory"] for each in record(run, file="kept/it.json")] == ["../a", "../b"]
    found = run("check", "--no-describe", "--contracts", "kept/it.json", "--format", "json", "a", "b").json
    assert ([tool["state"] for tool in found["tools"]], len(found["summary"]["by_contract"])) == (["fits", "fits"], 2)


def test_a_change_is_summed_up(run: Run) -> None:
    old = "@tool\nfn old() -> Result<Int, Never>\n"
    write({"a.flow": FIND + old, "flow.toml": table("a.flow", command_line())})
    serve(run, "a.flow:find", "a.flow:old")
    ran = run("describe", "--trust", "--record", FILE)
    assert "contracts.json holds 1 contract:\n  new: `" in ran.out
    assert ran.out.endswith("(in .), 2 Tools\n")
    dated("2026-01-02T03:04:05Z")
    write({"a.flow": FIND + old.replace("old", "new")})
    serve(run, "a.flow:find", "a.flow:new", changed={"query: Text": "query: Int"})
    ran = run("describe", "--trust", "--record", FILE)
    head, *lines = ran.out[ran.out.index("contracts.json holds") :].splitlines()
    assert head == "contracts.json holds 1 contract:"
    assert lines[0].startswith("  changed: `")
    assert lines[0].endswith("(in .), recorded before on 2026-01-02 03:04")
    assert lines[1:] == ["    + a.new", "    - a.old", "    ~ a.find: parameter `query` is Int now and Text before"]


def test_the_summary_is_in_the_json_too(run: Run) -> None:
    write({"a.flow": FIND, "flow.toml": table("a.flow", command_line())})
    serve(run, "a.flow:find")
    record(run)
    serve(run, "a.flow:find", changed={"query: Text": "query: Int"})
    found = run("describe", "--trust", "--record", FILE, "--format", "json").json["record"]
    assert found["path"] == FILE
    (command,) = found["commands"]
    assert (command["directory"], command["change"], command["added"], command["removed"]) == (".", "changed", [], [])
    assert command["changed"] == [{"tool": "a.find", "detail": "parameter `query` is Int now and Text before"}]


@pytest.mark.usefixtures("drifted")
@pytest.mark.parametrize("trust", [["--trust"], []])
def test_a_command_without_a_listing_leaves_what_was_recorded(run: Run, trust: list[str]) -> None:
    before = record(run)
    write({"serve.py": "raise SystemExit(3)", "b/flow.toml": table("b.flow", "no-such-program-anywhere")})
    ran = run("describe", *trust, "--record", FILE)
    assert ran.status == 1
    assert contracts() == before
    assert "(in .): it gave no listing, so what was recorded of it on 20" in ran.err
    assert "`no-such-program-anywhere` (in b): it gave no listing, so nothing is recorded of it.\n" in ran.err
    assert ran.out.endswith("contracts.json holds 1 contract, and is as it was.\n")


def test_nothing_to_record_makes_no_file(run: Run) -> None:
    write({"flow.toml": table("b.flow", "no-such-program-anywhere")})
    ran = run("describe", "--trust", "--record", FILE)
    assert (ran.status, Path(FILE).exists()) == (1, False)
    assert ran.out.endswith("\ncontracts.json was not written.\n")


@pytest.mark.usefixtures("drifted")
def test_a_contract_that_no_manifest_names_any_more_is_removed_where_all_was_looked_at(run: Run) -> None:
    write({"sub/x.flow": FIND, "sub/flow.toml": table("x.flow", command_line())})
    serve(run, "sub/x.flow:find", directory="sub")
    before = record(run)
    assert [each["directory"] for each in before] == [".", "sub"]
    assert run("describe", "--trust", "--record", FILE, "flow.toml").status == 0
    assert contracts() == before  # the other was not looked at
    write({"sub/flow.toml": "bogus = 1\n"})
    assert run("describe", "--trust", "--record", FILE).status == 0
    assert contracts() == before  # a broken manifest says nothing of what it names
    write({"sub/flow.toml": ""})
    ran = run("describe", "--trust", "--record", FILE)
    assert contracts() == before[:1]
    assert "  removed: `" in ran.out
    assert "(in sub), recorded on 20" in ran.out
    assert "no flow.toml names it any more\n  unchanged: 1 command\n" in ran.out


def test_credentials_in_a_command_are_not_recorded_and_it_is_found_all_the_same(run: Run) -> None:
    line = f"{command_line()} --token hunter2"
    write({"a.flow": FIND, "flow.toml": table("a.flow", line)})
    serve(run, "a.flow:find", changed={"query: Text": "query: Int"})
    (contract,) = record(run)
    assert contract["words"][2:] == ["serve.py", "--token", "***"]
    assert "hunter2" not in Path(FILE).read_text(encoding="utf-8")
    assert codes(run) == ["drift"]


def test_commands_that_differ_in_a_credential_alone_share_a_contract_if_they_agree(run: Run) -> None:
    lines = [f"{command_line()} --token {secret}" for secret in ("one", "two")]
    write({"a.flow": FIND, "flow.toml": table("a.flow", lines[0]) + table("b.flow", lines[1])})
    serve(run, "a.flow:find")
    assert len(record(run)) == 1
    program = Path("serve.py").read_text(encoding="utf-8")
    write({"serve.py": program.replace("tools = ", "tools = [] if sys.argv[2] == 'two' else ")})
    before = contracts()
    ran = run("describe", "--trust", "--record", FILE)
    assert (ran.status, contracts()) == (1, before)
    assert "differ only in what looks like a credential" in ran.err


@pytest.mark.usefixtures("drifted")
def test_a_link_is_written_through_and_permissions_stay(run: Run) -> None:
    record(run, file="real.json")
    os.chmod("real.json", 0o640)
    Path("link.json").symlink_to("real.json")
    program = Path("serve.py").read_text(encoding="utf-8")
    write({"serve.py": program.replace('encoding="utf-8"))', 'encoding="utf-8"))[:1]')})
    ran = run("describe", "--trust", "--record", "link.json")
    assert "- a.other" in ran.out
    assert Path("link.json").is_symlink()
    assert os.stat("real.json").st_mode & 0o777 == 0o640
    assert [tool["tool"] for tool in contracts("real.json")[0]["tools"]] == ["a.find"]
    assert sorted(os.listdir()) == ["a.flow", "flow.toml", "link.json", "listing.json", "real.json", "serve.py"]


@pytest.mark.usefixtures("drifted")
@pytest.mark.parametrize(
    ("path", "sentence"),
    [
        ("other.json", "other.json:1:1: error[contracts]: The member `version` is missing."),
        ("gone/contracts.json", "cannot be written: there is no folder gone."),
        (".", "This is a directory"),
        ("/dev/null", "no regular file"),
        ("", "is no path"),
    ],
)
def test_a_file_that_cannot_be_recorded_in_is_said_before_anything_runs(run: Run, path: str, sentence: str) -> None:
    write({"other.json": "{}", "serve.py": "open('ran', 'w')"})
    ran = run("describe", "--trust", "--record", path)
    assert (ran.status, ran.out) == (2, "")
    assert sentence in ran.err
    assert not Path("ran").exists()


# -- checking by contracts ---------------------------------------------------------------------------------


def codes(run: Run, *arguments: str) -> list[str]:
    ran = run("check", "--no-describe", "--contracts", FILE, "--format", "json", *arguments)
    return [each["code"] for each in ran.json["diagnostics"]]


@pytest.mark.usefixtures("drifted")
def test_a_check_that_runs_nothing_judges_by_contracts_and_says_so(run: Run) -> None:
    record(run)
    write({"serve.py": "open('ran', 'w')"})
    ran = run("check", "--no-describe", "--contracts", FILE, "--verbose")
    assert ran.status == 1
    drift = next(line for line in ran.out.splitlines() if "error[drift]" in line)
    assert AS_RECORDED in drift
    states = [line for line in ran.out.splitlines() if "  command" in line]
    assert [line.split()[:2] for line in states] == [["drift", "a.find"], ["fits", "a.other"]]
    assert all(AS_RECORDED in line for line in states)
    assert "not run" not in ran.out
    assert "\njudged by contracts: 1 command, as recorded on 20" in ran.out
    assert ran.out.endswith("--no-describe was given.\n1 error (2 Tools in 2 files checked)\n")
    assert not Path("ran").exists()


def test_all_clear_by_contracts_says_that_it_is_as_recorded(run: Run) -> None:
    write({"a.flow": FIND, "flow.toml": table("a.flow", command_line())})
    serve(run, "a.flow:find")
    record(run)
    ran = run("check", "--no-describe", "--contracts", FILE)
    assert ran.status == 0
    assert ran.out.endswith("\nAll clear as recorded: 1 Tool in 2 files checked.\n")


@pytest.mark.usefixtures("drifted")
def test_every_format_marks_what_is_recorded(run: Run) -> None:
    record(run)
    found = run("check", "--contracts", FILE, "--format", "json").json
    assert AS_RECORDED in found["diagnostics"][0]["message"]
    assert [tool["standing"] for tool in found["tools"]] == ["recorded", "recorded"]
    assert all(tool["as_of"].startswith("20") for tool in found["tools"])
    (judged,) = found["summary"]["by_contract"]
    assert (judged["words"][2], judged["directory"], found["summary"]["not_run"]) == ("serve.py", ".", [])
    assert judged["recorded"].startswith("20")
    assert judged["reason"].startswith("Pass --trust")
    log = run("check", "--contracts", FILE, "--format", "sarif").json
    (invocation,) = log["runs"][0]["invocations"]
    (note,) = invocation["toolExecutionNotifications"]
    assert "was judged by its contract, as recorded on 20" in note["message"]["text"]
    assert AS_RECORDED in log["runs"][0]["results"][0]["message"]["text"]
    lines = run("check", "--contracts", FILE, "--format", "github").out.splitlines()
    assert AS_RECORDED in lines[0]
    assert lines[1].startswith("::notice title=flow-lsp judged by contract::")


@pytest.mark.usefixtures("drifted")
def test_what_the_program_says_counts_and_silently(run: Run) -> None:
    record(run)
    serve(run, "a.flow:find", "a.flow:other")
    ran = run("check", "--trust", "--contracts", FILE)
    assert (ran.status, ran.out) == (0, "All clear: 2 Tools in 2 files checked.\n")


@pytest.mark.usefixtures("drifted")
def test_a_program_that_is_not_here_is_no_finding_where_a_contract_speaks(run: Run, monkeypatch: Any) -> None:
    line = "there-only serve.py"
    Path("bin").mkdir()
    Path("bin/there-only").symlink_to(os.path.realpath("/bin/sh"))
    write({"flow.toml": table("a.flow", line), "serve.py": f"exec {command_line('real.py')}\n",
           "real.py": Path("serve.py").read_text(encoding="utf-8")})  # fmt: skip
    monkeypatch.setenv("PATH", f"{Path('bin').resolve()}:{os.environ['PATH']}")
    record(run)
    Path("bin/there-only").unlink()
    assert {each["code"] for each in run("check", "--trust", "--format", "json").json["diagnostics"]} == {
        "program-not-found", "unbound-no-program",
    }  # fmt: skip
    ran = run("check", "--trust", "--contracts", FILE, "--format", "json")
    assert [each["code"] for each in ran.json["diagnostics"]] == ["drift"]
    assert "there-only is in no directory of PATH" in ran.json["summary"]["by_contract"][0]["reason"]


@pytest.mark.usefixtures("drifted")
def test_of_an_earlier_answer_and_a_contract_the_newer_counts(run: Run) -> None:
    record(run)  # which also leaves an answer of this moment
    dated("2026-01-02T03:04:05Z")
    serve(run, "a.flow:find", "a.flow:other")
    run("describe", "--trust")
    ran = run("check", "--contracts", FILE)
    assert "not run: `" in ran.out
    assert ran.status == 0
    dated("2999-01-02T03:04:05Z")
    ran = run("check", "--contracts", FILE)
    assert "as recorded on 2999-01-02" in ran.out
    assert ran.status == 1


@pytest.mark.usefixtures("drifted")
def test_several_files_count_and_the_newer_of_two(run: Run) -> None:
    record(run)
    dated("2026-01-02T03:04:05Z")
    serve(run, "a.flow:find", "a.flow:other")
    record(run, file="newer.json")
    assert codes(run) == ["drift"]
    assert codes(run, "--contracts", "newer.json") == []


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        ("{", "contracts.json:1:2: error[contracts]: "),
        ('{\n  "version": 1,\n  "contracts": [{}]\n}', "contracts.json:3:17: error[contracts]: The member `directory`"),
        ('{"version": 9}', "reads version 1 of a contracts file"),
        (None, "This file does not exist. `flow-lsp describe --record FILE` writes one."),
    ],
)
def test_a_file_that_cannot_be_used_is_wrong_usage(run: Run, content: str | None, sentence: str) -> None:
    write({"a.flow": FIND, "flow.toml": table("a.flow", command_line()), "serve.py": "open('ran', 'w')"})
    if content is not None:
        write({FILE: content})
    ran = run("check", "--trust", "--contracts", FILE)
    assert (ran.status, ran.out) == (2, "")
    assert ran.err.startswith("flow-lsp: the contracts file contracts.json cannot be used.")
    assert sentence in ran.err
    assert not Path("ran").exists()


@pytest.mark.usefixtures("drifted")
def test_a_contract_of_another_folder_changes_nothing(run: Run) -> None:
    record(run)
    Path("elsewhere").mkdir()
    Path(FILE).rename(f"elsewhere/{FILE}")
    ran = run("check", "--no-describe", "--contracts", f"elsewhere/{FILE}", ".")
    assert ran.status == 0
    assert "not run: `" in ran.out
