"""What can be folded, and what a selection grows to."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies.flow_texts import texts

from flow_lsp.analysis.navigation.folding import Fold, FoldKind, fewest, folds
from flow_lsp.analysis.navigation.selecting import selections
from flow_lsp.source.reader import read_source
from flow_lsp.text.spans import Span


def shown(text: str) -> list[str]:
    """Each fold as `FIRST-LAST kind`, lines from 1; `)` where a bracket stays in view."""
    found = []
    for fold in folds(read_source(text)):
        first = text.count("\n", 0, fold.span.start) + 1
        last = text.count("\n", 0, fold.span.end) + 1
        found.append(f"{first}-{last}{')' if fold.closes else ''} {fold.kind.value}".strip())
    return found


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("record A {\n  a: Int\n}\n", ["1-3)"]),
        ("record A { a: Int }\n", []),
        ("/// One.\n/// Two.\nrecord A {\n  a: Int\n}\n", ["1-2 comment", "3-5)"]),
        ("@tool\nfn a(\n  b: Int\n) -> Result<Int, Never>\n", ["1-4", "2-4)"]),
        ("@tool\nfn a() -> Result<Int, Never>\n", ["1-2"]),
        ("import a/b\nimport a/c\n\n// why\nimport ./d.{\n  E\n}\n", ["1-7 imports", "5-7)"]),
        ("import a/b\nrecord A { }\nimport a/c\n", []),
        ("enum A {\n  B {\n    c: Int\n  }\n}", ["1-5)", "2-4)"]),
        ("fn a() {\n  if x {\n    y([\n    ])\n  }\n}\n", ["1-6)", "2-5)", "3-4)", "3-4)"]),
        ("// a\n// b\n\n// c\n/// d\nhost A", ["1-2 comment"]),
        ("host A // x\n// y\nhost B", []),
        ("/* a\n b */\nhost A /* c */", ["1-2 comment"]),
        ('fn a() { "{"\n }\n// {\n/* { */', ["1-2)"]),
        ("record A {\n  a: Int\nrecord B {\n  b: Int\n}\n", ["1-2", "3-5)"]),
        ("", []),
    ],
)
def test_brackets_declarations_comments_and_imports(text: str, found: list[str]) -> None:
    assert shown(text) == found
    assert shown(text.replace("\n", "\r\n")) == found


def test_of_too_many_the_outer_ones_are_given() -> None:
    found = [Fold(Span(0, 9), depth=1), Fold(Span(1, 8), depth=2), Fold(Span(10, 20), FoldKind.COMMENT)]
    assert fewest(found, 3) == found
    assert fewest(found, 2) == [found[0], found[2]]
    assert fewest(found, 0) == fewest(found, -1) == []


TEXT = """\
import ./types.{Hit}
/// A page.
@other(1)
pub record Page<T> {
  /// Items.
  items: Dict<Text, List<fn(T) -> (Int, Hit)>>,
  next: Int
}
enum E { A, B(Int, List<Text>) }
fn f() { g("a b", [1, 2]) }
"""


@pytest.mark.parametrize(
    ("words", "grown"),
    [
        (
            "-> (Int, H|it)",
            ["Hit", "Int, Hit", "(Int, Hit)", "fn(T) -> (Int, Hit)", "List<fn(T) -> (Int, Hit)>",
             "Dict<Text, List<fn(T) -> (Int, Hit)>>", "items: Dict<Text, List<fn(T) -> (Int, Hit)>>"],
        ),
        ("{H|it}", ["Hit", "{Hit}", "import ./types.{Hit}"]),
        ("List<Te|xt>", ["Text", "List<Text>", "Int, List<Text>", "(Int, List<Text>)", "B(Int, List<Text>)"]),
        ("/// It|ems", ["/// Items."]),
        ('"a| b"', ['"a b"', '"a b", [1, 2]', '("a b", [1, 2])', 'g("a b", [1, 2])', '{ g("a b", [1, 2]) }']),
    ],
)  # fmt: skip
def test_a_selection_grows(words: str, grown: list[str]) -> None:
    before, _, after = words.partition("|")
    offset = TEXT.index(before + after) + len(before)
    found = [TEXT[span.start : span.end] for span in selections(read_source(TEXT), offset)]
    assert found[: len(grown)] == grown
    assert found[-1] == TEXT


def test_a_declaration_is_selected_without_and_with_its_doc_comment() -> None:
    found = selections(read_source(TEXT), TEXT.index("record Page"))
    first = TEXT.index("/// A page"), TEXT.index("enum") - 1
    assert found[-2] == Span(*first)
    assert found[-3] == Span(TEXT.index("@other"), first[1])


@given(texts, st.integers(-2, 200))
def test_folds_and_selections_lie_inside_any_text(text: str, offset: int) -> None:
    source = read_source(text)
    for fold in folds(source):
        assert 0 <= fold.span.start <= fold.span.end <= len(text)
        assert "\n" in text[fold.span.start : fold.span.end]
    found = selections(source, offset)
    assert found[-1] == Span(0, len(text))
    for inner, outer in pairwise(found):
        assert outer.start <= inner.start <= inner.end <= outer.end
        assert inner != outer
        assert inner.holds(offset)
