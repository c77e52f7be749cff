"""Decoding: what is refused, where, and in which words; the conformance cases hold what is accepted."""

# ruff: noqa: E501 - sentences are compared in full
from __future__ import annotations

from decimal import Decimal
from typing import Any

import pytest

from flow_lsp.codecs.codec import Codecs
from flow_lsp.codecs.data import Some, ValueDict, ValueSet
from flow_lsp.codecs.refusals import RefusalKind, ValueRefused
from flow_lsp.types.terms import (
    Constructor,
    DictOf,
    Field,
    FunctionOf,
    Kind,
    ListOf,
    Named,
    OptionOf,
    Param,
    Primitive,
    SetOf,
    TaskOf,
    Template,
    Term,
    TupleOf,
)
from flow_lsp.values.durations import Duration
from flow_lsp.values.instants import Instant
from flow_lsp.values.limits import Limits
from flow_lsp.values.strict_json import read_json

INT, TEXT, DECIMAL = Primitive.INT, Primitive.TEXT, Primitive.DECIMAL


def template(name: str, kind: Kind, **members: Any) -> Template:
    generic = members.pop("generic", ())
    return Template(name, f"k.{name}", 1, generic, members.pop("opaque", False), kind, None, **members)


DECLARATIONS = {
    "hit": template(
        "Hit",
        Kind.RECORD,
        fields=(Field("title", TEXT), Field("score", OptionOf(DECIMAL)), Field("tags", ListOf(TEXT))),
    ),
    "problem": template(
        "Problem",
        Kind.ENUM,
        constructors=(
            Constructor("Offline"),
            Constructor("Slow", positional=(Primitive.DURATION,)),
            Constructor("Range", positional=(INT, INT)),
            Constructor("Empty", positional=()),
            Constructor("Refused", named=(Field("code", INT), Field("reason", OptionOf(TEXT)))),
            Constructor("Deep", positional=(OptionOf(Named("problem", ())),)),
        ),
    ),
    "box": template("Box", Kind.RECORD, generic=("T",), fields=(Field("value", Param("box", 0)),)),
    "crate": template("Crate", Kind.RECORD, generic=("T",), fields=(Field("value", OptionOf(Param("crate", 0))),)),
    "ticket": template("Ticket", Kind.RECORD, opaque=True, fields=(Field("id", TEXT),)),
    "session": template("Session", Kind.HOST),
    "secret": template("Secret", Kind.NONDATA),
    "none": template("Nothing", Kind.ENUM),
    "tree": template("Tree", Kind.RECORD, fields=(Field("kids", ListOf(Named("tree", ()))),)),
}
HIT, PROBLEM, TREE = Named("hit", ()), Named("problem", ()), Named("tree", ())


def read(term: Term, text: str, **options: Any) -> Any:
    return Codecs(DECLARATIONS, **options).codec(term).read(text)


def refusal(term: Term, text: str, **options: Any) -> ValueRefused:
    with pytest.raises(ValueRefused) as refused:
        read(term, text, **options)
    return refused.value


@pytest.mark.parametrize(
    ("term", "text", "pointer", "sentence"),
    [
        (INT, "true", "", "A whole number is expected for Int, and this is true."),
        (INT, "null", "", "A whole number is expected for Int, and this is null."),
        (INT, "1.5", "", "An Int is a whole number, and 1.5 is not."),
        (INT, "1e5000", "", "An Int has at most 4096 digits; this has more."),
        (DECIMAL, '"1"', "", "A number is expected for Decimal, and this is a string."),
        (Primitive.BOOL, "1", "", "True or false is expected for Bool, and this is a number."),
        (TEXT, "1", "", "A string is expected for Text, and this is a number."),
        (Primitive.UNIT, "{}", "", "Null is expected for Unit, and this is an object."),
        (Primitive.NEVER, "1", "", "Never has no values, so none can stand here."),
        (ListOf(INT), '[1,2,"x",{}]', "/2", "A whole number is expected for Int, and this is a string."),
        (ListOf(ListOf(INT)), "[[],[1,null]]", "/1/1", "A whole number is expected for Int, and this is null."),
        (TupleOf((INT, TEXT)), "[1]", "", "This Tuple has exactly 2 parts, and this has 1."),
        (TupleOf((INT, TEXT)), "[1,2]", "/1", "A string is expected for Text, and this is a number."),
        (
            SetOf(INT), "[1,3,3]", "/2",
            "This item does not come after the one before it; items stand in strictly ascending order of their values, "
            "each once.",
        ),
        (DictOf(TEXT, INT), '{"a/~":null}', "/a~1~0", "A whole number is expected for Int, and this is null."),
        (DictOf(INT, INT), "[[1]]", "/0", "A pair of a Dict has exactly 2 parts, and this has 1."),
        (DictOf(INT, INT), '[[1,2],["x",2]]', "/1/0", "A whole number is expected for Int, and this is a string."),
        (DictOf(INT, INT), '[[1,"x"]]', "/0/1", "A whole number is expected for Int, and this is a string."),
        (
            DictOf(INT, INT), "[[2,0],[1,0]]", "/1/0",
            "This key does not come after the one before it; keys stand in strictly ascending order of their values, "
            "each once.",
        ),
        (OptionOf(INT), "1", "", '`"None"` or an object of the one property `Some` is expected for an Option, and this is a number.'),
        (OptionOf(INT), '"Some"', "", 'An Option is `"None"` or an object of the one property `Some`, and this is `Some`.'),
        (OptionOf(INT), '{"None":1}', "", 'An Option is `"None"` or an object of the one property `Some`, and this is the property `None`.'),
        (OptionOf(INT), '{"Some":"x"}', "/Some", "A whole number is expected for Int, and this is a string."),
        (HIT, "[]", "", "An object is expected for the record Hit, and this is an array."),
        (HIT, "{}", "", "The record Hit needs its field `title` and 1 more."),
        (HIT, '{"titel":"a","tags":[]}', "", "The record Hit needs its field `title`. It has `titel`. Is that meant?"),
        (HIT, '{"title":"a","tags":[1]}', "/tags/0", "A string is expected for Text, and this is a number."),
        (HIT, '{"title":"a","tags":[],"score":"1"}', "/score", "A number is expected for Decimal, and this is a string."),
        (PROBLEM, "7", "", "A string or an object is expected for the enum Problem, and this is a number."),
        (PROBLEM, '"offline"', "", "The enum Problem has no constructor `offline`. Is `Offline` meant?"),
        (PROBLEM, '"Slow"', "", "The constructor `Slow` has a payload, so it is written as an object of that one property."),
        (PROBLEM, '{"Offline":null}', "", "The constructor `Offline` has no payload, so it is written as a string."),
        (PROBLEM, "{}", "", "A constructor of the enum Problem with a payload is an object of exactly one property, and this has 0."),
        (PROBLEM, '{"Range":[1,2,3]}', "/Range", "Problem.Range has exactly 2 parts, and this has 3."),
        (PROBLEM, '{"Range":[1,"2"]}', "/Range/1", "A whole number is expected for Int, and this is a string."),
        (PROBLEM, '{"Range":{}}', "/Range", "An array is expected for the parts of Problem.Range, and this is an object."),
        (PROBLEM, '{"Refused":{}}', "/Refused", "Problem.Refused needs its part `code`."),
        (PROBLEM, '{"Refused":[]}', "/Refused", "An object is expected for the parts of Problem.Refused, and this is an array."),
        (PROBLEM, '{"Refused":{"code":1,"reason":3}}', "/Refused/reason", "A string is expected for Text, and this is a number."),
        (PROBLEM, '{"Deep":{"Some":{"Slow":"1"}}}', "/Deep/Some/Slow", "`1` is not a Duration that can be read: a Duration is written as `PT90S` or `P1DT2H30M0.5S`."),
        (Named("none", ()), '"X"', "", "The enum Nothing has no constructor `X`."),
        (Named("session", ()), "1", "", "A string is expected for a host token, and this is a number."),
        (Named("secret", ()), "1", "", "Nothing can cross here: `Secret`, which is no data, has no encoding."),
        (FunctionOf((), INT), "1", "", "Nothing can cross here: a function has no encoding."),
        (TaskOf(INT), "1", "", "Nothing can cross here: a Task has no encoding."),
        (Primitive.JSON_VALUE, '[{"a":[1e5000]}]', "/0/a/0", "A number of a json.Value has at most 4096 significant digits, none further than 4096 places from the point; this has more."),
        (Primitive.INSTANT, '"2024-02-30T00:00:00Z"', "", "`2024-02-30T00:00:00Z` is not an Instant that can be read: there is no day 30 in that month."),
        (Primitive.BYTES, '"QQ"', "", "`QQ` is not base64 with the standard alphabet (`+` and `/`), padding, no white space and no bits left over."),
    ],
)  # fmt: skip
def test_a_refusal_says_where_and_why(term: Term, text: str, pointer: str, sentence: str) -> None:
    refused = refusal(term, text)
    assert (refused.pointer, refused.sentence) == (pointer, sentence)


def test_a_long_text_is_not_repeated_in_full() -> None:
    assert len(refusal(Primitive.INSTANT, f'"{"x" * 100_000}"').sentence) < 300
    assert len(refusal(PROBLEM, f'"{"x" * 100_000}"').sentence) < 400


def test_values_in_python() -> None:
    hit = read(HIT, '{"title":"a","tags":["x","y"],"more":{"ignored":[1e9999]}}')
    assert (hit["title"], hit["score"], hit["tags"]) == ("a", None, ("x", "y"))
    assert hit == type(hit)("a", None, tags=("x", "y"))
    assert repr(hit) == "Hit(title='a', score=None, tags=('x', 'y'))"
    problem = read(PROBLEM, '{"Refused":{"code":7}}')
    assert (problem.constructor, problem["code"], problem["reason"]) == ("Refused", 7, None)
    assert repr(problem) == "Problem.Refused(code=7, reason=None)"
    assert repr(read(PROBLEM, '"Offline"')) == "Problem.Offline"
    assert read(PROBLEM, '{"Empty":[]}') != read(PROBLEM, '"Offline"')
    assert read(SetOf(INT), "[1,2]") == ValueSet([2, 1]) == {1, 2}
    assert read(DictOf(INT, TEXT), '[[1,"a"]]') == ValueDict({1: "a"}) == {1: "a"}
    assert list(read(DictOf(TEXT, INT), '{"b":1,"a":2}')) == ["a", "b"]
    assert read(TupleOf((INT, Primitive.BOOL)), "[1,true]") == (1, True)
    assert read(Primitive.INSTANT, '"1970-01-01T00:00:01.5Z"') == Instant(1, Decimal("0.5"))
    assert read(Primitive.DURATION, '"PT1M"') == Duration(60)
    assert str(read(DECIMAL, "-0.0")) == "0"
    assert type(read(INT, "1e2")) is int
    assert type(read(DECIMAL, "1")) is Decimal


@pytest.mark.parametrize(
    ("term", "text", "value"),
    [
        (OptionOf(INT), '{"Some":1}', 1),
        (OptionOf(OptionOf(INT)), '{"Some":"None"}', Some(None)),
        (OptionOf(OptionOf(INT)), '{"Some":{"Some":1}}', Some(1)),
        (OptionOf(OptionOf(INT)), '"None"', None),
        (OptionOf(Primitive.UNIT), '{"Some":null}', Some(None)),
        (OptionOf(Primitive.JSON_VALUE), '{"Some":null}', Some(None)),
    ],
)
def test_an_option_is_wrapped_where_its_value_could_be_none(term: Term, text: str, value: object) -> None:
    assert read(term, text) == value
    assert Codecs(DECLARATIONS).codec(term).encode(value) == text


def test_whether_an_option_is_wrapped_goes_by_its_type_as_declared() -> None:
    """Code over a generic record reads the same for every argument."""
    for argument, text, value in ((INT, "1", 1), (OptionOf(INT), '"None"', None), (Primitive.UNIT, "null", None)):
        crate = read(Named("crate", (argument,)), f'{{"value":{text}}}')
        assert crate["value"] == Some(value)
    assert read(Named("box", (OptionOf(INT),)), '{"value":1}')["value"] == 1
    assert read(Named("box", (OptionOf(INT),)), "{}")["value"] is None


def test_opaque_types_are_built_only_where_that_is_allowed() -> None:
    ticket = read(Named("ticket", ()), '{"id":"a"}')
    assert Codecs(DECLARATIONS, builds_opaque=False).codec(Named("ticket", ())).encode(ticket) == '{"id":"a"}'
    refused = refusal(ListOf(Named("ticket", ())), '[{"id":"a"}]', builds_opaque=False)
    assert (refused.kind, refused.pointer) == (RefusalKind.OPAQUE, "/0")


def test_what_a_type_mentions_but_has_no_value_of_needs_no_encoding() -> None:
    declarations = {"phantom": template("Phantom", Kind.RECORD, generic=("T",), fields=())}
    codec = Codecs(declarations).codec(Named("phantom", (FunctionOf((), INT),)))
    assert codec.encode(codec.read("{}")) == "{}"


def test_limits_are_those_of_the_type() -> None:
    limits = Limits(int_digits=8, decimal_digits=4, decimal_places=6)
    assert read(INT, "12345678", limits=limits) == 12345678
    assert refusal(INT, "123456789", limits=limits).kind is RefusalKind.LIMIT
    assert refusal(DECIMAL, "12345", limits=limits).kind is RefusalKind.LIMIT
    assert read(DECIMAL, "123400", limits=limits) == 123400
    assert refusal(DECIMAL, "1234000", limits=limits).kind is RefusalKind.LIMIT
    assert refusal(Primitive.JSON_VALUE, "[12345]", limits=limits).pointer == "/0"
    assert refusal(Primitive.DURATION, '"PT12345S"', limits=limits).kind is RefusalKind.LIMIT


@pytest.mark.parametrize("term", [TREE, ListOf(TREE)])
def test_the_deepest_value_that_is_allowed(term: Term) -> None:
    levels = 256 if term is TREE else 255
    text = '{"kids":[' * levels + "]}" * levels
    text = text if term is TREE else f"[{text}]"
    codec = Codecs(DECLARATIONS).codec(term)
    value = codec.read(text)
    assert codec.encode(value) == text
    assert codec.order_key(value) == codec.order_key(codec.read(text))


def test_the_deepest_enum_called_from_deep_in_a_program() -> None:
    levels = 128  # Deep and Some, and an enum whose payload opens no array: two levels of JSON each
    text = '{"Deep":{"Some":' * levels + '"Offline"' + "}}" * levels

    def deeper(calls: int) -> str:
        if calls:
            return deeper(calls - 1)
        codec = Codecs(DECLARATIONS).codec(PROBLEM)
        return codec.encode(codec.decode(read_json(text)))

    assert deeper(700) == text


def test_many_constructors_and_fields() -> None:
    declarations = {
        "wide": template("Wide", Kind.RECORD, fields=tuple(Field(f"f{n}", OptionOf(INT)) for n in range(3000))),
        "many": template(
            "Many", Kind.ENUM, constructors=tuple(Constructor(f"C{n}", positional=(INT,)) for n in range(3000))
        ),
    }
    codecs = Codecs(declarations)
    wide, many = codecs.codec(Named("wide", ())), codecs.codec(Named("many", ()))
    assert wide.encode(wide.read('{"f2999":1,"f0":2}')) == '{"f0":2,"f2999":1}'
    assert many.encode(many.read('{"C2999":1}')) == '{"C2999":1}'
    assert many.order_key(many.read('{"C7":9}')) < many.order_key(many.read('{"C8":0}'))


@pytest.mark.parametrize("name", ["class", "it's", 'a"b', "{x}", "a\\n", "f0", "v", "größe", "\u2028", "x\ny"])
def test_any_name_is_only_a_name(name: str) -> None:
    """What a declaration is called never becomes code."""
    declarations = {
        "r": template(name, Kind.RECORD, fields=(Field(name, INT), Field(f"{name}?", OptionOf(INT)))),
        "e": template(name, Kind.ENUM, constructors=(Constructor(name, named=(Field(name, INT),)), Constructor("x"))),
    }
    record, enum = (Codecs(declarations).codec(Named(local_id, ())) for local_id in "re")
    for codec, tree in ((record, {name: 1, f"{name}?": 2}), (enum, {name: {name: 1}})):
        value = codec.decode(tree)
        assert read_json(codec.encode(value)) == tree
        with pytest.raises(ValueRefused):
            codec.decode({name: {name: "x"}})


def test_types_that_the_declarations_do_not_have() -> None:
    codecs = Codecs(DECLARATIONS)
    for term in (Named("nowhere", ()), Named("box", ()), Param("tool", 0), Param("box", 0)):
        with pytest.raises(ValueError, match=r"\.$"):
            codecs.codec(term)


def test_a_tools_own_type_parameters_are_given_as_codecs() -> None:
    codecs = Codecs(DECLARATIONS)
    box_of_int = codecs.codec(Named("box", (Param("tool", 0),)), [codecs.codec(INT)])
    assert box_of_int.read('{"value":3}')["value"] == 3
