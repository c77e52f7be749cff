"""The declaration updated to what is served: the exact texts that come out, and why there are none."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest
from support.drifting import COMMAND, MANIFEST, described_by
from support.fixing import fixed, offered
from support.snapshots import ROOT, Fixture, answered, listing

from flow_lsp.analysis.snapshot import Folder
from flow_lsp.signature.signature import served_fingerprint

TITLE = "Update the declaration to what is served"
FIND = "@tool\nfn find(a: A) -> Result<A, Never>\n"
INT, TEXT, NEVER = {"type": "integer"}, {"type": "string"}, {"not": {}}


def made(files: Mapping[str, str] | str) -> Fixture:
    texts = {"a.flow": files} if isinstance(files, str) else dict(files)
    return Fixture({**texts, **MANIFEST}, {})


def updated(here: Mapping[str, str] | str, there: Mapping[str, str] | str, **more: Any) -> Mapping[str, str]:
    """The files that change when `here` is updated to what `there` declares."""
    return fixed(made(here), "a.flow", TITLE, described=described_by(made(there)), **more)


def refused(here: Mapping[str, str] | str, signature: Mapping[str, Any], **more: Any) -> str:
    """Why `here` cannot be updated to a Tool `a.find` that is served with this signature."""
    whole = {"params": [], "ok": INT, "err": NEVER, "generic": [], **signature}
    described = {COMMAND: answered(listing(("a.find", served_fingerprint(whole), whole)))}
    found = offered(made(here), "a.flow", described=described, **more)
    (fix,) = [fix for fix in found if fix.title == TITLE]
    assert fix.change is None
    return fix.disabled


def test_docs_comments_and_style_stay_and_types_change_in_their_own_files():
    here = {
        "a.flow": (
            "import ./types.{Hit}\n\n/// Finds.\n@tool\nfn find(\n    /// What.\n    query: Text, // the words\n"
            "    limit: Int,\n) -> Result<List<Hit>, Never>\n"
        ),
        "types.flow": (
            "/// A hit.\npub record Hit {\n    /// Its title.\n    title: Text, // keep\n    old: Int,\n"
            "    score: Decimal,\n}\n"
        ),
    }
    there = {
        "a.flow": (
            "import ./types.{Hit, Page, Problem}\n@tool\n"
            "fn find(query: Text, limit: Option<Int>, after: Instant) -> Result<Page<Hit>, Problem>\n"
        ),
        "types.flow": (
            "record Hit {\n title: Text\n /// The url.\n url: Text\n score: Option<Decimal>\n}\n"
            "/// What went wrong.\nenum Problem { Offline, Refused { code: Int } }\n"
            "record Page<T> { items: List<T>, next: Option<Text> }\n"
        ),
    }
    assert updated(here, there) == {
        "a.flow": (
            "import ./types.{Hit, Page, Problem}\n\n/// Finds.\n@tool\nfn find(\n    /// What.\n"
            "    query: Text, // the words\n    limit: Option<Int>,\n    after: Instant,\n"
            ") -> Result<Page<Hit>, Problem>\n"
        ),
        "types.flow": (
            "/// A hit.\npub record Hit {\n    /// Its title.\n    title: Text, // keep\n    /// The url.\n"
            "    url: Text,\n    score: Option<Decimal>,\n}\n\n/// What went wrong.\npub enum Problem {\n"
            "    Offline,\n    Refused { code: Int },\n}\n\npub record Page<T> {\n    items: List<T>,\n"
            "    next: Option<Text>,\n}\n"
        ),
    }


@pytest.mark.parametrize(
    ("before", "served", "after"),
    [
        ("record A { x: Int }\n" + FIND, "record A { x: Text }\n" + FIND, "record A { x: Text }\n" + FIND),
        ("record A { x: (Int) }\n" + FIND, "record A { x: Text }\n" + FIND, "record A { x: (Text) }\n" + FIND),
        ("record A { x: Int, y: Int }\n" + FIND, "record A { y: Int }\n" + FIND, "record A { y: Int }\n" + FIND),
        ("record A { x: Int, y: Int }\n" + FIND, "record A { x: Int }\n" + FIND, "record A { x: Int }\n" + FIND),
        ("record A { x: Int }\n" + FIND, "record A { x: Int, y: Int }\n" + FIND,
         "record A { x: Int, y: Int }\n" + FIND),
        ("record A { x: Int }\n" + FIND, "record A { y: Int, x: Int }\n" + FIND,
         "record A { y: Int, x: Int }\n" + FIND),
        ("record A { x: Int, y: Text }\n" + FIND, "record A { y: Text, x: Int }\n" + FIND,
         "record A { y: Text, x: Int }\n" + FIND),
        ("record A {}\n" + FIND, "record A { x: Int }\n" + FIND, "record A { x: Int }\n" + FIND),
        ("record A { x: Int }\n" + FIND, "record A {}\n" + FIND, "record A {}\n" + FIND),
        ("record A {\n  x: Int\n  y: Int\n}\n" + FIND, "record A { x: Int, y: Int, z: Int }\n" + FIND,
         "record A {\n  x: Int\n  y: Int\n  z: Int\n}\n" + FIND),
        ("record A {\n  x: Int,\n  y: Int\n}\n" + FIND, "record A { x: Int, y: Int, z: Int }\n" + FIND,
         "record A {\n  x: Int,\n  y: Int,\n  z: Int\n}\n" + FIND),
        ("record A {\r\n\tx: Int,\r\n}\r\n" + FIND, "record A { x: Int, z: Int }\n" + FIND,
         "record A {\r\n\tx: Int,\r\n\tz: Int,\r\n}\r\n" + FIND),
        ("record A {\n  // of x\n  x: Int, // beside\n\n  // of y\n  y: Text,\n  // the end\n}\n" + FIND,
         "record A { y: Text, x: Int }\n" + FIND,
         "record A {\n  // of y\n  y: Text,\n  // of x\n  x: Int, // beside\n  // the end\n}\n" + FIND),
        ("record A {\n  // of x\n  x: Int, // beside\n  // of y\n  y: Text,\n}\n" + FIND,
         "record A { y: Text }\n" + FIND,
         "record A {\n  // of y\n  y: Text,\n}\n" + FIND),
        ("enum A { X, Y(Int) }\n" + FIND, "enum A { X, Y(Text), Z { a: Int } }\n" + FIND,
         "enum A { X, Y(Text), Z { a: Int } }\n" + FIND),
        ("enum A { X, Y(Int) }\n" + FIND, "enum A { Y, X(Int, Int) }\n" + FIND, "enum A { Y, X(Int, Int) }\n" + FIND),
        ("enum A { Y { a: Int, b: Int } }\n" + FIND, "enum A { Y { b: Int, c: Text } }\n" + FIND,
         "enum A { Y { b: Int, c: Text } }\n" + FIND),
        ("/// Doc.\npub opaque record A { x: Int }\n" + FIND.replace("Result<A", "Result<Int"),
         "host A\n" + FIND.replace("Result<A", "Result<Int"),
         "/// Doc.\npub host A\n" + FIND.replace("Result<A", "Result<Int")),
        ("record A { x: Int }\n" + FIND, "enum A { X }\n" + FIND, "enum A {\n    X,\n}\n" + FIND),
        ("@tool\nfn find(a: Int) -> Result<Int, Never>\n", "@tool\nfn find(b: Int) -> Result<Int, Text>\n",
         "@tool\nfn find(b: Int) -> Result<Int, Text>\n"),
        ("@tool\nfn find() -> Result<Int, Never>\n", "@tool\nfn find<T>(b: T) -> Result<T, Never>\n",
         "@tool\nfn find<T>(b: T) -> Result<T, Never>\n"),
        ("@tool\nfn find<T>(b: List<T>) -> Result<T, Never>\n", "@tool\nfn find<U>(b: List<U>) -> Result<U, Never>\n",
         "@tool\nfn find<U>(b: List<U>) -> Result<U, Never>\n"),
        ("@tool\nfn find<T, U>(a: T, b: U) -> Result<T, Never>\n", "@tool\nfn find(b: Int) -> Result<Int, Never>\n",
         "@tool\nfn find(b: Int) -> Result<Int, Never>\n"),
        ("record P<T> { x: T, y: Int }\n@tool\nfn find(a: P<Int>) -> Result<P<Text>, Never>\n",
         "record P<T> { x: List<T>, y: Text }\n@tool\nfn find(a: P<Int>) -> Result<P<Text>, Never>\n",
         "record P<T> { x: List<T>, y: Text }\n@tool\nfn find(a: P<Int>) -> Result<P<Text>, Never>\n"),
        ("@tool\nfn find() -> Result<Int, Never>\n", "import std/json\n@tool\nfn find() -> Result<json.Value, Never>\n",
         "import std/json\n\n@tool\nfn find() -> Result<json.Value, Never>\n"),
    ],
)  # fmt: skip
def test_only_what_differs_is_changed(before: str, served: str, after: str):
    assert updated(before, served) == {"a.flow": after}


def test_a_type_of_a_file_that_is_not_there_brings_the_file():
    here, there = (
        "@tool\nfn find() -> Result<Int, Never>\n",
        "import ./sub/new.{New}\n@tool\nfn find() -> Result<New, Never>\n",
    )
    assert updated(here, {"a.flow": there, "sub/new.flow": "/// New.\nrecord New { a: Int }\n"}) == {
        "a.flow": "import ./sub/new.{New}\n\n@tool\nfn find() -> Result<New, Never>\n",
        "sub/new.flow": "/// New.\npub record New {\n    a: Int,\n}\n",
    }


def test_a_type_that_only_something_else_uses_stays():
    here = "record A { x: Int }\nrecord B { y: Int }\n@tool\nfn find(a: A) -> Result<B, Never>\n"
    there = "record A { x: Int }\n@tool\nfn find(a: A) -> Result<A, Never>\n"
    assert updated(here, there) == {"a.flow": here.replace("Result<B", "Result<A")}


@pytest.mark.parametrize(
    ("signature", "sentence"),
    [
        (
            {"ok": {"type": "integer", "minimum": 1}},
            'A type there is in no Flow form: {"minimum":1,"type":"integer"}.',
        ),
        ({"params": [["a b", INT]]}, "`a b` is no name that a field or parameter can have."),
        ({"ok": {"$ref": "#/$defs/a.Hit"}}, "The type `a.Hit` is named there and not described."),
        (
            {"ok": {"$ref": "#/$defs/a.Hit%232", "$defs": {"a.Hit#2": TEXT}}},
            "`a.Hit#2` is the second type of its name in its file, which nothing can name.",
        ),
        (
            {"ok": {"$ref": "#/$defs/std~1new.Thing", "$defs": {"std/new.Thing": TEXT}}},
            "The file `std/new` of another repository is not here to be imported.",
        ),
        (
            {"ok": {"$ref": "#/$defs/a.Own", "$defs": {"a.Own": {"type": "array"}}}},
            "The type `Own` is in no Flow form there.",
        ),
        ({"ok": {"$param": "T"}}, "The type parameter `T` is none of the declaration's."),
    ],
)  # fmt: skip
def test_what_cannot_be_declared_is_said(signature: Mapping[str, Any], sentence: str):
    assert refused("record Own { x: Int }\n@tool\nfn find(x: Own) -> Result<Text, Never>\n", signature) == sentence


def test_a_type_of_another_repository_is_not_changed():
    folders = (Folder(ROOT), Folder("/w/kit", "acme/kit", "1.0.0"))
    here = {
        "a.flow": "import acme/kit/money.{Sum}\n@tool\nfn find() -> Result<Sum, Never>\n",
        "kit/money.flow": "record Sum { x: Int }\n",
    }
    body = {"type": "object", "properties": {"x": TEXT}, "required": ["x"]}
    signature = {"ok": {"$ref": "#/$defs/acme~1kit@2.0.0~1money.Sum", "$defs": {"acme/kit@2.0.0/money.Sum": body}}}
    sentence = "`Sum` is declared in money.flow of another repository, which is not to be changed here."
    assert refused(here, signature, folders=folders) == sentence


def test_a_signature_beside_which_another_fingerprint_stands_cannot_be_fitted():
    whole = {"params": [], "ok": TEXT, "err": NEVER, "generic": []}
    described = {COMMAND: answered(listing(("a.find", "sha256:" + "0" * 64, whole)))}
    here = made("@tool\nfn find() -> Result<Int, Never>\n")
    (fix,) = [fix for fix in offered(here, "a.flow", described=described) if fix.title == TITLE]
    assert fix.disabled.startswith("The fingerprint there is not that of the signature beside it")


def test_a_tool_that_is_served_under_a_near_name_is_renamed():
    here, there = made("@tool\nfn fnd() -> Result<Int, Never>\n"), made("@tool\nfn find() -> Result<Int, Never>\n")
    title = "Rename it to `find`, which is served"
    assert fixed(here, "a.flow", title, described=described_by(there)) == {"a.flow": there.texts["a.flow"]}


SHARED = {
    "types.flow": "record Hit { title: Text }\nrecord Other { n: Int }\nrecord Page { hits: List<Hit> }\n",
    "b.flow": (
        "import ./types\n@tool fn one(hit: types.Hit) -> Result<Int, Never>\n"
        "@tool fn two(page: types.Page) -> Result<Int, Never>\n"
        "@tool fn unlike(n: types.Other) -> Result<Int, Never>\n"
    ),
}
"""Two Tools that reach Hit, one of them through another type, and one that does not."""


@pytest.mark.parametrize(
    ("more", "types", "title", "preferred"),
    [
        ({}, "Hit { title: Int }", "Update the declaration to what is served", True),
        (
            {"b.flow": SHARED["b.flow"]},
            "Hit { title: Int }",
            "Update the declaration to what is served, and `Hit` with it for 2 other Tools",
            False,
        ),
        (
            {"b.flow": "import ./types\n@tool fn one(hit: types.Hit) -> Result<Int, Never>\n"},
            "Hit { title: Int }",
            "Update the declaration to what is served, and `Hit` with it for 1 other Tool",
            False,
        ),
        # A type that is added to what the Tool takes, and stays as it is, is nobody else's matter.
        (
            {"b.flow": SHARED["b.flow"]},
            "Hit { title: Text }\nrecord New { n: Int }",
            "Update the declaration to what is served",
            True,
        ),
    ],
)
def test_a_title_says_how_many_other_tools_change_with_it(
    more: Mapping[str, str], types: str, title: str, preferred: bool
):
    find = "import ./types.{%s}\n@tool fn find(a: %s) -> Result<Int, Never>\n"
    here = {"a.flow": find % ("Hit", "Hit"), "types.flow": SHARED["types.flow"], **more}
    wanted = ("Hit, New", "(Hit, New)") if "New" in types else ("Hit", "Hit")
    there = {"a.flow": find % wanted, "types.flow": f"record {types}\n"}
    found = offered(made(here), "a.flow", described=described_by(made(there)))
    assert [(fix.title, fix.preferred) for fix in found if fix.title.startswith(TITLE)] == [(title, preferred)]
    assert all(fix.change is not None for fix in found if fix.title == title)
