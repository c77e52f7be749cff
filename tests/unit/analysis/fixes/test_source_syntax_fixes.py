"""Fixes of what does not parse, and of declarations: the exact text that comes out, and that nothing is left to do."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from strategies.flow_texts import FRAGMENTS
from support.fixing import after, all_fixed, context_of, fixed, offered
from support.snapshots import Fixture

from flow_lsp.analysis.fixes.registry import fixes_at
from flow_lsp.text.spans import Span

OK = "Result<Int, Never>"
BOUND = '[tools."a.flow"]\ncommand = "serve"\n'


def one(text: str) -> Fixture:
    return Fixture({"a.flow": text, "flow.toml": BOUND}, {})


@pytest.mark.parametrize(
    ("before", "title", "fixed_text"),
    [
        ("record A { x: Int y: Int }\n", "Add the missing `,`", "record A { x: Int, y: Int }\n"),
        ("record A { x: List<Int> /* c */ y: Int }\n", "Add the missing `,`",
         "record A { x: List<Int>, /* c */ y: Int }\n"),
        ("enum E { A(Int) B }\n", "Add the missing `,`", "enum E { A(Int), B }\n"),
        ("record A { x: Dict<Text Int> }\n", "Add the missing `,`", "record A { x: Dict<Text, Int> }\n"),
        ("record A { x: (Text Int) }\n", "Add the missing `,`", "record A { x: (Text, Int) }\n"),
        (f"@tool\nfn f(a: Int b: Int) -> {OK}\n", "Add the missing `,`", f"@tool\nfn f(a: Int, b: Int) -> {OK}\n"),
        ("record A {\n  x: Int;\n  y: Int;\n}\n", "Write `,` in place of `;`", "record A {\n  x: Int,\n  y: Int,\n}\n"),
        (f"@tol\nfn f() -> {OK}\n", "Write `@tool`", f"@tool\nfn f() -> {OK}\n"),
        ("pub recrd A { x: Int }\n", "Write `record`", "pub record A { x: Int }\n"),
        ("record A { x Int }\n", "Add the missing `:`", "record A { x: Int }\n"),
        ("record A { x = Int }\n", "Write `:` before the type", "record A { x: Int }\n"),
        ("record A { x?: Int, y: Int }\n", "Make its type an Option", "record A { x: Option<Int>, y: Int }\n"),
        ("record A { x: Int? }\n", "Write `Option<Int>`", "record A { x: Option<Int> }\n"),
        ("record A { x: List<Int?> }\n", "Write `Option<Int>`", "record A { x: List<Option<Int>> }\n"),
        ("record A { x: List<Int>? }\n", "Write `Option<List<Int>>`", "record A { x: Option<List<Int>> }\n"),
        ("record A { x: (Int, Int)? }\n", "Write `Option<(Int, Int)>`", "record A { x: Option<(Int, Int)> }\n"),
        ("record A { x: Int[] }\n", "Write `List<Int>`", "record A { x: List<Int> }\n"),
        ("record A { x: t.Hit[]? }\n", "Write `Option<List<t.Hit>>`", "record A { x: Option<List<t.Hit>> }\n"),
        ("record A { x: Int | null }\n", "Write `Option<Int>`", "record A { x: Option<Int> }\n"),
        ("record A { x: List[Int] }\n", "Write type arguments with `<` and `>`", "record A { x: List<Int> }\n"),
        ("record A { x: ?Int }\n", "Make it an Option", "record A { x: Option<Int> }\n"),
        ("record A { x: [Int] }\n", "Make it a List", "record A { x: List<Int> }\n"),
        (f"@tool\nfn f(): {OK}\n", "Write `->` before the result", f"@tool\nfn f() -> {OK}\n"),
        (f"@tool\nfn f() => {OK}\n", "Write `->` before the result", f"@tool\nfn f() -> {OK}\n"),
        ("@tool\nrecord A {}\n", "Remove `@tool`", "record A {}\n"),
        ("@tool record A {}\n", "Remove `@tool`", "record A {}\n"),
        ("opaque host H\n", "Remove `opaque`", "host H\n"),
        ("record A {\n  x: Int,\n", "Close it with `}`", "record A {\n  x: Int,\n}\n"),
        ("record A { x: List<Int\n\nrecord B {}\n", "Close it with `>}`", "record A { x: List<Int>}\n\nrecord B {}\n"),
        ("enum E {\n  A(Int\n\nrecord B {}\n", "Close it with `)}`", "enum E {\n  A(Int)\n}\n\nrecord B {}\n"),
        ("record A {}\n/* open\nrecord B {}\n", "Close the comment at the end of its line",
         "record A {}\n/* open */\nrecord B {}\n"),
        ("@tool\nfn f() -> Int\n", "Wrap the result in `Result<…, Never>`", "@tool\nfn f() -> Result<Int, Never>\n"),
        ("@tool\nfn f() -> List<Int> // why\n", "Wrap the result in `Result<…, Never>`",
         "@tool\nfn f() -> Result<List<Int>, Never> // why\n"),
        ("@tool\nfn f(x: Int)\n", "Add ` -> Result<Unit, Never>`", "@tool\nfn f(x: Int) -> Result<Unit, Never>\n"),
        (f"@tool\nfn f() -> {OK} {{\n  1 // }}\n}}\nrecord B {{}}\n", "Remove the body",
         f"@tool\nfn f() -> {OK}\nrecord B {{}}\n"),
        (f"@tool\nfn f() -> {OK} {{ 1 }}\n", "Remove `@tool`", f"fn f() -> {OK} {{ 1 }}\n"),
        ("record A { a: A }\n", "Make it an Option", "record A { a: Option<A> }\n"),
        ("record A { a: A }\n", "Make it a List", "record A { a: List<A> }\n"),
        ("import std/json\nrecord A { a: Option<Set<json.Value>> }\n", "Use a List instead",
         "import std/json\nrecord A { a: Option<List<json.Value>> }\n"),
        ("import std/json\nrecord A { a: Dict<json.Value, Int> }\n", "Use a List of pairs instead",
         "import std/json\nrecord A { a: List<(json.Value, Int)> }\n"),
        ("record A<Int, T> { a: Int, b: List<Int>, c: T }\n", "Call it `U`",
         "record A<U, T> { a: U, b: List<U>, c: T }\n"),
    ],
)  # fmt: skip
def test_it_becomes_what_was_meant(before: str, title: str, fixed_text: str):
    assert fixed(one(before), "a.flow", title) == {"a.flow": fixed_text}


@pytest.mark.parametrize(
    "text",
    [
        "record A { x: Int : Int }\n",
        "record A { x: }\n",
        "record\n",
        "@tool\n",
        "enum E { A( }\n",
        "record A { x: 5 }\n",
        "record A { x: Int | Text }\n",
        "@tool\nfn f() -> Result\n",
        "enum Result { Ok }\n@tool\nfn f() -> Result\n",
    ],
)
def test_what_is_not_plain_is_left_to_the_user(text: str):
    assert [fix.title for fix in offered(one(text), "a.flow")] == []


texts = st.lists(st.sampled_from((*FRAGMENTS, "record A { x: ", "@tool\nfn f(x: ", "Int?", "Int[]")), max_size=7)


@given(texts.map("".join))
@settings(max_examples=200, deadline=None)
def test_any_fix_can_be_made_and_is_no_longer_offered(text: str) -> None:
    made = one(text)
    made.texts["types.flow"] = "record Hit {}\nrecord Amount {}\n"
    context = context_of(made, "a.flow")
    for fix in fixes_at(context, Span(0, len(text))):
        assert fix.change is not None
        result = after(made, fix.change)
        assert result.texts != made.texts
        assert fix.finding in list(context.analysis.findings(context.snapshot, context.key))
    all_fixed(made, "a.flow")
