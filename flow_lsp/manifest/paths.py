"""The keys of tool tables as paths (decisions 10), and the nearest manifest of a path ("Binding").

Paths are text here: `/` between names, compared by code point, whatever the file system does.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from flow_lsp.findings.model import shown

SUFFIX = ".flow"

_DRIVE = re.compile(r"[A-Za-z]:")
_CONTROL = re.compile(r"[\x00-\x1f\x7f]")
_PLAIN = re.compile(r"[A-Za-z0-9_-]+\.flow")  # by far the most common form, which needs no further look


@dataclass(frozen=True, slots=True)
class PathProblem:
    """Why a key is no path: a clause that says what is wrong, with the remedy, and a key that would do."""

    reason: str
    suggestion: str | None = None


def can_be_named(path: str) -> bool:
    """Whether a table's key can be `path`, a file's relative to the manifest's directory: names of files may hold what
    no key may, such as a backslash."""
    return normalized_path(path) == path


def normalized_path(key: str) -> str | PathProblem:
    """The path that `key` names relative to the manifest's directory, in its one plain spelling.

    `.` and empty segments drop out. Refused are absolute paths, drives, `..` (also where it would stay
    inside), backslashes, control characters, and names that do not end in `.flow`.
    """
    if _PLAIN.fullmatch(key):
        return key
    if not key:
        return PathProblem("it is empty. Write the path of the file that the table is for.")
    control = _CONTROL.search(key)
    if control is not None:
        return PathProblem(f"the control character U+{ord(control[0]):04X} cannot stand in a path. Remove it.")
    if _DRIVE.match(key):
        return PathProblem("it has a drive. Write the path relative to this directory.")
    if key.startswith(("/", "\\")):
        return PathProblem("it is absolute. Write the path relative to this directory.")
    if "\\" in key:
        with_slashes = key.replace("\\", "/")
        return PathProblem(f"it has a backslash. Write `{shown(with_slashes)}`.", with_slashes)
    parts = [part for part in key.split("/") if part not in ("", ".")]
    if ".." in parts:
        return PathProblem(
            "it has `..`, and a table's file stands in this directory or below. Write the plain path, or put "
            "the table into a flow.toml that stands above the file."
        )
    if not key.endswith(SUFFIX):
        if not parts or key.endswith("/") or "." in parts[-1]:
            return PathProblem("it does not end in `.flow`. Only .flow files have tables.")
        fixed = key + SUFFIX
        return PathProblem(f"it does not end in `.flow`. Did you mean `{shown(fixed)}`?", fixed)
    return "/".join(parts)
