"""The tools listing (decisions 9) as TypeSpecs: each entry joined with what it reaches of the program's map."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from flow_lsp.descriptions.graphs import DescriptionGraph
from flow_lsp.descriptions.problems import DescriptionProblem, DescriptionRule, in_words, of_shape
from flow_lsp.descriptions.scopes import Root, TermRules, conflict, names_problem
from flow_lsp.descriptions.spec import spec_roots, tool_names_problem, validated
from flow_lsp.types.facts import member_facts, template_facts
from flow_lsp.types.reach import reachable
from flow_lsp.types.shapes import ShapeProblem, declarations_from_json, spec_from_json
from flow_lsp.types.terms import Declarations, TypeSpec
from flow_lsp.values.strict_json import Json, JsonObject

_AT = "/types"


@dataclass(frozen=True, slots=True)
class ListingSpecs:
    """The type parts of a listing: a TypeSpec for each entry of `tools`, in their order, and the whole map.

    `graph` is that of all of them, for what else is to be judged; its roots are those of one entry after the other.
    """

    specs: tuple[TypeSpec, ...]
    types: Declarations
    graph: DescriptionGraph = field(repr=False, compare=False)


def spec_of_entry(entry: Json, types: Declarations) -> TypeSpec | DescriptionProblem:
    """The TypeSpec that `entry`, one of a listing's `tools`, and the listing's `types`, as `read_declarations` gives
    them, come to, or what is wrong with it. Pointers lead into `entry`, and for declarations into the TypeSpec."""
    found = _roots_of(entry, "")
    if isinstance(found, DescriptionProblem):
        return in_words(found, entry, _AT)
    facts = [member_facts("", root.term) for root in spec_roots(found)]
    reached = reachable(
        (reference for fact in facts for reference in fact.references),
        lambda local_id: template_facts(types[local_id]).references if local_id in types else (),
    )
    spec = _with(found, {local_id: types[local_id] for local_id in reached if local_id in types})
    return validated(spec) or spec


def read_listing(listing: Json) -> ListingSpecs | DescriptionProblem:
    """The type parts of `listing`, or the first thing that is wrong with them. Pointers lead into the listing.

    The listing's `types` are exactly what its Tools reach. Its other members (`data`, `problems`, docs and places) are
    not judged. Linear in the listing and in the TypeSpecs that it comes to; never raises.
    """
    read = _read(listing)
    if isinstance(read, DescriptionProblem):
        return in_words(read, listing, _AT)
    tools, types = read
    roots: list[Root] = []
    numbers: list[Sequence[int]] = []
    rules = TermRules(types)
    problem = names_problem(types, _AT) or rules.problem((), None, _AT)
    for place, tool in enumerate(tools):
        own = spec_roots(tool, f"/tools/{place}")
        problem = problem or tool_names_problem(tool, f"/tools/{place}") or rules.problem(own, len(tool.generic), None)
        numbers.append(range(len(roots), len(roots) + len(own)))
        roots += own
    if problem is None:
        graph = DescriptionGraph(roots, types, _AT)
        problem = graph.extra() or graph.growing() or graph.endless() or graph.no_order()
        if problem is None:
            specs = [_with(tool, _part(types, graph, own)) for tool, own in zip(tools, numbers, strict=True)]
            problem = _conflict(specs, types) or _too_many(specs, graph)
            if problem is None:
                return ListingSpecs(tuple(specs), types, graph)
    return in_words(problem, listing, _AT)


def _part(types: Declarations, graph: DescriptionGraph, numbers: Sequence[int]) -> Declarations:
    return {local_id: types[local_id] for local_id in graph.reached(numbers)}


def _conflict(specs: Sequence[TypeSpec], types: Declarations) -> DescriptionProblem | None:
    """The first conflict that one Tool reaches. In the whole map there may be two local files of one path."""
    names = Counter((template.identity, template.lexical_ordinal) for template in types.values())
    if len(names) == len(types):
        return None
    return next(filter(None, (conflict(spec.declarations, _AT) for spec in specs)), None)


def _too_many(specs: Sequence[TypeSpec], graph: DescriptionGraph) -> DescriptionProblem | None:
    """The first Tool that reaches too many instances."""
    if graph.too_many() is None:
        return None
    for place, spec in enumerate(specs):
        problem = graph.too_many([root.term for root in spec_roots(spec)])
        if problem is not None:
            return problem.under(f"/tools/{place}")
    return None


def _with(spec: TypeSpec, declarations: Declarations) -> TypeSpec:
    return TypeSpec(spec.generic, spec.params, spec.ok, spec.err, declarations)


# -- shapes --------------------------------------------------------------------------------------------


def _read(listing: Json) -> tuple[list[TypeSpec], Declarations] | DescriptionProblem:
    if not isinstance(listing, dict):
        return _shape("", "A tools listing is expected here, and this is no object.")
    for member in ("tools", "types"):
        if member not in listing:
            return _shape("", f"A tools listing needs the member `{member}`.")
    types = declarations_from_json(listing["types"])
    if isinstance(types, ShapeProblem):
        return of_shape(types, _AT)
    entries = listing["tools"]
    if not isinstance(entries, list):
        return _shape("/tools", "An array is expected here.")
    tools: list[TypeSpec] = []
    for place, entry in enumerate(entries):
        tool = _roots_of(entry, f"/tools/{place}")
        if isinstance(tool, DescriptionProblem):
            return tool
        tools.append(tool)
    return tools, types


def _roots_of(entry: Json, at: str) -> TypeSpec | DescriptionProblem:
    """The roots of a listing's entry, which stands at `at`, as a TypeSpec without declarations."""
    if not isinstance(entry, dict):
        return _shape(at, "An entry of a tools listing is expected here, and this is no object.")
    written: JsonObject = {"declarations": {}}
    for member in ("generic", "params", "ok", "err"):
        if member not in entry:
            return _shape(at, f"An entry of a tools listing needs the member `{member}`.")
        written[member] = entry[member]
    if isinstance(written["params"], list):
        written["params"] = [_without_doc(param) for param in written["params"]]
    spec = spec_from_json(written)
    return of_shape(spec, at) if isinstance(spec, ShapeProblem) else spec


def _without_doc(param: Any) -> Any:
    """A parameter as a TypeSpec has it; as it is where its `doc` is none."""
    if not isinstance(param, dict) or not isinstance(param.get("doc", ""), str | None):
        return param
    return {name: member for name, member in param.items() if name != "doc"}


def _shape(pointer: str, sentence: str) -> DescriptionProblem:
    return DescriptionProblem(DescriptionRule.SHAPE, pointer, sentence)
