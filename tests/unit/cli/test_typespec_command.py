"""`flow-lsp typespec check`: a TypeSpec, and a call's view against it."""

from __future__ import annotations

import io
import json
import sys
from typing import Any

import pytest
from support.command_line import Run, write
from support.descriptions import named, param, record, spec, view

SPEC = spec({"p": record("Page", "T", items={"List": param("p")})}, "A", v=param("tool"), ok=named("p", param("tool")))
VIEW = view({"x": SPEC["declarations"]["p"] | {"fields": record("", items={"List": param("x")})["fields"]}},
            bind={"A": "Int"}, v="Int", ok=named("x", "Int"))  # fmt: skip
SCHEMA: dict[str, Any] = {
    "$ref": "#/$defs/k.Page%3CInt%3E",
    "$defs": {
        "k.Page<Int>": {
            "type": "object",
            "properties": {"items": {"type": "array", "items": {"type": "integer"}}},
            "required": ["items"],
        }
    },
}


def written(value: Any) -> str:
    """JSON as a person lays it out."""
    return json.dumps(value, indent=2) + "\n"


def test_a_valid_spec_is_said_to_be_valid(run: Run) -> None:
    write({"spec.json": written(SPEC)})
    ran = run("typespec", "check", "spec.json")
    assert (ran.status, ran.out, ran.err) == (0, "valid\n", "")


def test_what_is_wrong_has_its_rule_its_line_and_its_pointer(run: Run) -> None:
    write({"a/spec.json": written({**SPEC, "ok": {"List": named("q")}})})
    ran = run("typespec", "check", "a/spec.json")
    assert (ran.status, ran.out) == (1, "")
    assert ran.err == (
        "a/spec.json:19:24: error[reference]: In the success type: there is no declaration `q`.\n"
        "    |\n"
        ' 19 |         "declaration": "q",\n'
        "    |                        ^^^\n"
        "  = at /ok/List/Named/declaration\n"
    )


def test_what_is_missing_is_said_at_what_should_hold_it(run: Run) -> None:
    write({"spec.json": '{"generic": [], "params": [], "ok": "Int", "declarations": {}}'})
    ran = run("typespec", "check", "spec.json")
    assert ran.status == 1
    assert ran.err.startswith("spec.json:1:1: error[shape]: A TypeSpec needs the member `err`.\n")
    assert ran.err.endswith("  = at the root of the value\n")


def test_a_spec_is_read_from_standard_input(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b'{"generic":[],\n"params":1}')))
    ran = run("typespec", "check", "-")
    assert ran.status == 1
    assert ran.err.startswith("standard input:1:1: error[shape]")


@pytest.mark.parametrize(
    ("data", "said"),
    [
        ("{", "spec.json:1:2: error[syntax]: "),
        ('{"a":1,\n"a":2}', "spec.json:2:1: error[duplicate-key]: The key `a` stands twice in one object."),
        (b'"\xff"', "spec.json:1:2: error[utf8]: "),
        ("[" * 600 + "]" * 600, "spec.json:1:513: error[depth]: "),
    ],
)
def test_a_text_that_is_no_json_is_a_finding(run: Run, data: str | bytes, said: str) -> None:
    write({"spec.json": data})
    ran = run("typespec", "check", "spec.json")
    assert (ran.status, ran.out) == (1, "")
    assert ran.err.startswith(said)


def test_a_view_is_checked_against_the_spec(run: Run) -> None:
    call = {"run": "r", "call": "c", "types": VIEW, "schema": SCHEMA}
    write({"spec.json": written(SPEC), "call.json": written(call)})
    ran = run("typespec", "check", "spec.json", "--view", "call.json")
    assert (ran.status, ran.out, ran.err) == (0, "valid\n", "")
    ran = run("typespec", "check", "--view", "call.json", "spec.json")
    assert ran.status == 0


def test_what_is_wrong_with_a_view_is_said_in_its_file(run: Run) -> None:
    call = {"types": {**VIEW, "params": [{"name": "v", "type": "Text"}]}, "schema": SCHEMA}
    write({"spec.json": written(SPEC), "call.json": written(call)})
    ran = run("typespec", "check", "spec.json", "--view", "call.json")
    assert (ran.status, ran.out) == (1, "")
    assert ran.err == (
        "call.json:12:17: error[mismatch]: "
        "In the parameter `v`: this is not the Tool's type with the bindings put in.\n"
        "    |\n"
        ' 12 |         "type": "Text"\n'
        "    |                 ^^^^^^\n"
        "  = at /types/params/0/type\n"
    )


@pytest.mark.parametrize(
    ("call", "said"),
    [
        ({"types": VIEW}, "call.json:1:1: error[shape]: A call of a generic Tool needs the member `schema`"),
        ([], "call.json:1:1: error[shape]: A call's `types` and `schema` are expected here, and this is no object."),
    ],
)
def test_a_view_that_is_none_is_a_finding(run: Run, call: Any, said: str) -> None:
    write({"spec.json": written(SPEC), "call.json": json.dumps(call)})
    ran = run("typespec", "check", "spec.json", "--view", "call.json")
    assert ran.status == 1
    assert ran.err.startswith(said)


def test_a_call_that_is_not_generic_has_no_view(run: Run) -> None:
    write({"spec.json": written(spec(x="Int")), "call.json": "{}", "other.json": '{"schema": null}'})
    assert run("typespec", "check", "spec.json", "--view", "call.json").status == 0
    ran = run("typespec", "check", "spec.json", "--view", "other.json")
    assert ran.status == 1
    assert "other.json:1:12: error[shape]: A call of a Tool that is not generic has no member `schema`." in ran.err


def test_the_view_is_not_looked_at_where_the_spec_is_wrong(run: Run) -> None:
    write({"spec.json": "[]"})
    assert run("typespec", "check", "spec.json", "--view", "missing.json").status == 1


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["check", "missing.json"], "missing.json cannot be read: "),
        (["check", "."], ". cannot be read: "),
        (["check", "spec.json", "--view", "missing.json"], "missing.json cannot be read: "),
        (["check", "-", "--view", "-"], "standard input is read only once; name a file for the"),
        (["check"], "the following arguments are required: FILE"),
        (["chek", "spec.json"], "invalid choice: 'chek'"),
        ([], "the following arguments are required: check, FILE"),
    ],
)  # fmt: skip
def test_wrong_usage_is_status_two(run: Run, arguments: list[str], said: str) -> None:
    write({"spec.json": written(SPEC)})
    ran = run("typespec", *arguments)
    assert (ran.status, ran.out) == (2, "")
    assert said in ran.err
