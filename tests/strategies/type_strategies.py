"""Random declaration maps, terms and type specs: valid by every rule of "Type descriptions".

Values of every generated type end (a template refers to itself or a later one only inside a List, Dict or
Option), instantiations never grow (an argument is a parameter itself or holds none), and what stands as a
Set's item or a Dict's key has an order.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeVar

from hypothesis import strategies as st

from flow_lsp.types.terms import (
    TOOL_OWNER,
    Constructor,
    Declarations,
    DictOf,
    Field,
    FunctionOf,
    Kind,
    ListOf,
    Named,
    OptionOf,
    Param,
    Parameter,
    Primitive,
    SetOf,
    TaskOf,
    Template,
    Term,
    TupleOf,
    TypeSpec,
)

NAMES = ("id", "title", "description", "properties", "items", "größe", "𝔘nd", "required", "const", "oneOf")
PARAMETERS = ("T", "U", "Wert")
ORDERED = tuple(p for p in Primitive if p is not Primitive.JSON_VALUE)

docs = st.none() | st.sampled_from(["A doc.", "Two\nlines", "`code`", '"quoted"', "ünï"])
primitives = st.sampled_from(list(Primitive))


def _ordered_terms() -> st.SearchStrategy[Term]:
    return st.recursive(
        st.sampled_from(ORDERED),
        lambda inner: (
            st.builds(ListOf, inner)
            | st.builds(OptionOf, inner)
            | st.builds(TupleOf, st.lists(inner, min_size=2, max_size=3).map(tuple))
        ),
        max_leaves=3,
    )


# What is drawn from stands here, made once: making a strategy takes far longer than drawing from it.
ordered_terms = _ordered_terms()
"""Closed terms with an order."""
_closed = primitives | ordered_terms
_keys = st.just(Primitive.TEXT) | ordered_terms
_field_names = st.lists(st.sampled_from(NAMES), max_size=4, unique=True)
_parameter_names = st.lists(st.sampled_from(NAMES), max_size=3, unique=True)
_constructor_names = st.lists(st.sampled_from([name.title() for name in NAMES]), max_size=4, unique=True)
_payloads = st.sampled_from(["none", "positional", "named"])
_kinds = st.sampled_from([Kind.RECORD, Kind.RECORD, Kind.ENUM, Kind.HOST])
_places = st.sampled_from(["acme/kit@1.2.0/page", "tools/a b", "std@0.1.0/x%2Cy", "größe/~f"])
_ordinals = st.sampled_from([1, 1, 2])
_two_or_three = st.integers(2, 3)
_up_to_two = st.integers(0, 2)
_up_to_three = st.integers(0, 3)
_booleans = st.booleans()
_one_of_so_many = [st.integers(0, last) for last in range(20)]

_Choice = TypeVar("_Choice")


def _one_of(draw: st.DrawFn, choices: Sequence[_Choice]) -> _Choice:
    return choices[draw(_one_of_so_many[len(choices) - 1])]


@st.composite
def terms(draw: st.DrawFn, templates: Sequence[tuple[str, int]] = (), parameters: Sequence[Param] = ()) -> Term:
    """A term of `templates` (local id and number of type parameters) and `parameters`."""
    return draw_term(draw, templates, parameters)


def draw_term(
    draw: st.DrawFn,
    templates: Sequence[tuple[str, int]],
    parameters: Sequence[Param],
    guarded: Sequence[tuple[str, int]] | None = None,
    depth: int = 2,
) -> Term:
    """The same. Inside a List, Set, Dict or Option it may name those of `guarded` as well."""
    inside = templates if guarded is None else guarded
    choices = ["primitive", "primitive"]
    if parameters:
        choices += ["parameter"] * 2
    if templates:
        choices += ["named"] * 3
    if depth:
        choices += ["list", "set", "option", "dict", "tuple"]
    choice = _one_of(draw, choices)
    if choice == "parameter":
        return _one_of(draw, parameters)
    if choice == "named":
        local_id, count = _one_of(draw, templates)
        return Named(
            local_id,
            tuple(_one_of(draw, parameters) if parameters and draw(_booleans) else draw(_closed) for _ in range(count)),
        )
    if choice == "set":
        return SetOf(draw(ordered_terms))
    if choice == "tuple":
        count = draw(_two_or_three)
        return TupleOf(tuple(draw_term(draw, templates, parameters, guarded, depth - 1) for _ in range(count)))
    if choice == "list":
        return ListOf(draw_term(draw, inside, parameters, inside, depth - 1))
    if choice == "option":
        return OptionOf(draw_term(draw, inside, parameters, inside, depth - 1))
    if choice == "dict":
        return DictOf(draw(_keys), draw_term(draw, inside, parameters, inside, depth - 1))
    return draw(primitives)


@st.composite
def declarations(draw: st.DrawFn, most: int = 5) -> dict[str, Template]:
    """A declarations map. Identities are apart also without their versions."""
    count = _one_of(draw, range(most + 1))
    heads = [(f"d{index}", draw(_up_to_two)) for index in range(count)]
    made = {}
    for index, (local_id, arity) in enumerate(heads):
        parameters = [Param(local_id, at) for at in range(arity)]

        def term(index: int = index, parameters: Sequence[Param] = parameters) -> Term:
            return draw_term(draw, heads[:index], parameters, heads)

        kind = draw(_kinds)
        made[local_id] = Template(
            name=f"Type{index}",
            identity=f"{draw(_places)}.Type{index}",
            lexical_ordinal=draw(_ordinals),
            generic=PARAMETERS[:arity],
            opaque=draw(_booleans),
            kind=kind,
            doc=draw(docs),
            fields=_fields(draw, term) if kind is Kind.RECORD else (),
            constructors=_constructors(draw, term) if kind is Kind.ENUM else (),
        )
    return made


def _fields(draw: st.DrawFn, term: Callable[[], Term]) -> tuple[Field, ...]:
    """A record's fields, or a payload's named parts."""
    return tuple([Field(name, term(), draw(docs)) for name in draw(_field_names)])


def _constructors(draw: st.DrawFn, term: Callable[[], Term]) -> tuple[Constructor, ...]:
    """An enum's constructors."""
    found = []
    for name in draw(_constructor_names):
        doc, payload = draw(docs), draw(_payloads)
        positional = tuple([term() for _ in range(draw(_up_to_three))]) if payload == "positional" else None
        found.append(Constructor(name, doc, positional, _fields(draw, term) if payload == "named" else None))
    return tuple(found)


@st.composite
def type_specs(draw: st.DrawFn) -> TypeSpec:
    """A Tool's TypeSpec; its declarations are those that its roots reach."""
    templates = draw(declarations())
    heads = [(local_id, len(template.generic)) for local_id, template in templates.items()]
    generic = PARAMETERS[: draw(_up_to_two)]
    own = [Param(TOOL_OWNER, index) for index in range(len(generic))]
    params = [Parameter(name, draw_term(draw, heads, own)) for name in draw(_parameter_names)]
    return closed_spec(generic, tuple(params), draw_term(draw, heads, own), draw_term(draw, heads, own), templates)


def closed_spec(
    generic: tuple[str, ...], params: tuple[Parameter, ...], ok: Term, err: Term, templates: Declarations
) -> TypeSpec:
    """A TypeSpec with those of `templates` that its roots reach."""
    reached: dict[str, Template] = {}
    ahead: list[Term] = [*(param.type for param in params), ok, err]
    while ahead:
        term = ahead.pop()
        if isinstance(term, Named) and term.declaration not in reached:
            template = reached[term.declaration] = templates[term.declaration]
            ahead.extend(member_terms(template))
        ahead.extend(term_parts(term))
    kept = {local_id: templates[local_id] for local_id in templates if local_id in reached}
    return TypeSpec(generic, params, ok, err, kept)


def member_terms(template: Template) -> list[Term]:
    """The terms that a template's members have."""
    found = [field.type for field in template.fields]
    for constructor in template.constructors:
        found.extend(constructor.positional or ())
        found.extend(field.type for field in constructor.named or ())
    return found


def term_parts(term: Term) -> tuple[Term, ...]:
    """The terms directly inside `term`."""
    if isinstance(term, ListOf | SetOf | OptionOf | TaskOf):
        return (term.item,)
    if isinstance(term, DictOf):
        return (term.key, term.value)
    if isinstance(term, TupleOf):
        return term.items
    if isinstance(term, FunctionOf):
        return (*term.params, term.result)
    return term.args if isinstance(term, Named) else ()
