"""Fixes of declarations that are not what their implementation serves."""

from __future__ import annotations

from collections.abc import Iterator, Sequence, Set

from flow_lsp.analysis.edits import Change
from flow_lsp.analysis.engine import FileTool
from flow_lsp.analysis.fixes.model import Fix, FixContext
from flow_lsp.analysis.fixes.source_files import replacing
from flow_lsp.analysis.redeclaring.redeclare import redeclared
from flow_lsp.analysis.served import served_tools
from flow_lsp.analysis.served_entries import listing_of, served_entry
from flow_lsp.findings.model import Finding, shown
from flow_lsp.importing.names import is_free_name
from flow_lsp.signature.identity import without_version

TITLE = "Update the declaration to what is served"


def _tool(context: FixContext, finding: Finding) -> FileTool | None:
    for tool in context.analysis.tools(context.snapshot, context.key):
        if tool.declared.span == finding.span:
            return tool
    return None


def drift(context: FixContext, finding: Finding) -> Iterator[Fix]:
    """`drift`: make the declaration, and the types that it reaches, what is served."""
    tool = _tool(context, finding)
    served = served_entry(context.snapshot, context.key, tool.declared) if tool is not None else None
    if tool is None or served is None:
        return
    found = redeclared(context.snapshot, context.key, tool, served)
    if isinstance(found, str):
        yield Fix(TITLE, None, finding, disabled=found)
        return
    others = _others(context, tool, set(found.types))
    # What changes other Tools as well may not be done by a key that does what is most likely meant.
    yield Fix(f"{TITLE}{_shared(found.types, others)}", found.change, finding, preferred=not others)


def _others(context: FixContext, tool: FileTool, types: Set[str]) -> int:
    """How many other Tools of the workspace reach one of these types."""
    if not types:
        return 0
    count = 0
    for key in context.snapshot.sources:
        checked = context.analysis.checked(context.snapshot, key)
        for one in checked.tools if checked is not None else ():
            reached = one.spec.declarations.keys() if one.spec is not None else ()
            count += one is not tool.declaration and not types.isdisjoint(reached)
    return count


def _shared(types: Sequence[str], others: int) -> str:
    """What a title says of the types that `others` reach too."""
    if not others:
        return ""
    what = f"`{shown(types[0].rpartition(':')[2])}`" if len(types) == 1 else f"{len(types)} types"
    return f", and {what} with it for {others} other Tool{'s' if others > 1 else ''}"


def unserved(context: FixContext, finding: Finding) -> Iterator[Fix]:
    """`unserved`: call the Tool as the one that is served from the same file, where one name is near."""
    tool = _tool(context, finding)
    listing = listing_of(context.snapshot, context.key, tool.declared) if tool is not None else None
    near = served_tools(listing).nearest(tool.declared.identity) if listing is not None and tool is not None else None
    if tool is None or near is None:
        return
    place, _, name = without_version(near).rpartition(".")
    declared = {one.declared.name for one in context.analysis.tools(context.snapshot, context.key)}
    here = without_version(tool.declared.identity).rpartition(".")[0]
    if place == here and name not in declared and is_free_name(name):
        change = Change({context.key: (replacing(finding.span, name),)})
        yield Fix(f"Rename it to `{shown(name)}`, which is served", change, finding, preferred=True)
