"""The Tools of a file as calls see them: which can be called, and how their arguments are written."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from flow_lsp.analysis.call_documents import check_call_text
from flow_lsp.analysis.call_form import CallForm
from flow_lsp.analysis.snapshot import Snapshot
from flow_lsp.analysis.source_places import declarations_of
from flow_lsp.findings import call_rules
from flow_lsp.findings.model import Finding, shown
from flow_lsp.text.distance import nearest_name
from flow_lsp.text.spans import Span

if TYPE_CHECKING:
    from flow_lsp.analysis.engine import Analysis, FileTool


@dataclass(frozen=True, slots=True)
class ToolToCall:
    """A Tool of the file `key` that can be called, and how its arguments are written."""

    key: str
    tool: FileTool
    form: CallForm


def tool_to_call(analysis: Analysis, snapshot: Snapshot, key: str, name: str) -> ToolToCall | str:
    """The Tool `name` of the source `key`; a sentence where there is none that can be called."""
    tool = next((tool for tool in analysis.tools(snapshot, key) if tool.declared.name == name), None)
    if tool is None:
        return missing_tool(analysis, snapshot, key, name)
    spec = tool.declaration.spec
    if tool.declaration.refused or spec is None or tool.declared.signature is None:
        return (
            f"The declaration of `{shown(name)}` in {shown(key.rpartition('/')[2])} has an error, which is shown there."
        )
    docs = {param.name: param.doc for param in tool.declaration.params}
    form = CallForm(name, spec, docs, lambda: declarations_of(analysis, snapshot, key))
    return ToolToCall(key, tool, form)


def missing_tool(analysis: Analysis, snapshot: Snapshot, key: str, name: str) -> str:
    """That the source `key` declares no Tool `name`, as a sentence."""
    near = nearest_name(name, [tool.declared.name for tool in analysis.tools(snapshot, key)])
    hint = f" Is `{shown(near)}` meant?" if near else ""
    return f"{shown(key.rpartition('/')[2])} declares no Tool `{shown(name)}`.{hint}"


def call_findings(analysis: Analysis, snapshot: Snapshot, found: ToolToCall | str, text: str) -> Sequence[Finding]:
    """All findings of a document of arguments for the Tool `found`, or with none that can be called."""
    if isinstance(found, str):
        findings = [call_rules.CALL_TOOL.at(Span(0, min(1, len(text))), reason_text=found)]
    else:
        findings = check_call_text(found.form, text)
    return analysis.with_severities(snapshot, findings)
