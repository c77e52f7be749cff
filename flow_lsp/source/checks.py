"""What a file's declarations map says, turned into findings at the places that are to blame (decisions 2,
5, 8)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from flow_lsp.findings import source_rules as rules
from flow_lsp.findings.model import Finding, shown
from flow_lsp.signature.identity import without_version
from flow_lsp.source.model import ItemKind
from flow_lsp.source.reached import Map, Nodes
from flow_lsp.source.resolution import Resolved
from flow_lsp.source.resolved_file import ResolvedFile
from flow_lsp.text.spans import Span
from flow_lsp.types.crossing import Crossing, Obstacle
from flow_lsp.types.graph import NoOrder
from flow_lsp.types.instances import INSTANCE_LIMIT, within_limits
from flow_lsp.types.terms import Template


def map_findings(file: ResolvedFile, found_map: Map) -> list[Finding]:
    """The findings about the file's own types: endless values, growth, places without an order."""
    verdicts = found_map.verdicts
    if not verdicts.refused:
        return []
    starts = {
        one.local_id: file.source.starts[index]
        for index, one in enumerate(file.items)
        if one is not None and one.item.kind is not ItemKind.TOOL
    }
    names = found_map.nodes
    found: list[Finding] = []
    for endless in verdicts.endless:
        one = names.get(endless.owner)
        if endless.owner in starts and one is not None:
            path_text = _way_text("contains", names, endless.cycle)
            span = one.members[endless.member].shifted(starts[endless.owner])
            found.append(rules.ENDLESS_VALUE.at(span, name=_name(names, endless.owner), path_text=path_text))
    for growing in verdicts.growing:
        one = names.get(growing.owner)
        if growing.owner in starts and one is not None:
            path_text = _way_text("leads to", names, growing.cycle) + ", each time with larger arguments"
            span = one.members[growing.member].shifted(starts[growing.owner])
            found.append(rules.GROWING_TYPE.at(span, name=_name(names, growing.owner), path_text=path_text))
    for problem in verdicts.no_order:
        one = names.get(problem.owner)
        if problem.owner in starts and one is not None:
            found.append(_no_order(problem, one.members[problem.member].shifted(starts[problem.owner]), names))
    return found


def _name(names: Nodes, owner: str) -> str:
    return names[owner].item.name or ""


def _way_text(verb: str, names: Nodes, way: tuple[str, ...]) -> str:
    listed = [shown(_name(names, owner)) for owner in way]
    if len(listed) > 8:
        listed = [*listed[:4], "…", *listed[-3:]]
    return f" {verb} ".join(listed)


def _no_order(problem: NoOrder, span: Span, names: Nodes) -> Finding:
    what = problem.what
    if problem.through:
        what += f" (in {', in '.join(shown(_name(names, owner)) for owner in reversed(problem.through))})"
    place = problem.place[0].upper() + problem.place[1:]
    remedy = "Use a List instead." if "Set" in place else "Use a List of pairs instead, or another key."
    return rules.NO_ORDER.at(span, place_text=place, what_text=what, remedy_text=remedy)


@dataclass(frozen=True, slots=True)
class ToolRules:
    """What the checks of several Tools have in common. `may_clash` where two types that the file reaches
    share a key; `all_within_limits` where the Tools together reach no more instances than one may."""

    found_map: Map
    crossing: Crossing
    no_order: Mapping[str, Sequence[NoOrder]]
    may_clash: bool
    all_within_limits: bool


def tool_findings(one: Resolved, common: ToolRules, declarations: Mapping[str, Template]) -> list[Finding]:
    """The findings about one Tool's roots, with spans that count from its item. `declarations` are the types
    that it reaches."""
    names, crossing = common.found_map.nodes, common.crossing
    assert one.facts is not None
    assert one.roots is not None
    name = one.item.name
    span = one.item.name_span
    found = [
        _no_order(problem, one.members[problem.member], names) for problem in common.no_order.get(one.local_id, ())
    ]
    for index, member in enumerate(one.facts.members):
        obstacle = crossing.uncoded(member.parts)
        if obstacle is not None:
            place = _place_text(index, one, member.label)
            found.append(
                rules.CROSSING.at(
                    span,
                    tool=name,
                    place_text=place + _through_text(obstacle, names),
                    what_text=obstacle.what,
                    remedy_text="Pass the data that it would give instead.",
                )
            )
            break
    for index in range(len(one.facts.members) - 2, len(one.facts.members)):
        obstacle = crossing.opaque(one.facts.members[index].parts)
        if obstacle is not None:
            place = _place_text(index, one, "")
            found.append(
                rules.OPAQUE.at(
                    span,
                    tool=name,
                    place_text=place + _through_text(obstacle, names, len(obstacle.through) - 1),
                    what_text=f"the opaque type {shown(obstacle.what)}",
                )
            )
            break
    some_generic = not common.all_within_limits and any(template.generic for template in declarations.values())
    if some_generic and not within_limits(one.roots.terms, declarations):
        found.append(rules.TYPE_LIMIT.at(span, tool=name, limit=INSTANCE_LIMIT))
    clash = _clash(declarations) if common.may_clash else None
    if clash is not None:
        found.append(rules.SAME_KEY.at(span, tool=name, identity=clash))
    return found


def _place_text(index: int, one: Resolved, label: str) -> str:
    assert one.facts is not None
    last = len(one.facts.members)
    if index == last - 2:
        return "its success type"
    if index == last - 1:
        return "its error type"
    return f"its parameter `{shown(label)}`"


def _through_text(obstacle: Obstacle, names: Nodes, length: int | None = None) -> str:
    way = obstacle.through[:length]
    return f", through {' and '.join(shown(_name(names, owner)) for owner in way)}," if way else ""


def _clash(declarations: Mapping[str, Template]) -> str | None:
    """An identity that two declarations share once versions are left out (decisions 5, 6)."""
    seen: dict[str, None] = {}
    for template in declarations.values():
        key = without_version(template.identity)
        if key in seen:
            return key
        seen[key] = None
    return None
