"""Laws of reading and writing JSON."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st
from strategies.json_strategies import json_values, same_value, texts

from flow_lsp.values.canonical import _written, canonical_text
from flow_lsp.values.diagnosis import read_slowly
from flow_lsp.values.limits import DEFAULT_LIMITS
from flow_lsp.values.strict_json import Json, JsonFault, JsonRefused, read_json


@given(json_values())
@settings(max_examples=150, deadline=None)
def test_canonical_text_is_a_fixed_point_and_keeps_the_value(value: Json) -> None:
    text = canonical_text(value)
    again = read_json(text)
    assert same_value(value, again)
    assert canonical_text(again) == text
    assert canonical_text(read_json(text.encode("utf-8"))) == text


@given(json_values(4), json_values(4))
@settings(max_examples=150, deadline=None)
def test_different_values_have_different_texts(one: Json, other: Json) -> None:
    assert (canonical_text(one) == canonical_text(other)) is same_value(one, other)


@given(json_values())
@settings(max_examples=100, deadline=None)
def test_the_fast_and_the_slow_writer_agree(value: Json) -> None:
    assert canonical_text(value) == _written(value)


@given(st.dictionaries(texts, st.none()))
@settings(max_examples=100, deadline=None)
def test_keys_ascend_by_code_point(value: dict[str, None]) -> None:
    pairs: list[tuple[str, Any]] = json.loads(canonical_text(dict(value)), object_pairs_hook=list)
    keys = [[ord(letter) for letter in key] for key, _ in pairs]
    assert keys == sorted(keys)


fragments = st.lists(
    st.sampled_from(
        ["{", "}", "[", "]", ",", ":", '"', '"a"', '"b"', "\\", "\\ud800", "\\udc00", "\\u0061", "1",
         "-0", '"\\ud800\\udc00"', "1e5", "1e99999999999999999999", ".", "-", "true", "null", "NaN",
         " ", "\t", "\x00", "é", "\ud800"]
    ),
    max_size=14,
).map("".join)  # fmt: skip


@given(fragments)
@settings(max_examples=400, deadline=None)
def test_any_text_is_read_or_refused_the_same_by_both_readers(text: str) -> None:
    fast = outcome(lambda: read_json(text))
    if isinstance(fast, JsonRefused) and fast.kind is JsonFault.SURROGATE:
        return  # the slow reader takes the text's own characters for good, and stops at the first fault
    slow = outcome(lambda: read_slowly(text, 512, DEFAULT_LIMITS))
    if isinstance(fast, JsonRefused):
        assert isinstance(slow, JsonRefused)
        assert (slow.kind, slow.offset, slow.sentence) == (fast.kind, fast.offset, fast.sentence)
    else:
        assert same_value(fast, slow)


def outcome(read: Callable[[], Json]) -> Any:
    try:
        return read()
    except JsonRefused as refused:
        return refused
