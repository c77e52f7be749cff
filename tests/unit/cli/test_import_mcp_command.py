"""`flow-lsp import-mcp`: declarations of an MCP server's tools, bound to it, and nothing of the user's written over."""

from __future__ import annotations

import json
import tomllib
from pathlib import Path
from typing import Any

import pytest
from support.command_line import Run, mcp_command, mcp_table, write

TEXT = {"type": "string"}
TOOLS: list[Any] = [
    {
        "name": "find",
        "description": "Finds things.",
        "inputSchema": {"type": "object", "properties": {"query": TEXT}, "required": ["query"]},
        "outputSchema": {"type": "object", "properties": {"query": TEXT}, "required": ["query"]},
    },
    {"name": "get-sum", "inputSchema": {"type": "object"}},
]


@pytest.fixture
def server() -> str:
    """A command that starts a server of these tools, and leaves a line in `starts` each time."""
    write({"tools.json": json.dumps(TOOLS)})
    return mcp_command("--tools", "tools.json", "--log", "starts", "--name", "Finder 2")


def starts(folder: str = ".") -> int:
    path = Path(folder, "starts")
    return len(path.read_text("utf-8").splitlines()) if path.exists() else 0


def test_declarations_are_written_and_the_table_alone_is_printed(run: Run, server: str) -> None:
    ran = run("import-mcp", server, "-o", "find.flow")
    assert ran.status == 0
    assert ran.out == mcp_table("find.flow", server)
    assert "flow-lsp: find.flow declares 1 Tool of Finder 2 1.5.\n" in ran.err
    assert "  The tool `get-sum` is left out: its name is no Flow name" in ran.err
    assert "/// Finds things.\n@tool\npub fn find(\n" in Path("find.flow").read_text("utf-8")
    assert not Path("flow.toml").exists()


def test_what_is_imported_is_all_clear_and_can_be_called(run: Run, server: str) -> None:
    ran = run("import-mcp", server, "-o", "find.flow", "--manifest")
    assert (ran.status, ran.out) == (0, "")
    assert ran.err.endswith("flow-lsp: flow.toml binds it to the server.\n")
    assert Path("flow.toml").read_text("utf-8") == mcp_table("find.flow", server)
    checked = run("check", "--trust", "--verbose")
    assert checked.status == 0
    assert "offered  find.find  mcp " in checked.out
    assert checked.out.endswith("All clear: 1 Tool in 2 files checked.\n")
    called = run("call", "find.flow:find", "--args", '{"query": "flow"}', "--trust")
    assert (called.status, called.out) == (0, '{"Ok":{"query":"flow"}}\n')


def test_without_a_name_the_file_is_called_like_the_server(run: Run, server: str) -> None:
    assert run("import-mcp", server, "--manifest").status == 0
    assert Path("finder_2.flow").exists()
    assert list(tomllib.loads(Path("flow.toml").read_text("utf-8"))["tools"]) == ["finder_2.flow"]
    assert "finder_2.flow exists already. Pass --force" in run("import-mcp", server).err


def test_no_file_is_written_over_without_force_and_the_server_is_not_even_started(run: Run, server: str) -> None:
    write({"find.flow": "mine"})
    ran = run("import-mcp", server, "-o", "find.flow")
    assert (ran.status, ran.out, starts()) == (2, "", 0)
    assert "find.flow exists already. Pass --force to write over it." in ran.err
    assert Path("find.flow").read_text("utf-8") == "mine"
    assert run("import-mcp", server, "-o", "find.flow", "--force").status == 0
    assert "pub fn find(" in Path("find.flow").read_text("utf-8")


@pytest.mark.parametrize("name", ["folder.flow", "link.flow"])
def test_what_is_no_file_is_not_written_over_even_with_force(run: Run, server: str, name: str) -> None:
    Path("folder.flow").mkdir()
    Path("link.flow").symlink_to("nothing")
    ran = run("import-mcp", server, "-o", name, "--force")
    assert (ran.status, starts()) == (2, 0)
    assert f"{name} exists already. Name another one." in ran.err


# -- flow.toml -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "between"),
    [
        (b'# mine\n[tools."a.flow"]   # why\ncommand = "a"\n', b"\n"),
        (b'[tools."a.flow"]\r\ncommand = "a"  # last', b"\r\n\r\n"),
        (b'\xef\xbb\xbf[tools."a.flow"]\ncommand = "\xc3\xbc"\n\n', b""),
        (b"", b""),
    ],
)
def test_a_manifest_stays_as_it_is_to_the_byte_before_the_table(
    run: Run, server: str, text: bytes, between: bytes
) -> None:
    write({"flow.toml": text})
    assert run("import-mcp", server, "-o", "find.flow", "--manifest").status == 0
    line_end = b"\r\n" if b"\r\n" in text else b"\n"
    table = mcp_table("find.flow", server).encode().replace(b"\n", line_end)
    assert Path("flow.toml").read_bytes() == text + between + table


def test_the_nearest_manifest_is_the_one_and_the_server_runs_in_its_directory(run: Run, server: str) -> None:
    write({"flow.toml": "", "sub/flow.toml": "", "sub/deep/x": "", "sub/tools.json": json.dumps(TOOLS)})
    assert run("import-mcp", server, "-o", "sub/deep/find.flow", "--manifest").status == 0
    assert Path("flow.toml").read_text("utf-8") == ""
    assert Path("sub/flow.toml").read_text("utf-8") == mcp_table("deep/find.flow", server)
    assert (starts("sub"), starts()) == (1, 0)
    assert run("check", "--trust").status == 0


def test_where_no_manifest_stands_above_it_one_is_made_in_the_working_directory(run: Run, server: str) -> None:
    write({"sub/x": ""})
    assert run("import-mcp", server, "-o", "sub/find.flow", "--manifest").status == 0
    assert Path("flow.toml").read_text("utf-8") == mcp_table("sub/find.flow", server)
    assert starts() == 1


def test_a_file_beside_the_working_directory_has_its_manifest_beside_it(run: Run, tmp_path: Path) -> None:
    (tmp_path / "other").mkdir()
    ran = run("import-mcp", mcp_command(), "-o", "../other/find.flow", "--manifest")
    assert ran.status == 0
    assert (tmp_path / "other" / "flow.toml").exists()
    assert not Path("flow.toml").exists()


def test_a_table_that_says_the_same_stays(run: Run, server: str) -> None:
    manifest = "# mine\n" + mcp_table("./find.flow", server)
    write({"flow.toml": manifest})
    assert run("import-mcp", server, "-o", "find.flow", "--manifest").status == 0
    assert Path("flow.toml").read_text("utf-8") == manifest


@pytest.mark.parametrize(
    ("manifest", "sentence"),
    [
        ('[tools."find.flow"]\ncommand = "mine"\n', 'has a table [tools."find.flow"] already, with command = mine.'),
        ('[tools."find.flow"]\nmcp = "other"\n', 'has a table [tools."find.flow"] already, with mcp = other.'),
        ("bogus = 1\n", "flow.toml has an error, so nothing is added to it."),
        ("[tools", "flow.toml has an error, so nothing is added to it."),
        (b"\xff", "flow.toml cannot be read, so nothing is done."),
    ],
)
def test_a_manifest_that_cannot_take_it_is_refused_before_anything_runs(
    run: Run, server: str, manifest: Any, sentence: str
) -> None:
    write({"flow.toml": manifest})
    ran = run("import-mcp", server, "-o", "find.flow", "--manifest", "--force")
    assert (ran.status, ran.out, starts()) == (2, "", 0)
    assert sentence in ran.err
    assert not Path("find.flow").exists()


def test_a_manifest_whose_tables_are_inline_is_left_to_the_user(run: Run, server: str) -> None:
    write({"flow.toml": "tools = {}\n"})
    ran = run("import-mcp", server, "-o", "find.flow", "--manifest")
    assert ran.status == 2
    assert "no table can be put behind the others in flow.toml: add the one above by hand." in ran.err
    assert '[tools."find.flow"]' in ran.err
    assert (Path("flow.toml").read_text("utf-8"), Path("find.flow").exists()) == ("tools = {}\n", False)


# -- servers and arguments -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (("exits",), "ended with exit status 3 before it answered."),
        (("no-mcp",), "answered initialize with error -32601: method not found."),
        (("--revision", "2099-01-01"), "speaks MCP 2099-01-01, and this host speaks MCP 2024-11-05, "),
        (("no-tools",), "offers no tool that can be declared, so nothing is written."),
    ],
)
def test_a_server_that_gives_no_tools_writes_nothing(run: Run, arguments: tuple[str, ...], sentence: str) -> None:
    ran = run("import-mcp", mcp_command(*arguments), "-o", "find.flow", "--manifest")
    assert (ran.status, ran.out) == (1, "")
    assert sentence in ran.err
    assert not Path("find.flow").exists()
    assert not Path("flow.toml").exists()


def test_tools_of_which_none_can_be_declared_are_named(run: Run) -> None:
    write({"tools.json": json.dumps(TOOLS[1:])})
    ran = run("import-mcp", mcp_command("--tools", "tools.json"), "-o", "find.flow")
    assert (ran.status, ran.out, Path("find.flow").exists()) == (1, "", False)
    assert "The tool `get-sum` is left out" in ran.err


def test_more_tools_than_are_read_of_one_file_write_nothing(run: Run) -> None:
    names = {f"p{number}": TEXT for number in range(900)}
    entries = [{"name": f"f{number}", "inputSchema": {"type": "object", "properties": names}} for number in range(60)]
    write({"tools.json": json.dumps(entries)})
    ran = run("import-mcp", mcp_command("--tools", "tools.json"), "-o", "find.flow", "--manifest")
    assert (ran.status, ran.out, Path("find.flow").exists()) == (2, "", False)
    assert "these tools are more than what is read of one .flow file, so nothing is written." in ran.err


def test_a_server_has_the_time_that_it_is_given(run: Run) -> None:
    ran = run("import-mcp", mcp_command("silent"), "-o", "find.flow", "--timeout", "0.3")
    assert ran.status == 1
    assert "did not answer within 0.3 s." in ran.err


def test_a_program_that_is_not_there_is_said(run: Run) -> None:
    ran = run("import-mcp", "no-such-program-anywhere", "-o", "find.flow")
    assert ran.status == 1
    assert "no-such-program-anywhere is in no directory of PATH." in ran.err


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["x", "-o", "find.txt"], "find.txt does not end in .flow"),
        (["x", "-o", "gone/find.flow"], "there is no folder gone."),
        (["x", "-o", ""], "is no path of a .flow file."),
        (["x", "-o", "a\\b.flow"], "can be no key of a flow.toml: it has a backslash."),
        (["'x", "-o", "find.flow"], "the quote ' is not closed"),
        ([" ", "-o", "find.flow"], "import-mcp names no program."),
        ([], "required"),
    ],
)
def test_what_cannot_be_is_wrong_usage(run: Run, arguments: list[str], sentence: str) -> None:
    ran = run("import-mcp", *arguments)
    assert (ran.status, ran.out) == (2, "")
    assert sentence in ran.err


def test_nothing_is_kept_of_a_server_that_was_named(run: Run, server: str, tmp_path: Path) -> None:
    run("import-mcp", server, "-o", "find.flow")
    assert not (tmp_path / "state").exists()
