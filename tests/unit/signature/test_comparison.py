"""Which types of two signatures are taken for one another."""

from __future__ import annotations

from typing import Any

import pytest
from signature_texts import signature

from flow_lsp.signature.comparison import Counterparts, with_names
from flow_lsp.signature.difference import differences
from flow_lsp.signature.first_difference import first_difference
from flow_lsp.signature.forms import SignatureForm, read_signature
from flow_lsp.signature.signature import SignatureProblem, bare_signature

TYPES = """
    record k.Leaf: n Int, t Option<Text>
    host k.Token
    enum k.Kind: None, One(Int), Two(k.Leaf, Int), Named{leaf k.Leaf, at Option<Instant>}
    record k.Root: kind k.Kind, leaf List<k.Leaf>, again Option<k.Root>, token k.Token
    f: -> k.Root ! Never
"""


def read(text: str) -> SignatureForm:
    bare = bare_signature(signature(text).served)
    assert not isinstance(bare, SignatureProblem)
    return read_signature(bare)


def renamed(text: str) -> str:
    for name in ("Leaf", "Token", "Kind", "Root"):
        text = text.replace(f"k.{name}", f"other.{name}Type")
    return text


def test_types_of_one_shape_correspond_whatever_they_are_called() -> None:
    assert Counterparts(read(TYPES), read(renamed(TYPES))).correspond("k.Root", "other.RootType")
    sentences = [found.sentence for found in differences(signature(TYPES).served, signature(renamed(TYPES)).served)]
    assert sentences == [f"type {name} is called {name}Type there" for name in ("Root", "Kind", "Leaf", "Token")]


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("n Int", "n Text"),
        ("n Int", "m Int"),
        ("n Int", "n Option<Int>"),
        ("n Int, ", ""),
        ("One(Int)", "One(Text)"),
        ("One(Int)", "One"),
        ("One(Int)", "One(Int, Int)"),
        ("One(Int)", "Eins(Int)"),
        ("One(Int), ", ""),
        ("at Option<Instant>", "at Option<Duration>"),
        ("at Option<Instant>", "on Option<Instant>"),
        ("Named{leaf k.Leaf, at Option<Instant>}", "Named(k.Leaf)"),
        ("leaf List<k.Leaf>", "leaf Set<k.Leaf>"),
        ("leaf List<k.Leaf>", "leaf List<(k.Leaf, k.Leaf)>"),
        ("host k.Token", "record k.Token: a Int"),
        ("record k.Leaf: n Int, t Option<Text>", "host k.Leaf"),
    ],
)
def test_types_of_other_names_and_shapes_do_not(old: str, new: str) -> None:
    assert old in TYPES
    other = renamed(TYPES.replace(old, new))
    assert not Counterparts(read(TYPES), read(other)).correspond("k.Root", "other.RootType")
    assert [found.sentence for found in differences(signature(TYPES).served, signature(other).served)] == [
        "the success type is Root here and RootType there"
    ]


def test_a_type_without_a_body_corresponds_to_its_like_alone() -> None:
    counterparts = Counterparts(read(TYPES), read(TYPES))
    assert not counterparts.correspond("k.Missing", "k.Root")
    assert counterparts.correspond("k.Missing", "k.Missing")


def test_shapes_are_compared_to_a_bound() -> None:
    def chain(name: str) -> Any:
        count = 10_500
        defs = {
            f"k.{name}{at}": {
                "type": "object",
                "properties": {"n": {"$ref": f"#/$defs/k.{name}{at + 1}"}},
                "required": ["n"],
            }
            for at in range(count)
        }
        defs[f"k.{name}{count}"] = {"type": "string"}
        root = {"$ref": f"#/$defs/k.{name}0", "$defs": defs}
        return {"params": [], "ok": root, "err": {}, "generic": []}

    (found,) = differences(chain("A"), chain("B"))
    assert found.sentence == "the success type is A0 here and B0 there"


def test_an_argument_that_moved_is_said_of_the_argument() -> None:
    text = "record k.Hit: a Int\nrecord k.Page<T>: items List<T>\nf: -> k.Page<k.Hit> ! Never"
    moved = text.replace("k.Hit", "s.Hit")
    assert [found.sentence for found in differences(signature(text).served, signature(moved).served)] == [
        "Hit comes from `k` here and from `s` there"
    ]


def test_type_parameters_are_renamed_everywhere() -> None:
    text = (
        "record k.Box<T>: v List<T>\nenum k.E<T>: A, B(T, Int), C{x T}\nhost k.H\n"
        "f<T, U>: a T, b k.Box<T>, c k.E<Option<U>>, d k.H -> (T, U) ! U"
    )
    form = with_names(read(text), {"T": "A", "U": "B"})
    renamed_text = text.replace("f<T, U>: a T, b k.Box<T>", "f<A, B>: a A, b k.Box<A>").replace(
        "c k.E<Option<U>>", "c k.E<Option<B>>"
    )
    assert form == read(renamed_text.replace("-> (T, U) ! U", "-> (A, B) ! B"))


@pytest.mark.parametrize(
    ("here", "there", "expected"),
    [
        ({"a": 1}, {"a": 1}, ("", '{"a":1}', '{"a":1}')),
        ({"a": 1}, {"a": True}, ("/a", "1", "true")),
        ({"a": [1, {"b/c": 2}]}, {"a": [1, {"b/c": 3}]}, ("/a/1/b~1c", "2", "3")),
        ({"a": 1, "b": 2}, {"a": 1}, ("/b", "2", "nothing")),
        ({"a": 1}, {"a": 1, "b": [2]}, ("/b", "nothing", "[2]")),
        ([1], [1, 2], ("", "[1]", "[1,2]")),
        ({"a": {}}, {"a": []}, ("/a", "{}", "[]")),
    ],
)
def test_the_first_difference(here: Any, there: Any, expected: tuple[str, str, str]) -> None:
    assert first_difference(here, there) == expected
