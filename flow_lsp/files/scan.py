"""Finding the `.flow` files and `flow.toml` files below a folder.

What is no one's own source is passed by: names that begin with a dot (also files: editors leave lock files of
such names), `node_modules`, `__pycache__`, and Python environments. A link to a directory is followed, after
everything that is there without links. No directory is entered twice, nor one that the folder itself is in: a
loop of links ends at once.
"""

from __future__ import annotations

import os
import stat
from collections import deque
from collections.abc import Generator
from dataclasses import dataclass, field
from typing import NamedTuple

from flow_lsp.files.paths import MANIFEST_NAME, SOURCE_SUFFIX, is_unicode, resolved
from flow_lsp.findings.model import shown
from flow_lsp.text.paths import ancestors, inside, joined, parent

PASSED_BY = frozenset({"node_modules", "__pycache__"})
_ENVIRONMENT_MARK = "pyvenv.cfg"
_SLICE = 2_000  # entries; some milliseconds


@dataclass(frozen=True, slots=True)
class ScanLimits:
    """How much is looked at in one folder: files found, and entries of any kind."""

    files: int = 50_000
    entries: int = 1_000_000


class FoundFile(NamedTuple):
    """A file by its path under the folder as given, and by what it is known by (`paths.real`)."""

    path: str
    real: str


@dataclass(frozen=True, slots=True)
class ScanProblem:
    """Something that was not looked at, and why. `sentence` says it to the user."""

    path: str
    sentence: str


@dataclass(slots=True)
class Scan:
    """What a folder holds, each list ascending by path.

    `directories` maps the paths of those that were looked into to their real paths; `roots` are the real
    paths that the scan did not reach from the directory above: the folder's own, and what links led to.
    """

    folder: str
    sources: list[FoundFile] = field(default_factory=list)
    manifests: list[FoundFile] = field(default_factory=list)
    problems: list[ScanProblem] = field(default_factory=list)
    directories: dict[str, str] = field(default_factory=dict)
    roots: list[str] = field(default_factory=list)


Visited = set[tuple[int, int]]


def is_passed_by(path: str, folder: str) -> bool:
    """Whether a scan of `folder` would not come to the file or directory `path` below it."""
    names = path[len(folder) :].strip("/").split("/")
    if any(name.startswith(".") or name in PASSED_BY for name in names):
        return True
    for directory in ancestors(parent(path)):
        if directory == folder or not inside(directory, folder):
            return False
        if os.path.lexists(joined(directory, _ENVIRONMENT_MARK)):
            return True
    return False


def scan(folder: str, limits: ScanLimits | None = None, visited: Visited | None = None) -> Scan:
    """What is below `folder`, an absolute path.

    Directories in `visited` are left out, and it is added to: with one set for several folders, nested ones
    count once.
    """
    steps = scan_steps(folder, limits, visited)
    while True:
        try:
            next(steps)
        except StopIteration as done:
            found: Scan = done.value
            return found


def scan_steps(
    folder: str, limits: ScanLimits | None = None, visited: Visited | None = None
) -> Generator[int, None, Scan]:
    """`scan` in slices of some milliseconds: yields the number of entries seen so far, returns the result."""
    walk = _Walk(folder, limits or ScanLimits(), set() if visited is None else visited)
    yield from walk.run()
    return walk.finished()


def _leads_to_directory(link: os.DirEntry[str]) -> bool:
    try:
        return link.is_dir()
    except OSError:  # a loop of links
        return False


class _Walk:
    """One scan under way. `pending` holds directories as (path, real path), `links` paths of links."""

    def __init__(self, folder: str, limits: ScanLimits, visited: Visited) -> None:
        self.found = Scan(folder)
        self.real = resolved(folder)
        self.limits = limits
        self.visited = visited
        self.pending: deque[tuple[str, str]] = deque()
        self.links: deque[str] = deque([folder])
        self.entries = 0
        self.full = False

    def run(self) -> Generator[int, None, None]:
        while (self.pending or self.links) and not self.full:
            if self.pending:
                path, real = self.pending.pop()
                if self._enter(path):
                    yield from self._look_into(path, real)
            else:
                path = self.links.popleft()
                real = resolved(path)
                if path != self.found.folder and inside(self.real, real):
                    continue  # a link upward would bring in everything around the folder
                if not self._enter(path):
                    continue
                self.found.roots.append(real)
                yield from self._look_into(path, real)

    def finished(self) -> Scan:
        found = self.found
        found.sources.sort()
        found.manifests.sort()
        found.problems.sort(key=lambda problem: problem.path)
        return found

    def _enter(self, path: str) -> bool:
        try:
            status = os.stat(path)
        except (OSError, ValueError) as error:
            self._failed(path, error)
            return False
        if not stat.S_ISDIR(status.st_mode):
            if path == self.found.folder:
                self._problem(path, "This is no directory, so there is nothing to look for in it.")
            return False
        place = (status.st_dev, status.st_ino)
        if place in self.visited:
            return False
        self.visited.add(place)
        return True

    def _look_into(self, path: str, real: str) -> Generator[int, None, None]:
        """The entries of one directory. Real paths are joined, not resolved, where no link is in between."""
        directories: list[str] = []
        links: list[str] = []
        names: list[tuple[str, bool]] = []
        try:
            with os.scandir(path) as entries:
                for entry in entries:
                    self.entries += 1
                    if self.entries % _SLICE == 0:
                        yield self.entries
                    if self.entries > self.limits.entries:
                        self._stop(f"{self.limits.entries:,} entries")
                        return
                    name = entry.name
                    if name.startswith(".") or name in PASSED_BY:
                        continue
                    if name == MANIFEST_NAME:  # whatever it is: it is the boundary
                        names.append((name, False))
                    elif entry.is_dir(follow_symlinks=False):
                        directories.append(name)
                    elif entry.is_symlink() and _leads_to_directory(entry):
                        links.append(name)
                    elif name.endswith(SOURCE_SUFFIX):
                        names.append((name, entry.is_symlink()))
                    elif name == _ENVIRONMENT_MARK and path != self.found.folder:
                        return
        except OSError as error:
            self._failed(path, error)
            return
        self.found.directories[path] = real
        self.pending.extend((joined(path, name), joined(real, name)) for name in directories)
        self.links.extend(joined(path, name) for name in sorted(links))
        for name, is_link in names:
            self._add(path, real, name, is_link)

    def _add(self, path: str, real: str, name: str, is_link: bool) -> None:
        spelt = joined(path, name)
        if not is_unicode(spelt):
            self._problem(spelt, "The name of this file is not UTF-8, so it is not looked at. Rename it.")
            return
        found = self.found
        if len(found.sources) + len(found.manifests) >= self.limits.files:
            self._stop(f"{self.limits.files:,} files")
        elif name == MANIFEST_NAME:
            found.manifests.append(FoundFile(spelt, joined(real, name)))
        else:
            found.sources.append(FoundFile(spelt, resolved(spelt) if is_link else joined(real, name)))

    def _stop(self, what: str) -> None:
        if not self.full:
            self.full = True
            self._problem(
                self.found.folder,
                f"More than {what} are below this folder, and the rest was not looked at. Open a smaller folder.",
            )

    def _failed(self, path: str, error: Exception) -> None:
        if path != self.found.folder and isinstance(error, FileNotFoundError):
            return  # it went away meanwhile
        if isinstance(error, FileNotFoundError | ValueError):
            self._problem(path, "This folder does not exist.")
            return
        reason = getattr(error, "strerror", None) or type(error).__name__
        self._problem(path, f"This directory cannot be looked into: {shown(reason)}.")

    def _problem(self, path: str, sentence: str) -> None:
        self.found.problems.append(ScanProblem(path, sentence))
