"""What each word of a `flow.toml` is painted as."""

from __future__ import annotations

import pytest

from flow_lsp.analysis.navigation.manifest_tokens import manifest_tokens
from flow_lsp.analysis.navigation.token_types import TOKEN_TYPES
from flow_lsp.manifest.reader import read_manifest


def painted(text: str) -> list[str]:
    """Each token as its text and its type."""
    manifest = read_manifest(text)
    return [
        f"{text[start + token.start : start + token.end]} {TOKEN_TYPES[token.type]}"
        for start, one in zip(manifest.starts, manifest_tokens(manifest).items, strict=True)
        for token in one.tokens
    ]


def test_a_table_and_its_command():
    text = '# who answers\n[tools."a.flow"] # one\ncommand = "python3 a.py"\n'
    assert painted(text) == [
        "# who answers comment", "tools namespace", '"a.flow" string', "# one comment", "command property",
        '"python3 a.py" string',
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("text", "tokens"),
    [
        ("a.b = 1", ["a property", "b property", "1 number"]),
        ('"a" = \'b\'', ['"a" property', "'b' string"]),
        ("a = true", ["a property", "true keyword"]),
        ("a = -inf", ["a property", "-inf number"]),
        ("a = 2026-12-03T10:00:00Z", ["a property", "2026-12-03T10:00:00Z number"]),
        ("a = nonsense", ["a property"]),
        ("a = [1, 'b', # c\n  { d = 2 }]\ne = 3",
         ["a property", "1 number", "'b' string", "# c comment", "d property", "2 number", "e property", "3 number"]),
        ("t = { a = 1, 'b' = [2], c.d = 3 }",
         ["t property", "a property", "1 number", "'b' property", "2 number", "c property", "d property", "3 number"]),
        ('a = """x\n"y" # z\n"""\nb = 1', ["a property", '"""x\n"y" # z\n""" string', "b property", "1 number"]),
        ("a = '''x'''''\nb = 1", ["a property", "'''x''''' string", "b property", "1 number"]),
        ("[[a.b]]\nc = 1", ["a namespace", "b namespace", "c property", "1 number"]),
        ('a = ""\nb = \'\'', ["a property", '"" string', "b property", "'' string"]),
    ],
)  # fmt: skip
def test_values_and_keys(text: str, tokens: list[str]):
    assert painted(text) == tokens


@pytest.mark.parametrize(
    ("text", "tokens"),
    [
        ('a = "x\nb = 1', ["a property", '"x string', "b property", "1 number"]),
        ("a = 'x\nb = 1", ["a property", "'x string", "b property", "1 number"]),
        ('[tools."a\nb = 1', ["tools namespace", '"a string', "b property", "1 number"]),
        ("a = { b = 1\nc = 2", ["a property", "b property", "1 number"]),
        ("a =\nb = 1", ["a property", "b property", "1 number"]),
        ("]}\nb = 1", ["b property", "1 number"]),
        ("a\nb = 1", ["a property", "b property", "1 number"]),
    ],
)
def test_what_is_being_written_is_painted_as_far_as_it_goes(text: str, tokens: list[str]):
    assert painted(text)[: len(tokens)] == tokens


def test_after_an_edit_the_tokens_of_other_tables_are_the_same_objects():
    text = '[tools."a.flow"]\ncommand = "a"\n\n[tools."b.flow"]\ncommand = "b"\n'
    before = read_manifest(text)
    tokens = manifest_tokens(before)
    after = read_manifest(text.replace('"b"', '"bb"'), before)
    again = manifest_tokens(after, tokens)
    assert again.items[-1] is not tokens.items[-1]
    assert [one is other for one, other in zip(again.items[:-1], tokens.items[:-1], strict=True)] == [True] * (
        len(tokens.items) - 1
    )
