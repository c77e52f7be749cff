"""TypeSpecs and declarations maps, read from JSON with every rule of "Type descriptions"."""

from __future__ import annotations

from flow_lsp.descriptions.graphs import DescriptionGraph
from flow_lsp.descriptions.problems import DescriptionProblem, in_words, names_alone, of_shape
from flow_lsp.descriptions.scopes import (
    Root,
    TermRules,
    conflict,
    generic_problem,
    names_problem,
    repeated_name,
)
from flow_lsp.types.shapes import ShapeProblem, declarations_from_json, spec_from_json
from flow_lsp.types.terms import Declarations, TypeSpec
from flow_lsp.values.strict_json import Json

_AT = "/declarations"


def read_spec(value: Json) -> TypeSpec | DescriptionProblem:
    """The TypeSpec that `value` writes, or the first thing that is wrong with it. Linear in `value`; never raises."""
    spec = spec_from_json(value)
    if isinstance(spec, ShapeProblem):
        return in_words(of_shape(spec), value, _AT)
    problem = _problem(spec)
    return spec if problem is None else in_words(problem, value, _AT)


def validated(spec: TypeSpec) -> DescriptionProblem | None:
    """What is wrong with `spec`, whose parts were read already and joined; pointers lead into its JSON."""
    problem = _problem(spec)
    return None if problem is None else in_words(problem, names_alone({"params": spec.params}, spec.declarations), _AT)


def read_declarations(value: Json) -> Declarations | DescriptionProblem:
    """The declarations map that `value` writes, such as a listing's `types`, or the first thing that is wrong with it.

    Judged are the rules that hold without roots. What roots reach decides on the others: extras, conflicts, types that
    must contain themselves, order, and the bound on instances.
    """
    declarations = declarations_from_json(value)
    if isinstance(declarations, ShapeProblem):
        return in_words(of_shape(declarations), value, "")
    problem = (
        names_problem(declarations, "")
        or TermRules(declarations).problem((), None, "")
        or DescriptionGraph((), declarations, "").growing()
    )
    return declarations if problem is None else in_words(problem, value, "")


def spec_roots(spec: TypeSpec, at: str = "") -> list[Root]:
    """The roots of `spec`, whose pointer is `at`."""
    roots = [Root(f"{at}/params/{index}/type", param.type) for index, param in enumerate(spec.params)]
    return [*roots, Root(f"{at}/ok", spec.ok), Root(f"{at}/err", spec.err)]


def tool_names_problem(spec: TypeSpec, at: str = "") -> DescriptionProblem | None:
    """What is wrong with the names of the Tool's type parameters and parameters; its pointer is `at`."""
    return generic_problem(spec.generic, f"{at}/generic") or repeated_name(
        [param.name for param in spec.params], at + "/params/{}/name", "parameters"
    )


def _problem(spec: TypeSpec) -> DescriptionProblem | None:
    declarations, roots = spec.declarations, spec_roots(spec)
    problem = (
        tool_names_problem(spec)
        or names_problem(declarations, _AT)
        or TermRules(declarations).problem(roots, len(spec.generic), _AT)
        or conflict(declarations, _AT)
    )
    if problem is not None:
        return problem
    graph = DescriptionGraph(roots, declarations, _AT)
    return graph.extra() or graph.growing() or graph.endless() or graph.no_order() or graph.too_many()
