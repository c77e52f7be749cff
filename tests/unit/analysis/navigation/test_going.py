"""Going to a declaration, or to the declaration of a type."""

from __future__ import annotations

import pytest
from support.places import Places

from flow_lsp.analysis.navigation.places import definition_at, type_definition_at

WORK = Places(
    """\
//- a.flow
import ./types.{Hit, search}
import ./types as t
import ./gone
import std/json
import ./lib/deep

/// A page.
record Page<T> { items: List<T>, hit: Hit, own: Option<t.Problem>, raw: json.Value }
enum E { A, B(Page<Int>), C { x: json.Value, page: Page<Text> } }

/// Finds.
@tool
fn find<T>(query: Dict<Hit, t.Problem>, of: T, e: E, tea: deep.Tea) -> Result<List<Page<Hit>>, t.Problem>

record Broken { a: Nothing, b: gone.Thing, c: t.Absent }
record Twice { a: Int }
record Twice { b: Twice }
record Unfinished { a: Pa
record Uses { u: Unfinished, r: Result<Int, Text>, e\u0301: Cafe\u0301 }
record Caf\u00e9 { x: Int }
//- types.flow
// About hits.

/// A hit.
pub record Hit { title: Text }
enum Problem { Offline }
@tool fn search() -> Result<Int, Never>
//- lib/deep.flow
host Tea
"""
)


def going(words: str, types: bool = False) -> list[str]:
    """Where it leads to from the marked place of a.flow: the path, the name, and all of the declaration."""
    find = type_definition_at if types else definition_at
    found = find(WORK.checked("a.flow"), WORK.offset("a.flow", words))
    if found is None:
        return []
    return [f"{place.path.removeprefix('/w/')} {WORK.show(place.path, place.name)}" for place in found.places]


@pytest.mark.parametrize(
    ("words", "place"),
    [
        ("hit: |Hit", "types.flow 4:12 Hit"),
        ("hit: Hit|,", "types.flow 4:12 Hit"),
        ("{|Hit, search}", "types.flow 4:12 Hit"),
        ("{Hit, sea|rch}", "types.flow 6:10 search"),
        ("own: Option<t.Pro|blem>", "types.flow 5:6 Problem"),
        ("own: Option<|t.Problem>", "types.flow 1:1 "),
        ("import ./ty|pes.{", "types.flow 1:1 "),
        ("types as |t", "types.flow 1:1 "),
        ("import ./lib/de|ep", "lib/deep.flow 1:1 "),
        ("tea: deep.T|ea", "lib/deep.flow 1:6 Tea"),
        ("List<|T>", "a.flow 8:13 T"),
        ("of: |T", "a.flow 13:9 T"),
        ("B(Pa|ge<", "a.flow 8:8 Page"),
        ("record |Page", "a.flow 8:8 Page"),
        ("|query:", "a.flow 13:12 query"),
        ("C { |x:", "a.flow 9:31 x"),
        ("|B(", "a.flow 9:13 B"),
        ("b: |Twice", "a.flow 16:8 Twice"),
        ("u: |Unfinished", "a.flow 18:8 Unfinished"),
        ("Cafe\u0301|", "a.flow 20:8 Caf\u00e9"),
    ],
)
def test_a_name_leads_to_what_declares_it(words: str, place: str) -> None:
    assert going(words) == [place]


@pytest.mark.parametrize(
    "words",
    [
        "raw: json.|Value", "a: |Nothing", "b: gone.|Thing", "import ./go|ne", "c: t.|Absent", "import std/|json",
        "r: |Result", "Page<|Int>", "/// Fi|nds", "imp|ort ./types.{", "|record Page",
    ],
)  # fmt: skip
def test_what_is_built_in_unknown_or_no_name_leads_nowhere(words: str) -> None:
    assert going(words) == []


@pytest.mark.parametrize(
    ("words", "places"),
    [
        ("|hit: Hit", ["types.flow 4:12 Hit"]),
        ("|query: D", ["types.flow 4:12 Hit", "types.flow 5:6 Problem"]),
        ("|items:", ["a.flow 8:13 T"]),
        ("fn fi|nd", ["a.flow 8:8 Page", "types.flow 4:12 Hit", "types.flow 5:6 Problem"]),
        ("{ |A, B", ["a.flow 9:6 E"]),
        ("hit: |Hit", ["types.flow 4:12 Hit"]),
        ("record |Page", ["a.flow 8:8 Page"]),
        ("|raw:", []),
        ("|b: gone", []),
        ("types as |t", []),
    ],
)
def test_the_type_of_a_member_leads_to_what_declares_its_types(words: str, places: list[str]) -> None:
    assert going(words, types=True) == places


def test_a_declaration_is_shown_from_its_doc_comment_to_its_end() -> None:
    found = definition_at(WORK.checked("a.flow"), WORK.offset("a.flow", "hit: |Hit"))
    assert found is not None
    assert WORK.show("a.flow", found.origin) == "8:39 Hit"
    assert WORK.show("types.flow", found.places[0].extent) == "3:1 /// A hit.\npub record Hit { title: Text }"


def test_every_place_of_a_file_can_be_asked_about() -> None:
    checked = WORK.checked("a.flow")
    for offset in range(-1, len(WORK.text("a.flow")) + 2):
        for found in (definition_at(checked, offset), type_definition_at(checked, offset)):
            assert found is None or found.origin.holds(offset)
