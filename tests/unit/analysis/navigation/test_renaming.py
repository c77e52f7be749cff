"""Renames: the exact texts they come to, and the sentences of those that are refused."""

# ruff: noqa: E501 - sentences and lines are compared in full
from __future__ import annotations

import pytest
from support.renames import ROOT, Texts
from support.snapshots import fixture

from flow_lsp.analysis.edits import Change
from flow_lsp.analysis.navigation.renaming import Refusal, Renameable, renameable_at
from flow_lsp.analysis.snapshot import Folder

WORK = """\
//- types.flow
/// A Hit.
pub record Hit { title: Text, next: Option<Hit> }
enum Problem { Offline, Slow(Duration), Other { code: Int, why: Text } }
@tool fn search() -> Result<Hit, Never>
//- a.flow
import ./types.{Hit, search}
import ./types as t
import ../w/types
record Page<T, Un> { items: List<T>, hit: Hit, size: Int }
@tool
fn find<T>(query: T, limit: Hit) -> Result<List<t.Hit>, types.Problem>
fn helper(x: Hit) { Hit { Hit: 1 }; x.Hit; t.Hit; "Hit"; search() } // Hit
//- b.flow
import ./types as types
record B<Fresh> { hit: types.Hit, own: Int, fresh: Fresh }
fn body() { let word = 1 }
//- c.flow
import ./types.{Hit}
record C<Taken> { hit: Hit, size: Int, t: Taken }
fn body() { let word = 1 }
//- d.flow
import ./types.{
record D { x: Int }
"""


def work() -> Texts:
    return Texts(fixture(WORK).texts)


def place(texts: Texts, path: str, words: str) -> int:
    before, _, after = words.partition("|")
    assert texts.texts[path].count(before + after) == 1, words
    return texts.texts[path].index(before + after) + len(before)


def renamed(path: str, words: str, name: str) -> dict[str, list[str]]:
    """The lines that are other ones, by file."""
    texts = work()
    change = texts.change(path, place(texts, path, words), name)
    assert isinstance(change, Change), change
    after = texts.after(change)
    return {
        path: [new for old, new in zip(text.split("\n"), after.texts[path].split("\n"), strict=True) if old != new]
        for path, text in texts.texts.items()
        if after.texts[path] != text
    }


HIT = {
    "types.flow": [
        "pub record Treffer { title: Text, next: Option<Treffer> }",
        "@tool fn search() -> Result<Treffer, Never>",
    ],
    "a.flow": [
        "import ./types.{Treffer, search}",
        "record Page<T, Un> { items: List<T>, hit: Treffer, size: Int }",
        "fn find<T>(query: T, limit: Treffer) -> Result<List<t.Treffer>, types.Problem>",
        'fn helper(x: Treffer) { Treffer { Hit: 1 }; x.Hit; t.Treffer; "Hit"; search() } // Hit',
    ],
    "b.flow": ["record B<Fresh> { hit: types.Treffer, own: Int, fresh: Fresh }"],
    "c.flow": ["import ./types.{Treffer}", "record C<Taken> { hit: Treffer, size: Int, t: Taken }"],
}


@pytest.mark.parametrize(
    ("path", "words"),
    [("types.flow", "record |Hit"), ("a.flow", "{H|it, search"), ("a.flow", "hit: Hit|,"), ("b.flow", "types.|Hit")],
)
def test_a_type_is_renamed_with_every_use_in_every_file(path: str, words: str) -> None:
    assert renamed(path, words, "Treffer") == HIT


@pytest.mark.parametrize(
    ("path", "words", "name", "lines"),
    [
        ("types.flow", "fn |search", "look", {
            "types.flow": ["@tool fn look() -> Result<Hit, Never>"],
            "a.flow": ["import ./types.{Hit, look}",
                       'fn helper(x: Hit) { Hit { Hit: 1 }; x.Hit; t.Hit; "Hit"; look() } // Hit'],
        }),
        ("types.flow", "|Offline", "Away", {"types.flow": ["enum Problem { Away, Slow(Duration), Other { code: Int, why: Text } }"]}),
        ("types.flow", "|why", "record", {"types.flow": ["enum Problem { Offline, Slow(Duration), Other { code: Int, record: Text } }"]}),
        ("a.flow", "|limit", "most", {"a.flow": ["fn find<T>(query: T, most: Hit) -> Result<List<t.Hit>, types.Problem>"]}),
        ("a.flow", "find<|T>", "Item", {"a.flow": ["fn find<Item>(query: Item, limit: Hit) -> Result<List<t.Hit>, types.Problem>"]}),
        ("a.flow", "|t.Hit>, types", "other", {
            "a.flow": ["import ./types as other",
                       "fn find<T>(query: T, limit: Hit) -> Result<List<other.Hit>, types.Problem>",
                       'fn helper(x: Hit) { Hit { Hit: 1 }; x.Hit; other.Hit; "Hit"; search() } // Hit'],
        }),
        ("a.flow", "|types.Problem", "own", {
            "a.flow": ["import ../w/types as own",
                       "fn find<T>(query: T, limit: Hit) -> Result<List<t.Hit>, own.Problem>"],
        }),
        ("b.flow", "types as |types", "t", {"b.flow": ["import ./types as t", "record B<Fresh> { hit: t.Hit, own: Int, fresh: Fresh }"]}),
        ("b.flow", "|own", "o\u0308l", {"b.flow": ["record B<Fresh> { hit: types.Hit, \u00f6l: Int, fresh: Fresh }"]}),
        ("b.flow", "|own", "own", {}),
    ],
)  # fmt: skip
def test_each_kind_of_name(path: str, words: str, name: str, lines: dict[str, list[str]]) -> None:
    assert renamed(path, words, name) == lines


@pytest.mark.parametrize(
    ("path", "words", "name", "sentence"),
    [
        ("types.flow", "record |Hit", "fn", "`fn` is a keyword of Flow and names nothing here."),
        ("types.flow", "record |Hit", "2x", "`2x` is no name: names are letters, digits and `_`, and begin with no digit."),
        ("types.flow", "record |Hit", "", "`` is no name: names are letters, digits and `_`, and begin with no digit."),
        ("types.flow", "record |Hit", "a b", "`a b` is no name: names are letters, digits and `_`, and begin with no digit."),
        ("types.flow", "record |Hit", "Problem", "`types.flow` declares `Problem` already."),
        ("types.flow", "record |Hit", "search", "`types.flow` declares `search` already."),
        ("types.flow", "record |Hit", "Page", "`a.flow` declares `Page` already."),
        ("types.flow", "record |Hit", "Text", "`types.flow` uses Flow's own `Text`, which the new name would hide."),
        ("types.flow", "record |Hit", "Int", "`types.flow` uses Flow's own `Int`, which the new name would hide."),
        ("types.flow", "record |Hit", "List", "`a.flow` uses Flow's own `List`, which the new name would hide."),
        ("types.flow", "record |Hit", "Un", "`Page` in `a.flow` has a type parameter `Un`, which would hide the new name."),
        ("types.flow", "record |Hit", "Taken", "`C` in `c.flow` has a type parameter `Taken`, which would hide the new name."),
        ("types.flow", "record |Hit", "word",
         "`word` stands in a part of `c.flow` that is not read here, such as a function's body, where it may mean something else."),
        ("types.flow", "enum |Problem", "Hit", "`types.flow` declares `Hit` already."),
        ("types.flow", "|Offline", "Slow", "`Problem` has a constructor `Slow` already."),
        ("types.flow", "|code", "why", "`Problem` has a field `why` already."),
        ("types.flow", "|title", "next", "`Hit` has a field `next` already."),
        ("a.flow", "|query", "limit", "`find` has a parameter `limit` already."),
        ("a.flow", "Page<|T,", "Un", "`Page` has a type parameter `Un` already."),
        ("a.flow", "Page<|T,", "Hit", "`Page` uses another type called `Hit`, which the type parameter would hide."),
        ("a.flow", "Page<|T,", "Text", "`Text` is a type of Flow's own, which no type parameter may be called."),
        ("a.flow", "types as |t", "types", "Another import of `a.flow` binds `types` already."),
        ("a.flow", "types as |t", "x", "`x` stands in a part of `a.flow` that is not read here, such as a function's body, "
         "where it may mean something else."),
        ("a.flow", "import ./ty|pes as", "x", "This path names a file. Rename the file in the editor, and the imports of it are changed."),
        ("a.flow", "size: |Int", "X", "`Int` is a type of Flow's own and keeps its name."),
        ("a.flow", "fn hel|per", "X", "Nothing that has a name stands here."),
        ("d.flow", "import ./ty|pes", "X", "Nothing that has a name stands here."),
    ],
)  # fmt: skip
def test_what_stands_in_the_way_is_said(path: str, words: str, name: str, sentence: str) -> None:
    texts = work()
    assert texts.change(path, place(texts, path, words), name) == Refusal(sentence)


def test_names_beside_it_that_it_cannot_meet_are_no_hindrance() -> None:
    for name in ("Fresh", "own", "helper2", "Offline", "title", "body2"):
        texts = work()
        assert isinstance(texts.change("types.flow", place(texts, "types.flow", "record |Hit"), name), Change), name


def test_an_import_that_is_not_finished_may_bind_the_name() -> None:
    texts = Texts({"a.flow": "record A { x: Int }\nimport ./b.{Other\nimport ./c as\n"})
    assert texts.change("a.flow", 8, "Other") == Refusal(
        "An import in `a.flow` that is not finished may bind `Other`. Finish it first."
    )


def test_a_keyword_is_a_name_only_right_before_its_colon() -> None:
    texts = Texts({"a.flow": "record A { x /* y */ : Int, z : Int }\n"})
    assert texts.change("a.flow", 11, "as") == Refusal(
        "`as` is a keyword of Flow, and a name only right before a colon."
    )
    change = texts.change("a.flow", texts.texts["a.flow"].index("z"), "as")
    assert isinstance(change, Change)
    assert texts.after(change).codes() == texts.codes()


def test_what_means_nothing_known_is_not_renamed() -> None:
    texts = Texts({"a.flow": "record A { x: Gone, y: json.Value }\nimport std/json\n"})
    assert texts.change("a.flow", texts.texts["a.flow"].index("Gone"), "X") == Refusal(
        "What `Gone` means is not known, so it cannot be renamed everywhere."
    )
    assert texts.change("a.flow", texts.texts["a.flow"].index("Value"), "X") == Refusal(
        "`Value` is a type of Flow's own and keeps its name."
    )


REPOSITORY = {
    "kit/types.flow": "record Kit { x: Int }\n",
    "a.flow": "import acme/kit/types\nrecord A { kit: types.Kit }\n",
}
FOLDERS = (Folder(ROOT), Folder(f"{ROOT}/kit", "acme/kit", "1.2.0"))


def test_what_a_repository_declares_or_uses_is_renamed_only_where_the_workspace_is_open_on_it() -> None:
    texts = Texts(REPOSITORY, FOLDERS)
    kit = place(texts, "a.flow", "types.|Kit")
    assert texts.change("a.flow", kit, "New") == Refusal(
        "`Kit` is declared in the repository acme/kit at version 1.2.0, which is not this workspace's own. "
        "Rename it there."
    )
    assert isinstance(texts.change("a.flow", kit, "New", (ROOT, f"{ROOT}/kit")), Change)


def test_a_use_in_a_repository_that_is_not_the_workspaces_own_is_in_the_way() -> None:
    texts = Texts(
        {"own.flow": "record Own { x: Int }\n", "kit/uses.flow": "import acme/app/own.{Own}\nrecord U { own: Own }\n"},
        (Folder(ROOT, "acme/app", "1.0.0"), FOLDERS[1]),
    )
    assert texts.change("own.flow", 8, "New") == Refusal(
        "`uses.flow` uses it, in the repository acme/kit at version 1.2.0, which is not this workspace's own."
    )
    assert isinstance(texts.change("own.flow", 8, "New", (f"{ROOT}/kit/deep", ROOT)), Change)


def test_a_name_that_is_bound_by_its_path_gets_an_as_and_loses_it_again() -> None:
    before = {"a.flow": "import ./b // why\nrecord A { b: b.B }\n", "b.flow": "host B\n"}
    texts = Texts(before)
    change = texts.change("a.flow", place(texts, "a.flow", "b: |b.B"), "other")
    assert isinstance(change, Change)
    after = texts.after(change)
    assert after.texts["a.flow"] == "import ./b as other // why\nrecord A { b: other.B }\n"
    back = after.change("a.flow", place(after, "a.flow", "as |other"), "b")
    assert isinstance(back, Change)
    assert after.after(back).texts == before


def test_edits_say_what_they_mean_for_implementations_and_which_are_in_code_that_is_not_read() -> None:
    texts = work()
    change = texts.change("types.flow", place(texts, "types.flow", "fn |search"), "look")
    assert isinstance(change, Change)
    notes = {edit.note for edits in change.edits.values() for edit in edits}
    assert {(note.label, note.asks) for note in notes if note is not None} == {
        ("Rename the Tool `search` to `look`", False),
        ("Rename `search` in code that is not read", True),
    }
    alias = texts.change("a.flow", place(texts, "a.flow", "types as |t"), "other")
    assert isinstance(alias, Change)
    assert [edit.note and edit.note.asks for edit in alias.edits["/w/a.flow"]] == [None, None, True]


def test_what_would_be_renamed_is_the_name_under_the_cursor() -> None:
    texts = work()
    for offset in range(len(texts.texts["a.flow"]) + 1):
        found = renameable_at(texts.analysis, texts.snapshot, "/w/a.flow", offset, [ROOT])
        if isinstance(found, Renameable):
            assert found.span.holds(offset)
            assert texts.texts["a.flow"][found.span.start : found.span.end] == found.symbol.name
