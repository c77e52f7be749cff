"""Tables of flow.toml that are missing, dead, or of files that are gone."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from posixpath import basename, dirname, join, relpath

from flow_lsp.analysis.edits import Change
from flow_lsp.analysis.fixes.manifest_keys import Found, in_file, table_at
from flow_lsp.analysis.fixes.model import Fix, FixContext, FixKind
from flow_lsp.analysis.manifest_edits import added_table, removed_table, renamed_tables, table_source, with_source
from flow_lsp.analysis.moved_commands import moved_command
from flow_lsp.analysis.snapshot import Snapshot
from flow_lsp.binding.model import ManifestFile, Unbound, UnboundReason
from flow_lsp.binding.nearest import MANIFEST_NAME, nearest_manifest, table_key
from flow_lsp.findings import binding_rules
from flow_lsp.findings.model import Finding, shown
from flow_lsp.manifest.model import BindingKind
from flow_lsp.manifest.paths import can_be_named
from flow_lsp.manifest.toml_writing import string_like, table_text
from flow_lsp.signature.identity import escaped_file, without_version
from flow_lsp.source.model import ItemKind
from flow_lsp.text.distance import nearest_name
from flow_lsp.text.paths import inside, joined, parent
from flow_lsp.text.spans import Span

MOST_COMMANDS = 3  # of other tables that are offered for a new one
MOST_PLACES = 3  # where a missing file may have gone
_UNBOUND = (binding_rules.NO_MANIFEST.code, binding_rules.NO_TABLE.code)

# -- tables that are missing ----------------------------------------------------------------------------


def unbound(context: FixContext, finding: Finding) -> Iterator[Fix]:
    """A table for the file of an unbound Tool: in the nearest flow.toml, or a new one."""
    binding = context.snapshot.binding_of(context.key)
    if not isinstance(binding, Unbound):
        return
    if binding.farther is not None:
        yield from _brought(context, binding, finding)
    yield from _bound(context, binding, finding)


def add_table(context: FixContext, span: Span) -> Iterable[Fix]:
    """The same at a Tool where nothing of it is said, because the user turned the finding off or is beside it."""
    source = context.snapshot.sources.get(context.key)
    if source is None or not source.items:
        return
    binding = context.snapshot.binding_of(context.key)
    if source.items[source.item_at(span.start)].kind is not ItemKind.TOOL or not isinstance(binding, Unbound):
        return
    said = context.analysis.findings(context.snapshot, context.key)
    if not any(one.rule.code in _UNBOUND and one.span.start <= span.end and span.start <= one.span.end for one in said):
        yield from _bound(context, binding, None)


def _bound(context: FixContext, binding: Unbound, finding: Finding | None) -> Iterator[Fix]:
    if not can_be_named(binding.key):
        return
    kind = FixKind.QUICK_FIX if finding is not None else FixKind.REFACTOR
    directory = parent(context.key)
    if binding.reason is UnboundReason.NO_MANIFEST:
        home = context.key[: -len(binding.key)].rstrip("/") or "/"
        places = [home] if joined(home, binding.key) == context.key else []
        places += [directory] if directory not in places else []
    else:
        assert binding.manifest is not None
        file = context.snapshot.manifests[parent(binding.manifest)]
        yield from _in_manifest(context, file, binding.key, finding, kind)
        repository = (folder := context.snapshot.folder_of(context.key)) is not None and folder.repository is not None
        places = [directory] if directory != file.directory and not repository else []
    for number, place in enumerate(places):
        where = "beside this file" if place == directory else f"in {shown(relpath(place, directory))}"
        text = table_text(table_key(context.key, place), BindingKind.COMMAND, "")
        first = number == 0 and binding.reason is UnboundReason.NO_MANIFEST
        change = Change(created={joined(place, MANIFEST_NAME): text})
        yield Fix(f"Create flow.toml {where}, with a table for this file", change, finding, kind, first)


def _in_manifest(
    context: FixContext, file: ManifestFile, key: str, finding: Finding | None, kind: FixKind
) -> Iterator[Fix]:
    manifest = file.manifest
    if manifest is None or file.refuses:
        return
    where = shown(relpath(file.path, parent(context.key)))
    edits = added_table(manifest, key, BindingKind.COMMAND, "")
    if edits:
        yield Fix(
            f"Add a table for this file to {where}", Change({file.path: edits}), finding, kind, finding is not None
        )
    others = dict.fromkeys((table.kind, table.text) for table in reversed(manifest.tables))
    for other, text in [one for one in others if one[0] is not None][:MOST_COMMANDS]:
        assert other is not None
        assert text is not None
        edits = added_table(manifest, key, other, text)
        if edits:
            title = f"Add a table for this file to {where}, answered by {other} `{shown(text)}`"
            yield Fix(title, Change({file.path: edits}), finding, kind)


def _brought(context: FixContext, binding: Unbound, finding: Finding) -> Iterator[Fix]:
    """The table of a farther manifest, which does not count, can be moved into the nearest one."""
    assert binding.farther is not None
    far = binding.farther
    file = context.snapshot.manifests.get(parent(far.path))
    if file is not None and file.manifest is far.manifest:
        change = moved_table(context.snapshot, Found(file, far.manifest, far.table))
        if change is not None:
            where = shown(relpath(far.path, parent(context.key)))
            yield Fix(f"Move the table of this file from {where} into the nearest flow.toml", change, finding)


# -- tables without effect ------------------------------------------------------------------------------


def shadowed(context: FixContext, finding: Finding) -> Iterator[Fix]:
    """The table can go where it counts; or away."""
    at = table_at(context, finding.span.start)
    if at is None or at.table.path is None:
        return
    change = moved_table(context.snapshot, at)
    if change is not None:
        title = f"Move the table into {shown(finding.arguments['manifest'])}"
        yield Fix(title, change, finding, preferred=True)
    yield from in_file(context, removed_table(at.manifest, at.index), "Remove the table", finding)


def moved_table(snapshot: Snapshot, at: Found) -> Change | None:
    """The table taken out of its manifest and put into the nearest one of its file, its command counting from there;
    None where that one has such a table, or an error, or an edit is not sure."""
    if at.table.path is None:
        return None
    path = join(at.file.directory, at.table.path)
    near = nearest_manifest(path, snapshot.manifests)
    if near is None or near.manifest is None or near.refuses or near.directory == at.file.directory:
        return None
    key = table_key(path, near.directory)
    removed = removed_table(at.manifest, at.index)
    source = source_for(snapshot, at, key, near.directory)
    added = with_source(near.manifest, source) if source is not None else None
    if removed is None or added is None:
        return None
    return Change({at.file.path: removed, near.path: added})


def source_for(snapshot: Snapshot, at: Found, key: str, directory: str) -> str | None:
    """The table as `table_source` gives it, with `key`, for a manifest in `directory`."""
    table, manifest = at.table, at.manifest
    if table.text is None or table.value_span is None:
        return None
    exists = snapshot.environment.exists
    command = moved_command(table.text, at.file.directory, directory, exists, windows=manifest.windows)
    if command is None:
        return None
    if command == table.text:
        return table_source(manifest, at.index, key)
    span = table.value_span.shifted(manifest.offset_of(at.index))
    return table_source(manifest, at.index, key, string_like(command, manifest.text[span.start : span.end]))


# -- files that are gone --------------------------------------------------------------------------------


def missing_file(context: FixContext, finding: Finding) -> Iterator[Fix]:
    """The table can name the file as it is called now; or go."""
    at = table_at(context, finding.span.start)
    if at is None or at.table.path is None:
        return
    places, likely = _gone_to(context, at)
    for place in places[:MOST_PLACES]:
        edits = renamed_tables(at.manifest, {at.index: place})
        sure = likely and len(places) == 1
        yield from in_file(context, edits, f"Point the table to `{shown(place)}`", finding, preferred=sure)
    yield from in_file(context, removed_table(at.manifest, at.index), "Remove the table", finding)


def _gone_to(context: FixContext, at: Found) -> tuple[list[str], bool]:
    """Where the file of a table may be now, the likeliest first: files below the manifest that declare Tools, have no
    table, and declare what the command served for the missing one, or are called like it; and True. Where there is none
    of these, the few files that have no table, if they are few, and False."""
    snapshot, missing = context.snapshot, at.table.path
    assert missing is not None
    served = _served_names(context, at, missing)
    below = at.file.directory.rstrip("/") + "/"
    same_tools: list[str] = []
    same_name: list[str] = []
    alike: dict[str, str] = {}
    unlike: list[str] = []
    for key in snapshot.sources:
        if not inside(key, at.file.directory):
            continue
        path = key[len(below) :]
        named = basename(path) == basename(missing)
        beside = dirname(path) == dirname(missing)
        if path in at.manifest.index_by_path or not can_be_named(path):
            continue
        source = snapshot.sources.get(key)
        tools = {item.name for item in source.items if item.kind is ItemKind.TOOL} if source is not None else set()
        near = nearest_manifest(key, snapshot.manifests)
        if not tools or near is None or near.directory != at.file.directory:
            continue
        if served and served <= tools:
            same_tools.append(path)
        elif named:
            same_name.append(path)
        else:
            unlike.append(path)
            if beside:
                alike[path.removesuffix(".flow")] = path
    meant = nearest_name(missing.removesuffix(".flow"), alike)
    likely = [*same_tools, *same_name, *([alike[meant]] if meant is not None else [])]
    return (likely, True) if likely else (unlike if len(unlike) <= MOST_PLACES else [], False)


def _served_names(context: FixContext, at: Found, path: str) -> set[str]:
    """The names of the Tools of the file at `path` that the table's command is known to serve."""
    from flow_lsp.binding.model import table_command

    key = table_command(at.file.directory, at.table)
    outcome = context.snapshot.described_by(key).outcome if key is not None else None
    if outcome is None or outcome.listing is None:
        return set()
    prefix = escaped_file(path) + "."
    identities = (without_version(tool.identity) for tool in outcome.listing.tools)
    return {identity[len(prefix) :] for identity in identities if identity.startswith(prefix)}
