"""Docstrings and literals: whatever a text holds, Python reads text, and people see all of it."""

from __future__ import annotations

import ast
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies.program_strategies import HARD_DOCS

from flow_lsp.generating.docs import docstring, member_docs
from flow_lsp.generating.literals import member, string, strings

anything = st.text(st.characters(), max_size=60) | st.sampled_from([doc or "" for doc in HARD_DOCS])


def read(lines: list[str]) -> Any:
    """What Python reads, under the indentation of the lines."""
    tree = ast.parse("class X:\n" + "\n".join(lines) + "\n    y = 1\n")
    (made,) = tree.body
    assert isinstance(made, ast.ClassDef)
    assert len(made.body) == 2 if lines else 1
    return ast.get_docstring(made) if lines else None


@given(st.lists(anything, max_size=3))
def test_a_docstring_is_one_string_and_nothing_else(paragraphs: list[str]) -> None:
    lines = docstring(paragraphs, "    ")
    assert bool(lines) == any(paragraph.strip() for paragraph in paragraphs)
    found = read(lines)
    assert (found is None) == (not lines)
    for line in lines:
        assert line.isprintable()
        assert line == line.rstrip()


@pytest.mark.parametrize(
    "doc", ["A doc.", 'ends in "', "ends in \\", 'ends in \\"', 'a """ in it', "\\N{DIGIT ONE}\\x", "é"]
)
def test_a_plain_line_is_read_as_it_is(doc: str) -> None:
    assert read(docstring([doc], "    ")) == doc


def test_what_cannot_be_seen_is_written_as_an_escape() -> None:
    (line,) = docstring(["\u202eevil\x1b\x00"])
    assert line == '"""\\u202eevil\\x1b\\x00"""'


def test_lines_and_paragraphs_stay_and_long_lines_are_wrapped_under_their_indentation() -> None:
    doc = "First.\n\n    " + "word " * 30 + "\r\nlast"
    lines = docstring([doc, "", "second paragraph"], "    ")
    assert lines[:3] == ['    """First.', "", "        word" + " word" * 14]
    assert lines[3] == "        word" + " word" * 14
    assert lines[4:] == ["    last", "", "    second paragraph", '    """']
    assert max(map(len, lines)) <= 88


def test_members_are_named_with_what_is_said_of_them() -> None:
    assert member_docs([("a", None), ("b", "One.\nTwo."), ("c", " ")]) == "b: One.\n    Two."
    assert member_docs([]) == ""


@given(st.text(st.characters(), max_size=40))
def test_a_literal_is_ascii_and_read_as_the_text(text: str) -> None:
    literal = string(text)
    assert literal.isascii()
    assert "\n" not in literal
    assert ast.literal_eval(literal) == text


def test_literals_are_written_for_people() -> None:
    assert string("a") == '"a"'
    assert string('{"a": "it\'s"}') == '\'{"a": "it\\\'s"}\''
    assert strings(["a"]) == '("a",)'
    assert strings([]) == "()"
    assert member("k", ["A", "B"], "  ") == ['  "k": (A, B),']
    assert member("k", ["A" * 50, "B" * 50], "") == ['"k": (', f"    {'A' * 50},", f"    {'B' * 50},", "),"]
