"""Reading: words and marks, where items begin and end, what an item that does not parse leaves behind."""

from __future__ import annotations

import pytest
from support.bounds import not_hopeless

from flow_lsp.source.cursor import SURROGATE
from flow_lsp.source.model import (
    EnumSyntax,
    HostSyntax,
    ImportSyntax,
    ItemKind,
    RecordSyntax,
    SourceFile,
    ToolSyntax,
)
from flow_lsp.source.reader import read_source
from flow_lsp.source.spelling import declaration_text
from flow_lsp.text.changes import common_prefix, common_suffix

HIT = "record Hit { title: Text }\n"


def declared(text: str) -> list[str]:
    """What `text` declares, as kind and name; what does not parse in brackets."""
    found = []
    for item in read_source(text).items:
        if item.kind is not ItemKind.OTHER:
            shown = f"{item.kind} {item.name or ''}".strip()
            found.append(shown if item.syntax is not None else f"[{shown}]")
    return found


def only(text: str) -> RecordSyntax | EnumSyntax | ToolSyntax:
    syntax = read_source(text).items[0].syntax
    assert isinstance(syntax, RecordSyntax | EnumSyntax | ToolSyntax)
    return syntax


def messages(source: SourceFile) -> list[str]:
    return [finding.message for finding in source.findings]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (HIT, ["record Hit"]),
        ("pub enum E { A }\nhost Session\n", ["enum E", "host Session"]),
        ("pub\nrecord Hit { a: Int }", ["record Hit"]),
        ("@tool\n@other(1, {x})\n/// d\npub fn f() -> Result<Int, Never>\n", ["tool f"]),
        ("@tool.x fn f()\n", []),
        ("@tools fn f()\n", []),
        ("fn plain() { record }\n" + HIT, ["record Hit"]),
        ("let x = 1\nrecord = 2\n" + HIT, ["[record]", "record Hit"]),
        ("record: x\n" + HIT, ["record Hit"]),
        ("fn g() {\n  record Inner { x: Int }\n}\n" + HIT, ["record Hit"]),
        ("fn g() {\nrecord Inner { x: Int }\n}\n" + HIT, ["record Inner", "record Hit"]),
        ("fn g() {\nrecord: Int\n}\n" + HIT, ["record Hit"]),
        ("  record Hit { a: Int }\n  enum E { A }\n", ["record Hit", "enum E"]),
        ("/* c */ record Hit { a: Int }\n", ["record Hit"]),
        ("x /* c\n */ record Hit { a: Int }\n", ["record Hit"]),
        ("x record Hit { a: Int }\n", []),
        ("/* a /* b */\nrecord In { a: Int }\n*/\n" + HIT, ["record Hit"]),
        ("/*/ record In { a: Int }\n*/ " + HIT, ["record Hit"]),
        ('fn g() { "{ /* " }\n' + HIT, ["record Hit"]),
        ('fn g() {\n "\\" {\n}\n' + HIT, ["record Hit"]),
        ('fn g() {\n "abc\\\n}\n' + HIT, ["record Hit"]),
        ("\ufeffrecord Hit { a: Int }", ["record Hit"]),
        ("x\u2028record Hit { a: Int }", []),
        ("x\rrecord Hit { a: Int }", []),
        ("x\r\nrecord Hit { a: Int }", ["record Hit"]),
        ("record Hit\n{ a: Int }\n", ["record Hit"]),
        ("record Hit { a: Int\nenum E { A }\n", ["[record Hit]", "enum E"]),
        ("record\nenum E { A }\n", ["[record]", "enum E"]),
        ("import ./types.{A,\n" + HIT, ["[import]", "record Hit"]),
        ("import \n" + HIT, ["[import]", "record Hit"]),
        ("opaque record K { id: Text }\n", ["record K"]),
        ("pub opaque enum K { A }\n", ["enum K"]),
        ("record fn { a: Int }\n" + HIT, ["[record]", "record Hit"]),
    ],
)
def test_what_is_declared(text: str, expected: list[str]) -> None:
    assert declared(text) == expected


@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_fields_are_separated_by_commas_or_new_lines(end: str) -> None:
    text = end.join(
        ["record R {", "  a: Int, b: Text", "", "  // c", "  c: Bool,", "  d: List<", "   Int,", "  >", "}"]
    )
    syntax = only(text)
    assert isinstance(syntax, RecordSyntax)
    assert [field.name for field in syntax.fields] == ["a", "b", "c", "d"]


def test_keywords_are_names_before_a_colon_and_after_a_dot() -> None:
    syntax = only("record R { record: Int, fn: fn(Int) -> t.enum, as: Text }")
    assert isinstance(syntax, RecordSyntax)
    assert [field.name for field in syntax.fields] == ["record", "fn", "as"]


def test_names_are_read_in_their_composed_form() -> None:
    item = read_source("record Gro\u0308ße { wert: Int, _x: Int, \U0001d518: Text }").items[0]
    assert item.name == "Größe"
    assert item.name_span == (7, 13)


def test_every_form_of_type_and_constructor() -> None:
    text = (
        "enum E<T> {\n  A\n  B(Int,\n Text)\n  C { x: (Int, Text), y: () }\n"
        "  D(fn(T) -> Option<m.N<T>>)\n  E()\n  F {}\n}"
    )
    item = read_source(text).items[0]
    assert declaration_text(item) == (
        "enum E<T> {\n  A\n  B(Int, Text)\n  C { x: (Int, Text), y: () }\n"
        "  D(fn(T) -> Option<m.N<T>>)\n  E()\n  F {  }\n}"
    )
    assert item.mentions == {"Int", "Text", "T", "Option", "m.N"}


def test_a_payload_opens_on_its_constructors_line() -> None:
    assert messages(read_source("enum E {\n  A\n  (Int)\n}"))[0].startswith("Expected a constructor's name")


@pytest.mark.parametrize(
    ("text", "doc"),
    [
        ("/// One.\n///  Two. \n///\nrecord R {}", "One.\n Two."),
        ("/// a\n@tool\n/// b\n@x(1)\n// no\n/// c\nfn f()", "a\nb\nc"),
        ("//// no\nrecord R {}", None),
        ("///\nrecord R {}", None),
        ("/// a\u2028b\u0085\nrecord R {}", "a\u2028b"),
        ("x = 1 /// a\nrecord R {}", "a"),
        ("/// a\nx = 1\nrecord R {}", None),
        ("/** a */\nrecord R {}", None),
        ('/// ends with "\nrecord R {}', 'ends with "'),
        ("/// a\r\n/// b\r\nrecord R {}", "a\nb"),
    ],
)
def test_doc_comments_of_items(text: str, doc: str | None) -> None:
    assert [item.doc for item in read_source(text).items if item.name] == [doc]


def test_doc_comments_inside_items_belong_to_what_follows() -> None:
    text = "record R {\n  /// one\n  a: Int, /// two\n  /// 2\n  b: List</// lost\nInt>\n  c: Int /// end\n}"
    syntax = only(text)
    assert isinstance(syntax, RecordSyntax)
    assert [field.doc for field in syntax.fields] == ["one", "two\n2", None]


@pytest.mark.parametrize(
    ("text", "place", "message"),
    [
        ("record Hit { title: Text, url }", "url", "Expected `:` and a type after the field name `url` before `}`."),
        ("record Hit { title: }", ":", "Expected a type after `title:` before `}`."),
        ("record Hit { title:\n url: Text }", ":", "Expected a type after `title:`, and the line ends here."),
        ("record Hit {\n a: Int\n", "{", "This `{` has no `}`: the fields of `record Hit` do not end."),
        ("record Hit { a: List<Int }", "Int", "Expected `,` or `>` before `}`."),
        ("record Hit { a: Int b: Int }", "b", "Expected `,` or a new line or `}` in the fields of `record Hit`, "
         "and `b` stands here."),
        ("record { a: Int }", "{", "Expected a name after `record`, and `{` stands here."),
        ("record enum { a: Int }", "enum", "Expected a name after `record`, and the keyword `enum` stands here."),
        ("enum E { A(Int }", "Int", "Expected `)` at the end of the parts of `A` before `}`."),
        ("@tool fn f(x: 1) -> Result<Int, Int>", "1", "Expected a type after `x:`, and `1` stands here."),
        ("@tool fn f() ->", "->", "Expected a type after `->`: Result<T, E>, and the declaration ends here."),
        ("@tool\n", "@tool", "Expected `fn` and a function's name after `@tool`, which makes it a Tool."),
        ("@tool record R {}", "@tool", "`@tool` makes a function a Tool, and this is a record. Remove it."),
        ("opaque host S", "opaque", "`opaque` stands before `record` or `enum`, and this is a host type. Remove it."),
        ("record A {} record B {}", "record B", "`record` stands behind a record that is complete. "
         "Start each declaration on a line of its own."),
        ("record R<> {}", "<", "Expected the name of a type parameter before `>`."),
        ("record R { a: List<> }", ">", "Expected a type between `<` and `>`."),
        ("import ./a/1b", "./a/1b", "`1b` cannot stand in an import's path: segments are names, with `-` inside."),
        ("import ./a-b", "a-b", "`a-b` is no name, so this import needs one: add `as` and a name."),
        ("import types", "types", "`types` names no file. Write `./types` for a file beside this one, or a "
         "repository's name and a file in it."),
        ("import ./types.Hit", "Hit", "Write `.{Hit}` to import one name of a file."),
        ("record R { a: fn Int }", "Int", "Expected `(` after `fn` in a function's type, and `Int` stands here."),
        ("record R { a: fn(Int) }", ")", "Expected `->` and a type: what the function gives before `}`."),
        ("record R { a: t. }", ".", "Expected a type's name after `t.` before `}`."),
        ("record R { a: (Int,", "(", "This `(` has no `)`."),
        ("record R { a: (Int", "(", "This `(` has no `)`."),
        ("record R<T", "T", "Expected `,` or `>` after a type parameter, and the declaration ends here."),
        ("record R<T,", "<", "This `<` has no `>`."),
        ("record R<1> {}", "1", "Expected the name of a type parameter, and `1` stands here."),
        ("record R { @1 a: Int }", "1", "Expected an attribute's name after `@`, and `1` stands here."),
        ("record R { @x(1 a: Int", "Int", "Expected `)` at the end of the attribute, and the declaration ends here."),
        ("import ./", "./", "Expected a file's name in the path of this import."),
        ("import ./a as", "as", "Expected a name after `as`, and the declaration ends here."),
        ("/// \ud800\nrecord R {}", "\ud800", SURROGATE),
        ("record R { \udc00: Int }", "\udc00", SURROGATE),
        ("x\n/* a /* b */", "/*", "This comment does not end, so everything after it is skipped. Close it with `*/`."),
    ],
)  # fmt: skip
def test_one_finding_where_it_went_wrong(text: str, place: str, message: str) -> None:
    source = read_source(text)
    assert messages(source) == [message]
    span = source.findings[0].span
    assert text[span.start :].startswith(place) or text[span.start : span.end] in place
    assert span.end > span.start
    message.encode("utf-8")


@pytest.mark.parametrize(
    "text",
    ["fn f( {\n", "let x = {[(\n", "pub type X = Int\n", "@attr(\n", "trait T { fn x }", "pub let a", "opaque type X",
     ") } ]", "fn g() -> { record }", "@", "pub", "@a.b.c(\"\\ud800\")"],
)  # fmt: skip
def test_nothing_is_said_of_what_is_not_owned(text: str) -> None:
    assert messages(read_source(text)) == []


@pytest.mark.parametrize(
    ("text", "place", "meant"),
    [
        ("@tol\npub fn one(x: Int) -> Result<Int, Never>\n", "@tol", "@tool"),
        ('@doc("x")\n@Tool fn one()\n', "@Tool", "@tool"),
        ("pub recrd Place {\n  x: Int\n}\n", "recrd", "record"),
        ("Record Place { x: Int }\n", "Record", "record"),
        ("pub opaque rcord Place<T> { x: T }\n", "rcord", "record"),
        ("enmu Sort { A }\n", "enmu", "enum"),
        ("record A { x: Int }\n\nrecrd Place { x: Int }\n", "recrd", "record"),
        ("fn f() {\n  1\n}\nenun Sort { A }\n", "enun", "enum"),
    ],
)
def test_a_slip_in_front_of_a_declaration_is_said(text: str, place: str, meant: str) -> None:
    source = read_source(text)
    (finding,) = source.findings
    assert (finding.rule.code, text[slice(*finding.span)]) == ("misspelt", place)
    assert finding.message == f"`{place}` declares nothing, so this is skipped. Is `{meant}` meant?"


@pytest.mark.parametrize(
    "text",
    [
        "@tol\nfn one(x: Int) -> Int { x }\n",  # a function of Flow, with whatever attribute
        "@tol(1)\nfn one(x: Int) -> Int\n",
        "@tol.x\nfn one(x: Int) -> Int\n",
        "@inline\nfn one(x: Int) -> Int\n",
        "// @tol\nfn one(x: Int) -> Int\n",
        "@tol\nlet x = 1\n",
        "@tol\n@tool\nfn one() -> Result<Int, Never>\n",
        "fn f() {\nrecrd Place { x: Int }\n}\n",  # in a body
        "fn f() {\n  recrd Place { x: Int }\n}\n",
        "/*\nrecrd Place { x: Int }\n*/\n",
        "trait Place { fn x }\n",
        "struct Place { x: Int }\n",
        "recrd Place = 1\n",
        "pub recrd place {\n}\n",
        "let x = 1\n  recrd Place { }\n",
    ],
)
def test_what_may_be_meant_as_it_stands_is_no_slip(text: str) -> None:
    assert messages(read_source(text)) == []


def test_imports() -> None:
    text = (
        "import std/json\nimport ./types as t\nimport ../../a-b/c.{Hit,\n // c\n Other\n}\nimport acme/my-kit/search\n"
    )
    found = [item.syntax for item in read_source(text).items]
    assert all(isinstance(syntax, ImportSyntax) for syntax in found)
    assert [
        (syntax.above, syntax.segments, [name.name for name in syntax.bound])
        for syntax in found
        if isinstance(syntax, ImportSyntax)
    ] == [
        (None, ("std", "json"), ["json"]),
        (0, ("types",), ["t"]),
        (2, ("a-b", "c"), ["Hit", "Other"]),
        (None, ("acme", "my-kit", "search"), ["search"]),
    ]


def test_an_import_that_does_not_parse_tells_what_it_may_have_meant() -> None:
    item = read_source("import ./types.{Hit,\n").items[0]
    assert item.syntax is None
    assert "Hit" in item.mentions


def test_a_host_type_and_a_tool() -> None:
    source = read_source("host Session\n@tool fn f<T>(\n  a: T\n  b: Int,\n)\n  -> Result<T, Never>\n{ 1 }\n")
    host, tool = source.items[0].syntax, source.items[1].syntax
    assert isinstance(host, HostSyntax)
    assert isinstance(tool, ToolSyntax)
    assert [param.name for param in tool.params] == ["a", "b"]
    assert tool.body is not None
    assert declaration_text(source.items[1]) == "@tool fn f<T>(a: T, b: Int) -> Result<T, Never>"


def test_spans_count_code_points_and_a_tab_as_one() -> None:
    text = "/// 😋😋\nrecord R {\n\t\ta:\t1\n}"
    finding = read_source(text).findings[0]
    assert text[finding.span.start : finding.span.end] == "1"


def test_an_edit_leaves_the_other_items_the_same_objects() -> None:
    text = "".join(f"/// {n}\nrecord R{n} {{\n  a: Int\n}}\n\n" for n in range(50))
    source = read_source(text)
    place = text.index("a: Int", text.index("R20"))
    edited = read_source(text[:place] + "x" + text[place:], source)
    same = [one is two for one, two in zip(source.items, edited.items, strict=True)]
    assert same.count(False) == 1
    assert edited.items[20] is not source.items[20]


def test_reading_the_same_text_gives_the_same_object() -> None:
    source = read_source(HIT)
    assert read_source(HIT, source) is source


@pytest.mark.parametrize(
    ("one", "other", "prefix", "suffix"),
    [("", "", 0, 0), ("abc", "abc", 3, 0), ("abc", "abxc", 2, 1), ("aa", "aaa", 2, 0), ("xaa", "aa", 0, 2)],
)
def test_common_ends(one: str, other: str, prefix: int, suffix: int) -> None:
    assert common_prefix(one, other) == prefix
    assert common_suffix(one, other, prefix) == suffix


@pytest.mark.parametrize(
    "text",
    [
        "(" * 300_000,
        "record R { a: " + "List<" * 100_000,
        "record R { a: " + "(" * 300_000,
        "/*" * 200_000,
        "record R { " + "é\u0301\u00a7" * 100_000,
        "\u00a7é" * 150_000,
        '"' + "\\a" * 150_000,
        "@tool(" + "(" * 300_000,
        "record" + " " * 300_000 + ":",
        "import " + "../" * 100_000,
        "record R {" + "\n/// x" * 60_000,
        "record R { " + "a: Int, " * 20_000,
        "pub\n" * 60_000,
    ],
    ids=lambda text: text[:16],
)
def test_hostile_texts_take_no_hopeless_time(text: str) -> None:
    with not_hopeless():
        read_source(text + text)


def test_a_type_nested_too_deep_is_said_and_not_read() -> None:
    source = read_source("record R { a: " + "List<" * 200 + "Int" + ">" * 200 + " }")
    assert [finding.rule.code for finding in source.findings] == ["nesting"]
    assert messages(read_source("record R { a: " + "List<" * 100 + "Int" + ">" * 100 + " }")) == []


def test_attributes_inside_a_declaration_are_skipped_and_docs_around_them_kept() -> None:
    syntax = only("record R {\n  /// a\n  @old\n  a: Int\n  @x({1, (2)})\n  /// b\n  b: Int, @y c: Int\n}")
    assert isinstance(syntax, RecordSyntax)
    assert [(field.name, field.doc) for field in syntax.fields] == [("a", "a"), ("b", "b"), ("c", None)]
    assert read_source("enum E { @x A, @y(1) B(Int) }").items[0].syntax is not None


def test_one_type_in_brackets_is_that_type_and_a_trailing_comma_is_fine() -> None:
    item = read_source(
        "record R {\n  a: (Int)\n  b: (Int, Text,)\n  c: Dict<\n Int,\n Text,\n>\n  d: fn() -> ()\n}"
    ).items[0]
    assert declaration_text(item) == (
        "record R {\n  a: Int\n  b: (Int, Text)\n  c: Dict<Int, Text>\n  d: fn() -> ()\n}"
    )


def test_declarations_are_written_out_on_one_line_each() -> None:
    source = read_source("opaque record R<T> {}\nhost S\nhost H<T>\n@tool fn f()\nimport ./a\n")
    assert [declaration_text(item) for item in source.items] == [
        "opaque record R<T> {}",
        "host S",
        "host H<T>",
        "@tool fn f()",
        "",
    ]
