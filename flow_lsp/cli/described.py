"""What one command or MCP server said, as text and as JSON: of a workspace, or named on the command line."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from flow_lsp.analysis.snapshot import Described
from flow_lsp.binding.model import CommandKey
from flow_lsp.cli.terminal import amount, display_width, printable
from flow_lsp.cli.workspace import shown_path
from flow_lsp.findings.model import shown
from flow_lsp.protocol.mcp.listing import McpListing, server_data
from flow_lsp.protocol.mcp.tools import McpTool
from flow_lsp.protocol.outcome import DescribeListing

_ERROR_LINES = 5  # how many of the last lines of standard error are shown
_WIDEST = 40  # columns of a tool's name, beyond which what follows it is not aligned

Bound = Mapping[str, Sequence[str]]
"""The identities of the Tools that are bound to a command, by their names."""


def is_sound(described: Described) -> bool:
    """Whether the command gave a listing that can be relied on."""
    outcome = described.outcome
    if outcome is None or outcome.listing is None:
        return outcome is not None and outcome.mcp is not None
    return all(tool.problem is None for tool in outcome.listing.tools)


def described_text(key: CommandKey, described: Described, reason: str, bound: Bound | None = None) -> str:
    """What a command said, for people. `reason` says why it was not run, where it was not. `bound` holds what an MCP
    server is to answer; None where it was asked without a workspace."""
    lines = [f"{shown(key.command)}  (in {printable(shown_path(key.directory))})"]
    outcome = described.outcome
    if outcome is None or reason:
        lines.append(f"  not run: {reason}")
    if outcome is None:
        return "\n".join(lines)
    if described.as_of_text:
        lines.append(f"  an earlier answer{described.as_of_text}:")
    if outcome.failure is not None:
        lines.append(f"  {outcome.failure.sentence}")
    took = "" if described.as_of_text else f", {outcome.duration:.2f} s"
    if outcome.listing is not None:
        lines.extend(_listing_lines(outcome.listing, took))
    elif outcome.mcp is not None:
        lines.extend(_mcp_lines(outcome.mcp, took, bound))
    lines.extend(f"  standard output, no message: {shown(line)}" for line in outcome.noise)
    lines.extend(f"  standard error: {printable(line)}" for line in outcome.stderr_tail[-_ERROR_LINES:])
    return "\n".join(lines)


def _listing_lines(listing: DescribeListing, took: str) -> Iterator[str]:
    yield f"  data version {listing.data}, {amount(len(listing.tools), 'Tool')}{took}"
    for tool in listing.tools:
        yield f"  {shown(tool.fingerprint)}  {printable(tool.identity)}"
        if tool.problem is not None:
            yield f"    {printable(tool.problem)}"


def _mcp_lines(listing: McpListing, took: str, bound: Bound | None) -> Iterator[str]:
    count = amount(len(listing.tools), "tool")
    yield f"  MCP server {shown(listing.server)}, MCP {listing.revision}, {count}{took}"
    names = [shown(tool.name) for tool in listing.tools]
    width = max((wide for name in names if (wide := display_width(name)) <= _WIDEST), default=0)
    for name, tool in zip(names, listing.tools, strict=True):
        about = _about(tool) if bound is None else _answers(bound.get(tool.name, ()))
        yield f"  {name}{' ' * max(width - display_width(name), 0)}  {about}".rstrip()
    offered = {tool.name for tool in listing.tools}
    for name, identities in (bound or {}).items():
        if name not in offered:
            yield f"  no tool for {', '.join(map(printable, identities))}"
    yield from (f"  {printable(remark)}" for remark in listing.remarks)


def _about(tool: McpTool) -> str:
    """The first line that says anything of a tool."""
    text = (tool.description or tool.title or "").strip()
    return shown(text.splitlines()[0].rstrip()) if text else ""


def _answers(identities: Sequence[str]) -> str:
    return f"answers {', '.join(map(printable, identities))}" if identities else "nothing here declares it"


def described_json(key: CommandKey, described: Described, reason: str, bound: Bound | None = None) -> dict[str, Any]:
    """The same for programs (docs/json-output.md)."""
    outcome = described.outcome
    answer: dict[str, Any] = {
        "directory": shown_path(key.directory),
        "words": list(key.words),
        "kind": str(key.kind),
        "state": str(described.standing),
        "reason": reason or None,
    }
    if outcome is None:
        return answer
    failure = outcome.failure
    answer |= {
        "as_of": described.as_of if described.as_of_text else None,
        "program": outcome.program,
        "exit_status": outcome.exit_status,
        "seconds": round(outcome.duration, 3),
        "noise": list(outcome.noise),
        "standard_error": list(outcome.stderr_tail),
        "failure": None if failure is None else {"kind": str(failure.kind), "message": failure.sentence},
        "data": None if outcome.listing is None else outcome.listing.data,
        "tools": None if outcome.listing is None else _listing_json(outcome.listing),
    }
    return answer if outcome.mcp is None else answer | _mcp_json(outcome.mcp, bound)


def _listing_json(listing: DescribeListing) -> list[dict[str, Any]]:
    return [{"tool": tool.identity, "fingerprint": tool.fingerprint, "problem": tool.problem} for tool in listing.tools]


def _mcp_json(listing: McpListing, bound: Bound | None) -> dict[str, Any]:
    offered = {tool.name for tool in listing.tools}
    missing = [identity for name, those in (bound or {}).items() if name not in offered for identity in those]
    tools = [
        {
            "name": tool.name,
            "title": tool.title,
            "description": tool.description,
            "has_output_schema": tool.output_schema is not None,
            "answers": None if bound is None else list(bound.get(tool.name, ())),
        }
        for tool in listing.tools
    ]
    return {
        "server": server_data(listing),
        "tools": tools,
        "not_offered": None if bound is None else missing,
        "remarks": list(listing.remarks),
    }
