"""Fixes of tables that are missing, dead, or of files that are gone: the exact texts, once and for all."""

from __future__ import annotations

import pytest
from support.fixing import fixed, offered
from support.snapshots import Fixture, answered, fixture, listing

from flow_lsp.analysis.fixes.model import Fix
from flow_lsp.binding.model import CommandKey
from flow_lsp.text.spans import Span

TOOL = "@tool fn find(query: Text) -> Result<Int, Text>\n"
NEW = "Create flow.toml beside this file, with a table for this file"


def titles(made: Fixture, path: str, span: Span | None = None) -> list[str]:
    return [fix.title for fix in tables_of(made, path, span)]


def tables_of(made: Fixture, path: str, span: Span | None = None) -> list[Fix]:
    """The fixes that are about tables alone, and write no implementation."""
    return [fix for fix in offered(made, path, span) if not fix.title.startswith("Generate ")]


# -- a table for this file ------------------------------------------------------------------------------


def test_a_first_manifest_is_created_in_the_workspace_folder_or_beside_the_file() -> None:
    made = Fixture({'sub/a "b".flow': TOOL}, {})
    assert fixed(made, 'sub/a "b".flow', NEW) == {"sub/flow.toml": '[tools."a \\"b\\".flow"]\ncommand = ""\n'}
    assert fixed(made, 'sub/a "b".flow', "Create flow.toml in .., with a table for this file") == {
        "flow.toml": '[tools."sub/a \\"b\\".flow"]\ncommand = ""\n'
    }
    assert [fix.preferred for fix in tables_of(made, 'sub/a "b".flow')] == [True, False]


def test_beside_the_file_is_offered_once_where_that_is_the_folder() -> None:
    assert titles(Fixture({"a.flow": TOOL}, {}), "a.flow") == [NEW]


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("", '[tools."sub/a.flow"]\ncommand = ""\n'),
        ("# mine", '# mine\n\n[tools."sub/a.flow"]\ncommand = ""\n'),
        ('\ufeff[tools."b.flow"]\r\nmcp = "y"',
         '\ufeff[tools."b.flow"]\r\nmcp = "y"\r\n\r\n[tools."sub/a.flow"]\r\ncommand = ""\r\n'),
        ('tools = { "b.flow" = { mcp = "y" } } # all\n',
         'tools = { "b.flow" = { mcp = "y" }, "sub/a.flow" = { command = "" } } # all\n'),
        ("tools = {}", 'tools = { "sub/a.flow" = { command = "" } }'),
        ('tools."b.flow".mcp = "y"\n', 'tools."b.flow".mcp = "y"\n\n[tools."sub/a.flow"]\ncommand = ""\n'),
    ],
)  # fmt: skip
def test_a_table_is_added_to_the_nearest_manifest(before: str, after: str) -> None:
    made = Fixture({"flow.toml": before, "sub/a.flow": TOOL}, {})
    assert fixed(made, "sub/a.flow", "Add a table for this file to ../flow.toml") == {"flow.toml": after}
    assert NEW in titles(made, "sub/a.flow")


def test_the_commands_of_other_tables_are_offered_for_it() -> None:
    made = fixture(f"""\
//- flow.toml
[tools."b.flow"]
command = 'run "all"'
[tools."c.flow"]
mcp = "npx c"
[tools."d.flow"]
command = 'run "all"'
//- a.flow
{TOOL}""")
    assert titles(made, "a.flow") == [
        "Add a table for this file to flow.toml",
        'Add a table for this file to flow.toml, answered by command `run "all"`',
        "Add a table for this file to flow.toml, answered by mcp `npx c`",
    ]
    assert fixed(made, "a.flow", titles(made, "a.flow")[1])["flow.toml"].endswith(
        '\n\n[tools."a.flow"]\ncommand = "run \\"all\\""\n'
    )


def test_it_is_offered_anywhere_at_a_tool_and_not_where_it_is_bound_or_refused() -> None:
    made = Fixture({"flow.toml": "", "a.flow": "record R { x: Int }\n" + TOOL}, {})
    offset = made.texts["a.flow"].index("query")
    assert "Add a table for this file to flow.toml" in titles(made, "a.flow", Span(offset, offset))
    assert titles(made, "a.flow", Span(3, 3)) == []
    for text in ('[tools."a.flow"]\ncommand = "x"\n', "bogus = 1\n"):
        assert titles(Fixture({**made.texts, "flow.toml": text}, {}), "a.flow") == []


# -- a table without effect -----------------------------------------------------------------------------

SHADOWED = """\
//- flow.toml
# first
[tools."a.flow"]
mcp = "m"

# about b
[tools."sub/b.flow"] # why
# inside
command = 'python3 tools/run.py --to sub/x.py' # how

# last
//- sub/flow.toml
[tools."c.flow"]
mcp = "c"
//- a.flow
{TOOL}
//- sub/b.flow
{TOOL}
//- sub/c.flow
{TOOL}
//- tools/run.py
//- sub/x.py
""".replace("{TOOL}", TOOL)


def test_a_shadowed_table_is_moved_with_its_comments_and_its_command_counts_from_there() -> None:
    moved = {
        "flow.toml": '# first\n[tools."a.flow"]\nmcp = "m"\n\n# about b\n\n# last\n',
        "sub/flow.toml": (
            '[tools."c.flow"]\nmcp = "c"\n\n[tools."b.flow"] # why\n# inside\n'
            "command = 'python3 ../tools/run.py --to x.py' # how\n"
        ),
    }
    assert fixed(SHADOWED, "flow.toml", "Move the table into sub/flow.toml") == moved
    title = "Move the table of this file from ../flow.toml into the nearest flow.toml"
    assert fixed(SHADOWED, "sub/b.flow", title) == moved
    assert fixed(SHADOWED, "flow.toml", "Remove the table") == {"flow.toml": moved["flow.toml"]}


@pytest.mark.parametrize(
    ("table", "moved"),
    [
        ('tools = { "sub/b.flow" = { command = "./run \\"a b\\"" } }', "command = \"../run 'a b'\""),
        ('tools."sub/b.flow".mcp = """\nnpx x"""', 'mcp = """\nnpx x"""'),
        ('[tools]\n"sub/b.flow".command = "/bin/run sub/none.py"', 'command = "/bin/run sub/none.py"'),
    ],
)
def test_a_table_written_in_any_way_is_moved(table: str, moved: str) -> None:
    made = Fixture({"flow.toml": table, "sub/flow.toml": "", "sub/b.flow": TOOL}, {})
    found = fixed(made, "flow.toml", "Move the table into sub/flow.toml")
    assert found["sub/flow.toml"] == f'[tools."b.flow"]\n{moved}\n'
    assert found["flow.toml"] in ("tools = {}", "", "[tools]\n")


@pytest.mark.parametrize("near", ['[tools."b.flow"]\nmcp = "x"\n', "bogus = 1\n"])
def test_it_is_not_moved_where_there_is_one_or_an_error(near: str) -> None:
    made = Fixture({"flow.toml": '[tools."sub/b.flow"]\nmcp = "m"\n', "sub/flow.toml": near, "sub/b.flow": TOOL}, {})
    assert titles(made, "flow.toml") == ["Remove the table"]


# -- a file that is gone --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ('[tools."gone.flow"]\nmcp = "m"\n', ""),
        ('\ufeff[tools."gone.flow"]\r\nmcp = "m"', "\ufeff"),
        ('# top\n\n[tools."gone.flow"]\nmcp = "m"\n\n\n', "# top\n"),
        ('# of it\n[tools."gone.flow"]\nmcp = "m"\n# below\n\n[tools."a.flow"]\nmcp = "a"\n',
         '# of it\n# below\n\n[tools."a.flow"]\nmcp = "a"\n'),
        ('[tools."a.flow"]\nmcp = "a"\n\n[tools."gone.flow"]\nmcp = """\nm\n""" # m\n\n[tools."b.flow"]\nmcp = "b"',
         '[tools."a.flow"]\nmcp = "a"\n\n[tools."b.flow"]\nmcp = "b"'),
        ('# of it\n[tools."gone.flow"]\nmcp = "m"\n\n# of a\n[tools."a.flow"]\nmcp = "a"\n',
         '# of it\n\n# of a\n[tools."a.flow"]\nmcp = "a"\n'),
        ('[tools]\n[tools."gone.flow"]\nmcp = "m"\n\n\n[tools."a.flow"]\nmcp = "a"\n',
         '[tools]\n\n\n[tools."a.flow"]\nmcp = "a"\n'),
        ('[tools]\n"a.flow".mcp = "a"\n"gone.flow".mcp = "m" # m\n', '[tools]\n"a.flow".mcp = "a"\n'),
        ('tools = { "gone.flow" = {mcp = "m"}, "a.flow" = {mcp = "a"} }', 'tools = { "a.flow" = {mcp = "a"} }'),
        ('tools = { "a.flow" = {mcp = "a"}  , "gone.flow" = {mcp = "m"} }', 'tools = { "a.flow" = {mcp = "a"} }'),
        ('tools = { "gone.flow".mcp = "m" }', "tools = {}"),
    ],
)  # fmt: skip
def test_the_table_of_a_missing_file_is_removed(before: str, after: str) -> None:
    made = Fixture({"flow.toml": before, "a.flow": TOOL, "b.flow": TOOL}, {})
    assert fixed(made, "flow.toml", "Remove the table") == {"flow.toml": after}


def test_it_is_pointed_to_the_file_of_that_name_in_another_folder() -> None:
    made = fixture(f"""\
//- flow.toml
[ tools . 'old/search.flow' ]
mcp = "m"
//- new/search.flow
{TOOL}
//- other.flow
{TOOL}
//- apart/flow.toml
//- apart/search.flow
{TOOL}""")
    title = "Point the table to `new/search.flow`"
    assert titles(made, "flow.toml") == [title, "Remove the table"]
    assert fixed(made, "flow.toml", title) == {"flow.toml": "[ tools . 'new/search.flow' ]\nmcp = \"m\"\n"}


def test_it_is_pointed_to_the_file_that_declares_what_the_command_served() -> None:
    made = fixture(f"""\
//- flow.toml
[tools."old.flow"]
command = "run"
//- entirely-new.flow
{TOOL}
//- other.flow
@tool fn other() -> Result<Int, Text>
""")
    served = listing(("old.find", "sha256:" + "0" * 64, {"params": [], "ok": {}, "err": {}, "generic": []}))
    described = {CommandKey("/w", ("run",)): answered(served)}
    title = "Point the table to `entirely-new.flow`"
    first = offered(made, "flow.toml", described=described)[0]
    assert (first.title, first.preferred) == (title, True)
    assert fixed(made, "flow.toml", title, described=described) == {
        "flow.toml": '[tools."entirely-new.flow"]\ncommand = "run"\n'
    }


def test_a_name_that_was_misspelt_is_corrected() -> None:
    made = Fixture({"flow.toml": '[tools."sub/serch.flow"]\nmcp = "m"\n', "sub/search.flow": TOOL}, {})
    assert fixed(made, "flow.toml", "Point the table to `sub/search.flow`") == {
        "flow.toml": '[tools."sub/search.flow"]\nmcp = "m"\n'
    }


def test_a_file_with_a_table_of_its_own_is_not_offered() -> None:
    text = '[tools."old/a.flow"]\nmcp = "m"\n[tools."new/a.flow"]\nmcp = "m"\n'
    made = Fixture({"flow.toml": text, "new/a.flow": TOOL}, {})
    assert titles(made, "flow.toml") == ["Remove the table"]


def test_where_nothing_tells_where_it_went_the_few_files_without_a_table_are_offered() -> None:
    text = '[tools."gone.flow"]\nmcp = "m"\n'
    files = {"flow.toml": text, "sub/entirely-new.flow": TOOL, "types.flow": "record A { n: Int }\n"}
    made = Fixture(files, {})
    title = "Point the table to `sub/entirely-new.flow`"
    assert [(fix.title, fix.preferred) for fix in offered(made, "flow.toml")] == [
        (title, False),
        ("Remove the table", False),
    ]
    assert fixed(made, "flow.toml", title) == {"flow.toml": '[tools."sub/entirely-new.flow"]\nmcp = "m"\n'}
    many = {**files, **{f"unlike-{letter}.flow": TOOL for letter in "abc"}}
    assert titles(Fixture(many, {}), "flow.toml") == ["Remove the table"]


@pytest.mark.parametrize("name", ["sub/a\\b.flow", "sub/a\tb.flow", "sub/\x7f.flow"])
@pytest.mark.parametrize("manifest", [{"flow.toml": ""}, {}])
def test_a_file_that_no_key_can_name_is_offered_no_table(name: str, manifest: dict[str, str]) -> None:
    made = Fixture({**manifest, name: TOOL}, {})
    assert offered(made, name) == []
    missing = Fixture({"flow.toml": '[tools."gone.flow"]\nmcp = "m"\n', name: TOOL}, {})
    assert titles(missing, "flow.toml") == ["Remove the table"]
