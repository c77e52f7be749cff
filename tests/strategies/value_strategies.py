"""Python values of generated types, and JSON that is nearly one of them."""

from __future__ import annotations

import json
from collections.abc import Callable
from decimal import Decimal
from typing import Any

from hypothesis import assume
from hypothesis import strategies as st
from strategies.json_strategies import json_values, mutated, texts
from strategies.type_strategies import declarations, draw_term

from flow_lsp.codecs.codec import Codec, Codecs
from flow_lsp.codecs.data import Some, ValueDict, ValueSet
from flow_lsp.codecs.nodes import Node, Nodes, Shape
from flow_lsp.codecs.writing import Representation
from flow_lsp.types.terms import Declarations, Term
from flow_lsp.values.durations import Duration
from flow_lsp.values.instants import Instant
from flow_lsp.values.strict_json import Json, read_json

integers = st.integers() | st.integers(-(10**300), 10**300) | st.sampled_from([10**4096 - 1, 1 - 10**4096, 10**18])
decimals = st.builds(
    lambda digits, exponent: Decimal(digits).scaleb(exponent),
    st.integers(-(10**25), 10**25),
    st.integers(-40, 40),
) | st.sampled_from([Decimal("1e-4096"), Decimal("1e4095"), Decimal("-0.5"), Decimal("0.00"), Decimal("12.500")])
fractions = st.integers(0, 10**12 - 1).map(lambda digits: Decimal(digits).scaleb(-12))
instants = st.builds(Instant, st.integers(-(10**12), 10**12) | st.integers(-(10**40), 10**40), fractions)
durations = st.builds(Duration, decimals)

SCALARS: dict[Shape, st.SearchStrategy[Any]] = {
    Shape.INT: integers,
    Shape.DECIMAL: decimals,
    Shape.BOOL: st.booleans(),
    Shape.TEXT: texts,
    Shape.HOST: texts,
    Shape.BYTES: st.binary(max_size=12),
    Shape.INSTANT: instants,
    Shape.DURATION: durations,
    Shape.UNIT: st.none(),
    Shape.JSON: json_values(5),
}


class Uninhabited(Exception):  # noqa: N818
    """There is no value of the type."""


class Drawing:
    """Draws values of nodes; `budget` is how many more compounds may hold something."""

    def __init__(self, draw: st.DrawFn, codecs: Codecs, nodes: Nodes, budget: int = 12) -> None:
        self.draw, self.codecs, self.nodes, self.budget = draw, codecs, nodes, budget

    def value(self, node: Node) -> Any:
        scalar = SCALARS.get(node.shape)
        if scalar is not None:
            return self.draw(scalar)
        match node.shape:
            case Shape.LIST:
                return tuple(self.several(lambda: self.value(node.parts[0])))
            case Shape.SET:
                return ValueSet(self.several(lambda: self.value(node.parts[0])))
            case Shape.DICT:
                key, value = node.parts
                return ValueDict(self.several(lambda: (self.value(key), self.value(value))))
            case Shape.OPTION:
                found = self.several(lambda: self.value(node.parts[0]), 1)
                return None if not found else Some(found[0]) if node.wrapped else found[0]
            case Shape.TUPLE:
                return tuple([self.value(part) for part in node.parts])
            case Shape.RECORD:
                made = self.codecs.representation(node.local_id)
                assert isinstance(made, Representation)
                return made.type(*[self.value(part) for _, part in self.nodes.fields(node)])
            case Shape.ENUM:
                return self.constructed(node)
            case _:
                raise Uninhabited

    def several(self, one: Callable[[], Any], most: int = 3) -> list[Any]:
        """A few of what `one` draws; none where it has none, or when the budget is spent."""
        count = self.draw(st.integers(0, most)) if self.budget > 0 else 0
        self.budget -= count
        try:
            return [one() for _ in range(count)]
        except Uninhabited:
            return []

    def constructed(self, node: Node) -> Any:
        forms = self.codecs.representation(node.local_id)
        assert isinstance(forms, tuple)
        choices = list(zip(self.nodes.payloads(node), forms, strict=True))
        if self.budget <= 0:
            choices.sort(key=lambda choice: choice[0].has_payload)
        else:
            choices = self.draw(st.permutations(choices))
        for payload, form in choices:
            try:
                return form.type(*[self.value(part) for part in payload.parts])
            except Uninhabited:
                continue
        raise Uninhabited


@st.composite
def typed(draw: st.DrawFn) -> tuple[Declarations, Term, Codec]:
    """A map of declarations, a concrete term over it, and its codec."""
    templates = draw(declarations())
    heads = [(local_id, len(template.generic)) for local_id, template in templates.items()]
    term = draw_term(draw, heads, ())
    return templates, term, Codecs(templates).codec(term)


@st.composite
def valued(draw: st.DrawFn) -> tuple[Declarations, Term, Codec, Any]:
    """The same, and a value of it."""
    templates, term, codec = draw(typed())
    return templates, term, codec, draw(values_of(templates, term, codec))


@st.composite
def values_of(draw: st.DrawFn, templates: Declarations, term: Term, codec: Codec) -> Any:
    """A value of `term`."""
    nodes = Nodes(templates)
    drawing = Drawing(draw, Codecs(templates), nodes)
    try:
        return drawing.value(nodes.node(term))
    except (Uninhabited, RecursionError):
        assume(False)


@st.composite
def nearly(draw: st.DrawFn) -> tuple[Declarations, Term, Codec, Json]:
    """A type, and JSON that is a value of it with something changed in most cases."""
    templates, term, codec, value = draw(valued())
    written = json.loads(codec.encode(value), parse_int=_int, parse_float=Decimal)
    changed = draw(st.just(written) | mutated(written) | json_values(4))
    return templates, term, codec, changed


def _int(digits: str) -> Any:
    return read_json(digits)
