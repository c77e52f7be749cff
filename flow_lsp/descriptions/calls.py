"""What a caller sends with a generic call: its view of the types, and the success type's schema."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from flow_lsp.descriptions.agreement import Agreement
from flow_lsp.descriptions.graphs import DescriptionGraph
from flow_lsp.descriptions.problems import DescriptionProblem, DescriptionRule, counted, in_words, names_alone
from flow_lsp.descriptions.scopes import Root, TermRules
from flow_lsp.descriptions.substitution import instantiated
from flow_lsp.descriptions.view import DECLARATIONS, success_schema, view_problem, view_roots
from flow_lsp.types.renaming import renamed_template, renamed_term
from flow_lsp.types.terms import Binding, CallView, Declarations, Parameter, Term, TypeSpec
from flow_lsp.values.strict_json import JsonObject


def call_view(
    spec: TypeSpec, bindings: Sequence[Term], declarations: Declarations
) -> tuple[CallView, JsonObject] | DescriptionProblem:
    """The members `types` and `schema` of a call of the Tool with the valid TypeSpec `spec`, or why there is no such
    call.

    `bindings` are the concrete types that the call puts for the Tool's type parameters, over the caller's own
    `declarations`, as `read_declarations` gives them. The view keeps the caller's local ids, and the caller's template
    where it has one of the same identity and ordinal as the Tool's. `check_view` accepts what comes of it. Pointers
    lead into {"types": …, "schema": …}.
    """
    if not spec.generic:
        return DescriptionProblem(DescriptionRule.SHAPE, "", "A call of a Tool that is not generic has no views.")
    if len(bindings) != len(spec.generic):
        return DescriptionProblem(
            DescriptionRule.MISMATCH,
            "/types/bindings",
            f"The Tool has {counted(len(spec.generic), 'type parameter')}, and this call has {len(bindings)}.",
        )
    bound = tuple(Binding(name, term) for name, term in zip(spec.generic, bindings, strict=True))
    roots = [Root(f"/types/bindings/{index}/type", term) for index, term in enumerate(bindings)]
    problem = TermRules(declarations).problem(roots, None, DECLARATIONS)
    if problem is not None:
        return _in_words(problem, spec, bound, declarations)
    names = _names(spec, declarations, DescriptionGraph(roots, declarations, DECLARATIONS).reached(range(len(roots))))
    merged = Agreement(spec, CallView(bound, (), spec.ok, spec.err, declarations), "/types")
    for served_id, local_id in names.items():
        problem = merged.disagreement(served_id, local_id) if local_id in declarations else None
        if problem is not None:
            return _in_words(problem, spec, bound, declarations)
    view = _whole_view(spec, bound, declarations, names)
    roots = view_roots(view)
    problem = TermRules(view.declarations).problem(roots, None, None)
    if problem is None:
        reached = DescriptionGraph(roots, view.declarations, DECLARATIONS).reached(range(len(roots)))
        part = {local_id: view.declarations[local_id] for local_id in reached}
        view = CallView(view.bindings, view.params, view.ok, view.err, part)
        problem = view_problem(spec, view)
    schema = success_schema(view) if problem is None else problem
    if isinstance(schema, DescriptionProblem):
        return _in_words(schema, spec, bound, view.declarations)
    return view, schema


def _names(spec: TypeSpec, declarations: Declarations, reached: Sequence[str]) -> dict[str, str]:
    """The local ids of the view by those of `spec`: the caller's where it has that declaration, else one that the
    caller has not. Of two of the caller's, the one that the bindings reach counts."""
    own: dict[tuple[str, int], str] = {}
    for local_id in (*reached, *declarations):
        template = declarations[local_id]
        own.setdefault((template.identity, template.lexical_ordinal), local_id)
    names: dict[str, str] = {}
    taken = set(declarations) | set(spec.declarations)
    for local_id, template in spec.declarations.items():
        name = own.get((template.identity, template.lexical_ordinal))
        if name is None:
            name, number = local_id, 1
            while name in declarations or (number > 1 and name in taken):
                number += 1
                name = f"{local_id}~{number}"
            taken.add(name)
        names[local_id] = name
    return names


def _whole_view(
    spec: TypeSpec, bound: tuple[Binding, ...], declarations: Declarations, names: Mapping[str, str]
) -> CallView:
    """The view, with more declarations than it needs."""
    params = tuple(Parameter(param.name, renamed_term(param.type, names)) for param in spec.params)
    ok, err = renamed_term(spec.ok, names), renamed_term(spec.err, names)
    served = TypeSpec(spec.generic, params, ok, err, {})
    roots = instantiated(served, [binding.type for binding in bound])
    others = {
        names[local_id]: renamed_template(template, names)
        for local_id, template in spec.declarations.items()
        if names[local_id] not in declarations
    }
    return CallView(bound, roots.params, roots.ok, roots.err, {**declarations, **others})


def _in_words(
    problem: DescriptionProblem, spec: TypeSpec, bound: tuple[Binding, ...], declarations: Declarations
) -> DescriptionProblem:
    names = names_alone({"bindings": bound, "params": spec.params}, declarations)
    return in_words(problem, {"types": names}, DECLARATIONS)
