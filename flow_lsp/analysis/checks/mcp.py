"""What is said at a declaration that an MCP server is to answer: unbound, or advice about the tool of its name.

Realizes "Adapters" and decisions 11. Whether a declaration is generic is known without asking the server; all else is
by its last answer.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from flow_lsp.analysis.checks.implementations import (
    NOTHING_SAID,
    SHOWN_DIFFERENCES,
    DeclaredTool,
    Said,
    cannot_start,
    failure_finding,
    table_places,
)
from flow_lsp.analysis.offered import Offered, offered
from flow_lsp.analysis.snapshot import Snapshot
from flow_lsp.binding.model import Bound
from flow_lsp.findings import mcp_rules as rules
from flow_lsp.findings.model import Finding, Related, shown
from flow_lsp.protocol.mcp.compared import Advice, AdviceKind
from flow_lsp.protocol.mcp.listing import McpListing

_OF_THEIR_OWN = (AdviceKind.TASK, AdviceKind.NO_OUTPUT_SCHEMA)  # have a rule of their own


def check_mcp(snapshot: Snapshot, tool: DeclaredTool, bound: Bound, refused: bool) -> Said:
    """What is said of `tool`, which is bound to an MCP server; `refused`: by the last good text of the manifest."""
    related = table_places(bound)
    if tool.is_generic:
        return Said((rules.GENERIC.at(tool.span, related, tool=tool.name),))
    missing = cannot_start(snapshot, tool, bound)
    if missing is not None:
        return Said((missing,))
    described = snapshot.described_by(bound.key)
    outcome = described.outcome
    if outcome is None or tool.signature is None:
        return NOTHING_SAID
    as_of = described.as_of_text or (" (by the last flow.toml without errors)" if refused else "")
    if outcome.mcp is None:
        return Said((failure_finding(outcome, bound.key, tool.span, as_of, related),), bound.key)
    return Said(tuple(_findings(tool, bound, outcome.mcp, related, as_of)))


def advice_on(tool: DeclaredTool, listing: McpListing) -> Sequence[Advice] | None:
    """What is to be said of `tool` beside the MCP tool of its name; None where the server has none."""
    there = offered(listing)
    found, signature = there.tool(tool.name), tool.signature
    return None if found is None or signature is None else there.advice(signature, found)


def differences_text(advice: Sequence[Advice], most: int) -> str:
    """What differs, at most `most` of it, as clauses; empty where nothing does."""
    sentences = [each.sentence for each in advice if each.kind not in _OF_THEIR_OWN]
    more = len(sentences) - most
    return "; ".join(sentences[:most]) + (f"; and {more} more" if more > 0 else "")


def not_offered_text(tool: DeclaredTool, there: Offered) -> str:
    """What a server has in place of a tool of that name, as sentences with a space before each."""
    near = there.nearest(tool.name)
    if near is None:
        names = there.names_text()
        return f" It offers {names}." if names else " It offers no tools at all."
    said = f" It has `{shown(near)}`, and a Tool is answered by the MCP tool of its own name."
    if near.isidentifier():
        return said
    return f"{said} No Flow name can be that, so a command has to stand between the two."


def _findings(
    tool: DeclaredTool, bound: Bound, listing: McpListing, related: tuple[Related, ...], as_of: str
) -> Iterator[Finding]:
    about = {"tool": tool.name, "command": bound.key.command, "server": listing.server, "as_of_text": as_of}
    advice = advice_on(tool, listing)
    if advice is None:
        yield rules.NO_MCP_TOOL.at(tool.span, related, hint_text=not_offered_text(tool, offered(listing)), **about)
        return
    for each in advice:
        if each.kind is AdviceKind.TASK:
            yield rules.MCP_TASK.at(tool.span, related, **about)
        elif each.kind is AdviceKind.NO_OUTPUT_SCHEMA:
            yield rules.MCP_NO_OUTPUT_SCHEMA.at(tool.span, related, reason_text=each.sentence, **about)
    differences = differences_text(advice, SHOWN_DIFFERENCES)
    if differences:
        yield rules.MCP_DIFFERS.at(tool.span, related, differences_text=differences, **about)
