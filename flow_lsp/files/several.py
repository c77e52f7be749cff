"""Writing several files as one: all of them stand there in the end, or what was there before does."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterable, Mapping
from contextlib import suppress
from secrets import token_hex


def put_all(directory: str, files: Mapping[str, bytes], removed: Iterable[str] = ()) -> str | None:
    """Puts `files`, by their paths below `directory` with `/`, into their places, making folders, and takes those away
    that are `removed`; a sentence where it is not possible, and then nothing has changed.

    What stands at a path is a regular file or nothing. Folders that are left empty stay.
    """
    return _Writing(directory).put(files, removed)


class _Writing:
    def __init__(self, directory: str) -> None:
        self._directory = directory
        self._made: list[str] = []  # folders
        self._waiting: dict[str, str] = {}  # the new files, by the paths that they go to
        self._before: dict[str, bytes | None] = {}  # what stood at the paths that were written

    def put(self, files: Mapping[str, bytes], removed: Iterable[str]) -> str | None:
        try:
            for path, data in files.items():
                self._write(os.path.join(self._directory, *path.split("/")), data)
            for path, new in self._waiting.items():
                self._remember(path)
                os.replace(new, path)
            for path in removed:
                full = os.path.join(self._directory, *path.split("/"))
                self._remember(full)
                os.unlink(full)
        except OSError as error:
            self._undo()
            name = os.path.relpath(str(error.filename), self._directory) if error.filename else "It"
            return f"{name} cannot be written: {error.strerror or error}."
        return None

    def _write(self, path: str, data: bytes) -> None:
        self._make_folder(os.path.dirname(path))
        new = os.path.join(os.path.dirname(path), f".{os.path.basename(path)}.{token_hex(4)}.new")
        mode = None
        with suppress(FileNotFoundError):
            mode = stat.S_IMODE(os.lstat(path).st_mode)
        with open(new, "xb") as file:
            self._waiting[path] = new
            file.write(data)
        if mode is not None:
            os.chmod(new, mode)

    def _make_folder(self, path: str) -> None:
        if os.path.isdir(path):
            return
        self._make_folder(os.path.dirname(path))
        os.mkdir(path)
        self._made.append(path)

    def _remember(self, path: str) -> None:
        try:
            with open(path, "rb") as file:
                before: bytes | None = file.read()
        except FileNotFoundError:
            before = None
        self._before[path] = before

    def _undo(self) -> None:
        for path, data in self._before.items():
            with suppress(OSError):
                if data is None:
                    os.unlink(path)
                else:
                    with open(path, "wb") as file:
                        file.write(data)
        for new in self._waiting.values():
            with suppress(OSError):
                os.unlink(new)
        for folder in reversed(self._made):
            with suppress(OSError):
                os.rmdir(folder)
