"""`flow-lsp check`: what is looked at, what is said of it, and the exit status."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from support.command_line import FIND, Run, command_line, serve, table, write


def codes(run: Run, *arguments: str) -> list[tuple[str, str]]:
    """The paths and codes of the findings."""
    found = run("check", "--no-describe", "--format", "json", *arguments)
    return [(each["path"], each["code"]) for each in found.json["diagnostics"]]


def test_a_finding_has_its_place_its_line_carets_and_a_remedy(run: Run) -> None:
    write({"a.flow": "// Tools\n" + FIND})
    ran = run("check")
    assert ran.status == 1
    assert ran.out == (
        "a.flow:3:4: error[unbound-no-manifest]: `find` is unbound: there is no flow.toml in this file's directory or "
        'above it. Create one whose table [tools."a.flow"] names a command or an MCP server.\n'
        "   |\n"
        " 3 | fn find(query: Text) -> Result<Int, Never>\n"
        "   |    ^^^^\n"
        "\n"
        "1 error (1 Tool in 1 file checked)\n"
    )


def test_carets_stand_under_wide_and_after_combining_letters(run: Run) -> None:
    write({"flow.toml": 'tools = { "字e\u0301.flow" = { bogus = 1, mcp = "m" } }'})
    lines = run("check", "--no-describe").out.splitlines()
    found = next(number for number, line in enumerate(lines) if "[unknown-key]" in line)
    source, carets = lines[found + 2 : found + 4]
    # One wide letter takes a column more than it has letters, one combining mark none.
    assert carets.index("^") == source.index("bogus") + 1 - 1
    assert carets.count("^") == len("bogus")


def test_a_very_long_line_is_shown_in_part(run: Run) -> None:
    write({"a.flow": " " * 3_000_000 + "@tool fn f(a: Nope) -> Result<Int, Never>" + "/" * 1000})
    ran = run("check", "--no-describe")
    assert ran.status == 1
    assert "unknown-type" in ran.out
    assert max(map(len, ran.out.splitlines())) < 400
    assert " ^^^^" in ran.out


def test_a_workspace_that_fits_is_all_clear(run: Run) -> None:
    write({"a.flow": FIND, "flow.toml": table("a.flow", command_line())})
    serve(run, "a.flow:find")
    ran = run("check", "--trust")
    assert (ran.status, ran.out) == (0, "All clear: 1 Tool in 2 files checked.\n")
    assert ran.err == ""


def test_where_no_tool_is_declared_nothing_is_all_clear(run: Run) -> None:
    write({"a.flow": "fn one() { 1 }\n"})
    assert run("check", "--trust").out == "No Tool is declared in 1 file.\n"
    write({"a.flow": "@tol\npub fn one(x: Int) -> Result<Int, Never>\n"})
    ran = run("check", "--trust")
    assert "warning[misspelt]: `@tol` declares nothing, so this is skipped. Is `@tool` meant?" in ran.out
    assert ran.out.endswith("1 warning (0 Tools in 1 file checked)\n")


def test_what_drifted_is_an_error_and_verbose_lists_every_tool(run: Run) -> None:
    other = "@tool\nfn other() -> Result<Int, Never>\n"
    write({"a.flow": FIND + other, "b.flow": FIND, "flow.toml": table("a.flow", command_line())})
    serve(run, "a.flow:find", "a.flow:other", changed={"query: Text": "query: Int"})
    ran = run("check", "--trust", "--verbose")
    assert ran.status == 1
    assert "a.flow:2:4: error[drift]: `find` no longer fits" in ran.out
    assert "    = flow.toml:1:1: bound to `" in ran.out
    states = [line.split()[:3] for line in ran.out.splitlines() if "nothing answers" in line or "  command" in line]
    assert states == [["drift", "a.find", "command"], ["fits", "a.other", "command"], ["unbound", "b.find", "nothing"]]


def test_without_a_terminal_nothing_runs_and_that_is_said(run: Run) -> None:
    write({"a.flow": FIND, "flow.toml": table("a.flow", command_line()), "serve.py": "open('ran', 'w')"})
    ran = run("check")
    assert ran.status == 0
    assert "Pass --trust, or answer the question on a terminal." in ran.out
    assert "No errors in what could be checked" in ran.out
    assert not Path("ran").exists()


def test_no_describe_runs_nothing_even_with_trust(run: Run) -> None:
    write({"a.flow": FIND, "flow.toml": table("a.flow", command_line()), "serve.py": "open('ran', 'w')"})
    ran = run("check", "--no-describe", "--trust")
    assert ran.status == 0
    assert "--no-describe was given." in ran.out
    assert not Path("ran").exists()


def test_a_last_answer_is_shown_with_its_age_where_nothing_may_run(run: Run) -> None:
    write({"a.flow": FIND, "flow.toml": table("a.flow", command_line())})
    serve(run, "a.flow:find", changed={"query: Text": "query: Int"})
    assert run("check", "--trust").status == 1
    ran = run("check", "--verbose")
    assert ran.status == 1
    assert "error[drift]" in ran.out
    assert "(as of " in ran.out


def test_a_warning_alone_leaves_the_status_at_zero(run: Run) -> None:
    write({"flow.toml": '[tools."gone.flow"]\nmcp = "cat"\n'})
    ran = run("check")
    assert ran.status == 0
    assert ran.out.splitlines()[-1] == "1 warning (0 Tools in 1 file checked)"


def test_an_empty_folder_is_said_to_be_empty(run: Run) -> None:
    ran = run("check")
    assert (ran.status, ran.out) == (0, "There is no .flow file and no flow.toml here, so nothing was checked.\n")


@pytest.mark.parametrize("name", ["sp ace", "ünï", "-x", "a:b", "100% #1", "line\nend", "\x1b[31m"])
def test_folders_and_files_of_any_name(run: Run, name: str) -> None:
    write({f"{name}/{name}.flow": FIND})
    assert codes(run, "--", name) == [(f"{name}/{name}.flow", "unbound-no-manifest")]
    assert codes(run, "--", f"{name}/{name}.flow") == [(f"{name}/{name}.flow", "unbound-no-manifest")]
    text = run("check", "--no-describe", "--", name).out
    assert "\x1b" not in text
    assert len(text.splitlines()) == 6


def test_a_path_that_is_not_there_is_wrong_usage(run: Run) -> None:
    ran = run("check", "nowhere")
    assert (ran.status, ran.out, ran.err) == (2, "", "flow-lsp: nowhere does not exist.\n")


def test_a_file_of_another_kind_is_wrong_usage(run: Run) -> None:
    write({"a.txt": "x"})
    ran = run("check", "a.txt")
    assert ran.status == 2
    assert "neither a folder nor a .flow file nor a flow.toml" in ran.err


def test_no_path_means_the_working_directory(run: Run) -> None:
    write({"sub/a.flow": FIND})
    assert codes(run) == codes(run, ".") == [("sub/a.flow", "unbound-no-manifest")]


def test_a_manifest_above_the_folder_named_binds_but_is_not_reported_on(run: Run) -> None:
    write({"flow.toml": table("sub/a.flow", "no-such-program-anywhere") + "bogus = 1\n", "sub/a.flow": FIND})
    assert codes(run, "sub") == []  # a manifest with an error silences the rest
    write({"flow.toml": table("sub/a.flow", "no-such-program-anywhere")})
    assert codes(run, "sub") == [("sub/a.flow", "unbound-no-program")]


def test_only_the_file_named_is_looked_at(run: Run) -> None:
    write({"a.flow": FIND, "b.flow": FIND})
    assert codes(run, "b.flow") == [("b.flow", "unbound-no-manifest")]


def test_a_file_is_looked_at_when_it_is_named_though_a_scan_passes_it_by(run: Run) -> None:
    write({".hidden.flow": FIND, "node_modules/a.flow": FIND})
    assert codes(run) == []
    assert codes(run, ".hidden.flow", "node_modules/a.flow") == [
        (".hidden.flow", "unbound-no-manifest"),
        ("node_modules/a.flow", "unbound-no-manifest"),
    ]


def test_several_folders_are_one_workspace_and_a_file_of_two_is_checked_once(run: Run) -> None:
    write({"one/a.flow": FIND, "one/inner/b.flow": FIND, "two/c.flow": FIND})
    expected = ["one/a.flow", "one/inner/b.flow", "two/c.flow"]
    for paths in (["one", "two", "one/inner"], ["one/inner", "two", "one"], ["two", "one", "one/a.flow"]):
        ran = run("check", "--no-describe", "--format", "json", *paths)
        assert [each["path"] for each in ran.json["diagnostics"]] == expected, paths
        assert ran.json["summary"]["files"] == 3


def test_options_may_stand_between_paths(run: Run) -> None:
    write({"one/a.flow": FIND, "two/c.flow": FIND})
    ran = run("check", "one", "--no-describe", "two", "--format", "json")
    assert len(ran.json["diagnostics"]) == 2


def test_a_folder_reached_by_a_link_is_reported_under_the_link(run: Run) -> None:
    write({"real/a.flow": FIND})
    Path("link").symlink_to("real")
    assert codes(run, "link") == [("link/a.flow", "unbound-no-manifest")]
    assert codes(run, "link", "real") == [("link/a.flow", "unbound-no-manifest")]
    assert codes(run, "real/../link/a.flow") == [("link/a.flow", "unbound-no-manifest")]


def test_loops_of_links_end(run: Run) -> None:
    write({"a/a.flow": FIND})
    Path("a/self").symlink_to(".")
    Path("a/up").symlink_to("..")
    Path("a/x.flow").symlink_to("x.flow")
    assert codes(run, "a") == [("a/a.flow", "unbound-no-manifest"), ("a/x.flow", "unreadable-source")]


def test_a_directory_called_flow_toml_is_one_finding_and_unbinds_nothing(run: Run) -> None:
    write({"a.flow": FIND, "flow.toml/keep": ""})
    expected = [("flow.toml", "unreadable-manifest")]
    assert codes(run) == codes(run, "flow.toml") == expected


def test_text_that_is_no_utf8_is_one_finding_for_each_file(run: Run) -> None:
    write({"a.flow": b"\xff\xfe", "flow.toml": b'a = "\xff"'})
    assert codes(run) == [("a.flow", "unreadable-source"), ("flow.toml", "unreadable-manifest")]
    assert "line 1, column 6" in run("check").out


def test_a_pipe_is_not_waited_for(run: Run) -> None:
    os.mkfifo("a.flow")
    assert codes(run) == codes(run, "a.flow") == [("a.flow", "unreadable-source")]


def test_a_name_that_is_no_utf8_is_said_and_not_looked_at(run: Run) -> None:
    name = os.fsdecode(b"b\xff.flow")
    write({name: FIND})
    ran = run("check")
    assert ran.status == 0
    assert "not looked at: b\\udcff.flow: The name of this file is not UTF-8" in ran.out
    assert run("check", name).status == 2
    assert run("check", "--format", "json").json["summary"]["not_looked_at"][0]["path"] == name
    for form in ("sarif", "github"):
        assert "The name of this file is not UTF-8" in run("check", "--format", form).out


def test_messages_name_other_files_as_one_would_write_them_there(run: Run, folder: Path) -> None:
    write({"flow.toml": table("sub/a.flow", "true"), "sub/flow.toml": "", "sub/deep/a.flow": FIND, "sub/a.flow": FIND})
    ran = run("check", "--no-describe")
    assert "`find` is unbound: ../flow.toml has no table for this file." in ran.out
    assert "The table for it in ../flow.toml does not count" in ran.out
    assert "the nearest flow.toml of `sub/a.flow` is sub/flow.toml." in ran.out
    assert str(folder) not in ran.out


def test_with_a_workspace_folder_paths_only_choose(run: Run) -> None:
    write(
        {
            "sub/a.flow": "import ../types\n@tool\nfn f(h: types.Hit) -> Result<Int, Never>\n",
            "types.flow": "record Hit { a: Int }",
        }
    )
    assert codes(run, "sub/a.flow") == [("sub/a.flow", "import")]
    assert codes(run, "--workspace", ".", "sub/a.flow") == [("sub/a.flow", "unbound-no-manifest")]
    assert codes(run, "--workspace", ".") == codes(run)
    ran = run("check", "--workspace", "sub", "types.flow")
    assert ran.status == 2
    assert "not in the folder that --workspace names" in ran.err
    assert run("check", "--workspace", "nope").status == 2


def test_an_override_binds_a_tool_by_its_identity(run: Run) -> None:
    write({"a.flow": FIND})
    serve(run, "a.flow:find")
    ran = run("check", "--trust", "--format", "json", "--override", f"a.find={command_line()}")
    assert ran.status == 0
    (tool,) = ran.json["tools"]
    assert tool["state"] == "fits"
    assert tool["binding"]["origin"] == "override"


def test_an_override_of_nothing_is_said(run: Run) -> None:
    write({"a.flow": FIND})
    ran = run("check", "--override", "a.fin=true")
    assert ran.status == 1
    assert "--override a.fin changes nothing" in ran.err
    assert "Is a.find meant?" in ran.err


def test_a_repository_folder_gives_repository_identities(run: Run) -> None:
    write({"kit/search.flow": FIND, "app/a.flow": "import acme/kit/search\n"})
    (tool,) = run("check", "--format", "json", "kit", "--repository", "acme/kit@1.2.0").json["tools"]
    assert tool["tool"] == "acme/kit@1.2.0/search.find"
    assert codes(run, "app", "--repository", "acme/kit@1.2.0=kit") == [("app/a.flow", "unused-import")]
    assert codes(run, "app") == [("app/a.flow", "import")]


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["--repository", "acme"], "NAME@VERSION or NAME@VERSION=FOLDER is expected, such as acme/kit@1.2.0"),
        (["--repository", "a@1=nope"], "there is no folder nope"),
        (["--repository", "a@1", "--repository", "a@2=."], "names a twice"),
        (["--repository", "a@1", "--repository", "b@2=."], "is both a and b"),
        (["--override", "x"], "IDENTITY=COMMAND is expected, such as 'search.find=python3 fake.py'"),
        (["--override", "x=a 'b"], "the quote ' is not closed"),
        (["--override", "x=  "], "no command stands behind the `=`"),
        (["--override", "x=a", "--override", "x=b"], "names x twice"),
        ([""], "is no path"),
        (["a\0b"], "is no path"),
    ],
)
def test_arguments_that_cannot_be_used_are_said_with_an_example(run: Run, arguments: list[str], sentence: str) -> None:
    ran = run("check", *arguments)
    assert (ran.status, ran.out) == (2, "")
    assert sentence in ran.err


def test_a_fault_of_our_own_does_not_look_like_findings(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    def faulty(*_: object, **__: object) -> None:
        raise ValueError("a fault")

    monkeypatch.setattr("flow_lsp.cli.check.make_report", faulty)
    ran = run("check")
    assert (ran.status, ran.out) == (2, "")
    assert ran.err.endswith(
        "ValueError: a fault\nflow-lsp: this is a fault of flow-lsp itself, not of your files; please "
        "report it with the lines above.\n"
    )


def test_a_working_directory_that_is_gone_is_said(run: Run) -> None:
    gone = Path("gone").resolve()
    gone.mkdir()
    os.chdir(gone)
    gone.rmdir()
    ran = run("check")
    assert (ran.status, ran.err) == (2, "flow-lsp: the working directory does not exist any more.\n")
