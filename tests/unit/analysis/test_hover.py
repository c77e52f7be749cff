"""What hovers and completions say at a place."""

from __future__ import annotations

import pytest
from support.snapshots import Fixture, answered, fixture, listing, snapshot

from flow_lsp.analysis.engine import Analysis
from flow_lsp.analysis.hover import SCHEMA_LIMIT, schema_text
from flow_lsp.analysis.places import completions_at, hover_at
from flow_lsp.analysis.snapshot import Described, Snapshot, Standing
from flow_lsp.binding.model import CommandKey

WORKSPACE = """
//- flow.toml
[tools."a.flow"]
command = "tools 'with space'"

[tools."m.flow"]
mcp = "npx server"

[tools."gone.flow"]
command = "tools 'with space'"
//- types.flow
/// A hit of <b>any</b> kind.
pub record Hit { title: Text, score: Option<Decimal> }
//- m.flow
@tool fn call() -> Result<Int, Never>
//- a.flow
import ./types
enum Problem {
  /// Nobody there.
  Offline
  Slow(Duration)
}
/// Finds `hits`.
@tool
fn find<T>(query: Text, of: T) -> Result<List<types.Hit>, Problem>
@tool
fn count(query: Text) -> Result<Int, Never>
"""
KEY = CommandKey("/w", ("tools", "with space"))
COUNT = {"params": [["query", {"type": "string"}]], "ok": {"type": "integer"}, "err": {"not": {}}, "generic": []}


def hover(of: Snapshot, made: Fixture, path: str, at: str, past: int = 1) -> str:
    found = hover_at(Analysis(), of, made.key(path), made.texts[path].index(at) + past)
    assert found is not None
    text = made.texts[path][found.span.start : found.span.end]
    assert text
    assert "\n" not in text
    return found.text


def test_a_tool_shows_its_declaration_doc_binding_state_identity_fingerprint_and_schemas() -> None:
    made = fixture(WORKSPACE)
    answer = answered(listing(("a.count", "sha256:" + "0" * 64, COUNT)))
    text = hover(snapshot(made, described={KEY: answer}), made, "a.flow", "find<")
    assert "@tool fn find<T>(query: Text, of: T) -> Result<List<types.Hit>, Problem>" in text
    assert "Finds \\`hits\\`." in text
    assert "**unserved**" in text
    assert "bound to `tools 'with space'` in `/w`, by `/w/flow.toml`" in text
    assert "identity `a.find`" in text
    assert "fingerprint `sha256:" in text
    assert '{"$param": "T"}' in text
    assert "data version `0.1`" in text
    assert "asked 12:00:00" in text


def test_a_tool_that_drifted_lists_the_differences() -> None:
    made = fixture(WORKSPACE)
    other = COUNT | {"ok": {"type": "string"}}
    answer = answered(listing(("a.count", "sha256:" + "0" * 64, other)))
    text = hover(snapshot(made, described={KEY: answer}), made, "a.flow", "count(")
    assert "**drift**" in text
    assert "the success type is Int here and Text there" in text


@pytest.mark.parametrize(
    ("described", "word", "sentence"),
    [
        (Described(Standing.UNKNOWN), "not checked", "has not been asked yet"),
        (Described(Standing.NOT_TRUSTED, reason="Flow.trust is never."), "not checked", "Flow.trust is never."),
        (answered({"jsonrpc": "2.0", "id": 1, "result": 3}), "describe failed", "answered describe wrongly"),
    ],
)
def test_a_tool_says_why_it_could_not_be_checked(described: Described, word: str, sentence: str) -> None:
    made = fixture(WORKSPACE)
    text = hover(snapshot(made, described={KEY: described}), made, "a.flow", "count(")
    assert f"**{word}**" in text
    assert sentence in text


def test_a_failed_command_shows_the_end_of_its_standard_error_in_a_block() -> None:
    made = fixture(WORKSPACE)
    answer = answered({"jsonrpc": "2.0", "id": 1, "result": 3})
    assert "```text\na log line\n```" in hover(snapshot(made, described={KEY: answer}), made, "a.flow", "count(")


def test_a_type_shows_its_doc_as_plain_words_and_its_schema_wherever_it_is_named() -> None:
    made = fixture(WORKSPACE)
    for path, at in (("types.flow", "Hit {"), ("a.flow", "types.Hit")):
        text = hover(snapshot(made), made, path, at)
        assert "record Hit {" in text
        assert "A hit of &lt;b>any&lt;/b> kind." in text
        assert '"$ref": "#/$defs/types.Hit"' in text
    assert "declared in /w/types.flow" in hover(snapshot(made), made, "a.flow", "types.Hit")


def test_members_parameters_and_built_in_types_explain_themselves() -> None:
    made = fixture(WORKSPACE)
    assert "query: Text" in hover(snapshot(made), made, "a.flow", "query: Text, of")
    assert "Nobody there." in hover(snapshot(made), made, "a.flow", "Offline")
    assert "a type parameter" in hover(snapshot(made), made, "a.flow", "T>(")
    assert "ISO 8601" in hover(snapshot(made), made, "a.flow", "Duration")
    assert "/w/types.flow" in hover(snapshot(made), made, "a.flow", "./types")


def test_a_table_lists_its_tools_with_their_states() -> None:
    made = fixture(WORKSPACE)
    text = hover(snapshot(made), made, "flow.toml", '"a.flow"')
    assert "- `find` **not checked**" in text
    assert "- `count` **not checked**" in text
    assert "There is no such file." in hover(snapshot(made), made, "flow.toml", "gone.flow")


def test_a_command_shows_its_words_program_and_directory() -> None:
    made = fixture(WORKSPACE)
    text = hover(snapshot(made), made, "flow.toml", "tools 'with")
    assert "words `tools` `with space`" in text
    assert "program `/bin/tools`" in text
    assert "directory `/w`" in text
    assert "an MCP server" in hover(snapshot(made), made, "flow.toml", "npx")


def test_nothing_is_said_where_nothing_stands() -> None:
    made = fixture("//- flow.toml\n\n//- a.flow\n// a comment\n")
    of = snapshot(made)
    assert hover_at(Analysis(), of, "/w/flow.toml", 0) is None
    assert hover_at(Analysis(), of, "/w/a.flow", 3) is None
    assert hover_at(Analysis(), of, "/w/none.flow", 0) is None
    assert hover_at(Analysis(), of, "/w/sub/flow.toml", 99) is None


def labels(made: Fixture, offset: int) -> list[tuple[str, str]]:
    found = completions_at(snapshot(made), "/w/flow.toml", offset)
    return [(item.label, item.text) for item in found]


def test_the_keys_of_a_table_are_offered_and_only_while_one_is_allowed() -> None:
    made = fixture('//- flow.toml\n[tools."a.flow"]\n\n')
    assert labels(made, 17) == [("command", "command"), ("mcp", "mcp")]
    assert labels(fixture('//- flow.toml\n[tools."a.flow"]\nmcp = "x"\n\n'), 27) == []


def test_files_with_tools_and_without_a_table_are_offered_as_headers() -> None:
    made = fixture(WORKSPACE.replace('[tools."a.flow"]\ncommand', "[\ncommand"))
    assert labels(made, 1) == [("a.flow", 'tools."a.flow"'), ("m.flow", 'tools."m.flow"')]


def test_a_schema_is_indented_with_short_parts_on_one_line_and_cut_when_it_is_long() -> None:
    assert schema_text({"type": "integer"}) == '{"type": "integer"}'
    assert schema_text({"a": {"type": "integer"}, "b": ["x" * 80]}) == (
        '{\n  "a": {"type": "integer"},\n  "b": [\n    "' + "x" * 80 + '"\n  ]\n}'
    )
    long = schema_text({str(number): {"type": "integer"} for number in range(1000)})
    assert len(long) < SCHEMA_LIMIT + 60
    assert long.endswith("(the whole: flow-lsp schema)")
