"""The functions of a Tool's type parameters (see carriers): values of another table, wrapped and unwrapped."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from flow_lsp.codecs.carriers import CarriedType, Carrier, carried_type, carried_value
from flow_lsp.codecs.data import Some
from flow_lsp.codecs.nodes import Shape
from flow_lsp.codecs.refusals import RefusalKind, ValueRefused, refuse_type
from flow_lsp.codecs.writing import ABSENT
from flow_lsp.findings.model import shown


def carrier_functions(carried: CarriedType) -> Mapping[str, Callable[[Any], Any]]:
    """The functions of a type parameter that stands for `carried`: `d` decodes, `e` encodes, `k` gives a key for the
    order. Where it is an Option, `fd` and `fe` do so for a field, which is left out for None."""
    codec = carried.codec

    def decode(value: Any) -> Carrier[Any]:
        return Carrier(carried, codec.decode(value))

    def accepted(value: Any) -> Carrier[Any]:
        if type(value) is not Carrier:
            refuse_type(value, f"a Carrier of {shown(carried.name)} is expected")
        if not carried_type(value).is_same(carried):
            raise ValueRefused(
                RefusalKind.TYPE,
                f"A Carrier of {shown(carried.name)} is expected, and this is one of another type, or of another call.",
            )
        return value

    def encode(value: Any) -> str:
        return accepted(value).text

    def order_key(value: Any) -> Any:
        return codec.order_key(carried_value(accepted(value)))

    found: dict[str, Callable[[Any], Any]] = {"d": decode, "e": encode, "k": order_key}
    if codec.node.shape is not Shape.OPTION:
        return found
    item, wrapped = codec.part(0), codec.node.wrapped

    def decode_field(value: Any) -> Carrier[Any]:
        if value is ABSENT:
            return Carrier(carried, None)
        decoded = item.decode(value)
        return Carrier(carried, Some(decoded) if wrapped else decoded)

    def encode_field(value: Any) -> str | None:
        found = carried_value(accepted(value))
        if found is None:
            return None
        return item.encode(found.value if wrapped else found)

    return {**found, "fd": decode_field, "fe": encode_field}
