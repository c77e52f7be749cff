"""Files and directories that go elsewhere: keys, commands and imports follow, to the byte."""

from __future__ import annotations

from collections.abc import Mapping

import pytest
from support.fixing import after
from support.snapshots import ROOT, Fixture, fixture, snapshot

from flow_lsp.analysis.engine import Analysis
from flow_lsp.analysis.renames import Renaming, renamed, tables_of_gone, without_tables
from flow_lsp.analysis.snapshot import Folder

TOOL = "@tool fn find() -> Result<Int, Text>\n"


def moved(made: Fixture, pairs: Mapping[str, str], folders: tuple[Folder, ...] = (Folder(ROOT),)) -> dict[str, str]:
    """The texts that change before files go, by their old paths."""
    found = snapshot(made, folders=folders)
    renaming = Renaming({made.key(old): made.key(new) for old, new in pairs.items()})
    change = renamed(found, Analysis().program(found), renaming)
    assert not change.created
    result = after(made, change)
    return {path: text for path, text in result.texts.items() if text != made.texts[path]}


@pytest.mark.parametrize(
    ("text", "pairs", "result"),
    [
        ('[tools."a.flow"] # a\nmcp = "m"\n', {"a.flow": "b é.flow"}, '[tools."b é.flow"] # a\nmcp = "m"\n'),
        ("[ tools . 'a.flow' ]\nmcp = 'm'", {"a.flow": "x/a.flow"}, "[ tools . 'x/a.flow' ]\nmcp = 'm'"),
        ('[tools]\n"a.flow".mcp = "m"\r\n', {"a.flow": 'a".flow'}, '[tools]\n"a\\".flow".mcp = "m"\r\n'),
        ('[tools."sub/b.flow"]\nmcp = "m"\n[tools."a.flow"]\nmcp = "m"\n', {"sub": "other/deep"},
         '[tools."other/deep/b.flow"]\nmcp = "m"\n[tools."a.flow"]\nmcp = "m"\n'),
        ('[tools."a.flow"]\nmcp = "m"\n[tools."sub/b.flow"]\nmcp = "n"\n',
         {"a.flow": "sub/b.flow", "sub/b.flow": "a.flow"},
         '[tools."sub/b.flow"]\nmcp = "m"\n[tools."a.flow"]\nmcp = "n"\n'),
        ('[tools."sub/b.flow"]\ncommand = "python3 sub/run.py --in=sub/run.py"\n', {"sub": "lib"},
         '[tools."lib/b.flow"]\ncommand = "python3 lib/run.py --in=sub/run.py"\n'),
        ('[tools."a.flow"]\ncommand = "sub/run.py \'x y\'"\n', {"sub": "my lib"},
         '[tools."a.flow"]\ncommand = "\'my lib/run.py\' \'x y\'"\n'),
        ('[tools."a.flow"]\nmcp = "m"\n', {"a.flow": "a.txt"}, None),  # no source any more
        ('[tools."a.flow"]\nmcp = "m"\n', {"none.flow": "x.flow"}, None),
        ('[tools."a.flow"]\nmcp = "m"\n', {"a.flow": "../out.flow"}, None),  # where no manifest binds it
        ('[tools."a.flow"]\nmcp = "m"\n[tools."c.flow"]\nmcp = "m"\n', {"a.flow": "c.flow"}, None),  # it has one
        ('[tools."a.flow"]\nmcp = \n', {"a.flow": "c.flow"}, None),  # a mistake of TOML in it
        ('[tools."gone.flow"]\nmcp = "m"\n', {"gone.flow": "c.flow"}, '[tools."c.flow"]\nmcp = "m"\n'),
    ],
)  # fmt: skip
def test_a_key_becomes_the_new_path(text: str, pairs: dict[str, str], result: str | None) -> None:
    made = Fixture({"flow.toml": text, "a.flow": TOOL, "sub/b.flow": TOOL, "sub/run.py": ""}, {})
    assert moved(made, pairs) == ({} if result is None else {"flow.toml": result})


NESTED = f"""\
//- flow.toml
[tools."a.flow"]
command = "./run x.py" # how

# b
[tools."lib/b.flow"]
mcp = "m"
//- sub/flow.toml
[tools."c.flow"]
command = "python3 serve.py"
//- a.flow
{TOOL}
//- lib/b.flow
{TOOL}
//- sub/c.flow
{TOOL}
//- sub/serve.py
//- x.py
"""


def test_a_table_follows_its_file_into_another_manifest() -> None:
    assert moved(fixture(NESTED), {"a.flow": "sub/deep/a.flow"}) == {
        "flow.toml": '# b\n[tools."lib/b.flow"]\nmcp = "m"\n',
        "sub/flow.toml": (
            '[tools."c.flow"]\ncommand = "python3 serve.py"\n\n'
            '[tools."deep/a.flow"]\ncommand = "../run ../x.py" # how\n'
        ),
    }
    assert moved(fixture(NESTED), {"sub/c.flow": "c.flow"}) == {
        "sub/flow.toml": "",
        "flow.toml": fixture(NESTED).texts["flow.toml"] + '\n[tools."c.flow"]\ncommand = "python3 sub/serve.py"\n',
    }


def test_several_tables_follow_and_keys_of_the_same_manifest_change() -> None:
    made = fixture(NESTED)
    found = moved(made, {"a.flow": "sub/a.flow", "lib": "sub/lib", "sub/c.flow": "sub/d.flow"})
    assert found == {
        "flow.toml": "# b\n",
        "sub/flow.toml": (
            '[tools."d.flow"]\ncommand = "python3 serve.py"\n\n[tools."a.flow"]\ncommand = "../run ../x.py" # how\n\n'
            '[tools."lib/b.flow"]\nmcp = "m"\n'
        ),
    }


def test_a_directory_that_goes_with_its_manifest_changes_nothing_in_it() -> None:
    assert moved(fixture(NESTED), {"sub": "other"}) == {}


def test_a_manifest_that_goes_alone_names_the_same_files() -> None:
    made = Fixture({"sub/flow.toml": '[tools."c.flow"]\ncommand = "./run.py"\n', "sub/c.flow": TOOL}, {})
    assert moved(made, {"sub/flow.toml": "flow.toml"}) == {
        "sub/flow.toml": '[tools."sub/c.flow"]\ncommand = "sub/run.py"\n'
    }
    assert moved(made, {"sub/flow.toml": "sub/old.toml"}) == {}


def test_a_table_stays_where_the_other_manifest_takes_none() -> None:
    made = fixture(NESTED)
    made.texts["sub/flow.toml"] = "bogus = 1\n"
    found = moved(made, {"a.flow": "sub/a.flow"})
    assert found == {"flow.toml": made.texts["flow.toml"].replace('"a.flow"', '"sub/a.flow"')}


# -- imports --------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("line", "pairs", "result"),
    [
        ("import ./b // why\n", {"sub/b.flow": "sub/kinds.flow"}, "import ./kinds as b // why\n"),
        ("import ./b\r\n", {"sub/b.flow": "sub/lib/b.flow"}, "import ./lib/b\r\n"),
        ("import ./b as m\n", {"sub/b.flow": "b.flow"}, "import ../b as m\n"),
        ("import ./b as kinds\n", {"sub/b.flow": "sub/kinds.flow"}, "import ./kinds\n"),
        ("import ./b as /* x */ kinds\n", {"sub/b.flow": "sub/kinds.flow"}, "import ./kinds as /* x */ kinds\n"),
        ("import ./b.{Hit}\n", {"sub/b.flow": "sub/my-kinds.flow"}, "import ./my-kinds.{Hit}\n"),
        ("import ./b\n", {"sub/b.flow": "sub/my-kinds.flow"}, "import ./my-kinds as b\n"),
        ("import ./b\n", {"sub/b.flow": "sub/record.flow"}, "import ./record as b\n"),
        ("import ../c.{Hit}\n", {"sub": "deep/er"}, "import ../../c.{Hit}\n"),
        ("import ../c\n", {"sub/a.flow": "a.flow"}, "import ./c\n"),
        ("import ./b\nimport ../c\n", {"sub": "dir"}, None),  # they go together, or are as far
        ("import ./b\n", {"sub/b.flow": "sub/no name.flow"}, None),
        ("import ./b\n", {"sub/b.flow": "sub/b.txt"}, None),
        ("import ./gone\n", {"sub/a.flow": "a.flow"}, None),
        ("import ./b\nimport ./b\n", {"sub/b.flow": "sub/x.flow"}, "import ./x as b\nimport ./x as b\n"),
        ("import std/json\n", {"sub/a.flow": "a.flow"}, None),
    ],
)
def test_an_import_leads_to_the_same_file_and_binds_the_same_name(
    line: str, pairs: dict[str, str], result: str | None
) -> None:
    made = Fixture(
        {"sub/a.flow": line, "sub/b.flow": "record Hit { x: Int }\n", "c.flow": "record Hit { x: Int }\n"}, {}
    )
    assert moved(made, pairs) == ({} if result is None else {"sub/a.flow": result})


def test_the_import_of_a_repository_stays_one() -> None:
    made = Fixture({"a.flow": "import acme/kit/search.{Hit}\n", "kit/search.flow": "record Hit { x: Int }\n"}, {})
    folders = (Folder(ROOT), Folder("/w/kit", "acme/kit", "1.0.0"))
    assert moved(made, {"kit/search.flow": "kit/web/find.flow"}, folders) == {
        "a.flow": "import acme/kit/web/find.{Hit}\n"
    }
    assert moved(made, {"kit/search.flow": "find.flow"}, folders) == {"a.flow": "import ./find.{Hit}\n"}


# -- files that go away ---------------------------------------------------------------------------------


def test_the_tables_of_what_was_deleted_are_found_and_removed() -> None:
    text = '[tools."a.flow"]\nmcp = "a"\n\n[tools."sub/b.flow"]\nmcp = "b"\n\n[tools."sub/c.flow"]\nmcp = "c"\n'
    made = Fixture({"flow.toml": text, "a.flow": TOOL, "sub/c.flow": TOOL}, {})
    found = snapshot(made)
    there = found.environment.exists
    assert tables_of_gone(found, ["/w/sub", "/w/other"], there) == {"/w/flow.toml": [1]}
    assert tables_of_gone(found, ["/w/a.flow"], there) == {}
    gone = tables_of_gone(found, ["/w"], lambda _: False)
    assert gone == {"/w/flow.toml": [0, 1, 2]}
    assert after(made, without_tables(found, gone)).texts["flow.toml"] == ""
    assert after(made, without_tables(found, {"/w/flow.toml": [1, 2]})).texts["flow.toml"] == text[:28]
