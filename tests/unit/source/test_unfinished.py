"""What would be typed at a place, in finished text and in text that does not parse."""

from __future__ import annotations

import pytest

from flow_lsp.source.reader import read_source
from flow_lsp.source.unfinished import PlaceKind, TypingPlace, typing_place

TYPE, TOP, FIELD = PlaceKind.TYPE, PlaceKind.TOP, None


def place(text: str) -> TypingPlace:
    """The place of the `|` in `text`."""
    offset = text.index("|")
    return typing_place(read_source(text[:offset] + text[offset + 1 :]), offset)


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("|", TOP),
        ("rec|", TOP),
        ("record|", TOP),
        ("\ufeffrec|ord", TOP),
        ("import std/json\n|", TOP),
        ("import std/json\nrec|", TOP),
        ("record A { x: Int }\n|", TOP),
        ("record A { x: Int }\n  re|", TOP),
        ("record A {\n  x: Int\n\n|", TOP),  # in column 0 a declaration may begin
        ("record A {\n  x: Int\n  |", FIELD),
        ("record A {\n|\n}\n", TOP),
        ("pub |", TOP),
        ("pub opaque |", TOP),
        ("@tool\n|", TOP),
        ("@tool |", TOP),
        ("@|", PlaceKind.ATTRIBUTE),
        ("@to|", PlaceKind.ATTRIBUTE),
        ("@tool(x|)", None),
        ("record |", None),
        ("record A|", None),
        ("record A { |", FIELD),
        ("record A { x|", FIELD),
        ("record A { x: |", TYPE),
        ("record A { x:|", TYPE),
        ("record A { x: In|t }", TYPE),
        ("record A { x: Int |", None),
        ("record A { x: Int, y: |", TYPE),
        ("record A { x: Int y: |", TYPE),  # a comma is missing
        ("record A { x: , y: |", TYPE),
        ("record A {\n  x:\n  y: |", TYPE),
        ("record A { x: ?? , y: |", TYPE),
        ("record A { x: List<|", TYPE),
        ("record A { x: Dict<Text, |> }", TYPE),
        ("record A { x: Dict<Text |", None),
        ("record A { x: (Int, |", TYPE),
        ("record A { x: fn(|", TYPE),
        ("record A { x: fn(Int) |", None),
        ("record A { x: fn(Int) -> |", TYPE),
        ("record A {\n x: List<\n  |", TYPE),
        ("record A { x: List<Int>, y: |\n\n@tool\nfn f() -> Int", TYPE),
        ("record A { @old(1, {) x: |", TYPE),
        ("record A { @old x: |", TYPE),
        ("record A { set: |", TYPE),
        ("record A { import: |", TYPE),
        ("record A<T> { x: |", TYPE),
        ("enum E { |", None),
        ("enum E { A(|", TYPE),
        ("enum E { A(Int, |", TYPE),
        ("enum E { A(Int)\n  B { code: |", TYPE),
        ("enum E { A { code: Int }, B|", None),
        ("@tool\nfn f(|", None),
        ("@tool\nfn f(x: |", TYPE),
        ("@tool\nfn f(\n  x: Int,\n  y: |", TYPE),
        ("@tool\nfn f() |", PlaceKind.ARROW),
        ("@tool\nfn f()|", PlaceKind.ARROW),
        ("@tool\nfn f()\n|", TOP),
        ("@tool\nfn f() -> |", TYPE),
        ("@tool\nfn f() ->\n  |", TYPE),
        ("@tool\nfn f() -> Result<|", TYPE),
        ("@tool\nfn f() -> Result<List<Int>, |", TYPE),
        ("@tool\nfn f() -> Int |", None),
        ("fn f(x: |", TYPE),  # it may become a Tool yet
        ("fn f() -> Int { let x: | }", None),
        ("fn f() -> Int {\n  |\n}\n", None),
        ("let x: |", None),
        ("host |", None),
        ("import |", PlaceKind.IMPORT_PATH),
        ("import ./ty|", PlaceKind.IMPORT_PATH),
        ("import acme/kit/|", PlaceKind.IMPORT_PATH),
        ("import ../..|", PlaceKind.IMPORT_PATH),
        ("import ./types.|", PlaceKind.IMPORT_NAMES),
        ("import ./types.{|", PlaceKind.IMPORT_NAMES),
        ("import ./types.{Hit, Pro|", PlaceKind.IMPORT_NAMES),
        ("import ./types.{\n  Hit,\n  |\n}\n", PlaceKind.IMPORT_NAMES),
        ("import ./types.{Hit} |", None),
        ("import ./types |", PlaceKind.IMPORT_AS),
        ("import ./types a|", PlaceKind.IMPORT_AS),
        ("import ./types as |", None),
        ("import ./types\n|", TOP),
        ("// a|", None),
        ("// record A { x: |", None),
        ("record A { x: Int, // |", None),
        ("/* record A { x: |", None),
        ("/* a */|", TOP),
        ("record A { /* x: */ x: |", TYPE),
        ("record A { x: /* of */ |", TYPE),
        ('let a = "record |', None),
        ('@x("a|', None),
        ("///|", PlaceKind.DOC),
        ("/// |\nrecord A {}", PlaceKind.DOC),
        ("/// al|", None),
        ("/// already |", None),
        ("/// |already", None),
        ("////|", None),
    ],
)  # fmt: skip
def test_what_would_be_typed(text: str, kind: PlaceKind | None):
    assert place(text).kind is kind


def test_a_place_behind_a_point_is_one_of_its_module():
    found = place("record A { x: types.Hi| }")
    assert (found.kind, found.module, found.span, found.word) == (TYPE, "types", (20, 22), (20, 22))
    assert place("record A { x: a.b.| }").kind is None
    assert place("record A { x: types.| }").module == "types"


def test_the_word_at_the_place_is_known_on_both_sides():
    found = place("record A { x: In|stant }")
    assert (found.span, found.word) == ((14, 16), (14, 21))


def test_the_open_lists_of_arguments_are_known_with_the_one_at_hand():
    found = place("record A<T> { x: Dict<Text, List<(Int, |")
    assert [(one.owner, one.index) for one in found.arguments] == [("Dict", 1), ("List", 0)]
    assert found.parameters == ("T",)
    assert place("record A { x: p.Page<|> }").arguments[0].owner == "p.Page"
    assert place("record A { x: List<Int>| }").arguments == ()


def test_the_result_is_told_from_what_stands_in_it():
    assert place("@tool fn f() -> |").is_result
    assert not place("@tool fn f() -> List<|").is_result
    assert not place("@tool fn f(x: |").is_result


def test_what_stands_before_a_keyword_is_known():
    found = place("@tool\npub |")
    assert (found.before, found.tool) == ({"pub"}, True)
    behind = place("@tool\nfn f()\n|")
    assert (behind.before, behind.tool) == (frozenset(), False)


def test_the_path_and_names_of_an_unfinished_import_are_known():
    assert place("import ./a/b|").path == "./a/b"
    found = place("import ./types.{Hit, Other,|")
    assert (found.path, found.names) == ("./types", ("Hit", "Other"))
    assert place("import ./types.|").names is None


def test_an_offset_outside_is_taken_to_the_nearer_end():
    source = read_source("record A { x: ")
    assert typing_place(source, 10_000).kind is TYPE
    assert typing_place(source, -5).kind is TOP
    assert typing_place(read_source(""), 3).kind is TOP


def test_deep_and_long_text_is_read_all_the_same():
    assert len(place("record A { x: " + "List<" * 5_000 + "|").arguments) == 5_000
    assert place("record A { x: " + "(" * 5_000 + ")" * 4_000 + "|").kind is None
    assert place("a" * 5_000 + "|").kind is None
