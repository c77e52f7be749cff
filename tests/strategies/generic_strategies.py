"""Random generic Tools, and calls of them that bind their type parameters to random types of a caller."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from hypothesis import assume
from hypothesis import strategies as st
from strategies.type_strategies import PARAMETERS, closed_spec, declarations, ordered_terms, terms

from flow_lsp.descriptions.calls import call_view
from flow_lsp.descriptions.problems import DescriptionProblem
from flow_lsp.types.renaming import renamed_template, renamed_term
from flow_lsp.types.terms import (
    TOOL_OWNER,
    CallView,
    Constructor,
    DictOf,
    Field,
    Kind,
    ListOf,
    Named,
    OptionOf,
    Param,
    Parameter,
    Primitive,
    SetOf,
    Template,
    Term,
    TypeSpec,
)


@dataclass(frozen=True)
class GenericCall:
    """A generic Tool and the view of one valid call; `bindings` are the types that the call binds, in order."""

    spec: TypeSpec
    view: CallView
    bindings: tuple[Term, ...]


def _template(name: str, kind: Kind, **members: object) -> Template:
    return Template(name, f"acme/kit@1.2.0/box.{name}", 1, ("T",), False, kind, None, **members)  # type: ignore[arg-type]


_T, _P = Param("box", 0), Param("pick", 0)
# Every place that the Option-field rule is about, with what a parameter is put for beside it.
BOXES: Mapping[str, Template] = {
    "box": _template(
        "Box",
        Kind.RECORD,
        fields=(
            Field("value", _T),
            Field("more", OptionOf(_T)),
            Field("a", ListOf(_T)),
            Field("z", OptionOf(OptionOf(_T))),
        ),
    ),
    "pick": _template(
        "Pick",
        Kind.ENUM,
        constructors=(
            Constructor("None"),
            Constructor("One", positional=(_P,)),
            Constructor("Two", positional=(_P, OptionOf(_P))),
            Constructor("Named", named=(Field("value", _P), Field("other", Named("box", (_P,))))),
            Constructor("Only", named=(Field("value", _P),)),
        ),
    ),
}


_ORDERED = ordered_terms
_DECLARATIONS = declarations(2)


@st.composite
def generic_calls(draw: st.DrawFn) -> GenericCall:
    """A generic Tool with at least one parameter, and a valid call of it."""
    templates = {**draw(_DECLARATIONS), **BOXES}
    heads = [(local_id, len(template.generic)) for local_id, template in templates.items()]
    generic = PARAMETERS[: draw(st.integers(1, 2))]
    parameters = [Param(TOOL_OWNER, index) for index in range(len(generic))]
    parameter = st.sampled_from(parameters)
    boxed = st.builds(Named, st.sampled_from(["box", "pick"]), parameter.map(lambda one: (one,)))
    keyed = parameter.map(SetOf) | st.builds(DictOf, parameter, parameter | boxed) | boxed.map(SetOf)
    root = terms(heads, parameters) | boxed | keyed | st.builds(DictOf, st.just(Primitive.TEXT), keyed)
    params = tuple([Parameter(f"p{place}", draw(root)) for place in range(draw(st.integers(1, 2)))])
    spec = closed_spec(generic, params, draw(root), Primitive.NEVER, templates)
    # The caller's own declarations, under local ids that differ from the Tool's.
    own = draw(_DECLARATIONS)
    names = {local_id: f"own-{local_id}" for local_id in own}
    caller = {names[local_id]: renamed_template(_private(template), names) for local_id, template in own.items()}
    plain = terms([(names[local_id], len(template.generic)) for local_id, template in own.items()])
    binding = _ORDERED | plain | _ORDERED.map(OptionOf)
    bindings = tuple([renamed_term(draw(binding), {}) for _ in generic])
    made = call_view(spec, bindings, caller)
    assume(not isinstance(made, DescriptionProblem))
    assert not isinstance(made, DescriptionProblem)
    return GenericCall(spec, made[0], bindings)


def _private(template: Template) -> Template:
    return Template(
        template.name, f"mine/{template.identity}", template.lexical_ordinal, template.generic, template.opaque,
        template.kind, template.doc, template.fields, template.constructors,
    )  # fmt: skip
