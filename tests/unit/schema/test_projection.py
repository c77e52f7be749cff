"""What has no schema, and what bounds hold where instantiations get out of hand."""

from __future__ import annotations

from dataclasses import replace

import pytest
from support.bounds import not_hopeless

from flow_lsp.schema.projection import ProjectionFault, ProjectionProblem, Projector, RootSchema
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
    TaskOf,
    Template,
    Term,
    TupleOf,
)

INT, TEXT = Primitive.INT, Primitive.TEXT


def record(name: str, *types: Term, generic: tuple[str, ...] = ()) -> Template:
    fields = tuple(Field(f"f{index}", type_) for index, type_ in enumerate(types))
    return Template(name, f"k.{name}", 1, generic, False, Kind.RECORD, None, fields)


def projected(term: Term, *templates: Template, generic: tuple[str, ...] = ()) -> RootSchema:
    found = Projector({template.name: template for template in templates}).project(term, generic)
    assert isinstance(found, RootSchema), found
    return found


def problem(term: Term, *templates: Template) -> ProjectionProblem:
    found = Projector({template.name: template for template in templates}).project(term)
    assert isinstance(found, ProjectionProblem)
    assert found.sentence.endswith(".")
    return found


@pytest.mark.parametrize(
    ("term", "words"),
    [
        (FunctionOf((INT,), INT), "a function here"),
        (ListOf(TaskOf(INT)), "a Task here"),
        (Named("N"), "`N`, which is no data, here"),
        (Named("R"), "a function in the field `f0` of `R`"),
        (OptionOf(Named("Outer")), "a Task in the constructor `C` of `E`"),
        (Named("Box", (TaskOf(TEXT),)), "a Task in the field `f0` of `Box`"),
    ],
)
def test_functions_tasks_and_nondata_have_no_encoding(term: Term, words: str) -> None:
    templates = (
        Template("N", "k.N", 1, (), False, Kind.NONDATA),
        record("R", OptionOf(FunctionOf((), INT))),
        record("Outer", Named("E")),
        Template(
            "E", "k.E", 1, (), False, Kind.ENUM,
            constructors=(Constructor("C", positional=(TaskOf(INT), INT)),),
        ),
        record("Box", Param("Box", 0), generic=("T",)),
    )  # fmt: skip
    found = problem(term, *templates)
    assert found.fault is ProjectionFault.NO_ENCODING
    assert words in found.sentence


def test_an_argument_that_no_value_holds_may_be_anything() -> None:
    phantom = record("P", generic=("T", "U"))
    arguments = (FunctionOf((INT, TEXT), TaskOf(INT)), Named("N"))
    nondata = Template("N", "k.N", 2, (), False, Kind.NONDATA)
    (type_,) = projected(Named("P", arguments), phantom, nondata).types
    assert type_.key == "k.P<fn(Int,Text)->Task<Int>,k.N#2>"


@pytest.mark.parametrize(
    "term",
    [Named("Missing"), Named("Box"), Named("Box", (INT, INT)), Param("tool", 0), Param("B", 0), Named("Bad")]
)  # fmt: skip
def test_what_does_not_resolve(term: Term) -> None:
    box = record("Box", Param("Box", 0), generic=("T",))
    bad = record("Bad", Param("Box", 0))
    assert problem(term, box, bad).fault is ProjectionFault.REFERENCE


def test_two_types_under_one_key() -> None:
    one, other = record("A", INT), record("B", TEXT)
    other = replace(other, identity="k.A")
    assert problem(TupleOf((Named("A"), Named("B"))), one, other).fault is ProjectionFault.SAME_KEY
    value = Template("V", "json.Value", 1, (), False, Kind.HOST)
    box = record("Box", generic=("T",))
    both = TupleOf((Named("Box", (Primitive.JSON_VALUE,)), Named("Box", (Named("V"),))))
    assert problem(both, box, value).fault is ProjectionFault.SAME_KEY


def test_a_field_follows_what_is_substituted() -> None:
    box = record("Box", Param("Box", 0), DictOf(Param("Box", 1), INT), generic=("T", "K"))
    (type_,) = projected(Named("Box", (OptionOf(OptionOf(INT)), TEXT)), box).types
    assert type_.body is not None
    assert type_.body["required"] == ["f1"]
    assert type_.body["properties"]["f1"] == {"type": "object", "additionalProperties": {"type": "integer"}}
    assert type_.body["properties"]["f0"]["oneOf"][0] == {"const": "None"}


def test_two_tools_share_bodies_but_not_defs() -> None:
    projector = Projector({"A": record("A", Named("B")), "B": record("B", OptionOf(Named("B")))})
    one, other = projector.project(ListOf(Named("A"))), projector.project(Named("B"))
    assert isinstance(one, RootSchema)
    assert isinstance(other, RootSchema)
    assert list(one.schema["$defs"]) == ["k.A", "k.B"]
    assert list(other.schema["$defs"]) == ["k.B"]
    assert one.schema["$defs"]["k.B"] is other.schema["$defs"]["k.B"]


def growing(part: Term) -> Template:
    return record("G", OptionOf(Named("G", (part,))), generic=("T",))


def chain(length: int, argument: Term) -> list[Template]:
    """Types that hand a larger argument to the next one, to an end."""
    last = record(f"C{length}", Param(f"C{length}", 0), generic=("T",))
    return [
        *(record(f"C{at}", Named(f"C{at + 1}", (_owned(argument, f"C{at}"),)), generic=("T",)) for at in range(length)),
        last,
    ]


def _owned(term: Term, owner: str) -> Term:
    if isinstance(term, Param):
        return Param(owner, 0)
    assert isinstance(term, TupleOf | ListOf)
    if isinstance(term, ListOf):
        return ListOf(_owned(term.item, owner))
    return TupleOf(tuple(_owned(item, owner) for item in term.items))


PARAM = Param("", 0)


@pytest.mark.parametrize(
    "templates",
    [
        [growing(ListOf(Param("G", 0)))],
        [growing(TupleOf((Param("G", 0), Param("G", 0))))],
        chain(60, TupleOf((PARAM, PARAM))),
        chain(2000, ListOf(PARAM)),
        [
            record(
                f"D{at}",
                Named(f"D{at + 1}", (ListOf(Param(f"D{at}", 0)),)),
                Named(f"D{at + 1}", (OptionOf(Param(f"D{at}", 0)),)),
                generic=("T",),
            )
            for at in range(40)
        ]
        + [record("D40", Param("D40", 0), generic=("T",))],
    ],
    ids=["growing", "doubling", "chain-doubling", "chain-deep", "branching"],
)
def test_instantiations_out_of_hand_are_refused_in_time(templates: list[Template]) -> None:
    with not_hopeless():
        found = problem(Named(templates[0].name, (INT,)), *templates)
        assert found.fault is ProjectionFault.TOO_LARGE


def test_deep_terms_are_refused() -> None:
    term: Term = INT
    for _ in range(5000):
        term = ListOf(term)
    assert problem(term).fault is ProjectionFault.TOO_LARGE


def test_two_thousand_types_are_projected() -> None:
    count = 2000
    templates = [
        record(f"T{at}", INT, OptionOf(Named(f"T{(at + 1) % count}")), ListOf(Named(f"T{(at * 7) % count}")))
        for at in range(count)
    ]
    assert len(projected(Named("T0"), *templates).types) == count


def arguments(count: int) -> list[Term]:
    """That many different types."""
    found: list[Term] = [INT]
    for term in found:  # grows while it is read
        if len(found) >= count:
            break
        found += (ListOf(term), OptionOf(term))
    return found[:count]


def test_long_names_are_not_multiplied_without_bound() -> None:
    uses = record("R", *[Named("P", (term,)) for term in arguments(2_000)])
    box = record("P", Param("P", 0), generic=("T",))
    assert len(projected(Named("R"), uses, box).types) == 2_001
    for large in (
        replace(box, identity="k." + "P" * 1_000_000),
        replace(box, fields=(Field("f" * 1_000_000, INT),)),
        replace(box, doc="d" * 1_000_000),
    ):
        found = problem(Named("R"), uses, large)
        assert found.fault is ProjectionFault.TOO_LARGE
        assert "characters of schema" in found.sentence


def test_the_key_of_a_type_is_that_of_its_definition() -> None:
    box = replace(record("P", Param("P", 0), generic=("T",)), lexical_ordinal=2)
    projector = Projector({"P": box})
    root = projector.project(Named("P", (ListOf(Param("tool", 0)),)), ("A",))
    assert isinstance(root, RootSchema)
    assert projector.key(Named("P", (ListOf(Param("tool", 0)),)), ("A",)) == "k.P#2<List<A>>"
    assert list(root.schema["$defs"]) == ["k.P#2<List<A>>"]
    assert projector.key(TupleOf((INT, TaskOf(TEXT)))) == "(Int,Task<Text>)"
    missing = projector.key(Named("Q"))
    assert isinstance(missing, ProjectionProblem)
    assert missing.fault is ProjectionFault.REFERENCE
