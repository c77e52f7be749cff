"""The place of a value in a JSON text is where its own text stands."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st
from strategies.json_strategies import same_value, texts

from flow_lsp.types.shapes import pointer_token
from flow_lsp.values.places import place_of, places_of
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


@given(st.data(), values, layouts)
@settings(max_examples=200, deadline=None)
def test_many_places_at_once_are_those_of_each(data: st.DataObject, value: Any, layout: dict[str, Any]) -> None:
    text = "\n " + json.dumps(value, **layout) + " "
    known = [pointer for pointer, _ in _inside("", value)]
    others = st.sampled_from(known).map(lambda pointer: pointer + "/no such member")
    pointers = data.draw(st.lists(st.sampled_from(known) | others, max_size=8))
    found = places_of(text, pointers)
    assert [each.value for each in found] == [place_of(text, pointer) for pointer in pointers]
    names = [json.loads(text[each.key.start : each.key.end]) if each.key is not None else None for each in found]
    keys = dict(_inside("", value))
    assert names == [keys.get(pointer) for pointer in pointers]


@given(st.text('{}[]",:\\ ae01', max_size=30), st.lists(st.text("/ae01~", max_size=8), max_size=4))
@settings(max_examples=300, deadline=None)
def test_any_text_has_some_place_for_each_of_many(text: str, pointers: list[str]) -> None:
    found = places_of(text, pointers)
    assert len(found) == len(pointers)
    for each in found:
        assert 0 <= each.value.start <= each.value.end <= len(text)


def _inside(above: str, value: Any) -> Iterator[tuple[str, str | None]]:
    """The pointers to `value`, which `above` leads to, and to everything in it, each with the name of its member."""
    yield above, None
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for step, item in items:
        (own, _), *deeper = _inside(above + pointer_token(str(step)), item)
        yield own, step if isinstance(value, dict) else None
        yield from deeper
