"""The bound on instances, on maps that multiply beyond any use."""

from __future__ import annotations

from support.bounds import not_hopeless

from flow_lsp.types.instances import within_limits
from flow_lsp.types.terms import Field, Kind, ListOf, Named, OptionOf, Param, Primitive, Template, Term, TupleOf


def record(name: str, *terms: Term, generic: tuple[str, ...] = ()) -> Template:
    fields = tuple(Field(f"f{index}", term) for index, term in enumerate(terms))
    return Template(name, f"k.{name}", 1, generic, False, Kind.RECORD, None, fields)


def distinct(count: int) -> list[Term]:
    """That many different types, in few terms each."""
    found: list[Term] = [Primitive.INT]
    for term in found:  # grows while it is read
        if len(found) >= count:
            break
        found += (ListOf(term), OptionOf(term))
    return found[:count]


def test_many_instances_of_a_large_type_are_refused_in_time() -> None:
    large = record("P", *[ListOf(Param("P", 0))] * 20_000, generic=("T",))
    root = TupleOf(tuple(Named("P", (term,)) for term in distinct(5_000)))
    with not_hopeless():
        assert not within_limits([root], {"P": large})
        assert within_limits([TupleOf(root.items[:5])], {"P": large})


def test_large_types_that_stand_once_are_within_limits() -> None:
    templates = {f"R{number}": record(f"R{number}", *[Primitive.INT] * 5_000) for number in range(250)}
    assert within_limits([Named(name) for name in templates], templates)
