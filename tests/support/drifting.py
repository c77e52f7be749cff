"""A Tool whose implementation serves what another version of the same files declares."""

from __future__ import annotations

from collections.abc import Mapping

from support.snapshots import Fixture, answered, listing, snapshot

from flow_lsp.analysis.engine import Analysis, FileTool
from flow_lsp.analysis.snapshot import Described, Snapshot
from flow_lsp.binding.model import CommandKey
from flow_lsp.findings.model import Severity

MANIFEST = {"flow.toml": '[tools."a.flow"]\ncommand = "serve"\n'}
COMMAND = CommandKey("/w", ("serve",))


def described_by(there: Fixture) -> Mapping[CommandKey, Described]:
    """What is known of a command that serves the Tools of a.flow as `there` declares them."""
    found = []
    for tool in Analysis().tools(snapshot(there), "/w/a.flow"):
        signature = tool.declared.signature
        assert signature is not None
        found.append((tool.declared.identity, signature.fingerprint, signature.served))
    return {COMMAND: answered(listing(*found))}


def drifted(here: Fixture, described: Mapping[CommandKey, Described]) -> tuple[Snapshot, FileTool] | None:
    """The Tool of a.flow that no longer fits, if one does not."""
    analysis, state = Analysis(), snapshot(here, described=described)
    for finding in analysis.findings(state, "/w/a.flow"):
        if finding.rule.code == "drift":
            tools = analysis.tools(state, "/w/a.flow")
            return state, next(tool for tool in tools if tool.declared.span == finding.span)
    return None


def errors(made: Fixture) -> list[str]:
    """The errors of the sources, but for what is said of bindings."""
    state, analysis = snapshot(made), Analysis()
    return [
        finding.message
        for key in state.sources
        for finding in analysis.findings(state, key)
        if finding.rule.severity is Severity.ERROR and not finding.rule.code.startswith("unbound")
    ]
