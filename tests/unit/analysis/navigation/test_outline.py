"""The outline of a file, and the search for names in many."""

from __future__ import annotations

import pytest
from support.places import Places

from flow_lsp.analysis.navigation import searching
from flow_lsp.analysis.navigation.outline import Outlined, outline
from flow_lsp.analysis.navigation.searching import search
from flow_lsp.source.reader import read_source

WORK = Places(
    """\
//- a.flow
import ./b.{X}
/// A page.
@other pub record Page<T, U> { items: List<T>, /// next
  next: Option<Page<T, U>> }
enum E { A, B(Int, Text), C { x: Int, y: Text } }
host Session
fn helper() { record Inner { } }
@tool
fn find<T>(query: T, limit: Int) -> Result<T, Never>
record Unfinished { a:
"""
)


def lines(found: list[Outlined], indent: str = "") -> list[str]:
    shown = []
    for one in found:
        shown.append(f"{indent}{one.kind} {one.name} {one.detail} [{WORK.show('a.flow', one.span)}]".replace("\n", "|"))
        assert one.span.start <= one.name_span.start < one.name_span.end <= one.span.end
        assert WORK.show("a.flow", one.name_span).endswith(" " + one.name)
        shown += lines(list(one.children), indent + "  ")
    return shown


def test_types_with_their_members_and_tools_with_their_signatures() -> None:
    assert lines(outline(WORK.checked("a.flow").source)) == [
        "record Page <T, U> [2:1 /// A page.|@other pub record Page<T, U> { items: List<T>, /// next|"
        "  next: Option<Page<T, U>> }]",
        "  field items List<T> [3:32 items: List<T>]",
        "  field next Option<Page<T, U>> [4:3 next: Option<Page<T, U>>]",
        "enum E  [5:1 enum E { A, B(Int, Text), C { x: Int, y: Text } }]",
        "  constructor A  [5:10 A]",
        "  constructor B (Int, Text) [5:13 B(Int, Text)]",
        "  constructor C  [5:27 C { x: Int, y: Text }]",
        "    field x Int [5:31 x: Int]",
        "    field y Text [5:39 y: Text]",
        "host Session  [6:1 host Session]",
        "tool find <T>(query: T, limit: Int) -> Result<T, Never> [8:1 @tool|"
        "fn find<T>(query: T, limit: Int) -> Result<T, Never>]",
        "record Unfinished  [10:1 record Unfinished { a:]",
    ]


def test_a_long_signature_is_cut() -> None:
    params = ", ".join(f"parameter{number}: Int" for number in range(50))
    (tool,) = outline(read_source(f"@tool fn find({params}) -> Result<Int, Never>"))
    assert len(tool.detail) == 200
    assert tool.detail.endswith("…")


def names(query: str, *declared: str) -> list[str]:
    sources = {
        f"/{place}.flow": read_source(f"record {name} {{ }}\n@tool fn do{name}() -> Result<Int, Never>")
        for place, name in enumerate(declared)
    }
    return [one.name for one in search(sources, query) if not one.name.startswith("do")]


@pytest.mark.parametrize(
    ("query", "declared", "found"),
    [
        (
            "hit",
            ["Shift", "HitList", "white_Hit", "hit", "Hit", "Hot"],
            ["hit", "Hit", "HitList", "white_Hit", "Shift"],
        ),
        ("Hit", ["hit", "Hit"], ["Hit", "hit"]),
        ("hl", ["Hole", "HitList", "hit_list"], ["HitList", "hit_list", "Hole"]),
        ("h l", ["HitList"], ["HitList"]),
        ("lh", ["HitList"], []),
        ("caf\u00e9", ["Caf\u00e9", "Cafe"], ["Caf\u00e9"]),
        (".*", ["Hit"], []),
        ("^]\\-", ["Hit"], []),
        ("x" * 10_000, ["X"], []),
    ],
)
def test_names_that_hold_the_letters_in_order_the_best_first(query: str, declared: list[str], found: list[str]) -> None:
    assert names(query, *declared) == found


def test_nothing_asked_gives_everything_in_order_and_never_too_much() -> None:
    assert names("", "B", "A") == ["A", "B"]
    many = {"/a.flow": read_source("".join(f"record R{number} {{ }}\n" for number in range(500)))}
    assert len(search(many, "")) == len(search(many, "r")) == searching.MOST_FOUND
    assert search({"/a.flow": read_source("")}, "") == []
    assert search(many, "R499")[0].span.start == many["/a.flow"].text.index("R499")


def test_a_name_of_any_form_is_shown_where_it_stands() -> None:
    source = read_source("host \u1e9e\nhost Stra\u00dfe\nhost Last\n")
    assert [(one.name, source.text[one.span.start : one.span.end]) for one in search({"/a.flow": source}, "s")] == [
        ("\u1e9e", "\u1e9e"),
        ("Stra\u00dfe", "Stra\u00dfe"),
        ("Last", "Last"),
    ]
