"""The same types under other local ids: ids are references, not identities ("Type descriptions")."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from flow_lsp.types.terms import (
    DictOf,
    Field,
    FunctionOf,
    ListOf,
    Named,
    OptionOf,
    Param,
    SetOf,
    TaskOf,
    Template,
    Term,
    TupleOf,
)


def renamed_term(term: Term, names: Mapping[str, str]) -> Term:
    """`term` with each local id that `names` knows replaced. Recurs once per level of the term."""
    match term:
        case Named(declaration, args):
            return Named(names.get(declaration, declaration), _renamed(args, names))
        case Param(owner, index):
            return Param(names.get(owner, owner), index)
        case ListOf(item) | SetOf(item) | OptionOf(item) | TaskOf(item):
            return type(term)(renamed_term(item, names))
        case DictOf(key, value):
            return DictOf(renamed_term(key, names), renamed_term(value, names))
        case TupleOf(items):
            return TupleOf(_renamed(items, names))
        case FunctionOf(params, result):
            return FunctionOf(_renamed(params, names), renamed_term(result, names))
        case _:
            return term


def _renamed(terms: tuple[Term, ...], names: Mapping[str, str]) -> tuple[Term, ...]:
    return tuple(renamed_term(term, names) for term in terms)


def renamed_template(template: Template, names: Mapping[str, str]) -> Template:
    """`template` with the local ids of all its members replaced."""
    constructors = tuple(
        replace(
            constructor,
            positional=None if constructor.positional is None else _renamed(constructor.positional, names),
            named=None if constructor.named is None else _fields(constructor.named, names),
        )
        for constructor in template.constructors
    )
    return replace(template, fields=_fields(template.fields, names), constructors=constructors)


def _fields(fields: tuple[Field, ...], names: Mapping[str, str]) -> tuple[Field, ...]:
    return tuple(Field(field.name, renamed_term(field.type, names), field.doc) for field in fields)
