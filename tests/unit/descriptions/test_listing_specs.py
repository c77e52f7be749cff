"""A tools listing as TypeSpecs: each entry joined with what it reaches, and the whole judged."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from strategies.flow_workspaces import FOLDER, FileMap, check_all
from support.bounds import not_hopeless
from support.descriptions import named, param, record, spec, template

from flow_lsp.descriptions.listing import ListingSpecs, read_listing, spec_of_entry
from flow_lsp.descriptions.problems import DescriptionProblem, DescriptionRule
from flow_lsp.descriptions.spec import read_declarations
from flow_lsp.signature.signature import Signature, signature_of
from flow_lsp.source.listing import tools_listing
from flow_lsp.types.shapes import spec_to_json
from flow_lsp.types.terms import TypeSpec

CASES = json.loads((Path(__file__).parents[2] / "conformance" / "cases" / "source.json").read_text("utf-8"))["cases"]


def entry(name: str, *generic: str, ok: Any = "Unit", err: Any = "Never", **params: Any) -> dict[str, Any]:
    """One entry of a listing's tools."""
    written = spec(None, *generic, ok=ok, err=err, **params)
    written["params"] = [{**one, "doc": f"About {one['name']}."} for one in written["params"]]
    del written["declarations"]
    beside = {"tool": f"k.{name}", "name": name, "doc": None, "fingerprint": "sha256:", "file": "k.flow", "line": 1}
    return {**beside, **written}


def listing(types: Any, *tools: Any) -> dict[str, Any]:
    """A listing."""
    return {"data": "0.1", "tools": list(tools), "types": types, "problems": []}


def read(value: Any) -> ListingSpecs:
    """The TypeSpecs of a valid listing; each is what its entry alone comes to."""
    found = read_listing(value)
    assert isinstance(found, ListingSpecs), found
    types = read_declarations(value["types"])
    assert not isinstance(types, DescriptionProblem)
    assert types == found.types
    assert [spec_of_entry(one, types) for one in value["tools"]] == list(found.specs)
    return found


def test_an_entry_keeps_what_it_reaches_and_drops_the_docs_of_parameters() -> None:
    types = {
        "a": record("A", f=named("p", {"Task": named("b")})),
        "b": record("B"),
        "p": record("P", "T"),
        "c": record("C", f={"Function": {"params": ["Int"], "result": named("c")}}),
    }
    tools = [entry("one", x=named("a")), entry("two", ok=named("c")), entry("three")]
    found = read(listing(types, *tools))
    assert [set(one.declarations) for one in found.specs] == [{"a", "b", "p"}, {"c"}, set()]
    assert spec_to_json(found.specs[0]) == spec(
        {local_id: types[local_id] for local_id in found.specs[0].declarations}, x=named("a")
    )


@pytest.mark.parametrize("case", CASES, ids=[case["id"] for case in CASES])
def test_what_flow_lsp_lists_can_be_generated_from(case: dict[str, Any]) -> None:
    made = tools_listing(check_all(FileMap(case["input"]["files"], case["input"].get("repositories", {}))), FOLDER)
    for one, tool in zip(read(made).specs, made["tools"], strict=True):
        signature = signature_of(one)
        assert isinstance(signature, Signature)
        assert signature.fingerprint == tool["fingerprint"]


def test_two_files_of_one_path_are_no_conflict_while_no_tool_reaches_both() -> None:
    types = {"a": record("R"), "b": record("R", x="Int")}
    apart = listing(types, entry("one", x=named("a")), entry("two", x=named("b")))
    assert len(read(apart).specs) == 2
    both = listing(types, entry("one", x=named("a")), entry("two", x=named("a"), ok=named("b")))
    found = read_listing(both)
    assert isinstance(found, DescriptionProblem)
    assert (found.rule, found.pointer) == (DescriptionRule.CONFLICT, "/types/b")


def test_an_entry_may_hold_more_than_is_known_and_a_parameter_may_not() -> None:
    one = {**entry("one", x="Int"), "more": 1}
    assert read(listing({}, one)).specs[0].params[0].doc is None
    del one["params"][0]["doc"]
    assert read(listing({}, one)).specs
    one["params"][0]["more"] = 1
    found = read_listing(listing({}, one))
    assert isinstance(found, DescriptionProblem)
    assert found.sentence == "In the parameter `x` of the Tool `one`: a parameter has no member `more`."


def with_param(**members: Any) -> dict[str, Any]:
    return {**entry("one"), "params": [{"name": "x", "type": "Int", **members}]}


REFUSED: list[tuple[str, Any, str, str]] = [
    ("shape", None, "", "A tools listing is expected here, and this is no object."),
    ("shape", {"tools": []}, "", "A tools listing needs the member `types`."),
    ("shape", {"types": {}}, "", "A tools listing needs the member `tools`."),
    ("shape", listing([]), "/types", "The declarations are no object."),
    ("shape", {"tools": {}, "types": {}}, "/tools", "An array is expected here."),
    ("shape", listing({}, 1), "/tools/0", "An entry of a tools listing is expected here, and this is no object."),
    ("shape", listing({}, {"name": "f"}), "/tools/0",
     "In the Tool `f`: an entry of a tools listing needs the member `generic`."),
    ("shape", listing({}, entry("one"), {**entry("two"), "params": {}}), "/tools/1/params",
     "In the Tool `two`: an array is expected here."),
    ("shape", listing({}, with_param(doc=1)), "/tools/0/params/0",
     "In the parameter `x` of the Tool `one`: a parameter has no member `doc`."),
    ("shape", listing({"a": {"name": "A"}}), "/types/a",
     "In the declaration `A`: a template needs the member `identity`."),
    ("term", listing({}, entry("one", ok="Nope")), "/tools/0/ok",
     "In the success type of the Tool `one`: `Nope` is no primitive type."),
    ("duplicate", listing({}, entry("one", "T", "T")), "/tools/0/generic/1",
     "In the Tool `one`: the name `T` stands twice among the type parameters."),
    ("duplicate", listing({}, {**entry("one"), "params": [{"name": "x", "type": "Int"}] * 2}), "/tools/0/params/1/name",
     "In the parameter `x` of the Tool `one`: the name `x` stands twice among the parameters."),
    ("owner", listing({"tool": record("R")}, entry("one", x=named("tool"))), "/types/tool",
     "In the declaration `R`: no local id is `tool`, which owns the Tool's type parameters."),
    ("index", listing({}, entry("one", "T"), entry("two", x=param("tool"))), "/tools/1/params/0/type/Param/index",
     "In the parameter `x` of the Tool `two`: `tool` has 0 type parameters, counted from 0, and none of the index 0."),
    ("reference", listing({"a": record("A", f=named("b"))}, entry("one", x=named("a"))),
     "/types/a/fields/0/type/Named/declaration", "In the field `f` of `A`: there is no declaration `b`."),
    ("extra", listing({"a": record("A"), "b": record("B")}, entry("one", x=named("a"))), "/types/b",
     "In the declaration `B`: nothing reaches this declaration."),
    ("recursion", listing({"a": record("A", f=named("a"))}, entry("one", x=named("a"))), "/types/a/fields/0/type",
     "In the field `f` of `A`: no value can ever be made: `A` contains `A`, with no List, Set, Dict, Option or enum "
     "between."),
    ("order", listing({"h": template("H", "host")}, entry("one"), entry("two", err={"Set": named("h")})),
     "/tools/1/err",
     "In the error type of the Tool `two`: a Set's item must have an order, and the host type H has none."),
]  # fmt: skip


@pytest.mark.parametrize(("rule", "value", "pointer", "sentence"), REFUSED, ids=[f"{c[0]}-{c[2]}" for c in REFUSED])
def test_what_is_refused(rule: str, value: Any, pointer: str, sentence: str) -> None:
    assert read_listing(value) == DescriptionProblem(DescriptionRule(rule), pointer, sentence)


def test_the_bound_on_instances_holds_for_each_tool() -> None:
    count = 9
    names = tuple(f"T{index}" for index in range(count))
    turned = [param("p", index) for index in [*range(1, count), 0]]
    swapped = [param("p", index) for index in [1, 0, *range(2, count)]]
    permuted = record("P", *names, a={"Option": named("p", *turned)}, b={"Option": named("p", *swapped)})
    apart = ["Int", "Text", "Bool", "Bytes", "Unit", "Decimal", "Instant", "Duration", "Never"]
    with not_hopeless():
        found = read_listing(
            listing({"p": permuted}, entry("one", x=named("p", *["Int"] * 9)), entry("two", x=named("p", *apart)))
        )
    assert isinstance(found, DescriptionProblem)
    assert (found.rule, found.pointer) == (DescriptionRule.LIMIT, "/tools/1")
    assert found.sentence == "In the Tool `two`: more than 10000 instances of generic types are reached."


def test_tools_that_reach_many_instances_only_together_are_valid() -> None:
    count = 7
    names = tuple(f"T{index}" for index in range(count))
    turned = [param("p", index) for index in [*range(1, count), 0]]
    swapped = [param("p", index) for index in [1, 0, *range(2, count)]]
    permuted = record("P", *names, a={"Option": named("p", *turned)}, b={"Option": named("p", *swapped)})
    apart = ["Int", "Text", "Bool", "Bytes", "Unit", "Decimal", "Instant", "Duration", "Never"]
    tools = [entry(f"t{first}", x=named("p", *apart[first : first + count])) for first in range(3)]
    assert len(read(listing({"p": permuted}, *tools)).specs) == 3


@pytest.mark.parametrize(
    ("one", "pointer"),
    [
        (entry("one", x=named("b")), "/params/0/type/Named/declaration"),
        (entry("one", x=named("a", "Int")), "/params/0/type/Named/args"),
        (entry("one", ok=param("tool")), "/ok/Param/index"),
        (1, ""),
        ({**entry("one"), "err": 1}, "/err"),
    ],
)
def test_one_entry_is_judged_by_itself(one: Any, pointer: str) -> None:
    types = read_declarations({"a": record("A")})
    assert not isinstance(types, DescriptionProblem)
    found = spec_of_entry(one, types)
    assert isinstance(found, DescriptionProblem)
    assert found.pointer == pointer


def test_many_tools_over_many_types_are_read_in_time() -> None:
    types = {f"r{n}": record(f"R{n}", f={"List": named(f"r{(n + 1) % 500}")}) for n in range(500)}
    with not_hopeless():
        found = read_listing(listing(types, *[entry(f"t{n}", x=named(f"r{n % 500}")) for n in range(1_000)]))
    assert isinstance(found, ListingSpecs)
    assert all(isinstance(one, TypeSpec) and len(one.declarations) == 500 for one in found.specs)
