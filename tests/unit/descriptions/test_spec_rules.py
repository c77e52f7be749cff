"""Every rule of a TypeSpec: what is refused, where, and in which words."""

from __future__ import annotations

import json
from typing import Any

import pytest
from support.bounds import not_hopeless
from support.descriptions import enum, fields, function, named, param, record, spec, template

from flow_lsp.descriptions.problems import DescriptionProblem, DescriptionRule
from flow_lsp.descriptions.spec import read_declarations, read_spec, validated
from flow_lsp.types.shapes import spec_from_json
from flow_lsp.types.terms import Template, TypeSpec
from flow_lsp.values.strict_json import read_json

NO_DOC = {"name": "R", "identity": "k.R", "lexical_ordinal": 1, "generic": [], "opaque": False, "kind": "host"}


def exact(value: Any) -> Any:
    """`value` with its numbers as the strict reader gives them."""
    return read_json(json.dumps(value))


def problem(value: Any) -> DescriptionProblem:
    """What is wrong with a TypeSpec; also with the same one that was read by its shape alone."""
    found = read_spec(exact(value))
    assert isinstance(found, DescriptionProblem), found
    joined = spec_from_json(exact(value))
    if isinstance(joined, TypeSpec):
        assert validated(joined) == found
    return found


CASES: list[tuple[str, Any, str, str]] = [
    # shapes
    ("shape", [], "", "A TypeSpec is expected here, and this is no object."),
    ("shape", spec({"r": NO_DOC}, ok=named("r")), "/declarations/r",
     "In the declaration `R`: a template needs the member `doc`."),
    ("shape", spec({"r": 1}), "/declarations/r",
     "In the declaration `r`: a template is expected here, and this is no object."),
    ("shape", spec({"a/b": record("R", f={"List": 1})}), "/declarations/a~1b/fields/0/type/List",
     "In the field `f` of `R`: a term is a string or an object of one member."),
    ("shape", spec({"e": enum("E", C={"p": 1})}), "/declarations/e/constructors/0/payload/named/0/type",
     "In the part `p` of the constructor `C` of `E`: a term is a string or an object of one member."),
    ("shape", spec(ok=None), "/ok", "In the success type: a term is a string or an object of one member."),
    # terms
    ("term", spec(x="int"), "/params/0/type", "In the parameter `x`: `int` is no primitive type."),
    ("term", spec(err={"Map": "Int"}), "/err", "In the error type: `Map` is no kind of type."),
    ("term", spec({"r": template("R", "struct")}), "/declarations/r/kind",
     "In the declaration `R`: `struct` is no kind of declaration."),
    ("term", spec({"e": enum("E", A=None) | {"constructors": [{"name": "A", "doc": None, "payload": {"tuple": []}}]}}),
     "/declarations/e/constructors/0/payload", "In the constructor `A` of `E`: `tuple` is no kind of payload."),
    # names
    ("duplicate", spec(None, "T", "U", "T"), "/generic/2", "The name `T` stands twice among the type parameters."),
    ("duplicate", spec(None, "T", "Int"), "/generic/1",
     "A type parameter may not be called `Int`, which is the name of a primitive type."),
    ("duplicate", {**spec(), "params": [{"name": "x", "type": "Int"}, {"name": "x", "type": "Text"}]}, "/params/1/name",
     "In the parameter `x`: the name `x` stands twice among the parameters."),
    ("duplicate", spec({"r": record("R", "T", "T")}, ok=named("r", "Int", "Int")), "/declarations/r/generic/1",
     "In the declaration `R`: the name `T` stands twice among the type parameters."),
    ("duplicate", spec({"r": template("R", "record", fields=fields(a="Int") * 2)}, ok=named("r")),
     "/declarations/r/fields/1/name", "In the field `a` of `R`: the name `a` stands twice among the fields."),
    ("duplicate", spec({"e": template("E", "enum", constructors=enum("E", A=None)["constructors"] * 2)}, ok=named("e")),
     "/declarations/e/constructors/1/name",
     "In the constructor `A` of `E`: the name `A` stands twice among the constructors."),
    ("duplicate", spec({"e": template("E", "enum", constructors=[
        {"name": "A", "doc": None, "payload": {"named": fields(p="Int") * 2}}])}, ok=named("e")),
     "/declarations/e/constructors/0/payload/named/1/name",
     "In the part `p` of the constructor `A` of `E`: the name `p` stands twice among the parts of the payload."),
    ("owner", spec({"tool": record("R")}, ok=named("tool")), "/declarations/tool",
     "In the declaration `R`: no local id is `tool`, which owns the Tool's type parameters."),
    # references and arity, everywhere
    ("reference", spec(x={"Task": named("q")}), "/params/0/type/Task/Named/declaration",
     "In the parameter `x`: there is no declaration `q`."),
    ("reference", spec(ok=function("Int", {"Dict": ["Int", named("q")]})),
     "/ok/Function/params/1/Dict/1/Named/declaration",
     "In the success type: there is no declaration `q`."),
    ("reference", spec(err=function(result={"Tuple": ["Int", {"Option": named("q")}]})),
     "/err/Function/result/Tuple/1/Option/Named/declaration", "In the error type: there is no declaration `q`."),
    ("reference", spec({"p": record("P", "T")}, ok=named("p", {"Set": named("q")})),
     "/ok/Named/args/0/Set/Named/declaration", "In the success type: there is no declaration `q`."),
    ("reference", spec({"e": enum("E", A=None, B=["Int", named("q")])}, ok=named("e")),
     "/declarations/e/constructors/1/payload/positional/1/Named/declaration",
     "In the constructor `B` of `E`: there is no declaration `q`."),
    ("reference", spec({"e": enum("E", A={"n": "Int"}, B={"o": "Int", "p": named("q")})}, ok=named("e")),
     "/declarations/e/constructors/1/payload/named/1/type/Named/declaration",
     "In the part `p` of the constructor `B` of `E`: there is no declaration `q`."),
    ("arity", spec({"p": record("P", "T")}, ok=named("p")), "/ok/Named/args",
     "In the success type: `P` takes 1 type argument, and 0 are given."),
    ("arity", spec({"p": record("P", f=named("p", "Int"))}, ok=named("p")), "/declarations/p/fields/0/type/Named/args",
     "In the field `f` of `P`: `P` takes 0 type arguments, and 1 is given."),
    ("arity", spec(ok={"Dict": ["Int"]}), "/ok/Dict",
     "In the success type: a Dict has exactly two parts: its keys' type and its values'."),
    # parameters
    ("owner", spec({"p": record("P", "T")}, ok={"List": param("p")}), "/ok/List/Param/owner",
     "In the success type: a type parameter here is owned by `tool`, and not by `p`."),
    ("owner", spec({"p": record("P", "T", f=param("tool"))}, "T", ok=named("p", param("tool"))),
     "/declarations/p/fields/0/type/Param/owner",
     "In the field `f` of `P`: a type parameter here is owned by `p`, and not by `tool`."),
    ("index", spec(None, "T", ok=param("tool", 1)), "/ok/Param/index",
     "In the success type: `tool` has 1 type parameter, counted from 0, and none of the index 1."),
    ("index", spec(None, "T", ok=param("tool", 10**400)), "/ok/Param/index",
     f"In the success type: `tool` has 1 type parameter, counted from 0, and none of the index 1{'0' * 78}…."),
    ("index", spec({"p": record("P", f=param("p"))}, ok=named("p")), "/declarations/p/fields/0/type/Param/index",
     "In the field `f` of `P`: `p` has 0 type parameters, counted from 0, and none of the index 0."),
    # the whole
    ("conflict", spec({"a": record("R"), "b": record("R", x="Int")}, x=named("a"), ok=named("b")), "/declarations/b",
     "In the declaration `R`: the identity `k.R` with the lexical_ordinal 1 is that of `a` already."),
    ("extra", spec({"a": record("A"), "b": record("B", f=named("b"))}, ok=named("a")), "/declarations/b",
     "In the declaration `B`: nothing reaches this declaration."),
    ("recursion", spec({"p": record("P", "T", f={"Option": named("p", {"List": param("p")})})}, ok=named("p", "Int")),
     "/declarations/p/fields/0/type",
     "In the field `f` of `P`: ever new types are needed: `P` leads to `P`, each time with larger arguments."),
    ("recursion", spec({"a": record("A", n="Int", f=named("b")), "b": record("B", f={"Tuple": ["Int", named("a")]})},
                       ok={"List": named("a")}),
     "/declarations/a/fields/1/type",
     "In the field `f` of `A`: no value can ever be made: `A` contains `B` contains `A`, with no List, Set, Dict, "
     "Option or enum between."),
    ("recursion", spec({"a": record("A", f=named("p", named("a"))), "p": record("P", "T", v=param("p"))},
                       ok=named("a")),
     "/declarations/a/fields/0/type",
     "In the field `f` of `A`: no value can ever be made: `A` contains `A`, with no List, Set, Dict, Option or enum "
     "between."),
    ("order", spec(ok={"Set": "json.Value"}), "/ok",
     "In the success type: a Set's item must have an order, and json.Value has none."),
    ("order", spec({"h": template("H", "host"), "r": record("R", f={"List": named("h")})},
                   x={"Dict": [named("r"), "Int"]}),
     "/params/0/type",
     "In the parameter `x`: a Dict's key must have an order, and the host type H (in `R`) has none."),
    ("order", spec({"p": record("P", "T", s={"Set": param("p")})}, ok=named("p", {"Task": "Int"})), "/ok",
     "In the success type: a Set's item must have an order, and a Task has none."),
    ("order", spec({"p": record("P", "T", s={"Set": param("p")}), "r": record("R", f=named("p", named("x"))),
                    "x": template("X", "nondata")}, ok=named("r")), "/declarations/r/fields/0/type",
     "In the field `f` of `R`: a Set's item must have an order, and the type X, which is no data, has none."),
]  # fmt: skip


@pytest.mark.parametrize(("rule", "value", "pointer", "sentence"), CASES, ids=[f"{c[0]}-{c[2]}" for c in CASES])
def test_what_is_refused(rule: str, value: Any, pointer: str, sentence: str) -> None:
    found = problem(value)
    assert (found.rule, found.pointer, found.sentence) == (DescriptionRule(rule), pointer, sentence)


@pytest.mark.parametrize(
    "value",
    [
        spec(None, "T", x={"Set": param("tool")}),
        spec({"p": record("P", "T")}, ok=named("p", {"Tuple": [function("Int"), {"Task": "Int"}]})),
        spec({"p": record("P", "T", f={"List": named("p", param("p"))})}, ok=named("p", named("p", "Int"))),
        spec({"p": record("P", "A", "B", f={"List": named("p", param("p", 1), param("p"))})},
             ok=named("p", "Int", "Text")),
        spec({"a": record("R"), "b": record("R") | {"lexical_ordinal": 2}}, x=named("a"), ok=named("b")),
        spec({"a": record("R"), "b": record("R") | {"identity": "k@2.R"}}, x=named("a"), ok=named("b")),
        spec({"e": enum("E", A={"x": "Int"}, B={"x": "Int"}, x=None)}, ok=named("e")),
        spec({"r": record("R", e=named("e")), "e": enum("E", Only=[named("r")])}, ok=named("r")),
        spec({"": record("", **{"": "Int"})}, **{"": named("")}),
    ],
)  # fmt: skip
def test_what_is_valid(value: Any) -> None:
    found = read_spec(exact(value))
    assert isinstance(found, TypeSpec), found


def test_the_first_thing_that_is_wrong_is_said() -> None:
    twice = spec({"p": record("P", "T", f=named("q")), "q2": record("Q")}, x=named("p"), ok=named("q3"))
    assert problem(twice).pointer == "/params/0/type/Named/args"


def test_of_a_long_way_the_ends_are_named() -> None:
    ring = {f"r{index}": record(f"R{index}", f=named(f"r{(index + 1) % 30}")) for index in range(30)}
    found = problem(spec(ring, ok=named("r0")))
    way = "`R0` contains `R1` contains `R2` contains `R3` contains … contains `R28` contains `R29` contains `R0`"
    assert way in found.sentence


def test_too_many_instances_are_refused_in_time() -> None:
    """Every permutation of nine arguments: 9! instances, with no argument larger than its parameter."""
    count = 9
    names = tuple(f"T{index}" for index in range(count))
    turned = [param("p", index) for index in [*range(1, count), 0]]
    swapped = [param("p", index) for index in [1, 0, *range(2, count)]]
    members = {"a": {"Option": named("p", *turned)}, "b": {"Option": named("p", *swapped)}}
    arguments: list[Any] = ["Int", "Text", "Bool", "Bytes", "Unit", "Decimal", "Instant", "Duration", "Never"]
    with not_hopeless():
        found = problem(spec({"p": record("P", *names, **members)}, ok=named("p", *arguments)))
    assert (found.rule, found.pointer) == (DescriptionRule.LIMIT, "")
    assert found.sentence == "More than 10000 instances of generic types are reached."


def test_many_declarations_are_no_instances_too_many() -> None:
    count = 12_000
    chain = {f"r{index}": record(f"R{index}", f=named(f"r{index + 1}")) for index in range(count)}
    chain[f"r{count}"] = record("Last", "T", f=param(f"r{count}"))
    chain[f"r{count - 1}"] = record("Before", f=named(f"r{count}", "Int"))
    assert isinstance(read_spec(exact(spec(chain, ok=named("r0")))), TypeSpec)


def test_types_that_were_joined_too_deep_are_refused() -> None:
    from flow_lsp.types.terms import ListOf, Primitive, Term

    term: Term = Primitive.INT
    for _ in range(5_000):
        term = ListOf(term)
    found = validated(TypeSpec((), (), term, Primitive.NEVER, {}))
    assert found is not None
    assert found.rule is DescriptionRule.SHAPE
    assert found.sentence == "In the success type: this type is nested more than 128 deep."


def test_a_map_alone_is_judged_by_the_rules_that_need_no_roots() -> None:
    apart = {"a": record("R", s={"Set": named("h")}), "b": record("R", f=named("b")), "h": template("H", "host")}
    found = read_declarations(exact(apart))
    assert not isinstance(found, DescriptionProblem)
    assert list(found) == ["a", "b", "h"]
    assert isinstance(found["a"], Template)


@pytest.mark.parametrize(
    ("rule", "value", "pointer", "sentence"),
    [
        ("shape", [], "", "The declarations are no object."),
        ("shape", {"a": {}}, "/a", "In the declaration `a`: a template needs the member `name`."),
        ("owner", {"tool": record("R")}, "/tool",
         "In the declaration `R`: no local id is `tool`, which owns the Tool's type parameters."),
        ("duplicate", {"a/": record("R", "T", "T")}, "/a~1/generic/1",
         "In the declaration `R`: the name `T` stands twice among the type parameters."),
        ("reference", {"a": record("R", f=named("b"))}, "/a/fields/0/type/Named/declaration",
         "In the field `f` of `R`: there is no declaration `b`."),
        ("recursion", {"p": record("P", "T", f={"List": named("p", {"List": param("p")})})}, "/p/fields/0/type",
         "In the field `f` of `P`: ever new types are needed: `P` leads to `P`, each time with larger arguments."),
    ],
)  # fmt: skip
def test_what_a_map_alone_is_refused_for(rule: str, value: Any, pointer: str, sentence: str) -> None:
    found = read_declarations(exact(value))
    assert found == DescriptionProblem(DescriptionRule(rule), pointer, sentence)


def test_names_from_outside_are_cut_and_made_visible() -> None:
    found = problem(spec({"r\u202e": record("N" * 200, **{"f\n": named("x" * 200)})}, ok=named("r\u202e")))
    assert found.sentence.isprintable()
    assert found.sentence == f"In the field `f\\n` of `{'N' * 79}…`: there is no declaration `{'x' * 79}…`."
