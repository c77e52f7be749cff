"""The files of a program as one check looks at them, and the memory that makes the next check quick.

A `Look` asks the workspace for files and notes everything it looked at. What it works out about a file is
kept in a `Memory` and used again, by later checks and for other files, for as long as all it rests on is
the same.
"""

from __future__ import annotations

from posixpath import dirname, relpath
from typing import Protocol

from flow_lsp.findings.model import shown
from flow_lsp.source.homes import FileHome, ImportTarget
from flow_lsp.source.model import ImportSyntax, Item, ItemKind, SourceFile
from flow_lsp.source.resolution import Resolved
from flow_lsp.source.resolved_file import ResolvedFile, changed_inside, resolved_file
from flow_lsp.source.scope import FoundImport, Offers, doubtful_names, offers_of, read_scope
from flow_lsp.source.standard import MODULES, NAME, RESULT, RESULT_FACTS, RESULT_ID
from flow_lsp.text.spans import Span


class Workspace(Protocol):
    """What a check asks for. Paths are absolute, real, and written with `/`; answers do not change during
    a check."""

    def source(self, path: str) -> SourceFile | None:
        """The file at `path` as read, or None where there is none, or none that can be read."""
        ...

    def home(self, path: str) -> FileHome:
        """Where the declarations of the file at `path` belong."""
        ...

    def import_target(self, importing: str, item: ImportSyntax) -> ImportTarget:
        """Where an import in the file `importing` leads (see `homes.import_target`). Never asked about
        std."""
        ...


RESULT_RESOLVED = Resolved(
    Item(ItemKind.OTHER, 0, Span(0, 0), "Result"),
    1,
    RESULT_ID,
    {},
    (),
    RESULT,
    facts=RESULT_FACTS,
    members=(Span(0, 0),) * 2,
)


class Memory:
    """What earlier checks worked out, by path. One for a whole workspace; it changes no answer."""

    def __init__(self) -> None:
        self.offers: dict[str, tuple[SourceFile, Offers]] = {}
        self.files: dict[str, ResolvedFile] = {}

    def forget(self, path: str) -> None:
        """Lets go of a file that is no more."""
        self.offers.pop(path, None)
        self.files.pop(path, None)


class Look:
    """One check's view of the workspace, and the record of what it looked at."""

    def __init__(self, workspace: Workspace, memory: Memory) -> None:
        self._workspace = workspace
        self._memory = memory
        self.sources: dict[str, SourceFile | None] = {}
        self.homes: dict[str, FileHome] = {}
        self.targets: dict[tuple[str, str], tuple[ImportSyntax, ImportTarget]] = {}
        self._offers: dict[str, Offers | None] = {}
        self._files: dict[str, ResolvedFile | None] = {}

    def source(self, path: str) -> SourceFile | None:
        """The file at `path`."""
        if path not in self.sources:
            self.sources[path] = self._workspace.source(path)
        return self.sources[path]

    def home(self, path: str) -> FileHome:
        """Where the file at `path` belongs."""
        if path not in self.homes:
            self.homes[path] = self._workspace.home(path)
        return self.homes[path]

    def offers(self, path: str) -> Offers | None:
        """The types that the file at `path` declares; None where there is no file."""
        if path in self._offers:
            return self._offers[path]
        source = self.source(path)
        offers: Offers | None = None
        if source is not None:
            known = self._memory.offers.get(path)
            if known is not None and (known[0] is source or changed_inside(known[0], source) is not None):
                offers = known[1]
                source.declares_as(known[0])
                self._memory.offers[path] = (source, offers)
            else:
                offers = offers_of(path, source)
                if known is not None and known[1] == offers:
                    offers = known[1]
                self._memory.offers[path] = (source, offers)
        self._offers[path] = offers
        return offers

    def resolved(self, local_id: str) -> Resolved | None:
        """The declaration of that local id; None where it does not parse or rests on what is not known."""
        if local_id == RESULT_ID:
            return RESULT_RESOLVED
        file = self.file(local_id.rpartition(":")[0])
        return None if file is None else file.types.get(local_id)

    def file(self, path: str) -> ResolvedFile | None:
        """The file at `path` with its names resolved; None where there is no file."""
        if path not in self._files:
            source = self.source(path)
            self._files[path] = None if source is None else self._resolve(path, source)
        return self._files[path]

    def _resolve(self, path: str, source: SourceFile) -> ResolvedFile:
        known = self._memory.files.get(path)
        home = self.home(path)
        own = self.offers(path)
        assert own is not None
        if known is not None and changed_inside(known.source, source) is not None:
            found = [(one.index, one.syntax) for one in known.imports]
            doubtful = known.scope.doubtful
        else:
            found = [
                (index, item.syntax) for index, item in enumerate(source.items) if isinstance(item.syntax, ImportSyntax)
            ]
            doubtful = doubtful_names(source)
        imports = tuple(self._import(path, index, syntax) for index, syntax in found)
        scope = read_scope(own, imports, doubtful)
        if known is not None and known.scope == scope:
            scope = known.scope
        if known is not None and known.home != home:
            known = None
        if known is not None and known.source is source and known.scope is scope and known.imports == imports:
            return known
        file = resolved_file(path, source, home, imports, scope, known)
        self._memory.files[path] = file
        return file

    def _import(self, path: str, index: int, syntax: ImportSyntax) -> FoundImport:
        if syntax.above is None and syntax.segments[0] == NAME:
            # std has more than types: a module that is not known here is not said to be missing.
            return FoundImport(index, syntax, None, MODULES.get("/".join(syntax.segments[1:])))
        key = (path, syntax.path)
        if key not in self.targets:
            self.targets[key] = (syntax, self._workspace.import_target(path, syntax))
        target = self.targets[key][1]
        if target.path is None:
            return FoundImport(index, syntax, None, None, self._better(path, syntax, target.problem_text))
        offers = self.offers(target.path)
        if offers is None:
            place = shown(_beside(path, target.path))
            text = f"There is no file `{place}` that can be read. Create it, or correct the path of this import."
            return FoundImport(index, syntax, target.path, None, text)
        return FoundImport(index, syntax, target.path, offers)

    def _better(self, path: str, syntax: ImportSyntax, problem_text: str | None) -> str | None:
        """The sentence about an unknown repository, or a better one where the file stands beside this one."""
        if syntax.above is None and problem_text is not None and path.startswith("/"):
            beside = f"{dirname(path).rstrip('/')}/{'/'.join(syntax.segments)}.flow"
            if self.source(beside) is not None:
                wanted = shown(syntax.path)
                return f"`{wanted}` is in no configured repository. Did you mean `./{wanted}`, beside this file?"
        return problem_text

    def unchanged(self, workspace: Workspace) -> bool:
        """Whether `workspace` still answers all that was asked as it did."""
        return (
            all(workspace.source(path) is source for path, source in self.sources.items())
            and all(workspace.home(path) == home for path, home in self.homes.items())
            and all(
                workspace.import_target(path, syntax) == target for (path, _), (syntax, target) in self.targets.items()
            )
        )


def _beside(path: str, target: str) -> str:
    """`target` as one sees it from the file at `path`."""
    return relpath(target, dirname(path)) if path.startswith("/") and target.startswith("/") else target
