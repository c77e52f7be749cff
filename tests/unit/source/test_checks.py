"""Checking: each finding at its place, with a sentence that says what to do, and nothing said twice."""

from __future__ import annotations

from strategies.flow_workspaces import FOLDER, FileMap, check_one, marked
from support.bounds import not_hopeless

from flow_lsp.source.declarations import CheckedFile
from flow_lsp.source.program import check_file
from flow_lsp.source.reader import read_source


def assert_findings(text: str, **others: str) -> CheckedFile:
    """Asserts that the findings of `text` are those that its carets mark, each with its code."""
    plain, marks = marked(text)
    checked = check_one(plain, **others)
    found = [(finding.span.start, finding.span.end, finding.rule.code) for finding in checked.findings]
    assert found == marks
    return checked


def messages(checked: CheckedFile) -> list[str]:
    return [finding.message for finding in checked.findings]


TYPES = "pub record Hit { title: Text }\npub enum Problem { Offline }\nfn helper() { 1 }\n"


def test_nothing_is_said_of_a_file_without_faults() -> None:
    text = (
        "import ./types.{Hit}\nimport ./types as t\nimport std/json\n"
        "@tool fn f<T>(a: Hit, b: t.Problem, c: json.Value, d: Dict<Hit, (Int, T)>) -> Result<T, Never>\n"
    )
    checked = check_one(text, types=TYPES)
    assert messages(checked) == []
    assert [tool.refused for tool in checked.tools] == [False]


def test_an_unknown_type_is_said_at_each_place_with_what_was_meant() -> None:
    checked = assert_findings(
        """\
record Page { a: Sting, b: String, c: Map<Text, Pgae> }
//               ^^^^^ unknown-type
//                         ^^^^^^ unknown-type
//                                    ^^^ unknown-type
//                                              ^^^^ unknown-type
@tool fn f(a: json.Value, b: t.Hit) -> Result<Unknowable, Never>
//            ^^^^^^^^^^ unknown-type
//                           ^^^^^ unknown-type
//                                            ^^^^^^^^^^ unknown-type
"""
    )
    remedies = [message.split(". ", 1)[1] for message in messages(checked)]
    assert remedies == [
        "Declare it in this file, or import it from the file that does.",
        "Did you mean `Text`?",
        "Did you mean `Dict`?",
        "Did you mean `Page`?",
        "Add `import std/json` to use it.",
        "No import binds `t`: import the file that declares it.",
        "Declare it in this file, or import it from the file that does.",
    ]
    assert checked.tools[0].spec is None
    assert checked.tools[0].refused


def test_a_name_of_another_file_is_suggested_from_its_module() -> None:
    checked = check_one(
        "import ./types\nrecord R { a: types.Hitt, b: Problem }\n@tool fn f(r: R) -> Result<Int, Never>", types=TYPES
    )
    assert messages(checked) == [
        "There is no type `types.Hitt` here. Did you mean `types.Hit`?",
        "There is no type `Problem` here. Did you mean `types.Problem`?",
    ]


def test_a_broken_type_is_not_repeated_at_its_users() -> None:
    checked = assert_findings(
        """\
record Hit { title: Text, url }
//                        ^^^ syntax
record Page { hits: List<Hit> }
@tool fn f(p: Page) -> Result<Hit, Never>
"""
    )
    tool = checked.tools[0]
    assert tool.spec is None
    assert tool.refused
    cause = checked.cause_of(tool)
    assert cause is not None
    assert (cause.path, cause.name) == (f"{FOLDER}/a.flow", "Hit")
    assert cause.span == (7, 10)


def test_a_broken_first_declaration_hides_a_later_one_of_its_name() -> None:
    checked = check_one("record A { x }\nrecord A { x: Int }\n@tool fn f(a: A) -> Result<Int, Never>\n")
    assert [finding.rule.code for finding in checked.findings] == ["syntax", "repeated-name"]
    assert checked.tools[0].spec is None


def test_wrong_numbers_of_arguments() -> None:
    checked = assert_findings(
        """\
record P<T> { v: T, w: T<Int> }
//                     ^^^^^^ arity
record Q { p: P, o: Option<Int, Int>, t: Text<Int>, l: List }
//            ^ arity
//                  ^^^^^^^^^^^^^^^^ arity
//                                       ^^^^^^^^^ arity
//                                                     ^^^^ arity
@tool fn f() -> Result<Int>
//              ^^^^^^^^^^^ arity
"""
    )
    assert messages(checked)[1:3] == [
        "`P` takes 1 type argument, and none stands here.",
        "`Option` takes 1 type argument, and 2 stand here.",
    ]


def test_a_tools_result_is_a_result() -> None:
    checked = assert_findings(
        """\
record Hit { a: Int }
@tool fn f() -> List<Hit>
//       ^ result
@tool fn g(a: Int)
//       ^ result
"""
    )
    assert "gives `List<Hit>`. A Tool's result is Result<T, E>" in messages(checked)[0]
    assert "says no result" in messages(checked)[1]


def test_an_own_result_hides_the_one_of_std() -> None:
    checked = assert_findings(
        """\
import std/result as r
record Result<T, E> { t: T, e: E }
@tool fn f() -> Result<Int, Never>
//       ^ result
@tool fn g() -> r.Result<Result<Int, Int>, Never>
"""
    )
    assert "this file's own type and not the Result of std" in messages(checked)[0]
    assert not checked.tools[1].refused


def test_result_elsewhere_is_stds_enum() -> None:
    checked = check_one("@tool fn f(a: Result<Int, Text>) -> Result<Int, Never>")
    spec = checked.tools[0].spec
    assert spec is not None
    assert [template.identity for template in spec.declarations.values()] == ["std@0.1.0/result.Result"]


def test_a_body_is_reported_and_the_signature_stays_known() -> None:
    checked = check_one("@tool fn f() -> Result<Int, Never> {\n  1\n}\n")
    assert [finding.rule.code for finding in checked.findings] == ["body"]
    assert checked.findings[0].span == (9, 10)
    tool = checked.tools[0]
    assert tool.refused
    assert tool.spec is not None
    assert checked.findings[0].related[0].span == (35, 36)


def test_what_holds_no_data_may_not_cross() -> None:
    checked = assert_findings(
        """\
record Callback { call: fn(Int) -> Int }
record Deep { c: List<Callback> }
record Phantom<T> { a: Int }
@tool fn f(d: Deep) -> Result<Int, Never>
//       ^ crossing
@tool fn g() -> Result<Task<Int>, Never>
//       ^ crossing
@tool fn h(p: Phantom<Callback>) -> Result<Int, Never>
"""
    )
    assert messages(checked)[0] == (
        "The Tool `f` cannot be called: its parameter `d`, through Deep and Callback, holds a function, which has no "
        "encoding and cannot cross to an implementation. Pass the data that it would give instead."
    )
    assert "its success type holds a Task" in messages(checked)[1]
    assert checked.tools[0].spec is None
    assert checked.tools[2].spec is not None


def test_an_opaque_type_may_be_given_but_not_given_back() -> None:
    checked = assert_findings(
        """\
opaque record Ticket { id: Text }
record Held { t: Option<Ticket> }
@tool fn f(t: Ticket) -> Result<Int, Never>
@tool fn g() -> Result<List<Held>, Never>
//       ^ opaque
@tool fn h() -> Result<Int, Ticket>
//       ^ opaque
"""
    )
    assert "the opaque type Ticket back: its success type, through Held, holds it" in messages(checked)[0]
    assert [tool.refused for tool in checked.tools] == [False, True, True]


def test_names_that_stand_twice() -> None:
    checked = assert_findings(
        """\
record R<T, T> { a: Int, a: Text }
//          ^ duplicate-name
//                       ^ duplicate-name
enum E { A, B, A { x: Int, x: Int } }
//             ^ duplicate-name
//                         ^ duplicate-name
enum Fine { A { x: Int }, B { x: Int } }
@tool fn f(a: Int, a: Int) -> Result<Int, Never>
//                 ^ duplicate-name
@tool fn g() -> Result<Int, Never>
@tool fn g() -> Result<Text, Never>
//       ^ duplicate-name
record Fine { a: Int }
//     ^^^^ repeated-name
"""
    )
    assert [tool.refused for tool in checked.tools] == [True, False, True]
    related = checked.findings[0].related[0]
    assert related.path == f"{FOLDER}/a.flow"
    assert related.span == (9, 10)


def test_a_type_parameter_may_not_be_called_like_a_primitive() -> None:
    assert_findings(
        """\
record R<Text> { a: Text }
//       ^^^^ parameter-name
record S<List> { a: List }
"""
    )


def test_values_without_end_are_said_once_with_the_way() -> None:
    checked = assert_findings(
        """\
record A { n: Int, b: (Int, B) }
//                    ^^^^^^^^ endless-value
record B { c: Box<A> }
record Box<T> { v: T }
record Fine { f: List<Fine>, o: Option<Fine>, e: E }
enum E { Only(Fine) }
record Alone { a: Alone }
//                ^^^^^ endless-value
@tool fn f(a: A) -> Result<Int, Never>
@tool fn g(a: Fine) -> Result<Int, Never>
"""
    )
    assert messages(checked)[0] == (
        "No value of `A` can ever be made: A contains B contains A, with no List, Set, Dict, Option or enum between. "
        "Make one of these fields an Option or a List."
    )
    assert [tool.refused for tool in checked.tools] == [True, False]


def test_ever_growing_types_are_refused_and_fixed_or_permuted_arguments_are_not() -> None:
    checked = assert_findings(
        """\
record P<T> { x: Option<Q<T>> }
record Q<T> { x: Option<P<(T, Int)>> }
//               ^^^^^^^^^^^^^^^^^^^ growing-type
record Fixed<T> { v: T, x: Option<Fixed<List<Int>>> }
record Turned<A, B> { a: A, b: B, t: Option<Turned<B, A>> }
@tool fn f(a: P<Int>) -> Result<Fixed<Turned<Int, Text>>, Never>
@tool fn g() -> Result<Fixed<Turned<Int, Text>>, Never>
"""
    )
    assert "Q leads to P leads to Q, each time with larger arguments" in messages(checked)[0]
    assert [tool.refused for tool in checked.tools] == [True, False]


def test_set_items_and_dict_keys_need_an_order() -> None:
    checked = assert_findings(
        """\
import std/json
host Session
record Holder { s: Option<Session> }
record Keyed<K> { d: Dict<K, json.Value> }
record Bad { s: Set<Holder> }
//              ^^^^^^^^^^^ no-order
@tool fn f(a: Keyed<Text>, b: Set<Int>) -> Result<Int, Never>
@tool fn g(a: Keyed<json.Value>) -> Result<Int, Never>
//            ^^^^^^^^^^^^^^^^^ no-order
@tool fn h<T>(a: Set<T>) -> Result<Set<Bad>, Never>
"""
    )
    assert messages(checked) == [
        "A Set's item must have an order, and the host type Session (in Holder) has none. Use a List instead.",
        "A Dict's key must have an order, and json.Value has none. Use a List of pairs instead, or another key.",
    ]
    assert [tool.refused for tool in checked.tools] == [False, True, True]


def test_imports_that_lead_nowhere() -> None:
    checked = assert_findings(
        """\
import ./none
//     ^^^^^^ import
import ../out.{A}
//     ^^^^^^ import
import acme/kit/search
//     ^^^^^^^^^^^^^^^ import
import a/types
//     ^^^^^^^ import
import ./types.{Hit, Hot, helper}
//                   ^^^ import
@tool fn f(a: none.X, b: A, c: search.Hit, d: Hot) -> Result<Hit, Never>
fn g() { helper() }
""",
        **{"a/types": TYPES, "types": TYPES},
    )
    assert messages(checked) == [
        "There is no file `none.flow` that can be read. Create it, or correct the path of this import.",
        "`../out` leads out of the workspace, where nothing is found. Open the folder that holds both files.",
        "`acme/kit/search` is in no repository that is configured here, so what it declares is not known. "
        "Configure its "
        "folder as a repository, or write `./acme/kit/search` for a file of this workspace.",
        "`a/types` is in no configured repository. Did you mean `./a/types`, beside this file?",
        "`./types` declares no type `Hot`. Did you mean `Hit`?",
    ]
    assert checked.tools[0].spec is None


def test_a_function_may_be_imported_but_is_no_type() -> None:
    fine = check_one("import ./types.{helper}\nfn g() { helper() }\n", types=TYPES)
    assert messages(fine) == []
    used = check_one("import ./types.{helper}\nrecord R { a: helper }\n", types=TYPES)
    assert [finding.rule.code for finding in used.findings] == ["import"]


def test_a_module_of_std_that_is_not_known_is_said_where_a_type_needs_it() -> None:
    assert messages(check_one("import std/list\nimport std/text.{trim}\nfn g() { list.map(trim) }\n")) == []
    checked = check_one("import std/list\nimport std/text.{Word}\nrecord R { a: list.Cursor, b: Word }\n")
    assert [finding.rule.code for finding in checked.findings] == ["import", "import"]


def test_names_bound_twice_and_names_that_nothing_uses() -> None:
    checked = assert_findings(
        """\
import ./types
import ./other as types
//                ^^^^^ repeated-name
import ./types.{Hit, Problem}
//                   ^^^^^^^ unused-import
import std/json
//         ^^^^ unused-import
import ./types.{Hit}
//              ^^^ repeated-name
fn g() { Hit }
record R { a: types.Hit }
""",
        types=TYPES,
        other=TYPES,
    )
    assert all(finding.rule.unnecessary for finding in checked.findings if finding.rule.code == "unused-import")


def test_a_broken_import_silences_what_it_may_have_bound() -> None:
    checked = check_one("import ./types.{Hit,\n@tool fn f(h: Hit, p: Other) -> Result<Int, Never>\n", types=TYPES)
    assert [finding.rule.code for finding in checked.findings] == ["syntax", "unknown-type"]


def test_two_types_under_one_key() -> None:
    workspace = FileMap(
        {
            "a.flow": "import ./lib/t.{Hit}\nimport ./t as u\n@tool fn f(a: Hit, b: u.Hit) -> Result<Int, Never>\n"
            "@tool fn g(a: Hit) -> Result<Int, Never>\n",
            "t.flow": "record Hit { a: Int }\n",
            "lib/t.flow": "record Hit { b: Int }\n",
            "lib/flow.toml": "",
        }
    )
    checked = check_file(workspace, f"{FOLDER}/a.flow")
    assert checked is not None
    assert [(finding.rule.code, finding.arguments["identity"]) for finding in checked.findings] == [
        ("same-key", "t.Hit")
    ]
    assert [tool.refused for tool in checked.tools] == [True, False]


def test_types_that_multiply_are_refused_in_time() -> None:
    letters = "ABCDEFGHIJ"
    turned = ", ".join(letters[1:] + letters[0])
    swapped = ", ".join("BA" + letters[2:])
    text = (
        f"record P<{', '.join(letters)}> {{ x: Option<P<{turned}>>, y: Option<P<{swapped}>>, a: A }}\n"
        "@tool fn f(p: P<Int, Text, Bool, Unit, Bytes, Decimal, Instant, Duration, List<Int>, List<Text>>) "
        "-> Result<Int, Never>\n"
    )
    doubled = "".join(f"record D{n}<T> {{ x: Option<D{n + 1}<(T, T)>> }}\n" for n in range(60))
    text += doubled + "record D60<T> { v: T }\n@tool fn g(d: D0<Int>) -> Result<Int, Never>\n"
    with not_hopeless():
        checked = check_one(text)
    assert [finding.rule.code for finding in checked.findings] == ["type-limit", "type-limit"]
    assert [tool.spec for tool in checked.tools] == [None, None]


def test_a_document_without_a_place_is_checked_alone() -> None:
    workspace = FileMap({})
    workspace.sources["untitled:Untitled-1"] = read_source(
        "import ./types.{Hit}\nrecord R { a Int }\n@tool fn f(a: Hit) -> Result<Int, Never>\n"
    )
    checked = check_file(workspace, "untitled:Untitled-1")
    assert checked is not None
    assert [finding.rule.code for finding in checked.findings] == ["syntax"]


def test_a_file_that_is_not_there_gives_no_check() -> None:
    assert check_file(FileMap({}), f"{FOLDER}/a.flow") is None
