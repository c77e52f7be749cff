"""Laws of Carriers: what a generic Tool's codecs do is what those of the substituted types do."""

from __future__ import annotations

import json
from collections.abc import Sequence
from decimal import Decimal
from typing import Any

from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st
from strategies.generic_strategies import GenericCall, generic_calls
from strategies.json_strategies import json_values, mutated
from strategies.value_strategies import values_of

from flow_lsp.codecs.carriers import Carrier
from flow_lsp.codecs.codec import Codec, Codecs
from flow_lsp.codecs.refusals import ValueRefused
from flow_lsp.types.terms import TOOL_OWNER, Param, Term
from flow_lsp.values.strict_json import read_json

# A Tool and a whole valid view of it take long to draw; so does a busy machine.
of_generic_calls = settings(suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large], deadline=None)


def carrying(call: GenericCall) -> tuple[Codecs, list[Codec]]:
    """The Tool's codecs, and those of its type parameters."""
    codecs, caller = Codecs(call.spec.declarations), Codecs(call.view.declarations)
    bound = zip(call.spec.generic, call.bindings, strict=True)
    return codecs, [codecs.carrier(name, caller.codec(term), repr(term)) for name, term in bound]


def both(call: GenericCall) -> Sequence[tuple[Codec, Codec, Term]]:
    """For each parameter: its codec with Carriers, the plain one of the call's own type, and that type."""
    codecs, arguments = carrying(call)
    plain = Codecs(call.view.declarations)
    return [
        (codecs.codec(generic.type, arguments), plain.codec(concrete.type), concrete.type)
        for generic, concrete in zip(call.spec.params, call.view.params, strict=True)
    ]


def result(codec: Codec, value: Any) -> str | tuple[Any, ...]:
    """The canonical text of what `codec` makes of `value`, or what it says against it."""
    try:
        return codec.encode(codec.decode(value))
    except ValueRefused as refused:
        return refused.kind, refused.sentence, refused.pointer


@of_generic_calls
@given(generic_calls(), st.data())
def test_a_value_is_written_as_the_one_of_the_substituted_type(call: GenericCall, data: st.DataObject) -> None:
    for carried, plain, term in both(call):
        text = plain.encode(data.draw(values_of(call.view.declarations, term, plain)))
        assert carried.encode(carried.decode(read_json(text))) == text


@of_generic_calls
@given(generic_calls(), st.data())
def test_what_is_no_value_is_refused_alike(call: GenericCall, data: st.DataObject) -> None:
    for carried, plain, term in both(call):
        value = data.draw(values_of(call.view.declarations, term, plain))
        written = json.loads(plain.encode(value), parse_int=_int, parse_float=Decimal)
        changed = data.draw(mutated(written) | json_values(4))
        assert result(carried, changed) == result(plain, changed)


@of_generic_calls
@given(generic_calls(), st.data())
def test_values_of_a_parameter_are_equal_and_ordered_as_those_of_its_type(
    call: GenericCall, data: st.DataObject
) -> None:
    codecs, arguments = carrying(call)
    carried = codecs.codec(Param(TOOL_OWNER, 0), arguments)
    plain = Codecs(call.view.declarations).codec(call.bindings[0])
    values = [data.draw(values_of(call.view.declarations, call.bindings[0], plain)) for _ in range(2)]
    one, other = [carried.decode(read_json(plain.encode(value))) for value in values]
    assert isinstance(one, Carrier)
    equal = plain.encode(values[0]) == plain.encode(values[1])
    assert (one == other, len({one, other}) == 1) == (equal, equal)
    assert one.json == read_json(one.text)
    try:
        keys = [plain.order_key(value) for value in values]
    except TypeError:
        assume(False)
    assert (one < other, one <= other, one > other) == (keys[0] < keys[1], keys[0] <= keys[1], keys[0] > keys[1])


def _int(digits: str) -> Any:
    return read_json(digits)
