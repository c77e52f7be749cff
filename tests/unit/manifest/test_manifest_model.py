"""What a manifest tells of its tables, and of a place in it."""

from __future__ import annotations

from flow_lsp.manifest.model import BindingKind, Manifest, PlaceKind
from flow_lsp.manifest.reader import read_manifest

TEXT = """\
# c
[tools."a.flow"]
command = "acme-tools openai"  # c

[tools]
"sub//b.flow" = { mcp = 'npx x' }
"c.flow".command = "c"
"""


def shown(manifest: Manifest, index: int, name: str) -> str:
    span = getattr(manifest.tables[index], name).shifted(manifest.offset_of(index))
    return manifest.text[span.start : span.end]


def test_tables_are_alike_however_they_are_written() -> None:
    manifest = read_manifest(TEXT)
    assert [(table.key, table.path, table.kind, table.text, table.words) for table in manifest.tables] == [
        ("a.flow", "a.flow", BindingKind.COMMAND, "acme-tools openai", ("acme-tools", "openai")),
        ("sub//b.flow", "sub/b.flow", BindingKind.MCP, "npx x", ("npx", "x")),
        ("c.flow", "c.flow", BindingKind.COMMAND, "c", ("c",)),
    ]
    assert manifest.index_by_path == {"a.flow": 0, "sub/b.flow": 1, "c.flow": 2}
    assert [shown(manifest, index, "key_span") for index in range(3)] == [
        '"a.flow"',
        '"sub//b.flow"',
        '"c.flow"',
    ]
    assert [shown(manifest, index, "header_span") for index in range(3)] == [
        '[tools."a.flow"]',
        '"sub//b.flow"',
        '"c.flow"',
    ]
    assert [shown(manifest, index, "value_span") for index in range(3)] == [
        '"acme-tools openai"',
        "'npx x'",
        '"c"',
    ]
    assert [shown(manifest, index, "extent") for index in range(3)] == [
        '[tools."a.flow"]\ncommand = "acme-tools openai"',
        "\"sub//b.flow\" = { mcp = 'npx x' }",
        '"c.flow".command = "c"',
    ]


def test_a_place_is_found_by_its_offset() -> None:
    manifest = read_manifest(TEXT)
    found = {}
    for offset in range(-1, len(TEXT) + 2):
        place = manifest.at(offset)
        if place is not None:
            found[place.kind, place.table, TEXT[place.span.start : place.span.end]] = place.entry
    assert {key: entry.name if entry else None for key, entry in found.items()} == {
        (PlaceKind.TABLE, 0, '[tools."a.flow"]'): None,
        (PlaceKind.ENTRY_KEY, 0, "command"): "command",
        (PlaceKind.ENTRY_VALUE, 0, '"acme-tools openai"'): "command",
        (PlaceKind.TABLE, 1, '"sub//b.flow"'): None,
        (PlaceKind.ENTRY_KEY, 1, "mcp"): "mcp",
        (PlaceKind.ENTRY_VALUE, 1, "'npx x'"): "mcp",
        (PlaceKind.TABLE, 2, '"c.flow"'): None,
        (PlaceKind.ENTRY_KEY, 2, "command"): "command",
        (PlaceKind.ENTRY_VALUE, 2, '"c"'): "command",
    }
    assert manifest.at(0) is None


def test_manifests_of_one_text_are_equal() -> None:
    assert read_manifest(TEXT) == read_manifest(TEXT)
    assert hash(read_manifest(TEXT)) == hash(read_manifest(TEXT))
    assert read_manifest(TEXT) != read_manifest(TEXT, windows=True)
    assert read_manifest(TEXT) != TEXT
    assert "3 tables" in repr(read_manifest(TEXT))


def test_a_header_inside_a_table_belongs_to_the_table_wherever_that_stands() -> None:
    text = '[tools."a.flow".env]\nA = 1\n[x]\n[tools."a.flow"]\ncommand = "x"\n'
    manifest = read_manifest(text)
    assert [table.words for table in manifest.tables] == [("x",)]
    assert [finding.rule.code for finding in manifest.findings] == ["unknown-key", "unknown-key"]


def test_an_edit_reads_one_table_again_and_shares_the_rest() -> None:
    text = "".join(f'[tools."t{index}.flow"]\ncommand = "run {index}"\n' for index in range(50))
    before = read_manifest(text)
    after = read_manifest(text.replace("run 25", "walk 25"), before)
    fresh = [index for index, table in enumerate(after.tables) if table is not before.tables[index]]
    assert fresh == [25]
    assert after.index_by_path is before.index_by_path
    assert after.tables[25].words == ("walk", "25")
    assert read_manifest(after.text, after) is after
