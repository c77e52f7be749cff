"""Absolute paths as text: written with `/`, on every system, as `/a/b` or `C:/a`. No disk is looked at."""

from __future__ import annotations

from collections.abc import Iterator


def parent(path: str) -> str:
    """The directory that holds `path`; the root of a file system holds itself."""
    above = path.rpartition("/")[0]
    if path.endswith("/"):
        return path
    return above + "/" if not above or above.endswith(":") else above


def joined(directory: str, name: str) -> str:
    """The path of `name` inside `directory`."""
    return directory + name if directory.endswith("/") else f"{directory}/{name}"


def ancestors(directory: str) -> Iterator[str]:
    """`directory` and each directory above it, up to the root of the file system."""
    while True:
        yield directory
        above = parent(directory)
        if above == directory:
            return
        directory = above


def inside(path: str, directory: str) -> bool:
    """Whether `path` is `directory` or below it, compared by whole segments."""
    return path == directory or path.startswith(directory.rstrip("/") + "/")
