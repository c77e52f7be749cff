"""What is said at a table because of what stands around it."""

from __future__ import annotations

from support.snapshots import Fixture, answered, fixture, listing, snapshot

from flow_lsp.analysis.engine import Analysis
from flow_lsp.analysis.snapshot import Described, Settings, Snapshot, Standing
from flow_lsp.binding.model import CommandKey
from flow_lsp.findings.model import Finding
from flow_lsp.protocol.outcome import DescribeFailure, DescribeOutcome, FailureKind

BOUND = """
//- flow.toml
[tools."a.flow"]
command = "tools"
#         ^^^^^^^
//- a.flow
@tool fn find() -> Result<Int, Never>
"""
KEY = CommandKey("/w", ("tools",))
EMPTY_SIGNATURE = {"params": [], "ok": {"type": "integer"}, "err": {"not": {}}, "generic": []}
FINGERPRINT = "sha256:82c10f7cd6004a014d70de3e619b8751f6cde81c50aa97b42ce7a8fc5b35d055"


def said(made: Fixture, of: Snapshot, path: str = "flow.toml") -> list[Finding]:
    return list(Analysis().findings(of, made.key(path)))


def only(made: Fixture, of: Snapshot, path: str = "flow.toml") -> Finding:
    (finding,) = said(made, of, path)
    assert finding.span == made.marks[path][0]
    return finding


def test_a_bound_file_whose_command_fits_is_not_spoken_of() -> None:
    made = fixture(BOUND)
    answer = answered(listing(("a.find", FINGERPRINT, EMPTY_SIGNATURE)))
    assert said(made, snapshot(made, described={KEY: answer})) == []


def test_a_table_for_a_missing_file_is_advice_at_its_key() -> None:
    made = fixture('//- flow.toml\n[tools."no.flow"]\n//     ^^^^^^^^^\ncommand = "tools"\n')
    assert only(made, snapshot(made)).rule.code == "missing-file"


def test_a_table_that_a_nearer_manifest_shadows_is_dead() -> None:
    made = fixture(
        '//- flow.toml\n[tools."sub/a.flow"]\n//^^^^^^^^^^^^^^^^^^\ncommand = "tools"\n'
        "//- sub/flow.toml\n\n//- sub/a.flow\n"
    )
    (finding,) = said(made, snapshot(made))
    assert finding.rule.code == "shadowed"
    assert finding.related[0].path == "/w/sub/flow.toml"


def test_a_program_that_is_not_there_is_said_at_the_value_and_the_command_not_spoken_of() -> None:
    made = fixture(BOUND)
    never = Described(Standing.NOT_TRUSTED, reason="Never.")
    finding = only(made, snapshot(made, missing={"tools": "It is not on PATH."}, undescribed=never))
    assert finding.rule.code == "program-not-found"


def test_a_command_that_was_not_run_says_why_at_each_table() -> None:
    made = fixture(BOUND)
    waiting = Described(Standing.NOT_TRUSTED, reason="It waits for your consent.")
    for of in (snapshot(made, described={KEY: waiting}), snapshot(made, undescribed=waiting)):
        finding = only(made, of)
        assert finding.rule.code == "not-run"
        assert finding.message.endswith("It waits for your consent.")


def test_a_command_is_spoken_of_at_the_first_table_that_names_it() -> None:
    made = fixture(BOUND.replace("//- a.flow", '[tools."b.flow"]\ncommand = "tools"\n//- b.flow\n\n//- a.flow'))
    finding = only(made, snapshot(made, described={KEY: answered(listing(data="9.0"))}))
    assert finding.rule.code == "data-version"


def test_a_line_that_is_no_message_is_shown() -> None:
    made = fixture(BOUND)
    answer = answered("Hello \x1b[31mworld", "again", listing(("a.find", FINGERPRINT, EMPTY_SIGNATURE)))
    finding = only(made, snapshot(made, described={KEY: answer}))
    assert finding.rule.code == "output-noise"
    assert "2 lines" in finding.message
    assert "Hello" in finding.message
    assert "\x1b" not in finding.message


def test_a_fingerprint_that_is_not_the_signatures_is_a_finding() -> None:
    made = fixture(BOUND)
    other = EMPTY_SIGNATURE | {"ok": {"type": "string"}}
    finding = only(made, snapshot(made, described={KEY: answered(listing(("a.find", FINGERPRINT, other)))}))
    assert finding.rule.code == "served-fingerprint"


def test_served_tools_that_nothing_declares_are_a_hint_over_all_files_of_the_command() -> None:
    made = fixture(
        BOUND.replace(
            "//- a.flow",
            '[tools."b.flow"]\ncommand = "tools"\n//- b.flow\n@tool fn two() -> Result<Int, Never>\n//- a.flow',
        )
    )
    entries = [(name, FINGERPRINT, EMPTY_SIGNATURE) for name in ("a.find", "b.two", "c.three")]
    finding = only(made, snapshot(made, described={KEY: answered(listing(*entries))}))
    assert finding.rule.code == "served-undeclared"
    assert "`c.three`" in finding.message
    assert "b.two" not in finding.message


def test_what_was_said_at_tables_is_kept_between_edits_and_not_between_surroundings() -> None:
    made = fixture(BOUND)
    analysis = Analysis()
    before = snapshot(made)
    assert list(analysis.findings(before, "/w/flow.toml")) == []
    never = Described(Standing.NOT_TRUSTED, reason="Never.")
    from dataclasses import replace

    after = replace(before, undescribed=never, surroundings=before.surroundings + 1)
    assert [finding.rule.code for finding in analysis.findings(after, "/w/flow.toml")] == ["not-run"]


def test_rules_that_are_off_are_not_worked_out() -> None:
    made = fixture('//- flow.toml\n[tools."no.flow"]\ncommand = "tools"\n')
    off = Settings(severities={"missing-file": None, "program-not-found": None})
    assert said(made, snapshot(made, missing={"tools": "x"}, settings=off)) == []


def test_a_python_without_the_run_time_is_told_how_to_have_it() -> None:
    made = fixture(BOUND)
    outcome = DescribeOutcome(
        failure=DescribeFailure(FailureKind.EXITED, "ended with exit status 1 before it answered."),
        stderr_tail=("Traceback (most recent call last):", "ModuleNotFoundError: No module named 'flow_lsp'"),
        program="/usr/bin/python3",
    )
    found = said(made, snapshot(made, described={KEY: Described(Standing.CURRENT, outcome)}))
    assert found[0].message.endswith(
        "'flow_lsp'. Generate again with --vendor, or install flow-lsp into /usr/bin/python3."
    )
