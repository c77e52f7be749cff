"""Real paths: what a file is known by, however it is reached (decisions 10, "from the file's real path").

A source is known by its real path. A manifest is known by the real path of the directory it stands in and its
name, links not followed in the name itself: its tables count from there, and its commands run there.
"""

from __future__ import annotations

import os
import sys

from flow_lsp.text.paths import ancestors, joined, parent

MANIFEST_NAME = "flow.toml"
SOURCE_SUFFIX = ".flow"
ARGUMENTS_SUFFIX = ".flow-call.json"  # of a document that holds the arguments of a call
SHOWN_SUFFIX = ".flow-text"  # of Flow text that is shown, and is no source


def is_manifest(path: str) -> bool:
    """Whether a file of that path is a manifest, by its name alone."""
    return path.rpartition("/")[2] == MANIFEST_NAME


def is_source(path: str) -> bool:
    """Whether a file of that path holds declarations, by its name alone."""
    return path.endswith(SOURCE_SUFFIX)


def with_slashes(path: str) -> str:
    """`path` as this package writes it: with `/`, and a drive letter in upper case."""
    if sys.platform != "win32":
        return path
    path = path.replace("\\", "/")
    return path[0].upper() + path[1:] if path[1:2] == ":" else path


def absolute(path: str) -> str:
    """`path` made absolute and normal (no `.`, `..` or double `/`) without looking at the disk."""
    return with_slashes(os.path.abspath(path))


def resolved(path: str) -> str:
    """`path` with every link followed. What does not exist, or is a loop, is left as it is spelt."""
    try:
        return with_slashes(os.path.realpath(path))
    except (OSError, ValueError):  # a NUL, half a character: no file system has it
        return path


def real(path: str) -> str:
    """What the source or manifest at the absolute `path` is known by."""
    directory, _, name = path.rpartition("/")
    if name == MANIFEST_NAME:
        return joined(resolved(directory or "/"), name)
    return resolved(path)


def is_unicode(path: str) -> bool:
    """Whether the path is text; a name that is no UTF-8 on the disk is not."""
    return path.isascii() or not any("\ud800" <= letter <= "\udfff" for letter in path)


def manifest_directories(path: str) -> list[str]:
    """The directories, from that of the file at `path` up to the root, in which a flow.toml stands.

    It counts from the file's real path, and the nearest comes first. Whatever has the name counts, also a
    directory or a link to nothing: it is the boundary, and reading it says what is wrong with it.
    """
    return [
        directory for directory in ancestors(parent(real(path))) if os.path.lexists(joined(directory, MANIFEST_NAME))
    ]
