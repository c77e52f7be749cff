"""Hostile text in Markdown stays where it was put."""

from __future__ import annotations

import pytest

from flow_lsp.analysis.markdown import block, code, escaped, plain, prose


@pytest.mark.parametrize(
    ("text", "safe"),
    [
        ("<img src=x> *a* `b` [c](d)", "&lt;img src=x> \\*a\\* \\`b\\` \\[c\\](d)"),
        ("# no heading", "\\# no heading"),
        ("a\n- no item\n1. nor this", "a  \n\\- no item  \n1\\. nor this"),
        ("> no quote", "\\> no quote"),
        ("_no_ emphasis, snake_case", "\\_no\\_ emphasis, snake_case"),
        ("title\n===", "title  \n\\==="),
        ("What it costs. In a-b (1.5)!", "What it costs. In a-b (1.5)!"),
        ("&lt;", "&amp;lt;"),
    ],
)
def test_markup_in_words_takes_no_effect_and_plain_words_stay_plain(text: str, safe: str) -> None:
    assert escaped(text) == safe


def test_line_breaks_in_words_stay() -> None:
    assert escaped("a\nb") == "a  \nb"


def test_names_in_a_sentence_of_ours_are_code_and_the_rest_is_words() -> None:
    assert prose("field `a_b` of *Hit* is `Int` here") == "field `a_b` of \\*Hit\\* is `Int` here"


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("` <img> `", "the \\`\\` &lt;img> \\`\\` here"),
        ("a`<b>`c", "the `a`&lt;b>`c` here"),
        ("a`<b>", "the \\`a\\`&lt;b>\\` here"),
    ],
)
def test_a_name_with_backticks_cannot_leave_its_place(name: str, text: str) -> None:
    assert prose(f"the `{name}` here") == text


def test_a_code_span_is_delimited_by_more_backticks_than_it_holds() -> None:
    assert code("a`b``c") == "```a`b``c```"
    assert code("`a`") == "`` `a` ``"


def test_a_line_of_backticks_does_not_close_a_block() -> None:
    assert block("text", "a\n```\nb") == "````text\na\n```\nb\n````"


def test_lines_without_words_are_gone_through_once() -> None:
    blank = "\n" * 200_000
    assert escaped(f"a{blank}# b").endswith("\n\\# b")


@pytest.mark.parametrize(
    "words", ["a *b* <c> & d", "# no\n1. list", "back\\slash `tick` snake_case _x_", "**strong**", "&lt; [a](b) ~x~ |"]
)
def test_plain_text_says_the_same_words_without_marks(words: str) -> None:
    assert plain(escaped(words)) == words


def test_plain_text_keeps_what_code_holds() -> None:
    blocks = f"{block('json', '[*b*]')}\n" + block("text", "```\n**x**")
    text = f"**drift**: {code('a*b')} and {code('x`y')}  \n{blocks}"
    assert plain(text) == "drift: a*b and x`y\n[*b*]\n```\n**x**"
