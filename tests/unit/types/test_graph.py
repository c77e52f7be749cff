"""The rules of a declarations map on maps of any size, with what they say of the way."""

from __future__ import annotations

import pytest
from support.bounds import not_hopeless

from flow_lsp.types.components import components, shortest_cycle
from flow_lsp.types.crossing import Crossing
from flow_lsp.types.facts import parts_of, template_facts
from flow_lsp.types.graph import Graph
from flow_lsp.types.reach import reachable
from flow_lsp.types.terms import (
    Field,
    FunctionOf,
    Kind,
    ListOf,
    Named,
    Param,
    Primitive,
    SetOf,
    Template,
    Term,
    TupleOf,
)


def record(name: str, *terms: Term, generic: tuple[str, ...] = (), kind: Kind = Kind.RECORD) -> Template:
    fields = tuple(Field(f"f{index}", term) for index, term in enumerate(terms))
    return Template(name, f"k.{name}", 1, generic, False, kind, None, fields)


def graph(*templates: Template) -> Graph:
    return Graph({template.name: template_facts(template) for template in templates})


def test_an_endless_cycle_is_said_once_from_its_first_type() -> None:
    verdicts = graph(
        record("Z", Named("A")),
        record("A", Primitive.INT, Named("B")),
        record("B", Named("C")),
        record("C", Named("A"), Named("B")),
    ).verdicts()
    (endless,) = verdicts.endless
    assert (endless.owner, endless.member, endless.cycle) == ("A", 1, ("A", "B", "C", "A"))
    assert verdicts.refused == {"A", "B", "C"}


def test_growth_is_said_at_the_larger_argument() -> None:
    verdicts = graph(
        record("P", ListOf(Named("Q", (Param("P", 0),))), generic=("T",)),
        record("Q", Primitive.INT, ListOf(Named("P", (ListOf(Param("Q", 0)),))), generic=("T",)),
    ).verdicts()
    (growing,) = verdicts.growing
    assert (growing.owner, growing.member, growing.target, growing.cycle) == ("Q", 1, "P", ("Q", "P", "Q"))
    assert verdicts.refused == {"P", "Q"}


def test_a_parameter_that_no_value_holds_needs_no_order_of_its_argument() -> None:
    held = graph(
        record("Box", Param("Box", 0), generic=("T",)),
        record("Tag", Primitive.INT, generic=("T",)),
        record("Good", SetOf(Named("Tag", (Primitive.JSON_VALUE,)))),
        record("Bad", SetOf(Named("Box", (Primitive.JSON_VALUE,)))),
    ).verdicts()
    assert [(problem.owner, problem.what) for problem in held.no_order] == [("Bad", "json.Value")]


def test_nondata_and_functions_do_not_cross() -> None:
    found = graph(
        record("Handle", kind=Kind.NONDATA),
        record("Holder", Named("Handle")),
        record("Calls", FunctionOf((), Primitive.INT)),
        record("Plain", Primitive.INT),
    )
    crossing = Crossing(found)
    nondata = crossing.uncoded(parts_of(ListOf(Named("Holder"))))
    assert nondata is not None
    assert (nondata.what, nondata.through) == ("Handle, which is no data", ("Holder",))
    function = crossing.uncoded(parts_of(Named("Calls")))
    assert function is not None
    assert function.what == "a function"
    assert crossing.uncoded(parts_of(Named("Plain"))) is None
    assert crossing.uncoded(parts_of(Named("Missing"))) is None


@pytest.mark.parametrize("wrap", [ListOf, lambda term: term, SetOf])
def test_many_types_take_no_hopeless_time(wrap: type[ListOf]) -> None:
    count = 20_000
    with not_hopeless():
        templates = [record(f"R{n}", wrap(Named(f"R{n + 1}")), Primitive.INT) for n in range(count)]
        templates.append(record(f"R{count}", Primitive.JSON_VALUE, Named("R0")))
        found = graph(*templates)
        found.verdicts()
        Crossing(found).uncoded(parts_of(Named("R0")))


def test_a_long_way_is_named_by_its_ends() -> None:
    templates = [record(f"R{n}", Named(f"R{n + 1}")) for n in range(50)]
    templates += [record("R50", FunctionOf((), Primitive.INT))]
    obstacle = Crossing(graph(*templates)).uncoded(parts_of(Named("R0")))
    assert obstacle is not None
    assert obstacle.through[0] == "R0"
    assert obstacle.through[-1] == "R50"
    assert len(obstacle.through) < 10


def test_components_and_cycles() -> None:
    edges = {"a": ["b"], "b": ["c", "b2"], "c": ["a"], "b2": ["c"], "d": ["d"], "e": ["a"], "f": []}
    groups = [sorted(group) for group in components(edges, edges.__getitem__)]
    assert groups == [["a", "b", "b2", "c"], ["d"]]
    assert shortest_cycle("a", edges.__getitem__) == ["a", "b", "c", "a"]
    assert shortest_cycle("d", edges.__getitem__) == ["d", "d"]
    assert shortest_cycle("e", edges.__getitem__) == []


def test_reach_goes_from_the_roots_outward() -> None:
    edges = {"a": ["c", "b"], "b": ["a"], "c": ["d"], "d": [], "e": ["a"]}
    assert reachable(["b", "c"], edges.__getitem__) == ["b", "c", "a", "d"]


def test_a_very_wide_term_is_gone_through_in_time() -> None:
    wide = TupleOf(tuple(Named("R") for _ in range(100_000)))
    with not_hopeless():
        assert len(parts_of(wide).named) == 100_000
        assert not graph(record("R", Primitive.INT), record("W", wide)).verdicts().refused


def test_deeply_nested_arguments_are_gone_through_once() -> None:
    term: Term = Primitive.INT
    for _ in range(120):
        term = Named("M", (term,))
    fields = [ListOf(term)] * 1_000
    with not_hopeless():
        assert not graph(record("M", Param("M", 0), generic=("T",)), record("R", *fields)).verdicts().refused
