"""All places at which a thing is named."""

from __future__ import annotations

import pytest
from support.places import Places

from flow_lsp.analysis.navigation.places import Access
from flow_lsp.analysis.navigation.references import highlights, references, symbol_at
from flow_lsp.source.lexemes import may_hold, word_spans

WORK = Places(
    """\
//- a.flow
import ./types.{Hit, search}
import ./types as t
import std/json
record Page<T> { items: List<T>, hit: Hit, raw: json.Value }
enum E { Hit, B(Hit), C { Hit: Int } }
@tool fn find<Hit>(query: Hit, raw: json.Value) -> Result<List<t.Hit>, Never>
// Hit in a comment, and "Hit" in
fn helper(x: Hit, y: t.Hit, z: other.Hit) -> Hit {
  let text = "Hit"; Hit { Hit: 1, a: x.Hit }; search(); t.search(); x.search(); @Hit
}
//- types.flow
/// A Hit.
record Hit { next: Option<Hit> }
@tool fn search() -> Result<Hit, Never>
//- sub/b.flow
import ../types.{Hit}
import ../types as t
record B { hit: Hit, t: t.Hit, other: Option<Page> }
//- sub/types.flow
record Hit { x: Int }
//- sub/c.flow
import ./types.{Hit}
record C { hit: Hit }
//- broken.flow
import ./types.{Hit}
import ./types
record Broken { a: Hit, b: types.Hit
"""
)


def of(path: str, words: str) -> dict[str, list[str]]:
    """The places by file, each `LINE:COLUMN` with its access and the word."""
    symbol = symbol_at(WORK.analysis, WORK.snapshot, WORK.key(path), WORK.offset(path, words))
    if symbol is None:
        return {}
    found = references(WORK.analysis, WORK.snapshot, WORK.key(path), symbol)
    return {
        file.key.removeprefix("/w/"): [f"{WORK.show(file.key, one.span)} {one.access.name}" for one in file.places]
        for file in found
    }


HITS = {
    "types.flow": ["2:8 Hit DECLARED", "2:27 Hit USED", "3:29 Hit USED"],
    "a.flow": [
        "1:17 Hit USED", "4:39 Hit USED", "5:17 Hit USED", "6:66 Hit USED",
        "8:14 Hit UNREAD", "8:24 Hit UNREAD", "8:46 Hit UNREAD", "9:21 Hit UNREAD",
    ],
    "broken.flow": ["1:17 Hit USED", "3:20 Hit UNREAD", "3:34 Hit UNREAD"],
    "sub/b.flow": ["1:18 Hit USED", "3:17 Hit USED", "3:27 Hit USED"],
}  # fmt: skip


@pytest.mark.parametrize(
    ("path", "words"),
    [
        ("types.flow", "record |Hit"), ("a.flow", "hit: |Hit"), ("sub/b.flow", "t: t.|Hit"), ("sub/b.flow", "{|Hit}"),
        ("a.flow", "List<t.|Hit"),
    ],
)  # fmt: skip
def test_a_type_is_found_in_every_file_that_imports_it_from_wherever_one_asks(path: str, words: str) -> None:
    assert of(path, words) == HITS


@pytest.mark.parametrize(
    ("path", "words", "places"),
    [
        ("sub/c.flow", "hit: |Hit", {"sub/types.flow": ["1:8 Hit DECLARED"], "sub/c.flow": ["1:17 Hit USED",
                                                                                          "2:17 Hit USED"]}),
        ("a.flow", "find<|Hit>", {"a.flow": ["6:15 Hit DECLARED", "6:27 Hit USED"]}),
        ("a.flow", "items: List<|T>", {"a.flow": ["4:13 T DECLARED", "4:30 T USED"]}),
        ("a.flow", "{ |Hit, B", {"a.flow": ["5:10 Hit DECLARED"]}),
        ("a.flow", "{ |Hit: Int", {"a.flow": ["5:27 Hit DECLARED"]}),
        ("a.flow", "List<|t.Hit", {"a.flow": ["2:19 t DECLARED", "6:64 t USED", "8:22 t UNREAD", "9:57 t UNREAD"]}),
        ("a.flow", "query: Hit, raw: json.|Value", {"a.flow": ["4:54 Value USED", "6:42 Value USED"]}),
        ("a.flow", "import std/|json", {"a.flow": ["3:12 json DECLARED", "4:49 json USED", "6:37 json USED"]}),
        ("types.flow", "fn |search", {"types.flow": ["3:10 search DECLARED"],
                                      "a.flow": ["1:22 search USED", "9:47 search UNREAD", "9:59 search UNREAD"]}),
        ("sub/b.flow", "import ../|types as", {"a.flow": ["1:8 ./types USED", "2:8 ./types USED"],
                                               "broken.flow": ["1:8 ./types USED", "2:8 ./types USED"],
                                               "sub/b.flow": ["1:8 ../types USED", "2:8 ../types USED"]}),
        ("broken.flow", "import ./|types\n", {"broken.flow": ["2:10 types DECLARED", "3:28 types UNREAD"]}),
        ("sub/b.flow", "Option<|Page", {}),
    ],
)  # fmt: skip
def test_each_kind_of_thing(path: str, words: str, places: dict[str, list[str]]) -> None:
    assert of(path, words) == places


def test_highlights_are_those_of_one_file_and_of_what_means_nothing_the_word_itself() -> None:
    def marks(path: str, words: str) -> list[str]:
        found = highlights(WORK.analysis, WORK.snapshot, WORK.key(path), WORK.offset(path, words))
        return [WORK.show(path, one.span) for one in found]

    assert marks("sub/b.flow", "{|Hit}") == ["1:18 Hit", "3:17 Hit", "3:27 Hit"]
    assert marks("sub/b.flow", "Option<|Page") == ["3:46 Page"]
    assert marks("types.flow", "/// A |Hit") == []
    found = highlights(WORK.analysis, WORK.snapshot, WORK.key("a.flow"), WORK.offset("a.flow", "hit: |Hit"))
    assert {one.access for one in found} == {Access.USED, Access.UNREAD}


@pytest.mark.parametrize(
    ("text", "name", "words"),
    [
        ("Hit Hits aHit Hit_ Hit", "Hit", ["Hit", "Hit"]),
        ("Hit é Hité éHit Hit", "Hit", ["Hit", "Hit"]),
        ("Cafe\u0301 Caf\u00e9 Cafe", "Caf\u00e9", ["Cafe\u0301", "Caf\u00e9"]),
        ("\u212a K", "K", ["\u212a", "K"]),
        ("a\u00b2b", "b", ["b"]),
        ("x\u2605Hit", "Hit", ["Hit"]),
        ("", "Hit", []),
    ],
)
def test_words_are_found_in_whatever_form_they_are_written(text: str, name: str, words: list[str]) -> None:
    assert [text[span.start : span.end] for span in word_spans(text, name)] == words
    assert may_hold(text, name) or not words
