"""Laws of the codecs: both directions agree with each other, with the schema and with the order of values."""

from __future__ import annotations

from contextlib import suppress
from decimal import Decimal
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st
from jsonschema import Draft202012Validator
from jsonschema.validators import extend
from strategies.json_strategies import json_values, same_value
from strategies.value_strategies import durations, instants, nearly, typed, valued, values_of

from flow_lsp.codecs.codec import Codec, Codecs
from flow_lsp.codecs.data import ValueSet
from flow_lsp.codecs.refusals import RefusalKind, ValueRefused
from flow_lsp.schema.projection import Projector, RootSchema
from flow_lsp.types.terms import Declarations, ListOf, Primitive, SetOf, Term
from flow_lsp.values.canonical import canonical_text
from flow_lsp.values.durations import Duration, read_duration
from flow_lsp.values.instants import Instant, read_instant
from flow_lsp.values.strict_json import Json, JsonRefused, read_json

slow = settings(max_examples=400, deadline=None, suppress_health_check=list(HealthCheck))


def schema_of(templates: Declarations, term: Term) -> dict[str, Any] | None:
    """The schema of `term`, if it has one."""
    found = Projector(templates).project(term)
    return found.schema if isinstance(found, RootSchema) else None


def _is_number(_: Any, value: Any) -> bool:
    return isinstance(value, int | Decimal) and not isinstance(value, bool)


def _is_integer(_: Any, value: Any) -> bool:
    return _is_number(_, value) and value == value.__trunc__()


# A validator that takes exact numbers for what they are.
Exact = extend(
    Draft202012Validator,
    type_checker=Draft202012Validator.TYPE_CHECKER.redefine_many({"number": _is_number, "integer": _is_integer}),
)


def accepts(schema: dict[str, Any], value: Json) -> bool:
    return bool(Exact(schema).is_valid(value))


@slow
@given(valued())
def test_what_is_encoded_decodes_to_the_same_value(drawn: tuple[Declarations, Term, Codec, Any]) -> None:
    _, _, codec, value = drawn
    text = codec.encode(value)
    back = codec.read(text)
    assert same(back, value)
    assert codec.encode(back) == text
    assert canonical_text(read_json(text)) == text


@slow
@given(nearly())
def test_what_decodes_encodes_to_a_text_that_decodes_to_the_same(
    drawn: tuple[Declarations, Term, Codec, Json],
) -> None:
    _, _, codec, tree = drawn
    before = canonical_text(tree)
    refused = None
    try:
        value = codec.decode(tree)
    except ValueRefused as found:
        refused = found
    if refused is not None:
        assert refused.sentence.endswith((".", "?"))
        assert resolves(tree, refused.pointer)
    else:
        text = codec.encode(value)
        assert codec.encode(codec.read(text)) == text
    assert canonical_text(tree) == before  # it is not changed


@slow
@given(nearly())
def test_the_schema_accepts_whatever_decodes(drawn: tuple[Declarations, Term, Codec, Json]) -> None:
    templates, term, codec, tree = drawn
    try:
        codec.decode(tree)
    except ValueRefused:
        return
    schema = schema_of(templates, term)
    assume(schema is not None)
    assert schema is not None
    assert accepts(schema, tree)


@slow
@given(valued())
def test_the_schema_accepts_every_encoding(drawn: tuple[Declarations, Term, Codec, Any]) -> None:
    templates, term, codec, value = drawn
    schema = schema_of(templates, term)
    assume(schema is not None)
    assert schema is not None
    assert accepts(schema, read_json(codec.encode(value)))


@slow
@given(st.data())
def test_the_order_is_total_and_agrees_with_that_of_the_encoding(data: st.DataObject) -> None:
    templates, term, codec = data.draw(typed())
    try:
        values = [data.draw(values_of(templates, term, codec)) for _ in range(3)]
        keys = [codec.order_key(value) for value in values]
    except TypeError:
        return  # no order: json.Value, a host token
    texts = [codec.encode(value) for value in values]
    for one, other in ((0, 1), (1, 2), (0, 2)):
        below, same_text, above = (
            keys[one] < keys[other],
            texts[one] == texts[other],
            keys[one] > keys[other],
        )
        assert below + same_text + above == 1
        assert (keys[one] == keys[other]) == same_text
    ordered = [texts[place] for place in sorted(range(3), key=keys.__getitem__)]
    distinct = list(dict.fromkeys(ordered))
    of_set = Codecs(templates).codec(SetOf(term))
    try:
        written = of_set.encode(ValueSet(values))
    except TypeError:
        return  # not hashable
    assert written == f"[{','.join(distinct)}]"
    assert [Codecs(templates).codec(term).encode(item) for item in of_set.read(written)] == distinct
    if len(distinct) > 1:
        backwards = f"[{','.join(reversed(distinct))}]"
        with pytest.raises(ValueRefused) as refused:
            of_set.read(backwards)
        assert refused.value.kind is RefusalKind.ORDER


@given(json_values())
def test_a_json_value_passes_untouched(value: Json) -> None:
    codec = Codecs({}).codec(Primitive.JSON_VALUE)
    decoded = codec.decode(value)
    assert decoded is value
    assert same_value(read_json(codec.encode(decoded)), value)


@given(st.text() | st.binary())
def test_reading_any_text_raises_nothing_else(data: str | bytes) -> None:
    codec = Codecs({}).codec(ListOf(Primitive.JSON_VALUE))
    with suppress(JsonRefused, ValueRefused):
        codec.read(data)


@given(instants)
def test_an_instant_is_read_back_from_its_text(instant: Instant) -> None:
    assert read_instant(str(instant)) == instant
    assert (instant + Duration(1)) - instant == Duration(1)


@given(instants, instants, durations)
def test_instants_and_durations_add_up_exactly(one: Instant, other: Instant, duration: Duration) -> None:
    assert other + (one - other) == one
    assert (one + duration) - duration == one
    assert (one < other) == ((other - one).seconds > 0)


@given(st.lists(instants, min_size=2))
def test_texts_of_instants_in_four_digit_years_sort_as_the_instants_do(several: list[Instant]) -> None:
    inside = sorted(each for each in several if 0 <= each.date[0] <= 9999 and not each.fraction)
    assert all(str(one) <= str(other) for one, other in pairwise(inside))


@given(durations)
def test_a_duration_is_read_back_from_its_text(duration: Duration) -> None:
    assert read_duration(str(duration)) == duration


def same(one: Any, other: Any) -> bool:
    """Whether two values are equal, where true is not 1 as it is in Python."""
    if type(one) is not type(other) and not (isinstance(one, int) and isinstance(other, int)):
        return same_value(one, other)
    if isinstance(one, dict | list):
        return same_value(one, other)
    if isinstance(one, tuple):
        return len(one) == len(other) and all(map(same, one, other))
    return bool(one == other)


def resolves(tree: Any, pointer: str) -> bool:
    """Whether `pointer` leads to something in `tree`."""
    for token in pointer.split("/")[1:]:
        step = token.replace("~1", "/").replace("~0", "~")
        tree = tree[int(step)] if isinstance(tree, list) else tree[step]
    return True
