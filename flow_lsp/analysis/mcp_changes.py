"""What an MCP server offers now against what it offered before. Descriptions, titles and the server's version are no
change: what counts is what a call takes and gives."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice

from flow_lsp.findings.model import shown
from flow_lsp.protocol.mcp.foreign import SchemaDocument, properties_of, required_of
from flow_lsp.protocol.mcp.listing import McpListing
from flow_lsp.protocol.mcp.tools import McpTool
from flow_lsp.schema.stripping import undescribed
from flow_lsp.values.canonical import canonical_text
from flow_lsp.values.strict_json import Json


def said_of_tools(listing: McpListing) -> Sequence[object]:
    """What `listing` says, in whatever order: equal for two that say the same."""
    return "mcp", sorted((tool.name, *_said(tool)) for tool in listing.tools)


def tool_changes(
    before: McpListing, after: McpListing, most: int
) -> tuple[tuple[str, ...], tuple[str, ...], tuple[tuple[str, str], ...]]:
    """The tools that are new, those that are gone, and those that are others, each with at most `most` differences."""
    old = {tool.name: tool for tool in before.tools}
    new = {tool.name: tool for tool in after.tools}
    return (
        tuple(sorted(new.keys() - old.keys())),
        tuple(sorted(old.keys() - new.keys())),
        tuple(
            (name, "; ".join(islice(_differences(old[name], new[name]), most)))
            for name in sorted(new.keys() & old.keys())
            if _said(old[name]) != _said(new[name])
        ),
    )


def _said(tool: McpTool) -> tuple[str, str, bool]:
    return _text(tool.input_schema), _text(tool.output_schema), tool.needs_task


def _text(schema: Json) -> str:
    return canonical_text(undescribed(schema))


def _differences(before: McpTool, after: McpTool) -> Iterator[str]:
    said = False
    for sentence in _parameters(SchemaDocument(before.input_schema), SchemaDocument(after.input_schema)):
        yield sentence
        said = True
    if not said and _text(before.input_schema) != _text(after.input_schema):
        yield "the inputSchema is another"
    if _text(before.output_schema) != _text(after.output_schema):
        if after.output_schema is None:
            yield "the outputSchema is gone"
        else:
            yield f"the outputSchema is {'new' if before.output_schema is None else 'another'}"
    if before.needs_task != after.needs_task:
        yield f"calls are taken as tasks alone {'now' if after.needs_task else 'before'}"


def _parameters(before: SchemaDocument, after: SchemaDocument) -> Iterator[str]:
    then, now = before.resolved(before.root), after.resolved(after.root)
    old, new = properties_of(then), properties_of(now)
    required_then, required_now = frozenset(required_of(then)), frozenset(required_of(now))
    for name in new:
        if name not in old:
            yield f"parameter {shown(name)} is new{', and required' if name in required_now else ''}"
    for name, schema in old.items():
        if name not in new:
            yield f"parameter {shown(name)} is gone"
        elif (name in required_then) != (name in required_now):
            yield f"parameter {shown(name)} is {'required' if name in required_now else 'optional'} now"
        elif _text(schema) != _text(new[name]):
            one, other = after.words(new[name]), before.words(schema)
            words = f"{one} now and {other} before" if one != other else "of another schema"
            yield f"parameter {shown(name)} is {words}"
