"""Carriers: what an implementation may do with a value whose type it does not know."""

from __future__ import annotations

import copy
import pickle
import threading
from typing import Any

import pytest

from flow_lsp.codecs.carriers import Carrier
from flow_lsp.codecs.codec import Codec, Codecs
from flow_lsp.codecs.data import ValueDict, ValueSet
from flow_lsp.codecs.refusals import ValueRefused
from flow_lsp.types.terms import (
    TOOL_OWNER,
    DictOf,
    FunctionOf,
    ListOf,
    OptionOf,
    Param,
    Primitive,
    SetOf,
    Term,
    TupleOf,
)
from flow_lsp.values.strict_json import Json, read_json

T, U = Param(TOOL_OWNER, 0), Param(TOOL_OWNER, 1)


def carrying(generic: Term, *bound: Term) -> Codec:
    """The codec of `generic`, whose type parameters are bound to these types."""
    codecs, caller = Codecs({}), Codecs({})
    names = [codecs.carrier("TU"[place], caller.codec(term), str(term)) for place, term in enumerate(bound)]
    return codecs.codec(generic, names)


def carried(text: str, term: Term) -> Carrier[Any]:
    made = carrying(T, term).read(text)
    assert isinstance(made, Carrier)
    return made


def test_a_carrier_shows_its_json_and_cannot_be_changed() -> None:
    made = carried('{"b": [1.50, 1e2], "a": []}', DictOf(Primitive.TEXT, ListOf(Primitive.DECIMAL)))
    assert made.text == '{"a":[],"b":[1.5,100]}'
    assert made.json == read_json(made.text)
    assert repr(made) == 'Carrier({"a":[],"b":[1.5,100]})'
    first: Json = made.json
    assert isinstance(first, dict)
    first.clear()
    assert made.json == read_json(made.text)
    with pytest.raises(AttributeError):
        made.text = "{}"  # type: ignore[misc]
    assert copy.copy(made) is copy.deepcopy(made) is made
    with pytest.raises(TypeError, match="cannot be pickled; its text can"):
        pickle.dumps(made)
    assert len(repr(carried(f'"{"x" * 1000}"', Primitive.TEXT))) < 100


def test_carriers_of_one_type_alone_are_equal() -> None:
    one, other = carried("1", Primitive.INT), carried("1", Primitive.DECIMAL)
    assert one == carried("1.0", Primitive.INT)
    assert hash(one) == hash(carried("1e0", Primitive.INT))
    assert one != other
    assert one != "1"
    assert one != 1
    with pytest.raises(TypeError):
        assert one < other


def test_what_has_no_order_is_not_ordered() -> None:
    one, other = carried('{"a": 1}', Primitive.JSON_VALUE), carried('{"a": 2}', Primitive.JSON_VALUE)
    assert one != other
    assert one == carried('{"a": 1.0}', Primitive.JSON_VALUE)
    with pytest.raises(TypeError, match=r"Values of json\.Value have no order"):
        sorted([one, other])


def test_only_carriers_of_that_type_are_written() -> None:
    codec = carrying(TupleOf((T, U)), Primitive.INT, Primitive.TEXT)
    number, text = codec.read('[1, "a"]')
    assert codec.encode((number, text)) == '[1,"a"]'
    for wrong, pointer in (((text, text), "/0"), ((number, number), "/1"), ((1, text), "/0"), ((number, "a"), "/1")):
        with pytest.raises(ValueRefused) as refused:
            codec.encode(wrong)
        assert refused.value.pointer == pointer
        assert "A Carrier of" in refused.value.sentence


def test_sets_and_dicts_of_carriers_are_written_in_the_order_of_the_type() -> None:
    codec = carrying(SetOf(T), Primitive.DURATION)
    values = codec.read('["PT9S", "PT10S", "PT70S"]')
    assert isinstance(values, ValueSet)
    assert (
        codec.encode(frozenset(values)) == codec.encode(ValueSet(reversed(list(values)))) == '["PT9S","PT10S","PT70S"]'
    )
    keyed = carrying(DictOf(T, Primitive.INT), Primitive.DURATION)
    found = keyed.read('[["PT9S", 1], ["PT10S", 2]]')
    assert keyed.encode(dict(reversed(list(found.items())))) == '[["PT9S",1],["PT10S",2]]'
    with pytest.raises(ValueRefused) as refused:
        codec.read('["PT10S", "PT9S"]')
    assert (refused.value.kind, refused.value.pointer) == ("order", "/1")


def test_a_dict_whose_keys_carry_text_is_an_object() -> None:
    codec = carrying(DictOf(T, U), Primitive.TEXT, OptionOf(Primitive.INT))
    found = codec.read('{"b": "None", "a": {"Some": 1}}')
    assert isinstance(found, ValueDict)
    assert [key.json for key in found] == ["a", "b"]
    assert codec.encode(dict(found)) == '{"a":{"Some":1},"b":"None"}'
    with pytest.raises(ValueRefused) as refused:
        codec.read('{"a": {"Some": "x"}}')
    assert refused.value.pointer == "/a/Some"
    with pytest.raises(ValueRefused, match="A Carrier of T is expected"):
        codec.encode({"a": found[next(iter(found))]})


def test_the_limit_of_nesting_counts_what_is_carried() -> None:
    term: Term = Primitive.INT
    for _ in range(50):
        term = ListOf(term)
    codec = carrying(ListOf(T), Primitive.JSON_VALUE)
    deepest = codec.decode([read_json("[" * 511 + "]" * 511)])
    assert codec.encode(deepest) == "[" * 512 + "]" * 512
    with pytest.raises(ValueRefused, match="nested at most 512"):
        codec.encode(codec.decode([read_json("[" * 512 + "]" * 512)]))
    assert carrying(T, term).encode(carried("[]", term)) == "[]"
    assert carrying(ListOf(T), term).nesting == 51


def test_a_type_without_an_encoding_refuses_each_value() -> None:
    codec = carrying(ListOf(T), FunctionOf((), Primitive.INT))
    assert codec.encode(codec.read("[]")) == "[]"
    with pytest.raises(ValueRefused, match="a function has no encoding"):
        codec.read("[1]")


def test_several_threads_may_use_codecs_that_are_new() -> None:
    guard = threading.RLock()
    codecs, caller = Codecs({}, guard=guard), Codecs({}, guard=guard)
    terms: list[Term] = [T]
    for _ in range(60):
        terms.append(OptionOf(TupleOf((terms[-1], ListOf(T)))))
    bound = [codecs.carrier("T", caller.codec(ListOf(Primitive.INT)), "key")]
    made = [codecs.codec(term, bound) for term in terms]
    texts = ["[1,2]"]
    for _ in range(60):
        texts.append(f'{{"Some":[{texts[-1]},[[3]]]}}')
    wrong: list[object] = []
    begin = threading.Barrier(8)

    def use() -> None:
        begin.wait()
        for number, codec in enumerate(made):
            if codec.encode(codec.read(texts[number])) != texts[number]:
                wrong.append(number)

    threads = [threading.Thread(target=use) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong
