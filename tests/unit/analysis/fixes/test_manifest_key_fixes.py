"""Fixes of keys and values of flow.toml: the exact text that comes out, and that nothing is left to do."""

from __future__ import annotations

import pytest
from support.fixing import all_fixed, fixed, offered
from support.snapshots import Fixture

from flow_lsp.text.spans import Span

TOOL = "@tool fn find(query: Text) -> Result<Int, Text>\n"


def one(text: str, **files: str) -> Fixture:
    """A flow.toml, and sources of one Tool."""
    sources = dict.fromkeys(("a.flow", "sub/b.flow"), TOOL)
    return Fixture({"flow.toml": text, **sources, **files}, {})


@pytest.mark.parametrize(
    ("before", "title", "after"),
    [
        ('[tools."a.flow"]\ncomand = "x" # why\n', "Rename `comand` to `command`",
         '[tools."a.flow"]\ncommand = "x" # why\n'),
        ('[tools."a.flow"]\r\n\t"Command"="x"\r\n', "Rename `Command` to `command`",
         '[tools."a.flow"]\r\n\t"command"="x"\r\n'),
        ("\ufeff[tools.'a.flow']\n'mpc' = 'x'", "Rename `mpc` to `mcp`", "\ufeff[tools.'a.flow']\n'mcp' = 'x'"),
        ('tools = { "a.flow" = { comand = "x" } }', "Rename `comand` to `command`",
         'tools = { "a.flow" = { command = "x" } }'),
        ('tools."a.flow".comand = "x"\n', "Rename `comand` to `command`", 'tools."a.flow".command = "x"\n'),
        ('[tool."a.flow"]\nmcp = "x"\n', "Rename `tool` to `tools`", '[tools."a.flow"]\nmcp = "x"\n'),
        ('[tools."a.flow"]\ncommand = "x"\nenv = [\n  1, # one\n]\n# end\n', "Remove `env`",
         '[tools."a.flow"]\ncommand = "x"\n# end\n'),
        ('[tools."a.flow"]\nenv = 1\ncommand = "x"', "Remove `env`", '[tools."a.flow"]\ncommand = "x"'),
        ('[tools."a.flow"]\ncommand = "x"\nenv = 1', "Remove `env`", '[tools."a.flow"]\ncommand = "x"\n'),
        ('[tools]\n"a.flow" = { env = 1, command = "x" }\n', "Remove `env`", '[tools]\n"a.flow" = { command = "x" }\n'),
        ('[tools]\n"a.flow" = { command = "x" , env.a = 1, env.b = 2 }\n', "Remove `env`",
         '[tools]\n"a.flow" = { command = "x" }\n'),
        ('[tools]\n"a.flow".command = "x"\n"a.flow".env = 1 # no\n', "Remove `env`",
         '[tools]\n"a.flow".command = "x"\n'),
        ('[tools."a.flow"]\ncommand = "x"\nmcp = "y"\n', "Keep `command` and remove `mcp`",
         '[tools."a.flow"]\ncommand = "x"\n'),
        ('[tools."a.flow"]\ncommand = """\nx\n"""\n\nmcp = "y"\n', "Keep `mcp` and remove `command`",
         '[tools."a.flow"]\n\nmcp = "y"\n'),
        ('tools."a.flow" = {command = "x",mcp = "y"}', "Keep `mcp` and remove `command`",
         'tools."a.flow" = {mcp = "y"}'),
        ('tools."a.flow" = {command = "x",mcp = "y"}', "Keep `command` and remove `mcp`",
         'tools."a.flow" = {command = "x"}'),
        ('tools = {"a.flow".command = "x", "a.flow".mcp = "y"}', "Keep `command` and remove `mcp`",
         'tools = {"a.flow".command = "x"}'),
        ('  [tools."a.flow"] # what\n\n[tools."sub/b.flow"]\nmcp = "y"\n', "Add `command`",
         '  [tools."a.flow"] # what\n  command = ""\n\n[tools."sub/b.flow"]\nmcp = "y"\n'),
        ('[tools."a.flow"]', "Add `mcp`", '[tools."a.flow"]\nmcp = ""\n'),
        ('\ufeff[tools."a.flow"]\r\n', "Add `mcp`", '\ufeff[tools."a.flow"]\r\nmcp = ""\r\n'),
        ('tools."a.flow" = {}\n', "Add `command`", 'tools."a.flow" = { command = "" }\n'),
        ('[tools."a.flow"]\ncommand = ["x", \'y z\', "it\'s"]\n', "Write the words in one string",
         '[tools."a.flow"]\ncommand = "x \'y z\' \'it\'\\"\'\\"\'s\'"\n'),
        ('[tools.a.flow]\ncommand = "x"\n', "Write the key as `a.flow`", '[tools."a.flow"]\ncommand = "x"\n'),
        ('[tools]\nsub/b.flow.command = "x"\n', None, None),
        ('[tools]\n"sub\\\\b.flow".command = "x"\n', "Write the key as `sub/b.flow`",
         '[tools]\n"sub/b.flow".command = "x"\n'),
        ("[tools.'sub\\b.flow']\ncommand = 'x'\n", "Write the key as `sub/b.flow`",
         "[tools.'sub/b.flow']\ncommand = 'x'\n"),
        ('[tools."/w/sub/b.flow"]\ncommand = "x"\n', "Write the key as `sub/b.flow`",
         '[tools."sub/b.flow"]\ncommand = "x"\n'),
        ('[tools."sub/../a.flow"]\ncommand = "x"\n', "Write the key as `a.flow`",
         '[tools."a.flow"]\ncommand = "x"\n'),
        ('[tools.a]\ncommand = "x"\n', "Write the key as `a.flow`", '[tools."a.flow"]\ncommand = "x"\n'),
        ('[tools."./a.flow"]\ncommand = "x"\n', "Write the key as `a.flow`", '[tools."a.flow"]\ncommand = "x"\n'),
        ("tools = { 'sub//b.flow' = { command = 'x' } }", "Write the key as `sub/b.flow`",
         "tools = { 'sub/b.flow' = { command = 'x' } }"),
        ('[tools]\n"./a.flow".command = "x"\n', "Write the key as `a.flow`", '[tools]\n"a.flow".command = "x"\n'),
        ('[tools."a.flow"]\nmcp = "x"\n\n# second\n[tools."./a.flow"]\nmcp = "x"\n', "Remove the table `./a.flow`",
         '[tools."a.flow"]\nmcp = "x"\n\n# second\n'),
    ],
)  # fmt: skip
def test_the_text_after_a_fix(before: str, title: str | None, after: str | None) -> None:
    if title is None:
        assert offered(one(before), "flow.toml") == []
        return
    place = None
    if title.startswith("Write the key"):
        offset = before.index(".flow") if ".flow" in before else before.index("a]")
        place = Span(offset, offset)
    assert fixed(one(before), "flow.toml", title, place) == {"flow.toml": after}


@pytest.mark.parametrize(
    ("before", "title"),
    [
        ('[tools."a.flow"]\ncomand = "x"\nmcp = "y"\n', "Rename `comand` to `command`"),  # then it would have both
        ('[tools."a.flow"]\nenv = 1\n', "Remove `env`"),  # then it would have none
        ('[tool."a.flow"]\nmcp = "x"\n[tools."a.flow"]\nmcp = "x"\n', "Rename `tool` to `tools`"),  # twice then
        ('[tools."a.flow"]\ncommand = "x"\nmcp = "\n', "Keep `command` and remove `mcp`"),  # a mistake of TOML in it
        ('[tools.a.flow]\nmcp = "x"\n[tools."a.flow"]\nmcp = "x"\n', "Write the key as `a.flow`"),
        ('[tools."a.flow"]\nmcp = "x"\n[tools."./a.flow"]\nmcp = "x"\n', "Write the key as `a.flow`"),
        ('[tools."../a.flow"]\nmcp = "x"\n', "Write the key as `a.flow`"),
        ('[tools."gone/../c.flow"]\nmcp = "x"\n', "Write the key as `c.flow`"),  # where a link may lead elsewhere
        ('[tools."a.flow"]\ncommand = ["x", 1]\n', "Write the words in one string"),
        ('[tools."a.flow"]\ncommand = "x"\n[tools."a.flow".mcp]\n', "Keep `command` and remove `mcp`"),
    ],
)
def test_what_is_not_sure_is_not_offered(before: str, title: str) -> None:
    assert title not in [fix.title for fix in offered(one(before), "flow.toml")]


def test_all_that_is_safe_is_fixed_at_once() -> None:
    before = """\
# mine
[tools.a.flow] # quotes
comand = ["x", "y"]

[tools.'sub\\b.flow']
mcp = "x"
env = 1
"""
    assert (
        all_fixed(one(before), "flow.toml")
        == """\
# mine
[tools."a.flow"] # quotes
command = "x y"

[tools.'sub/b.flow']
mcp = "x"
env = 1
"""
    )


def test_a_wrong_key_and_a_wrong_path_are_fixed_in_the_file_at_once() -> None:
    before = '[tools."a.flow"]\ncomand = "x"\n[tools."sub/b.flow"]\nmcp = ["x", "y"]\n'
    assert all_fixed(one(before), "flow.toml") == (
        '[tools."a.flow"]\ncommand = "x"\n[tools."sub/b.flow"]\nmcp = "x y"\n'
    )
    assert all_fixed(one('[tools."a.flow"]\ncommand = "x"\n'), "flow.toml") == '[tools."a.flow"]\ncommand = "x"\n'
