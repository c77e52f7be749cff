"""What a file's declarations map says, turned into findings at the places that are to blame (decisions 2,
5, 8)."""

from __future__ import annotations

from collections.abc import Mapping

from flow_lsp.findings import source_rules as rules
from flow_lsp.findings.model import Finding, shown
from flow_lsp.signature.identity import without_version
from flow_lsp.source.declarations import Cause, Map
from flow_lsp.source.files import Look, ResolvedFile
from flow_lsp.source.model import NOWHERE, ItemKind
from flow_lsp.source.resolution import Resolved
from flow_lsp.source.targets import UNKNOWN
from flow_lsp.text.spans import Span
from flow_lsp.types.crossing import Obstacle
from flow_lsp.types.facts import Facts
from flow_lsp.types.graph import NoOrder
from flow_lsp.types.instances import INSTANCE_LIMIT, within_limits
from flow_lsp.types.terms import Template


def map_findings(file: ResolvedFile, known: Mapping[str, Resolved | None], found_map: Map) -> list[Finding]:
    """The findings about the file's own types: endless values, growth, places without an order."""
    verdicts = found_map.verdicts
    if not (verdicts.endless or verdicts.growing or verdicts.no_order):
        return []
    starts = {
        one.local_id: file.source.starts[index]
        for index, one in enumerate(file.items)
        if one is not None and one.item.kind is not ItemKind.TOOL
    }
    names = found_map.owners
    found: list[Finding] = []
    for endless in verdicts.endless:
        one = known.get(endless.owner)
        if endless.owner in starts and one is not None:
            path_text = _way_text("contains", names, endless.cycle)
            span = one.members[endless.member].shifted(starts[endless.owner])
            found.append(rules.ENDLESS_VALUE.at(span, name=names[endless.owner].name, path_text=path_text))
    for growing in verdicts.growing:
        one = known.get(growing.owner)
        if growing.owner in starts and one is not None:
            path_text = _way_text("leads to", names, growing.cycle) + ", each time with larger arguments"
            span = one.members[growing.member].shifted(starts[growing.owner])
            found.append(rules.GROWING_TYPE.at(span, name=names[growing.owner].name, path_text=path_text))
    for problem in verdicts.no_order:
        one = known.get(problem.owner)
        if problem.owner in starts and one is not None:
            found.append(_no_order(problem, one.members[problem.member].shifted(starts[problem.owner]), names))
    return found


def _way_text(verb: str, names: Mapping[str, Facts], way: tuple[str, ...]) -> str:
    listed = [shown(names[owner].name) for owner in way]
    if len(listed) > 8:
        listed = [*listed[:4], "…", *listed[-3:]]
    return f" {verb} ".join(listed)


def _no_order(problem: NoOrder, span: Span, names: Mapping[str, Facts]) -> Finding:
    what = problem.what
    if problem.through:
        what += f" (in {', in '.join(shown(names[owner].name) for owner in reversed(problem.through))})"
    place = problem.place[0].upper() + problem.place[1:]
    remedy = "Use a List instead." if "Set" in place else "Use a List of pairs instead, or another key."
    return rules.NO_ORDER.at(span, place_text=place, what_text=what, remedy_text=remedy)


def tool_findings(
    one: Resolved, found_map: Map, declarations: Mapping[str, Template], may_clash: bool
) -> list[Finding]:
    """The findings about one Tool's roots, with spans that count from its item. `may_clash` where two
    types that the file reaches share a key."""
    assert one.facts is not None
    assert one.roots is not None
    name = one.item.name
    span = one.item.name_span
    found = [
        _no_order(problem, one.members[problem.member], found_map.owners)
        for problem in found_map.verdicts.no_order
        if problem.owner == one.local_id
    ]
    crossing = found_map.crossing
    for index, member in enumerate(one.facts.members):
        obstacle = crossing.uncoded(member.parts)
        if obstacle is not None:
            place = _place_text(index, one, member.label)
            found.append(
                rules.CROSSING.at(
                    span,
                    tool=name,
                    place_text=place + _through_text(obstacle, found_map.owners),
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
                    place_text=place + _through_text(obstacle, found_map.owners, len(obstacle.through) - 1),
                    what_text=f"the opaque type {shown(obstacle.what)}",
                )
            )
            break
    if not found_map.all_within_limits and not within_limits(
        [*(param.type for param in one.roots.params), one.roots.ok, one.roots.err], declarations
    ):
        found.append(rules.TYPE_LIMIT.at(span, tool=name, limit=INSTANCE_LIMIT))
    clash = _clash(declarations) if may_clash else None
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


def _through_text(obstacle: Obstacle, names: Mapping[str, Facts], length: int | None = None) -> str:
    way = obstacle.through[:length]
    return f", through {' and '.join(shown(names[owner].name) for owner in way)}," if way else ""


def _clash(declarations: Mapping[str, Template]) -> str | None:
    """An identity that two declarations share once versions are left out (decisions 5, 6)."""
    seen: dict[str, None] = {}
    for template in declarations.values():
        key = without_version(template.identity)
        if key in seen:
            return key
        seen[key] = None
    return None


MOST_STEPS = 20  # from one unknown name to the next, on the way to what is to blame


def cause_of(look: Look, file: ResolvedFile, one: Resolved, local_id: str | None = None) -> Cause:
    """What keeps the signature of `one` from being known: the declaration `local_id`, or else one of its names.

    Followed from file to file, to the declaration or import that has a finding of its own.
    """
    cause = _declaration(look, local_id) if local_id is not None else _unknown_name(look, file, one)
    for _ in range(MOST_STEPS):
        inner_file = look.file(cause.path)
        source = look.source(cause.path)
        if inner_file is None or source is None or cause.name not in source.declared:
            break
        inner = inner_file.items[source.declared[cause.name]]
        if inner is None or inner.is_known or inner.findings:
            break
        cause = _unknown_name(look, inner_file, inner)
    return cause


def _declaration(look: Look, local_id: str) -> Cause:
    path, _, name = local_id.rpartition(":")
    source = look.source(path)
    if source is None or name not in source.declared:
        return Cause(path, name, NOWHERE)
    index = source.declared[name]
    return Cause(path, name, source.items[index].name_span.shifted(source.starts[index]))


def _unknown_name(look: Look, file: ResolvedFile, one: Resolved) -> Cause:
    """Where the first name of `one` that is not to be known comes from."""
    for spelling, target in one.targets.items():
        if target != UNKNOWN:
            continue
        module, dot, name = spelling.rpartition(".")
        if not dot and name in file.source.declared:
            return _declaration(look, f"{file.path}:{name}")
        for found in file.imports:
            if (found.syntax.names is None) != bool(dot):
                continue
            if (module if dot else name) in (bound.name for bound in found.syntax.bound):
                if found.path is not None and found.offers is not None and name in found.offers:
                    return _declaration(look, f"{found.path}:{name}")
                start = file.source.starts[found.index]
                return Cause(file.path, found.syntax.path, found.syntax.path_span.shifted(start))
        return Cause(file.path, spelling, NOWHERE)
    return Cause(file.path, one.item.name or "", NOWHERE)
