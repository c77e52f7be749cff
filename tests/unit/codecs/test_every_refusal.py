"""All that is wrong with a value at once, each fault in the decoder's own words."""

from __future__ import annotations

import pytest
from support.callables import callable_tools

from flow_lsp.codecs.codec import Codecs
from flow_lsp.codecs.every_refusal import every_refusal, unused_members
from flow_lsp.codecs.nodes import Nodes
from flow_lsp.codecs.template import Templates
from flow_lsp.values.strict_json import read_json

SOURCE = """\
pub record Place { name: Text, at: (Int, Int), more: Option<Int> }
pub enum Sky { Clear, Clouds { percent: Int, from: Option<Instant> }, Rain(Int), Both(Int, Text) }
pub record Empty { no: Never, yes: Bool }
pub record Tree { value: Int, below: List<Tree> }
@tool
pub fn f(p: Place, s: Sky, set: Set<Int>, sets: Set<(Int, List<Int>)>, d: Dict<Int, Text>, t: Dict<Text, Sky>,
  e: Empty, tree: Tree, j: json.Value, o: Option<Place>, skies: List<Sky>,
  nones: (Set<(Int, Never)>, List<Empty>, Int)) -> Result<Int, Int>
"""
SPEC = callable_tools("import std/json\n" + SOURCE)["f"].spec
TYPES = {param.name: param.type for param in SPEC.params}


def found(name: str, text: str, most: int = 50) -> list[tuple[str, str]]:
    """Kind and pointer of what is wrong."""
    nodes = Nodes(SPEC.declarations)
    codec = Codecs(SPEC.declarations).codec(TYPES[name])
    place = nodes.node(TYPES[name])
    refusals = every_refusal(nodes, Templates(nodes), place, codec.decode, read_json(text), most)
    return [(str(each.kind), "/".join(map(str, each.steps))) for each in refusals]


@pytest.mark.parametrize(
    ("name", "text", "expected"),
    [
        ("p", '{"name": "", "at": [0, 0]}', []),
        ("p", "[]", [("type", "")]),
        ("p", '{"name": 1, "at": ["x", true], "more": null}', [
            ("type", "name"), ("type", "at/0"), ("type", "at/1"), ("type", "more"),
        ]),
        ("p", '{"more": 1.5}', [("missing", ""), ("number", "more")]),
        ("p", '{"name": 1, "at": [1]}', [("type", "name"), ("length", "at")]),
        ("s", '"Cloudy"', [("constructor", "")]),
        ("s", '{"Clouds": {"from": "now"}}', [("missing", "Clouds"), ("format", "Clouds/from")]),
        ("s", '{"Rain": "x"}', [("type", "Rain")]),
        ("s", '{"Both": ["x", 1]}', [("type", "Both/0"), ("type", "Both/1")]),
        ("s", '{"Both": {}}', [("type", "Both")]),
        ("set", '["a", 1, "b", 0]', [("type", "0"), ("type", "2")]),  # of the order nothing can be said
        ("set", "[1, 2, 1, 1.5]", [("number", "3")]),
        ("set", "[1, 2, 2, 1]", [("order", "2")]),
        ("sets", "[[2, [1, null]], [1, [true]], [0, []]]", [("type", "0/1/1"), ("type", "1/1/0")]),
        ("sets", "[[2, []], [1, []], [0, []]]", [("order", "1")]),
        ("d", '[[1, 2], [0, 3], ["x"]]', [("type", "0/1"), ("type", "1/1"), ("length", "2")]),
        ("d", '[[2, ""], [1, ""]]', [("order", "1/0")]),
        ("t", '{"a": "Clear", "b": 1, "c": {"Rain": null}}', [("type", "b"), ("type", "c/Rain")]),
        ("tree", '{"value": 1, "below": [{"value": null, "below": [{"below": 1}]}]}', [
            ("type", "below/0/value"), ("missing", "below/0/below/0"), ("type", "below/0/below/0/below"),
        ]),
        ("j", '[1, {"a": 1e99999}, 1e99999]', [("limit", "1/a"), ("limit", "2")]),
        ("o", '{"Some": {"name": 1, "at": 2}}', [("type", "Some/name"), ("type", "Some/at")]),
        ("o", "null", [("type", "")]),
        ("skies", '["Clear", {"Rain": 1, "Clear": 2}, 3]', [("constructor", "1"), ("type", "2")]),
        # There is no item to put there, but an array without one.
        ("nones", '[[[1, null]], [{"yes": true}], "x"]', [("never", "0/0/1"), ("missing", "1/0"), ("type", "2")]),
    ],
)  # fmt: skip
def test_every_fault_has_its_place(name: str, text: str, expected: list[tuple[str, str]]) -> None:
    assert sorted(found(name, text)) == sorted(expected)


def test_what_cannot_be_put_right_is_the_last_that_is_found() -> None:
    assert found("e", '{"no": 1, "yes": 2}') == [("never", "no")]


def test_no_more_are_found_than_are_asked_for() -> None:
    text = f"[{','.join(['1'] * 100)}]"
    assert len(found("skies", text)) == 50
    assert found("skies", text, 1) == [("type", "0")]
    assert found("skies", text, 0) == []


def unused(name: str, text: str, most: int = 50) -> list[tuple[str, str, str]]:
    nodes = Nodes(SPEC.declarations)
    members = unused_members(nodes, nodes.node(TYPES[name]), read_json(text), most)
    return [("/".join(map(str, (*each.steps, each.name))), each.owner, each.word) for each in members]


def test_members_that_nothing_has_are_found_at_any_depth() -> None:
    place = ("the record Place", "field")
    clouds = ("Sky.Clouds", "part")
    assert unused("p", '{"name": "", "name2": 1, "at": {"x": 1}}') == [("name2", *place)]
    assert unused("o", '{"Some": {"z": {"y": 1}}}') == [("Some/z", *place)]
    assert unused("t", '{"any": {"Clouds": {"percents": 1}}, "b": {"Rain": {"x": 1}}}') == [
        ("any/Clouds/percents", *clouds)
    ]
    assert unused("skies", '[{"Clouds": {"a": 1, "b": 2}}, {"Fog": {"c": 1}}]') == [
        ("0/Clouds/a", *clouds),
        ("0/Clouds/b", *clouds),
    ]
    assert unused("j", '{"a": 1}') == []
    assert unused("d", '[[1, {"a": 1}]]') == []
    many = ",".join(f'"{number}": 1' for number in range(9))
    assert len(unused("p", f"{{{many}}}", 5)) == 5
