"""The documents of calls, kept for the user outside every workspace: arguments, and what the last call came to.

Each Tool, by its file and identity, has a directory of its own below the user's state directory. In it stand the
arguments, the result, and `tool.json`, which says what Tool they are of.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Callable
from dataclasses import dataclass

from flow_lsp.files.paths import ARGUMENTS_SUFFIX, resolved, with_slashes
from flow_lsp.host.store import FileStore, state_directory
from flow_lsp.text.paths import joined, parent

RESULT_SUFFIX = ".flow-result.json"
SIZE_LIMIT = 64 * 1024 * 1024
_ABOUT = "tool.json"
_NAME_LENGTH = 40  # of a Tool in a file's name, so that no file system refuses it


@dataclass(frozen=True, slots=True)
class CallTarget:
    """A Tool as it is remembered: the real path of its file, its identity without version, its name, and the
    fingerprint that its arguments were written for."""

    file: str
    identity: str
    name: str
    fingerprint: str


class CallFiles:
    """The documents in `directory`, or in the user's state directory where it is None."""

    def __init__(self, directory: str | None = None) -> None:
        self._chosen = directory
        self._found: str | None = None

    def path(self, target: CallTarget) -> str:
        """Where the arguments of `target` stand, or would."""
        return joined(joined(self._directory(), _digest(target)), target.name[:_NAME_LENGTH] + ARGUMENTS_SUFFIX)

    def open(self, target: CallTarget, fresh: str, carried: Callable[[str], str | None], *, is_open: bool) -> bool:
        """Sees to it that arguments of `target` stand at its path; whether that was possible.

        What the user wrote for the same signature stays as it is. For another signature, `carried` makes new arguments
        of the old ones, and what was never edited gives way to `fresh`. A document that an editor has open is left to
        the user.
        """
        path = self.path(target)
        place = self._place(path)
        if place is None or place[0] != parent(path):  # a link leads elsewhere, and nothing is written through one
            return False
        directory, name = parent(path), path.rpartition("/")[2]
        store = _store(directory)
        before = self._about(store)
        text = _text(store.read(name))
        if text is None:
            wanted = fresh
        elif is_open or (before is not None and before[0].fingerprint == target.fingerprint):
            wanted = text
        elif before is not None and before[1] == _hash(text):
            wanted = fresh
        else:
            wanted = carried(text) or text
        if wanted != text and not store.write(name, wanted.encode("utf-8", "surrogateescape")):
            return False
        # What the user wrote any of is the user's; a template is known by what it was when it was written.
        written = _hash(fresh) if wanted == fresh else before[1] if before is not None and wanted == text else ""
        kept = before[0].fingerprint if is_open and before is not None else target.fingerprint
        about = CallTarget(target.file, target.identity, target.name, kept)
        return self._write_about(store, about, written)

    def target(self, path: str) -> CallTarget | None:
        """The Tool that the document at `path` has the arguments of; None where it is no such document."""
        place = self._place(path)
        if place is None:
            return None
        found = self._about(_store(place[0]))
        return found[0] if found is not None else None

    def read(self, path: str) -> str | None:
        """The arguments at `path`, as they are on the disk; None where there are none that can be read."""
        place = self._place(path)
        return None if place is None else _text(_store(place[0]).read(place[1]))

    def write_result(self, path: str, text: str) -> str | None:
        """Puts `text` beside the arguments at `path`; its own path, or None where it could not be kept."""
        place = self._place(path)
        if place is None:
            return None
        name = place[1].removesuffix(ARGUMENTS_SUFFIX) + RESULT_SUFFIX
        kept = _store(place[0]).write(name, text.encode("utf-8", "surrogateescape"))
        return joined(place[0], name) if kept else None

    # -- inside -------------------------------------------------------------------------------------------------

    def _directory(self) -> str:
        if self._found is None:
            self._found = resolved(with_slashes(os.path.abspath(self._chosen or state_directory("calls"))))
        return self._found

    def _place(self, path: str) -> tuple[str, str] | None:
        """The directory and name of a document of ours; links to one count, and nothing elsewhere."""
        real = resolved(path)
        directory, _, name = real.rpartition("/")
        if not name.endswith(ARGUMENTS_SUFFIX) or parent(directory) != self._directory():
            return None
        return directory, name

    @staticmethod
    def _about(store: FileStore) -> tuple[CallTarget, str] | None:
        data = store.read(_ABOUT)
        try:
            kept = json.loads(data) if data is not None else None
        except (ValueError, RecursionError):
            return None
        if not isinstance(kept, dict):
            return None
        names = ("file", "identity", "name", "fingerprint", "written")
        texts = [text for name in names if isinstance(text := kept.get(name), str)]
        return (CallTarget(*texts[:4]), texts[4]) if len(texts) == len(names) else None

    @staticmethod
    def _write_about(store: FileStore, target: CallTarget, written: str) -> bool:
        content = {
            "version": 1,
            "file": target.file,
            "identity": target.identity,
            "name": target.name,
            "fingerprint": target.fingerprint,
            "written": written,
        }
        return store.write(_ABOUT, json.dumps(content, indent=1).encode())


def _store(directory: str) -> FileStore:
    return FileStore(directory, size_limit=SIZE_LIMIT, count_limit=100)


def _digest(target: CallTarget) -> str:
    return hashlib.sha256(json.dumps([target.file, target.identity]).encode()).hexdigest()[:24]


def _hash(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "surrogateescape")).hexdigest()


def _text(data: bytes | None) -> str | None:
    """A document's text; bytes that are no UTF-8 become halves of characters, which reading it refuses."""
    return None if data is None else data.decode("utf-8", "surrogateescape")
