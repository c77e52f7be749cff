"""Where the keys and commands of a flow.toml lead, where a file is named, and how the text is made up."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass
from posixpath import join, normpath

from flow_lsp.analysis.navigation.folding import Fold, FoldKind
from flow_lsp.analysis.navigation.outline import Outlined, OutlineKind
from flow_lsp.analysis.snapshot import Snapshot
from flow_lsp.binding.model import ManifestFile
from flow_lsp.manifest.command_words import placed_words, string_content
from flow_lsp.manifest.forms import table_form
from flow_lsp.manifest.model import Entry, Manifest, Place, PlaceKind
from flow_lsp.text.paths import inside
from flow_lsp.text.spans import Span

MOST_WORDS = 100  # of one command that are looked at
LONGEST_DETAIL = 100

_LAST_LINES = re.compile(r"(?:\r?\n[ \t]*(?:#[^\n]*)?)*\s*\Z")
_COMMENT_RUN = re.compile(r"^[ \t]*#[^\n]*(?:\n[ \t]*#[^\n]*)+", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Link:
    """From a piece of the text to the file at `path`."""

    span: Span
    path: str


# -- where it leads -------------------------------------------------------------------------------------


def link_at(snapshot: Snapshot, file: ManifestFile, offset: int) -> Link | None:
    """The file that the key or the word of a command at `offset` names; None where there is none."""
    place = file.manifest.at(offset) if file.manifest is not None else None
    if file.manifest is None or place is None:
        return None
    if place.kind is PlaceKind.TABLE:
        link = _key_link(snapshot, file, file.manifest, place.table)
        return link if link is None or link.span.holds(offset) else Link(place.span, link.path)
    if place.kind is PlaceKind.ENTRY_VALUE:
        for link in _word_links(snapshot, file, file.manifest, place.span):
            if link.span.holds(offset):
                return link
    return None


def links(snapshot: Snapshot, file: ManifestFile) -> Iterator[Link]:
    """The keys that name files which are there, and the words of commands that name scripts."""
    manifest = file.manifest
    if manifest is None:
        return
    for index, table in enumerate(manifest.tables):
        found = _key_link(snapshot, file, manifest, index)
        if found is not None:
            yield found
        if table.value_span is not None:
            yield from _word_links(snapshot, file, manifest, table.value_span.shifted(manifest.offset_of(index)))


def _key_link(snapshot: Snapshot, file: ManifestFile, manifest: Manifest, index: int) -> Link | None:
    table = manifest.tables[index]
    path = join(file.directory, table.path) if table.path is not None else None
    if path is None or not snapshot.environment.exists(path):
        return None
    return Link(table.key_span.shifted(manifest.offset_of(index)), path)


def _word_links(snapshot: Snapshot, file: ManifestFile, manifest: Manifest, value: Span) -> Iterator[Link]:
    content = string_content(manifest.text, value.start, value.end)
    words = placed_words(content.text, manifest.windows)[:MOST_WORDS] if content is not None else []
    for number, word in enumerate(words):
        module = number > 0 and words[number - 1].text == "-m"
        path = _script(snapshot, file.directory, word.text, number == 0, module)
        if path is not None and content is not None:
            yield Link(content.span(word.start, word.end), path)


def _script(snapshot: Snapshot, directory: str, word: str, program: bool, module: bool) -> str | None:
    """The file of the workspace that a word of a command names, the program by itself or a module of Python."""
    if not word or word.startswith("-") or "\0" in word:
        return None
    candidates = [normpath(join(directory, word))]
    if module and all(part.isidentifier() for part in word.split(".")):
        base = join(directory, *word.split("."))
        candidates = [f"{base}.py", f"{base}/__main__.py"]
    elif program and "/" not in word:
        found = snapshot.environment.program(directory, word).path
        candidates = [found] if found is not None else []
    for path in candidates:
        if snapshot.environment.exists(path) and any(inside(path, folder.path) for folder in snapshot.folders):
            return path
    return None


# -- where a file is named ------------------------------------------------------------------------------


def named_at(file: ManifestFile, offset: int) -> str | None:
    """The path of the file that the key at `offset` names, whether or not it is there."""
    place = file.manifest.at(offset) if file.manifest is not None else None
    if file.manifest is None or place is None or place.kind is not PlaceKind.TABLE:
        return None
    path = file.manifest.tables[place.table].path
    return None if path is None else join(file.directory, path)


def keys_of(manifest: Manifest, directory: str, path: str) -> list[Span]:
    """Every key of the manifest in `directory` that names the file at `path`, in order."""
    below = directory.rstrip("/") + "/"
    wanted = path[len(below) :] if path.startswith(below) else None
    if wanted is None or wanted not in manifest.index_by_path:
        return []
    found: list[Span] = []
    plain = manifest.relations.plain
    tables = [manifest.index_by_path[wanted]] if plain else range(len(manifest.tables))
    for index in tables:
        table = manifest.tables[index]
        if table.path == wanted:
            form = table_form(manifest, index)
            places = form.key_places if form is not None else ()
            found += [Span(*place) for place in places] or [table.key_span.shifted(manifest.offset_of(index))]
    return sorted(found)


def keys_naming(snapshot: Snapshot, path: str) -> Iterator[tuple[str, Span]]:
    """Every key of every manifest that names the file at `path`, each with its manifest's path."""
    for directory, file in sorted(snapshot.manifests.items()):
        if file.manifest is not None and inside(path, directory):
            for span in keys_of(file.manifest, directory, path):
                yield file.path, span


# -- how the text is made up ----------------------------------------------------------------------------


def manifest_outline(manifest: Manifest) -> list[Outlined]:
    """The tables with what answers each, and their keys."""
    found = []
    for index, table in enumerate(manifest.tables):
        start = manifest.offset_of(index)
        detail = f"{table.kind} {table.text}" if table.kind is not None else ""
        children = [
            Outlined(
                OutlineKind.ENTRY,
                entry.name if entry.name.strip() else '""',
                "",
                _whole(entry).shifted(start),
                entry.key_span.shifted(start),
            )
            for entry in table.entries
        ]
        name = table.key if table.key.strip() else '""'
        detail = detail if len(detail) <= LONGEST_DETAIL else detail[: LONGEST_DETAIL - 1] + "…"
        extent, key = table.extent.shifted(start), table.key_span.shifted(start)
        found.append(Outlined(OutlineKind.TABLE, name, " ".join(detail.split()), extent, key, children))
    return found


def _whole(entry: Entry) -> Span:
    return Span(entry.key_span.start, max(entry.key_span.end, (entry.value_span or entry.key_span).end))


def manifest_folds(manifest: Manifest) -> list[Fold]:
    """Each header with what stands below it, values over several lines, and comments over several lines."""
    text = manifest.text
    found: list[Fold] = []
    values: list[Span] = []
    for index, table in enumerate(manifest.tables):
        start = manifest.offset_of(index)
        values += (
            entry.value_span.shifted(start)
            for entry in table.entries
            if entry.value_span is not None
            and "\n" in text[entry.value_span.start + start : entry.value_span.end + start]
        )
    for segment, start in zip(manifest.segments, manifest.starts, strict=True):
        if segment.header_start < segment.length:
            first = _line_end(text, start + segment.header_start)
            last = _LAST_LINES.search(text, first, start + segment.length)
            assert last is not None
            found.append(Fold(Span(first, max(first, last.start()))))
    values.sort()
    for value in values:
        array = text[value.start] == "["
        found.append(Fold(Span(_line_end(text, value.start), value.end - array), closes=array, depth=1))
    starts = [value.start for value in values]
    for run in _COMMENT_RUN.finditer(text):
        if not _inside(run.start(), values, starts):
            span = Span(_line_end(text, run.start()), _line_end(text, run.end() - 1))
            found.append(Fold(span, FoldKind.COMMENT, depth=1))
    long = [fold for fold in found if "\n" in text[fold.span.start : fold.span.end]]
    return sorted(long, key=lambda fold: (fold.span.start, -fold.span.end))


def _inside(offset: int, values: list[Span], starts: list[int]) -> bool:
    place = bisect_right(starts, offset) - 1
    return place >= 0 and values[place].start <= offset < values[place].end


def _line_end(text: str, offset: int) -> int:
    end = text.find("\n", offset)
    if end < 0:
        return len(text)
    return end - 1 if end > offset and text[end - 1] == "\r" else end


def manifest_selections(manifest: Manifest, offset: int) -> list[Span]:
    """From the smallest to the whole file, each inside the next, and all touched by `offset`."""
    whole = Span(0, len(manifest.text))
    found: list[Span] = []
    segment = manifest.segment_at(offset)
    start = manifest.starts[segment]
    for index in manifest.tables_of(segment):
        table = manifest.tables[index]
        found += (table.key_span.shifted(start), table.header_span.shifted(start), table.extent.shifted(start))
        for entry in table.entries:
            found += (entry.key_span.shifted(start), _whole(entry).shifted(start))
    place = manifest.at(offset)
    if place is not None and place.kind is PlaceKind.ENTRY_VALUE:
        found += (place.span, *_in_value(manifest, place))
    length = manifest.segments[segment].length
    content = _LAST_LINES.search(manifest.text, start, start + length)
    found.append(Span(start, content.start() if content is not None else start + length))
    kept: list[Span] = []
    for span in sorted({span for span in found if span.holds(offset)}, key=lambda span: span.end - span.start):
        if span.start < span.end and (not kept or _wider(span, kept[-1])):
            kept.append(span)
    return kept if kept and not _wider(whole, kept[-1]) else [*kept, whole]


def _in_value(manifest: Manifest, place: Place) -> Iterator[Span]:
    content = string_content(manifest.text, place.span.start, place.span.end)
    if content is not None:
        yield content.span(0, len(content.text))
        for word in placed_words(content.text, manifest.windows)[:MOST_WORDS]:
            yield content.span(word.start, word.end)


def _wider(span: Span, other: Span) -> bool:
    return span != other and span.start <= other.start and other.end <= span.end


# -- the whole workspace --------------------------------------------------------------------------------


def search_tables(snapshot: Snapshot, query: str, most: int) -> list[tuple[str, str, Span]]:
    """The tables whose keys hold the letters of `query` in that order: the manifest's path, the key and where it is."""
    wanted = "".join(query.split())[:100].casefold()
    letters = "".join(f"[^{re.escape(letter)}]*+{re.escape(letter)}" for letter in wanted)
    pattern = re.compile(letters, re.DOTALL)
    found: list[tuple[str, str, Span]] = []
    for _, file in sorted(snapshot.manifests.items()):
        manifest = file.manifest
        for index, table in enumerate(manifest.tables if manifest is not None else ()):
            if manifest is not None and table.key.strip() and pattern.match(table.key.casefold()):
                found.append((file.path, table.key, table.key_span.shifted(manifest.offset_of(index))))
                if len(found) == most:
                    return found
    return found
