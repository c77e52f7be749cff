"""The parameters of the type whose arguments are being written."""

from __future__ import annotations

import pytest
from support.snapshots import fixture, snapshot

from flow_lsp.analysis.engine import Analysis
from flow_lsp.analysis.type_help import TypeHelp, type_help

TYPES = "//- types.flow\n/// A page.\nrecord Page<Item, Next> { x: Int }\nrecord Plain {}\n//- a.flow\n"


def helped(text: str) -> TypeHelp | None:
    made = fixture(TYPES + text)
    offset = made.texts["a.flow"].index("|")
    made.texts["a.flow"] = made.texts["a.flow"].replace("|", "", 1)
    return type_help(Analysis(), snapshot(made), made.key("a.flow"), offset)


@pytest.mark.parametrize(
    ("text", "label", "active"),
    [
        ("record A { x: Dict<|", "Dict<K, V>", 0),
        ("record A { x: Dict<Text, |> }", "Dict<K, V>", 1),
        ("record A { x: Dict<(Int, Int), In|t> }", "Dict<K, V>", 1),
        ("record A { x: Dict<Text, List<|", "List<T>", 0),
        ("record A { x: Dict<List<Int>,|", "Dict<K, V>", 1),
        ("record A { x: Dict<(Int, |", "Dict<K, V>", 0),
        ("@tool fn f() -> Result<|", "Result<T, E>", 0),
        ("@tool fn f() -> Result<Int,\n  |", "Result<T, E>", 1),
        ("import ./types.{Page}\nrecord A { x: Page<Int, |", "Page<Item, Next>", 1),
        ("import ./types as t\nrecord A { x: t.Page<|", "t.Page<Item, Next>", 0),
        ("record Own<One> { x: Own<|", None, 0),  # it does not parse, so its parameters are not known
        ("record Own<One> { x: Int }\nrecord A { x: Own<|", "Own<One>", 0),
        ("record A { x: Option<Int, Int, |", "Option<T>", 2),
    ],
)
def test_the_parameters_and_which_is_next(text: str, label: str | None, active: int):
    found = helped(text)
    assert (found.label if found else None) == label
    if found is not None:
        assert found.active == active
        names = [found.label[slice(*argument.span)] for argument in found.arguments]
        assert f"<{', '.join(names)}>" in found.label


@pytest.mark.parametrize(
    "text",
    [
        "record A { x: |",
        "record A { x: Int<|",
        "record A { x: Nothing<|",
        "record A { x: gone.Page<|",
        "record A<List> { x: List<|",
        "import ./types.{Plain}\nrecord A { x: Plain<|",
        "record A { x: List<Int>| }",
    ],
)
def test_nothing_where_there_are_none(text: str):
    assert helped(text) is None


def test_what_is_said_of_the_type_and_of_its_parameters():
    found = helped("record A { x: Set<|")
    assert found is not None
    assert found.arguments[0].doc == "The type of each value; it must have an order."
    declared = helped("import ./types.{Page}\nrecord A { x: Page<|")
    assert declared is not None
    assert declared.doc == "A page."
    assert type_help(Analysis(), snapshot(fixture("")), "/w/none.flow", 0) is None
