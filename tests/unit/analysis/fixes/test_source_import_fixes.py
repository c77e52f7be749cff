"""Fixes of imports: the exact text that comes out, and that nothing is left to do."""

from __future__ import annotations

import pytest
from support.fixing import all_fixed, fixed, offered
from support.snapshots import Fixture

TYPES = "pub record Hit { a: Int }\nenum Problem { Offline }\nrecord Third {}\n"
USE = "record A { x: Hit }\n"


def one(text: str, **files: str) -> Fixture:
    return Fixture({"a.flow": text, "types.flow": TYPES, "sub/money.flow": "record Sum {}\n", **files}, {})


@pytest.mark.parametrize(
    ("before", "title", "after"),
    [
        ("import ./types\nrecord A {}\n", "Remove the unused import of `types`", "record A {}\n"),
        ("import ./types // why\nrecord A {}\n", "Remove the unused import of `types`", " // why\nrecord A {}\n"),
        ("import ./types.{Hit, Problem}\n" + USE, "Remove the unused import of `Problem`",
         "import ./types.{Hit}\n" + USE),
        ("import ./types.{Problem, Hit}\n" + USE, "Remove the unused import of `Problem`",
         "import ./types.{Hit}\n" + USE),
        ("import ./types.{\n  Problem,\n  Hit,\n}\n" + USE, "Remove the unused import of `Problem`",
         "import ./types.{\n  Hit,\n}\n" + USE),
        ("import ./types.{\n  Hit,\n  Problem,\n}\n" + USE, "Remove the unused import of `Problem`",
         "import ./types.{\n  Hit,\n}\n" + USE),
        ("import ./types.{\n  Problem, // one\n  Hit,\n}\n" + USE, "Remove the unused import of `Problem`",
         "import ./types.{\n   // one\n  Hit,\n}\n" + USE),
        ("\ufeffimport ./types\r\nrecord A {}\r\n", "Remove the unused import of `types`", "\ufeffrecord A {}\r\n"),
        ("import ./types.{Hit}\nimport ./types.{Hit}\n" + USE, "Remove the second import of `Hit`",
         "import ./types.{Hit}\n" + USE),
        ("import ./types.{Hit}\nrecord Hit { x: Hit }\n", "Remove the second import of `Hit`",
         "record Hit { x: Hit }\n"),
        ("import ./typs.{Hit}\n" + USE, "Change the path to `./types`", "import ./types.{Hit}\n" + USE),
        ("import ./money.{Sum}\nrecord A { x: Sum }\n", "Change the path to `./sub/money`",
         "import ./sub/money.{Sum}\nrecord A { x: Sum }\n"),
        ("import types/types.{Hit}\n" + USE, "Change the path to `./types`", "import ./types.{Hit}\n" + USE),
        ("import ./types.{Hut}\nrecord A { x: Hut, y: List<Hut> }\n", "Change to `Hit`",
         "import ./types.{Hit}\nrecord A { x: Hit, y: List<Hit> }\n"),
        ("import ./types.{Hit, Wonder}\n" + USE, "Remove `Wonder` from the import", "import ./types.{Hit}\n" + USE),
        ("import types\nrecord A { x: types.Hit }\n", "Write `./types`", "import ./types\nrecord A { x: types.Hit }\n"),
        ("import ./types.Hit\n" + USE, "Write `.{Hit}`", "import ./types.{Hit}\n" + USE),
        ("import ./my-types\nrecord A {}\n", "Add `as my_types`", "import ./my-types as my_types\nrecord A {}\n"),
        ("import ./a/record\nrecord A {}\n", "Add `as record_`", "import ./a/record as record_\nrecord A {}\n"),
    ],
)  # fmt: skip
def test_an_import_becomes_what_was_meant(before: str, title: str, after: str):
    assert fixed(one(before), "a.flow", title) == {"a.flow": after}


def test_a_file_that_is_not_there_is_created():
    made = one("import ./wonder.{Hit}\n" + USE)
    assert fixed(made, "a.flow", "Create `wonder.flow`") == {"wonder.flow": ""}


def test_all_that_is_unused_or_repeated_goes_at_once():
    before = "import ./types.{Problem, Third, Hit}\nimport ./sub/money\nimport ./types.{Hit}\n" + USE
    assert all_fixed(one(before), "a.flow") == "import ./types.{Hit}\n" + USE
    assert all_fixed(one("import ./types.{Problem, Third}\nrecord A {}\n"), "a.flow") == "record A {}\n"


def test_a_type_declared_twice_is_left_to_the_user():
    assert offered(one("record A {}\nrecord A {}\n"), "a.flow") == []
