"""The views of a call: for a generic Tool `types` and `schema`, judged before its arguments are decoded.

Realizes "A generic call's types view" of "Type descriptions". What is refused here makes the call NotRun.
"""

from __future__ import annotations

from enum import Enum
from typing import Final

from flow_lsp.descriptions.agreement import Agreement
from flow_lsp.descriptions.graphs import DescriptionGraph
from flow_lsp.descriptions.problems import DescriptionProblem, DescriptionRule, in_words, of_shape
from flow_lsp.descriptions.scopes import Root, TermRules, conflict, names_problem, repeated_name
from flow_lsp.findings.model import shown
from flow_lsp.schema.projection import ProjectionFault, ProjectionProblem, Projector
from flow_lsp.schema.stripping import undescribed
from flow_lsp.signature.first_difference import first_difference
from flow_lsp.types.shapes import ShapeProblem, call_view_from_json
from flow_lsp.types.terms import CallView, Parameter, TypeSpec
from flow_lsp.values.canonical import canonical_text
from flow_lsp.values.strict_json import Json, JsonObject

_VIEW = "/types"
DECLARATIONS: Final = _VIEW + "/declarations"
_RULES = {ProjectionFault.TOO_LARGE: DescriptionRule.LIMIT, ProjectionFault.SAME_KEY: DescriptionRule.CONFLICT}


class Missing(Enum):
    """A member that a call does not have, which is not one that is null."""

    MISSING = "missing"


MISSING: Final = Missing.MISSING


def check_view(
    spec: TypeSpec, types: Json | Missing = MISSING, schema: Json | Missing = MISSING
) -> CallView | DescriptionProblem:
    """The types of a call of the Tool with the valid TypeSpec `spec`, or why the call is NotRun.

    `types` and `schema` are the call's members, both of which a call of a generic Tool has, and no other: its types are
    those of `spec`. Pointers lead into {"types": …, "schema": …}. Never raises; linear in all three, where no two
    declarations of `spec` are one without their versions.
    """
    problem = _presence_problem(spec, types, schema)
    if problem is not None:
        return problem
    if isinstance(types, Missing) or isinstance(schema, Missing):
        params = tuple(Parameter(param.name, param.type) for param in spec.params)
        return CallView((), params, spec.ok, spec.err, spec.declarations)
    view = call_view_from_json(types)
    if isinstance(view, ShapeProblem):
        problem = of_shape(view, _VIEW)
    else:
        problem = view_problem(spec, view) or _schema_problem(view, schema)
        if problem is None:
            return view
    return in_words(problem, {"types": types}, DECLARATIONS)


def view_problem(spec: TypeSpec, view: CallView) -> DescriptionProblem | None:
    """What is wrong with `view` as that of a call of a Tool with the valid TypeSpec `spec`; without words yet."""
    declarations, roots = view.declarations, view_roots(view)
    problem = (
        repeated_name([binding.name for binding in view.bindings], _VIEW + "/bindings/{}/name", "bindings")
        or repeated_name([param.name for param in view.params], _VIEW + "/params/{}/name", "parameters")
        or names_problem(declarations, DECLARATIONS)
        or TermRules(declarations).problem(roots, None, DECLARATIONS)
        or conflict(declarations, DECLARATIONS)
        or Agreement(spec, view, _VIEW).problem()
    )
    if problem is not None:
        return problem
    graph = DescriptionGraph(roots, declarations, DECLARATIONS)
    problem = graph.extra() or graph.growing() or graph.endless() or graph.no_order() or graph.too_many()
    return problem or graph.uncoded(len(view.bindings))


def view_roots(view: CallView) -> list[Root]:
    """The roots of `view`: its bindings, and then those that values cross at."""
    roots = [Root(f"{_VIEW}/bindings/{index}/type", binding.type) for index, binding in enumerate(view.bindings)]
    roots += [Root(f"{_VIEW}/params/{index}/type", param.type) for index, param in enumerate(view.params)]
    return [*roots, Root(f"{_VIEW}/ok", view.ok), Root(f"{_VIEW}/err", view.err)]


def success_schema(view: CallView) -> JsonObject | DescriptionProblem:
    """The schema of the success type of `view`, over its own declarations."""
    projected = Projector(view.declarations).project(view.ok)
    if isinstance(projected, ProjectionProblem):
        rule = _RULES.get(projected.fault, DescriptionRule.CROSSING)
        return DescriptionProblem(rule, f"{_VIEW}/ok", projected.sentence)
    return projected.schema


def _presence_problem(spec: TypeSpec, types: Json | Missing, schema: Json | Missing) -> DescriptionProblem | None:
    for name, member in (("types", types), ("schema", schema)):
        if spec.generic and member is MISSING:
            return DescriptionProblem(
                DescriptionRule.SHAPE, "", f"A call of a generic Tool needs the member `{name}`, and it is missing."
            )
        if not spec.generic and member is not MISSING:
            return DescriptionProblem(
                DescriptionRule.SHAPE, f"/{name}", f"A call of a Tool that is not generic has no member `{name}`."
            )
    return None


def _schema_problem(view: CallView, given: Json) -> DescriptionProblem | None:
    """Where `given` is not the success type's schema; descriptions and the order of members do not count."""
    projected = success_schema(view)
    if isinstance(projected, DescriptionProblem):
        return projected
    wanted, found = undescribed(projected), undescribed(given)
    if canonical_text(wanted) == canonical_text(found):
        return None
    pointer, wanted_text, found_text = first_difference(wanted, found)
    return DescriptionProblem(
        DescriptionRule.SCHEMA,
        f"/schema{pointer}",
        f"This is not the schema of the success type, which has `{shown(wanted_text)}` where `{shown(found_text)}` "
        "stands.",
    )
