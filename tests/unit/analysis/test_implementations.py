"""What is said at a declaration: one cause, one finding, with the other place that explains it."""

from __future__ import annotations

import dataclasses

import pytest
from support.snapshots import Fixture, answered, fixture, listing, snapshot

from flow_lsp.analysis.engine import Analysis
from flow_lsp.analysis.snapshot import Described, Settings, Snapshot, Standing
from flow_lsp.binding.model import CommandKey
from flow_lsp.findings.model import Finding, Severity

BOUND = """
//- flow.toml
[tools."a.flow"]
command = "tools --serve"
//- a.flow
@tool
fn find(query: Text, limit: Int) -> Result<List<Text>, Never>
// ^^^^
"""
KEY = CommandKey("/w", ("tools", "--serve"))


def served(flow: str) -> dict[str, object]:
    """The describe response of an implementation whose declarations in a.flow are `flow`."""
    made = fixture(f"//- flow.toml\n//- a.flow\n{flow}\n")
    tools = Analysis().tools(snapshot(made), "/w/a.flow")
    entries = []
    for tool in tools:
        signature = tool.declared.signature
        assert signature is not None
        entries.append((tool.declared.identity, signature.fingerprint, signature.served))
    return listing(*entries)


def findings(made: Fixture, of: Snapshot, path: str = "a.flow") -> list[Finding]:
    return list(Analysis().findings(of, made.key(path)))


def only(made: Fixture, of: Snapshot, path: str = "a.flow") -> Finding:
    (finding,) = findings(made, of, path)
    assert finding.span == made.marks[path][0]
    return finding


def test_without_a_manifest_the_table_to_write_is_named() -> None:
    made = fixture("//- sub/a.flow\n@tool fn find() -> Result<Int, Never>\n//       ^^^^\n")
    finding = only(made, snapshot(made), "sub/a.flow")
    assert finding.rule.code == "unbound-no-manifest"
    assert '[tools."sub/a.flow"]' in finding.message


@pytest.mark.parametrize("manifest", [{}, {"flow.toml": ""}])
@pytest.mark.parametrize(
    ("name", "said"),
    [
        ('sub/a "b".flow', '[tools."sub/a \\"b\\".flow"]'),
        ("sub/a\\b.flow", "no table can name a path with a backslash"),
        ("sub/a\tb.flow", "no table can name a path with a backslash, a control character"),
    ],
)
def test_a_table_to_write_is_one_that_can_be_written(manifest: dict[str, str], name: str, said: str) -> None:
    made = Fixture({**manifest, name: "@tool fn find() -> Result<Int, Never>\n"}, {})
    (finding,) = findings(made, snapshot(made), name)
    assert finding.rule.code.startswith("unbound-no-")
    assert said in finding.message
    assert ("[tools." in finding.message) is said.startswith("[")


def test_a_farther_table_for_the_file_is_named_and_does_not_count() -> None:
    made = fixture(
        '//- flow.toml\n[tools."sub/a.flow"]\ncommand = "x"\n//- sub/flow.toml\n\n//- sub/a.flow\n'
        "@tool fn find() -> Result<Int, Never>\n//       ^^^^\n"
    )
    finding = only(made, snapshot(made), "sub/a.flow")
    assert finding.rule.code == "unbound-no-table"
    assert "does not count: the nearest flow.toml is the boundary" in finding.message
    assert [related.path for related in finding.related] == ["/w/sub/flow.toml", "/w/flow.toml"]


def test_a_manifest_with_an_error_silences_unbound() -> None:
    made = fixture("//- flow.toml\nbroken = 1\n//- a.flow\n@tool fn find() -> Result<Int, Never>\n")
    assert findings(made, snapshot(made)) == []


def test_a_program_that_is_not_there_unbinds_the_tool() -> None:
    made = fixture(BOUND)
    finding = only(made, snapshot(made, missing={"tools": "It is on no PATH."}))
    assert finding.rule.code == "unbound-no-program"
    assert "It is on no PATH." in finding.message
    assert finding.related[0].path == "/w/flow.toml"


@pytest.mark.parametrize("standing", [Standing.UNKNOWN, Standing.NOT_TRUSTED, Standing.RUNNING])
def test_nothing_is_said_of_a_command_that_has_not_answered(standing: Standing) -> None:
    made = fixture(BOUND)
    assert findings(made, snapshot(made, described={KEY: Described(standing, reason="x")})) == []


def test_a_tool_that_fits_is_not_spoken_of() -> None:
    made = fixture(BOUND)
    answer = answered(served("/// other docs\n@tool fn find( query:Text,limit:Int )->Result<List<Text>,Never>"))
    assert findings(made, snapshot(made, described={KEY: answer})) == []


def test_drift_is_explained_in_words_and_points_at_the_table() -> None:
    made = fixture(BOUND)
    answer = answered(served("@tool fn find(query: Text, limit: Decimal) -> Result<List<Int>, Never>"))
    finding = only(made, snapshot(made, described={KEY: answer}))
    assert finding.rule.code == "drift"
    assert "parameter `limit` is Int here and Decimal there" in finding.message
    (related,) = finding.related
    text = made.texts["flow.toml"]
    assert text[related.span.start : related.span.end] == '[tools."a.flow"]'


@pytest.mark.parametrize(
    ("standing", "said"),
    [
        (Standing.CURRENT, ""),
        (Standing.REMEMBERED, "(as of 12:00:00)"),
        (Standing.NOT_TRUSTED, "(as of 12:00:00)"),
        (Standing.RUNNING, "(as of 12:00:00, being asked again)"),
    ],
)
def test_an_answer_that_is_not_current_is_never_shown_as_current(standing: Standing, said: str) -> None:
    made = fixture(BOUND)
    answer = answered(served("@tool fn other() -> Result<Int, Never>"), standing=standing)
    finding = only(made, snapshot(made, described={KEY: answer}))
    assert finding.rule.code == "unserved"
    assert finding.message.endswith(said)
    assert ("as of" in finding.message) == bool(said)


def test_an_unserved_tool_names_what_is_served_and_the_nearest_of_it() -> None:
    made = fixture(BOUND)
    answer = answered(served("@tool fn fnid() -> Result<Int, Never>\n@tool fn count() -> Result<Int, Never>"))
    message = only(made, snapshot(made, described={KEY: answer})).message
    assert "`a.count`, `a.fnid`" in message
    assert "is `a.fnid` meant?" in message


def test_a_command_that_failed_is_said_once_for_all_tools_of_a_file() -> None:
    made = fixture(BOUND.replace("// ^^^^", "// ^^^^\n@tool fn two() -> Result<Int, Never>"))
    error = {"jsonrpc": "2.0", "id": 1, "error": {"code": -1, "message": "no license"}}
    finding = only(made, snapshot(made, described={KEY: answered(error)}))
    assert finding.rule.code == "describe-failed"
    assert "no license" in finding.message
    assert "a log line" in finding.message


def test_another_major_data_version_is_a_finding_of_its_own() -> None:
    made = fixture(BOUND)
    finding = only(made, snapshot(made, described={KEY: answered(listing(data="3.0"))}))
    assert finding.rule.code == "data-version"


def test_where_versions_differ_the_fingerprint_chooses() -> None:
    made = fixture(BOUND)
    right = served("@tool fn find(query: Text, limit: Int) -> Result<List<Text>, Never>")["result"]
    assert isinstance(right, dict)
    entry = right["tools"][0]
    both = listing(
        ("a/k@1.0/f.find", "sha256:" + "0" * 64, entry["signature"]),
        ("a/k@2.0/f.find", entry["fingerprint"], entry["signature"]),
    )
    from flow_lsp.analysis.checks.implementations import match

    (tool,) = Analysis().tools(snapshot(made), "/w/a.flow")
    outcome = answered(both).outcome
    assert outcome is not None
    assert outcome.listing is not None
    declared = dataclasses.replace(tool.declared, identity="a/k@3.0/f.find")
    found = match(declared, outcome.listing)
    assert found.fits
    assert found.served is not None
    assert found.served.identity == "a/k@2.0/f.find"


def test_while_a_manifest_is_broken_drift_by_its_last_good_text_stays_and_says_so() -> None:
    made = fixture(BOUND)
    broken = Fixture(made.texts | {"flow.toml": "[tools"}, made.marks)
    answer = answered(served("@tool fn find() -> Result<Int, Never>"))
    finding = only(broken, snapshot(broken, last_good={"flow.toml": made.texts["flow.toml"]}, described={KEY: answer}))
    assert finding.rule.code == "drift"
    assert finding.message.endswith("(by the last flow.toml without errors)")


def test_an_override_binds_whatever_the_manifest_says() -> None:
    made = fixture("//- flow.toml\nbroken = 1\n//- a.flow\n@tool fn find() -> Result<Int, Never>\n//       ^^^^\n")
    key = CommandKey("/w", ("fake",))
    settings = Settings(overrides={"a.find": key})
    answer = answered(served("@tool fn find() -> Result<Text, Never>"))
    finding = only(made, snapshot(made, settings=settings, described={key: answer}))
    assert finding.rule.code == "drift"
    assert finding.related == ()


def test_a_declaration_with_a_problem_has_that_problem_alone() -> None:
    made = fixture(BOUND.replace("limit: Int", "limit: Itn"))
    answer = answered(served("@tool fn other() -> Result<Int, Never>"))
    (finding,) = findings(made, snapshot(made, described={KEY: answer}))
    assert finding.rule.code == "unknown-type"


def test_severities_are_the_users_and_off_is_not_said() -> None:
    made = fixture("//- a.flow\n@tool fn find() -> Result<Int, Never>\n")
    warned = snapshot(made, settings=Settings(severities={"unbound-no-manifest": Severity.WARNING}))
    (finding,) = findings(made, warned)
    assert finding.rule.severity is Severity.WARNING
    assert findings(made, snapshot(made, settings=Settings(severities={"unbound-no-manifest": None}))) == []


def test_text_that_is_no_file_is_checked_for_itself_alone() -> None:
    found = Analysis().loose_findings("untitled:1", "@tool fn find(x: Itn) -> Result<Int, Never>\n")
    assert [finding.rule.code for finding in found] == ["unknown-type"]
