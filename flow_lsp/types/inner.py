"""The terms inside a term, one level down."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from flow_lsp.types.terms import (
    DictOf,
    FunctionOf,
    ListOf,
    Named,
    OptionOf,
    Param,
    Primitive,
    SetOf,
    TaskOf,
    Term,
    TupleOf,
)

# By the class, since a match statement would try one class after the other.
_INNER: dict[type, Callable[[Any], tuple[Term, ...]]] = {
    ListOf: lambda term: (term.item,),
    SetOf: lambda term: (term.item,),
    OptionOf: lambda term: (term.item,),
    TaskOf: lambda term: (term.item,),
    DictOf: lambda term: (term.key, term.value),
    TupleOf: lambda term: term.items,
    FunctionOf: lambda term: (*term.params, term.result),
    Named: lambda term: term.args,
    Primitive: lambda _: (),
    Param: lambda _: (),
}


def inner_terms(term: Term) -> tuple[Term, ...]:
    """The terms directly inside `term`: its parts, a Function's parameters and then its result, a Named's arguments."""
    return _INNER[type(term)](term)
