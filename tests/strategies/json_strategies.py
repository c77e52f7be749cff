"""Random JSON values as the strict reader gives them, and hostile JSON of any kind."""

from __future__ import annotations

from decimal import Decimal
from functools import cache
from typing import Any

from hypothesis import strategies as st

from flow_lsp.values.strict_json import Json

texts = st.text(st.characters(exclude_categories=["Cs"]), max_size=12)
decimals = st.decimals(allow_nan=False, allow_infinity=False)
numbers = st.integers() | st.integers(-(10**300), 10**300) | decimals.filter(lambda made: abs(made.adjusted()) < 4000)


@cache  # making a strategy takes far longer than drawing from it
def json_values(leaves: int = 12) -> st.SearchStrategy[Json]:
    """A JSON value, its numbers inside the limits."""
    return st.recursive(
        st.none() | st.booleans() | numbers | texts,
        lambda inner: st.lists(inner, max_size=4) | st.dictionaries(texts, inner, max_size=4),
        max_leaves=leaves,
    )


def same_value(one: Any, other: Any) -> bool:
    """Whether two JSON values are equal by value, where true is not 1 as it is in Python."""
    if isinstance(one, dict) and isinstance(other, dict):
        return one.keys() == other.keys() and all(same_value(one[key], other[key]) for key in one)
    if isinstance(one, list) and isinstance(other, list):
        return len(one) == len(other) and all(map(same_value, one, other))
    if isinstance(one, bool) or isinstance(other, bool):
        return one is other
    if isinstance(one, int | Decimal) != isinstance(other, int | Decimal):
        return False
    return bool(one == other)


@st.composite
def mutated(draw: st.DrawFn, value: Any, rounds: int = 2) -> Any:
    """`value` with something in it replaced, removed, repeated or wrapped."""
    for _ in range(draw(st.integers(1, rounds))):
        value = _changed(draw, value)
    return value


_odd = st.sampled_from(
    [None, True, 0, 1, "", "x", [], {}, {"$ref": "#/$defs/none"}, {"$ref": 1}, {"type": "integer"},
     {"description": 1}, {"$defs": {"a@1/b.C": {}, "a@2/b.C": {}}}, {"oneOf": [{"const": "None"}]},
     Decimal("1.5")]
)  # fmt: skip


_changes_of_members = st.sampled_from(["inside", "inside", "inside", "inside", "remove", "rename"])
_changes_of_items = st.sampled_from(["inside", "inside", "inside", "remove", "repeat", "swap"])
_other_keys = st.sampled_from(["x", "description", "$ref", "items"])


def _changed(draw: st.DrawFn, value: Any) -> Any:
    if isinstance(value, dict) and value and draw(st.integers(0, 5)):
        key = draw(st.sampled_from(sorted(value)))
        change = draw(_changes_of_members)
        kept = {name: item for name, item in value.items() if name != key}
        if change == "remove":
            return kept
        if change == "rename":
            return {**kept, draw(_other_keys): value[key]}
        return {**value, key: _changed(draw, value[key])}
    if isinstance(value, list) and value and draw(st.integers(0, 5)):
        at = draw(st.integers(0, len(value) - 1))
        change = draw(_changes_of_items)
        if change == "remove":
            return value[:at] + value[at + 1 :]
        if change == "repeat":
            return [*value[:at], value[at], *value[at:]]
        if change == "swap":
            return [value[at], *value[:at], *value[at + 1 :]]
        return [*value[:at], _changed(draw, value[at]), *value[at + 1 :]]
    return draw(_odd)
