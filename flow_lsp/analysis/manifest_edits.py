"""Edits of a manifest that change one thing for whoever reads it, and no letter beside.

Each gives the edits in order, or None where it cannot be done surely. What comes out is read again before it is given
away: the tables must be just those that were meant, and no mistake of TOML may be new.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from types import MappingProxyType
from typing import NamedTuple

from flow_lsp.analysis.edits import TextEdit, applied
from flow_lsp.findings import manifest_rules
from flow_lsp.findings.model import Rule
from flow_lsp.manifest.forms import (
    Forms,
    Member,
    TableForm,
    content_start,
    members_of,
    table_form,
    tools_inline,
)
from flow_lsp.manifest.insertion import with_table
from flow_lsp.manifest.model import BindingKind, Manifest, ToolTable
from flow_lsp.manifest.reader import read_manifest
from flow_lsp.manifest.toml_syntax import Statement, Value
from flow_lsp.manifest.toml_writing import basic_string, key_like, string_like
from flow_lsp.text.spans import Span

Edits = Sequence[TextEdit]

_BLANK_LINES = re.compile(r"(?:[ \t]*\r?\n)*(?:[ \t]*\Z)?")
_INDENT = re.compile(r"[ \t]*")


class Said(NamedTuple):
    """What a table says to the engine."""

    key: str
    path: str | None
    kind: BindingKind | None
    text: str | None
    entries: tuple[str, ...]


def said(table: ToolTable) -> Said:
    """What `table` says."""
    return Said(table.key, table.path, table.kind, table.text, tuple(entry.name for entry in table.entries))


def no_worse(made: Manifest, before: Manifest) -> bool:
    """Whether no more is wrong as TOML in `made`, and no more tables are of one file."""
    return all(_count(made, rule) <= _count(before, rule) for rule in (manifest_rules.TOML, manifest_rules.SAME_PATH))


def _count(manifest: Manifest, rule: Rule) -> int:
    return sum(finding.rule is rule for finding in manifest.findings)


# -- whole tables ---------------------------------------------------------------------------------------


def changed_tables(
    manifest: Manifest,
    names: Mapping[int, str] = MappingProxyType({}),
    removed: Collection[int] = (),
    commands: Mapping[int, str] = MappingProxyType({}),
) -> Edits | None:
    """Tables by their indexes: keys become other paths, in quotes as they were; some tables go; the command of some
    becomes another one.

    A table goes with the lines that it takes and the empty ones behind; those stay where no empty line stands before
    it, for they part what does from what follows. Comments above it and below stay.
    """
    forms = Forms(manifest)
    text = manifest.text
    edits: list[TextEdit] = []
    blocks: list[Span] = []
    members: list[Member] = []
    for index in {*names, *removed, *commands}:
        form = forms.of(index)
        if form is None:
            return None
        if index in removed:
            members += form.members if form.header is None else ()
            blocks += [_block(text, form)] if form.header is not None else []
            continue
        if index in names:
            edits += (TextEdit(Span(*at), key_like(names[index], text[slice(*at)])) for at in form.key_places)
        if index in commands:
            entry = form.entry(manifest.tables[index].kind or "")
            if entry is None or entry.value is None:
                return None
            token = string_like(commands[index], text[entry.value.start : entry.value.end])
            edits.append(TextEdit(Span(entry.value.start, entry.value.end), token))
    edits += (TextEdit(span, "") for span in _merged(blocks))
    edits += _without(text, members)
    edits.sort(key=lambda edit: edit.span)
    made = read_manifest(applied(text, edits), manifest, manifest.windows)
    return edits if _are_as_meant(manifest, made, names, removed, commands) else None


def _are_as_meant(
    manifest: Manifest,
    made: Manifest,
    names: Mapping[int, str],
    removed: Collection[int],
    commands: Mapping[int, str],
) -> bool:
    kept = [index for index in range(len(manifest.tables)) if index not in removed]
    if len(made.tables) != len(kept) or not no_worse(made, manifest):
        return False
    for index, after in zip(kept, made.tables, strict=True):
        before = manifest.tables[index]
        if before is after:
            continue
        meant = said(before)
        if index in names:
            meant = meant._replace(key=names[index], path=names[index])
            if before.path is None:  # of a key that was no path, nothing else was read
                meant = meant._replace(kind=after.kind, text=after.text)
        if index in commands:
            meant = meant._replace(text=commands[index])
        if meant != said(after):
            return False
    return True


def renamed_tables(manifest: Manifest, names: Mapping[int, str]) -> Edits | None:
    """The keys of the tables of these indexes become these paths, each in quotes as it was."""
    return changed_tables(manifest, names)


def removed_table(manifest: Manifest, index: int) -> Edits | None:
    """The table goes, as in `changed_tables`."""
    return changed_tables(manifest, removed=(index,))


def added_table(manifest: Manifest, path: str, kind: BindingKind, command: str) -> Edits | None:
    """A table for `path`, which has none, in which `kind` is `command`: at the end, or in `tools = {…}` where that is
    how the manifest is written."""
    if path in manifest.index_by_path:
        return None
    key, value = basic_string(path), basic_string(command)
    added = with_table(manifest, f"[tools.{key}]\n{kind} = {value}\n")
    if added is not None:
        end = len(manifest.text)
        return [TextEdit(Span(end, end), added)]
    inline = tools_inline(manifest)
    if inline is None:
        return None
    edit = _put_inside(inline.value, f"{key} = {{ {kind} = {value} }}")
    made = Said(path, path, kind if command.strip() else None, command if command.strip() else None, (kind.value,))
    result = read_manifest(applied(manifest.text, [edit]), manifest, manifest.windows)
    wanted = Counter([*map(said, manifest.tables), made])
    return [edit] if Counter(map(said, result.tables)) == wanted and no_worse(result, manifest) else None


def table_source(manifest: Manifest, index: int, path: str, value: str | None = None) -> str | None:
    """The table as lines of its own that end in LF, with the key `path`, to be put elsewhere; with `value`, a token, in
    place of its command's."""
    form, table = table_form(manifest, index), manifest.tables[index]
    if form is None or table.kind is None:
        return None
    entry = form.entry(table.kind.value)
    if entry is None or entry.value is None:
        return None
    text = manifest.text
    if form.header is not None:
        block = _lines(text, form)
        (key_start, key_end) = form.key_places[0]
        edits = [TextEdit(Span(key_start, key_end), key_like(path, text[key_start:key_end]))]
        if value is not None:
            edits.append(TextEdit(Span(entry.value.start, entry.value.end), value))
        shifted = [TextEdit(edit.span.shifted(-block.start), edit.text) for edit in edits]
        lines = applied(text[block.start : block.end], shifted).replace("\r\n", "\n")
        return lines if lines.endswith("\n") else lines + "\n"
    if len(form.entries) != 1:
        return None
    token = value if value is not None else text[entry.value.start : entry.value.end].replace("\r\n", "\n")
    return f"[tools.{basic_string(path)}]\n{table.kind} = {token}\n"


def with_source(manifest: Manifest, source: str) -> Edits | None:
    """What `table_source` gave, put at the end of another manifest."""
    added = with_table(manifest, source)
    if added is None:
        return None
    end = len(manifest.text)
    return [TextEdit(Span(end, end), added)]


# -- the keys of a table --------------------------------------------------------------------------------


def removed_entry(manifest: Manifest, index: int, name: str) -> Edits | None:
    """The entry of that name goes, with its line where it has one."""
    form = table_form(manifest, index)
    members = [entry.member for entry in form.entries if entry.name == name] if form is not None else []
    if form is None or not members or len(members) == len(form.entries):
        return None
    return _checked_entries(manifest, index, _without(manifest.text, members))


def added_entry(manifest: Manifest, index: int, kind: BindingKind, command: str) -> Edits | None:
    """The table gets the key `kind`."""
    form = table_form(manifest, index)
    if form is None:
        return None
    statement, text = f"{kind} = {basic_string(command)}", manifest.text
    if form.inline is not None:
        return _checked_entries(manifest, index, [_put_inside(form.inline.value, statement)])
    if form.header is None:
        return None
    end = text.find("\n", form.header.end)
    first = form.members[0].key.places[0][0] if form.members else form.header.start
    indent = _INDENT.match(text, text.rfind("\n", 0, first) + 1)
    before = indent[0] if indent is not None else ""
    line_end = "\r\n" if "\r\n" in text else "\n"
    if end < 0:
        edit = TextEdit(Span(len(text), len(text)), f"{line_end}{before}{statement}{line_end}")
    else:
        edit = TextEdit(Span(end + 1, end + 1), f"{before}{statement}{line_end}")
    return _checked_entries(manifest, index, [edit])


def replaced(manifest: Manifest, index: int, span: Span, text: str) -> Edits | None:
    """`text` in place of a token of the table of that index, which changes that table alone."""
    return _checked_entries(manifest, index, [TextEdit(span, text)])


def _checked_entries(manifest: Manifest, index: int, edits: Iterable[TextEdit]) -> Edits | None:
    """`edits`, if they change nothing but the entries of one table."""
    found = list(edits)
    home = manifest.relations.homes[index]
    if manifest.relations.plain and home > 0 and len(manifest.segments) > 1:
        # Plain tables have nothing to do with each other: the one says all by itself.
        start = manifest.starts[home]
        text = manifest.text[start : start + manifest.segments[home].length]
        alone = read_manifest(text, None, manifest.windows)
        if len(alone.tables) == 1 and said(alone.tables[0]) == said(manifest.tables[index]):
            moved = [replace(edit, span=edit.span.shifted(-start)) for edit in found]
            return found if _changes_one(alone, 0, moved) else None
    return found if _changes_one(manifest, index, found) else None


def _changes_one(manifest: Manifest, index: int, found: Sequence[TextEdit]) -> bool:
    made = read_manifest(applied(manifest.text, found), manifest, manifest.windows)
    if len(made.tables) != len(manifest.tables) or not no_worse(made, manifest):
        return False
    for place, (before, after) in enumerate(zip(manifest.tables, made.tables, strict=True)):
        if before is after:
            continue
        if (before.key, before.path) != (after.key, after.path) or (place != index and said(before) != said(after)):
            return False
    return True


# -- pieces of text -------------------------------------------------------------------------------------


def _lines(text: str, form: TableForm) -> Span:
    """The lines of a table that has a header: from the header's to that of its last value."""
    assert form.header is not None
    last = max([form.header.end, *(member.value.end for member in form.members)])
    end = text.find("\n", last)
    return Span(form.segment.start, len(text) if end < 0 else end + 1)


def _block(text: str, form: TableForm) -> Span:
    """Its lines, and the empty ones behind them where one stands before, or nothing does; before them instead, where
    nothing follows."""
    lines = _lines(text, form)
    blank = _BLANK_LINES.match(text, lines.end)
    end = blank.end() if blank is not None else lines.end
    start = lines.start
    line_before = max(text.rfind("\n", 0, max(start - 1, 0)) + 1, content_start(text))
    if end < len(text) and text[line_before:start].strip():
        return lines
    if end == len(text):
        first = content_start(text)
        kept = text[first:start].rstrip(" \t\r\n")
        line_end = text.find("\n", first + len(kept), start)
        start = first if not kept else start if line_end < 0 else line_end + 1
    return Span(start, end)


def _merged(spans: list[Span]) -> list[Span]:
    """The spans in order, those that touch as one."""
    found: list[Span] = []
    for span in sorted(spans):
        if found and span.start <= found[-1].end:
            found[-1] = Span(found[-1].start, max(found[-1].end, span.end))
        else:
            found.append(span)
    return found


def _without(text: str, members: Sequence[Member]) -> list[TextEdit]:
    """Edits that take these members out: lines of their own, or pieces of one inline table."""
    edits = []
    within: dict[int, tuple[Member, set[int]]] = {}
    for member in members:
        if member.within is None:
            start = text.rfind("\n", 0, member.key.places[0][0]) + 1
            end = text.find("\n", member.value.end)
            edits.append(TextEdit(Span(max(start, content_start(text)), len(text) if end < 0 else end + 1), ""))
        else:
            within.setdefault(member.within.start, (member, set()))[1].add(member.place)
    for member, places in within.values():
        assert member.within is not None
        edits += _without_inline(member.within, member.siblings, places)
    return edits


def _without_inline(within: Value, siblings: tuple[Statement, ...], places: set[int]) -> list[TextEdit]:
    if len(places) == len(siblings):
        return [TextEdit(Span(within.start + 1, within.end - 1), "")]
    edits = []
    place = 0
    while place < len(siblings):
        if place not in places:
            place += 1
            continue
        first = place
        while place < len(siblings) and place in places:
            place += 1
        if place < len(siblings):
            span = Span(siblings[first].key.places[0][0], siblings[place].key.places[0][0])
        else:
            span = Span(_end(siblings[first - 1]), _end(siblings[-1]))
        edits.append(TextEdit(span, ""))
    return edits


def _end(statement: Statement) -> int:
    return statement.value.end if statement.value is not None else statement.key.places[-1][1]


def _put_inside(inline: Value, member: str) -> TextEdit:
    """`member` as the last of an inline table."""
    inner = members_of(inline)
    if not inner:
        return TextEdit(Span(inline.start + 1, inline.end - 1), f" {member} ")
    end = _end(inner[-1])
    return TextEdit(Span(end, end), f", {member}")
