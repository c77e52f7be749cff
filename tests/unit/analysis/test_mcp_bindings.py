"""Declarations behind an MCP server: what is said of them, and of the server, from what it last listed."""

from __future__ import annotations

from typing import Any

import pytest
from support.mcp_answers import offers, says
from support.mcp_peer import INITIALIZE, error, initialized, page, result, tool
from support.snapshots import Fixture, fixture, snapshot

from flow_lsp.analysis.engine import Analysis
from flow_lsp.analysis.hover import ToolState, tool_state
from flow_lsp.analysis.places import hover_at
from flow_lsp.analysis.snapshot import Described, Settings, Snapshot, Standing
from flow_lsp.binding.model import CommandKey
from flow_lsp.findings.model import Finding, Severity
from flow_lsp.manifest.model import BindingKind

WORKSPACE = """
//- flow.toml
[tools."a.flow"]
mcp = "npx server"
//- a.flow
record Hit { title: Text, score: Int }
@tool
fn find(query: Text) -> Result<Hit, Never>
// ^^^^
"""
KEY = CommandKey("/w", ("npx", "server"), BindingKind.MCP)
TEXT = {"type": "string"}
HIT = {
    "type": "object",
    "properties": {"title": TEXT, "score": {"type": "integer"}},
    "required": ["title", "score"],
}


def schema(required: list[str] | None = None, **properties: Any) -> dict[str, Any]:
    return {"type": "object", "properties": properties, "required": [*properties] if required is None else required}


FIND = {"name": "find", "inputSchema": schema(query=TEXT), "outputSchema": HIT}


def of(known: Described | None, made: Fixture | None = None, **more: Any) -> Snapshot:
    return snapshot(made or fixture(WORKSPACE), described={} if known is None else {KEY: known}, **more)


def said(at: Snapshot, path: str = "/w/a.flow") -> list[Finding]:
    return list(Analysis().findings(at, path))


def only(known: Described, made: Fixture | None = None) -> Finding:
    """The one finding of the source, at its mark, with the table beside it."""
    made = made or fixture(WORKSPACE)
    (finding,) = said(of(known, made))
    assert finding.span == made.marks["a.flow"][0]
    (related,) = finding.related
    assert (related.path, related.message) == ("/w/flow.toml", "bound to `npx server` here")
    return finding


def state(at: Snapshot) -> ToolState:
    (declared,) = Analysis().tools(at, "/w/a.flow")
    return tool_state(at, at.binding_of("/w/a.flow"), declared.declared)


def hover(at: Snapshot, path: str, text: str) -> str:
    whole = at.sources["/w/a.flow"].text if path == "a.flow" else fixture(WORKSPACE).texts[path]
    found = hover_at(Analysis(), at, f"/w/{path}", whole.index(text) + 1)
    assert found is not None
    return found.text


# -- what is offered -------------------------------------------------------------------------------------------


def test_a_tool_that_agrees_is_offered_and_nothing_is_said() -> None:
    at = of(offers(FIND, name="mcp-time", version="2026.10.19"))
    assert said(at) == []
    assert said(at, "/w/flow.toml") == []
    assert (state(at).word, state(at).sentence) == ("offered", "Offered by mcp-time 2026.10.19.")


def test_what_a_server_offers_beside_is_nothing_to_speak_of() -> None:
    assert said(of(offers(FIND, "delete", "create")), "/w/flow.toml") == []


@pytest.mark.parametrize(
    ("tools", "hint"),
    [
        (("Find", "other"), "It has `Find`, and a Tool is answered by the MCP tool of its own name."),
        (("f-i-n-d",), "It has `f-i-n-d`, and a Tool is answered by the MCP tool of its own name. No Flow name can be"),
        (("fnid",), "It has `fnid`, and"),
        (("delete", "create"), "It offers `delete`, `create`."),
        (tuple(f"tool{number}" for number in range(8)), "`tool3`, `tool4` and 3 more."),
        ((), "It offers no tools at all."),
    ],
)
def test_a_declaration_without_a_tool_is_unbound_and_names_what_may_be_meant(tools: Any, hint: str) -> None:
    finding = only(offers(*tools))
    assert (finding.rule.code, finding.rule.severity) == ("unbound-no-mcp-tool", Severity.ERROR)
    assert "the MCP server `npx server` (peer 7) offers no tool `find`." in finding.message
    assert hint in finding.message
    assert state(of(offers(*tools))).word == "unbound"
    assert hint in state(of(offers(*tools))).sentence


def test_a_generic_declaration_is_unbound_whether_the_server_was_asked_or_not() -> None:
    made = fixture(WORKSPACE.replace("find(query: Text)", "find<T>(query: T)"))
    for known in (None, offers(FIND), says(b"x\n")):
        (finding,) = said(of(known, made))
        assert finding.rule.code == "unbound-generic"
        assert state(of(known, made)).word == "unbound"


def test_a_declaration_with_an_error_is_not_judged() -> None:
    made = fixture(WORKSPACE.replace("query: Text", "query: Txt"))
    assert [finding.rule.code for finding in said(of(offers("other"), made))] == ["unknown-type"]
    assert state(of(offers("other"), made)).word == "unknown"


def test_a_server_that_was_not_asked_leaves_it_open() -> None:
    assert said(of(None)) == []
    assert state(of(None)).word == "not checked"


# -- advice ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("entry", "differences"),
    [
        (
            FIND | {"inputSchema": schema(query={"type": "integer"})},
            ["parameter query is Text here and integer there"],
        ),
        (
            FIND | {"inputSchema": schema(q=TEXT)},
            ["parameter query (Text) is declared, and the MCP tool lists none", "requires parameter q (string)"],
        ),
        (
            FIND | {"outputSchema": schema(title=TEXT, score={"type": "number"})},
            ["field score of Hit is Int here and number there"],
        ),
    ],
)
def test_where_schemas_differ_it_is_advice_with_both_sides(entry: Any, differences: list[str]) -> None:
    finding = only(offers(entry))
    assert (finding.rule.code, finding.rule.severity) == ("mcp-differs", Severity.INFORMATION)
    for difference in differences:
        assert difference in finding.message
    found = state(of(offers(entry)))
    assert found.word == "offered"
    assert all(difference in found.sentence for difference in differences)


def test_of_many_differences_the_first_are_told_and_the_others_counted() -> None:
    many = {f"p{number}": TEXT for number in range(9)}
    message = only(offers(FIND | {"inputSchema": schema(query=TEXT, **many)})).message
    assert "requires parameter p3" in message
    assert "requires parameter p4" not in message
    assert "; and 5 more." in message


def test_a_tool_that_does_not_say_what_it_gives_is_a_hint_with_what_is_expected() -> None:
    bare = {name: value for name, value in FIND.items() if name != "outputSchema"}
    finding = only(offers(bare))
    assert (finding.rule.code, finding.rule.severity) == ("mcp-no-output-schema", Severity.HINT)
    assert "nothing promises that its result is Hit" in finding.message
    made = fixture(WORKSPACE.replace("Result<Hit,", "Result<List<Text>,"))
    assert "the success type List<Text> is no object" in only(offers(bare), made).message


def test_a_tool_that_takes_tasks_alone_is_a_warning() -> None:
    finding = only(offers(FIND | {"execution": {"taskSupport": "required"}}))
    assert (finding.rule.code, finding.rule.severity) == ("mcp-task", Severity.WARNING)
    assert said(of(offers(FIND | {"execution": {"taskSupport": "optional"}}))) == []


def test_the_advice_can_be_turned_off() -> None:
    off = Settings(severities={"mcp-differs": None})
    assert said(of(offers(FIND | {"inputSchema": schema(q=TEXT)}), settings=off)) == []


def test_an_edit_changes_what_is_said_though_the_server_is_not_asked_again() -> None:
    analysis, known = Analysis(), offers(FIND, "other")
    found = []
    for name in ("find", "fund", "find", "Other", "other"):
        made = fixture(WORKSPACE.replace("find", name))
        found.append([finding.rule.code for finding in analysis.findings(of(known, made), "/w/a.flow")])
    differ = ["mcp-no-output-schema", "mcp-differs"]
    assert found == [[], ["unbound-no-mcp-tool"], [], ["unbound-no-mcp-tool"], differ]


# -- the server ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("known", "code", "sentence"),
    [
        (says(b"hello\n"), "mcp-failed", "ended with exit status 1 before it answered."),
        (
            says(error(INITIALIZE, -32601, "no such method")),
            "mcp-failed",
            "no such method. Is it an MCP server, and told to speak over its standard input and output?",
        ),
        (
            says(initialized(), result("flow-lsp/tools/list/1", {"tools": 5})),
            "mcp-failed",
            "answered tools/list wrongly",
        ),
        (offers(revision="2099-01-01"), "mcp-revision", "speaks MCP 2099-01-01, and this host speaks MCP 2024-11-05, "),
    ],
)
def test_a_server_that_cannot_be_used_is_told_at_its_table_and_at_the_first_tool(
    known: Described, code: str, sentence: str
) -> None:
    made = fixture(WORKSPACE + "@tool\nfn second() -> Result<Hit, Never>\n")
    at = of(known, made)
    (finding,) = said(at)
    assert finding.rule.code == code
    assert finding.rule.severity is Severity.ERROR
    assert sentence in finding.message
    assert finding.span == made.marks["a.flow"][0]
    at_table = [finding for finding in said(at, "/w/flow.toml") if finding.rule.code != "output-noise"]
    assert [finding.message for finding in at_table] == [finding.message]
    assert {
        tool_state(at, at.binding_of("/w/a.flow"), tool.declared).word for tool in Analysis().tools(at, "/w/a.flow")
    } == {"describe failed"}


def test_a_server_that_took_too_long_is_told_how_to_give_it_longer() -> None:
    from flow_lsp.protocol.outcome import DescribeFailure, DescribeOutcome, FailureKind

    failure = DescribeFailure(FailureKind.TIMED_OUT, "did not answer within 10 s.")
    message = only(Described(Standing.CURRENT, DescribeOutcome(failure=failure, stderr_tail=("fetching",)))).message
    assert "did not answer within 10 s." in message
    assert "--timeout, or flow.describe.timeout." in message
    assert message.endswith("Its standard error ends: fetching")


def test_a_program_that_is_not_there_is_told_like_any_other() -> None:
    at = of(None, missing={"npx": "It is on no PATH."})
    assert [finding.rule.code for finding in said(at)] == ["unbound-no-program"]
    assert [finding.rule.code for finding in said(at, "/w/flow.toml")] == ["program-not-found"]
    assert state(at).word == "unbound"


def test_a_server_that_was_not_run_is_told_at_its_table() -> None:
    never = Described(Standing.NOT_TRUSTED, reason="You said no.")
    for at in (of(never), of(None, undescribed=never)):
        assert [finding.rule.code for finding in said(at, "/w/flow.toml")] == ["not-run"]
        assert (state(at).word, state(at).sentence) == ("not checked", "You said no.")


def test_what_a_server_prints_is_noise_at_its_table() -> None:
    known = says(b"listening\n", initialized(), page(1, FIND))
    (finding,) = said(of(known), "/w/flow.toml")
    assert finding.rule.code == "output-noise"
    assert "`listening`" in finding.message


def test_an_earlier_answer_says_of_when_it_is() -> None:
    finding = only(offers("other", standing=Standing.REMEMBERED, as_of="2026-12-01 12:00"))
    assert finding.message.endswith("(as of 2026-12-01 12:00)")


def test_the_same_words_as_a_command_are_another_implementation() -> None:
    made = fixture(WORKSPACE + "//- b.flow\n@tool fn other() -> Result<Int, Never>\n").texts
    made["flow.toml"] += '[tools."b.flow"]\ncommand = "npx server"\n'
    at = of(offers(FIND), Fixture(made, {}))
    analysis = Analysis()
    assert list(analysis.commands_of(at, "/w/flow.toml")) == [KEY, CommandKey("/w", KEY.words)]
    assert list(analysis.commands_of(at, "/w/a.flow")) == [KEY]
    assert list(analysis.commands_of(at, "/w/b.flow")) == [CommandKey("/w", KEY.words)]
    assert said(at, "/w/b.flow") == []
    assert said(at, "/w/flow.toml") == []


def test_an_override_wins_over_an_mcp_table() -> None:
    override = CommandKey("/w", ("fake",))
    at = of(offers("other"), settings=Settings({"a.find": override}))
    assert said(at) == []
    assert Analysis().commands_of(at, "/w/a.flow") == [override]


def test_while_a_manifest_has_an_error_its_last_good_text_is_spoken_of() -> None:
    made = fixture(WORKSPACE.replace('server"', 'server"\nbogus = 1'))
    at = of(offers("other"), made, last_good={"flow.toml": fixture(WORKSPACE).texts["flow.toml"]})
    (finding,) = said(at)
    assert finding.rule.code == "unbound-no-mcp-tool"
    assert finding.message.endswith("(by the last flow.toml without errors)")
    assert list(Analysis().commands_of(at, "/w/flow.toml")) == []
    assert list(Analysis().commands_in_view(at, "/w/flow.toml")) == [KEY, KEY]


def test_hostile_names_are_shown_and_never_taken_as_words_of_ours() -> None:
    name = "x" * 500 + "\x1b[31m{as_of_text}"
    message = only(offers(tool(name), name="\x1b[2J{tool}" + "y" * 200)).message
    assert "\x1b" not in message
    assert len(message) < 700


# -- hovers ----------------------------------------------------------------------------------------------------


def test_a_hover_says_who_offers_it_and_what_differs() -> None:
    at = of(offers(FIND | {"inputSchema": schema(q=TEXT)}, name="mcp-time", version="2026.10.19"))
    text = hover(at, "a.flow", "find(")
    assert "**offered**: Offered by mcp-time 2026.10.19. They differ, which is advice alone: parameter query" in text
    assert "MCP server `mcp-time 2026.10.19`, MCP `2025-11-25`" in text
    assert "answer: current" in text


def test_hovers_of_a_manifest_tell_the_state_of_each_tool_and_of_the_server() -> None:
    at = of(offers(FIND, name="mcp-time", version="2026.10.19"))
    assert "- `find` **offered**: Offered by mcp-time 2026.10.19." in hover(at, "flow.toml", "tools")
    command = hover(at, "flow.toml", '"npx')
    assert "an MCP server, through the MCP adapter" in command
    assert "MCP server `mcp-time 2026.10.19`" in command
