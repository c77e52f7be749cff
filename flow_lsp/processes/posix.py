"""What the process layer needs of a POSIX system: program names, process groups, the end of a process.

Tried on Linux. macOS has all of it but /proc and pidfd, for which there are fallbacks, written from its
documentation and untried.
"""

# Paths are strings here, as in every message and key; pathlib would only be converted back and forth.

from __future__ import annotations

import errno
import os
import signal
import sys
from collections.abc import Iterator

from flow_lsp.findings.model import shown

PERMISSION_REMEDY = "Give it execute permission with chmod +x."

TERMINATE = int(signal.SIGTERM)
KILL = int(signal.SIGKILL) if sys.platform != "win32" else int(signal.SIGTERM)


def has_separator(word: str) -> bool:
    """Whether `word` is a path rather than a name to look for."""
    return "/" in word


def spellings(path: str) -> Iterator[str]:
    """The files that calling `path` may start, in order."""
    yield path


def may_execute(path: str) -> bool:
    """Whether this process may execute the file at `path`."""
    return os.access(path, os.X_OK)


def process_arguments() -> dict[str, object]:
    """What `subprocess.Popen` needs so that a child leads a session, and thereby a group, of its own."""
    return {"start_new_session": True}


def signal_group(group: int, number: int) -> bool:
    """Send a signal to every process of `group`; whether there was one that could be reached."""
    if sys.platform == "win32":
        return False
    try:
        os.killpg(group, number)
    except ProcessLookupError:
        return False
    except PermissionError:
        # Only processes of another user, or on macOS only zombies, are left: nothing that we can end.
        return False
    return True


def group_is_there(group: int) -> bool:
    """Whether `group` still has its number: a process of it, or a zombie, is left."""
    return signal_group(group, 0)


def group_is_alive(group: int) -> bool:
    """Whether a process of `group` still runs. Zombies, which a lazy init leaves behind, do not."""
    if not group_is_there(group):
        return False
    members = _running_members(group)
    return members is None or members > 0


def exit_descriptor(process: int) -> int | None:
    """A descriptor that becomes readable when the child `process` ends; None where there is no such thing."""
    opener = getattr(os, "pidfd_open", None)
    if opener is None:
        return None
    try:
        descriptor: int = opener(process, 0)
    except OSError:  # an old kernel, a sandbox, or no descriptor left
        return None
    return descriptor


def start_failure(error: OSError, program: str, directory: str) -> str:
    """Why the system refused to start `program` in `directory`, as a predicate with a full stop."""
    there = os.path.exists(program)
    where_it_runs = os.path.isdir(directory)
    program, directory = shown(program), shown(directory)
    if error.errno in (errno.ENOENT, errno.ENOTDIR):
        if not where_it_runs:
            return f"could not be started: the directory {directory} does not exist."
        if there:
            return (
                f"could not be started: {program} names an interpreter in its first line, or needs a loader, "
                "that does not exist."
            )
        return f"could not be started: {program} does not exist."
    if error.errno == errno.EACCES:
        return f"could not be started: there is no permission to execute {program} in {directory}."
    if error.errno == errno.ENOEXEC:
        return (
            f"could not be started: {program} is no program for this system. A script needs a first line "
            "such as #!/usr/bin/env python3."
        )
    if error.errno == errno.E2BIG:
        return "could not be started: its command line and environment are too long for this system."
    if error.errno in (errno.EMFILE, errno.ENFILE):
        return "could not be started: too many files are open in this process."
    return f"could not be started: {error.strerror or error}."


def _running_members(group: int) -> int | None:
    """How many processes of `group` are no zombies, read from /proc; None where there is no /proc."""
    if not sys.platform.startswith("linux"):
        return None
    try:
        entries = os.listdir("/proc")
    except OSError:
        return None
    count = 0
    for entry in entries:
        if not entry.isdigit():
            continue
        try:
            with open(f"/proc/{entry}/stat", "rb") as file:
                # The program's name, in brackets, may hold anything; the fields count from the last bracket.
                state, _parent, process_group, *_ = file.read().rpartition(b")")[2].split(None, 3)
        except (OSError, ValueError):
            continue
        if int(process_group) == group and state not in (b"Z", b"X"):
            count += 1
    return count
