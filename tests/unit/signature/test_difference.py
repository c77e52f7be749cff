"""Drift in words: what is said of each kind of difference."""

from __future__ import annotations

from typing import Any

import pytest
from signature_texts import signature

from flow_lsp.signature.difference import DifferenceKind, differences
from flow_lsp.values.strict_json import read_json

BASE = """
    record k.Hit: title Text, url Text, score Option<Decimal>
    record k.Page<T>: items List<T>, next Option<Text>
    enum k.Problem: Offline, Slow(Duration), Range(Int, Int), Refused{code Int, reason Text}
    host k.Session
    find: query Text, limit Int, within k.Session -> k.Page<k.Hit> ! k.Problem
"""
HIT = "success type -> Page<Hit> -> field `items` -> List<Hit>"
PROBLEM = "error type -> Problem"


def said(here: str, there: str) -> list[tuple[str, str]]:
    found = differences(signature(here).served, signature(there).served)
    return [(difference.path, difference.sentence) for difference in found]


@pytest.mark.parametrize(
    ("old", "new", "path", "sentence"),
    [
        (
            "limit Int",
            "limit Decimal",
            "parameter `limit`",
            "parameter `limit` is Int here and Decimal there",
        ),
        (
            "limit Int",
            "limit Option<Int>",
            "parameter `limit`",
            "parameter `limit` is Int here and Option<Int> there",
        ),
        ("limit Int, ", "", "parameter `limit`", "parameter `limit` is declared but not served"),
        (
            "limit Int",
            "limit Int, a Bool",
            "parameter `a`",
            "parameter `a` (Bool) is served but not declared",
        ),
        ("query Text", "q Text", "parameter `query`", "parameter `query` is called `q` there"),
        (
            "query Text, limit Int",
            "limit Int, query Text",
            "parameters",
            "parameters `query` and `limit` are in the other order there",
        ),
        (
            "-> k.Page<k.Hit>",
            "-> List<k.Hit>",
            "success type",
            "the success type is Page<Hit> here and List<Hit> there",
        ),
        (
            "k.Page<k.Hit>",
            "k.Page<Int>",
            "success type",
            "the success type is Page<Hit> here and Page<Int> there",
        ),
        ("! k.Problem", "! Never", "error type", "the error type is Problem here and Never there"),
        ("url Text, ", "", f"{HIT} -> field `url`", "field `url` of Hit is declared but not served"),
        (
            "url Text",
            "url Text, rank Int",
            f"{HIT} -> field `rank`",
            "field `rank` of Hit (Int) is served but not declared",
        ),
        (
            "url Text",
            "url List<Text>",
            f"{HIT} -> field `url`",
            "field `url` of Hit is Text here and List<Text> there",
        ),
        (
            "score Option<Decimal>",
            "score Decimal",
            f"{HIT} -> field `score`",
            "field `score` of Hit is optional here (Option<Decimal>) and required there",
        ),
        (
            "url Text",
            "url Option<Text>",
            f"{HIT} -> field `url`",
            "field `url` of Hit is optional there (Option<Text>) and required here",
        ),
        (
            "score Option<Decimal>",
            "score Int",
            f"{HIT} -> field `score`",
            "field `score` of Hit is Option<Decimal> here and Int there",
        ),
        (
            "title Text, url Text",
            "url Text, title Text",
            HIT,
            "fields `title` and `url` of Hit are in the other order there",
        ),
        (
            "Offline, ",
            "",
            f"{PROBLEM} -> constructor Offline",
            "constructor Offline of Problem is declared but not served",
        ),
        (
            "Offline, ",
            "Offline, Lost, ",
            f"{PROBLEM} -> constructor Lost",
            "constructor Lost of Problem is served but not declared",
        ),
        (
            "Offline, Slow(Duration)",
            "Slow(Duration), Offline",
            PROBLEM,
            "constructors `Offline` and `Slow` of Problem are in the other order there",
        ),
        (
            "Offline, Slow(Duration), Range(Int, Int)",
            "Range(Int, Int), Offline, Slow(Duration)",
            PROBLEM,
            "constructors of Problem are in another order: Offline, Slow, Range, Refused here "
            "and Range, Offline, Slow, Refused there",
        ),
        (
            "Slow(Duration)",
            "Slow",
            f"{PROBLEM} -> constructor Slow",
            "constructor Slow of Problem carries (Duration) here and nothing there",
        ),
        (
            "Range(Int, Int)",
            "Range(Int, Text)",
            f"{PROBLEM} -> constructor Range",
            "constructor Range of Problem carries (Int, Int) here and (Int, Text) there",
        ),
        (
            "Refused{code Int, reason Text}",
            "Refused(Int)",
            f"{PROBLEM} -> constructor Refused",
            "constructor Refused of Problem carries { code: Int, reason: Text } here and (Int) there",
        ),
        (
            "reason Text",
            "reason Int",
            f"{PROBLEM} -> constructor Refused -> field `reason`",
            "field `reason` of Problem.Refused is Text here and Int there",
        ),
        ("k.Hit", "search.Hit", HIT, "Hit comes from `k` here and from `search` there"),
        ("k.Session", "k.Place", "parameter `within` -> Session", "type Session is called Place there"),
        (
            "host k.Session",
            "record k.Session: id Text",
            "parameter `within` -> Session",
            "Session is a host type here and a record there",
        ),
    ],
)
def test_one_difference(old: str, new: str, path: str, sentence: str) -> None:
    assert old in BASE
    assert said(BASE, BASE.replace(old, new)) == [(path, sentence)]


def test_nothing_is_said_of_equal_signatures() -> None:
    assert said(BASE, BASE) == []


def test_a_type_is_reported_once_however_often_it_is_used() -> None:
    text = "record k.Hit: a Int\nf: x k.Hit, y List<k.Hit> -> Option<k.Hit> ! k.Hit"
    assert said(text, text.replace("a Int", "a Text")) == [
        ("parameter `x` -> Hit -> field `a`", "field `a` of Hit is Int here and Text there")
    ]


def test_a_recursive_type_is_compared_to_its_end() -> None:
    text = "record k.Tree: value Int, left Option<k.Tree>, others List<k.Tree>\nf: -> k.Tree ! Never"
    assert said(text, text) == []
    assert said(text, text.replace("value Int", "value Text")) == [
        ("success type -> Tree -> field `value`", "field `value` of Tree is Int here and Text there")
    ]
    assert said(text, text.replace("Tree", "Baum")) == [("success type -> Tree", "type Tree is called Baum there")]


def test_a_moved_type_that_changed_is_said_to_have_moved_and_changed() -> None:
    text = "record k.Hit: a Int\nf: -> k.Hit ! Never"
    assert [sentence for _, sentence in said(text, "record s.Hit: a Text\nf: -> s.Hit ! Never")] == [
        "Hit comes from `k` here and from `s` there",
        "field `a` of Hit is Int here and Text there",
    ]


def test_types_of_one_name_are_told_apart() -> None:
    text = "host a.Hit\nhost b.Hit\nf: x a.Hit, y b.Hit -> Unit ! Never"
    swapped = text.replace("x a.Hit, y b.Hit", "x b.Hit, y a.Hit")
    assert [sentence for _, sentence in said(text, swapped)] == [
        "Hit comes from `a` here and from `b` there",
        "Hit comes from `b` here and from `a` there",
    ]


def test_type_parameters() -> None:
    text = "record k.Box<T>: v T\necho<T>: value T, box k.Box<T> -> T ! Never"
    renamed = text.replace("<T>", "<U>").replace(" T", " U")
    assert said(text, renamed) == [("type parameter T", "type parameter T is called U there")]
    assert said("f<T, U>: a T -> Unit ! Never", "f<U, T>: a T -> Unit ! Never") == [
        ("type parameters", "the type parameters are T, U here and U, T there")
    ]
    assert said("f<T>: a Int -> Unit ! Never", "f: a Int -> Unit ! Never") == [
        ("type parameters", "the type parameters are T here and none there")
    ]


def test_several_changes_of_parameters_together() -> None:
    found = said("f: a Int, b Text, c Bool -> Unit ! Never", "f: c Bool, b Int, d Text -> Unit ! Never")
    assert [sentence for _, sentence in found] == [
        "parameter `a` is declared but not served",
        "parameter `d` (Text) is served but not declared",
        "parameters `b` and `c` are in the other order there",
        "parameter `b` is Text here and Int there",
    ]


def test_a_pair_of_differences_is_bounded() -> None:
    fields = ", ".join(f"f{index} Int" for index in range(500))
    text = f"record k.R: {fields}\nf: -> k.R ! Never"
    here, there = signature(text).served, signature(text.replace(" Int", " Text")).served
    assert len(differences(here, there)) == 20
    assert len(differences(here, there, most=3)) == 3


def served(**members: Any) -> Any:
    return {"params": [], "ok": {"type": "null"}, "err": {"not": {}}, "generic": []} | members


@pytest.mark.parametrize(
    ("there", "kind", "words"),
    [
        (None, DifferenceKind.UNREADABLE, "what is listed is no signature: it is no object"),
        ({}, DifferenceKind.UNREADABLE, "no member"),
        (
            served(ok={"type": "null", "x": 1}),
            DifferenceKind.TYPE,
            'is Unit here and {"type":"null","x":1} there',
        ),
        (
            served(ok={"type": "null", "$defs": {"k.A": {}}}),
            DifferenceKind.SCHEMA,
            'the schemas differ at `/ok/$defs`: nothing here and {"k.A":{}} there',
        ),
        (served(ok={"$ref": "#/$defs/k.A"}), DifferenceKind.TYPE, "is Unit here and A there"),
        (
            served(params=[["a", {}], ["a", True]]),
            DifferenceKind.PARAMETER,
            "two parameters have one name there",
        ),
    ],
)
def test_what_flow_has_no_words_for(there: Any, kind: DifferenceKind, words: str) -> None:
    found = differences(served(), there)
    assert found[0].kind is kind
    assert words in found[0].sentence


def test_a_type_without_a_body() -> None:
    bare: Any = {"$ref": "#/$defs/k.A"}
    body = {**bare, "$defs": {"k.A": {"type": "string"}}}
    assert [found.sentence for found in differences(served(ok=body), served(ok=bare))] == [
        "type A is named but not described there"
    ]


def test_unreadable_bodies_are_shown() -> None:
    def with_body(body: Any) -> Any:
        return served(ok={"$ref": "#/$defs/k.A", "$defs": {"k.A": body}})

    (found,) = differences(with_body({"type": "string"}), with_body({"anyOf": []}))
    assert found.sentence == 'A is a host type here and in no Flow form ({"anyOf":[]}) there'


def test_hostile_names_are_cut_and_printable() -> None:
    listed = read_json(
        '{"params":[["%s\\n\\u001b[2J",{}]],"ok":{"type":"null"},"err":{"not":{}},"generic":[]}' % ("x" * 9999)
    )
    (found,) = differences(served(), listed)
    assert found.sentence.isprintable()
    assert len(found.sentence) < 300
    assert found.path.isprintable()


def test_depth_is_no_matter() -> None:
    def nested(item: Any) -> Any:
        for _ in range(20_000):
            item = {"type": "array", "items": item}
        return served(ok=item)

    (found,) = differences(nested({"type": "integer"}), nested({"type": "string"}))
    assert len(found.sentence) < 600
    assert differences(nested({"type": "integer"}), nested({"type": "integer"})) == ()


def test_a_difference_past_what_can_be_shown_is_still_said() -> None:
    def with_tail(tail: str) -> Any:
        unknown = {"x": "y" * 500 + tail}
        branch = {
            "type": "object",
            "properties": {"A": unknown},
            "required": ["A"],
            "additionalProperties": False,
        }
        body = {"oneOf": [branch]}
        return served(ok={"$ref": "#/$defs/k.E", "$defs": {"k.E": body}}, err=unknown)

    found = differences(with_tail("1"), with_tail("2"))
    assert [(difference.path, difference.kind) for difference in found] == [
        ("error type", DifferenceKind.TYPE),
        ("success type -> E -> constructor A", DifferenceKind.PAYLOAD),
    ]
    assert found[0].sentence.endswith("on both sides, with a difference past what can be shown")


def test_a_long_way_to_a_type_is_cut_in_the_middle() -> None:
    types = [f"record k.R{at}: next k.R{at + 1}" for at in range(200)]
    text = "\n".join([*types, "record k.R200: a Int", "f: -> k.R0 ! Never"])
    ((path, sentence),) = said(text, text.replace("a Int", "a Text"))
    assert sentence == "field `a` of R200 is Int here and Text there"
    assert path.startswith("success type -> … -> R")
    assert path.endswith(" -> R200 -> field `a`")
    assert len(path) < 600
