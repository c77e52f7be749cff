"""Small files that the host keeps for the user, outside every workspace.

One file per key, so that processes that run at once need no lock: each write makes a new file and puts it in
place whole. A directory that others may write to, or a file that cannot be read, counts as empty.
"""

# Paths are strings here, as in every message and key; pathlib would only be converted back and forth.

from __future__ import annotations

import os
import stat
from contextlib import suppress

STATE_VARIABLE = "FLOW_LSP_STATE_DIRECTORY"


def state_directory(part: str) -> str:
    """The directory for one `part` of what is kept.

    It stands in the directory that the environment variable FLOW_LSP_STATE_DIRECTORY names, for tests and
    packagers, else in the user's state directory as the system has it. A relative path counts from wherever this
    process was started, which may be a workspace: no such directory is used.
    """
    chosen = os.environ.get(STATE_VARIABLE)
    if chosen and os.path.isabs(chosen):
        return os.path.join(os.path.abspath(chosen), part)
    from platformdirs import user_state_dir

    found = user_state_dir("flow-lsp", appauthor=False)
    if not os.path.isabs(found):  # XDG_STATE_HOME is relative, which its specification has ignored
        found = os.path.join(os.path.expanduser("~"), ".local", "state", "flow-lsp")
    return os.path.join(found, part)


class FileStore:
    """Files of at most `size_limit` bytes in one directory, at most `count_limit` of them: the oldest go."""

    def __init__(self, directory: str, *, size_limit: int, count_limit: int) -> None:
        self.directory = directory
        self.size_limit = size_limit
        self.count_limit = count_limit

    def read(self, name: str) -> bytes | None:
        """The contents of the file, or None where there is none that can be relied on."""
        if not _is_private(self.directory):
            return None
        try:
            # A link, a pipe or a device put there is not followed, waited for or read.
            descriptor = os.open(
                os.path.join(self.directory, name),
                os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0),
            )
        except OSError:
            return None
        found = os.fstat(descriptor)
        if not stat.S_ISREG(found.st_mode) or found.st_size > self.size_limit:
            os.close(descriptor)
            return None
        with os.fdopen(descriptor, "rb") as file:
            try:
                data = file.read(self.size_limit + 1)
            except OSError:
                return None
        return data if len(data) <= self.size_limit else None

    def write(self, name: str, data: bytes) -> bool:
        """Put `data` in place as a whole; whether that was possible. Nothing is said where it was not: what
        is kept here is a convenience, and its absence costs a question or a run."""
        import tempfile  # slow to import, and seldom needed

        if len(data) > self.size_limit:
            return False
        try:
            os.makedirs(self.directory, mode=0o700, exist_ok=True)
            if not _is_private(self.directory):
                return False
            descriptor, path = tempfile.mkstemp(prefix=".new-", dir=self.directory)
        except OSError:
            return False
        try:
            with os.fdopen(descriptor, "wb") as file:
                file.write(data)
            os.replace(path, os.path.join(self.directory, name))
        except OSError:
            with suppress(OSError):
                os.unlink(path)
            return False
        self._remove_oldest()
        return True

    def remove(self, name: str) -> None:
        """Remove the file, if it is there."""
        with suppress(OSError):
            os.unlink(os.path.join(self.directory, name))

    def _remove_oldest(self) -> None:
        try:
            names = os.listdir(self.directory)
            if len(names) <= self.count_limit:
                return
            aged = []
            for name in names:
                with suppress(OSError):
                    aged.append((os.lstat(os.path.join(self.directory, name)).st_mtime_ns, name))
        except OSError:
            return
        aged.sort()
        for _, name in aged[: len(aged) - self.count_limit]:
            self.remove(name)


def _is_private(directory: str) -> bool:
    """Whether only this user can put files into `directory`."""
    try:
        found = os.stat(directory)
    except OSError:
        return False
    if not stat.S_ISDIR(found.st_mode):
        return False
    if not hasattr(os, "geteuid"):
        return True
    return found.st_uid == os.geteuid() and not found.st_mode & (stat.S_IWGRP | stat.S_IWOTH)
