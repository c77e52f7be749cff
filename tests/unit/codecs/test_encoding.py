"""Encoding: Python values to canonical text, and which values are refused."""

from __future__ import annotations

from collections.abc import Mapping
from decimal import Decimal
from typing import Any

import pytest

from flow_lsp.codecs.codec import Codecs
from flow_lsp.codecs.data import Some
from flow_lsp.codecs.refusals import RefusalKind, ValueRefused
from flow_lsp.codecs.writing import Representation
from flow_lsp.types.terms import (
    Constructor,
    DictOf,
    Field,
    Kind,
    ListOf,
    Named,
    OptionOf,
    Primitive,
    SetOf,
    Template,
    Term,
    TupleOf,
)
from flow_lsp.values.durations import Duration
from flow_lsp.values.instants import Instant

INT, TEXT, DECIMAL, JSON = Primitive.INT, Primitive.TEXT, Primitive.DECIMAL, Primitive.JSON_VALUE
DECLARATIONS = {
    "point": Template("Point", "k.Point", 1, (), False, Kind.RECORD, None, (Field("y", INT), Field("x", INT))),
    "other": Template("Other", "k.Other", 1, (), False, Kind.RECORD, None, (Field("y", INT), Field("x", INT))),
    "notes": Template(
        "Notes",
        "k.Notes",
        1,
        (),
        False,
        Kind.RECORD,
        None,
        tuple(Field(name, OptionOf(TEXT)) for name in ("c", "a", "b")),
    ),
    "mixed": Template(
        "Mixed",
        "k.Mixed",
        1,
        (),
        False,
        Kind.RECORD,
        None,
        (Field("b", INT), Field("a", OptionOf(INT)), Field("c", OptionOf(OptionOf(INT)))),
    ),
    "shape": Template(
        "Shape",
        "k.Shape",
        1,
        (),
        False,
        Kind.ENUM,
        None,
        (),
        (
            Constructor("Nowhere"),
            Constructor("At", positional=(Named("point", ()),)),
            Constructor("Line", positional=(INT, INT)),
            Constructor("Named", named=(Field("name", TEXT), Field("note", OptionOf(TEXT)))),
        ),
    ),
}


def encode(term: Term, value: object) -> str:
    return Codecs(DECLARATIONS).codec(term).encode(value)


def made(local_id: str, *values: object, constructor: int | None = None) -> Any:
    found = Codecs(DECLARATIONS).representation(local_id)
    one = found if isinstance(found, Representation) else found[constructor or 0]
    return one.type(*values)


@pytest.mark.parametrize(
    ("term", "value", "text"),
    [
        (INT, -(10**20), "-100000000000000000000"),
        (DECIMAL, Decimal("1.500"), "1.5"),
        (DECIMAL, Decimal("-0E+3"), "0"),
        (DECIMAL, Decimal("1E+3"), "1000"),
        (TEXT, 'a"\\\n\u001f\u2028é', '"a\\"\\\\\\n\\u001f\u2028é"'),
        (Primitive.BYTES, b"\xfb\xff", '"+/8="'),
        (Primitive.UNIT, None, "null"),
        (Primitive.INSTANT, Instant(-1, Decimal("0.25")), '"1969-12-31T23:59:59.25Z"'),
        (Primitive.DURATION, Duration(Decimal("-0.250")), '"PT-0.25S"'),
        (ListOf(INT), [1, 2], "[1,2]"),
        (ListOf(INT), (), "[]"),
        (ListOf(Primitive.BOOL), (True, False), "[true,false]"),
        (TupleOf((INT, TEXT)), [1, "a"], '[1,"a"]'),
        (SetOf(INT), {10, 9, -1}, "[-1,9,10]"),
        (SetOf(Primitive.BYTES), frozenset({b"\xff", b"\xfb"}), '["+w==","/w=="]'),
        (DictOf(TEXT, INT), {"😀": 1, "！": 2}, '{"！":2,"😀":1}'),
        (DictOf(INT, TEXT), {10: "b", 9: "a"}, '[[9,"a"],[10,"b"]]'),
        (OptionOf(INT), None, '"None"'),
        (OptionOf(INT), 3, '{"Some":3}'),
        (JSON, {"b": [1, None, True, Decimal("1.0"), (2,)], "a": "x"}, '{"a":"x","b":[1,null,true,1,[2]]}'),
        (Named("point", ()), made("point", 1, 2), '{"x":2,"y":1}'),
        (Named("notes", ()), made("notes", None, None, None), "{}"),
        (Named("notes", ()), made("notes", "1", None, "2"), '{"b":"2","c":"1"}'),
        (Named("notes", ()), made("notes", "1", "2", "3"), '{"a":"2","b":"3","c":"1"}'),
        (Named("mixed", ()), made("mixed", 1, None, None), '{"b":1}'),
        (Named("mixed", ()), made("mixed", 1, 2, Some(None)), '{"a":2,"b":1,"c":"None"}'),
        (Named("mixed", ()), made("mixed", 1, 2, Some(3)), '{"a":2,"b":1,"c":{"Some":3}}'),
        (Named("shape", ()), made("shape", constructor=0), '"Nowhere"'),
        (Named("shape", ()), made("shape", made("point", 1, 2), constructor=1), '{"At":{"x":2,"y":1}}'),
        (Named("shape", ()), made("shape", 1, 2, constructor=2), '{"Line":[1,2]}'),
        (Named("shape", ()), made("shape", "n", None, constructor=3), '{"Named":{"name":"n"}}'),
    ],
)
def test_canonical_text(term: Term, value: object, text: str) -> None:
    assert encode(term, value) == text


@pytest.mark.parametrize(
    ("term", "value", "kind", "pointer"),
    [
        (INT, True, RefusalKind.TYPE, ""),
        (INT, 1.0, RefusalKind.TYPE, ""),
        (INT, Decimal(1), RefusalKind.TYPE, ""),
        (INT, 10**4096, RefusalKind.LIMIT, ""),
        (DECIMAL, 1, RefusalKind.TYPE, ""),
        (DECIMAL, 0.5, RefusalKind.TYPE, ""),
        (DECIMAL, Decimal("NaN"), RefusalKind.TYPE, ""),
        (DECIMAL, Decimal("Infinity"), RefusalKind.TYPE, ""),
        (DECIMAL, Decimal("1e999999999"), RefusalKind.LIMIT, ""),
        (TEXT, b"a", RefusalKind.TYPE, ""),
        (ListOf(TEXT), ("a", "b\ud83d"), RefusalKind.SURROGATE, "/1"),
        (DictOf(TEXT, INT), {"\udc00": 1}, RefusalKind.SURROGATE, ""),
        (Primitive.BYTES, "a", RefusalKind.TYPE, ""),
        (Primitive.INSTANT, "2024-01-01T00:00:00Z", RefusalKind.TYPE, ""),
        (Primitive.DURATION, 5, RefusalKind.TYPE, ""),
        (Primitive.DURATION, Duration(Decimal("1e5000")), RefusalKind.LIMIT, ""),
        (Primitive.INSTANT, Instant(10**4200), RefusalKind.LIMIT, ""),
        (Primitive.NEVER, None, RefusalKind.NEVER, ""),
        (ListOf(INT), "ab", RefusalKind.TYPE, ""),
        (ListOf(INT), {1}, RefusalKind.TYPE, ""),
        (ListOf(INT), made("point", 1, 2), RefusalKind.TYPE, ""),
        (ListOf(INT), (1, True), RefusalKind.TYPE, "/1"),
        (ListOf(INT), (1, 10**5000), RefusalKind.LIMIT, "/1"),
        (SetOf(INT), [1], RefusalKind.TYPE, ""),
        (TupleOf((INT, INT)), (1, 2, 3), RefusalKind.LENGTH, ""),
        (TupleOf((INT, INT)), (1, "x"), RefusalKind.TYPE, "/1"),
        (TupleOf((INT, INT)), made("point", 1, 2), RefusalKind.TYPE, ""),
        (DictOf(TEXT, INT), {1: 1}, RefusalKind.TYPE, ""),
        (DictOf(TEXT, INT), [("a", 1)], RefusalKind.TYPE, ""),
        (DictOf(TEXT, INT), {"b": 1, "a": "x"}, RefusalKind.TYPE, "/a"),
        (DictOf(INT, INT), {1: "x"}, RefusalKind.TYPE, "/0/1"),
        (OptionOf(OptionOf(INT)), 3, RefusalKind.TYPE, ""),
        (OptionOf(INT), "x", RefusalKind.TYPE, "/Some"),
        (JSON, 1.5, RefusalKind.TYPE, ""),
        (JSON, {"a": [float("nan")]}, RefusalKind.TYPE, "/a/0"),
        (JSON, {"a": {1: 2}}, RefusalKind.TYPE, "/a"),
        (JSON, [Decimal("NaN")], RefusalKind.TYPE, "/0"),
        (JSON, [10**5000], RefusalKind.LIMIT, "/0"),
        (JSON, [object()], RefusalKind.TYPE, "/0"),
        (Named("point", ()), (1, 2), RefusalKind.TYPE, ""),
        (Named("point", ()), made("other", 1, 2), RefusalKind.TYPE, ""),
        (Named("point", ()), made("point", 1, "x"), RefusalKind.TYPE, "/x"),
        (Named("mixed", ()), made("mixed", 1, None, 3), RefusalKind.TYPE, "/c"),
        (Named("shape", ()), "Nowhere", RefusalKind.TYPE, ""),
        (Named("shape", ()), made("shape", made("point", 1, None), constructor=1), RefusalKind.TYPE, "/At/x"),
        (Named("shape", ()), made("shape", 1, None, constructor=2), RefusalKind.TYPE, "/Line/1"),
        (Named("shape", ()), made("shape", "a", 1, constructor=3), RefusalKind.TYPE, "/Named/note"),
    ],
)
def test_what_is_no_value_of_the_type(term: Term, value: object, kind: RefusalKind, pointer: str) -> None:
    with pytest.raises(ValueRefused) as refused:
        encode(term, value)
    assert (refused.value.kind, refused.value.pointer) == (kind, pointer)
    assert refused.value.sentence.endswith(".")


def test_a_json_value_that_holds_itself_is_refused() -> None:
    circular: list[Any] = []
    circular.append(circular)
    with pytest.raises(ValueRefused) as refused:
        encode(JSON, circular)
    assert refused.value.kind is RefusalKind.LIMIT


def test_a_value_deeper_than_the_limit_is_refused() -> None:
    deep: Any = None
    for _ in range(513):
        deep = [deep]
    with pytest.raises(ValueRefused, match="at most 512 levels"):
        encode(JSON, deep)
    assert encode(JSON, deep[0]) == "[" * 512 + "null" + "]" * 512
    tree: Any = made_tree()
    for _ in range(5_000):
        tree = type(tree)((tree,))
    with pytest.raises(ValueRefused, match="at most 512 levels"):
        TREES.encode(tree)


def test_brackets_in_texts_are_no_nesting() -> None:
    assert encode(JSON, "[{" * 1000) == '"' + "[{" * 1000 + '"'


def test_subclasses_of_pythons_types_are_their_values() -> None:
    class Word(str):
        __slots__ = ()

    class Count(int):
        def __repr__(self) -> str:
            return "a count"

    class Table(dict[str, int]):
        pass

    assert encode(TEXT, Word("a")) == '"a"'
    assert encode(INT, Count(3)) == "3"
    assert encode(ListOf(INT), (Count(3), 4)) == "[3,4]"
    table: Mapping[str, int] = Table(a=1)
    assert encode(DictOf(TEXT, INT), table) == '{"a":1}'


TREE = {
    "tree": Template("Tree", "k.Tree", 1, (), False, Kind.RECORD, None, (Field("kids", ListOf(Named("tree", ()))),))
}
TREES = Codecs(TREE).codec(Named("tree", ()))


def made_tree() -> Any:
    return TREES.read('{"kids":[]}')


def test_classes_of_ones_own() -> None:
    class Point:
        def __init__(self, up: int, right: int) -> None:
            self.up, self.right = up, right

    class Nowhere:
        pass

    class At:
        def __init__(self, point: Point) -> None:
            self.point = point

    class Line:
        def __init__(self, first: int, last: int) -> None:
            self.first, self.last = first, last

    class Titled:
        def __init__(self, name: str, note: str | None) -> None:
            self.name, self.note = name, note

    codecs = Codecs(
        DECLARATIONS,
        representations={
            "point": Representation(Point, ("up", "right")),
            "shape": (
                Representation(Nowhere),
                Representation(At, ("point",)),
                Representation(Line, ("first", "last")),
                Representation(Titled, ("name", "note")),
            ),
        },
    )
    codec = codecs.codec(ListOf(Named("shape", ())))
    text = '["Nowhere",{"At":{"x":2,"y":1}},{"Line":[3,4]},{"Named":{"name":"n"}}]'
    nowhere, at, line, titled = codec.read(text)
    assert isinstance(nowhere, Nowhere)
    assert (at.point.up, at.point.right) == (1, 2)
    assert (line.first, line.last, titled.name, titled.note) == (3, 4, "n", None)
    assert codec.encode((nowhere, at, line, titled)) == text
    keys = [codecs.codec(Named("shape", ())).order_key(each) for each in (nowhere, at, line, titled)]
    assert keys == sorted(keys)
    with pytest.raises(ValueRefused):
        codec.encode((made("shape", constructor=0),))


def test_an_attribute_must_be_a_name() -> None:
    with pytest.raises(ValueError, match="no name of a Python attribute"):
        Representation(object, ("a; import os",))
