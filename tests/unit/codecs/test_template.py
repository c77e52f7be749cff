"""Templates: the example value that a person begins with."""

from __future__ import annotations

import pytest
from support.bounds import not_hopeless

from flow_lsp.codecs.codec import Codecs
from flow_lsp.codecs.inside import Member, Parts
from flow_lsp.codecs.nodes import Nodes
from flow_lsp.codecs.template import Templates
from flow_lsp.types.terms import (
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
    Primitive,
    SetOf,
    TaskOf,
    Template,
    Term,
    TupleOf,
)

INT, TEXT, NEVER = Primitive.INT, Primitive.TEXT, Primitive.NEVER


def record(name: str, *fields: tuple[str, Term], generic: tuple[str, ...] = (), opaque: bool = False) -> Template:
    made = tuple(Field(each, term) for each, term in fields)
    return Template(name, f"a.{name}", 1, generic, opaque, Kind.RECORD, fields=made)


def enum(name: str, *constructors: Constructor) -> Template:
    return Template(name, f"a.{name}", 1, (), False, Kind.ENUM, constructors=constructors)


def template(term: Term, declarations: Declarations | None = None) -> str | None:
    """The template, which decodes."""
    nodes = Nodes(declarations or {})
    text = Templates(nodes).text(nodes.node(term))
    if text is not None:
        Codecs(declarations or {}).codec(term).read(text)
    return text


@pytest.mark.parametrize(
    ("term", "expected"),
    [
        (INT, "0"),
        (Primitive.DECIMAL, "0"),
        (Primitive.BOOL, "false"),
        (TEXT, '""'),
        (Primitive.BYTES, '""'),
        (Primitive.INSTANT, '"2000-01-01T00:00:00Z"'),
        (Primitive.DURATION, '"PT0S"'),
        (Primitive.UNIT, "null"),
        (Primitive.JSON_VALUE, "null"),
        (ListOf(INT), "[]"),
        (SetOf(NEVER), "[]"),
        (OptionOf(NEVER), '"None"'),
        (DictOf(TEXT, INT), "{}"),
        (DictOf(INT, NEVER), "[]"),
        (TupleOf((INT, TEXT, OptionOf(INT))), '[0,"","None"]'),
        (NEVER, None),
        (TaskOf(INT), None),
        (FunctionOf((), INT), None),
        (TupleOf((INT, NEVER)), None),
    ],
)
def test_each_type_has_its_plainest_value(term: Term, expected: str | None) -> None:
    assert template(term) == expected


def test_a_record_has_its_required_fields_in_declaration_order() -> None:
    shape = record("Shape", ("z", INT), ("a", TEXT), ("maybe", OptionOf(INT)))
    assert template(Named("s"), {"s": shape}) == '{"z":0,"a":""}'


def test_an_option_of_a_parameter_is_left_out_too_whatever_stands_for_it() -> None:
    box = record("Box", ("value", OptionOf(Param("b", 0))), ("own", Param("b", 0)), generic=("T",))
    assert template(Named("b", (OptionOf(INT),)), {"b": box}) == "{}"
    assert template(Named("b", (INT,)), {"b": box}) == '{"own":0}'


def test_an_opaque_type_and_a_host_token_are_written_as_what_they_are() -> None:
    host = Template("Session", "a.Session", 1, (), False, Kind.HOST)
    ticket = record("Ticket", ("session", Named("h")), opaque=True)
    assert template(Named("t"), {"t": ticket, "h": host}) == '{"session":""}'


@pytest.mark.parametrize(
    ("constructors", "expected"),
    [
        ((Constructor("A"), Constructor("B")), '"A"'),
        ((Constructor("A", positional=(INT,)), Constructor("B")), '{"A":0}'),
        ((Constructor("A", positional=()),), '{"A":[]}'),
        ((Constructor("A", positional=(INT, TEXT)),), '{"A":[0,""]}'),
        ((Constructor("A", named=(Field("x", INT), Field("y", OptionOf(INT)))),), '{"A":{"x":0}}'),
        ((Constructor("A", positional=(NEVER,)), Constructor("B")), '"B"'),
        ((Constructor("A", positional=(NEVER,)),), None),
        ((), None),
    ],
)
def test_an_enum_has_its_first_constructor_that_has_a_value(
    constructors: tuple[Constructor, ...], expected: str | None
) -> None:
    assert template(Named("e"), {"e": enum("E", *constructors)}) == expected


def test_a_type_that_holds_itself_comes_to_an_end() -> None:
    add = Constructor("Add", positional=(Named("e"), Named("e")))
    expression = enum("E", add, Constructor("Neg", positional=(Named("e"),)), Constructor("Num", positional=(INT,)))
    assert template(Named("e"), {"e": expression}) == '{"Num":0}'


def test_where_every_way_leads_back_the_smallest_is_taken() -> None:
    one = enum("One", Constructor("Two", positional=(Named("b"),)))
    two = enum("Two", Constructor("One", positional=(Named("a"),)), Constructor("End"))
    assert template(Named("a"), {"a": one, "b": two}) == '{"Two":"End"}'
    assert template(Named("b"), {"a": one, "b": two}) == '"End"'


def test_a_type_without_an_end_has_no_template() -> None:
    assert template(Named("r"), {"r": record("R", ("next", Named("r")))}) is None


def test_what_is_too_large_or_too_deep_to_be_written_has_no_template() -> None:
    doubled: dict[str, Template] = {"d0": record("D0", ("x", INT), ("y", INT))}
    chained: dict[str, Template] = {"d0": record("D0", ("x", INT))}
    for number in range(1, 600):
        below = Named(f"d{number - 1}")
        doubled[f"d{number}"] = record(f"D{number}", ("x", below), ("y", below))
        chained[f"d{number}"] = record(f"D{number}", ("x", below))
    with not_hopeless():
        assert template(Named("d8"), doubled) is not None
        assert template(Named("d599"), doubled) is None
        assert template(Named("d150"), chained) is not None
        assert template(Named("d599"), chained) is None


def test_where_the_first_constructor_is_too_large_the_smallest_is_taken() -> None:
    declarations: dict[str, Template] = {"d0": record("D0", ("x", INT), ("y", INT))}
    for number in range(1, 30):
        below = Named(f"d{number - 1}")
        declarations[f"d{number}"] = record(f"D{number}", ("x", below), ("y", below))
    declarations["e"] = enum("E", Constructor("Huge", positional=(Named("d29"),)), Constructor("Small"))
    assert template(Named("e"), declarations) == '"Small"'


def test_the_same_templates_know_types_that_come_later() -> None:
    nodes = Nodes({"r": record("R", ("e", Named("e"))), "e": enum("E", Constructor("A", positional=(INT,)))})
    templates = Templates(nodes)
    assert templates.text(nodes.node(Named("e"))) == '{"A":0}'
    assert templates.text(nodes.node(Named("r"))) == '{"e":{"A":0}}'
    assert templates.text(nodes.node(ListOf(Named("r")))) == "[]"


def test_parts_are_an_object_or_an_array_of_what_must_be_there() -> None:
    nodes = Nodes({})
    number, text = nodes.node(INT), nodes.node(TEXT)
    two = (Member("a", number), Member("b", text, optional=True), Member('c"', text))
    assert Templates(nodes).text(Parts("P", two)) == '{"a":0,"c\\"":""}'
    assert Templates(nodes).text(Parts("P", two[:1], named=False)) == "[0]"
    assert Templates(nodes).text(Parts("P", (Member("n", nodes.node(NEVER)),))) is None
