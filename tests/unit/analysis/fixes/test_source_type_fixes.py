"""Fixes of names of types in `.flow` files: the exact text that comes out, and that nothing is left to do."""

from __future__ import annotations

import pytest
from support.fixing import all_fixed, fixed, offered
from support.snapshots import Fixture

TYPES = "pub record Hit { a: Int }\nenum Problem { Offline }\nrecord Page<T> { a: T }\n"


def one(text: str, **files: str) -> Fixture:
    return Fixture({"a.flow": text, "types.flow": TYPES, **files}, {})


def titles(made: Fixture) -> list[str]:
    return [fix.title for fix in offered(made, "a.flow")]


@pytest.mark.parametrize(
    ("before", "title", "after"),
    [
        ("record A { x: Strin }\n", "Change to `String`", None),
        ("record A { x: Txt } // why\n", "Change to `Text`", "record A { x: Text } // why\n"),
        ("record A { x: Hit }\n", "Import `Hit` by `import ./types`", "import ./types.{Hit}\n\nrecord A { x: Hit }\n"),
        ("import ./types\nrecord A { x: Hit }\n", "Write `types.Hit`", "import ./types\nrecord A { x: types.Hit }\n"),
        (
            "import ./types.{Problem}\nrecord A { x: Problem, y: Hit }\n", "Import `Hit` by `import ./types`",
            "import ./types.{Problem, Hit}\nrecord A { x: Problem, y: Hit }\n",
        ),
        (
            "record A { x: Problm }\n", "Change to `Problem` and import `Problem` by `import ./types`",
            "import ./types.{Problem}\n\nrecord A { x: Problem }\n",
        ),
        ("record A { x: types.Hit }\n", "Add `import ./types`", "import ./types\n\nrecord A { x: types.Hit }\n"),
        (
            "import ./types\nrecord A { x: type.Hit }\n", "Change to `types.Hit`",
            "import ./types\nrecord A { x: types.Hit }\n",
        ),
        ("import ./types\nrecord A { x: types.Hut }\n", "Change to `types.Hit`",
         "import ./types\nrecord A { x: types.Hit }\n"),
        ("record A { x: json.Value }\n", "Add `import std/json`", "import std/json\n\nrecord A { x: json.Value }\n"),
        ("record A { x: any }\n", "Use `json.Value`", "import std/json\n\nrecord A { x: json.Value }\n"),
        ("import std/json as j\nrecord A { x: JSON }\n", "Use `j.Value`",
         "import std/json as j\nrecord A { x: j.Value }\n"),
        ("record A { x: Tuple<Int, Text> }\n", "Write a tuple with brackets", "record A { x: (Int, Text) }\n"),
        ("record A { x: Thing<Int> }\n", "Declare the record `Thing` here",
         "record A { x: Thing<Int> }\n\nrecord Thing<T> {\n}\n"),
        ("record A { x: Int }\r\nrecord B { x: Thing }", "Declare the record `Thing` here",
         "record A { x: Int }\r\nrecord B { x: Thing }\r\n\r\nrecord Thing {\r\n}"),
        ("record A { x: Text<Int> }\n", "Remove the type arguments", "record A { x: Text }\n"),
        ("@tool\nfn f() -> Result<Int>\n", "Add `Never`, for no error", "@tool\nfn f() -> Result<Int, Never>\n"),
        ("@tool\nfn f() -> Result<Int, >\n", "Add `Never`, for no error", "@tool\nfn f() -> Result<Int, Never>\n"),
        ("record A { x: Dict<Int> }\n", "Add `Text`, for the keys", "record A { x: Dict<Text, Int> }\n"),
    ],
)  # fmt: skip
def test_what_was_meant_is_written(before: str, title: str, after: str | None):
    if after is None:
        assert title not in titles(one(before))
    else:
        assert fixed(one(before), "a.flow", title) == {"a.flow": after}


@pytest.mark.parametrize(
    ("habit", "word"),
    [
        ("String", "Text"), ("str", "Text"), ("Integer", "Int"), ("i64", "Int"), ("bool", "Bool"),
        ("Boolean", "Bool"), ("float", "Decimal"), ("Double", "Decimal"), ("null", "Unit"), ("void", "Unit"),
        ("Map<Text, Int>", "Dict<Text, Int>"), ("HashMap<Text, Int>", "Dict<Text, Int>"), ("Array<Int>", "List<Int>"),
        ("Vec<Int>", "List<Int>"), ("Optional<Int>", "Option<Int>"), ("DateTime", "Instant"), ("bytearray", "Bytes"),
        ("timedelta", "Duration"), ("HashSet<Int>", "Set<Int>"),
    ],
)  # fmt: skip
def test_habits_become_flows_own_words_alone_and_all_at_once(habit: str, word: str):
    before, after = f"record A {{ x: {habit}, y: {habit} }}\n", f"record A {{ x: {word}, y: {word} }}\n"
    assert all_fixed(one(before), "a.flow") == after
    (first, *_) = offered(one(before), "a.flow")
    assert first.preferred
    assert first.title == f"Use `{word.partition('<')[0]}`, Flow's word for it"


def test_a_habit_that_a_file_declares_is_left_to_the_user():
    made = one("record A { x: Map }\n", **{"maps.flow": "record Map {}\n"})
    assert all_fixed(made, "a.flow") == "record A { x: Map }\n"
    assert {"Use `Dict`, Flow's word for it", "Import `Map` by `import ./maps`"} <= set(titles(made))
    assert titles(one("record A { x: String }\nrecord Text {}\n")) == ["Declare the record `String` here"]


def test_each_file_that_declares_the_name_has_its_own_fix():
    made = one("record A { x: Hit }\n", **{"sub/more.flow": "record Hit {}\n"})
    found = offered(made, "a.flow")
    assert [fix.title for fix in found] == [
        "Import `Hit` by `import ./sub/more`",
        "Import `Hit` by `import ./types`",
        "Declare the record `Hit` here",
    ]
    assert not any(fix.preferred for fix in found)


def test_a_name_that_is_no_slip_can_be_declared_only():
    assert titles(one("record A { x: Wonderful }\n")) == ["Declare the record `Wonderful` here"]
    assert titles(one("record A { x: gone.Wonderful }\n")) == []
