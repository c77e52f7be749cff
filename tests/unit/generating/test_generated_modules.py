"""Whole modules: as they were accepted, imported, named, and the same whenever they are made."""

from __future__ import annotations

import dataclasses
import json
import typing
from pathlib import Path
from typing import Any

import pytest
from strategies.flow_workspaces import FOLDER, FileMap, check_all
from support.descriptions import enum, named, param, record, spec
from support.generated import generated, imported, listing_of

from flow_lsp.descriptions.listing import ListingSpecs, read_listing
from flow_lsp.descriptions.spec import read_spec
from flow_lsp.signature.signature import served_fingerprint
from flow_lsp.source.listing import tools_listing
from flow_lsp.types.terms import TypeSpec
from flow_lsp.values.strict_json import read_json

EXPECTED = Path(__file__).parent / "expected"


def listed(text: str, **others: str) -> Any:
    """The listing of `a.flow`, and of other files."""
    files = {"a.flow": text, **{f"{name}.flow": other for name, other in others.items()}}
    return tools_listing(check_all(FileMap(files)), FOLDER)


def one(json_spec: Any, identity: str = "k.find") -> Any:
    """The listing of one Tool with the TypeSpec that `json_spec` writes."""
    read = read_spec(json_spec)
    assert isinstance(read, TypeSpec), read
    return listing_of({identity: read})


def body(listing: Any) -> str:
    """The classes and functions of the module."""
    text = generated(listing).module
    return text[text.index("\n\n\n") : text.index("# What describe")]


def test_a_module_and_its_stub_are_as_they_were_accepted() -> None:
    text = (EXPECTED / "shop.flow").read_text("utf-8")
    made = generated(tools_listing(check_all(FileMap({"shop.flow": text})), FOLDER))
    assert made.module == (EXPECTED / "shop.py.txt").read_text("utf-8")
    assert made.main() == (EXPECTED / "shop_main.py.txt").read_text("utf-8")
    assert (made.name, made.tools, made.types) == ("flow_tools", 3, 6)


def test_the_same_declarations_give_the_same_bytes_wherever_they_stand_and_however_the_listing_is_sorted() -> None:
    text = (EXPECTED / "shop.flow").read_text("utf-8")
    before = generated(listed(text)).module
    assert generated(listed("// moved\n\n" + text.replace("record Order", "record   Order"))).module == before
    canonical = json.dumps(listed(text), sort_keys=True)
    assert generated(read_json(canonical)).module == before


def test_a_module_answers_describe_and_holds_what_it_was_generated_from() -> None:
    listing = listed((EXPECTED / "shop.flow").read_text("utf-8"))
    program = imported(generated(listing).module).PROGRAM
    described = read_json(program.describe)
    assert isinstance(described, list)
    for entry, tool in zip(described, listing["tools"], strict=True):
        assert isinstance(entry, dict)
        assert set(entry) == {"tool", "fingerprint", "signature"}
        assert entry["tool"] == tool["tool"]
        assert entry["fingerprint"] == tool["fingerprint"] == served_fingerprint(entry["signature"])
    kept = read_json(program.listing)
    assert isinstance(kept, dict)
    assert kept["data"] == "0.1"
    read, own = read_listing(kept), read_listing(listing)
    assert isinstance(read, ListingSpecs)
    assert isinstance(own, ListingSpecs)
    assert [tool.params for tool in read.specs] == [
        tuple(dataclasses.replace(param, doc=None) for param in tool.params) for tool in own.specs
    ]
    assert list(program.classes) == ["a.Order", "a.Page", "a.Problem", "a.Either", "a.Nothing"]
    assert program.methods["a.find"] == ("find", ("query", "from_"))


def test_values_are_made_compared_and_never_changed() -> None:
    module = imported(generated(listed((EXPECTED / "shop.flow").read_text("utf-8"))).module)
    slow = module.ProblemSlow(1)
    assert slow == module.ProblemSlow(1)
    assert hash(slow) == hash(module.ProblemSlow(1))
    assert repr(module.ProblemRefused(code=1)) == "ProblemRefused(code=1, reason=None)"
    assert not hasattr(slow, "__dict__")
    with pytest.raises(dataclasses.FrozenInstanceError):
        slow.value = 2
    assert module.EitherLeft[int, str](1) == module.EitherLeft(1)
    assert typing.get_args(module.Problem) == tuple(module.PROGRAM.classes["a.Problem"])
    with pytest.raises(module.FindFailed) as raised:
        raise module.FindFailed(module.ProblemOffline())
    assert raised.value.error == module.ProblemOffline()


# -- names --------------------------------------------------------------------------------------------------------


def names(listing: Any) -> list[str]:
    """The names of the classes and aliases, in their order."""
    module = imported(generated(listing).module)
    own = [name for name, value in vars(module).items() if getattr(value, "__module__", "") == module.__name__]
    return [name for name in own if name not in ("Tools", "serve")]


def test_types_of_one_name_are_told_apart_by_their_files_and_no_more_than_needed() -> None:
    text = "import ./types\nimport ./deep/types as far\nrecord Hit { a: Int }\nrecord Alone { b: far.Only }\n"
    tool = "@tool fn find(a: Hit, b: types.Hit, c: far.Hit, d: Alone) -> Result<Int, Never>\n"
    types = "record Hit { a: Text }\nrecord Only { x: Int }\n"
    listing = tools_listing(
        check_all(FileMap({"a.flow": text + tool, "types.flow": types, "deep/types.flow": types})), FOLDER
    )
    assert sorted(names(listing)) == ["AHit", "Alone", "DeepTypesHit", "Only", "TypesHit"]


def test_tools_of_one_name_are_told_apart_by_their_files() -> None:
    tool = "@tool fn find(a: Int) -> Result<Int, Text>\n@tool fn {0}(a: Int) -> Result<Int, Never>\n"
    text = body(listed(tool.format("one"), b=tool.format("two")))
    for name in ("a_find", "b_find", "one", "two"):
        assert f"    def {name}(self, a: int) -> " in text
    assert "class AFindFailed(ToolFailed):" in text
    assert "class BFindFailed(ToolFailed):" in text


def test_a_second_declaration_of_one_name_in_a_file_is_called_by_its_ordinal() -> None:
    first, second = record("Hit", a="Int"), record("Hit", b="Int") | {"lexical_ordinal": 2}
    assert names(one(spec({"x": first, "y": second}, a=named("x"), b=named("y")))) == ["Hit", "Hit2"]
    taken = record("Hit2", b="Int")
    found = names(one(spec({"x": taken, "y": second}, a=named("x"), b=named("y"))))
    assert found == ["Hit2", "KHit2"]
    huge = record("Hit", b="Int") | {"lexical_ordinal": 10**4000}
    assert names(one(spec({"x": huge}, a=named("x"))))[0].startswith("Hitx")


def test_what_is_made_of_a_types_name_gives_way_to_types() -> None:
    types = {"p": enum("Sky", Clear=None, clear=None, clear_=[]), "q": record("SkyClear"), "r": record("FindFailed")}
    found = names(one(spec(types, ok={"Tuple": [named("q"), named("r")]}, err=named("p"))))
    assert {"SkyClear", "FindFailed", "Sky_Clear", "Sky_clear", "FindToolFailed"} <= set(found)
    assert len(set(found)) == 6


def test_names_that_are_put_together_are_compared_as_python_reads_them() -> None:
    many = enum("X", **{"\u0301": None, "Casé": None, "Case": None})
    program = imported(generated(one(spec({"x": many}, a=named("x")))).module).PROGRAM
    assert [made.__name__ for made in program.classes["x"]] == ["X_Case_\u0301", "XCasé", "XCase"]


def test_names_of_the_module_itself_and_of_python_are_left_to_them() -> None:
    types = {name: record(name, x="Int") for name in ("Tools", "hash", "Decimal", "PROGRAM", "None", "Warning", "Set")}
    roots = {f"p{number}": named(name) for number, name in enumerate(types)}
    expected = ["Tools_", "hash_", "Decimal_", "PROGRAM_", "None_", "Warning", "Set"]
    assert names(one(spec(types, **roots))) == expected


def test_members_hide_nothing_that_annotations_name() -> None:
    types = {"h": record("Hit", int="Text", x="Int", Hit={"List": named("h")}, T="Int"), "i": record("Item", Hit="Int")}
    text = body(one(spec(types, a=named("h"), b=named("i"))))
    assert "    int_: str  # in Flow: int\n    x: int\n    Hit_: tuple[Hit, ...]  # in Flow: Hit\n    T: int\n" in text
    assert "class Item:\n    Hit: int\n" in text
    generic = body(one(spec({"b": record("Box", "T", T=param("b"))}, a=named("b", "Int"))))
    assert "class Box(Generic[T]):\n    T_: T  # in Flow: T\n" in generic


def test_positional_parts_are_called_by_their_places() -> None:
    many = enum("Many", One=["Int"], Two=["Int", "Text"], Ten=["Int"] * 10, Zero=[])
    program = imported(generated(one(spec({"m": many}, a=named("m")))).module).PROGRAM
    words = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "part_9", "part_10")
    assert program.attributes == {"m": (("value",), ("first", "second"), words, ())}


def test_wire_names_stay_exact_in_what_the_process_answers_by() -> None:
    text = generated(one(spec({"m": record("ﬁnd", **{"a-b": "Int", "_x": "Int", "名": "Text"})}, a=named("m")))).module
    module = imported(text)
    assert module.PROGRAM.attributes == {"m": ("a_b", "x_", "名")}
    assert module.PROGRAM.classes == {"m": module.find}
    kept = json.loads(module.PROGRAM.listing)
    assert [field["name"] for field in kept["types"]["m"]["fields"]] == ["a-b", "_x", "名"]
    assert kept["types"]["m"]["name"] == "ﬁnd"
    assert '"\\ufb01nd"' not in text.split("# What describe")[0]


# -- forms --------------------------------------------------------------------------------------------------------


def test_an_option_is_wrapped_exactly_where_codecs_wrap_it() -> None:
    options = record(
        "Options", "T",
        a={"Option": "Int"}, b={"Option": param("o")}, c={"Option": {"Option": "Int"}}, d={"Option": "Unit"},
        e={"Option": "json.Value"}, f={"Option": "Never"}, g={"List": {"Option": param("o")}},
    )  # fmt: skip
    text = body(one(spec({"o": options}, "T", a=named("o", "Int"), b={"Option": param("tool")})))
    for line in (
        "    a: int | None\n",
        "    b: Some[T] | None\n",
        "    c: Some[int | None] | None\n",
        "    d: Some[None] | None\n",
        "    e: Some[JsonValue] | None\n",
        "    f: None\n",
        "    g: tuple[Some[T] | None, ...]\n",
        "b: Some[Carrier[T]] | None",
    ):
        assert line in text


def test_only_options_behind_which_nothing_is_needed_may_be_left_out() -> None:
    text = body(one(spec({"r": record("R", a={"Option": "Int"}, b="Int", c={"Option": "Int"})}, x=named("r"))))
    assert "    a: int | None\n    b: int\n    c: int | None = None\n" in text


def test_what_is_no_data_is_described_alone() -> None:
    phantom = enum("Phantom", "T", Only=None)
    secret = {**record("Secret", "T"), "kind": "nondata"}
    del secret["fields"]
    token = {**secret, "name": "Token", "kind": "host", "identity": "k.Token"}
    types = {"p": phantom, "s": secret, "t": token}
    text = body(one(spec(types, a=named("p", named("s", "Int")), b=named("t", "Int"))))
    assert 'class Secret:\n    """Secret, which is no data: no value of it crosses."""\n' in text
    assert "def find(self, a: Phantom[Secret], b: Token) -> None | Awaitable[None]:" in text


def test_nothing_is_nested_deeper_than_python_reads() -> None:
    deep: Any = "Int"
    for _ in range(120):
        deep = {"List": deep}
    assert imported(generated(one(spec(ok=deep, a={"Option": deep}))).module)


def test_an_enum_of_very_many_constructors_is_one_flat_union() -> None:
    many = enum("Many", **{f"C{number}": None for number in range(3_000)})
    module = imported(generated(one(spec({"m": many}, a=named("m")))).module)
    assert len(typing.get_args(module.Many)) == 3_000


def test_failures_are_there_where_an_error_can_be_and_generic_where_it_is() -> None:
    listing = listed("@tool fn a(x: Int) -> Result<Int, Never>\n@tool fn b<T>(x: T) -> Result<Int, List<T>>\n")
    module = imported(generated(listing).module)
    assert not hasattr(module, "AFailed")
    assert module.BFailed([1]).error == [1]
    assert "class BFailed(ToolFailed, Generic[T]):" in generated(listing).module


# -- stubs --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("err", "raised"),
    [
        ("Never", 'NotImplementedError("find is not implemented yet.")'),
        ("Text", 'FindFailed("find is not implemented yet.")'),
        ("json.Value", 'FindFailed("find is not implemented yet.")'),
        ("Unit", "FindFailed(None)"),
        ("Int", 'NotImplementedError("find is not implemented yet.")'),
        (named("r"), 'NotImplementedError("find is not implemented yet.")'),
        (named("e"), "FindFailed(EEmpty())"),
        (named("t"), 'FindFailed(TOther("find is not implemented yet."))'),
        (named("n"), 'NotImplementedError("find is not implemented yet.")'),
    ],
)
def test_a_stub_raises_the_declared_error_where_a_first_value_is_obvious(err: Any, raised: str) -> None:
    types = {
        "r": record("R", a="Int"),
        "e": enum("E", Slow=["Int"], Empty=None),
        "t": enum("T", Slow=["Int"], Other={"reason": "Text"}),
        "n": enum("N", Slow=["Int"]),
    }
    held = {err["Named"]["declaration"]: types[err["Named"]["declaration"]]} if isinstance(err, dict) else {}
    assert f"        raise {raised}\n" in generated(one(spec(held, err=err))).main()


def test_a_stub_beside_a_vendored_toolkit_imports_it_as_a_sorter_does() -> None:
    made = generated(one(spec(ok="json.Value")))
    apart = "from flow_lsp.toolkit import JsonValue\n\nfrom flow_tools import serve\n"
    assert apart in made.main()
    assert apart.replace("\n\n", "\n") in made.main(vendored=True)
