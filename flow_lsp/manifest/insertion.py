"""A table put into a manifest: every letter that stood there before stays, in its place."""

from __future__ import annotations

from flow_lsp.manifest.model import BindingKind, Manifest, ToolTable
from flow_lsp.manifest.reader import read_manifest


def with_table(manifest: Manifest, table: str) -> str | None:
    """The text to put behind that of `manifest`, which has no error, so that it has `table`, a whole one of LF lines,
    too. None where that cannot be done at its end: its tables are written inline, or it has one of that path. The table
    itself may have an error, such as a command that is still to be written."""
    text = manifest.text
    line_end = "\r\n" if "\r\n" in text else "\n"
    before = ""
    if text and not text.endswith("\n"):
        before = line_end
    if text.strip() and not (text + before).endswith((line_end * 2, "\n\n")):
        before += line_end
    added = before + table.replace("\n", line_end)
    made, alone = read_manifest(text + added, None, manifest.windows), read_manifest(table, None, manifest.windows)
    if any(one.path in manifest.index_by_path for one in alone.tables):
        return None
    if len(made.findings) != len(manifest.findings) + len(alone.findings):
        return None
    if [*map(_said, manifest.tables), *map(_said, alone.tables)] != list(map(_said, made.tables)):
        return None
    return added


def _said(table: ToolTable) -> tuple[str | None, BindingKind | None, str | None]:
    return table.path, table.kind, table.text
