"""The linear checks of a declarations map say what writing out every instantiation would say."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache

from hypothesis import assume, given, settings
from hypothesis import strategies as st

from flow_lsp.types.crossing import Crossing
from flow_lsp.types.facts import Facts, member_facts, parts_of, template_facts
from flow_lsp.types.graph import Graph
from flow_lsp.types.instances import member_terms, within_limits
from flow_lsp.types.reach import reachable
from flow_lsp.types.renaming import renamed_template, renamed_term
from flow_lsp.types.terms import (
    Constructor,
    DictOf,
    Field,
    FunctionOf,
    Kind,
    ListOf,
    Named,
    OptionOf,
    Param,
    Primitive,
    SetOf,
    TaskOf,
    Template,
    Term,
    TupleOf,
)

ARITIES = {"A": 0, "B": 0, "P": 1, "Q": 2, "H": 0}
LIMIT = 1500
DEEP = 14


@cache  # making a strategy takes far longer than drawing from it
def terms(owner: str | None, depth: int = 2) -> st.SearchStrategy[Term]:
    """Terms over the five declarations, with parameters of `owner`."""
    leaves: list[st.SearchStrategy[Term]] = [
        st.sampled_from([Primitive.INT, Primitive.TEXT, Primitive.INT, Primitive.JSON_VALUE]),
        st.sampled_from([Named("A"), Named("B"), Named("H")]),
    ]
    if owner is not None and ARITIES[owner]:
        leaves.append(st.integers(0, ARITIES[owner] - 1).map(lambda index: Param(owner, index)))
    if depth == 0:
        return st.one_of(leaves)
    inner = terms(owner, depth - 1)
    return st.one_of(
        *leaves,
        inner.map(ListOf),
        inner.map(SetOf),
        inner.map(OptionOf),
        st.builds(DictOf, inner, inner),
        st.builds(lambda one, two: TupleOf((one, two)), inner, inner),
        inner.map(lambda one: Named("P", (one,))),
        st.builds(lambda one, two: Named("Q", (one, two)), inner, inner),
        st.one_of(inner.map(TaskOf), inner.map(lambda one: FunctionOf((one,), Primitive.INT))),
    )


KINDS = st.sampled_from([Kind.RECORD, Kind.RECORD, Kind.ENUM])
MEMBERS = {name: st.lists(terms(name), max_size=3) for name in ARITIES}


@st.composite
def maps(draw: st.DrawFn) -> dict[str, Template]:
    """Five small declarations that name each other."""
    found = {}
    for name, arity in ARITIES.items():
        generic = ("T", "U")[:arity]
        kind = Kind.HOST if name == "H" else draw(KINDS)
        members = draw(MEMBERS[name]) if name != "H" else []
        fields = tuple(Field(f"f{index}", term) for index, term in enumerate(members))
        constructors = tuple(Constructor(f"C{index}", positional=(term,)) for index, term in enumerate(members))
        found[name] = Template(
            name,
            f"k.{name}",
            1,
            generic,
            kind is not Kind.HOST and draw(st.booleans()),
            kind,
            None,
            fields if kind is Kind.RECORD else (),
            constructors if kind is Kind.ENUM else (),
        )
    return found


# -- by writing everything out ----------------------------------------------------------------


def substituted(term: Term, args: tuple[Term, ...]) -> Term:
    match term:
        case Param(_, index):
            return args[index] if index < len(args) else term
        case Named(name, inner):
            return Named(name, tuple(substituted(part, args) for part in inner))
        case ListOf(item) | SetOf(item) | OptionOf(item) | TaskOf(item):
            return type(term)(substituted(item, args))
        case DictOf(key, value):
            return DictOf(substituted(key, args), substituted(value, args))
        case TupleOf(items):
            return TupleOf(tuple(substituted(part, args) for part in items))
        case FunctionOf(params, result):
            return FunctionOf(tuple(substituted(part, args) for part in params), substituted(result, args))
        case _:
            return term


def parts(term: Term) -> tuple[Term, ...]:
    match term:
        case Named(_, args):
            return args
        case ListOf(item) | SetOf(item) | OptionOf(item) | TaskOf(item):
            return (item,)
        case DictOf(key, value):
            return (key, value)
        case TupleOf(items):
            return items
        case FunctionOf(params, result):
            return (*params, result)
        case _:
            return ()


def everywhere(term: Term) -> Iterator[Term]:
    yield term
    for part in parts(term):
        yield from everywhere(part)


def depth(term: Term) -> int:
    return 1 + max(map(depth, parts(term)), default=0)


def members(instance: Named, declarations: Mapping[str, Template]) -> list[Term]:
    return [substituted(term, instance.args) for term in member_terms(declarations[instance.declaration])]


def instances(roots: list[Term], declarations: Mapping[str, Template]) -> dict[Named, None] | None:
    """All instances that `roots` reach, or None where they never end."""
    found: dict[Named, None] = {}
    work = [named for root in roots for named in everywhere(root) if isinstance(named, Named)]
    while work:
        instance = work.pop()
        if instance in found:
            continue
        if depth(instance) > DEEP:
            return None
        found[instance] = None
        assume(len(found) < LIMIT)
        for term in members(instance, declarations):
            work += [named for named in everywhere(term) if isinstance(named, Named)]
    return found


def values(term: Term, declarations: Mapping[str, Template]) -> set[Term]:
    """All terms that a value of `term` may be made of."""
    seen: set[Term] = set()
    work = [term]
    while work:
        one = work.pop()
        if one in seen:
            continue
        seen.add(one)
        if isinstance(one, Named):
            work += members(one, declarations)
        elif not isinstance(one, TaskOf | FunctionOf):
            work += parts(one)
    return seen


def has_no_order(term: Term, declarations: Mapping[str, Template]) -> bool:
    return any(
        one is Primitive.JSON_VALUE
        or isinstance(one, TaskOf | FunctionOf)
        or (isinstance(one, Named) and declarations[one.declaration].kind is Kind.HOST)
        for one in values(term, declarations)
    )


def contained(instance: Named, declarations: Mapping[str, Template]) -> set[Named]:
    if declarations[instance.declaration].kind is not Kind.RECORD:
        return set()
    found: set[Named] = set()
    work = members(instance, declarations)
    while work:
        one = work.pop()
        if isinstance(one, Named):
            found.add(one)
        elif isinstance(one, TupleOf):
            work += one.items
    return found


def in_cycle(instance: Named, declarations: Mapping[str, Template]) -> bool:
    seen: set[Named] = set()
    work = list(contained(instance, declarations))
    while work:
        one = work.pop()
        if one == instance:
            return True
        if one not in seen:
            seen.add(one)
            work += contained(one, declarations)
    return False


def graph_of(declarations: Mapping[str, Template], roots: list[Term]) -> Graph:
    owners = {name: template_facts(template) for name, template in declarations.items()}
    owners["tool"] = Facts("tool", tuple(member_facts(f"p{index}", root) for index, root in enumerate(roots)))
    return Graph(owners)


def reached(declarations: Mapping[str, Template], roots: list[Term]) -> dict[str, Template]:
    owners = {name: template_facts(template) for name, template in declarations.items()}
    names = reachable(
        [one.declaration for root in roots for one in everywhere(root) if isinstance(one, Named)],
        lambda name: owners[name].references,
    )
    return {name: declarations[name] for name in names}


# -- the laws ----------------------------------------------------------------------------------


@settings(max_examples=400, deadline=None)
@given(maps())
def test_growing_is_having_instances_without_end(declarations: dict[str, Template]) -> None:
    roots: list[Term] = [
        Named(name, tuple(Param("tool", index) for index in range(arity))) for name, arity in ARITIES.items()
    ]
    endless = instances(roots, declarations) is None
    assert bool(graph_of(declarations, []).verdicts().growing) == endless


@settings(max_examples=400, deadline=None)
@given(maps(), st.lists(terms(None), min_size=1, max_size=2))
def test_endless_order_and_crossing_are_those_of_the_instances(
    declarations: dict[str, Template], roots: list[Term]
) -> None:
    declarations = reached(declarations, roots)
    found = instances(roots, declarations)
    graph = graph_of(declarations, roots)
    verdicts = graph.verdicts()
    assume(found is not None)
    assert found is not None

    assert bool(verdicts.endless) == any(in_cycle(instance, declarations) for instance in found)
    for endless in verdicts.endless:
        assert endless.cycle[0] == endless.cycle[-1] == endless.owner

    sought = [one for root in roots for one in everywhere(root)]
    sought += [one for instance in found for term in members(instance, declarations) for one in everywhere(term)]
    unordered = any(
        (isinstance(one, SetOf) and has_no_order(one.item, declarations))
        or (isinstance(one, DictOf) and has_no_order(one.key, declarations))
        for one in sought
    )
    assert bool(verdicts.no_order) == unordered

    crossing = Crossing(graph)
    for root in roots:
        held = values(root, declarations)
        no_codec = any(isinstance(one, TaskOf | FunctionOf) for one in held)
        assert (crossing.uncoded(parts_of(root)) is not None) == no_codec
        opaque = any(isinstance(one, Named) and declarations[one.declaration].opaque for one in held)
        assert (crossing.opaque(parts_of(root)) is not None) == opaque


@settings(max_examples=200, deadline=None)
@given(maps(), terms(None))
def test_the_bound_counts_every_instance(declarations: dict[str, Template], root: Term) -> None:
    found = instances([root], declarations)
    assume(found is not None)
    assert found is not None
    assert within_limits([root], declarations, instances=len(found))
    if found:
        assert not within_limits([root], declarations, instances=len(found) - 1)


@settings(max_examples=100, deadline=None)
@given(maps(), terms("Q"))
def test_renaming_there_and_back_changes_nothing(declarations: dict[str, Template], term: Term) -> None:
    there = {name: name.lower() for name in ARITIES}
    back = {name.lower(): name for name in ARITIES}
    assert renamed_term(renamed_term(term, there), back) == term
    for template in declarations.values():
        assert renamed_template(renamed_template(template, there), back) == template
