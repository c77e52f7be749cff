"""Canonical text beside RFC 8785, on the values for which both say the same."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

import rfc8785
from hypothesis import example, given, settings
from hypothesis import strategies as st

from flow_lsp.values.canonical import canonical_text

# Below the surrogates UTF-16 units and code points sort alike, and so do they inside the basic plane.
texts = st.text(st.characters(exclude_categories=["Cs"]), max_size=12)
keys = st.text(st.characters(max_codepoint=0xFFFF, exclude_categories=["Cs"]), max_size=8) | st.text(
    st.characters(max_codepoint=0xD7FF) | st.characters(min_codepoint=0x10000), max_size=6
)
values = st.recursive(
    st.none() | st.booleans() | st.integers(1 - 2**53, 2**53 - 1) | texts,
    lambda inner: st.lists(inner, max_size=5) | st.dictionaries(keys, inner, max_size=5),
    max_leaves=25,
).filter(lambda value: sorted_alike(value))


def sorted_alike(value: Any) -> bool:
    if isinstance(value, list):
        return all(map(sorted_alike, value))
    if isinstance(value, dict):
        in_utf16 = sorted(value, key=lambda key: key.encode("utf-16-be"))
        return in_utf16 == sorted(value) and all(map(sorted_alike, value.values()))
    return True


@given(values)
@settings(max_examples=300, deadline=None)
@example('\x00\x08\x09\x0a\x0b\x0c\x0d\x1f\x7f\u0085\u2028\\/"')
@example({"": {}, "a": [], "A": [[], {"\ue000": None}], "\U0001f600": "\U0001f600"})
def test_both_write_the_same(value: Any) -> None:
    assert canonical_text(value).encode("utf-8") == rfc8785.dumps(value)


@given(st.floats(1e-6, 1e21, exclude_max=True) | st.sampled_from([1e-6, 0.1, 100.0, 1e20, 1.5, 2.0**60]))
@settings(max_examples=300, deadline=None)
def test_a_number_is_written_as_ecmascript_writes_it_without_an_exponent(number: float) -> None:
    for signed in (number, -number):
        assert canonical_text(Decimal(repr(signed))).encode("utf-8") == rfc8785.dumps(signed)


def test_zero_has_no_sign_for_either() -> None:
    assert canonical_text(Decimal("-0.0")).encode("utf-8") == rfc8785.dumps(-0.0) == b"0"


def test_keys_above_the_basic_plane_are_where_they_differ() -> None:
    value = {"\U0001f980": 1, "\uf900": 2}
    assert canonical_text(value) == '{"\uf900":2,"\U0001f980":1}'  # type: ignore[arg-type]
    assert rfc8785.dumps(value) == '{"\U0001f980":1,"\uf900":2}'.encode()
