"""The place of a value in a JSON text is where its own text stands."""

from __future__ import annotations

import json
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st
from strategies.json_strategies import same_value, texts

from flow_lsp.types.shapes import pointer_token
from flow_lsp.values.places import place_of
from flow_lsp.values.strict_json import read_json

values = st.recursive(
    st.none() | st.booleans() | st.integers() | texts,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(texts, inner, max_size=4),
    max_leaves=12,
)
layouts = st.sampled_from([{"indent": 2}, {"separators": (" ,\t", "\r\n: ")}, {"ensure_ascii": False}])


@given(st.data(), values, layouts)
@settings(max_examples=100, deadline=None)
def test_the_text_at_the_place_is_the_values_own(data: st.DataObject, value: Any, layout: dict[str, Any]) -> None:
    text = "\n " + json.dumps(value, **layout) + " "
    pointer = ""
    while isinstance(value, dict | list) and value and data.draw(st.booleans()):
        step = data.draw(st.sampled_from(list(value) if isinstance(value, dict) else list(range(len(value)))))
        value = value[step]
        pointer += pointer_token(str(step))
    start, end = place_of(text, pointer)
    assert same_value(read_json(text[start:end]), value)
    assert place_of(text, pointer + "/no such member") == (start, end)


@given(st.text('{}[]",:\\ ae01', max_size=30), st.text("/ae01~", max_size=8))
@settings(max_examples=200, deadline=None)
def test_any_text_has_some_place(text: str, pointer: str) -> None:
    start, end = place_of(text, pointer)
    assert 0 <= start <= end <= len(text)
