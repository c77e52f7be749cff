"""What may be typed in flow.toml: keys, whole tables, and words of commands."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum

from flow_lsp.analysis.snapshot import Snapshot
from flow_lsp.binding.model import ManifestFile
from flow_lsp.binding.nearest import nearest_manifest
from flow_lsp.manifest.completion import CompletionContext, CompletionKind, completion_context
from flow_lsp.manifest.model import BindingKind, Manifest
from flow_lsp.manifest.paths import can_be_named
from flow_lsp.manifest.toml_writing import string_like
from flow_lsp.source.model import ItemKind
from flow_lsp.text.spans import Span

MOST_COMPLETIONS = 500

_ENTRY_DETAILS = {
    BindingKind.COMMAND: "a process that speaks the Tool protocol",
    BindingKind.MCP: "an MCP server, through the MCP adapter",
}
_HAS_VALUE = re.compile(r"[ \t]*[=.]")
_LINE_IS_OVER = re.compile(r"[ \t]*(?:#[^\n]*)?\r?(?:\n|\Z)")
_NOTHING_FOLLOWS = re.compile(r"\]?[ \t]*\r?(?:\Z|\n[ \t]*(?:\r?\n|\r?\Z|\[))")
_SPECIAL = re.compile(r"[\\$}]")


class CompletionSort(StrEnum):
    """What a completion is."""

    KEY = "key"
    FILE = "file"
    TABLE = "table"


@dataclass(frozen=True, slots=True)
class Completion:
    """One thing that may be typed: shown as `label`, put as `text` in place of `span`; as `snippet`, where there is one
    and the client takes it, in place of `snippet_span`. `wanted` is what one types to find it."""

    label: str
    text: str
    span: Span
    detail: str
    sort: CompletionSort = CompletionSort.KEY
    snippet: str = ""
    snippet_span: Span | None = None
    wanted: str = ""


def manifest_completions(snapshot: Snapshot, file: ManifestFile, offset: int) -> Sequence[Completion]:
    """What may be typed at `offset`, the likeliest first; at most `MOST_COMPLETIONS`. Words of commands are no part of
    it: see `manifest_commands`."""
    manifest = file.manifest
    context = completion_context(manifest, offset) if manifest is not None else None
    if manifest is None or context is None:
        return ()
    found: list[Completion] = []
    if context.kind is CompletionKind.TOP_KEY:
        found.append(Completion("tools", "tools", context.span, "what answers the Tools of each file"))
    if context.kind is CompletionKind.ENTRY:
        found += _entries(manifest, context)
    if context.kind in (CompletionKind.TOP_KEY, CompletionKind.ENTRY):
        found += _tables(snapshot, file, manifest, context, offset)
    else:
        found += _keys(snapshot, file, manifest, context, offset)
    return found[:MOST_COMPLETIONS]


def snippet_text(text: str) -> str:
    """`text` as it stands in a snippet."""
    return _SPECIAL.sub(lambda found: "\\" + found[0], text)


def _entries(manifest: Manifest, context: CompletionContext) -> Iterator[Completion]:
    """The keys of a tool table: none where one of them is there."""
    if context.present:
        return
    valued = _HAS_VALUE.match(manifest.text, context.span.end) is not None
    for kind, detail in _ENTRY_DETAILS.items():
        snippet = "" if valued else f'{kind} = "$0"'
        yield Completion(kind, kind, context.span, detail, snippet=snippet)


def _tables(
    snapshot: Snapshot, file: ManifestFile, manifest: Manifest, context: CompletionContext, offset: int
) -> Iterator[Completion]:
    """Whole tables, on a line that holds nothing else."""
    text, span = manifest.text, context.span
    line_start = text.rfind("\n", 0, offset) + 1
    alone = not text[line_start : span.start].strip(" \t\ufeff") and _LINE_IS_OVER.match(text, span.end) is not None
    if not alone:
        return
    line_end = "\r\n" if "\r\n" in text else "\n"
    for path in _sources(snapshot, file, manifest, None):
        header = f"[tools.{string_like(path, '')}]"
        whole = f'{header}{line_end}command = "'
        snippet = f'{snippet_text(whole)}$0"'
        detail = "a table for a file that has none"
        yield Completion(header, f'{whole}"', span, detail, CompletionSort.TABLE, snippet, wanted=f"{path} {header}")


def _keys(
    snapshot: Snapshot, file: ManifestFile, manifest: Manifest, context: CompletionContext, offset: int
) -> Iterator[Completion]:
    """The paths of files that declare Tools, in quotes as they are typed; those without a table first."""
    text, span = manifest.text, context.span
    typed = text[span.start : offset]
    in_header = context.kind is CompletionKind.HEADER
    prefix = "tools." if in_header else ""
    token = "'" if "'" in typed and '"' not in typed else '"'
    here = text[span.start : span.end].removeprefix(prefix).strip()
    alone = not in_header and _LINE_IS_OVER.match(text, span.end) is not None
    opens = in_header and _NOTHING_FOLLOWS.match(text, span.end) is not None
    line_end = "\r\n" if "\r\n" in text else "\n"
    for has_table in (False, True):
        for path in _sources(snapshot, file, manifest, here if has_table else None, has_table):
            key = prefix + string_like(path, token)
            snippet, where = "", None
            if opens and not has_table:
                snippet = f'{snippet_text(key)}]{line_end}command = "$0"'
                where = Span(span.start, span.end + text.startswith("]", span.end))
            elif alone and not has_table:
                snippet = f'{snippet_text(key)} = {{ command = "$0" \\}}'
            detail = "declares Tools, has a table already" if has_table else "declares Tools, has no table"
            yield Completion(path, key, span, detail, CompletionSort.FILE, snippet, where, key)


def _sources(
    snapshot: Snapshot, file: ManifestFile, manifest: Manifest, here: str | None, has_table: bool = False
) -> Iterator[str]:
    """The files that declare Tools and are bound by this manifest, by their keys: without a table or with one. The key
    `here`, in its quotes, is left out."""
    below = file.directory.rstrip("/") + "/"
    folder = snapshot.folder_of(file.path)
    repository = folder.path if folder is not None and folder.repository is not None else None
    found = 0
    for key in snapshot.sources:
        path = key[len(below) :]
        if not key.startswith(below) or (path in manifest.index_by_path) != has_table or not can_be_named(path):
            continue
        source = snapshot.sources.get(key)
        if source is None or not any(item.kind is ItemKind.TOOL for item in source.items):
            continue
        if nearest_manifest(key, snapshot.manifests, repository) is not file:
            continue
        if here is not None and here in (string_like(path, '"'), string_like(path, "'")):
            continue
        yield path
        found += 1
        if found >= MOST_COMPLETIONS:
            return
