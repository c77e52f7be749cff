"""What may be typed in flow.toml: what comes out of each choice is what was meant."""

from __future__ import annotations

import re

import pytest
from support.snapshots import Fixture, snapshot

from flow_lsp.analysis.edits import TextEdit, applied
from flow_lsp.analysis.manifest_commands import WordOffer, command_place, written_offers
from flow_lsp.analysis.manifest_completions import manifest_completions
from flow_lsp.manifest.reader import read_manifest

TOOL = "@tool fn find() -> Result<Int, Text>\n"
FILES = {
    "a.flow": TOOL,
    'q"$.flow': TOOL,
    "types.flow": "record R { x: Int }\n",
    "sub/b.flow": TOOL,
    "near/c.flow": TOOL,
    "near/flow.toml": "",
    "no\\key.flow": TOOL,
}


def chosen(text: str, snippets: bool = False) -> list[tuple[str, str]]:
    """The label of each completion at `|`, and the text after it was chosen; a snippet's cursor is `|` again."""
    offset = text.index("|")
    text = text.replace("|", "")
    made = snapshot(Fixture({"flow.toml": text, **FILES}, {}))
    found = []
    for one in manifest_completions(made, made.manifests["/w"], offset):
        written, span = one.text, one.span
        if snippets and one.snippet:
            written = re.sub(r"\\([\\$}])|\$0", lambda match: match[1] or "|", one.snippet)
            span = one.snippet_span or span
        found.append((one.label, applied(text, [TextEdit(span, written)])))
    return found


def test_the_paths_without_a_table_come_first_with_their_escapes() -> None:
    found = chosen('[|]\n[tools."a.flow"]\nmcp = "x"\n')
    rest = ']\n[tools."a.flow"]\nmcp = "x"\n'
    assert found == [
        ('q"$.flow', '[tools."q\\"$.flow"' + rest),
        ("sub/b.flow", '[tools."sub/b.flow"' + rest),
        ("a.flow", '[tools."a.flow"' + rest),
    ]


@pytest.mark.parametrize(
    ("text", "label", "after"),
    [
        ("[|", "sub/b.flow", '[tools."sub/b.flow"]\ncommand = "|"'),
        ("[|]\n", 'q"$.flow', '[tools."q\\"$.flow"]\ncommand = "|"\n'),
        ("[tools.'su|']\r\n\r\n", "sub/b.flow", "[tools.'sub/b.flow']\r\ncommand = \"|\"\r\n\r\n"),
        ('[tools."su|"]\nmcp = "x"\n', "sub/b.flow", '[tools."sub/b.flow"]\nmcp = "x"\n'),
        ("[tools]\n|", "a.flow", '[tools]\n"a.flow" = { command = "|" }'),
        ('[tools]\n"a|"\n', "a.flow", '[tools]\n"a.flow" = { command = "|" }\n'),
        ("[tools]\n  'a|.command = 1\n", "a.flow", "[tools]\n  'a.flow'.command = 1\n"),
        ("tools = { | }", "a.flow", 'tools = { "a.flow" }'),
        ("tools = { 'a.flow' = {mcp = 'x'}, \"s|\" }", "sub/b.flow",
         "tools = { 'a.flow' = {mcp = 'x'}, \"sub/b.flow\" }"),
        ("|", '[tools."a.flow"]', '[tools."a.flow"]\ncommand = "|"'),
        ('[tools."a.flow"]\nmcp = "x"\n\n|\n', '[tools."sub/b.flow"]',
         '[tools."a.flow"]\nmcp = "x"\n\n[tools."sub/b.flow"]\ncommand = "|"\n'),
        ('[tools."a.flow"]\n|\n', "command", '[tools."a.flow"]\ncommand = "|"\n'),
        ('[tools."a.flow"]\nm| = "x"\n', "mcp", '[tools."a.flow"]\nmcp = "x"\n'),
        ('tools."a.flow" = { | }\n', "mcp", 'tools."a.flow" = { mcp = "|" }\n'),
    ],
)  # fmt: skip
def test_what_is_chosen_is_completed(text: str, label: str, after: str) -> None:
    assert (label, after) in chosen(text, snippets=True), chosen(text, snippets=True)


@pytest.mark.parametrize(
    "text",
    [
        '[tools."a.flow"]\nmcp = "x" # |\n',
        '[server]\n"a|"\n',
        'x = { "a|" }',
        'tools = { "a.flow" = { "x|" } }',
        '[tools."a.flow"]\nmcp = "x"\nma|il = 1\n',
    ],
)
def test_nothing_is_offered_where_nothing_of_ours_stands(text: str) -> None:
    assert chosen(text) == []


def test_a_file_of_a_nearer_manifest_and_one_without_tools_are_not_offered() -> None:
    labels = [label for label, _ in chosen("[|]\n")]
    assert labels == ["a.flow", 'q"$.flow', "sub/b.flow"]


# -- words of commands ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "before", "typed", "replaced"),
    [
        ('[tools."a.flow"]\ncommand = "py|"\n', (), "py", "py"),
        ('[tools."a.flow"]\ncommand = "py|thon3 x"\n', (), "py", "python3"),
        ('[tools."a.flow"]\ncommand = "|"\n', (), "", ""),
        ('[tools."a.flow"]\ncommand = "|\n', (), "", ""),
        ('[tools."a.flow"]\ncommand = "py|\n[tools."b.flow"]\n', (), "py", "py"),
        ('[tools."a.flow"]\r\nmcp = "npx ser|\r\n', ("npx",), "ser", "ser"),
        ("[tools.'a.flow']\nmcp = 'uv run x|'\n", ("uv", "run"), "x", "x"),
        ('[tools."a.flow"]\ncommand = """\nrun \\\n  to|ols/x"""\n', ("run",), "to", "tools/x"),
        ('[tools."a.flow"]\ncommand = "\'my pro|g\' x"\n', (), "my pro", "'my prog'"),
        ('[tools."a.flow"]\ncommand = "run \\"my fi|"\n', ("run",), "my fi", '\\"my fi'),
        ('[tools."a.flow"]\ncommand = "a  |  b"\n', ("a",), "", ""),
        ('[tools."a.flow"]\ncommand = "a |b"\n', ("a",), "", "b"),
        ('tools."a.flow" = { command = "ru|" }\n', (), "ru", "ru"),
        ('tools = { "a.flow".mcp = "ru|\n', (), "ru", "ru"),
    ],
)
def test_the_word_of_a_command_that_is_typed(text: str, before: tuple[str, ...], typed: str, replaced: str) -> None:
    offset = text.index("|")
    text = text.replace("|", "")
    place = command_place(read_manifest(text), offset)
    assert place is not None
    assert (place.before, place.typed) == (before, typed)
    assert text[place.span.start : place.span.end] == replaced


@pytest.mark.parametrize(
    "text",
    [
        '[tools."a.flow"]\ncommand = "x"|\n',
        '[tools."a.flow"]\ncommand = |"x"\n',
        '[tools."a.flow"]\nenv = "x|"\n',
        '[tools."a.flow"]\ncommand = ["x|"]\n',
        '[other]\ncommand = "x|\n',
        '# command = "x|\n',
        '[tools."a|.flow"]\n',
        "|",
    ],
)
def test_no_command_is_typed(text: str) -> None:
    assert command_place(read_manifest(text.replace("|", "")), text.index("|")) is None


@pytest.mark.parametrize(
    ("text", "words", "after"),
    [
        ('[tools."a.flow"]\ncommand = "|"\n', ("run",), '[tools."a.flow"]\ncommand = "run"\n'),
        ('[tools."a.flow"]\ncommand = "x|"\n', ("uv", "run", "a b"), '[tools."a.flow"]\ncommand = "uv run \'a b\'"\n'),
        ('[tools."a.flow"]\ncommand = "|"\n', ('q"\\',), '[tools."a.flow"]\ncommand = "\'q\\"\\\\\'"\n'),
        ("[tools.'a.flow']\ncommand = '|'\n", ("my prog",), "[tools.'a.flow']\ncommand = '\"my prog\"'\n"),
        ("[tools.'a.flow']\ncommand = '|'\n", ("a'b",), None),
        ("[tools.'a.flow']\ncommand = '|'\n", ('a"b c',), None),
        ("[tools.'a.flow']\ncommand = '''|'''\n", ("ü",), "[tools.'a.flow']\ncommand = '''ü'''\n"),
    ],
)
def test_a_word_is_quoted_for_the_command_and_for_the_string(
    text: str, words: tuple[str, ...], after: str | None
) -> None:
    offset = text.index("|")
    plain = text.replace("|", "")
    place = command_place(read_manifest(plain), offset)
    assert place is not None
    found = list(written_offers(place, [WordOffer(words[-1], words, "")]))
    if after is None:
        assert found == []
        return
    result = applied(plain, [TextEdit(place.span, found[0].text)])
    assert result == after
    assert read_manifest(result).tables[0].words == words
