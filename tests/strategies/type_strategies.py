"""Random declaration maps, terms and type specs: valid by every rule of "Type descriptions".

Values of every generated type end (a template refers to itself or a later one only inside a List, Dict or
Option), instantiations never grow (an argument is a parameter itself or holds none), and what stands as a
Set's item or a Dict's key has an order.
"""

from __future__ import annotations

from collections.abc import Sequence

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


def ordered_terms() -> st.SearchStrategy[Term]:
    """Closed terms with an order."""
    return st.recursive(
        st.sampled_from(ORDERED),
        lambda inner: (
            st.builds(ListOf, inner)
            | st.builds(OptionOf, inner)
            | st.builds(TupleOf, st.lists(inner, min_size=2, max_size=3).map(tuple))
        ),
        max_leaves=3,
    )


@st.composite
def terms(
    draw: st.DrawFn,
    templates: Sequence[tuple[str, int]] = (),
    parameters: Sequence[Param] = (),
    guarded: Sequence[tuple[str, int]] | None = None,
    depth: int = 2,
) -> Term:
    """A term of `templates` (local id and number of type parameters) and `parameters`.

    Inside a List, Set, Dict or Option it may name those of `guarded` as well.
    """
    inside = templates if guarded is None else guarded
    choices = ["primitive", "primitive"]
    if parameters:
        choices += ["parameter"] * 2
    if templates:
        choices += ["named"] * 3
    if depth:
        choices += ["list", "set", "option", "dict", "tuple"]
    choice = draw(st.sampled_from(choices))
    if choice == "parameter":
        return draw(st.sampled_from(list(parameters)))
    if choice == "named":
        local_id, count = draw(st.sampled_from(list(templates)))
        closed = primitives | ordered_terms()
        argument = (closed | st.sampled_from(list(parameters))) if parameters else closed
        return Named(local_id, tuple(draw(argument) for _ in range(count)))
    if choice == "set":
        return SetOf(draw(ordered_terms()))
    if choice == "tuple":
        part = terms(templates, parameters, guarded, depth - 1)
        return TupleOf(tuple(draw(st.lists(part, min_size=2, max_size=3))))
    item = terms(inside, parameters, inside, depth - 1) if depth else primitives
    if choice == "list":
        return ListOf(draw(item))
    if choice == "option":
        return OptionOf(draw(item))
    if choice == "dict":
        return DictOf(draw(st.just(Primitive.TEXT) | ordered_terms()), draw(item))
    return draw(primitives)


@st.composite
def declarations(draw: st.DrawFn, most: int = 5) -> dict[str, Template]:
    """A declarations map. Identities are apart also without their versions."""
    count = draw(st.integers(0, most))
    heads = [(f"d{index}", draw(st.integers(0, 2))) for index in range(count)]
    made = {}
    for index, (local_id, arity) in enumerate(heads):
        parameters = [Param(local_id, at) for at in range(arity)]
        term = terms(heads[:index], parameters, heads)
        kind = draw(st.sampled_from([Kind.RECORD, Kind.RECORD, Kind.ENUM, Kind.HOST]))
        place = draw(st.sampled_from(["acme/kit@1.2.0/page", "tools/a b", "std@0.1.0/x%2Cy", "größe/~f"]))
        made[local_id] = Template(
            name=f"Type{index}",
            identity=f"{place}.Type{index}",
            lexical_ordinal=draw(st.sampled_from([1, 1, 2])),
            generic=PARAMETERS[:arity],
            opaque=draw(st.booleans()),
            kind=kind,
            doc=draw(docs),
            fields=draw(fields(term)) if kind is Kind.RECORD else (),
            constructors=draw(constructors(term)) if kind is Kind.ENUM else (),
        )
    return made


def fields(term: st.SearchStrategy[Term]) -> st.SearchStrategy[tuple[Field, ...]]:
    """A record's fields, or a payload's named parts."""
    field = st.builds(Field, st.sampled_from(NAMES), term, docs)
    return st.lists(field, max_size=4, unique_by=lambda made: made.name).map(tuple)


def constructors(term: st.SearchStrategy[Term]) -> st.SearchStrategy[tuple[Constructor, ...]]:
    """An enum's constructors."""
    names = st.sampled_from([name.title() for name in NAMES])
    constructor = (
        st.builds(Constructor, names, docs)
        | st.builds(Constructor, names, docs, positional=st.lists(term, max_size=3).map(tuple))
        | st.builds(Constructor, names, docs, named=fields(term))
    )
    return st.lists(constructor, max_size=4, unique_by=lambda made: made.name).map(tuple)


@st.composite
def type_specs(draw: st.DrawFn) -> TypeSpec:
    """A Tool's TypeSpec; its declarations are those that its roots reach."""
    templates = draw(declarations())
    heads = [(local_id, len(template.generic)) for local_id, template in templates.items()]
    generic = PARAMETERS[: draw(st.integers(0, 2))]
    root = terms(heads, [Param(TOOL_OWNER, index) for index in range(len(generic))])
    params = draw(st.lists(st.builds(Parameter, st.sampled_from(NAMES), root), max_size=3, unique_by=_name))
    return closed_spec(generic, tuple(params), draw(root), draw(root), templates)


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


def _name(param: Parameter) -> str:
    return param.name
