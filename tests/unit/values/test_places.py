"""Where the value of a JSON Pointer stands in a text."""

from __future__ import annotations

import pytest
from support.bounds import not_hopeless

from flow_lsp.values.places import place_of, places_of
from flow_lsp.values.strict_json import read_json

TEXT = """ {"a": [1, {"b/c": "x, ]}\\"", "~": {}}, null],
  "\\u0064": -1.5e3 , "": true, "0": [[], {}]}
"""


@pytest.mark.parametrize(
    ("pointer", "written"),
    [
        ("", TEXT.strip()),
        ("/a/0", "1"),
        ("/a/1/b~1c", '"x, ]}\\""'),
        ("/a/1/~0", "{}"),
        ("/a/2", "null"),
        ("/d", "-1.5e3"),
        ("/", "true"),
        ("/0", "[[], {}]"),
        ("/0/0", "[]"),
        ("/0/1", "{}"),
    ],
)
def test_the_place_is_that_of_the_value(pointer: str, written: str) -> None:
    start, end = place_of(TEXT, pointer)
    assert TEXT[start:end] == written
    read_json(written)


@pytest.mark.parametrize(
    ("pointer", "nearest"),
    [
        ("/missing", ""),
        ("/missing/further", ""),
        ("/a/3", "/a"),
        ("/a/01", "/a"),
        ("/a/-", "/a"),
        ("/a/-1", "/a"),
        ("/a/1/b", "/a/1"),
        ("/a/0/x", "/a/0"),
        ("/0/0/0", "/0/0"),
        ("/0/1/x", "/0/1"),
        ("/a/1/~0/~2", "/a/1/~0"),
    ],
)
def test_what_is_not_there_has_the_place_of_the_nearest_that_is(pointer: str, nearest: str) -> None:
    assert place_of(TEXT, pointer) == place_of(TEXT, nearest)


NO_JSON = ["", "  ", "{", "[", '{"a', '{"a"', '{"a":', '{"a":1', "[,", "[[,", "{1:2}", '{"a" 1}', "}", "]", '"\\']
NO_JSON += ["{[" * 20_000 + '"a":1', '{"\\q":1}', '{"a":[1}', "1 2", "[1 2]"]


@pytest.mark.parametrize("text", NO_JSON)
@pytest.mark.parametrize("pointer", ["", "/a", "/0", "/a/0", "/0/0"])
def test_a_text_that_is_no_json_has_some_place(text: str, pointer: str) -> None:
    start, end = place_of(text, pointer)
    assert 0 <= start <= end <= len(text)


def test_long_and_deep_texts_take_time_that_grows_with_their_length() -> None:
    with not_hopeless():
        deep = '{"a":' * 100_000 + "1" + "}" * 100_000
        assert place_of(deep, "/a" * 100_000) == (500_000, 500_001)
        wide = "[" + "[[]]," * 300_000 + "7]"
        start, end = place_of(wide, "/300000")
        assert wide[start:end] == "7"
        quoted = '["' + '\\"' * 1_000_000 + '", 7]'
        start, end = place_of(quoted, "/1")
        assert quoted[start:end] == "7"
        assert place_of('{"a":"' + "\\" * 1_000_000, "/a") == (5, 1_000_006)


def test_many_places_of_a_long_text_are_found_in_one_pass() -> None:
    with not_hopeless():
        count = 200_000
        text = "{" + ",".join(f'"a{number}":{{"x":[{number}]}}' for number in range(count)) + "}"
        found = places_of(text, [f"/a{number}/x/0" for number in range(count)])
        assert [text[each.value.start : each.value.end] for each in found] == [str(number) for number in range(count)]
        deep = '{"a":' * 100_000 + "1" + "}" * 100_000
        (found_deep,) = places_of(deep, ["/a" * 100_000])
        assert found_deep.value == (500_000, 500_001)
