"""How a file calls a type of another one, and the edits that import it, where and as the file's style has it."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import pairwise
from posixpath import dirname, relpath
from weakref import WeakKeyDictionary

from flow_lsp.analysis.edits import TextEdit
from flow_lsp.analysis.program import SnapshotProgram
from flow_lsp.analysis.snapshot import Folder, Snapshot
from flow_lsp.source.declarations import CheckedFile
from flow_lsp.source.homes import SUFFIX
from flow_lsp.source.model import ImportSyntax, ItemKind, NameSyntax, SourceFile
from flow_lsp.source.reader import read_source
from flow_lsp.source.scope import FoundImport
from flow_lsp.source.standard import MODULES, NAME
from flow_lsp.source.targets import BUILT_IN
from flow_lsp.source.tokens import KEYWORDS, block_end, read_name
from flow_lsp.text.spans import Span

_STANDARD = f"{NAME}/"


@dataclass(slots=True)
class _New:
    """An import line that is to be added."""

    path: str
    names: list[str] = field(default_factory=list)
    alias: str = ""
    binding: str = ""

    @property
    def text(self) -> str:
        if self.names:
            return f"import {self.path}.{{{', '.join(self.names)}}}"
        return f"import {self.path} as {self.alias}" if self.alias else f"import {self.path}"


class ImportPlan:
    """What one file, `checked`, is to call types of others, and what it must import for it.

    Each `spell` may add to the plan; `edits` are those of all together. `hidden` are names that mean something else
    where they would stand, such as type parameters.
    """

    def __init__(self, snapshot: Snapshot, checked: CheckedFile, *, modules: bool = False) -> None:
        """`modules`: what is added is the file and not its names, whatever the file's style is."""
        self._snapshot = snapshot
        self._only_modules = modules
        self._checked = checked
        self._added: dict[int, list[str]] = {}  # names for the braces of the import, by its item
        self._new: dict[str, _New] = {}  # by the path imported
        self._bare: dict[tuple[str, str], str] = {}
        self._modules: dict[str, str] = {}  # what binds a file, by its path

    @property
    def source(self) -> SourceFile:
        """The file that imports."""
        return self._checked.source

    def spell(self, path: str, name: str, hidden: Collection[str] = ()) -> str | None:
        """How the file names the type `name` of the file at `path`; None where it cannot."""
        scope = self._checked.file.scope
        if path == self._checked.path:
            return None if name in hidden else name
        known = self._bare.get((path, name))
        if known is None and name not in scope.own:
            target = scope.imported.get(name)
            known = name if target is not None and (target.path, target.name) == (path, name) else None
        if known is not None and known not in hidden:
            return known
        module = self._module_of(path)
        if module is not None:
            return f"{module}.{name}"
        free = name not in hidden and not self._is_taken(name) and not self._only_modules
        listing = self._listing_of(path)
        if free and listing is not None:
            self._added.setdefault(listing.index, []).append(name)
            self._bare[path, name] = name
            return name
        return self._by_new_import(path, name, free)

    def spell_standard(self, module: str, name: str) -> str:
        """How the file names the type `name` of std's `module`."""
        path = f"{NAME}/{module}"
        for found in self._checked.file.imports:
            if found.syntax.path == path and found.syntax.names is None and found.syntax.binding is not None:
                return f"{found.syntax.binding.name}.{name}"
            if found.syntax.path == path and name in {bound.name for bound in found.syntax.bound}:
                return name
        if path not in self._new:
            binding = self._free_module(module)
            self._new[path] = _New(path, alias=binding if binding != module else "", binding=binding)
        return f"{self._new[path].binding}.{name}"

    def serves_all(self, path: str) -> bool:
        """Whether any other type of the file at `path` would be called by the module that the plan imports by now."""
        return path in self._modules and self._prefers_modules and self._listing_of(path) is None

    @property
    def edits(self) -> tuple[TextEdit, ...]:
        """The edits of the file that make every name spelt so far mean what it is to."""
        found = [self._in_braces(index, names) for index, names in self._added.items()]
        if self._new:
            found += self._lines()
        return tuple(found)

    @property
    def summary(self) -> str:
        """The imports that are added or grow, in a few words; empty where nothing is added."""
        grown = [found.syntax.path for found in self._imports if found.index in self._added]
        return ", ".join(f"import {path}" for path in (*grown, *(new.path for new in self._new.values())))

    # -- what is there ------------------------------------------------------------------------------------------

    @property
    def _imports(self) -> tuple[FoundImport, ...]:
        return self._checked.file.imports

    def _module_of(self, path: str) -> str | None:
        if path in self._modules:
            return self._modules[path]
        seen: set[str] = set()
        for found in self._imports:
            binding = found.syntax.binding
            if found.syntax.names is None and binding is not None:
                if found.path == path and binding.name not in seen:
                    return binding.name
                seen.add(binding.name)
        return None

    def _listing_of(self, path: str) -> FoundImport | None:
        for found in self._imports:
            if found.path == path and found.syntax.names is not None:
                return found
        return None

    def _is_taken(self, name: str) -> bool:
        scope = self._checked.file.scope
        taken = name in scope.own or name in scope.imported or name in scope.doubtful or name in BUILT_IN
        return taken or name == "Result" or name in self._bare.values() or name in KEYWORDS

    def _free_module(self, wanted: str) -> str:
        scope = self._checked.file.scope
        taken = {*scope.modules, *scope.doubtful, *KEYWORDS, *(new.binding for new in self._new.values())}
        name, number = wanted, 1
        while name in taken:
            number += 1
            name = f"{wanted}{number}"
        return name

    @property
    def _prefers_modules(self) -> bool:
        return self._only_modules or _style_of(self.source).prefers_modules

    # -- what is added ------------------------------------------------------------------------------------------

    def _by_new_import(self, path: str, name: str, free: bool) -> str | None:
        written = self._path_text(path)
        if written is None:
            return None
        if free and not self._prefers_modules:
            new = self._new.setdefault(f"{path}\n", _New(written))
            new.names.append(name)
            self._bare[path, name] = name
            return name
        last = written.rpartition("/")[2]
        plain = last if read_name(last) == last and last not in KEYWORDS else ""
        wanted = plain or re.sub(r"\W", "_", last).lstrip("0123456789") or "module"
        if not wanted.isidentifier() or wanted in KEYWORDS:
            wanted = f"{wanted}_" if f"{wanted}_".isidentifier() else "module"
        binding = self._free_module(wanted)
        self._new[path] = _New(written, alias="" if binding == plain else binding, binding=binding)
        self._modules[path] = binding
        return f"{binding}.{name}"

    def _path_text(self, path: str) -> str | None:
        """How an import names the file at `path`; None where none can, or where it would mean another."""
        return import_path(self._snapshot, self._checked.path, path)

    def _in_braces(self, index: int, names: list[str]) -> TextEdit:
        item, start = self.source.items[index], self.source.starts[index]
        syntax = item.syntax
        assert isinstance(syntax, ImportSyntax)
        assert syntax.names is not None
        text = self.source.text
        if not syntax.names:
            brace = text.find("{", syntax.path_span.end + start) + 1
            return TextEdit(Span(brace, brace), ", ".join(names))
        place = syntax.names[-1].span.end + start
        joint = _joint(text, syntax.names, start)
        if len(names) == 1 and len(syntax.names) > 1 and _ordered([one.name for one in syntax.names]):
            after = next((one for one in syntax.names if one.name > names[0]), None)
            if after is not None:
                place = after.span.start + start
                return TextEdit(Span(place, place), names[0] + joint)
        return TextEdit(Span(place, place), "".join(joint + name for name in names))

    def _lines(self) -> list[TextEdit]:
        text, style = self.source.text, _style_of(self.source)
        end, places = style.line_end, style.places
        lines = [new.text for new in self._new.values()]
        if not places:
            place = head_end(text)
            inserted = "".join(line + end for line in lines)
            rest = text[place:]
            before = end if place and not text[:place].endswith("\n") and text[:place] != "\ufeff" else ""
            return [TextEdit(Span(place, place), before + inserted + (end if rest.strip() else ""))]
        found: dict[int, list[str]] = {}
        for line, new in zip(lines, self._new.values(), strict=True):
            first = next((n for n, (_, path) in enumerate(places) if path > new.path), None) if style.ordered else None
            if first == 0:
                found.setdefault(places[0][0].start, []).append(line + end)
            else:
                extent = places[-1 if first is None else first - 1][0]
                place = text.find("\n", extent.end)
                place = len(text) if place < 0 else place - (text[place - 1] == "\r")
                found.setdefault(place, []).append(end + line)
        return [TextEdit(Span(place, place), "".join(texts)) for place, texts in found.items()]


@dataclass(frozen=True, slots=True)
class _Style:
    """How a file imports. `places` is where its imports stand, with their paths; `ordered`: there are several, by their
    paths; `prefers_modules`: more often files than names of them."""

    line_end: str
    places: tuple[tuple[Span, str], ...]
    ordered: bool
    prefers_modules: bool


_STYLES: WeakKeyDictionary[SourceFile, _Style] = WeakKeyDictionary()


def _style_of(source: SourceFile) -> _Style:
    """The style of `source`, worked out once: each completion asks for it often."""
    known = _STYLES.get(source)
    if known is None:
        imports = [
            (item.extent.shifted(start), item.syntax if isinstance(item.syntax, ImportSyntax) else None)
            for item, start in zip(source.items, source.starts, strict=False)
            if item.kind is ItemKind.IMPORT
        ]
        places = tuple((place, syntax.path if syntax is not None else "") for place, syntax in imports)
        ours = [syntax for _, syntax in imports if syntax is not None and not syntax.path.startswith(_STANDARD)]
        known = _STYLES[source] = _Style(
            line_end_of(source.text),
            places,
            len(places) > 1 and _ordered([path for _, path in places]),
            sum(syntax.names is None for syntax in ours) * 2 > len(ours),
        )
    return known


def import_path(snapshot: Snapshot, importing: str, path: str) -> str | None:
    """How an import in the file `importing` names the file at `path`: a relative path, or one in its repository.

    None where no path that can be written leads there.
    """
    return _import_path(snapshot.folders, importing, path)


@lru_cache(maxsize=4_096)  # it rests on the folders alone, and each completion asks for the same few
def _import_path(folders: tuple[Folder, ...], importing: str, path: str) -> str | None:
    snapshot = Snapshot(folders=folders)
    program = SnapshotProgram(snapshot)
    if not path.endswith(SUFFIX) or path == importing:
        return None
    folder = snapshot.folder_of(path)
    here = snapshot.folder_of(importing)
    tries = []
    if folder is None or folder.repository is None or (here is not None and here.path == folder.path):
        near = relpath(path, dirname(importing) or "/")
        tries.append(near if near.startswith("../") else f"./{near}")
    if folder is not None and folder.repository is not None:
        tries.append(f"{folder.repository}/{relpath(path, folder.path)}")
    for one in tries:
        written = one.removesuffix(SUFFIX)
        syntax = read_import_path(written)
        if syntax is not None and program.import_target(importing, syntax).path == path:
            return written
    return None


@lru_cache(maxsize=4_096)  # the same few paths are tried at each completion
def read_import_path(path: str) -> ImportSyntax | None:
    """An import of the file that `path` names, as a path in a file; None where it is no such path."""
    source = read_source(f"import {path} as it")
    syntax = source.items[0].syntax if source.items else None
    if isinstance(syntax, ImportSyntax) and syntax.path == path and not source.findings:
        return syntax
    return None


def std_modules() -> Mapping[str, Collection[str]]:
    """The modules of std by their import paths, and the types of each."""
    return {f"{NAME}/{module}": tuple(types) for module, types in MODULES.items()}


def line_end_of(text: str) -> str:
    """The line end that `text` uses."""
    return "\r\n" if "\r\n" in text else "\n"


def head_end(text: str) -> int:
    """Where the first import of a file without any belongs: behind a comment that heads the file, and what is blank
    after it."""
    lead = 1 if text.startswith("\ufeff") else 0
    place = lead
    if text.startswith("/*", place):
        closed = block_end(text, place, len(text))
        if closed < 0:
            return lead
        place = text.find("\n", closed) + 1 or len(text)
    else:
        while text.startswith("//", place) and not (
            text.startswith("///", place) and text[place + 3 : place + 4] != "/"
        ):
            place = text.find("\n", place) + 1 or len(text)
    if place == lead or place == len(text):
        return place
    blank = re.compile(r"(?:[^\S\n]*\n)+").match(text, place)
    return blank.end() if blank is not None else lead


def _ordered(texts: list[str]) -> bool:
    return all(one <= other for one, other in pairwise(texts))


def _joint(text: str, names: tuple[NameSyntax, ...], start: int) -> str:
    """What stands between two of the names in an import's braces."""
    if len(names) > 1:
        between = text[names[-2].span.end + start : names[-1].span.start + start]
        if "/" not in between:
            return between
    line = text.rfind("\n", 0, names[0].span.start + start)
    own_line = text[line + 1 : names[0].span.start + start]
    return f",{line_end_of(text)}{own_line}" if not own_line.strip() and line > 0 else ", "
