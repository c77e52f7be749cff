"""Checks the declarations of one file, with what they reach in others: `check_file` (decisions 8).

Pure: files come from a `Workspace`. After an edit, what rests on nothing that changed is the same object
as before.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import TypeAlias

from flow_lsp.findings import source_rules as rules
from flow_lsp.findings.model import Finding, Related
from flow_lsp.source.checks import cause_of, map_findings, tool_findings
from flow_lsp.source.declarations import CheckedFile, Map, ToolCheck, ToolDeclaration
from flow_lsp.source.files import Look, Memory, ResolvedFile, Workspace
from flow_lsp.source.model import ItemKind
from flow_lsp.source.resolution import Resolved, has_error
from flow_lsp.source.scope import import_findings, unused_names
from flow_lsp.types.crossing import Crossing
from flow_lsp.types.facts import Facts
from flow_lsp.types.graph import Graph
from flow_lsp.types.instances import within_limits
from flow_lsp.types.reach import reachable
from flow_lsp.types.terms import Template, Term, TypeSpec

Known: TypeAlias = Mapping[str, Resolved | None]


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
    known = _known(look, file)
    tools = [one for one in file.items if one is not None and one.item.kind is ItemKind.TOOL]
    found_map = _map(known, tools, previous.map if previous is not None else None)
    checker = _ToolChecker(look, file, known, found_map, previous)
    checks: dict[int, ToolCheck] = {}
    findings: list[Finding] = list(file.source.findings)
    for index, (one, start) in enumerate(zip(file.items, file.source.starts, strict=False)):
        if one is None:
            continue
        if one.findings:
            findings += [finding.shifted(start) for finding in one.findings]
        if one.item.kind is ItemKind.TOOL:
            check = checks[index] = checker.check(one, index)
            findings += [finding.shifted(start) for finding in check.findings]
        elif one.ordinal > 1:
            findings.append(_repeated(file, index))
    findings += map_findings(file, known, found_map)
    imports = [*import_findings(path, file.source, file.scope.own, file.imports, look.source)]
    imports += [
        (index, rules.UNUSED_IMPORT.at(span, name=name))
        for index, span, name in unused_names(file.source, file.imports)
    ]
    findings += [finding.shifted(file.source.starts[index]) for index, finding in imports]
    offsets = {check.tool: file.source.starts[index] for index, check in checks.items()}
    return CheckedFile(
        path,
        file.source,
        tuple(check.tool for check in checks.values()),
        tuple(sorted(findings, key=lambda finding: (finding.span, finding.rule.code))),
        offsets,
        file,
        look,
        found_map,
        checks,
        known,
    )


def _known(look: Look, file: ResolvedFile) -> Known:
    """Everything that the file's declarations reach, by local id; None for what is not to be known.

    The file's own types come first, in source order.
    """
    known: dict[str, Resolved | None] = {}
    roots: list[str] = []
    for one in file.items:
        if one is not None and one.facts is not None:
            if one.item.kind is ItemKind.TOOL:
                roots += one.references
            else:
                known[one.local_id] = one
    work = [*known, *dict.fromkeys(root for root in roots if root not in known)]
    for local_id in work:  # grows while it is read
        if local_id not in known:
            known[local_id] = look.resolved(local_id)
        one = known[local_id]
        if one is not None:
            for reference in one.references:
                if reference not in known:
                    known[reference] = look.resolved(reference)
                    work.append(reference)
    return known


def _map(known: Known, tools: list[Resolved], previous: Map | None) -> Map:
    owners: dict[str, Facts] = {
        local_id: one.facts for local_id, one in known.items() if one is not None and one.facts is not None
    }
    owners.update({tool.local_id: tool.facts for tool in tools if tool.facts is not None})
    if previous is not None and previous.owners == owners and list(previous.owners) == list(owners):
        return previous
    graph = Graph(owners)
    verdicts = graph.verdicts()
    templates = _templates(known)
    within = bool(verdicts.growing) or not any(template.generic for template in templates.values())
    if not within:
        roots = [term for tool in tools if tool.roots for term in _root_terms(tool)]
        within = within_limits(roots, templates)
    return Map(owners, graph, verdicts, Crossing(graph), within)


def _templates(known: Known) -> dict[str, Template]:
    return {local_id: one.template for local_id, one in known.items() if one is not None and one.template is not None}


def _root_terms(tool: Resolved) -> list[Term]:
    assert tool.roots is not None
    return [*(param.type for param in tool.roots.params), tool.roots.ok, tool.roots.err]


class _ToolChecker:
    """Checks the Tools of one file one after the other, and uses what the last check of the file found
    again."""

    def __init__(
        self, look: Look, file: ResolvedFile, known: Known, found_map: Map, previous: CheckedFile | None
    ) -> None:
        self.look = look
        self.file = file
        self.known = known
        self.map = found_map
        self.usable = {
            local_id: template
            for local_id, template in _templates(known).items()
            if local_id not in found_map.verdicts.refused
        }
        keys = [one.key for one in known.values() if one is not None]
        self.may_clash = len(set(keys)) < len(keys)
        self.first_of_name: dict[str, int] = {}
        self.earlier: dict[int, ToolCheck] = {}
        self.changed: list[str] = []
        self.same_map = False
        if previous is not None:
            self.earlier = {id(check.resolved): check for check in previous.checks.values()}
            before = previous.known
            self.changed = [name for name, one in known.items() if name in before and before[name] is not one]
            self.changed += [name for name in before if name not in known]
            self.same_map = previous.map is found_map

    def check(self, one: Resolved, index: int) -> ToolCheck:
        """The Tool of `one`, the item `index`."""
        assert one.item.name is not None
        first = self.first_of_name.setdefault(one.item.name, index)
        earlier = self.earlier.get(id(one))
        if earlier is not None and first == index:
            touched = [name for name in self.changed if name in earlier.reached]
            if not touched:
                return earlier
            spec = earlier.tool.spec
            if self.same_map and spec is not None and all(name in self.usable for name in touched):
                # The same facts, so the same judgment: only what declarations say of themselves is another.
                fresh = {name: self.usable[name] for name in touched}
                spec = replace(spec, declarations={**spec.declarations, **fresh})
                return replace(earlier, tool=replace(earlier.tool, spec=spec))
        return self._check_anew(one, first if first != index else None)

    def _check_anew(self, one: Resolved, first: int | None) -> ToolCheck:
        file, item = self.file, one.item
        assert item.name is not None
        identity = file.home.identity(item.name)
        findings: list[Finding] = []
        refused = has_error(item.findings) or has_error(one.findings)
        if first is not None:
            earlier = file.source.items[first]
            place = earlier.name_span.shifted(file.source.starts[first])
            related = (Related(file.path, place, "declared here first"),)
            findings.append(rules.DUPLICATE_NAME.at(item.name_span, related, what_text="The Tool", name=item.name))
        roots = one.roots
        if roots is None:
            cause = None if refused else cause_of(self.look, file, one)
            tool = ToolDeclaration(item.name, identity, item, (), (), None, True, cause)
            return ToolCheck(tool, one, frozenset(), tuple(findings))
        known = self.known
        reached = reachable(one.references, lambda name: found.references if (found := known.get(name)) else ())
        declarations = {name: self.usable[name] for name in reached if name in self.usable}
        cause = None
        spec: TypeSpec | None = None
        if len(declarations) < len(reached):
            culprit = next(name for name in reached if name not in self.usable)
            cause = cause_of(self.look, file, one, culprit)
        else:
            problems = tool_findings(one, self.map, declarations, self.may_clash)
            findings += problems
            if not any(finding.rule in UNDESCRIBED for finding in problems):
                spec = TypeSpec(roots.generic, roots.params, roots.ok, roots.err, declarations)
        refused = refused or spec is None or bool(findings)
        tool = ToolDeclaration(item.name, identity, item, roots.generic, roots.params, spec, refused, cause)
        return ToolCheck(tool, one, frozenset(reached), tuple(findings))


UNDESCRIBED = (rules.CROSSING, rules.NO_ORDER, rules.TYPE_LIMIT, rules.SAME_KEY)
"""Rules whose findings leave a Tool without a signature."""


def _repeated(file: ResolvedFile, index: int) -> Finding:
    item = file.source.items[index]
    assert item.name is not None
    first = file.source.declared[item.name]
    place = file.source.items[first].name_span.shifted(file.source.starts[first])
    related = (Related(file.path, place, "declared here first"),)
    return rules.REPEATED_NAME.at(
        item.name_span.shifted(file.source.starts[index]), related, name=item.name, how_text="declared"
    )
