"""What stands above each Tool in an editor: how it stands, in a few words, and that it can be called.

All of it is of the snapshot: what a program was asked and said before. Nothing is waited for.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from flow_lsp.analysis.hover import ToolState, tool_state
from flow_lsp.analysis.snapshot import Snapshot, Standing
from flow_lsp.binding.model import Binding, Unbound, UnboundReason
from flow_lsp.binding.nearest import overridden
from flow_lsp.findings.model import shown
from flow_lsp.text.spans import Span

if TYPE_CHECKING:
    from flow_lsp.analysis.engine import Analysis, FileTool

MOST_TOOLS = 1_000  # of one file; nobody scrolls past more
COMMAND_WIDTH = 40


@dataclass(frozen=True, slots=True)
class ToolLens:
    """The lenses of the Tool `name`, whose `@tool` stands at `span`: above all of it, and on a short line where an
    editor shows them behind one. `asks`: there is a command that can be asked again. `callable`: its signature is
    known, so that its arguments can be written. `has_schema`: so that it has schemas. `drifted`: another is served, so
    that both can be compared."""

    name: str
    span: Span
    state: str
    asks: bool
    callable: bool
    has_schema: bool = False
    drifted: bool = False


def tool_lenses(analysis: Analysis, snapshot: Snapshot, key: str) -> Sequence[ToolLens]:
    """The lenses of the source `key`, in its order."""
    binding = snapshot.binding_of(key)
    return [lens_of(snapshot, binding, tool)[0] for tool in analysis.tools(snapshot, key)[:MOST_TOOLS]]


def lens_of(snapshot: Snapshot, binding: Binding, tool: FileTool) -> tuple[ToolLens, ToolState]:
    """The lenses of one Tool, whose file is bound by `binding`, and the state that they speak of."""
    state = tool_state(snapshot, binding, tool.declared)
    bound = overridden(binding, tool.declared.identity, snapshot.settings.overrides)
    text = _state_text(state, bound.reason if isinstance(bound, Unbound) else None)
    asks = state.bound is not None and state.described is not None
    is_known = tool.declared.signature is not None
    is_callable = not tool.declaration.refused and is_known
    drifted = state.word == "drift"
    return ToolLens(tool.declared.name, _attribute(tool), text, asks, is_callable, is_known, drifted), state


@dataclass(frozen=True, slots=True)
class ToolHint:
    """How the Tool whose name ends at `offset` stands: in a word or two, and in a sentence."""

    offset: int
    state: str
    sentence: str


def tool_hints(analysis: Analysis, snapshot: Snapshot, key: str) -> Sequence[ToolHint]:
    """The hints of the source `key`, in its order."""
    binding = snapshot.binding_of(key)
    found = []
    for tool in analysis.tools(snapshot, key)[:MOST_TOOLS]:
        state = tool_state(snapshot, binding, tool.declared)
        found.append(ToolHint(tool.declared.span.end, state.word, state.sentence))
    return found


def advice_on(analysis: Analysis, snapshot: Snapshot, key: str, tool: FileTool) -> str:
    """How `tool` of the source `key` stands and what to do about it, in sentences."""
    state = tool_state(snapshot, snapshot.binding_of(key), tool.declared)
    own = [
        finding.message
        for finding in analysis.source_findings(snapshot, key)
        if tool.declared.span.start <= finding.span.start < tool.declared.span.end
    ]
    return advice_text(tool, state, own)


def advice_text(tool: FileTool, state: ToolState, own: Sequence[str]) -> str:
    """What is said of `tool`: the messages `own` of the findings at its name, else how it stands."""
    return " ".join(own) or f"`{shown(tool.declared.name)}` ({state.word}): {state.sentence}"


def _attribute(tool: FileTool) -> Span:
    item = tool.declaration.item
    name = tool.declared.span
    return name if item.attribute is None else item.attribute.shifted(name.start - item.name_span.start)


def _state_text(state: ToolState, unbound: UnboundReason | None) -> str:
    command = _command(state)
    if unbound is not None:
        return f"unbound: no {'flow.toml' if unbound is UnboundReason.NO_MANIFEST else 'table in flow.toml'}"
    if state.word == "unbound":
        return f"unbound{command}"
    if state.word == "refused":
        return "refused: flow.toml has an error"
    if state.word == "unknown":
        return "its signature is not known"
    described = state.described
    if described is None:
        return state.word + command
    if described.outcome is None:
        return _NOT_CHECKED.get(described.standing, "not asked yet") + command
    return state.word + _SINCE.get(described.standing, "") + command


_NOT_CHECKED = {Standing.NOT_TRUSTED: "not run: not trusted", Standing.RUNNING: "being asked"}
_SINCE = {
    Standing.NOT_TRUSTED: ", as it was; not run: not trusted",
    Standing.RUNNING: ", as it was; being asked",
    Standing.REMEMBERED: ", as it was",
    Standing.RECORDED: ", as recorded",
}


def _command(state: ToolState) -> str:
    if state.bound is None:
        return ""
    text = shown(state.bound.key.command)
    return f" · {text if len(text) <= COMMAND_WIDTH else text[: COMMAND_WIDTH - 1] + '…'}"
