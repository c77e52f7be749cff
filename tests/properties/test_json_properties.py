"""Laws of the canonical text."""

from __future__ import annotations

import json
import re
from decimal import Decimal
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from strategies.json_strategies import json_values, same_value, texts

from flow_lsp.values.canonical import _written, canonical_text
from flow_lsp.values.numbers import number_text
from flow_lsp.values.strict_json import Json, read_json

NUMBER = re.compile(r"0|-?(?:0\.[0-9]*[1-9]|[1-9][0-9]*(?:\.[0-9]*[1-9])?)")

# Texts that look like what the fast writer looks for, and decimals of few digits, as prices have them.
lookalikes = st.lists(
    st.sampled_from(["\0", '"', "\\", "\\u0000", "1.5", "1.5,", "e+16", "5e-07", "{", "}", ",", ":", "1", "true", " "]),
    max_size=4,
).map("".join)
prices = st.builds(
    lambda digits, places: Decimal(digits).scaleb(-places), st.integers(-(10**9), 10**9), st.integers(0, 9)
)
ordinary = st.recursive(
    st.none() | st.booleans() | st.integers(-1000, 1000) | prices | lookalikes,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(lookalikes, inner, max_size=4),
    max_leaves=10,
)
values = json_values() | ordinary
floats = st.floats() | st.sampled_from([0.0, 1.0, 1e16, 1e-7, 1.5e300])


@given(values)
@settings(max_examples=200, deadline=None)
def test_canonical_text_is_a_fixed_point_and_keeps_the_value(value: Json) -> None:
    text = canonical_text(value)
    again = read_json(text)
    assert same_value(value, again)
    assert canonical_text(again) == text
    assert canonical_text(read_json(text.encode("utf-8"))) == text


@given(json_values(4), json_values(4))
@settings(max_examples=150, deadline=None)
@example(1, True)
@example(0, False)
@example([Decimal("1.0")], [1])
@example({"a": Decimal("-0.0")}, {"a": 0})
@example("1", 1)
@example({}, [])
def test_different_values_have_different_texts(one: Json, other: Json) -> None:
    assert (canonical_text(one) == canonical_text(other)) is same_value(one, other)


@given(values)
@settings(max_examples=300, deadline=None)
def test_the_fast_and_the_slow_writer_agree(value: Json) -> None:
    assert canonical_text(value) == _written(value)


# A hole is filled with what is no JSON value, or with an object that has keys which are no strings.
HOLE = object()
no_json: st.SearchStrategy[Any] = floats | st.builds(
    lambda keys, others: {**dict.fromkeys(keys, 1), **others},
    st.lists(st.integers() | st.booleans() | st.none() | floats, min_size=1, max_size=2),
    st.just({}) | st.dictionaries(lookalikes, st.just(Decimal("0.5")), max_size=1),
)
beside = st.lists(ordinary, max_size=2)
holed = st.recursive(
    st.just(HOLE),
    lambda inner: (
        st.builds(lambda before, one, after: [*before, one, *after], beside, inner, beside)
        | st.builds(
            lambda others, key, one: {**dict.fromkeys(others, 1), key: one},
            st.lists(lookalikes, max_size=2),
            lookalikes,
            inner,
        )
    ),
    max_leaves=3,
)


@given(holed, no_json)
@settings(max_examples=300, deadline=None)
def test_no_float_and_no_other_key_is_ever_written(around: Any, filling: Any) -> None:
    for writer in (canonical_text, _written):
        with pytest.raises(TypeError):
            writer(filled(around, filling))


def filled(value: Any, filling: Any) -> Any:
    if isinstance(value, dict):
        return {key: filled(item, filling) for key, item in value.items()}
    if isinstance(value, list):
        return [filled(item, filling) for item in value]
    return filling if value is HOLE else value


@given(
    st.dictionaries(texts | st.text(st.sampled_from("a\ue000\uf900\uffff\U00010000\U0001f980"), max_size=3), st.none())
)
@settings(max_examples=150, deadline=None)
def test_keys_ascend_by_code_point(value: dict[str, None]) -> None:
    pairs: list[tuple[str, Any]] = json.loads(canonical_text(dict(value)), object_pairs_hook=list)
    keys = [[ord(letter) for letter in key] for key, _ in pairs]
    assert keys == sorted(keys)


@given(
    st.integers()
    | prices
    | st.decimals(allow_nan=False, allow_infinity=False).filter(lambda x: abs(x.adjusted()) < 500)
)
@settings(max_examples=300, deadline=None)
def test_a_number_has_one_plain_text(number: int | Decimal) -> None:
    text = number_text(number)
    assert NUMBER.fullmatch(text)
    assert Decimal(text) == number
    assert canonical_text(number) == text


@given(texts | lookalikes)
@settings(max_examples=150, deadline=None)
def test_a_string_escapes_only_what_it_must(value: str) -> None:
    text = canonical_text(value)
    assert json.loads(text) == value
    escapes = re.findall(r"\\(?:u[0-9a-f]{4}|.)", text)
    assert all(re.fullmatch(r'\\(?:["\\bfnrt]|u00[01][0-9a-f])', escape) for escape in escapes)
    assert not set(escapes) & {"\\u0008", "\\u0009", "\\u000a", "\\u000c", "\\u000d"}
