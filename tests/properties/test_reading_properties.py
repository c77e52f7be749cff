"""Laws of strict reading: what it takes is what JSON's own reader takes, but for the rules that are added."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from decimal import Decimal
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from strategies.json_strategies import same_value
from strategies.json_text_strategies import fragments, json_texts, mutated_texts

from flow_lsp.values import diagnosis
from flow_lsp.values.diagnosis import read_slowly
from flow_lsp.values.limits import DEFAULT_LIMITS, Limits
from flow_lsp.values.numbers import HugeNumber
from flow_lsp.values.strict_json import Json, JsonFault, JsonRefused, read_json

any_text = json_texts() | mutated_texts() | fragments
some_limits = st.builds(
    Limits,
    int_digits=st.sampled_from([3, 99, 100, 200, 4096]),
    decimal_digits=st.sampled_from([3, 199, 200, 4096]),
    decimal_places=st.sampled_from([2, 99, 100, 4096]),
    nesting=st.sampled_from([1, 2, 3, 512]),
)


@pytest.fixture(scope="module", params=[640, 4300, 0])
def guard(request: pytest.FixtureRequest) -> Iterator[None]:
    """Python's guard against long ints must not matter."""
    before = sys.get_int_max_str_digits()
    sys.set_int_max_str_digits(request.param)
    yield
    sys.set_int_max_str_digits(before)


class Lenient:
    """What Python's reader makes of a text, and which of the rules that are added it breaks."""

    def __init__(self, text: str) -> None:
        self.broken: set[JsonFault] = set()
        self.accepted = True
        try:
            self.value = json.loads(
                text,
                parse_int=Decimal,
                parse_float=self.number,
                parse_constant=lambda _: self.broken.add(JsonFault.SYNTAX),
                object_pairs_hook=self.pairs,
            )
            self.walk(self.value, 0)
        except ValueError:
            self.accepted = False

    def number(self, literal: str) -> Decimal | str:
        # A Decimal has no exponent of 20 digits; a zero may have any.
        return Decimal(literal) if len(literal.lower().partition("e")[2]) < 15 else literal

    def pairs(self, pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        if len(dict(pairs)) != len(pairs):
            self.broken.add(JsonFault.DUPLICATE_KEY)
        for pair in pairs:
            self.walk(list(pair), 0)  # the value as well, which a later one may displace
        return dict(pairs)

    def walk(self, value: Any, depth: int) -> None:
        if isinstance(value, str) and any(0xD800 <= ord(letter) < 0xE000 for letter in value):
            self.broken.add(JsonFault.SURROGATE)
        if isinstance(value, dict | list):
            if depth >= 512:
                self.broken.add(JsonFault.DEPTH)
            for item in value.values() if isinstance(value, dict) else value:
                self.walk(item, depth + 1)


@given(any_text)
@settings(max_examples=300, deadline=None)
@example("[" * 513 + "]" * 513)
@example("[" * 512 + "]" * 512)
@example("[0.5,1e5000]")
def test_only_the_added_rules_refuse_what_json_is(text: str) -> None:
    lenient, read = Lenient(text), outcome(text)
    assert isinstance(read, JsonRefused) == (not lenient.accepted or bool(lenient.broken))
    if not isinstance(read, JsonRefused):
        assert agrees(read, lenient.value)
    elif lenient.accepted:
        assert read.kind in lenient.broken


def agrees(ours: Any, theirs: Any) -> bool:
    """Whether they are equal by value; `theirs` has each number as a Decimal, or as its text."""
    if isinstance(ours, dict):
        return list(ours) == list(theirs) and all(agrees(item, theirs[key]) for key, item in ours.items())
    if isinstance(ours, list):
        return isinstance(theirs, list) and len(ours) == len(theirs) and all(map(agrees, ours, theirs))
    if isinstance(theirs, str) and not isinstance(ours, str):  # a literal with an exponent past all
        return isinstance(ours, HugeNumber) or ours == 0 == Decimal(theirs.lower().partition("e")[0])
    if isinstance(ours, HugeNumber):
        return isinstance(theirs, Decimal) and Decimal(str(ours)) == theirs
    if isinstance(ours, int | Decimal) and not isinstance(ours, bool):
        return bool(ours == theirs)
    return type(ours) is type(theirs) and bool(ours == theirs)


@pytest.mark.usefixtures("guard")
@given(any_text, some_limits)
@settings(max_examples=150, deadline=None)
def test_both_readers_agree_on_every_text(text: str, limits: Limits) -> None:
    fast = outcome(text, limits)
    surrogates = [place for place, letter in enumerate(text) if 0xD800 <= ord(letter) < 0xE000]
    if surrogates:  # no text of bytes holds them
        assert (fast.kind, fast.offset) == (JsonFault.SURROGATE, surrogates[0])
        return
    if text.startswith("\ufeff"):
        assert fast.kind is JsonFault.UTF8
        return
    slow: Json | JsonRefused
    try:
        slow = read_slowly(text, limits.nesting, limits)
    except JsonRefused as refused:
        slow = refused
    if isinstance(slow, JsonRefused):
        assert isinstance(fast, JsonRefused)
        assert (fast.kind, fast.offset, fast.sentence) == (slow.kind, slow.offset, slow.sentence)
    else:
        assert same_value(fast, slow)


@given(
    st.lists(any_text, min_size=1, max_size=6), st.sampled_from(["[{}]", '{{"a":1,"b":{}}}', "[[{}],{}]"]), some_limits
)
@settings(max_examples=200, deadline=None)
@example(["1"] * 1_001 + ['{"a":1,"a":2}', "2"], "[{}]", DEFAULT_LIMITS)
@example(['"\\ud800"', "1"], "[{}]", DEFAULT_LIMITS)
@example(["[[[1]]]", "[[[[1]]]]", "x"], "[{}]", Limits(nesting=3))
def test_what_the_slow_reader_takes_many_at_a_time_is_what_it_takes_one_by_one(
    texts: list[str], around: str, limits: Limits
) -> None:
    text = around.format(",".join(texts), ",".join(texts))

    def slow() -> Any:
        try:
            return read_slowly(text, limits.nesting, limits)
        except JsonRefused as refused:
            return refused

    at_once = slow()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(diagnosis, "_RUN_DEPTH", limits.nesting)  # no run is that deep
        one_by_one = slow()
    if isinstance(one_by_one, JsonRefused):
        assert isinstance(at_once, JsonRefused)
        assert (at_once.kind, at_once.offset) == (one_by_one.kind, one_by_one.offset)
        assert at_once.sentence == one_by_one.sentence
    else:
        assert same_value(at_once, one_by_one)


@given(any_text, st.integers(0, 3))
@settings(max_examples=100, deadline=None)
def test_bytes_and_text_and_white_space_around_it_make_no_difference(text: str, envelope: int) -> None:
    try:
        data = text.encode("utf-8")
    except UnicodeEncodeError:
        return
    limits = Limits(nesting=3)
    one, other = outcome(text, limits, envelope), outcome(data, limits, envelope)
    padded = outcome(f"{' ' * 700}{text}", limits, envelope) if not text.startswith("\ufeff") else other
    for each, shift in ((other, 0), (padded, 700 if padded is not other else 0)):
        if isinstance(one, JsonRefused):
            assert (each.kind, each.offset, each.sentence) == (one.kind, one.offset + shift, one.sentence)
        else:
            assert same_value(one, each)


@given(st.binary(max_size=20) | fragments.map(lambda text: text.encode("utf-8", "surrogatepass")))
@settings(max_examples=200, deadline=None)
def test_bytes_are_read_exactly_where_they_are_utf8(data: bytes) -> None:
    read = outcome(data)
    whole = data.decode("utf-8", "ignore").encode("utf-8") == data
    if whole:
        again = outcome(data.decode("utf-8"))
        assert isinstance(read, JsonRefused) == isinstance(again, JsonRefused)
    else:
        data[: read.offset].decode("utf-8")
        assert read.kind is JsonFault.UTF8
        assert f"Byte {read.offset + 1} " in read.sentence


def outcome(data: str | bytes, limits: Limits = DEFAULT_LIMITS, envelope: int = 0) -> Any:
    try:
        return read_json(data, limits, envelope)
    except JsonRefused as refused:
        refused.sentence.encode("utf-8")
        return refused
