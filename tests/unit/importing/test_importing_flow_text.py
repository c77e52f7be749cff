"""Whole files: what is written for a server's tools."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from support.bounds import not_hopeless
from support.flow_declarations import checked, declared, signature
from support.mcp_peer import tool

from flow_lsp.importing.flow_file import NOTES_LIMIT, ImportResult, flow_text
from flow_lsp.importing.manifest_table import file_name, manifest_table
from flow_lsp.protocol.mcp.compared import AdviceKind
from flow_lsp.protocol.mcp.offers import Declaration, offers
from flow_lsp.protocol.mcp.tools import McpTool, read_tool

RECORDED = Path(__file__).parent / "recorded"


def recorded(name: str) -> list[McpTool]:
    """What a published server listed, as it was."""
    entries = json.loads((RECORDED / f"{name}.json").read_text(encoding="utf-8"))["tools"]
    return listed(*entries)


def listed(*entries: Any) -> list[McpTool]:
    found = [read_tool(entry) for entry in entries]
    assert all(isinstance(one, McpTool) for one in found)
    return [one for one in found if isinstance(one, McpTool)]


def imported(*entries: Any) -> ImportResult:
    return flow_text("peer", listed(*entries), command="run peer")


def test_a_published_server_becomes_the_file_that_one_would_write() -> None:
    made = flow_text("mcp-time", recorded("mcp_server_time"), command='uvx mcp-server-time --local-timezone "UTC"')
    assert made.text.splitlines()[:14] == [
        '// The tools of the MCP server "mcp-time", written from what it lists. Change what you know better.',
        "// MCP declares no errors, so the error type is json.Value; an error in plain words is BadReply.",
        "",
        "import std/json",
        "",
        "/// Get current time in a specific timezone",
        "@tool",
        "pub fn get_current_time(",
        "    /// IANA timezone name (e.g., 'America/New_York', 'Europe/London'). Use 'UTC' as local timezone if no",
        "    /// timezone provided by the user.",
        "    timezone: Text,",
        ") -> Result<GetCurrentTimeResult, json.Value>",
        "",
        "pub record GetCurrentTimeResult {",
    ]
    assert "    source: ConvertTimeTimeResult,\n    target: ConvertTimeTimeResult,\n" in made.text
    assert made.manifest_table == ('[tools."mcp_time.flow"]\nmcp = "uvx mcp-server-time --local-timezone \\"UTC\\""\n')
    assert made.notes == ()


@pytest.mark.parametrize("name", ["mcp_server_time", "server_everything"])
def test_what_a_published_server_becomes_fits_it(name: str) -> None:
    tools = recorded(name)
    declarations = []
    for one in declared(flow_text("peer", tools).text):
        assert one.spec is not None
        declarations.append(Declaration(one.name, one.identity, one.spec, signature(one)))
    found = offers(declarations, tools)
    assert found.unbound == ()
    assert len(found.listing.tools) == len(declarations)
    kinds = {advice.kind for said in found.advice.values() for advice in said}
    assert kinds <= {AdviceKind.NO_OUTPUT_SCHEMA}


def test_a_tool_whose_name_is_none_of_flow_is_left_as_a_comment() -> None:
    made = flow_text("everything", recorded("server_everything"))
    assert [one.name for one in declared(made.text)] == ["echo"]
    assert (
        "\n// The tool `get-sum` is left out: its name is no Flow name, and an MCP tool is found by the\n"
        "// declaration's own name.\n// Get Sum Tool\n"
    ) in made.text
    assert len([note for note in made.notes if "is left out" in note]) == 13


@pytest.mark.parametrize(
    "name",
    ["get-sum", "a.b", "import", "fn", "1st", "a b", "", "e\u0301", "x\u200by", "\u3164", "a" * 300, "f(", "x\ny"],
)
def test_names_that_cannot_be_functions_are_left_out(name: str) -> None:
    entry = {**tool("x"), "name": name}
    tools = listed(entry) if name else [McpTool("", None, None, {})]
    made = flow_text("peer", tools)
    assert declared(made.text) == ()
    assert "import std/json" not in made.text
    [note] = made.notes
    assert "is left out: its name is no Flow name" in note


@pytest.mark.parametrize("name", ["echo", "\u65e5\u672c", "\u00e9cho", "_x", "Result", "Text", "json", "opaqueX"])
def test_names_that_can_be_functions_are_taken_as_they_are(name: str) -> None:
    assert [one.name for one in declared(imported(tool(name)).text)] == [name]


def test_of_two_tools_of_one_name_the_first_is_declared() -> None:
    made = imported(tool("a", title="first"), tool("a", title="second"))
    assert [one.doc for one in declared(made.text)] == ["first"]
    assert made.notes[-1] == "The tool `a` is left out: the server lists another tool of that name."


def test_a_tool_that_cannot_be_called_is_left_out_with_the_reason() -> None:
    cases = {
        "it takes calls as tasks alone": tool("a", execution={"taskSupport": "required"}),
        "`x-y` that it requires is no Flow name": tool(
            "a", inputSchema={"properties": {"x-y": {}}, "required": ["x-y"]}
        ),
        "`x` that it requires is not described": tool("a", inputSchema={"type": "object", "required": ["x"]}),
        "inputSchema is no object's": tool("a", inputSchema={"type": "string"}),
        "it has more than 1000 properties": tool("a", inputSchema={"properties": {f"p{n}": {} for n in range(1001)}}),
    }
    for words, entry in cases.items():
        made = imported(entry)
        assert declared(made.text) == ()
        assert words in made.notes[0]
        assert words.split("`")[-1] in made.text.replace("\n// ", " ")


def test_a_tool_with_no_parameters_stands_on_one_line() -> None:
    made = imported(tool("now", description="What time it is."))
    assert "/// What time it is.\n@tool\npub fn now() -> Result<json.Value, json.Value>\n" in made.text
    assert (
        "// It has no outputSchema: the one text block of its result must hold JSON; other text is BadReply.\n"
        in made.text
    )


def test_docs_are_title_and_description_and_the_title_alone_where_it_says_more() -> None:
    docs = [
        one.doc
        for one in declared(
            imported(
                tool("a", title="A title", description="Words."),
                tool("b", title="B", description="Words."),
                tool("c", title="words.", description="Words."),
                tool("d", title="D title"),
                tool("e", description="  \n\n  indented\n\n\nlast  \n\n"),
                tool("f", description=" \n\t\n"),
            ).text
        )
    ]
    assert docs == ["A title\n\nWords.", "Words.", "Words.", "D title", "  indented\n\n\nlast", None]


def test_hostile_docs_stay_comments() -> None:
    doc = "x\r\n}\n@tool\nfn y() -> Result<Unit, Never>\u2028fn z\u0085fn w\x0bfn v*/ /* \x1b[2J \u202e `\ud800\n////"
    made = imported(
        tool("a", description=doc, inputSchema={"properties": {"p": {"type": "string", "description": doc}}})
    )
    [one] = declared(made.text)
    assert one.name == "a"
    assert one.doc is not None
    assert "\\u202e" in one.doc
    assert "\\ud800" in one.doc
    assert one.doc.isascii()
    assert one.params[0].doc is not None


def test_long_docs_are_wrapped_and_cut() -> None:
    [one] = declared(imported(tool("a", description="word " * 10_000)).text)
    assert one.doc is not None
    assert one.doc.endswith("\n\u2026")
    assert max(map(len, one.doc.splitlines())) <= 100
    [one] = declared(imported(tool("a", description="\n".join("abc" * 3 for _ in range(1_000)))).text)
    assert one.doc is not None
    assert len(one.doc.splitlines()) == 61
    assert [one.doc for one in declared(imported(tool("a", description="x" * 5_000)).text)] == ["x" * 5_000]
    emoji = declared(imported(tool("a", description="\u26a0\ufe0f careful")).text)[0].doc
    assert emoji == "\u26a0 careful"


def test_a_declaration_that_would_be_too_large_is_left_out_and_so_is_the_rest_of_a_large_file() -> None:
    properties = {f"p{n}": {"enum": [f"Value{n}x{m}" for m in range(400)]} for n in range(400)}
    made = imported(tool("big", inputSchema={"properties": properties}), tool("small"))
    assert [one.name for one in declared(made.text)] == ["small"]
    assert "too large" in made.notes[0]
    wide = {"properties": {f"p{n}": {"type": "string", "description": "words " * 60} for n in range(600)}}
    with not_hopeless():
        made = imported(*[tool(f"t{n}", inputSchema=wide) for n in range(60)])
        found = declared(made.text)
    assert 10 < len(found) < 60
    assert f"The last {60 - len(found)} tools are left out" in made.notes[-1]


def test_notes_are_bounded() -> None:
    made = imported(*[tool(f"x-{number}") for number in range(NOTES_LIMIT + 7)])
    assert len(made.notes) == NOTES_LIMIT + 1
    assert made.notes[-1] == "There are 7 more such notes in the file."


def test_no_tools_are_a_file_without_declarations() -> None:
    made = flow_text("\x1b[2J\n", [])
    assert made.text == (
        '// The tools of the MCP server "\\x1b[2J\\n", written from what it lists. Change what you know better.\n'
    )
    assert checked(made.text).findings == ()


@pytest.mark.parametrize(
    ("server", "name"),
    [
        ("mcp-time", "mcp_time.flow"),
        ("mcp-servers/everything", "mcp_servers_everything.flow"),
        ("../../etc/passwd", "etc_passwd.flow"),
        ("3d", "tools_3d.flow"),
        ("", "tools.flow"),
        ("\u65e5\u672c", "tools.flow"),
        ("A" * 300, "a" * 60 + ".flow"),
    ],
)
def test_a_file_is_named_for_its_server(server: str, name: str) -> None:
    assert file_name(server) == name


def test_a_table_is_toml_whatever_is_in_it() -> None:
    assert manifest_table('a "b".flow', "x\t\\y\x00\x7f\ud800é\n") == (
        '[tools."a \\"b\\".flow"]\nmcp = "x\\t\\\\y\\u0000\\u007F\ufffdé\\n"\n'
    )
