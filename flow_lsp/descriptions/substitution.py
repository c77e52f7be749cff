"""Arguments put for type parameters ("Type descriptions")."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from flow_lsp.types.terms import (
    TOOL_OWNER,
    DictOf,
    FunctionOf,
    ListOf,
    Named,
    OptionOf,
    Param,
    Parameter,
    SetOf,
    TaskOf,
    Term,
    TupleOf,
    TypeSpec,
)


@dataclass(frozen=True, slots=True)
class Roots:
    """The roots of one Tool or call, in the order of its parameters."""

    params: tuple[Parameter, ...]
    ok: Term
    err: Term


def substituted(term: Term, owner: str, arguments: Sequence[Term]) -> Term:
    """`term` with `arguments` for the type parameters of `owner`, which are as many as its Params ask for.

    What holds none of them is the same object; an argument is shared by all its uses. Recurs once per level.
    """
    match term:
        case Param(found, index):
            return arguments[index] if found == owner else term
        case Named(declaration, args):
            changed = _all(args, owner, arguments)
            return term if changed is args else Named(declaration, changed)
        case ListOf(item) | SetOf(item) | OptionOf(item) | TaskOf(item):
            inner = substituted(item, owner, arguments)
            return term if inner is item else type(term)(inner)
        case DictOf(key, value):
            pair = _all((before := (key, value)), owner, arguments)
            return term if pair is before else DictOf(*pair)
        case TupleOf(items):
            changed = _all(items, owner, arguments)
            return term if changed is items else TupleOf(changed)
        case FunctionOf(params, result):
            changed, answer = _all(params, owner, arguments), substituted(result, owner, arguments)
            return term if changed is params and answer is result else FunctionOf(changed, answer)
        case _:
            return term


def _all(terms: tuple[Term, ...], owner: str, arguments: Sequence[Term]) -> tuple[Term, ...]:
    changed = tuple(substituted(term, owner, arguments) for term in terms)
    return terms if all(new is old for new, old in zip(changed, terms, strict=True)) else changed


def instantiated(spec: TypeSpec, bindings: Sequence[Term]) -> Roots:
    """The roots of `spec` with `bindings`, one for each of its type parameters. The bindings' local ids must be those
    of the map that the result is read over."""
    params = tuple(Parameter(param.name, substituted(param.type, TOOL_OWNER, bindings)) for param in spec.params)
    return Roots(params, substituted(spec.ok, TOOL_OWNER, bindings), substituted(spec.err, TOOL_OWNER, bindings))
