"""Where keys and commands of flow.toml lead, where files are named, and the shape of the text."""

from __future__ import annotations

import pytest
from support.snapshots import fixture, snapshot

from flow_lsp.analysis.navigation.manifests import (
    keys_naming,
    keys_of,
    link_at,
    links,
    manifest_folds,
    manifest_outline,
    manifest_selections,
    named_at,
    search_tables,
)
from flow_lsp.manifest.reader import read_manifest
from flow_lsp.text.spans import Span

FILES = """
//- a.flow
//- sub/b.flow
//- tools/run.py
//- pkg/server.py
//- pkg/app/__main__.py
//- my file.js
"""


@pytest.mark.parametrize(
    ("text", "path"),
    [
        ('[tools."a.|flow"]\nmcp = "x"\n', "/w/a.flow"),
        ('[to|ols."./sub//b.flow"]\nmcp = "x"\n', "/w/sub/b.flow"),
        ("tools = { 'a.f|low' = { mcp = 'x' } }", "/w/a.flow"),
        ('[tools."gone.f|low"]\nmcp = "x"\n', None),
        ('[tools."a.flow"]\nm|cp = "x"\n', None),
        ('[tools."a.flow"]\ncommand = "tools/r|un.py --x"\n', "/w/tools/run.py"),
        ('[tools."a.flow"]\ncommand = "python3 ./tools/run.py|"\n', "/w/tools/run.py"),
        ("[tools.\"a.flow\"]\ncommand = '''\npython3 \\\n|tools/run.py'''\n", "/w/tools/run.py"),
        ('[tools."a.flow"]\ncommand = "uv run \\"tools/r|un.py\\""\n', "/w/tools/run.py"),
        ('[tools."a.flow"]\ncommand = "node \'my f|ile.js\'"\n', "/w/my file.js"),
        ('[tools."a.flow"]\ncommand = "python3 -m pkg.ser|ver"\n', "/w/pkg/server.py"),
        ('[tools."a.flow"]\ncommand = "python3 -m pkg.ap|p"\n', "/w/pkg/app/__main__.py"),
        ('[tools."a.flow"]\ncommand = "pyth|on3 tools/run.py"\n', None),
        ('[tools."a.flow"]\ncommand = "node none|.js"\n', None),
        ('[tools."a.flow"]\ncommand = "node --eval|=a.flow"\n', None),
        ('[tools."a.flow"]\ncommand = ["tools/r|un.py"]\n', None),
    ],
)
def test_where_it_leads(text: str, path: str | None) -> None:
    offset = text.index("|")
    made = fixture(f"//- flow.toml\n{text.replace('|', '')}{FILES}")
    found = snapshot(made)
    link = link_at(found, found.manifests["/w"], offset)
    assert (link and link.path) == path
    if link is not None:
        assert link.path in [each.path for each in links(found, found.manifests["/w"])]
        assert link.span.holds(offset)


def test_a_file_is_named_by_keys_of_every_manifest() -> None:
    made = fixture("""\
//- flow.toml
[tools]
"sub/b.flow".command = "x"
  ^^^
"sub/b.flow".mcp = "y"
"a.flow".mcp = "y"
//- sub/flow.toml
[tools."b.flow"]
mcp = "x"
//- sub/b.flow
""")
    found = snapshot(made)
    path = named_at(found.manifests["/w"], made.marks["flow.toml"][0].start)
    assert path == "/w/sub/b.flow"
    text = made.texts["flow.toml"]
    named = [(name, made.texts[name[3:]][span.start : span.end]) for name, span in keys_naming(found, path)]
    assert named == [("/w/flow.toml", '"sub/b.flow"')] * 2 + [("/w/sub/flow.toml", '"b.flow"')]
    manifest = found.manifests["/w"].manifest
    assert manifest is not None
    assert [text[span.start : span.end] for span in keys_of(manifest, "/w", path)] == ['"sub/b.flow"'] * 2
    assert keys_of(manifest, "/w", "/elsewhere/b.flow") == []


TEXT = """\
# one
# two
[tools."a.flow"] # a
command = '''
# no comment
# at all
x'''

# about b
[tools."b.flow"]
mcp = "b c"
"""


def test_the_outline_has_the_tables_and_their_keys() -> None:
    found = manifest_outline(read_manifest(TEXT))
    assert [(one.name, one.detail, [child.name for child in one.children]) for one in found] == [
        ("a.flow", "command # no comment # at all x", ["command"]),
        ("b.flow", "mcp b c", ["mcp"]),
    ]
    for one in found:
        for each in (one, *one.children):
            assert one.span.start <= each.span.start <= each.name_span.start
            assert each.name_span.end <= each.span.end <= one.span.end
    assert [one.name for one in manifest_outline(read_manifest('[tools.""]\n[tools." "]\n'))] == ['""', '""']


def test_tables_values_and_comments_fold() -> None:
    text = TEXT
    folds = manifest_folds(read_manifest(text))
    assert [text[fold.span.start : fold.span.end] for fold in folds] == [
        "\n# two",
        "\ncommand = '''\n# no comment\n# at all\nx'''",
        "\n# no comment\n# at all\nx'''",
        '\nmcp = "b c"',
    ]
    assert manifest_folds(read_manifest('[tools."a.flow"]\n\n# c\n')) == []
    crlf = text.replace("\n", "\r\n")
    assert [
        crlf[fold.span.start : fold.span.end].replace("\r\n", "\n") for fold in manifest_folds(read_manifest(crlf))
    ] == [text[fold.span.start : fold.span.end] for fold in folds]


def test_a_selection_grows_from_the_word_to_the_file() -> None:
    text = '# x\n[tools."b.flow"]\nmcp = "b \'c d\'" # y\n'
    found = manifest_selections(read_manifest(text), text.index("c d"))
    assert [text[span.start : span.end] for span in found] == [
        "'c d'", "b 'c d'", "\"b 'c d'\"", "mcp = \"b 'c d'\"", "[tools.\"b.flow\"]\nmcp = \"b 'c d'\"",
        "[tools.\"b.flow\"]\nmcp = \"b 'c d'\" # y", text,
    ]  # fmt: skip
    assert manifest_selections(read_manifest(""), 0) == [Span(0, 0)]


def test_tables_are_found_by_letters_of_their_keys() -> None:
    made = fixture("""\
//- flow.toml
[tools."search/web.flow"]
mcp = "x"
//- sub/flow.toml
[tools."web.flow"]
mcp = "x"
[tools." "]
""")
    found = snapshot(made)
    assert [(path, key) for path, key, _ in search_tables(found, "SWE", 9)] == [("/w/flow.toml", "search/web.flow")]
    assert [key for _, key, _ in search_tables(found, "", 9)] == ["search/web.flow", "web.flow"]
    assert len(search_tables(found, "", 1)) == 1
