"""What changed on the disk since the last look: for editors that watch nothing, and for `flow-lsp check --watch`.

The same files count as for a scan. Known files go by their stamps, and only directories whose time changed are listed
again, so that a look costs one question to the system for each file and directory.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Generator, Iterable
from dataclasses import dataclass, field

from flow_lsp.files.paths import is_manifest, is_source, with_slashes
from flow_lsp.files.scan import is_passed_by
from flow_lsp.files.workspace import WorkspaceFiles
from flow_lsp.text.paths import joined

SLICE = 500  # questions to the system before a slice ends
_UNSETTLED_NS = 100_000_000  # a change in the same tick of the file system's clock shows no other time

_Stamp = tuple[int, int, int] | None


@dataclass(slots=True)
class _Seen:
    """What a look found: stamps by path; of directories, what of ours and which directories stand in them."""

    files: dict[str, _Stamp] = field(default_factory=dict)
    directories: dict[str, _Stamp] = field(default_factory=dict)
    entries: dict[str, frozenset[str]] = field(default_factory=dict)


class DiskLooks:
    """Looks at the disk again and again. `named` says which other files of the folders count, by their paths; `also`
    gives paths of single files that count now."""

    def __init__(
        self,
        files: WorkspaceFiles,
        named: Callable[[str], bool] = lambda _: False,
        also: Callable[[], Iterable[str]] = tuple,
    ) -> None:
        self._files = files
        self._named = named
        self._also = also
        self._seen: _Seen | None = None

    def look(self) -> set[str]:
        """The paths of files and directories that came, changed or went since the last look.

        The first look gives all sources and manifests, for they may have changed since they were read, and the
        directories that no scan came to yet.
        """
        steps = self.look_steps()
        while True:
            try:
                next(steps)
            except StopIteration as stopped:
                found: set[str] = stopped.value
                return found

    def look_steps(self) -> Generator[int, None, set[str]]:
        """`look` in slices of some milliseconds; yields how many things were looked at."""
        before, seen = self._seen, _Seen()
        count = 0
        for directory in self._files.directories():
            stamp = seen.directories[directory] = _stamp(directory)
            known = before.entries.get(directory) if before is not None else None
            same = before is not None and stamp is not None and before.directories.get(directory) == stamp
            settled = same and not _is_unsettled(stamp)
            seen.entries[directory] = known if known is not None and settled else self._listed(directory)
            count += 1
            if count % SLICE == 0:
                yield count
        inside = (path for several in seen.entries.values() for path in several)
        listed, also = self._files.places(), list(self._also())
        for path in dict.fromkeys([*listed, *self._files.manifest_places(), *inside, *also]):
            seen.files[path] = _stamp(path)
            count += 1
            if count % SLICE == 0:
                yield count
        self._seen = seen
        if before is None:
            single = frozenset(also)
            there = (path for path, stamp in seen.files.items() if stamp is not None and path not in seen.directories)
            return {path for path in there if _is_ours(path) or not (path in single or self._named(path))}
        # What came and went between two looks was told as there by what was looked at for the first of them.
        went = {path for path in listed if seen.files[path] is None and path not in before.files}
        new = {path for path in also if path not in before.files}  # they count from now on
        return (_changed(before, seen) | went) - new

    def _listed(self, directory: str) -> frozenset[str]:
        """The paths of ours in `directory`: sources, manifests, files that are named, and directories that count."""
        found: set[str] = set()
        try:
            with os.scandir(directory) as entries:
                for entry in entries:
                    path = joined(directory, with_slashes(entry.name))
                    if _is_ours(path) or self._named(path) or _counts(entry, path, directory):
                        found.add(path)
        except OSError:
            pass  # it went away, or may not be read: its own stamp tells
        return frozenset(found)


def _changed(before: _Seen, seen: _Seen) -> set[str]:
    gone = (before.files.keys() | before.directories.keys()) - (seen.files.keys() | seen.directories.keys())
    changed = {path for path in gone if before.files.get(path, before.directories.get(path)) is not None}
    for path, stamp in seen.files.items():
        if path in seen.directories or path in before.directories:
            continue  # a directory's time says nothing but that its entries are others
        if before.files.get(path) != stamp or _is_unsettled(stamp):
            changed.add(path)
    for directory, stamp in seen.directories.items():
        if stamp is None and before.directories.get(directory) is not None:
            changed.add(directory)
    return changed


def _is_ours(path: str) -> bool:
    return is_manifest(path) or is_source(path)


def _stamp(path: str) -> _Stamp:
    try:
        found = os.stat(path)
    except (OSError, ValueError):
        return None
    return found.st_mtime_ns, found.st_size, found.st_ino


def _is_unsettled(stamp: _Stamp) -> bool:
    return stamp is not None and abs(time.time_ns() - stamp[0]) < _UNSETTLED_NS


def _counts(entry: os.DirEntry[str], path: str, directory: str) -> bool:
    """Whether it is a directory that a scan would look into."""
    try:
        return entry.is_dir() and not is_passed_by(path, directory)
    except OSError:
        return False
