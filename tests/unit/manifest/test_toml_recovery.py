"""A mistake costs the statement it stands in, and no more (B08, B09; decisions 10)."""

from __future__ import annotations

import pytest

from flow_lsp.manifest.reader import read_manifest

NEXT = '[tools."b.flow"]\nmcp = "y"\n'


def said(text: str) -> list[tuple[str, str]]:
    return [(each.rule.code, text[each.span.start : each.span.end]) for each in read_manifest(text).findings]


@pytest.mark.parametrize(
    ("statement", "place"),
    [
        ('command = "x', '"x'),
        ("command = 'x", "'x"),
        ('command  "x"', "command"),
        ("command", "command"),
        ("command =", "="),
        ("command = acme-tools openai # c", "acme-tools openai"),
        ('command = "x" y', "y"),
        ('command = ["x"', "["),
        ('command = ["x",', "["),
        ('command = [\n"x"\n', "["),
        ('command = { a = "x"', '{ a = "x"'),
        ("command = { a = 1, }", "}"),
        ("command = [1 2]", "2"),
        ("command = { a = 1, a = 2 }", "a"),
        ('command = [1, """a\n"""] b', "b"),
        ('command = { a = "x" b }', "b"),
        ("command = ?", "?"),
        ("command = [?]", "?"),
        ("command = ]", "]"),
        ('command = """x', '"""x'),
        ("command = '''x\n", "'''x"),
        ('command = "\\z"', "\\z"),
        ('command = "a\rb"', "\r"),
        ('command = "a\x01b"', "\x01"),
        ('command = "x" # \x7f', "\x7f"),
        ('comm/and = "x"', "/and"),
        ('= "x"', "="),
        ("!!!", "!!!"),
        ("!!!\n???\n;;;", "!!!"),
        ("command = 01", "01"),
        ("command = 2021-02-30", "2021-02-30"),
        ("command = True", "True"),
        ("command = \"x\"\rmcp = 'y'", "\r"),
        ('command = "x"\ncommand = "z"', "command"),
        ("command = " + "[" * 200, "["),
    ],
)
def test_a_broken_statement_is_one_finding_and_hides_nothing(statement: str, place: str) -> None:
    text = f'[tools."a.flow"]\n{statement}\n{NEXT}'
    assert said(text) == [("toml", place)]
    manifest = read_manifest(text)
    assert [table.key for table in manifest.tables] == ["a.flow", "b.flow"]
    assert manifest.tables[1].words == ("y",)


@pytest.mark.parametrize(
    ("header", "place", "keys"),
    [
        ('[tools."a.flow"', '[tools."a.flow"', ["a.flow", "b.flow"]),
        ('[tools."a.flow"]]', "]", ["a.flow", "b.flow"]),
        ('[[tools."a.flow"]', '[[tools."a.flow"', ["a.flow", "b.flow"]),
        ('[tools."a.flow]', '"a.flow]', ["b.flow"]),
        ("[tools.a/b.flow]", "/b.flow", ["b.flow"]),
        ('[tools."a.flow" x]', "x", ["b.flow"]),
        ("[tools.]", "]", ["b.flow"]),
        ("[]", "]", ["b.flow"]),
        ('[tools."a.flow"] x', "x", ["a.flow", "b.flow"]),
        ("[" + "a." * 200 + "b]", "a." * 127 + "a", ["b.flow"]),
    ],
)
def test_a_broken_header_is_one_finding_and_hides_nothing(header: str, place: str, keys: list[str]) -> None:
    text = f'{header}\ncommand = "x"\n{NEXT}'
    assert said(text) == [("toml", place)]
    assert [table.key for table in read_manifest(text).tables] == keys


def test_an_array_nobody_closed_does_not_take_the_statements_below() -> None:
    text = f'[tools."a.flow"]\nargs = [\n  "x",\ncommand = "x"\n{NEXT}'
    assert said(text) == [("unknown-key", "args"), ("toml", "[")]
    assert read_manifest(text).tables[0].words == ("x",)


def test_a_string_closed_by_the_next_one_does_not_take_the_tables_between() -> None:
    text = f'[tools."a.flow"]\ncommand = """x\n{NEXT}[tools."c.flow"]\ncommand = """z"""\n'
    assert said(text) == [("toml", '"""x')]
    assert [table.words for table in read_manifest(text).tables] == [(), ("y",), ("z",)]


@pytest.mark.parametrize("array", ["[", "[1", "[1,", "[\n1,\n", "[[1]", "[ # c"])
def test_an_array_that_the_text_ends_in_is_said_where_it_starts(array: str) -> None:
    assert said(f"tools = {array}") == [("toml", "[")]


@pytest.mark.parametrize("closing", ['"""', "'''"])
def test_a_string_without_end_gets_one_by_an_edit_far_below(closing: str) -> None:
    text = f'[tools."a.flow"]\ncommand = {closing}x\n{NEXT}[tools."c.flow"]\ncommand = "z"\n'
    before = read_manifest(text)
    assert said(text) == [("toml", f"{closing}x")]
    assert len(before.tables) == 3
    after = read_manifest(text + closing, before)
    assert after.findings == ()
    assert [table.key for table in after.tables] == ["a.flow"]
    again = read_manifest(text, after)
    assert again.findings == before.findings
    assert list(again.tables) == list(before.tables)


def test_a_string_without_end_below_a_place_gone_back_to_gets_one() -> None:
    text = 'x = """q\n[a]\ny = \'\'\'\n[b]\n"""z\n[c]\n'
    before = read_manifest(text)
    after = read_manifest(text + "'''", before)
    assert after.segments == read_manifest(text + "'''").segments
    assert after.findings == read_manifest(text + "'''").findings


def test_a_string_inside_an_array_without_end_gives_up_both() -> None:
    assert said(f'tools = [\n"""\n{NEXT}') == [("toml", '"""')]


def test_a_comment_in_an_array_may_hold_no_control_character() -> None:
    assert said("tools = [ # \x01\n1]\n")[0] == ("toml", "\x01")


def test_going_back_is_bounded() -> None:
    line = 'a = [""", """, """\n[h]\n'
    text = line * 40 + "b"
    manifest = read_manifest(text)
    assert manifest.has_error
    assert sum(not segment.fresh for segment in manifest.segments) < len(manifest.segments)


def test_lines_that_are_nothing_are_said_once_for_a_run() -> None:
    assert said("[[[[\n" * 50 + NEXT) == [("toml", "[")]


def test_line_ends_of_windows_are_no_errors() -> None:
    text = "[tools.\"a.flow\"]\r\ncommand = '''\r\nrun me'''\r\nbogus = 1\r\n"
    assert said(text) == [("unknown-key", "bogus")]
    assert read_manifest(text).tables[0].text == "run me"


def test_a_byte_order_mark_is_skipped_once_and_at_the_start_alone() -> None:
    assert said("\ufeff" + NEXT) == []
    assert said("\ufeff\ufeff" + NEXT)[0] == ("toml", "\ufeff" + '[tools."b.flow"]')
    assert read_manifest("\ufeff" + NEXT).offset_of(0) == 1


@pytest.mark.parametrize(
    "text",
    [
        "[" * 400_000,
        "x = " + "[" * 400_000,
        "[[[[\n" * 80_000,
        "x = [\n" * 30_000,
        'a = ["""\n[h]\nb = """, """\n' * 8_000,
        'x = """z\n[a]\n' * 10_000,
        "a." * 200_000 + "a = 1",
        "x = {a=" * 50_000,
        'x = """' + "\\" * 400_001,
        '[tools."a.flow"]\ncommand = \'' + "x" * 400_000 + "'",
        "x = " + "1" * 400_000,
    ],
)
@pytest.mark.timeout(20)
def test_hostile_texts_are_read_in_linear_time(text: str) -> None:
    assert read_manifest(text).text == text
