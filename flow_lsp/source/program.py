"""Checks the declarations of one file, with what they reach in others: `check_file` (decisions 8).

Pure: files come from a `Workspace`. After an edit, what rests on nothing that changed is the same object
as before.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cached_property

from flow_lsp.findings import source_rules as rules
from flow_lsp.findings.model import Finding, Related
from flow_lsp.source.checks import ToolRules, map_findings, tool_findings
from flow_lsp.source.declarations import CheckedFile, ToolCheck, ToolDeclaration
from flow_lsp.source.files import Look, Memory, Workspace
from flow_lsp.source.model import ItemKind
from flow_lsp.source.reached import Changes, Map, read_map
from flow_lsp.source.resolution import Resolved, has_error
from flow_lsp.source.resolved_file import ResolvedFile
from flow_lsp.source.scope import import_findings, unused_names
from flow_lsp.types.crossing import Crossing
from flow_lsp.types.graph import NoOrder
from flow_lsp.types.instances import within_limits
from flow_lsp.types.reach import reachable
from flow_lsp.types.terms import Template, TypeSpec


def check_file(
    workspace: Workspace, path: str, previous: CheckedFile | None = None, memory: Memory | None = None
) -> CheckedFile | None:
    """Checks the file at `path`; None where the workspace has no such file.

    `previous` is an earlier check of the same file and `memory` what earlier checks worked out; both change
    nothing but the time it takes, and which objects are the same.
    """
    look = Look(workspace, memory if memory is not None else Memory())
    file = look.file(path)
    if file is None:
        return None
    found_map, changes = read_map(look, file, previous.map if previous is not None else None)
    checks = _tool_checks(file, found_map, changes, previous)
    findings = [*_item_findings(file), *map_findings(file, found_map)]
    for place, check in zip(file.tool_places, checks.values(), strict=True):
        if check.findings:
            findings += [finding.shifted(file.source.starts[place]) for finding in check.findings]
    imports = [*import_findings(path, file.source, file.scope.own, file.imports, look.source)]
    imports += [
        (index, rules.UNUSED_IMPORT.at(span, name=name))
        for index, span, name in unused_names(file.source, file.imports)
    ]
    findings += [finding.shifted(file.source.starts[index]) for index, finding in imports]
    findings.sort(key=lambda finding: (finding.span, finding.rule.code))
    return CheckedFile(path, file.source, tuple(findings), file, look, found_map, checks)


def _item_findings(file: ResolvedFile) -> list[Finding]:
    """What is said of single items: what does not parse or resolve, and names declared again."""
    found: list[Finding] = []
    for place in file.telling:
        item, one, start = file.source.items[place], file.items[place], file.source.starts[place]
        found += [finding.shifted(start) for finding in item.findings]
        if one is not None:
            found += [finding.shifted(start) for finding in one.findings]
            if one.ordinal > 1 and item.kind is not ItemKind.TOOL:
                found.append(_repeated(file, place))
    return found


def _repeated(file: ResolvedFile, index: int) -> Finding:
    item = file.source.items[index]
    assert item.name is not None
    first = file.source.declared[item.name]
    place = file.source.items[first].name_span.shifted(file.source.starts[first])
    related = (Related(file.path, place, "declared here first"),)
    return rules.REPEATED_NAME.at(
        item.name_span.shifted(file.source.starts[index]), related, name=item.name, how_text="declared"
    )


def _tool_checks(
    file: ResolvedFile, found_map: Map, changes: Changes, previous: CheckedFile | None
) -> dict[str, ToolCheck]:
    """The checks of all Tools by their local ids, in source order: those of `previous` where they hold."""
    tools = file.tools
    earlier = previous.checks if previous is not None else {}
    before = previous.file.tools if previous is not None else {}
    touched = changes.touched & tools.keys()
    fresh = {name: _described_anew(earlier[name], found_map, changes) for name in touched if name in earlier}
    # One of a repeated name says where the first stands, which may have moved.
    doubtful = [name for name, one in tools.items() if before.get(name) is not one or one.ordinal > 1]
    fresh.update(dict.fromkeys(doubtful))
    anew = [tools[name] for name, check in fresh.items() if check is None]
    if anew:
        checker = _ToolChecker(file, found_map, _tool_rules(found_map, anew))
        fresh.update((one.local_id, checker.check(one)) for one in anew)
    return {name: fresh.get(name) or earlier[name] for name in tools}


def _described_anew(check: ToolCheck, found_map: Map, changes: Changes) -> ToolCheck | None:
    """The check of a Tool that reaches what changed, where only what declarations say of themselves did."""
    spec = check.tool.spec
    if spec is None or check.resolved.local_id in changes.judged:
        return None
    fresh = {name: template for name in changes.changed & check.reached if (template := found_map.usable(name))}
    spec = replace(spec, declarations={**spec.declarations, **fresh})
    return replace(check, tool=replace(check.tool, spec=spec))


def _tool_rules(found_map: Map, tools: Sequence[Resolved]) -> ToolRules:
    """What the checks of `tools` have in common."""
    graph = found_map.graph_of([tool.local_id for tool in tools if tool.is_known])
    no_order: dict[str, list[NoOrder]] = {}
    for problem in found_map.verdicts.no_order:
        no_order.setdefault(problem.owner, []).append(problem)
    keys = [one.key for one in found_map.nodes.values() if one.key] if found_map.foreign.nodes else []
    templates = {name: template for name in graph.owners if (template := found_map.usable(name)) is not None}
    return ToolRules(
        found_map, Crossing(graph), no_order, len(set(keys)) < len(keys), _all_within_limits(tools, templates)
    )


def _all_within_limits(tools: Sequence[Resolved], templates: Mapping[str, Template]) -> bool:
    """Whether all `tools` together are within the limits of one; without generic types there is none."""
    if not any(template.generic for template in templates.values()):
        return True
    return within_limits([term for tool in tools if tool.roots for term in tool.roots.terms], templates)


class _ToolChecker:
    """Checks Tools of one file one after the other."""

    def __init__(self, file: ResolvedFile, found_map: Map, common: ToolRules) -> None:
        self.file = file
        self.map = found_map
        self.common = common

    @cached_property
    def _first_of_name(self) -> Mapping[str | None, Resolved]:
        found: dict[str | None, Resolved] = {}
        for one in self.file.tools.values():
            found.setdefault(one.item.name, one)
        return found

    @cached_property
    def _places(self) -> Mapping[str, int]:
        return dict(zip(self.file.tools, self.file.tool_places, strict=True))

    def check(self, one: Resolved) -> ToolCheck:
        """The Tool of `one`."""
        file, item = self.file, one.item
        assert item.name is not None
        identity = file.home.identity(item.name)
        findings: list[Finding] = []
        if one.ordinal > 1 and (first := self._first_of_name[item.name]) is not one:
            span = first.item.name_span.shifted(file.source.starts[self._places[first.local_id]])
            related = (Related(file.path, span, "declared here first"),)
            findings.append(rules.DUPLICATE_NAME.at(item.name_span, related, what_text="The Tool", name=item.name))
        roots = one.roots
        if roots is None:
            tool = ToolDeclaration(item.name, identity, item, (), (), None, True)
            return ToolCheck(tool, one, frozenset(), tuple(findings))
        reached = reachable(one.references, self.map.references)
        declarations = {name: template for name in reached if (template := self.map.usable(name)) is not None}
        culprit: str | None = None
        spec: TypeSpec | None = None
        if len(declarations) < len(reached):
            culprit = next(name for name in reached if name not in declarations)
        else:
            problems = tool_findings(one, self.common, declarations)
            findings += problems
            if not any(finding.rule in UNDESCRIBED for finding in problems):
                spec = TypeSpec(roots.generic, roots.params, roots.ok, roots.err, declarations)
        refused = spec is None or bool(findings) or has_error(item.findings) or has_error(one.findings)
        tool = ToolDeclaration(item.name, identity, item, roots.generic, roots.params, spec, refused)
        return ToolCheck(tool, one, frozenset(reached), tuple(findings), culprit)


UNDESCRIBED = (rules.CROSSING, rules.NO_ORDER, rules.TYPE_LIMIT, rules.SAME_KEY)
"""Rules whose findings leave a Tool without a signature."""
