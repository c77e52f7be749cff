"""Arguments put for type parameters."""

from __future__ import annotations

import pytest

from flow_lsp.descriptions.substitution import instantiated, substituted
from flow_lsp.types.terms import (
    DictOf,
    FunctionOf,
    ListOf,
    Named,
    OptionOf,
    Param,
    Parameter,
    Primitive,
    SetOf,
    TaskOf,
    Term,
    TupleOf,
    TypeSpec,
)

INT, TEXT = Primitive.INT, Primitive.TEXT
T, U = Param("p", 0), Param("p", 1)
ARGUMENTS = (ListOf(INT), Named("h"))


@pytest.mark.parametrize(
    ("term", "expected"),
    [
        (T, ListOf(INT)),
        (ListOf(U), ListOf(Named("h"))),
        (SetOf(U), SetOf(Named("h"))),
        (OptionOf(OptionOf(U)), OptionOf(OptionOf(Named("h")))),
        (TaskOf(U), TaskOf(Named("h"))),
        (DictOf(U, INT), DictOf(Named("h"), INT)),
        (DictOf(INT, T), DictOf(INT, ListOf(INT))),
        (TupleOf((INT, U, T)), TupleOf((INT, Named("h"), ListOf(INT)))),
        (FunctionOf((U,), TEXT), FunctionOf((Named("h"),), TEXT)),
        (FunctionOf((INT,), U), FunctionOf((INT,), Named("h"))),
        (Named("q", (INT, Named("r", (U,)))), Named("q", (INT, Named("r", (Named("h"),))))),
    ],
)
def test_every_part_of_a_term_is_reached(term: Term, expected: Term) -> None:
    assert substituted(term, "p", ARGUMENTS) == expected


@pytest.mark.parametrize(
    "term",
    [
        INT,
        Param("q", 0),
        ListOf(INT),
        DictOf(TEXT, Named("q", (Param("tool", 0),))),
        TupleOf((INT, SetOf(TEXT))),
        FunctionOf((INT, TaskOf(TEXT)), OptionOf(INT)),
        Named("q"),
    ],
)
def test_what_holds_no_parameter_of_the_owner_is_the_same_object(term: Term) -> None:
    assert substituted(term, "p", ARGUMENTS) is term


def test_unchanged_parts_and_arguments_are_shared() -> None:
    kept = ListOf(TEXT)
    found = substituted(TupleOf((kept, T, T)), "p", ARGUMENTS)
    assert isinstance(found, TupleOf)
    assert found.items[0] is kept
    assert found.items[1] is found.items[2] is ARGUMENTS[0]


def test_an_argument_is_not_substituted_again() -> None:
    assert substituted(T, "p", (ListOf(Param("p", 0)),)) == ListOf(Param("p", 0))


def test_the_roots_of_a_tool_with_its_bindings() -> None:
    bound = Param("tool", 0)
    spec = TypeSpec(("A",), (Parameter("x", bound, "doc"), Parameter("y", INT)), ListOf(bound), TEXT, {})
    roots = instantiated(spec, [Named("h")])
    assert roots.params == (Parameter("x", Named("h")), Parameter("y", INT))
    assert (roots.ok, roots.err) == (ListOf(Named("h")), TEXT)
