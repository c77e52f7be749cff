"""What a recorded contract says, where it counts, and that it is marked as recorded wherever it does."""

from __future__ import annotations

from dataclasses import replace

import pytest
from support.snapshots import Fixture, answered, fixture, listing, snapshot

from flow_lsp.analysis.engine import Analysis
from flow_lsp.analysis.hover import ToolState, tool_hover, tool_state
from flow_lsp.analysis.snapshot import Described, Snapshot, Standing, contract_key
from flow_lsp.binding.model import CommandKey
from flow_lsp.findings.model import Finding
from flow_lsp.protocol.outcome import DescribeFailure, DescribeListing, FailureKind

FIND = "@tool\nfn find(query: Text) -> Result<Int, Never>\n"
BOUND = f'//- flow.toml\n[tools."a.flow"]\ncommand = "serve --token hunter2"\n//- a.flow\n{FIND}'
KEY = CommandKey("/w", ("serve", "--token", "hunter2"))
WHEN = 1_796_275_200.0  # when the contract was recorded
DAY = "2026-12-03 05:20"
RECORDED = f"(as recorded on {DAY})"


def response(flow: str) -> dict[str, object]:
    """The describe response of an implementation whose declarations in a.flow are `flow`."""
    made = fixture(f"//- flow.toml\n//- a.flow\n{flow}\n")
    entries = []
    for tool in Analysis().tools(snapshot(made), "/w/a.flow"):
        signature = tool.declared.signature
        assert signature is not None
        entries.append((tool.declared.identity, signature.fingerprint, signature.served))
    return listing(*entries)


def said(flow: str, standing: Standing, started_at: float) -> Described:
    described = answered(response(flow), standing=standing)
    assert described.outcome is not None
    outcome = replace(described.outcome, started_at=started_at, stderr_tail=())
    return replace(described, outcome=outcome)


def contract(flow: str = FIND.replace("Text", "Int")) -> Described:
    return replace(said(flow, Standing.RECORDED, WHEN), as_of=DAY)


def with_contract(known: Described | None = None, made: Fixture | None = None, **more: object) -> Snapshot:
    made = made or fixture(BOUND)
    described = {} if known is None else {KEY: known}
    of = snapshot(made, described=described, **more)  # type: ignore[arg-type]
    return replace(of, contracts={contract_key(KEY): contract()})


def findings(of: Snapshot, path: str = "/w/a.flow") -> list[Finding]:
    return list(Analysis().findings(of, path))


def state(of: Snapshot) -> ToolState:
    (tool,) = Analysis().tools(of, "/w/a.flow")
    return tool_state(of, of.binding_of("/w/a.flow"), tool.declared)


def test_a_contract_speaks_for_a_command_that_was_not_asked() -> None:
    (finding,) = findings(with_contract())
    assert finding.rule.code == "drift"
    assert finding.message.endswith(RECORDED)
    assert findings(with_contract(), "/w/flow.toml") == []


def test_a_contract_speaks_where_nothing_may_run_and_no_hint_says_that_nothing_ran() -> None:
    never = Described(Standing.NOT_TRUSTED, reason="You said no.")
    for of in (with_contract(never), with_contract(undescribed=never)):
        assert [finding.rule.code for finding in findings(of)] == ["drift"]
        assert findings(of, "/w/flow.toml") == []
        assert of.described_by(KEY).reason == "You said no."


def test_a_contract_speaks_for_a_program_that_is_not_there() -> None:
    current = said(FIND, Standing.CURRENT, WHEN + 99)
    for known in (None, current):  # it ran, and has gone since
        of = with_contract(known, missing={"serve": "It is on no PATH."})
        assert [finding.rule.code for finding in findings(of)] == ["drift"]
        assert findings(of, "/w/flow.toml") == []
        assert (state(of).word, of.described_by(KEY).reason) == ("drift", "It is on no PATH.")


def test_what_a_command_said_is_no_contract_of_the_same_words_as_an_mcp_server() -> None:
    made = fixture(BOUND.replace("command", "mcp"))
    of = with_contract(made=made, missing={"serve": "It is on no PATH."})
    assert [finding.rule.code for finding in findings(of)] == ["unbound-no-program"]
    assert [finding.rule.code for finding in findings(of, "/w/flow.toml")] == ["program-not-found"]


@pytest.mark.parametrize("time", [0.0, WHEN - 1, WHEN, WHEN + 1])
def test_a_current_answer_counts_however_old_it_is(time: float) -> None:
    of = with_contract(said(FIND, Standing.CURRENT, time))
    assert findings(of) == []
    assert state(of).word == "fits"


def test_a_current_failure_counts_too() -> None:
    described = said(FIND, Standing.CURRENT, 5.0)
    assert described.outcome is not None
    failure = DescribeFailure(FailureKind.EXITED, "ended.")
    failed = replace(described, outcome=replace(described.outcome, listing=None, failure=failure))
    assert [finding.rule.code for finding in findings(with_contract(failed))] == ["describe-failed"]


@pytest.mark.parametrize("standing", [Standing.REMEMBERED, Standing.NOT_TRUSTED, Standing.RUNNING])
@pytest.mark.parametrize(("time", "recorded"), [(WHEN - 1, True), (WHEN + 0.9, True), (WHEN + 1, False)])
def test_of_an_earlier_answer_and_a_contract_the_newer_counts(standing: Standing, time: float, recorded: bool) -> None:
    of = with_contract(said(FIND, standing, time))
    assert (of.described_by(KEY).standing is Standing.RECORDED) is recorded
    assert [finding.rule.code for finding in findings(of)] == (["drift"] if recorded else [])


def test_a_newer_answer_that_says_the_same_leaves_the_contract_in_force() -> None:
    earlier = said(FIND.replace("Text", "Int"), Standing.NOT_TRUSTED, WHEN + 1000)
    assert with_contract(earlier).described_by(KEY).standing is Standing.RECORDED


def test_findings_at_the_table_are_marked_as_recorded() -> None:
    extra = response(FIND + FIND.replace("find", "extra"))
    entries = extra["result"]["tools"]  # type: ignore[index]
    entries[0]["fingerprint"] = "sha256:" + "0" * 64
    described = answered(extra)
    assert described.outcome is not None
    outcome = replace(described.outcome, started_at=WHEN)
    recorded = Described(Standing.RECORDED, outcome, DAY)
    of = replace(with_contract(), contracts={contract_key(KEY): recorded})
    found = {finding.rule.code: finding.message for finding in findings(of, "/w/flow.toml")}
    assert set(found) == {"served-fingerprint", "served-undeclared"}
    assert all(message.endswith(RECORDED) for message in found.values())


def test_hovers_say_that_it_is_recorded_when_and_why_nothing_ran() -> None:
    of = with_contract(Described(Standing.NOT_TRUSTED, reason="You said no."))
    (tool,) = Analysis().tools(of, "/w/a.flow")
    text = tool_hover(of, of.binding_of("/w/a.flow"), tool.declared, "fn find", None)
    assert f"**drift**: parameter `query` is Text here and Int there. {RECORDED}" in text
    assert f"answer: as recorded on {DAY}, in a contracts file" in text.replace("\\", "")
    assert "You said no." in text
    assert "0.00 s" not in text


def test_what_is_being_asked_is_judged_by_its_contract_meanwhile() -> None:
    described = with_contract(Described(Standing.RUNNING)).described_by(KEY)
    assert (described.standing, described.reason) == (Standing.RECORDED, "It is being asked now.")


def test_a_contract_without_the_tool_says_that_it_is_not_listed() -> None:
    nothing = replace(contract(), outcome=replace(contract().outcome, listing=DescribeListing("0.1", ())))
    of = replace(with_contract(), contracts={contract_key(KEY): nothing})
    (finding,) = findings(of)
    assert (finding.rule.code, finding.message.endswith(RECORDED)) == ("unserved", True)
