"""The files of a workspace: what stands on the disk, with the unsaved text of open documents over it.

Every file goes by what it is known by (`paths.real`), which this module calls its key; `spelling` gives back
the path that the client uses for it. Open documents win over the disk, count when their file is gone or never
was, and count outside every folder. Nothing is watched here: `refresh` is told what may have changed.
"""

from __future__ import annotations

import os
from collections.abc import Generator, Iterable

from flow_lsp.files.paths import MANIFEST_NAME, is_manifest, is_source, is_unicode, real, resolved
from flow_lsp.files.reading import ReadProblem, TextRead, excess, file_stamp, read_text
from flow_lsp.files.scan import Scan, ScanLimits, ScanProblem, Visited, is_passed_by, scan, scan_steps
from flow_lsp.text.paths import ancestors, inside, joined, parent

NOTHING: frozenset[str] = frozenset()
FEW = 4  # directories, of which each is looked for in all that is known


class WorkspaceFiles:
    """The sources and manifests of some folders. One owner; not for several threads at once."""

    def __init__(self, folders: Iterable[str] = (), limits: ScanLimits | None = None) -> None:
        """`folders` are absolute paths as the client spells them. Nothing is looked at before `scan`."""
        self._limits = limits or ScanLimits()
        self._folders: tuple[str, ...] = ()
        self._listed: dict[str, str] = {}  # key -> path as found, on the disk
        # key -> the client's path -> text; the last set counts
        self._open: dict[str, dict[str, str | ReadProblem]] = {}
        self._open_names: set[str] = set()
        self._document_keys: dict[str, str] = {}  # the client's path -> key; it stays when links change
        self._read: dict[str, TextRead | ReadProblem] = {}
        self._exists: dict[str, bool] = {}
        self._directories: set[str] = set()  # looked into by a scan, by their paths and real paths
        self._looked: set[str] = set()  # real directories where, and above which, manifests are known
        self._problems: list[ScanProblem] = []
        self._told_meanwhile: list[str] | None = None
        self._sorted: tuple[list[str], list[str]] | None = None
        self.set_folders(folders)

    # ---- folders and listing

    @property
    def folders(self) -> tuple[str, ...]:
        """The folders as the client spells them, without a slash at the end."""
        return self._folders

    def set_folders(self, folders: Iterable[str]) -> None:
        """Replaces the folders. What they hold is known after the next `scan`."""
        self._folders = tuple(dict.fromkeys(folder.rstrip("/") or "/" for folder in folders))

    def scan(self) -> None:
        """Looks for all sources and manifests again, and drops texts whose files changed."""
        for _ in self.scan_steps():
            pass

    def scan_steps(self) -> Generator[int, None, None]:
        """`scan` in slices of some milliseconds; yields how many entries or files were looked at.

        What is known changes at the very end; what `refresh` is told in between is looked at again then.
        """
        told: list[str] = []
        self._told_meanwhile = told
        visited: Visited = set()
        scans = []
        for folder in self._folders:
            scans.append((yield from scan_steps(folder, self._limits, visited)))
        fresh = {}
        for count, (key, known) in enumerate(list(self._read.items())):
            if count % 1_000 == 999:
                yield count
            if _is_fresh(key, known):
                fresh[key] = known
        self._adopt(scans)
        self._read = fresh
        self._told_meanwhile = None
        self.refresh_all(told)

    def sources(self) -> list[str]:
        """The keys of all `.flow` files, ascending by code point. Do not change the list."""
        return self._listing()[0]

    def manifests(self) -> list[str]:
        """The keys of all flow.toml, ascending: in the folders, and above every source up to the root."""
        return self._listing()[1]

    def problems(self) -> list[ScanProblem]:
        """What the last scan did not look at, and why."""
        return self._problems

    def directories(self) -> list[str]:
        """The paths of all directories that a scan looked into."""
        return list(self._directories)

    def places(self) -> list[str]:
        """The paths, as found, of all files that are known of the disk."""
        return list(self._listed.values())

    def manifest_places(self) -> list[str]:
        """Where a manifest that counts stands, or may come to be."""
        return [joined(directory, MANIFEST_NAME) for directory in self._looked]

    # ---- one file

    def real(self, path: str) -> str:
        """The key of the file at an absolute path, however it is spelt."""
        return real(path)

    def spelling(self, key: str) -> str:
        """The path that the client uses for a key: its open document's, else as found below a folder."""
        documents = self._open.get(key)
        if documents:
            return next(iter(documents))
        return self._listed.get(key, key)

    def is_open(self, key: str) -> bool:
        """Whether a document is open for the key."""
        return key in self._open

    def text(self, path: str) -> str | ReadProblem:
        """The unsaved text of the open document, else the file's, kept until `refresh` or `scan`; or why there is none
        that is read."""
        key = path if path in self._open or path in self._listed or path in self._read else real(path)
        documents = self._open.get(key)
        if documents:
            return next(reversed(documents.values()))
        found = self._read.get(key)
        if found is None:
            found = self._read[key] = read_text(key)
        return found.text if isinstance(found, TextRead) else found

    def exists(self, path: str) -> bool:
        """Whether a file stands at the absolute path, on the disk or in an editor. Kept until `refresh`."""
        if path in self._open:
            return True
        known = self._exists.get(path)
        if known is None:
            known = self._exists[path] = _is_file(path)
        return known or (path.rpartition("/")[2] in self._open_names and real(path) in self._open)

    def set_overlay(self, path: str, text: str) -> str:
        """Lays the text of an open document over the file at the client's `path`; returns the key."""
        key = self._document_keys.get(path)
        if key is None:
            key = self._document_keys[path] = real(path)
        documents = self._open.get(key)
        if documents is None:
            documents = self._open[key] = {}
            self._open_names.add(key.rpartition("/")[2])
            self._sorted = None
            self._look_above(parent(key))
        if len(documents) > 1 and path in documents:
            del documents[path]  # the last one set stands last
        documents[path] = excess(text) or text
        return key

    def drop_overlay(self, path: str) -> str:
        """The document at the client's `path` was closed: the file counts again. Returns the key."""
        key = self._document_keys.pop(path, None)
        if key is None:
            return real(path)
        del self._open[key][path]
        if not self._open[key]:
            del self._open[key]
            self._open_names = {open_key.rpartition("/")[2] for open_key in self._open}
            self._sorted = None
            self.refresh(path)
        return key

    def refresh(self, path: str) -> frozenset[str]:
        """Looks at the disk again for a file or directory that may have changed, come or gone.

        Returns the keys whose text or existence is another now. A file with an open document is never among
        them: the document counts, before and after.
        """
        return self.refresh_all([path])

    def refresh_all(self, paths: Iterable[str]) -> frozenset[str]:
        """The same for many files and directories, which is much faster than for each."""
        keys = {path: real(path) for path in paths}
        if self._told_meanwhile is not None:
            self._told_meanwhile += keys
        changed: set[str] = set()
        # What stood in a directory goes first: another one may have come in its place.
        known = (pair for pair in keys.items() if any(map(self._is_directory, pair)))
        directories = {place for pair in known for place in pair}
        if directories:
            changed |= self._drop_gone(directories)
        for path, key in keys.items():
            if is_manifest(path) or (is_source(path) and not os.path.isdir(path)):
                changed |= self._refresh_file(path, key)
            elif os.path.isdir(path):
                changed |= self._refresh_directory(path)
        return frozenset(changed) if changed else NOTHING

    def forget(self, path: str) -> None:
        """Takes the file at `path` out of what is known of the disk, without looking."""
        self._unlist(real(path))

    # ---- inside

    def _listing(self) -> tuple[list[str], list[str]]:
        if self._sorted is None:
            keys = sorted(self._listed.keys() | {key for key in self._open if is_unicode(key)})
            self._sorted = (
                [key for key in keys if is_source(key)],
                [key for key in keys if is_manifest(key)],
            )
        return self._sorted

    def _adopt(self, scans: list[Scan]) -> None:
        self._exists.clear()
        self._problems = [problem for found in scans for problem in found.problems]
        self._listed = {}
        for found in scans:
            for spelt, key in (*found.sources, *found.manifests):
                self._listed.setdefault(key, spelt)
        self._directories = {path for found in scans for path in (*found.directories, *found.directories.values())}
        self._looked = {path for found in scans for path in found.directories.values()}
        for root in (root for found in scans for root in found.roots):
            self._look_above(parent(root))
        for directory in {parent(key) for key in (*self._listed, *self._open)} - self._looked:
            self._look_above(directory)
        self._sorted = None

    def _look_above(self, directory: str) -> None:
        """Finds the manifests in a real directory and above it, up to the root of the file system."""
        for above in ancestors(directory):
            if above in self._looked:
                return
            self._looked.add(above)
            manifest = joined(above, MANIFEST_NAME)
            if os.path.lexists(manifest):
                self._listed.setdefault(manifest, manifest)
                self._sorted = None

    def _refresh_file(self, path: str, key: str) -> set[str]:
        self._exists.pop(path, None)
        self._exists.pop(key, None)
        there = os.path.lexists(path)
        listed = key in self._listed
        if not there:
            self._unlist(key)
            gone = {key for key, spelt in self._listed.items() if spelt == path} if not listed else set()
            for other in gone:  # a link to a file is known by the file
                self._unlist(other)
            return (gone | {key} if listed else gone) - self._open.keys()
        if not listed:
            if not self._counts(path, key):
                self._read.pop(key, None)
                return set()
            directory = self._unknown_directory(path)
            if directory is not None:
                return self._refresh_directory(directory)
            self._listed[key] = self._spelt(path)
            self._sorted = None
            self._exists.clear()
            self._look_above(parent(key))
        before = self._read.get(key)
        if before is not None and _is_fresh(key, before):
            return set()
        if before is not None:
            self._read[key] = after = read_text(key)
            same = _content(before) == _content(after)
            return set() if listed and (same or key in self._open) else {key} - self._open.keys()
        return {key} - self._open.keys()

    def _refresh_directory(self, path: str) -> set[str]:
        key = resolved(path)
        if not self._counts(path, key):
            return set()
        if any(folder != path and inside(resolved(folder), key) for folder in self._folders):
            return set()  # a link upward would bring in everything around the folder
        found = scan(self._spelt(path), self._limits)
        changed = set()
        for spelt, key in (*found.sources, *found.manifests):
            if key not in self._listed:
                self._listed[key] = spelt
                self._read.pop(key, None)
                changed.add(key)
            else:
                changed |= self._refresh_file(spelt, key)
        self._directories.update(found.directories, found.directories.values())
        self._looked.update(found.directories.values())
        for directory in {parent(key) for key in changed} | set(map(parent, found.roots)):
            self._look_above(directory)
        self._exists.clear()
        self._sorted = None
        return changed - self._open.keys()

    def _is_directory(self, path: str) -> bool:
        """Whether a directory is known to be there."""
        return path in self._directories or path in self._looked

    def _drop_gone(self, directories: set[str]) -> set[str]:
        """What was known below these directories and is there no more."""
        gone = {
            known
            for known, spelt in self._listed.items()
            if _is_below(known, directories) or (spelt != known and _is_below(spelt, directories))
        }
        gone = {known for known in gone if not os.path.lexists(self._listed[known])}
        for known in gone:
            self._unlist(known)
        below = {known for known in self._directories | self._looked if _is_below(known, directories)}
        below = {known for known in below if not os.path.isdir(known)}
        self._directories -= below
        self._looked -= below
        for open_key in self._open:
            self._look_above(parent(open_key))
        return gone - self._open.keys()

    def _counts(self, path: str, key: str) -> bool:
        """Whether a scan would come to the new file or directory at `path`."""
        if not is_unicode(path):
            return False
        name = path.rpartition("/")[2]
        if name == MANIFEST_NAME and parent(key) in self._looked:
            return True
        if parent(path) in self._directories or parent(key) in self._directories:
            return not is_passed_by(path, parent(path))
        return any(
            inside(found, root) and not is_passed_by(found, root)
            for folder in self._folders
            for found, root in {(path, folder), (key, resolved(folder))}
        )

    def _unknown_directory(self, path: str) -> str | None:
        """The outermost directory that holds the file at `path` and that no scan came to yet."""
        if parent(real(path)) in self._looked:
            return None
        outermost = None
        for directory in ancestors(parent(path)):
            if directory in self._directories:
                break
            outermost = directory
            if directory in self._folders or resolved(directory) in map(resolved, self._folders):
                break
        return outermost

    def _spelt(self, path: str) -> str:
        """`path` below the folder as the client spells it, where it was told by the folder's real path."""
        for folder in self._folders:
            root = resolved(folder)
            if root != folder and inside(path, root):
                return folder + path[len(root) :]
        return path

    def _unlist(self, key: str) -> None:
        self._read.pop(key, None)
        if self._listed.pop(key, None) is not None:
            self._sorted = None
            self._exists.clear()


def _is_below(path: str, directories: set[str]) -> bool:
    """Whether `path` is one of the directories, or in one at any depth."""
    if len(directories) <= FEW:
        return any(inside(path, directory) for directory in directories)
    return not directories.isdisjoint(ancestors(path))


def _is_file(path: str) -> bool:
    return os.path.isfile(path) and is_unicode(path)


def _is_fresh(key: str, known: TextRead | ReadProblem) -> bool:
    """Whether what was read is certainly what stands there still."""
    if known.stamp is None:
        return False
    now = file_stamp(key)
    return now is not None and known.stamp.shows_unchanged(now)


def _content(known: TextRead | ReadProblem) -> str | ReadProblem:
    return known.text if isinstance(known, TextRead) else ReadProblem(known.kind, known.sentence)
