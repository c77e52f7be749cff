"""What a caller sends with a generic call."""

from __future__ import annotations

from typing import Any

from support.descriptions import enum, named, param, record, spec, template

from flow_lsp.descriptions.calls import call_view
from flow_lsp.descriptions.problems import DescriptionProblem, DescriptionRule
from flow_lsp.descriptions.spec import read_declarations, read_spec
from flow_lsp.descriptions.view import check_view
from flow_lsp.types.shapes import call_view_to_json, term_from_json
from flow_lsp.types.terms import Term, TypeSpec


def sent(served: Any, bindings: list[Any], declarations: Any) -> tuple[Any, Any] | DescriptionProblem:
    """The JSON of both members of a call; what is sent is accepted."""
    valid, own = read_spec(served), read_declarations(declarations)
    assert isinstance(valid, TypeSpec), valid
    assert not isinstance(own, DescriptionProblem)
    terms: list[Term] = [term_from_json(term) for term in bindings]  # type: ignore[misc]
    made = call_view(valid, terms, own)
    if isinstance(made, DescriptionProblem):
        return made
    view, schema = made
    assert check_view(valid, call_view_to_json(view), schema) == view
    return call_view_to_json(view), schema


def accepted(served: Any, bindings: list[Any], declarations: Any) -> tuple[Any, Any]:
    """The same, where there is such a call."""
    made = sent(served, bindings, declarations)
    assert not isinstance(made, DescriptionProblem), made
    return made


def refused(served: Any, bindings: list[Any], declarations: Any) -> DescriptionProblem:
    """Why there is no such call."""
    made = sent(served, bindings, declarations)
    assert isinstance(made, DescriptionProblem)
    return made


BOX = record("Box", "T", v=param("a"), same={"Option": named("a", param("a"))}, c=named("b"))
SERVED = spec({"a": BOX, "b": enum("C", X=None)}, "A", v={"List": param("tool")}, ok=named("a", param("tool")))


def test_the_callers_ids_are_kept_and_the_tools_give_way() -> None:
    own = {"a": record("Mine", m=named("a~2")), "a~2": record("Other"), "unused": record("Unused")}
    types, schema = accepted(SERVED, [named("a")], own)
    assert types["bindings"] == [{"name": "A", "type": named("a")}]
    assert types["params"] == [{"name": "v", "type": {"List": named("a")}}]
    assert types["ok"] == named("a~3", named("a"))
    assert set(types["declarations"]) == {"a", "a~2", "a~3", "b"}
    box = types["declarations"]["a~3"]
    assert [field["type"] for field in box["fields"]] == [
        param("a~3"), {"Option": named("a~3", param("a~3"))}, named("b"),
    ]  # fmt: skip
    assert schema["$ref"] == "#/$defs/k.Box%3Ck.Mine%3E"
    assert set(schema["$defs"]) == {"k.Box<k.Mine>", "k.Mine", "k.Other", "k.C"}


def test_what_the_caller_declares_as_the_tool_does_is_the_callers() -> None:
    own = {"x": record("Box", "U", v=param("x"), same={"Option": named("x", param("x"))}, c=named("y")),
           "y": enum("C", X=None)}  # fmt: skip
    types, _ = accepted(SERVED, [named("x", "Int")], own)
    assert set(types["declarations"]) == {"x", "y"}
    assert types["ok"] == named("x", named("x", "Int"))
    assert types["declarations"]["x"]["generic"] == ["U"]


def test_a_private_declaration_of_another_ordinal_or_version_stands_beside() -> None:
    served = spec({"p": record("P", f="Int") | {"identity": "k@1/f.P"}}, "A", v=param("tool"), ok=named("p"))
    own = {"p": record("P", f="Int") | {"identity": "k@2/f.P"}}
    types, schema = accepted(served, [named("p")], own)
    assert types["ok"] == named("p~2")
    assert set(schema["$defs"]) == {"k@1/f.P"}


def test_nothing_is_reached_that_is_not_sent_and_the_reverse() -> None:
    served = spec({"p": record("P", "T")}, "A", "B", v=named("p", param("tool", 1)))
    types, schema = accepted(served, ["Int", {"Task": named("t")}], {"t": record("T"), "p": record("Q")})
    assert types["bindings"][1]["type"] == {"Task": named("t")}
    assert set(types["declarations"]) == {"t", "p~2"}
    assert schema == {"type": "null"}


def test_no_call_is_made_that_would_be_refused() -> None:
    plain = spec(None, "T", v=param("tool"))
    assert refused(spec(v="Int"), [], {}).sentence == "A call of a Tool that is not generic has no views."
    found = refused(plain, [], {})
    assert (found.rule, found.pointer) == (DescriptionRule.MISMATCH, "/types/bindings")
    assert found.sentence == "The Tool has 1 type parameter, and this call has 0."
    found = refused(plain, [param("tool")], {})
    assert (found.rule, found.pointer) == (DescriptionRule.OWNER, "/types/bindings/0/type/Param")
    found = refused(plain, [named("x")], {})
    assert found.rule is DescriptionRule.REFERENCE
    assert found.sentence == "In the binding `T`: there is no declaration `x`."
    found = refused(plain, [{"Task": "Int"}], {})
    assert found.sentence == "In the parameter `v`: a value would hold a Task, and that has no encoding."
    found = refused(spec(None, "T", v={"Set": param("tool")}), [named("h")], {"h": template("H", "host")})
    assert (found.rule, found.pointer) == (DescriptionRule.ORDER, "/types/params/0/type")
    found = refused(SERVED, [named("x")], {"x": enum("C", Y=None)})
    assert (found.rule, found.pointer) == (DescriptionRule.CONFLICT, "/types/declarations/x/constructors/0/name")
    assert found.sentence == "In the constructor `Y` of `C`: the Tool knows this declaration with other members."


def test_types_that_would_be_nested_too_deep_are_refused() -> None:
    deep: Any = "Int"
    for _ in range(100):
        deep = {"List": deep}
    root: Any = param("tool")
    for _ in range(100):
        root = {"Option": root}
    found = refused(spec(None, "T", v=root), [deep], {})
    assert found.rule is DescriptionRule.SHAPE
    assert found.sentence == "In the parameter `v`: this type is nested more than 128 deep."


def test_the_bindings_decide_between_two_of_the_callers_own() -> None:
    own = {"x": record("Box") | {"generic": ["T"]}, "y": BOX | {"fields": []}}
    served = spec({"a": record("Box", "T")}, "A", v=named("a", param("tool")))
    types, _ = accepted(served, [named("y", "Int")], own)
    assert set(types["declarations"]) == {"y"}
