"""Flow values in Python: equality, immutability, and how they are made by hand."""

from __future__ import annotations

import gc
from typing import Any

import pytest

from flow_lsp.codecs.data import EnumValue, RecordValue, Some, ValueDict, ValueSet, constructor_class, record_class

Hit = record_class("Hit", "k.Hit", 1, ("title", "score"))
Other = record_class("Hit", "other.Hit", 1, ("title", "score"))
Slow = constructor_class("Problem", "k.Problem", 1, "Slow", 1, 1)
Offline = constructor_class("Problem", "k.Problem", 1, "Offline", 0, 0)
Refused = constructor_class("Problem", "k.Problem", 1, "Refused", 2, ("code", "reason"))


def test_a_record_is_made_by_place_or_by_name() -> None:
    assert Hit("a", 1) == Hit("a", score=1) == Hit(score=1, title="a")
    for values, named in (
        ((), {}),
        (("a",), {}),
        (("a", 1, 2), {}),
        (("a",), {"titel": 1}),
        (("a", 1), {"title": "b"}),
    ):
        with pytest.raises(TypeError, match="Hit takes title, score; it "):
            Hit(*values, **named)


def test_an_enum_value_is_made_of_its_parts() -> None:
    assert Refused(1, reason="x")["code"] == 1
    assert Slow(3)[0] == 3
    assert len(Offline()) == 0
    for made, values, named in ((Slow, (), {}), (Slow, (1, 2), {}), (Slow, (), {"x": 1}), (Refused, (1,), {})):
        with pytest.raises(TypeError, match="takes"):
            made(*values, **named)


def test_parts_are_found_by_name() -> None:
    assert Hit("a", 1)["score"] == 1
    for value in (Hit("a", 1), Refused(1, 2), Slow(1)):
        with pytest.raises(KeyError):
            value["nothing"]


def test_values_of_different_declarations_are_different() -> None:
    assert Hit("a", 1) != Other("a", 1)
    assert Hit("a", 1) != ("a", 1)
    assert Slow(1) != Hit("a", 1)
    assert len({Hit("a", 1), Other("a", 1), Hit("a", 1)}) == 2
    assert Some(1) != 1
    assert Some(None) != Some(Some(None))
    assert len({Some(1), Some(1), 1}) == 2


def test_one_class_for_one_declaration_until_nobody_needs_it() -> None:
    assert record_class("Hit", "k.Hit", 1, ("title", "score")) is Hit
    assert constructor_class("Problem", "k.Problem", 1, "Slow", 1, 1) is Slow
    name = "Fleeting"
    made = [record_class(name, "k.Fleeting", 1, ())]
    made.clear()
    gc.collect()
    assert not [each for each in RecordValue.__subclasses__() if each.name == name]


@pytest.mark.parametrize("value", [Hit("a", 1), Slow(1), Some(1), ValueSet([1]), ValueDict({1: 2})])
def test_values_cannot_be_changed(value: Any) -> None:
    with pytest.raises((AttributeError, TypeError)):
        value.value = 2
    with pytest.raises(TypeError):
        value[0] = 2


def test_they_can_be_matched() -> None:
    match Some(3):
        case Some(value):
            assert value == 3
    match Slow(7):
        case EnumValue(constructor="Slow"):
            pass
        case _:
            pytest.fail("a constructor is matched by its name")


def test_sets_keep_their_order_and_compare_without_it() -> None:
    assert list(ValueSet([2, 1, 2])) == [2, 1]
    assert ValueSet([2, 1]) == ValueSet([1, 2]) == frozenset({1, 2})
    assert hash(ValueSet([2, 1])) == hash(ValueSet([1, 2]))
    assert ValueSet([1]) != ValueSet([1, 2])
    assert 1 in ValueSet([1])
    assert ValueSet([1, 2]) & {2} == ValueSet([2])
    assert repr(ValueSet([2, 1])) == "ValueSet([2, 1])"


def test_dicts_keep_their_order_and_compare_without_it() -> None:
    assert ValueDict([(2, "b"), (1, "a")]) == ValueDict({1: "a", 2: "b"}) == {1: "a", 2: "b"}
    assert hash(ValueDict({1: 2})) == hash(ValueDict([(1, 2)]))
    assert (ValueDict({1: 2})[1], list(ValueDict({2: 0, 1: 0})), len(ValueDict())) == (2, [2, 1], 0)
    assert repr(ValueDict({1: 2})) == "ValueDict({1: 2})"


def test_how_they_look() -> None:
    assert repr(Hit("a", Some(None))) == "Hit(title='a', score=Some(None))"
    assert (repr(Slow(1)), repr(Offline()), repr(Refused(1, "x"))) == (
        "Problem.Slow(1)",
        "Problem.Offline",
        "Problem.Refused(code=1, reason='x')",
    )
