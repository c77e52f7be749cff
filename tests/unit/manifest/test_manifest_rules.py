"""Each rule of flow.toml, what it says and where (decisions 10; B01, B07, B24 to B28, B30, B53)."""

from __future__ import annotations

import pytest

from flow_lsp.findings.catalogue import RULES
from flow_lsp.findings.manifest_rules import RULES as OURS
from flow_lsp.manifest.reader import read_manifest

GOOD = '[tools."a.flow"]\ncommand = "x"\n'


def said(text: str) -> list[tuple[str, str]]:
    """The findings of a text: the code, and the text at the place."""
    return [(each.rule.code, text[each.span.start : each.span.end]) for each in read_manifest(text).findings]


def message(text: str) -> str:
    (finding,) = read_manifest(text).findings
    return finding.message


def test_every_rule_is_in_the_catalogue() -> None:
    assert {rule.code for rule in OURS} <= set(RULES)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "\n# nothing\n",
        GOOD,
        'tools."a.flow".command = "x"\n',
        'tools = { "a.flow" = { command = "x" } }\n',
        'tools = { "a.flow".command = "x" }\n',
        '[tools]\n"a.flow" = { mcp = "x" }\n"b.flow".command = "y"\n',
        "[tools]\n'a.flow'.'command' = '''x'''\n",
        '["tools" . "a.flow"]\n"command" = """x"""\n',
        '[tools."a.flow"]\ncommand = "a"\n[tools."b.flow"]\nmcp = "b"\n[tools]\n',
        '[tools]\n"a.flow".command = "a"\n"b.flow" = { mcp = "b" }\n',
        "[tools]\n",
        '\ufeff[tools."a.flow"]\ncommand = "x"\n',
    ],
)
def test_all_spellings_of_a_good_manifest_count_alike(text: str) -> None:
    manifest = read_manifest(text)
    assert manifest.findings == ()
    assert all(table.kind is not None for table in manifest.tables)


@pytest.mark.parametrize(
    ("text", "findings"),
    [
        ("x = 1\n", [("unknown-key", "x")]),
        ("[server]\nport = 1\n[server.more]\n[[server.items]]\n", [("unknown-key", "server")]),
        (
            '[tool."a.flow"]\ncommand = "x"\n[tool."b.flow"]\n',
            [("unknown-key", "tool"), ("unknown-key", "tool")],
        ),
        ('[tools."a.flow"]\ncomand = "x"\n', [("unknown-key", "comand")]),
        ('[tools."a.flow"]\nargs = ["x"]\n', [("one-of", '[tools."a.flow"]'), ("unknown-key", "args")]),
        (GOOD + "env.A = 1\nenv.B = 2\n", [("unknown-key", "env")]),
        (GOOD + '[tools."a.flow".env]\nA = 1\n', [("unknown-key", "env")]),
        ('tools = { "😋😋.flow" = { bogus = 1, mcp = "x" } }', [("unknown-key", "bogus")]),
        (GOOD + "\t\tbogus = 1\n", [("unknown-key", "bogus")]),
    ],
)
def test_unknown_key(text: str, findings: list[tuple[str, str]]) -> None:
    assert said(text) == findings


@pytest.mark.parametrize(
    ("text", "findings"),
    [
        ("tools = 1\n", [("not-table", "tools")]),
        ('tools = [{ "a.flow" = 1 }]\n', [("not-table", "tools")]),
        ('[[tools]]\n"a.flow".command = "x"\n[[tools]]\n', [("not-table", "tools")]),
        ('[[tools."a.flow"]]\ncommand = 1\n', [("not-table", '"a.flow"')]),
        ('[tools]\n"a.flow" = "x"\n', [("not-table", '"a.flow"')]),
        (
            'tools = 1\n[tools."a.flow"]\n[tools."b.flow"]\n',
            [("not-table", "tools"), ("toml", '[tools."a.flow"]')],
        ),
        ('tools."a.flow" = 2031-02-03\n', [("not-table", '"a.flow"')]),
    ],
)
def test_not_table(text: str, findings: list[tuple[str, str]]) -> None:
    assert said(text) == findings


@pytest.mark.parametrize(
    ("text", "findings"),
    [
        ('[tools.a.flow]\ncommand = "x"\nbogus = 1\n', [("path", "a.flow")]),
        ('tools.search.flow.command = "x"\n', [("path", "search.flow")]),
        ('[tools]\na.flow = { command = "x" }\n', [("path", "a.flow")]),
        ("[tools.a]\nbogus = 1\n", [("path", "a")]),
        ('[tools]\n"/a.flow" = 1\n', [("path", '"/a.flow"')]),
        ('[tools."sub\\\\a.flow"]\n', [("path", '"sub\\\\a.flow"')]),
        ('[tools."../a.flow"]\n', [("path", '"../a.flow"')]),
        ('[tools.""]\n', [("path", '""')]),
    ],
)
def test_path_is_reported_for_that_alone(text: str, findings: list[tuple[str, str]]) -> None:
    assert said(text) == findings


def test_a_name_without_quotes_is_shown_with_them() -> None:
    assert 'Write [tools."search.flow"].' in message('[tools.search.flow]\ncommand = "x"\n')


def test_two_spellings_of_one_file_are_said_at_the_later() -> None:
    text = GOOD + '[tools."./a.flow"]\nmcp = "y"\n'
    assert said(text) == [("same-path", '"./a.flow"')]
    manifest = read_manifest(text)
    assert manifest.index_by_path == {"a.flow": 0}
    assert len(manifest.tables) == 2


@pytest.mark.parametrize(
    ("text", "findings"),
    [
        ('[tools."a.flow"]\n', [("one-of", '[tools."a.flow"]')]),
        ('[tools."a.flow"]\ncommand = "x"\nmcp = "y"\n', [("one-of", '[tools."a.flow"]')]),
        ('tools."a.flow".mcp = "x"\ntools."a.flow".command = "y"\n', [("one-of", 'tools."a.flow"')]),
        ('[tools]\n"a.flow" = {}\n', [("one-of", '"a.flow"')]),
        ('[tools."a.flow".env]\n', [("one-of", '[tools."a.flow".env]'), ("unknown-key", "env")]),
        ('[tools."a.flow".command]\nx = 1\n', [("value", "command")]),
        (
            '[tools."a.flow".command]\n[tools."a.flow"]\nmcp = "x"\n',
            [("value", "command"), ("one-of", '[tools."a.flow"]')],
        ),
        ('[tools."a.flow"]\n[tools."a.flow".mcp]\nx = 1\n', [("value", "mcp")]),
    ],
)
def test_one_of(text: str, findings: list[tuple[str, str]]) -> None:
    assert said(text) == findings


@pytest.mark.parametrize(
    "value",
    [
        "2031-02-03",
        "2031-02-03 07:32:00",
        '["a"]',
        "true",
        "1",
        "1.5",
        "{ a = 1 }",
        '""',
        '"   "',
        '"tool \'open"',
        '"tool \\\\"',
        '"a\\u0000"',
        "'''\n'''",
    ],
)
@pytest.mark.parametrize("key", ["command", "mcp"])
def test_value_is_reported_for_that_alone(key: str, value: str) -> None:
    assert said(f'[tools."a.flow"]\n{key} = {value}\n') == [("value", value)]


def test_a_windows_host_splits_its_own_way() -> None:
    text = "[tools.\"a.flow\"]\ncommand = 'C:\\tools\\srv.exe --x'\n"
    assert read_manifest(text, windows=True).tables[0].words == ("C:\\tools\\srv.exe", "--x")
    assert read_manifest(text, read_manifest(text, windows=True)).tables[0].words == ("C:toolssrv.exe", "--x")


@pytest.mark.parametrize(
    ("text", "second"),
    [
        ('[tools]\n"a.flow" = true\n[x]\n[tools."a.flow"]\n', '[tools."a.flow"]'),
        (GOOD + '[[x]]\n[tools]\n"a.flow".mcp = "x"\n', '"a.flow".mcp'),
        (GOOD + '["tools"."a.flow"]\nmcp = "y"\n', '["tools"."a.flow"]'),
        (GOOD + 'command = "y"\n', "command"),
    ],
)
def test_a_second_definition_is_toml_s_error_there(text: str, second: str) -> None:
    assert ("toml", second) in said(text)
    assert "one-of" not in [code for code, _ in said(text)]
    assert read_manifest(text).has_error


def test_half_a_character_is_located_and_can_be_sent() -> None:
    for text, place in (
        ('a = "x\\ud800"', "\\ud800"),
        ('a = "\\U0000D800"', "\\U0000D800"),
        ("# \ud800\n", "\ud800"),
    ):
        assert ("toml", place) in said(text)
        for finding in read_manifest(text).findings:
            assert finding.message.encode("utf-8")


def test_one_finding_of_a_text_with_millions_is_enough() -> None:
    assert len(read_manifest("x\n" * 3_000).findings) == 1_000
    assert len(read_manifest("[a]\n" * 3_000).findings) == 1_000
    assert len(read_manifest('[tools."a.toml"]\n[x]\n' * 3_000).findings) == 1_000
