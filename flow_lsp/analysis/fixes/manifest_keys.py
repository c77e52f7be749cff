"""What can be done about the keys and values of flow.toml."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from posixpath import join, normpath

from flow_lsp.analysis.edits import TextEdit, applied, in_one_file
from flow_lsp.analysis.fixes.model import Fix, FixContext, FixKind
from flow_lsp.analysis.manifest_edits import (
    Edits,
    added_entry,
    no_worse,
    removed_entry,
    removed_table,
    renamed_tables,
    replaced,
)
from flow_lsp.analysis.moved_commands import quoted_word
from flow_lsp.binding.model import ManifestFile
from flow_lsp.binding.nearest import MANIFEST_NAME
from flow_lsp.findings.model import Finding, shown
from flow_lsp.manifest.forms import table_form
from flow_lsp.manifest.model import BindingKind, Entry, Manifest, ToolTable
from flow_lsp.manifest.paths import SUFFIX, PathProblem, normalized_path
from flow_lsp.manifest.reader import read_manifest
from flow_lsp.manifest.tables import KINDS
from flow_lsp.manifest.toml_syntax import Value, ValueKind
from flow_lsp.manifest.toml_writing import basic_string, key_like
from flow_lsp.text.paths import inside
from flow_lsp.text.spans import Span


@dataclass(frozen=True, slots=True)
class Found:
    """The manifest that a fix is about, and the table at a place of it."""

    file: ManifestFile
    manifest: Manifest
    index: int

    @property
    def table(self) -> ToolTable:
        """The table."""
        return self.manifest.tables[self.index]


def manifest_of(context: FixContext) -> tuple[ManifestFile, Manifest] | None:
    """The manifest that the context's file is."""
    directory, _, name = context.key.rpartition("/")
    file = context.snapshot.manifests.get(directory or "/") if name == MANIFEST_NAME else None
    return None if file is None or file.manifest is None else (file, file.manifest)


def table_at(context: FixContext, offset: int) -> Found | None:
    """The table in whose extent `offset` is."""
    known = manifest_of(context)
    if known is None:
        return None
    file, manifest = known
    segment = manifest.segment_at(offset)
    for index in manifest.tables_of(segment):
        if manifest.tables[index].extent.shifted(manifest.starts[segment]).holds(offset):
            return Found(file, manifest, index)
    return None


def in_file(
    context: FixContext,
    edits: Edits | None,
    title: str,
    finding: Finding | None,
    *,
    preferred: bool = False,
    safe: bool = False,
) -> Iterator[Fix]:
    """The fix that makes these edits in the context's file; nothing where there are none."""
    if edits:
        kind = FixKind.QUICK_FIX if finding is not None else FixKind.REFACTOR
        yield Fix(title, in_one_file(context.key, *edits), finding, kind, preferred, safe)


# -- keys of a table ------------------------------------------------------------------------------------


def unknown_key(context: FixContext, finding: Finding) -> Iterator[Fix]:
    """`comand` becomes `command`; a key that is like none can be removed."""
    name, meant = finding.arguments["key"], finding.arguments.get("meant", "")
    found = _entry_at(context, finding.span)
    if found is None:
        if meant:
            yield from _top_key(context, finding, meant)
        return
    at, _ = found
    entries = {entry.name for entry in at.table.entries}
    if meant and not entries & set(KINDS):
        token = context.text[finding.span.start : finding.span.end]
        edits = replaced(at.manifest, at.index, finding.span, key_like(meant, token))
        yield from in_file(context, edits, f"Rename `{shown(name)}` to `{meant}`", finding, preferred=True, safe=True)
    edits = removed_entry(at.manifest, at.index, name)
    yield from in_file(context, edits, f"Remove `{shown(name)}`", finding)


def _entry_at(context: FixContext, span: Span) -> tuple[Found, Entry] | None:
    known = manifest_of(context)
    if known is None:
        return None
    file, manifest = known
    segment = manifest.segment_at(span.start)
    for index in manifest.tables_of(segment):
        for entry in manifest.tables[index].entries:
            if entry.key_span.shifted(manifest.starts[segment]) == span:
                return Found(file, manifest, index), entry
    return None


def _top_key(context: FixContext, finding: Finding, meant: str) -> Iterator[Fix]:
    """A misspelt `tools`, if what stands below it is read without a mistake then."""
    known = manifest_of(context)
    if known is None:
        return
    manifest = known[1]
    edit = TextEdit(finding.span, key_like(meant, context.text[finding.span.start : finding.span.end]))
    made = read_manifest(applied(context.text, [edit]), manifest, manifest.windows)
    if no_worse(made, manifest):
        title = f"Rename `{shown(finding.arguments['key'])}` to `{meant}`"
        yield from in_file(context, [edit], title, finding, preferred=True, safe=True)


def one_of(context: FixContext, finding: Finding) -> Iterator[Fix]:
    """Of both keys one can go; where there is neither, one can come."""
    at = table_at(context, finding.span.start)
    if at is None:
        return
    named = [entry.name for entry in at.table.entries if entry.name in KINDS]
    for kind, other in ((BindingKind.COMMAND, BindingKind.MCP), (BindingKind.MCP, BindingKind.COMMAND)):
        if len(named) == 2:
            edits = removed_entry(at.manifest, at.index, other)
            yield from in_file(context, edits, f"Keep `{kind}` and remove `{other}`", finding)
        elif not named:
            edits = added_entry(at.manifest, at.index, kind, "")
            yield from in_file(context, edits, f"Add `{kind}`", finding)


def value(context: FixContext, finding: Finding) -> Iterator[Fix]:
    """An array of words becomes one string."""
    at = table_at(context, finding.span.start)
    form = table_form(at.manifest, at.index) if at is not None else None
    entry = form.entry(finding.arguments["key"]) if form is not None else None
    if at is None or at.manifest.windows or entry is None or entry.value is None:
        return
    words = _words(entry.value)
    if words:
        text = basic_string(" ".join(map(quoted_word, words)))
        edits = replaced(at.manifest, at.index, Span(entry.value.start, entry.value.end), text)
        yield from in_file(context, edits, "Write the words in one string", finding, preferred=True, safe=True)


def _words(found: Value) -> list[str]:
    if found.kind is not ValueKind.ARRAY or not isinstance(found.data, tuple):
        return []
    if not all(item.kind is ValueKind.STRING and "\0" not in item.data for item in found.data):
        return []
    return [item.data for item in found.data]


# -- the key of a table ---------------------------------------------------------------------------------


def path(context: FixContext, finding: Finding) -> Iterator[Fix]:
    """A key that is no path, but says which one is meant."""
    at = table_at(context, finding.span.start)
    if at is None:
        return
    meant = _meant(context, at, finding.arguments["key"])
    if meant is None or meant[0] in at.manifest.index_by_path:
        return
    name, safe = meant
    if finding.span != at.table.key_span.shifted(at.manifest.offset_of(at.index)):
        # The name was parted by dots for want of quotes.
        edit = TextEdit(finding.span, basic_string(name))
        made = read_manifest(applied(context.text, [edit]), at.manifest, at.manifest.windows)
        edits: Edits | None = [edit] if name in made.index_by_path and no_worse(made, at.manifest) else None
    else:
        edits = renamed_tables(at.manifest, {at.index: name})
    yield from in_file(context, edits, f"Write the key as `{shown(name)}`", finding, preferred=True, safe=safe)


def _meant(context: FixContext, at: Found, key: str) -> tuple[str, bool] | None:
    """The path that `key` is meant to be, and whether there is no other."""
    named = normalized_path(key)
    if isinstance(named, str):
        return named, True  # the whole key, quotes apart
    with_slashes = named.suggestion if named.suggestion is not None and "\\" in key else key.replace("\\", "/")
    if inside(with_slashes, at.file.directory) and with_slashes != at.file.directory:
        with_slashes = with_slashes[len(at.file.directory.rstrip("/")) + 1 :]
    if not with_slashes.endswith(SUFFIX) and isinstance(again := normalized_path(with_slashes), PathProblem):
        with_slashes = again.suggestion or with_slashes
    found = normalized_path(normpath(with_slashes) if with_slashes else "")
    if not isinstance(found, str):
        return None
    # What `..` leads to through a link, and whether a suffix was left out, only the files can tell.
    there = context.snapshot.environment.exists(join(at.file.directory, found))
    plain = "\\" in key and ".." not in key and key.endswith(SUFFIX)
    return (found, plain or there) if plain or there or ".." not in key else None


def same_path(context: FixContext, finding: Finding) -> Iterator[Fix]:
    """The later of two tables of one file can go."""
    at = table_at(context, finding.span.start)
    if at is None or at.table.path is None:
        return
    first = at.manifest.tables[at.manifest.index_by_path[at.table.path]]
    same = (first.kind, first.text) == (at.table.kind, at.table.text) and first is not at.table
    edits = removed_table(at.manifest, at.index)
    yield from in_file(context, edits, f"Remove the table `{shown(at.table.key)}`", finding, preferred=same, safe=same)


def plain_key(context: FixContext, span: Span) -> Iterable[Fix]:
    """A key such as `./a.flow` can be written as the path that it is."""
    at = table_at(context, span.start)
    if at is None or at.table.path is None or at.table.path == at.table.key:
        return
    if at.table.header_span.shifted(at.manifest.offset_of(at.index)).holds(span.start):
        edits = renamed_tables(at.manifest, {at.index: at.table.path})
        yield from in_file(context, edits, f"Write the key as `{shown(at.table.path)}`", None)
