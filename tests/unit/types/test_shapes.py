"""Reading type descriptions by their exact shapes."""

from __future__ import annotations

import json
from typing import Any

import pytest
from support.bounds import not_hopeless

from flow_lsp.types.shapes import (
    ShapeProblem,
    ShapeRule,
    call_view_from_json,
    call_view_to_json,
    declarations_from_json,
    spec_from_json,
    template_from_json,
    term_from_json,
    term_to_json,
)
from flow_lsp.types.terms import CallView, FunctionOf, ListOf, Named, Param, Primitive, Template, TypeSpec
from flow_lsp.values.strict_json import read_json

TEMPLATE: dict[str, Any] = {
    "name": "R", "identity": "k.R", "lexical_ordinal": 1, "generic": [], "opaque": False, "kind": "record",
    "doc": None, "fields": [{"name": "a", "type": "Int", "doc": None}],
}  # fmt: skip
ENUM = {key: value for key, value in TEMPLATE.items() if key != "fields"} | {"kind": "enum"}
SPEC: dict[str, Any] = {
    "generic": [],
    "params": [],
    "ok": "Int",
    "err": "Never",
    "declarations": {"r": TEMPLATE},
}


@pytest.mark.parametrize(
    ("value", "rule", "pointer"),
    [
        ("int", ShapeRule.TERM, ""),
        ({"Int": None}, ShapeRule.TERM, ""),
        ({"Map": ["Int", "Int"]}, ShapeRule.TERM, ""),
        ({"List": "String"}, ShapeRule.TERM, "/List"),
        (None, ShapeRule.SHAPE, ""),
        (1, ShapeRule.SHAPE, ""),
        ({}, ShapeRule.SHAPE, ""),
        ({"List": "Int", "Set": "Int"}, ShapeRule.SHAPE, ""),
        ({"List": ["Int"]}, ShapeRule.SHAPE, "/List"),
        ({"Dict": ["Int"]}, ShapeRule.ARITY, "/Dict"),
        ({"Dict": ["Int", "Int", "Int"]}, ShapeRule.ARITY, "/Dict"),
        ({"Tuple": ["Int"]}, ShapeRule.ARITY, "/Tuple"),
        ({"Tuple": "Int"}, ShapeRule.SHAPE, "/Tuple"),
        ({"Tuple": ["Int", {"Set": 1}]}, ShapeRule.SHAPE, "/Tuple/1/Set"),
        ({"Function": {"params": []}}, ShapeRule.SHAPE, "/Function"),
        ({"Function": {"params": ["x"], "result": "Int"}}, ShapeRule.TERM, "/Function/params/0"),
        ({"Named": {"declaration": 1, "args": []}}, ShapeRule.SHAPE, "/Named/declaration"),
        ({"Named": {"declaration": "r", "args": [], "more": 1}}, ShapeRule.SHAPE, "/Named"),
        ({"Param": {"owner": "tool", "index": -1}}, ShapeRule.INDEX, "/Param/index"),
        ({"Param": {"owner": "tool", "index": 0.5}}, ShapeRule.INDEX, "/Param/index"),
        ({"Param": {"owner": "tool", "index": True}}, ShapeRule.SHAPE, "/Param/index"),
        ({"Param": {"owner": "tool", "index": "0"}}, ShapeRule.SHAPE, "/Param/index"),
        ({"Param": {"owner": None, "index": 0}}, ShapeRule.SHAPE, "/Param/owner"),
    ],
)
def test_terms_that_are_none(value: Any, rule: ShapeRule, pointer: str) -> None:
    found = term_from_json(read_json(json.dumps(value)))
    assert isinstance(found, ShapeProblem)
    assert (found.rule, found.pointer) == (rule, pointer)
    assert found.sentence.endswith(".")


@pytest.mark.parametrize(
    ("change", "rule", "pointer"),
    [
        ({"kind": "struct"}, ShapeRule.TERM, "/kind"),
        ({"kind": 1}, ShapeRule.SHAPE, ""),
        ({"kind": "host"}, ShapeRule.SHAPE, ""),
        ({"lexical_ordinal": 0}, ShapeRule.SHAPE, "/lexical_ordinal"),
        ({"lexical_ordinal": 1.5}, ShapeRule.SHAPE, "/lexical_ordinal"),
        ({"lexical_ordinal": True}, ShapeRule.SHAPE, "/lexical_ordinal"),
        ({"opaque": 0}, ShapeRule.SHAPE, "/opaque"),
        ({"doc": 1}, ShapeRule.SHAPE, "/doc"),
        ({"generic": ["T", 1]}, ShapeRule.SHAPE, "/generic/1"),
        ({"identity": None}, ShapeRule.SHAPE, "/identity"),
        ({"extra": 1}, ShapeRule.SHAPE, ""),
        ({"fields": {}}, ShapeRule.SHAPE, "/fields"),
        ({"fields": [{"name": "a", "type": "Int"}]}, ShapeRule.SHAPE, "/fields/0"),
        ({"fields": [{"name": "a", "type": "Map", "doc": None}]}, ShapeRule.TERM, "/fields/0/type"),
    ],
)
def test_templates_that_are_none(change: dict[str, Any], rule: ShapeRule, pointer: str) -> None:
    found = template_from_json(read_json(json.dumps({**TEMPLATE, **change})))
    assert isinstance(found, ShapeProblem)
    assert (found.rule, found.pointer) == (rule, pointer)


@pytest.mark.parametrize(
    ("payload", "rule"),
    [
        ({}, ShapeRule.SHAPE),
        ({"positional": [], "named": []}, ShapeRule.SHAPE),
        ({"tuple": []}, ShapeRule.TERM),
        ([], ShapeRule.SHAPE),
        ({"positional": {}}, ShapeRule.SHAPE),
        ({"named": [{"name": "a", "type": "x", "doc": None}]}, ShapeRule.TERM),
    ],
)
def test_payloads_that_are_none(payload: Any, rule: ShapeRule) -> None:
    value = {**ENUM, "constructors": [{"name": "A", "doc": None, "payload": payload}]}
    found = template_from_json(value)
    assert isinstance(found, ShapeProblem)
    assert found.rule is rule
    assert found.pointer.startswith("/constructors/0/payload")


def test_whole_numbers_go_by_value() -> None:
    ordinal = template_from_json(
        read_json(json.dumps(TEMPLATE).replace('"lexical_ordinal": 1', '"lexical_ordinal": 20e-1'))
    )
    assert isinstance(ordinal, Template)  # fmt: skip
    assert ordinal.lexical_ordinal == 2
    assert term_from_json(read_json('{"Param":{"owner":"tool","index":1.0}}')) == Param("tool", 1)
    huge = term_from_json(read_json('{"Param":{"owner":"tool","index":1e999999999}}'))
    assert isinstance(huge, ShapeProblem)


@pytest.mark.parametrize("member", ["generic", "params", "ok", "err", "declarations"])
def test_a_spec_has_all_its_members(member: str) -> None:
    assert isinstance(spec_from_json(SPEC), TypeSpec)
    found = spec_from_json({name: value for name, value in SPEC.items() if name != member})
    assert isinstance(found, ShapeProblem)
    assert found.pointer == ""
    other = spec_from_json({**SPEC, member: 1})
    assert isinstance(other, ShapeProblem)
    assert other.pointer == f"/{member}"


def test_pointers_escape_local_ids() -> None:
    found = spec_from_json({**SPEC, "declarations": {"a/b~c": {**TEMPLATE, "opaque": 1}}})
    assert isinstance(found, ShapeProblem)
    assert found.pointer == "/declarations/a~1b~0c/opaque"


def test_nesting_is_bounded() -> None:
    value: Any = "Int"
    for _ in range(128):
        value = {"List": value}
    assert not isinstance(term_from_json(value), ShapeProblem)
    for _ in range(100_000):
        value = {"List": value}
    assert isinstance(term_from_json(value), ShapeProblem)


def test_every_kind_of_term_is_written() -> None:
    term = FunctionOf((ListOf(Primitive.INT), Param("r", 0)), Named("r", (Primitive.UNIT,)))
    assert term_from_json(term_to_json(term)) == term


def test_a_long_local_id_is_not_copied_for_each_member() -> None:
    many = [{"name": f"f{index}", "type": {"List": "Int"}, "doc": None} for index in range(50_000)]
    value = {**SPEC, "declarations": {"x" * 2_000_000: {**TEMPLATE, "fields": many}}}
    with not_hopeless():
        assert isinstance(spec_from_json(value), TypeSpec)


VIEW: dict[str, Any] = {
    "bindings": [{"name": "T", "type": {"Named": {"declaration": "r", "args": []}}}],
    "params": [{"name": "a", "type": "Int"}],
    "ok": {"List": "Text"},
    "err": "Never",
    "declarations": {"r": TEMPLATE},
}


def test_a_view_is_read_and_written() -> None:
    view = call_view_from_json(VIEW)
    assert isinstance(view, CallView)
    assert call_view_to_json(view) == VIEW
    declarations = declarations_from_json(VIEW["declarations"])
    assert declarations == view.declarations


@pytest.mark.parametrize(
    ("change", "rule", "pointer"),
    [
        ({"generic": []}, ShapeRule.SHAPE, ""),
        ({"bindings": {}}, ShapeRule.SHAPE, "/bindings"),
        ({"bindings": [{"name": "T"}]}, ShapeRule.SHAPE, "/bindings/0"),
        ({"bindings": [{"name": "T", "type": "Int", "doc": None}]}, ShapeRule.SHAPE, "/bindings/0"),
        ({"params": [{"name": 1, "type": "Int"}]}, ShapeRule.SHAPE, "/params/0/name"),
        ({"ok": "Nope"}, ShapeRule.TERM, "/ok"),
        ({"err": {"Tuple": ["Int"]}}, ShapeRule.ARITY, "/err/Tuple"),
        ({"declarations": []}, ShapeRule.SHAPE, "/declarations"),
    ],
)
def test_views_that_are_none(change: dict[str, Any], rule: ShapeRule, pointer: str) -> None:
    found = call_view_from_json({**VIEW, **change})
    assert isinstance(found, ShapeProblem)
    assert (found.rule, found.pointer) == (rule, pointer)
    assert found.sentence.endswith(".")
