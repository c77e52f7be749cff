"""What the first word of a command comes to: a file that can be started, or the true reason why not.

Realizes decisions 7: a relative program with a separator is relative to the manifest's directory; any other
is looked for on PATH. Nothing is started here.
"""

# Paths are strings here, as in every message and key; pathlib would only be converted back and forth.

from __future__ import annotations

import errno
import os
import stat
import sys
from dataclasses import dataclass
from enum import StrEnum

from flow_lsp.findings.model import shown

if sys.platform == "win32":
    from flow_lsp.processes import windows as system
else:
    from flow_lsp.processes import posix as system


@dataclass(frozen=True, slots=True)
class FileStamp:
    """What changes when a file is replaced or written: nanoseconds, bytes, and the file's number."""

    modified_ns: int
    size: int
    inode: int


@dataclass(frozen=True, slots=True)
class Program:
    """A file that can be started, by its absolute path, and its stamp as of now. Links are not followed in
    `path`, for a program may go by the name it is called."""

    path: str
    stamp: FileStamp


class ProgramProblemKind(StrEnum):
    """Why a word comes to no program."""

    NO_DIRECTORY = "no-directory"  # the directory to run in is missing
    NOT_FOUND = "not-found"  # no such file, for a program with a separator
    NOT_ON_PATH = "not-on-path"  # no PATH entry has it
    NOT_EXECUTABLE = "not-executable"  # it is there, without permission to execute it
    IS_DIRECTORY = "is-directory"
    NO_NAME = "no-name"  # an empty word, or one that no file system takes


@dataclass(frozen=True, slots=True)
class ProgramProblem:
    """Why a word comes to no program. `sentence` says it to the user, with the remedy."""

    kind: ProgramProblemKind
    sentence: str


def resolve_program(directory: str, word: str, path_variable: str | None = None) -> Program | ProgramProblem:
    """What `word`, the first of a command, would start in `directory`, a manifest's absolute directory.

    `path_variable` is the PATH to search, that of this process where it is None. Entries of it that are
    relative or empty count from `directory`, where the program runs.
    """
    if not word or "\0" in word:
        return ProgramProblem(ProgramProblemKind.NO_NAME, "The command names no program.")
    try:
        os.fsencode(word)
    except UnicodeEncodeError:
        sentence = f"No program can be called {shown(word)}, for the name holds half a character. Correct it."
        return ProgramProblem(ProgramProblemKind.NO_NAME, sentence)
    if not os.path.isdir(directory):
        return ProgramProblem(
            ProgramProblemKind.NO_DIRECTORY,
            f"The directory {shown(directory)} that it runs in does not exist or cannot be entered.",
        )
    if system.has_separator(word):
        return _at(_joined(directory, word), word)
    return _on_path(directory, word, os.environ.get("PATH", "") if path_variable is None else path_variable)


def file_stamp(path: str) -> FileStamp | None:
    """The stamp of the regular file at `path`, or None where there is none."""
    try:
        found = os.stat(path)
    except (OSError, ValueError):
        return None
    if not stat.S_ISREG(found.st_mode):
        return None
    return FileStamp(found.st_mtime_ns, found.st_size, found.st_ino)


def command_stamps(directory: str, words: tuple[str, ...], program: Program) -> tuple[FileStamp | None, ...]:
    """What a command's answer depends on: the stamp of its program, and of each further word's file.

    In `python tools/weather.py` the program seldom changes and the script often does. A word that names no
    regular file, seen from `directory`, counts as None.
    """
    others = (file_stamp(os.path.join(directory, word)) if may_be_file(word) else None for word in words[1:])
    return (program.stamp, *others)


def may_be_file(word: str) -> bool:
    """Whether a word of a command can be the path of a file, by its text alone."""
    return bool(word) and not word.startswith("-") and len(word) < 4096


def _joined(directory: str, *parts: str) -> str:
    path = os.path.join(directory, *parts)
    # What `..` leads to through a link, only the system knows.
    return path if ".." in path.replace("\\", "/").split("/") else os.path.normpath(path)


def _at(path: str, word: str) -> Program | ProgramProblem:
    reason = "does not exist"
    for candidate in system.spellings(path):
        try:
            found = os.stat(candidate)
        except OSError as error:
            reason = _unreachable(error, candidate)
            continue
        return _checked(candidate, found, word)
    return ProgramProblem(
        ProgramProblemKind.NOT_FOUND,
        f"The program {shown(word)} {reason}. A program written with a separator counts from the directory "
        "of flow.toml.",
    )


def _unreachable(error: OSError, path: str) -> str:
    if error.errno == errno.ENOENT:
        return "is a symbolic link to nothing" if os.path.islink(path) else "does not exist"
    if error.errno == errno.ENOTDIR:
        return "does not exist: a part of its path is no directory"
    if error.errno == errno.EACCES:
        return "cannot be reached: a directory on its path may not be entered"
    if error.errno == errno.ELOOP:
        return "cannot be reached: a symbolic link on its path leads back to itself"
    return f"cannot be reached ({error.strerror})"


def _checked(path: str, found: os.stat_result, name: str) -> Program | ProgramProblem:
    if stat.S_ISDIR(found.st_mode):
        return ProgramProblem(
            ProgramProblemKind.IS_DIRECTORY, f"{shown(name)} is a directory. Name the program inside it."
        )
    if not stat.S_ISREG(found.st_mode) or not system.may_execute(path):
        return ProgramProblem(
            ProgramProblemKind.NOT_EXECUTABLE,
            f"{shown(name)} is there, but may not be executed. {system.PERMISSION_REMEDY}",
        )
    return Program(path, FileStamp(found.st_mtime_ns, found.st_size, found.st_ino))


def _on_path(directory: str, word: str, path_variable: str) -> Program | ProgramProblem:
    first_problem: ProgramProblem | None = None
    for entry in path_variable.split(os.pathsep):
        for candidate in system.spellings(_joined(directory, entry, word)):
            try:
                found = os.stat(candidate)
            except OSError:
                continue
            checked = _checked(candidate, found, candidate)
            if isinstance(checked, Program):
                return checked
            # As a shell does, go on; a directory of that name says nothing, a file without permission does.
            if first_problem is None and checked.kind is ProgramProblemKind.NOT_EXECUTABLE:
                first_problem = checked
    if first_problem is not None:
        return first_problem
    where = "flow-lsp doctor lists PATH" if path_variable else "PATH is empty or not set"
    return ProgramProblem(
        ProgramProblemKind.NOT_ON_PATH,
        f"{shown(word)} is in no directory of PATH. Install it, or write its path; {where}.",
    )
