"""What a hover shows, as Markdown: a Tool with its binding and state; a type; a table; a command."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from flow_lsp.analysis.checks.implementations import (
    DeclaredTool,
    Fit,
    differences_text,
    effective,
    match,
    standing_word,
)
from flow_lsp.analysis.markdown import block, code, escaped, prose
from flow_lsp.analysis.snapshot import Described, Snapshot, Standing
from flow_lsp.binding.model import Binding, Bound, Origin, Refused, Unbound, UnboundReason
from flow_lsp.binding.nearest import overridden
from flow_lsp.findings.model import shown
from flow_lsp.manifest.model import BindingKind
from flow_lsp.manifest.toml_writing import table_header
from flow_lsp.protocol.outcome import DescribeOutcome

if TYPE_CHECKING:
    from flow_lsp.protocol.mcp.listing import McpListing

ALL_DIFFERENCES = 20
SCHEMA_LIMIT = 6000  # characters of one schema; a hover is read at a glance
ERROR_LINES = 8
SCHEMA_WIDTH = 84  # columns of a line of JSON in a hover


@dataclass(frozen=True, slots=True)
class ToolState:
    """How a Tool stands, in a word, and in a sentence that says why."""

    word: str
    sentence: str
    described: Described | None = None
    bound: Bound | None = None


def tool_state(snapshot: Snapshot, binding: Binding, tool: DeclaredTool) -> ToolState:
    """The state of `tool`, whose file is bound by `binding`."""
    binding = overridden(binding, tool.identity, snapshot.settings.overrides)
    if isinstance(binding, Refused) and not isinstance(binding.last, Bound):
        return ToolState("refused", "The nearest flow.toml has an error, which refuses the run.")
    bound = effective(binding)
    if isinstance(bound, Unbound):
        return ToolState("unbound", _unbound_sentence(bound))
    assert isinstance(bound, Bound)
    if bound.kind is BindingKind.MCP and tool.is_generic:
        return ToolState("unbound", "It is generic, and MCP has no place for the types of a generic call.", None, bound)
    described = snapshot.described_by(bound.key)
    program = snapshot.environment.program(bound.key.directory, bound.key.words[0])
    if program.problem is not None and described.standing is not Standing.RECORDED:
        return ToolState("unbound", program.problem, None, bound)
    return _asked_state(tool, bound, described)


def _asked_state(tool: DeclaredTool, bound: Bound, described: Described) -> ToolState:
    outcome = described.outcome
    if tool.signature is None:
        sentence = "Its signature is not known while the declaration has an error."
        return ToolState("unknown", sentence, described, bound)
    if outcome is None:
        reason = described.reason or "Its implementation has not been asked yet."
        return ToolState("not checked", reason, described, bound)
    if outcome.failure is not None:
        sentence = f"The implementation was asked and {outcome.failure.sentence}"
        return ToolState("describe failed", sentence, described, bound)
    if outcome.mcp is not None:
        return _mcp_state(tool, bound, described, outcome.mcp)
    assert outcome.listing is not None
    fit: Fit = match(tool, outcome.listing)
    if fit.served is None:
        return ToolState("unserved", "The implementation does not list it.", described, bound)
    if fit.fits:
        return ToolState("fits", "The implementation serves the same signature.", described, bound)
    differing = differences_text(tool, outcome.listing, fit.served, ALL_DIFFERENCES)
    return ToolState("drift", differing + ".", described, bound)


def _mcp_state(tool: DeclaredTool, bound: Bound, described: Described, listing: McpListing) -> ToolState:
    from flow_lsp.analysis.checks.mcp import advice_on, differences_text, not_offered_text  # not for a flow.toml alone
    from flow_lsp.analysis.offered import offered

    advice = advice_on(tool, listing)
    if advice is None:
        sentence = f"The MCP server {shown(listing.server)} offers no tool of its name."
        return ToolState("unbound", sentence + not_offered_text(tool, offered(listing)), described, bound)
    differing = differences_text(advice, ALL_DIFFERENCES)
    more = f" They differ, which is advice alone: {differing}." if differing else ""
    return ToolState("offered", f"Offered by {shown(listing.server)}.{more}", described, bound)


def _unbound_sentence(unbound: Unbound) -> str:
    if unbound.reason is UnboundReason.NO_MANIFEST:
        return "No flow.toml stands in this file's directory or above it."
    return f"The nearest flow.toml has no table {table_header(unbound.key)}."


def tool_hover(snapshot: Snapshot, binding: Binding, tool: DeclaredTool, declaration: str, doc: str | None) -> str:
    """The hover of a `@tool` declaration. `declaration` is its Flow text on one line."""
    state = tool_state(snapshot, binding, tool)
    parts = [block("flow", declaration)]
    if doc:
        parts.append(escaped(doc))
    lines = [f"**{state.word}**: {prose(shown_long(state.sentence))}"]
    if state.described is not None:
        lines[0] += escaped(state.described.as_of_text)
    if state.bound is None and isinstance(binding, Refused | Unbound) and binding.manifest is not None:
        lines.append(f"nearest flow.toml {code(binding.manifest)}")
    if isinstance(binding, Refused) and state.bound is not None:
        lines.append(f"{code(binding.manifest)} has an error; this is by its last text without one.")
    if state.bound is not None:
        lines.append(f"bound to {code(state.bound.key.command)} {_origin(state.bound)}")
    lines.append(f"identity {code(tool.identity)}")
    signature = tool.signature
    if signature is not None:
        lines.append(f"fingerprint {code(signature.fingerprint)}")
    parts.append("  \n".join(lines))
    if state.described is not None:
        parts.append(answer_text(state.described))
    if signature is not None:
        served = signature.served
        schemas = {"params": dict(map(tuple, served["params"])), "ok": served["ok"], "err": served["err"]}
        parts.append(block("json", schema_text(schemas)))
    return "\n\n".join(part for part in parts if part)


def _origin(bound: Bound) -> str:
    by = "an override" if bound.origin is Origin.OVERRIDE or bound.place is None else code(bound.place.path)
    return f"in {code(bound.key.directory)}, by {by}"


def shown_long(sentence: str) -> str:
    """Our own sentence, whose outside words were made printable when it was made."""
    return sentence if len(sentence) <= 4000 else sentence[:3999] + "…"


def type_hover(declaration: str, doc: str | None, schema: object | None, note: str = "") -> str:
    """The hover of a type: its declaration, its doc comment, its JSON Schema."""
    parts = [block("flow", declaration)]
    if doc:
        parts.append(escaped(doc))
    if note:
        parts.append(escaped(note))
    if schema is not None:
        parts.append(block("json", schema_text(schema)))
    return "\n\n".join(parts)


def schema_text(schema: object) -> str:
    """A schema as indented JSON, short parts on one line; cut where it is too long to read in a hover."""
    text = "\n".join(_lines(schema, "", ""))
    if len(text) <= SCHEMA_LIMIT:
        return text
    cut = text.rfind("\n", 0, SCHEMA_LIMIT)
    return text[:cut] + "\n… (the whole: flow-lsp schema)"


def _lines(value: object, indent: str, before: str) -> list[str]:
    line = f"{indent}{before}{json.dumps(value, ensure_ascii=False)}"
    if len(line) <= SCHEMA_WIDTH or not isinstance(value, dict | list) or not value:
        return [line]
    inner = indent + "  "
    if isinstance(value, dict):
        opening, closing = "{}"
        names = [f"{json.dumps(name, ensure_ascii=False)}: " for name in value]
        parts = [_lines(item, inner, name) for name, item in zip(names, value.values(), strict=True)]
    else:
        opening, closing = "[]"
        parts = [_lines(item, inner, "") for item in value]
    for part in parts[:-1]:
        part[-1] += ","
    return [f"{indent}{before}{opening}", *(line for part in parts for line in part), f"{indent}{closing}"]


def answer_text(described: Described) -> str:
    """Where an answer came from: program, directory is the command's, exit, duration, data version, when."""
    outcome = described.outcome
    lines = [f"answer: {standing_word(described)}"]
    if described.standing is Standing.RECORDED:
        lines[0] += escaped(f" on {described.as_of}, in a contracts file")
        if described.reason:
            lines.append(escaped(described.reason))
    if described.standing is Standing.NOT_TRUSTED:
        lines[0] += f" ({escaped(described.reason)})"
    if outcome is not None:
        lines.append(_run_line(outcome, "" if described.standing is Standing.RECORDED else described.as_of))
        if outcome.noise_count:
            lines.append(f"{outcome.noise_count} lines of standard output were no messages")
        if outcome.failure is not None and outcome.stderr_tail:
            lines.append("standard error ends:")
            return "  \n".join(lines) + "\n\n" + block("text", "\n".join(outcome.stderr_tail[-ERROR_LINES:]))
    return "  \n".join(lines)


def _run_line(outcome: DescribeOutcome, as_of: str) -> str:
    facts = []
    if outcome.program:
        facts.append(f"program {code(outcome.program)}")
    if outcome.listing is not None:
        facts.append(f"data version {code(outcome.listing.data)}")
    if outcome.mcp is not None:
        facts.append(f"MCP server {code(shown(outcome.mcp.server))}, MCP {code(outcome.mcp.revision)}")
    if outcome.terminated:
        facts.append("was ended")
    elif outcome.exit_status is not None:
        facts.append(f"exit status {outcome.exit_status}")
    if outcome.duration:  # it is not known of an answer of an earlier session
        facts.append(f"{outcome.duration:.2f} s")
    if as_of:
        facts.append(f"asked {as_of}")
    return ", ".join(facts)


def table_hover(
    snapshot: Snapshot,
    key: str,
    bound: Bound | None,
    directory: str,
    tools: Sequence[tuple[str, ToolState]] | None,
) -> str:
    """The hover of a table's header or key: the file's Tools and their states. `tools` None: no such file."""
    parts = [f"Tools of {code(key)}"]
    if tools is None:
        parts.append("There is no such file.")
    elif not tools:
        parts.append("The file declares no Tool.")
    else:
        parts.append("\n".join(_tool_row(name, state) for name, state in tools))
    if bound is not None:
        parts.append(command_hover(snapshot, bound, directory))
    return "\n\n".join(parts)


def _tool_row(name: str, state: ToolState) -> str:
    return f"- {code(name)} **{state.word}**: {prose(shown_long(state.sentence))}"


def command_hover(snapshot: Snapshot, bound: Bound, directory: str) -> str:
    """The hover of a command: its words, what runs, where, and the last answer."""
    key = bound.key
    program = snapshot.environment.program(key.directory, key.words[0])
    lines = [
        f"words {' '.join(code(shown(word)) for word in key.words)}",
        f"program {code(program.path) if program.path else escaped(program.problem or '')}",
        f"directory {code(directory)}",
    ]
    if bound.kind is BindingKind.MCP:
        lines.append("an MCP server, through the MCP adapter")
    return "  \n".join(lines) + "\n\n" + answer_text(snapshot.described_by(key))
