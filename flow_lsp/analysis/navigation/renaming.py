"""Renaming: what can be, what stands in its way, and the change it comes to.

A rename never changes what another name means: where the new name would hide one, or be hidden, it is refused with a
sentence that says where. Only declarations are read here, so words in other code (`Access.UNREAD`) are changed as a
part of their own, which a client that can asks about.
"""

from __future__ import annotations

from collections.abc import Generator, Iterator, Sequence
from dataclasses import dataclass
from posixpath import relpath
from typing import TYPE_CHECKING

from flow_lsp.analysis.edits import Change, Note, TextEdit
from flow_lsp.analysis.navigation.conflicts import conflict
from flow_lsp.analysis.navigation.places import Access, Occurrence
from flow_lsp.analysis.navigation.references import InFile, references
from flow_lsp.analysis.navigation.symbols import FileSymbols, Found, Symbol, SymbolKind
from flow_lsp.analysis.snapshot import Folder, Snapshot
from flow_lsp.findings.model import shown
from flow_lsp.source.model import ImportSyntax
from flow_lsp.source.names import NameRole
from flow_lsp.source.tokens import COLON, KEYWORDS, read_name
from flow_lsp.text.paths import inside
from flow_lsp.text.spans import Span

if TYPE_CHECKING:
    from flow_lsp.analysis.engine import Analysis

BEFORE_COLON = frozenset((SymbolKind.FIELD, SymbolKind.PARAMETER))  # where a keyword is a name


@dataclass(frozen=True, slots=True)
class Renameable:
    """A name that can be renamed, where it stands under the cursor, and what it stands for."""

    span: Span
    symbol: Symbol


@dataclass(frozen=True, slots=True)
class Refusal:
    """Why not."""

    sentence: str


def renameable_at(
    analysis: Analysis, snapshot: Snapshot, key: str, offset: int, own: Sequence[str]
) -> Renameable | Refusal:
    """What could be renamed at `offset` of the source `key`. `own` are the real paths of the workspace's folders:
    what a repository holds that is none of them is not renamed."""
    checked = analysis.checked(snapshot, key)
    found = FileSymbols(checked).at(offset) if checked is not None else None
    if found is None:
        return Refusal("Nothing that has a name stands here.")
    problem = _fixed(found) or _foreign(snapshot, own, found)
    if problem is not None or found.symbol is None:
        return Refusal(problem or "")
    return Renameable(found.span, found.symbol)


def _fixed(found: Found) -> str | None:
    """Why what was found has a name that cannot be another."""
    if found.at.role is NameRole.PATH:
        return "This path names a file. Rename the file in the editor, and the imports of it are changed."
    name = shown(found.at.name)
    if found.symbol is None:
        return f"What `{name}` means is not known, so it cannot be renamed everywhere."
    if found.symbol.kind is SymbolKind.BUILT_IN:
        return f"`{name}` is a type of Flow's own and keeps its name."
    return None


def _foreign(snapshot: Snapshot, own: Sequence[str], found: Found) -> str | None:
    assert found.symbol is not None
    folder = foreign_folder(snapshot, own, found.symbol.path)
    if folder is None:
        return None
    return (
        f"`{shown(found.at.name)}` is declared in the repository {shown(folder.repository)} at version "
        f"{shown(folder.version)}, which is not this workspace's own. Rename it there."
    )


def foreign_folder(snapshot: Snapshot, own: Sequence[str], path: str) -> Folder | None:
    """The repository that holds the file at `path`, where the workspace is not open on it."""
    folder = snapshot.folder_of(path)
    if folder is None or folder.repository is None or any(inside(one, folder.path) for one in own):
        return None
    return folder


def rename(
    analysis: Analysis, snapshot: Snapshot, key: str, offset: int, new_name: str, own: Sequence[str]
) -> Generator[None, None, Change | Refusal]:
    """The change that gives what is named at `offset` another name wherever it is named; a step for each file, at which
    the work can be left off."""
    target = renameable_at(analysis, snapshot, key, offset, own)
    if isinstance(target, Refusal):
        return target
    symbol = target.symbol
    new = read_name(new_name)
    if new is None:
        return Refusal(f"`{shown(new_name)}` is no name: names are letters, digits and `_`, and begin with no digit.")
    if new == symbol.name:
        return Change()
    if new in KEYWORDS and symbol.kind not in BEFORE_COLON:
        return Refusal(f"`{new}` is a keyword of Flow and names nothing here.")
    edits: dict[str, list[TextEdit]] = {}
    for file in references(analysis, snapshot, key, symbol):
        yield
        problem = _cannot_edit(snapshot, own, file) or conflict(file, symbol, new, _file_text(snapshot, file.key))
        if problem is None and new in KEYWORDS and not _all_before_colon(file):
            problem = f"`{new}` is a keyword of Flow, and a name only right before a colon."
        if problem is not None:
            return Refusal(problem)
        edits[file.key] = list(_edits(file, symbol, new))
    return Change(edits)


def _cannot_edit(snapshot: Snapshot, own: Sequence[str], file: InFile) -> str | None:
    folder = foreign_folder(snapshot, own, file.key)
    if folder is None:
        return None
    return (
        f"`{shown(_file_text(snapshot, file.key))}` uses it, in the repository {shown(folder.repository)} at version "
        f"{shown(folder.version)}, which is not this workspace's own."
    )


def _file_text(snapshot: Snapshot, path: str) -> str:
    """The file as a sentence names it: relative to its folder."""
    folder = snapshot.folder_of(path)
    return relpath(path, folder.path) if folder is not None else path


def _all_before_colon(file: InFile) -> bool:
    return all(COLON.match(file.symbols.source.text, one.span.end) for one in file.places)


def _edits(file: InFile, symbol: Symbol, new: str) -> Iterator[TextEdit]:
    note = _note(symbol, new)
    unread = Note(
        f"Rename `{symbol.name}` in code that is not read",
        "Declarations alone are read. The same word stands here in other code, where it may mean something else.",
        asks=True,
    )
    for one in file.places:
        if one.role is NameRole.BINDING:
            yield _bound_as(file, one, new)
        else:
            yield TextEdit(one.span, new, unread if one.access is Access.UNREAD else note)


def _note(symbol: Symbol, new: str) -> Note | None:
    """What to know of the rename of what other programs know by its name."""
    if symbol.kind is SymbolKind.MODULE:
        return None
    if symbol.kind is SymbolKind.TOOL:
        text = "An implementation serves this Tool under its old name until it is changed and started again."
    else:
        text = (
            "Names are a part of signatures: where this one belongs to a Tool's, its implementation drifts until it "
            "is changed to the new name."
        )
    return Note(f"Rename the {symbol.kind} `{symbol.name}` to `{new}`", text)


def _bound_as(file: InFile, one: Occurrence, new: str) -> TextEdit:
    """An import binds the last word of its path unless `as` says another: it is added, changed, or taken away again."""
    source = file.symbols.source
    syntax, start = source.items[one.index].syntax, source.starts[one.index]
    assert isinstance(syntax, ImportSyntax)
    path = syntax.path_span.shifted(start)
    if one.span.end <= path.end:
        return TextEdit(Span(path.end, path.end), f" as {new}")
    if new == syntax.segments[-1] and source.text[path.end : one.span.start] == " as ":
        return TextEdit(Span(path.end, one.span.end), "")
    return TextEdit(one.span, new)
