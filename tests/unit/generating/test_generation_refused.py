"""What is generated from nothing: listings with a fault in anything that is used of them, with all reasons."""

from __future__ import annotations

from typing import Any

import pytest
from strategies.flow_workspaces import FOLDER, FileMap, check_all
from support.descriptions import enum, function, named, param, record, spec, template
from support.generated import generated, listing_of, reasons

from flow_lsp.descriptions.spec import read_spec
from flow_lsp.generating.generate import generate, module_name_problem
from flow_lsp.source.listing import tools_listing
from flow_lsp.types.terms import TypeSpec


def listed(text: str) -> Any:
    """The listing of one file."""
    return tools_listing(check_all(FileMap({"a.flow": text})), FOLDER)


def one(json: Any, name: str = "k.find") -> Any:
    """The listing of one Tool with the TypeSpec that `json` writes."""
    read = read_spec(json)
    assert isinstance(read, TypeSpec), read
    return listing_of({name: read})


FIND = "record Hit { title: Text }\n@tool\nfn find(query: Text) -> Result<Hit, Never>\n"


def changed(**members: Any) -> Any:
    """A good listing with the first Tool's entry changed; None takes a member away."""
    found = listed(FIND)
    for name, value in members.items():
        if value is ...:
            del found["tools"][0][name]
        else:
            found["tools"][0][name] = value
    return found


@pytest.mark.parametrize(
    ("listing", "sentence"),
    [
        ([], "A tools listing is expected, and this is no object."),
        ({"data": "0.1", "tools": [], "types": {}}, "A tools listing needs the member `problems`."),
        (listed("") | {"problems": {}}, "The member `problems` of a tools listing is an array."),
        (listed(""), "The listing has no Tool, so there is nothing to generate."),
        (
            listed(FIND) | {"data": "1.0"},
            "The listing has the data version `1.0`, and this is generated from 0.1 alone.",
        ),
        (listed(FIND) | {"data": 0}, "The listing has the data version `0`"),
        (listed(FIND) | {"tools": {}}, "An array is expected here. (at /tools)"),
        (listed(FIND) | {"tools": [1]}, "An entry of a tools listing is expected here"),
        (listed(FIND) | {"types": {}}, "In the success type of the Tool `find`: there is no declaration `a.Hit`."),
        (changed(fingerprint="sha256:0"), "is listed with the fingerprint `sha256:0`, and its types come to `sha256:"),
        (changed(fingerprint=...), "The entry 1 of the listing's tools needs the member `fingerprint`."),
        (changed(doc=...), "The entry 1 of the listing's tools needs the member `doc`."),
        (changed(doc=1), "The doc of the Tool `find` is a string or null."),
        (changed(name=1), "The members `tool`, `name` and `fingerprint` of the listing's entry 1 are strings."),
        (changed(name="other"), "The Tool with the identity `a.find` cannot be called `other`."),
        (changed(tool="find"), "The identity `find` of the Tool `find` is none."),
        (changed(ok="Nope"), "`Nope` is no primitive type."),
        (changed(params=...), "In the Tool `find`: an entry of a tools listing needs the member `params`."),
    ],
)
def test_each_part_that_is_used_is_judged(listing: Any, sentence: str) -> None:
    (reason,) = reasons(listing)
    assert sentence in reason


def test_problems_are_said_with_their_places_and_everything_at_once() -> None:
    problem = {"file": "a.flow", "line": 3, "message": "It is wrong.\x1b"}
    found = reasons(listed(FIND) | {"problems": [problem, problem, 7], "data": "7"})
    assert found[0].startswith("The listing has the data version `7`")
    assert found[1:3] == ("a.flow:3: It is wrong.\\x1b",) * 2
    assert found[3] == "The listing has a problem in a form that is not known."


def test_no_more_reasons_are_said_than_anybody_reads() -> None:
    problem = {"file": "a.flow", "line": 3, "message": "It is wrong."}
    found = reasons(listed(FIND) | {"problems": [problem] * 1_000})
    assert len(found) == 51
    assert found[-1] == "There are 950 more reasons."


def test_two_entries_of_one_identity_are_refused() -> None:
    found = listed(FIND)
    found["tools"] *= 2
    assert reasons(found) == ("The listing has 2 Tools of the identity `a.find`.",)


def test_what_cannot_cross_is_refused_of_every_tool_by_its_root() -> None:
    opaque = record("Key", id="Text") | {"opaque": True}
    holder = record("Holder", "T", value=param("h"))
    types = {"k": opaque, "h": holder}
    specs = {
        "k.a": spec(ok="Int", f=function("Int")),
        "k.b": spec({"k": opaque}, ok=named("k"), key=named("k")),
        "k.c": spec(types, ok="Int", err={"List": named("h", named("k"))}),
        "k.d": spec({"n": template("Secret", "nondata")}, ok=named("n")),
        "k.e": spec(ok={"Task": "Int"}),
    }
    read = {name: read_spec(each) for name, each in specs.items()}
    assert reasons(listing_of(read)) == (  # type: ignore[arg-type]
        "In the parameter `f` of the Tool `a`: a value would hold a function, and that has no encoding.",
        "In the success type of the Tool `b`: a value would hold Key, which is opaque, and is built from no reply.",
        "In the error type of the Tool `c`: a value would hold Key, which is opaque, and is built from no reply.",
        "In the success type of the Tool `d`: a value would hold Secret, which is no data, and that has no encoding.",
        "In the success type of the Tool `e`: a value would hold a Task, and that has no encoding.",
    )


def test_an_opaque_type_may_be_taken_and_a_function_may_be_an_argument_that_no_value_holds() -> None:
    opaque = record("Key", id="Text") | {"opaque": True}
    phantom = enum("Phantom", "T", Only=None)
    module = generated(
        one(spec({"k": opaque, "p": phantom}, ok=named("p", function("Int", result={"Task": "Text"})), key=named("k")))
    ).module
    assert "def find(\n        self, key: Key\n    ) -> Phantom[Callable[[int], Awaitable[str]]] | " in module


@pytest.mark.parametrize("name", ["", "a-b", "class", "größe", "main", "flow_lsp", "json", "typing", "a.b", "1"])
def test_a_module_has_a_name_that_hides_nothing(name: str) -> None:
    assert module_name_problem(name) is not None
    with pytest.raises(ValueError, match="module"):
        generate(listed(FIND), name)


def test_other_modules_may_be_called_as_authors_like() -> None:
    assert module_name_problem("weather_types") is None
    assert generate(listed(FIND), "weather_types").main().count("from weather_types import ") == 1  # type: ignore[union-attr]
