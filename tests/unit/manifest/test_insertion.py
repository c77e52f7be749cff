"""A table put into a manifest leaves every letter of it in place."""

from __future__ import annotations

import pytest

from flow_lsp.manifest.insertion import with_table
from flow_lsp.manifest.model import BindingKind
from flow_lsp.manifest.reader import read_manifest

TABLE = '[tools."x.flow"]\nmcp = "npx server"\n'


@pytest.mark.parametrize(
    ("text", "added"),
    [
        ("", TABLE),
        ("\n\n", TABLE),
        ("# only a comment", "\n\n" + TABLE),
        ('[tools."a.flow"]\ncommand = "a"\n', "\n" + TABLE),
        ('[tools."a.flow"]\ncommand = "a"  # why\n\n\n', TABLE),
        ('[tools."a.flow"]\r\ncommand = "a"', "\r\n\r\n" + TABLE.replace("\n", "\r\n")),
        ('tools."a.flow".command = "a"\n', "\n" + TABLE),
        ('[tools]\n"a.flow" = { command = "a" }\n', "\n" + TABLE),
        ("[tools]\n", "\n" + TABLE),
    ],
)
def test_it_stands_behind_all_others_in_the_text_s_own_line_ends(text: str, added: str) -> None:
    assert with_table(read_manifest(text), TABLE) == added
    made = read_manifest(text + added)
    assert not made.has_error
    table = made.tables[made.index_by_path["x.flow"]]
    assert (table.kind, table.text) == (BindingKind.MCP, "npx server")


@pytest.mark.parametrize(
    "text",
    [
        "tools = {}\n",
        'tools = { "a.flow" = { command = "a" } }\n',
        '[tools."x.flow"]\ncommand = "a"\n',
        '[tools."./x.flow"]\nmcp = "npx server"\n',
        '[tools]\n"x.flow" = { mcp = "y" }\n',
    ],
)
def test_where_it_cannot_stand_there_none_is_given(text: str) -> None:
    assert not read_manifest(text).has_error
    assert with_table(read_manifest(text), TABLE) is None
