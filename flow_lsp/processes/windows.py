"""What the process layer needs of Windows. Written from its documentation, and untried.

A group is a process made with CREATE_NEW_PROCESS_GROUP, and is ended with `taskkill /T`, which follows
parents to children. A child that has lost its parent in between escapes; a job object would hold it, and
needs more than the standard library.
"""

# Paths are strings here, as in every message and key; pathlib would only be converted back and forth.

from __future__ import annotations

import os
import subprocess
from collections.abc import Iterator

PERMISSION_REMEDY = "Name a file that Windows can start, such as an .exe or a .cmd."

TERMINATE = 15
KILL = 9


def has_separator(word: str) -> bool:
    """Whether `word` is a path rather than a name to look for: a separator or a drive makes it one."""
    return "\\" in word or "/" in word or word[1:2] == ":"


def extensions() -> tuple[str, ...]:
    """The extensions that a program's name may leave out, from PATHEXT, in order."""
    listed = os.environ.get("PATHEXT") or ".COM;.EXE;.BAT;.CMD"
    return tuple(extension for extension in listed.split(";") if extension)


def spellings(path: str) -> Iterator[str]:
    """The files that calling `path` may start, in order: `npx` is found as `npx.cmd`."""
    known = extensions()
    if path.lower().endswith(tuple(extension.lower() for extension in known)):
        yield path
    for extension in known:
        yield path + extension


def may_execute(path: str) -> bool:
    """Whether the name of `path` ends as that of a program does."""
    return path.lower().endswith(tuple(extension.lower() for extension in extensions()))


def process_arguments() -> dict[str, object]:
    """What `subprocess.Popen` needs so that a child leads a group of its own and shows no window."""
    new_group = getattr(subprocess, "CREATE_NEW_PROCESS_GROUP", 0)
    no_window = getattr(subprocess, "CREATE_NO_WINDOW", 0)
    return {"creationflags": new_group | no_window}


def signal_group(group: int, number: int) -> bool:
    """End the process `group` and what it started; 0 asks only whether it is there."""
    if number == 0:
        return False  # the child's own handle says it better
    force = ["/F"] if number == KILL else []
    done = subprocess.run(
        ["taskkill", "/T", *force, "/PID", str(group)],  # noqa: S607
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        timeout=5,
        check=False,
    )
    return done.returncode == 0


def group_is_alive(group: int) -> bool:  # noqa: ARG001
    """Windows keeps no such list; the child itself is watched by its handle."""
    return False


def exit_descriptor(process: int) -> int | None:  # noqa: ARG001
    """There is no descriptor for a process's end that an event loop takes: the end is polled."""
    return None


def start_failure(error: OSError, program: str, directory: str) -> str:
    """Why the system refused to start `program` in `directory`, as a predicate with a full stop."""
    if not os.path.isdir(directory):
        return f"could not be started: the directory {directory} does not exist."
    if not os.path.exists(program):
        return f"could not be started: {program} does not exist."
    return f"could not be started: {program}: {error.strerror or error}."
