"""What a place in a file is, and what it refers to."""

from __future__ import annotations

import pytest
from strategies.flow_workspaces import FOLDER, check_one

from flow_lsp.source.elements import Element, Meaning, element_at, meaning_of

TEXT = """\
import ./types.{Hit}
import ./types as t
import std/json

/// A page.
record Page<T> { items: List<T>, hit: Hit, own: Option<t.Problem> }
enum E { A, B(Page<Int>), C { x: json.Value, page: Page<Text> } }

/// Finds.
@tool
fn find(query: Text, page: Page<Hit>) -> Result<List<Nothing>, Never>
"""
TYPES = "/// A hit.\nrecord Hit { title: Text }\nenum Problem { Offline }\n"
CHECKED = check_one(TEXT, types=TYPES)


def at(place: str, word: str) -> Element | None:
    """The element at `word`, the first behind `place`."""
    return element_at(CHECKED.source, TEXT.index(word, TEXT.index(place)) + 1)


@pytest.mark.parametrize(
    ("place", "word", "kind", "name"),
    [
        ("import", "./types", "import-path", "./types"),
        ("import", "Hit", "import-name", "Hit"),
        ("import ./types as", "t\n", "import-name", "t"),
        ("record", "Page", "declaration", "Page"),
        ("record", "T>", "type-parameter", "T"),
        ("record", "items", "field", "items"),
        ("items:", "List", "reference", "List"),
        ("List<", "T>", "reference", "T"),
        ("Option<", "t.Problem", "reference", "t.Problem"),
        ("enum", "B(", "constructor", "B"),
        ("C {", "x:", "field", "x"),
        ("x:", "json.Value", "reference", "json.Value"),
        ("@tool", "@tool", "tool", "find"),
        ("fn", "find", "tool", "find"),
        ("find(", "query", "parameter", "query"),
        ("page: Page<Hit", "Page", "reference", "Page"),
        ("-> Result", "Result", "reference", "Result"),
    ],
)
def test_what_a_place_is(place: str, word: str, kind: str, name: str) -> None:
    element = at(place, word)
    assert element is not None
    assert (element.kind.value, element.name) == (kind, name)
    assert element.span.holds(TEXT.index(word, TEXT.index(place)) + 1)


@pytest.mark.parametrize("offset", [-5, len(TEXT) + 5, TEXT.index("/// A page.") + 6, TEXT.index("import ./types as")])
def test_places_that_are_nothing(offset: int) -> None:
    assert element_at(CHECKED.source, offset) is None


def test_an_empty_file_has_no_elements() -> None:
    assert element_at(check_one("").source, 0) is None


def meaning(place: str, word: str) -> Meaning | None:
    element = at(place, word)
    assert element is not None
    return meaning_of(CHECKED, element)


def test_a_reference_leads_to_its_declaration() -> None:
    for found in (meaning("hit:", "Hit"), meaning("import", "Hit")):
        assert found is not None
        assert (found.path, found.doc) == (f"{FOLDER}/types.flow", "A hit.")
        assert found.span == (TYPES.index("Hit"), TYPES.index("Hit") + 3)
    own = meaning("page: Page<Hit", "Page")
    assert own is not None
    assert (own.path, own.doc) == (f"{FOLDER}/a.flow", "A page.")
    qualified = meaning("Option<", "t.Problem")
    assert qualified is not None
    assert qualified.item is not None
    assert qualified.item.name == "Problem"


def test_what_is_built_in_or_unknown_or_a_parameter() -> None:
    built_in = meaning("items:", "List")
    assert built_in is not None
    assert built_in.path is None
    assert built_in.target is not None
    assert built_in.target.name == "List"
    assert meaning("-> Result", "Nothing") is None
    parameter = meaning("List<", "T>")
    assert parameter is not None
    assert parameter.span == (TEXT.index("<T>") + 1, TEXT.index("<T>") + 2)
    assert meaning("record", "items") is None


def test_imports_and_declarations() -> None:
    for word in ("./types as", "t\n"):
        found = meaning("import ./types as", word)
        assert found is not None
        assert found.path == f"{FOLDER}/types.flow"
    assert meaning("import std", "std/json") is None
    declared = meaning("record", "Page")
    assert declared is not None
    assert declared.doc == "A page."
    tool = meaning("fn", "find")
    assert tool is not None
    assert tool.doc == "Finds."
