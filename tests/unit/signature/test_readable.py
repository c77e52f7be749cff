"""Schemas read back as Flow types and declarations."""

from __future__ import annotations

from typing import Any

import pytest
from signature_texts import signature

from flow_lsp.signature.readable import readable_declaration, schema_type


@pytest.mark.parametrize(
    "text",
    [
        "Int",
        "Decimal",
        "Text",
        "Bool",
        "Bytes",
        "Instant",
        "Duration",
        "Unit",
        "Never",
        "json.Value",
        "List<Int>",
        "Set<(Int, Text)>",
        "Option<Option<Text>>",
        "Dict<Text, List<Int>>",
        "Dict<Int, Text>",
        "List<(json.Value, Text)>",
        "List<(Int, Int, Int)>",
        "(Text, Option<Int>)",
        "Hit",
        "Page<List<Hit>, json.Value>",
    ],
)
def test_types_are_read_back(text: str) -> None:
    named = text.replace("Hit", "k/a.Hit").replace("Page", "k/b.Page")
    declared = signature(f"host k/a.Hit\nrecord k/b.Page<T, U>: a T\nf: -> {named} ! Never")
    schema = {name: value for name, value in declared.served["ok"].items() if name != "$defs"}
    assert schema_type(schema) == text


@pytest.mark.parametrize(
    ("schema", "text"),
    [
        (True, "true"),
        ({"type": "integer", "minimum": 1}, '{"minimum":1,"type":"integer"}'),
        ({"type": "integer", "description": "d"}, "Int"),
        ({"type": "array", "items": {"type": "x"}}, 'List<{"type":"x"}>'),
        ({"$ref": "#/other"}, '{"$ref":"#/other"}'),
        ({"$ref": 1}, '{"$ref":1}'),
        ({"oneOf": []}, '{"oneOf":[]}'),
        ({"type": "array", "prefixItems": [{}], "items": False, "minItems": True}, None),
        ({"x": "y" * 100_000}, None),
        ({"x": "a\nb\u202e"}, None),
    ],
)
def test_what_is_in_no_flow_form_is_json(schema: Any, text: str | None) -> None:
    read = schema_type(schema)
    assert read == text if text else read.startswith("{")
    assert len(read) <= 160
    assert read.isprintable()


def test_a_deep_or_wide_type_is_cut() -> None:
    deep: Any = {"type": "integer"}
    for _ in range(5000):
        deep = {"type": "array", "items": deep}
    wide = {
        "type": "array", "prefixItems": [{"type": "integer"}] * 5000, "items": False, "minItems": 5000
    }  # fmt: skip
    assert schema_type(deep).startswith("List<List<")
    assert schema_type(wide).startswith("(Int, Int, ")
    assert schema_type(wide).endswith("…")


def test_a_declaration_with_its_types() -> None:
    declared = signature(
        """
        record k.Hit: title Text, score Option<Decimal>
        record k.Page<T>: items List<T>
        enum k.Problem: Offline, Slow(Duration), Range(Int, Text), Refused{code Int, why Option<Text>}, E{}
        host k.Session
        find<T>: query Text, in k.Session, value T -> k.Page<k.Hit> ! k.Problem
        """
    )
    assert (
        readable_declaration("find", declared.served)
        == """\
fn find<T>(query: Text, in: Session, value: T) -> Result<Page<Hit>, Problem>

host Session

record Page<Hit> {
    items: List<Hit>,
}

record Hit {
    title: Text,
    score: Option<Decimal>,
}

enum Problem {
    Offline,
    Slow(Duration),
    Range(Int, Text),
    Refused { code: Int, why: Option<Text> },
    E {},
}"""
    )


def test_docs_stand_where_they_are_wanted() -> None:
    schema: Any = {
        "$ref": "#/$defs/k.Hit",
        "$defs": {
            "k.Hit": {
                "type": "object",
                "description": "A hit\nof two lines",
                "properties": {"url": {"type": "string", "description": "Where\x1b[0m"}},
                "required": ["url"],
            }
        },
    }
    served: Any = {"params": [], "ok": schema, "err": {"not": {}}, "generic": []}
    with_docs = readable_declaration("f", served)
    assert "/// A hit\n/// of two lines\nrecord Hit {\n    /// Where [0m\n    url: Text,\n}" in with_docs
    assert "///" not in readable_declaration("f", served, docs=False)


def test_types_of_one_short_name_are_told_apart() -> None:
    declared = signature("host a.Hit\nhost b.Hit\nf: x a.Hit, y b.Hit -> Unit ! Never")
    assert "fn f(x: a.Hit, y: b.Hit)" in readable_declaration("f", declared.served)


def test_a_long_head_is_broken() -> None:
    params = ", ".join(f"parameter{index} Text" for index in range(8))
    text = readable_declaration("f", signature(f"f: {params} -> Unit ! Never").served)
    assert text.startswith("fn f(\n    parameter0: Text,\n")
    assert text.endswith("\n) -> Result<Unit, Never>")


def test_what_is_no_signature_is_said() -> None:
    assert readable_declaration("f", None).startswith("// What is listed is no signature")
    strange: Any = {"params": [], "ok": {"$defs": {"k.A": {"anyOf": []}}}, "err": False, "generic": []}
    assert "// A is in no Flow form" in readable_declaration("f", strange)


def test_large_signatures_are_cut() -> None:
    fields = ", ".join(f"f{index} Int" for index in range(130))
    lines = [f"record k.R{index}: n Int" for index in range(60)]
    uses = ", ".join(f"p{index} k.R{index}" for index in range(60))
    many = ", ".join(f"q{index} Int" for index in range(130))
    head = f"f: w k.Wide, {uses}, {many} -> Unit ! Never"
    declared = signature("\n".join([f"record k.Wide: {fields}", *lines, head]))
    text = readable_declaration("f", declared.served)
    assert "// … and 30 more\n" in text
    assert text.endswith("// … and 21 more types")
    assert "    …,\n" in text
    long_doc: Any = {
        "$ref": "#/$defs/k.A",
        "$defs": {"k.A": {"type": "string", "description": "line\n" * 50}},
    }
    listed: Any = {"params": [], "ok": long_doc, "err": {"not": {}}, "generic": []}
    assert readable_declaration("f", listed).count("/// line") == 12


@pytest.mark.parametrize(
    "body",
    [
        {"type": "object", "properties": [], "required": []},
        {"type": "object", "properties": {}, "required": ["a"]},
        {"type": "object", "properties": {"a": {}}, "required": ["a", "a"]},
        {"oneOf": [1]},
        {"oneOf": [{"const": 1}]},
        {"oneOf": [{"type": "object", "properties": {}, "required": [], "additionalProperties": False}]},
        {"oneOf": [{"type": "array", "properties": {}, "required": [], "additionalProperties": False}]},
        True,
    ],
)
def test_bodies_in_no_flow_form(body: Any) -> None:
    listed: Any = {"params": [], "ok": {"$defs": {"k.A": body}}, "err": {}, "generic": []}
    assert "// A is in no Flow form" in readable_declaration("f", listed)


@pytest.mark.parametrize(
    "schema",
    [
        {"type": "object", "additionalProperties": True},
        {"type": "array"},
        {"type": "array", "items": {}, "minItems": 1},
        {"type": "array", "prefixItems": [{}], "items": False, "minItems": 1},
        {"oneOf": [{"const": "None"}, {"const": "Some"}]},
        {"oneOf": [{"const": "None"}, True]},
        {"$param": 1},
    ],
)
def test_uses_in_no_flow_form(schema: Any) -> None:
    assert schema_type(schema).startswith("{")


def test_a_payload_that_is_no_schema() -> None:
    branch = {"type": "object", "properties": {"A": True}, "required": ["A"], "additionalProperties": False}
    ok: Any = {"$defs": {"k.E": {"oneOf": [branch]}}}
    assert "    A(true),\n" in readable_declaration("f", {"params": [], "ok": ok, "err": {}, "generic": []})
