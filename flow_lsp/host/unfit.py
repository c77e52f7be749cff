"""Why an implementation cannot answer a declaration, in the words of the findings about it."""

from __future__ import annotations

from flow_lsp.analysis.checks.implementations import SHOWN_DIFFERENCES, DeclaredTool, differences_text, match
from flow_lsp.findings.model import shown
from flow_lsp.host.calling import CallableTool
from flow_lsp.protocol.outcome import DescribeListing
from flow_lsp.protocol.served import Served, fingerprints
from flow_lsp.text.spans import Span
from flow_lsp.values.data_version import DATA_VERSION


def unfit_reason(tool: CallableTool, listing: DescribeListing, command: str) -> str:
    """A sentence for a run's refusal: what the program behind `command` serves instead of `tool`."""
    declared = DeclaredTool(tool.name, tool.identity, Span(0, 0), lambda: tool.signature)
    fit = match(declared, listing)
    if fit.served is not None and fit.served.problem is None:
        differences = differences_text(declared, listing, fit.served, SHOWN_DIFFERENCES)
        return f"`{shown(command)}` serves it with another signature: {differences}"
    served = Served(listing.data, fingerprints(listing), DATA_VERSION)
    reason = served.unfit(tool.identity, tool.signature.fingerprint)
    return f"`{shown(command)}`: {reason or 'it does not fit.'}"
