"""The views of a generic call against the served TypeSpec: what makes the call NotRun, where, and in which words."""

from __future__ import annotations

import json
from typing import Any

import pytest
from support.bounds import not_hopeless
from support.descriptions import enum, function, named, param, record, spec, template, view

from flow_lsp.descriptions.problems import DescriptionProblem, DescriptionRule
from flow_lsp.descriptions.spec import read_spec
from flow_lsp.descriptions.view import MISSING, check_view
from flow_lsp.types.shapes import call_view_to_json
from flow_lsp.types.terms import CallView, Primitive, TypeSpec
from flow_lsp.values.strict_json import read_json

PAGE = record("Page", "T", items={"List": param("p")}, next={"Option": named("c")})
CURSOR = enum("Cursor", Start=None, At=["Int", "Text"], Open={"key": "Bytes"})
SERVED = spec({"p": PAGE, "c": CURSOR}, "A", v=param("tool"), ok=named("p", param("tool")))
UNIT = {"type": "null"}
CURSOR_SCHEMA = {
    "oneOf": [
        {"const": "Start"},
        {"type": "object", "properties": {"At": {"type": "array", "prefixItems": [{"type": "integer"},
         {"type": "string"}], "items": False, "minItems": 2}}, "required": ["At"], "additionalProperties": False},
        {"type": "object", "properties": {"Open": {"type": "object", "properties": {"key": {"type": "string",
         "contentEncoding": "base64"}}, "required": ["key"]}}, "required": ["Open"], "additionalProperties": False},
    ]
}  # fmt: skip


def page(**changes: Any) -> dict[str, Any]:
    """The view's page, with local ids of its own."""
    return record("Page", "X", items={"List": param("1")}, next={"Option": named("2")}) | changes


def given(page_: Any = None, cursor: Any = None, /, **more: Any) -> dict[str, Any]:
    """A view of a call of SERVED with Int."""
    declarations = {"2": cursor or CURSOR, "1": page_ or page(), **more}
    return view(declarations, bind={"A": "Int"}, v="Int", ok=named("1", "Int"))


def page_schema(key: str = "k.Page<Int>", item: Any = None) -> dict[str, Any]:
    """The schema of a page of Int, or of another item."""
    return {
        "$ref": f"#/$defs/{key.replace('/', '~1').replace('<', '%3C').replace('>', '%3E')}",
        "$defs": {
            "k.Cursor": CURSOR_SCHEMA,
            key: {
                "required": ["items"],
                "type": "object",
                "properties": {
                    "next": {"$ref": "#/$defs/k.Cursor"},
                    "items": {"items": item or {"type": "integer"}, "type": "array"},
                },
            },
        },
    }


def exact(value: Any) -> Any:
    """`value` with its numbers as the strict reader gives them."""
    return value if value is MISSING else read_json(json.dumps(value))


def checked(served: Any, types: Any, schema: Any) -> CallView | DescriptionProblem:
    """The verdict on a call of a Tool with the valid TypeSpec `served`."""
    valid = read_spec(exact(served))
    assert isinstance(valid, TypeSpec), valid
    return check_view(valid, exact(types), exact(schema))


OTHER_TYPE = "the Tool knows this declaration with another type here."
OTHER_MEMBERS = "the Tool knows this declaration with other members."
NOT_BOUND = "this is not the Tool's type with the bindings put in."
IN_PAGE = "/types/declarations/1"
IN_CURSOR = "/types/declarations/2"
PLAIN = spec(None, "T", v=param("tool"))


@pytest.mark.parametrize(
    ("types", "schema"),
    [
        (given(), page_schema()),
        (given(page(doc="other", opaque=False), CURSOR | {"name": "Shown"}), page_schema()),
        (given(page(identity="k@9/p.Page")), page_schema("k@9/p.Page<Int>")),
        (given(), {**page_schema(), "description": "any", "$defs": {
            key: {**body, "description": "d"} for key, body in page_schema()["$defs"].items()}}),
    ],
)  # fmt: skip
def test_what_agrees_is_given_back(types: Any, schema: Any) -> None:
    identity = types["declarations"]["1"]["identity"].replace("@9", "@2")
    served = SERVED | {"declarations": {"p": PAGE | {"identity": identity}, "c": CURSOR}}
    found = checked(served, types, schema)
    assert isinstance(found, CallView), found
    assert call_view_to_json(found) == types


MISMATCHES: list[tuple[str, Any, Any, str, str]] = [
    # both members or none
    ("shape", MISSING, page_schema(), "", "A call of a generic Tool needs the member `types`, and it is missing."),
    ("shape", given(), MISSING, "", "A call of a generic Tool needs the member `schema`, and it is missing."),
    ("shape", None, page_schema(), "/types", "A call's view of its types is expected here, and this is no object."),
    # names, counts, order
    ("mismatch", given() | {"bindings": []}, UNIT, "/types/bindings",
     "The Tool has 1 type parameter, and this call has 0."),
    ("mismatch", given() | {"bindings": [{"name": "B", "type": "Int"}]}, UNIT, "/types/bindings/0/name",
     "In the binding `B`: the Tool has `A` at this place of its type parameters."),
    ("mismatch", given() | {"params": []}, UNIT, "/types/params", "The Tool has 1 parameter, and this call has 0."),
    ("mismatch", given() | {"params": [{"name": "w", "type": "Int"}]}, UNIT, "/types/params/0/name",
     "In the parameter `w`: the Tool has `v` at this place of its parameters."),
    # templates
    ("conflict", given(page(lexical_ordinal=2)), UNIT, IN_PAGE + "/lexical_ordinal",
     "In the declaration `Page`: the Tool knows this identity with another ordinal."),
    ("conflict", given(None, template("Cursor", "host")), UNIT, IN_CURSOR + "/kind",
     "In the declaration `Cursor`: the Tool knows this declaration as enum."),
    ("conflict", given(page(opaque=True)), UNIT, IN_PAGE + "/opaque",
     "In the declaration `Page`: the Tool knows this declaration as not opaque."),
    ("conflict", given(page(generic=["X", "Y"])) | {"ok": named("1", "Int", "Int")}, UNIT, IN_PAGE + "/generic",
     "In the declaration `Page`: the Tool knows this declaration with 1 type parameter."),
    ("conflict", given(page(fields=page()["fields"][:1]), x=CURSOR), UNIT, "/types/declarations/x",
     "In the declaration `Cursor`: the identity `k.Cursor` with the lexical_ordinal 1 is that of `2` already."),
    ("conflict", given(page(fields=page()["fields"] * 1 + record("", more="Int")["fields"])), UNIT, IN_PAGE + "/fields",
     f"In the declaration `Page`: {OTHER_MEMBERS}"),
    ("conflict", given(page(fields=page()["fields"][::-1])), UNIT, IN_PAGE + "/fields/0/name",
     f"In the field `next` of `Page`: {OTHER_MEMBERS}"),
    ("conflict", given(record("Page", "X", items={"Set": param("1")}, next={"Option": named("2")})), UNIT,
     IN_PAGE + "/fields/0/type", f"In the field `items` of `Page`: {OTHER_TYPE}"),
    ("conflict", given(record("Page", "X", items={"List": "Int"}, next={"Option": named("2")})), UNIT,
     IN_PAGE + "/fields/0/type/List", f"In the field `items` of `Page`: {OTHER_TYPE}"),
    ("conflict", given(record("Page", "X", items={"List": param("1")}, next={"Option": named("m")}), m=record("Mine",
     c=named("2"))), UNIT, IN_PAGE + "/fields/1/type/Option/Named/declaration",
     f"In the field `next` of `Page`: {OTHER_TYPE}"),
    ("conflict", given(None, enum("Cursor", Start=None, At=["Int", "Text"])), UNIT, IN_CURSOR + "/constructors",
     f"In the declaration `Cursor`: {OTHER_MEMBERS}"),
    ("conflict", given(None, enum("Cursor", Begin=None, At=["Int", "Text"], Open={"key": "Bytes"})), UNIT,
     IN_CURSOR + "/constructors/0/name", f"In the constructor `Begin` of `Cursor`: {OTHER_MEMBERS}"),
    ("conflict", given(None, enum("Cursor", Start=[], At=["Int", "Text"], Open={"key": "Bytes"})), UNIT,
     IN_CURSOR + "/constructors/0/payload", f"In the constructor `Start` of `Cursor`: {OTHER_MEMBERS}"),
    ("conflict", given(None, enum("Cursor", Start=None, At=["Int"], Open={"key": "Bytes"})), UNIT,
     IN_CURSOR + "/constructors/1/payload/positional", f"In the constructor `At` of `Cursor`: {OTHER_MEMBERS}"),
    ("conflict", given(None, enum("Cursor", Start=None, At=["Int", "Int"], Open={"key": "Bytes"})), UNIT,
     IN_CURSOR + "/constructors/1/payload/positional/1", f"In the constructor `At` of `Cursor`: {OTHER_TYPE}"),
    ("conflict", given(None, enum("Cursor", Start=None, At=["Int", "Text"], Open={"k": "Bytes"})), UNIT,
     IN_CURSOR + "/constructors/2/payload/named/0/name", f"In the part `k` of the constructor `Open` of `Cursor`: "
     f"{OTHER_MEMBERS}"),
    # roots
    ("mismatch", given() | {"params": [{"name": "v", "type": "Text"}]}, UNIT, "/types/params/0/type",
     f"In the parameter `v`: {NOT_BOUND}"),
    ("mismatch", given() | {"ok": {"List": named("1", "Int")}}, UNIT, "/types/ok", f"In the success type: {NOT_BOUND}"),
    ("mismatch", given() | {"err": "Int"}, UNIT, "/types/err", f"In the error type: {NOT_BOUND}"),
    ("mismatch", given(page(identity="k.other.Page")), UNIT, "/types/ok/Named/declaration",
     f"In the success type: {NOT_BOUND}"),
    # the whole
    ("extra", given(x=record("Mine")), page_schema(), "/types/declarations/x",
     "In the declaration `Mine`: nothing reaches this declaration."),
    # the schema
    ("schema", given(), {}, "/schema/$defs", "This is not the schema of the success type, which has `{"),
    ("schema", given(), page_schema(item={"type": "number"}), "/schema/$defs/k.Page<Int>/properties/items/items/type",
     'This is not the schema of the success type, which has `"integer"` where `"number"` stands.'),
    ("schema", given(), None, "/schema", "This is not the schema of the success type, which has `{"),
    ("schema", given(), page_schema("k@1.Page<Int>"), "/schema/$defs/k.Page<Int>",
     "This is not the schema of the success type, which has `{"),
]  # fmt: skip


@pytest.mark.parametrize(
    ("rule", "types", "schema", "pointer", "sentence"), MISMATCHES, ids=[f"{c[0]}-{c[3]}" for c in MISMATCHES]
)
def test_what_does_not_agree(rule: str, types: Any, schema: Any, pointer: str, sentence: str) -> None:
    found = checked(SERVED, types, schema)
    assert isinstance(found, DescriptionProblem)
    assert (found.rule, found.pointer) == (DescriptionRule(rule), pointer)
    assert found.sentence.startswith(sentence)
    assert found.sentence.endswith(".")


BY_ITSELF: list[tuple[str, Any, str]] = [
    ("duplicate", {**view(bind={"T": "Int"}, v="Int"), "bindings": [{"name": "T", "type": "Int"}] * 2},
     "/types/bindings/1/name"),
    ("duplicate", {**view(bind={"T": "Int"}), "params": [{"name": "v", "type": "Int"}] * 2}, "/types/params/1/name"),
    ("duplicate", view({"m": record("M", "T", "T")}, bind={"T": named("m", "Int", "Int")}, v=named("m", "Int", "Int")),
     "/types/declarations/m/generic/1"),
    ("owner", view(bind={"T": param("tool")}, v=param("tool")), "/types/bindings/0/type/Param"),
    ("owner", view(bind={"T": "Int"}, v={"List": param("m")}), "/types/params/0/type/List/Param"),
    ("owner", view({"m": record("M", f=param("tool"))}, bind={"T": named("m")}, v=named("m")),
     "/types/declarations/m/fields/0/type/Param/owner"),
    ("owner", view({"tool": record("M")}, bind={"T": named("tool")}, v=named("tool")), "/types/declarations/tool"),
    ("index", view({"m": record("M", f=param("m"))}, bind={"T": named("m")}, v=named("m")),
     "/types/declarations/m/fields/0/type/Param/index"),
    ("arity", view({"m": record("M")}, bind={"T": named("m", "Int")}, v="Int"), "/types/bindings/0/type/Named/args"),
    ("reference", view(bind={"T": {"Task": named("m")}}, v="Int"), "/types/bindings/0/type/Task/Named/declaration"),
    ("conflict", view({"m": record("M"), "n": record("M", x="Int")}, bind={"T": {"Tuple": [named("m"), named("n")]}},
                      v={"Tuple": [named("m"), named("n")]}), "/types/declarations/n"),
    ("recursion", view({"m": record("M", m=named("m"))}, bind={"T": named("m")}, v=named("m")),
     "/types/declarations/m/fields/0/type"),
    ("order", view({"m": record("M", "X", s={"Set": param("m")})}, bind={"T": named("m", "json.Value")},
                   v=named("m", "json.Value")), "/types/bindings/0/type"),
    ("crossing", view(bind={"T": {"Task": "Int"}}, v={"Task": "Int"}), "/types/params/0/type"),
    ("crossing", view({"m": record("M", f={"Function": {"params": [], "result": "Int"}})}, bind={"T": named("m")},
                      v=named("m")), "/types/params/0/type"),
]  # fmt: skip


@pytest.mark.parametrize(("rule", "types", "pointer"), BY_ITSELF, ids=[f"{c[0]}-{c[2]}" for c in BY_ITSELF])
def test_what_is_wrong_by_itself(rule: str, types: Any, pointer: str) -> None:
    found = checked(PLAIN, types, UNIT)
    assert isinstance(found, DescriptionProblem)
    assert (found.rule, found.pointer) == (DescriptionRule(rule), pointer)
    assert found.sentence.startswith(("In ", "The ", "A "))


@pytest.mark.parametrize("root", ["ok", "err"])
def test_results_must_cross_too(root: str) -> None:
    served = spec(None, "T", **{root: {"List": param("tool")}})
    found = checked(served, view(bind={"T": {"Task": "Int"}}, **{root: {"List": {"Task": "Int"}}}), UNIT)
    assert isinstance(found, DescriptionProblem)
    assert (found.rule, found.pointer) == (DescriptionRule.CROSSING, f"/types/{root}")
    which = {"ok": "success", "err": "error"}[root]
    assert found.sentence == f"In the {which} type: a value would hold a Task, and that has no encoding."


def test_what_only_a_binding_reaches_must_agree_as_well() -> None:
    served = spec({"p": PAGE, "c": CURSOR}, "T", v=named("p", "Int"))
    other = record("Cursor")
    types = view(
        {"1": page(), "2": CURSOR, "x": other | {"identity": "k@2/c.Cursor"}},
        bind={"T": {"Task": named("x")}},
        v=named("1", "Int"),
    )
    served["declarations"]["c"] = CURSOR | {"identity": "k@1/c.Cursor"}
    types["declarations"]["2"] = CURSOR | {"identity": "k@1/c.Cursor"}
    found = checked(served, types, UNIT)
    assert isinstance(found, DescriptionProblem)
    assert (found.rule, found.pointer) == (DescriptionRule.CONFLICT, "/types/declarations/x/kind")
    types["declarations"]["x"] = CURSOR | {"identity": "k@2/c.Cursor"}
    assert isinstance(checked(served, types, UNIT), CallView)


def test_private_declarations_are_not_merged_by_name_or_shape() -> None:
    other = page(identity="app.Page", name="Page") | {"fields": record("", items={"List": param("m")})["fields"]}
    types = given(m=other)
    types["bindings"][0]["type"] = types["params"][0]["type"] = named("m", "Int")
    types["ok"] = named("1", named("m", "Int"))
    schema = page_schema("k.Page<app.Page<Int>>", {"$ref": "#/$defs/app.Page%3CInt%3E"})
    inner = {"type": "object", "properties": {"items": {"type": "array", "items": {"type": "integer"}}}}
    schema["$defs"]["app.Page<Int>"] = inner | {"required": ["items"]}
    assert isinstance(checked(SERVED, types, schema), CallView)


def test_one_served_declaration_is_one_of_the_call() -> None:
    """The signature names one declaration twice; a call that has two versions for it is another signature's."""
    served = spec({"c": CURSOR}, "T", v=named("c"), w=named("c"))
    two = {"1": CURSOR | {"identity": "k@1/c.Cursor"}, "2": CURSOR | {"identity": "k@2/c.Cursor"}}
    served["declarations"]["c"] = two["1"]
    found = checked(served, view(two, bind={"T": "Int"}, v=named("1"), w=named("2")), UNIT)
    assert isinstance(found, DescriptionProblem)
    assert (found.rule, found.pointer) == (DescriptionRule.MISMATCH, "/types/declarations/2")
    assert found.sentence == (
        "In the declaration `Cursor`: the Tool's signature has one declaration where this call has two, this and `1`."
    )
    assert isinstance(
        checked(served, view({"2": two["2"]}, bind={"T": "Int"}, v=named("2"), w=named("2")), UNIT), CallView
    )


def test_two_served_versions_are_told_apart_by_the_version_or_not_at_all() -> None:
    served = spec(
        {"1": record("C", f="Int") | {"identity": "k@1/c.C"}, "2": record("C", f="Text") | {"identity": "k@2/c.C"}},
        "T",
        v={"Tuple": [named("1"), named("2")]},
    )
    same = view(
        {"a": served["declarations"]["1"], "b": served["declarations"]["2"]},
        bind={"T": "Int"},
        v={"Tuple": [named("a"), named("b")]},
    )
    assert isinstance(checked(served, same, UNIT), CallView)
    turned = same | {"params": [{"name": "v", "type": {"Tuple": [named("b"), named("a")]}}]}
    found = checked(served, turned, UNIT)
    assert isinstance(found, DescriptionProblem)
    assert found.rule is DescriptionRule.CONFLICT
    one = view({"a": same["declarations"]["a"]}, bind={"T": "Int"}, v={"Tuple": [named("a"), named("a")]})
    found = checked(served, one, UNIT)
    assert isinstance(found, DescriptionProblem)
    assert (found.rule, found.pointer) == (DescriptionRule.CONFLICT, "/types/declarations/a/fields/0/type")


def test_functions_are_compared_by_their_parameters_and_result() -> None:
    phantom = record("P", "T")
    served = spec({"p": phantom}, "T", v=named("p", function("Int", param("tool"))))
    for given_function, pointer in (
        (function("Int", "Text"), ""),
        (function("Int"), "/params"),
        (function("Text", "Text"), "/params/0"),
        (function("Int", "Text", result="Int"), "/result"),
    ):
        found = checked(served, view({"p": phantom}, bind={"T": "Text"}, v=named("p", given_function)), UNIT)
        if pointer:
            assert isinstance(found, DescriptionProblem)
            assert found.pointer == f"/types/params/0/type/Named/args/0/Function{pointer}"
        else:
            assert isinstance(found, CallView)


def test_recursive_templates_are_compared_on_the_finite_graph() -> None:
    def tree(local_id: str, forest: str) -> dict[str, Any]:
        return record("Tree", "T", value=param(local_id), below=named(forest, param(local_id)))

    def forest(local_id: str, tree: str) -> dict[str, Any]:
        return record(
            "Forest", "T", trees={"List": named(tree, param(local_id))}, up={"Option": named(local_id, "Int")}
        )

    served = spec({"t": tree("t", "f"), "f": forest("f", "t")}, "T", v=named("t", param("tool")))
    types = view({"f": tree("f", "t"), "t": forest("t", "f")}, bind={"T": "Text"}, v=named("f", "Text"))
    assert isinstance(checked(served, types, UNIT), CallView)
    types["declarations"]["t"]["fields"][1]["type"] = {"Option": named("t", "Text")}
    found = checked(served, types, UNIT)
    assert isinstance(found, DescriptionProblem)
    assert found.pointer == "/types/declarations/t/fields/1/type/Option/Named/args/0"


@pytest.mark.parametrize(("types", "schema"), [(MISSING, UNIT), (None, MISSING), (given(), page_schema())])
def test_a_call_that_is_not_generic_carries_no_views(types: Any, schema: Any) -> None:
    found = checked(spec(x="Int"), types, schema)
    assert isinstance(found, DescriptionProblem)
    assert found.rule is DescriptionRule.SHAPE
    assert found.pointer == ("/schema" if types is MISSING else "/types")


def test_the_types_of_a_call_that_is_not_generic_are_the_tools() -> None:
    found = checked(spec({"c": CURSOR}, x=named("c")), MISSING, MISSING)
    assert isinstance(found, CallView)
    assert (found.bindings, found.ok, list(found.declarations)) == ((), Primitive.UNIT, ["c"])


def test_types_of_one_key_and_types_too_large_have_no_schema() -> None:
    served = spec(None, "T", ok=param("tool"))
    clash = {"a": record("A", "T", f=param("a")) | {"identity": "k.A"}, "b": record("A") | {"identity": "k.A<Int>"}}
    both = {"Tuple": [named("a", "Int"), named("b")]}
    found = checked(served, view(clash, bind={"T": both}, ok=both), UNIT)
    assert isinstance(found, DescriptionProblem)
    assert (found.rule, found.pointer) == (DescriptionRule.CONFLICT, "/types/ok")
    long = {"a": record("A") | {"identity": "k." + "A" * 17_000_000}}
    found = checked(served, view(long, bind={"T": named("a")}, ok=named("a")), UNIT)
    assert isinstance(found, DescriptionProblem)
    assert (found.rule, found.pointer) == (DescriptionRule.LIMIT, "/types/ok")


def test_many_declarations_are_compared_in_time() -> None:
    count = 3_000
    served_map = {
        f"s{n}": record(f"R{n}", a=named(f"s{(n + 1) % count}") if n else {"List": named("s1")}) for n in range(count)
    }
    served_map["s1"] = record("R1", a={"List": named("s0")}, b={"Option": named("s2")})
    given_map = json.loads(json.dumps(served_map).replace('"s', '"v'))
    served = spec(served_map, "T", v={"List": named("s0")}, w=param("tool"))
    with not_hopeless():
        types = view(given_map, bind={"T": "Int"}, v={"List": named("v0")}, w="Int")
        assert isinstance(checked(served, types, UNIT), CallView)
