"""Command lines split by quoting and white space only (decisions 7; B30)."""

from __future__ import annotations

import pytest

from flow_lsp.manifest.words import Words, WordsProblem, split_words


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", []),
        (" \t\n ", []),
        ("acme-tools openai", ["acme-tools", "openai"]),
        ("  a\t b\nc\r\nd ", ["a", "b", "c", "d"]),
        ("srv --color #fff", ["srv", "--color", "#fff"]),
        ('srv "" b', ["srv", "", "b"]),
        ("srv '' b", ["srv", "", "b"]),
        ("\"my tool\" --name='a b' c\\ d", ["my tool", "--name=a b", "c d"]),
        ("C:\\tools\\srv.exe --x", ["C:toolssrv.exe", "--x"]),
        ("a*b ~ $HOME `x` | & ; > (y)", ["a*b", "~", "$HOME", "`x`", "|", "&", ";", ">", "(y)"]),
        ("'a\\b'", ["a\\b"]),
        ('"\\$a \\` \\" \\\\ \\n"', ['$a ` " \\ \\n']),
        ('"a\\\nb" c\\\nd', ["ab", "cd"]),
        ("a \\\n b", ["a", "b"]),
        ("x\\'y", ["x'y"]),
        ("a\u00a0b\u2028c", ["a\u00a0b\u2028c"]),
        ("a\x0bb", ["a\x0bb"]),
    ],
)
def test_posix(text: str, words: list[str]) -> None:
    assert split_words(text) == Words(tuple(words))


@pytest.mark.parametrize(
    ("text", "offset"), [("tool 'open", 5), ('tool "open', 5), ('a "b\\"', 2), ("tool \\", 5), ('"a\\', 0)]
)
def test_what_posix_does_not_split_is_located(text: str, offset: int) -> None:
    problem = split_words(text)
    assert isinstance(problem, WordsProblem)
    assert problem.offset == offset


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("C:\\tools\\srv.exe --x", ["C:\\tools\\srv.exe", "--x"]),
        ('"C:\\my tools\\srv.exe" a', ["C:\\my tools\\srv.exe", "a"]),
        ('"C:\\my tools\\" a', ["C:\\my tools\\", "a"]),
        ("p 'a b'", ["p", "'a", "b'"]),
        ('p "a b" c', ["p", "a b", "c"]),
        ('p a\\\\b d"e f"g h', ["p", "a\\\\b", "de fg", "h"]),
        ('p a\\\\\\"b c d', ["p", 'a\\"b', "c", "d"]),
        ('p a\\\\\\\\"b c" d e', ["p", "a\\\\b c", "d", "e"]),
        ('p "a""b" c', ["p", 'a"b', "c"]),
        ('p "" b', ["p", "", "b"]),
        ("p tail\\", ["p", "tail\\"]),
    ],
)
def test_windows(text: str, words: list[str]) -> None:
    assert split_words(text, windows=True) == Words(tuple(words))


def test_an_open_quote_is_a_problem_on_windows_too() -> None:
    assert split_words('p "a b', windows=True) == WordsProblem(2, 'the quote " is not closed')
