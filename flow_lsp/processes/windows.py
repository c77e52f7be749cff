"""What the process layer needs of Windows. Written from its documentation, and untried.

Each child is put into a job object of its own, which holds all that it starts. A job whose last handle is
closed ends everything in it, and the system closes the handles of a host that is gone: that is the guardian
here. What a child starts before it is in its job, in the moment after its own start, is not in it either.
"""

# Paths are strings here, as in every message and key; pathlib would only be converted back and forth.

from __future__ import annotations

import ctypes
import os
import subprocess
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from ctypes import wintypes
from typing import Any

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
    """End the process `group` and what it started, by force where `number` is KILL."""
    if number == KILL and groups.terminate(group):
        return True
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


def group_is_there(group: int) -> bool:
    """Whether a process of `group` is left, by its job."""
    return groups.has_processes(group)


def group_is_alive(group: int) -> bool:
    """Whether a process of `group` is left, by its job."""
    return groups.has_processes(group)


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


# Names, numbers and layouts are those of winnt.h.
EXTENDED_LIMIT_INFORMATION = 9
BASIC_ACCOUNTING_INFORMATION = 1
LIMIT_KILL_ON_JOB_CLOSE = 0x2000


class BasicLimits(ctypes.Structure):
    """JOBOBJECT_BASIC_LIMIT_INFORMATION."""

    _fields_ = (
        ("per_process_user_time_limit", ctypes.c_int64),
        ("per_job_user_time_limit", ctypes.c_int64),
        ("limit_flags", ctypes.c_uint32),
        ("minimum_working_set_size", ctypes.c_size_t),
        ("maximum_working_set_size", ctypes.c_size_t),
        ("active_process_limit", ctypes.c_uint32),
        ("affinity", ctypes.c_size_t),
        ("priority_class", ctypes.c_uint32),
        ("scheduling_class", ctypes.c_uint32),
    )


class ExtendedLimits(ctypes.Structure):
    """JOBOBJECT_EXTENDED_LIMIT_INFORMATION."""

    _fields_ = (
        ("basic", BasicLimits),
        ("io_counters", ctypes.c_uint64 * 6),
        ("process_memory_limit", ctypes.c_size_t),
        ("job_memory_limit", ctypes.c_size_t),
        ("peak_process_memory_used", ctypes.c_size_t),
        ("peak_job_memory_used", ctypes.c_size_t),
    )


class Accounting(ctypes.Structure):
    """JOBOBJECT_BASIC_ACCOUNTING_INFORMATION."""

    _fields_ = (
        ("total_user_time", ctypes.c_int64),
        ("total_kernel_time", ctypes.c_int64),
        ("this_period_total_user_time", ctypes.c_int64),
        ("this_period_total_kernel_time", ctypes.c_int64),
        ("total_page_fault_count", ctypes.c_uint32),
        ("total_processes", ctypes.c_uint32),
        ("active_processes", ctypes.c_uint32),
        ("total_terminated_processes", ctypes.c_uint32),
    )


class Jobs:
    """The job objects of the children that live, by process id. Where the system refuses one, the child goes on
    without: it is ended with `taskkill`, and does not end with a host that is killed."""

    def __init__(self) -> None:
        self._jobs: dict[int, int] = {}

    @contextmanager
    def starting(self, standard_input: int) -> Iterator[Callable[[subprocess.Popen[bytes]], None]]:  # noqa: ARG002
        """Around the start of a child. What it gives is called with the process as soon as there is one."""
        yield self._add

    def discard(self, group: int) -> None:
        """`group` is gone: let go of its job."""
        job = self._jobs.pop(group, None)
        if job is not None:
            _kernel().CloseHandle(job)

    def close(self) -> None:
        """The host ends: so does what is left of its children, with their jobs."""
        for group in list(self._jobs):
            self.discard(group)

    def terminate(self, group: int) -> bool:
        """End all processes of the job of `group`; whether there is one."""
        job = self._jobs.get(group)
        if job is None:
            return False
        return bool(_kernel().TerminateJobObject(job, KILL))

    def has_processes(self, group: int) -> bool:
        """Whether the job of `group` holds a process that runs; False where there is no job."""
        job = self._jobs.get(group)
        if job is None:
            return False
        found = Accounting()
        asked = _kernel().QueryInformationJobObject(
            job, BASIC_ACCOUNTING_INFORMATION, ctypes.byref(found), ctypes.sizeof(found), None
        )
        return bool(asked) and found.active_processes > 0

    def _add(self, process: subprocess.Popen[bytes]) -> None:
        kernel = _kernel()
        job = kernel.CreateJobObjectW(None, None)
        if not job:
            return
        limits = ExtendedLimits()
        limits.basic.limit_flags = LIMIT_KILL_ON_JOB_CLOSE
        size = ctypes.sizeof(limits)
        if kernel.SetInformationJobObject(
            job, EXTENDED_LIMIT_INFORMATION, ctypes.byref(limits), size
        ) and kernel.AssignProcessToJobObject(job, getattr(process, "_handle", None)):
            self._jobs[process.pid] = job
        else:
            kernel.CloseHandle(job)


def _kernel() -> Any:  # only Windows has a type for it
    """kernel32, with the types of what is called here: a handle is wider than an int."""
    kernel = getattr(ctypes, "WinDLL")("kernel32")  # noqa: B009
    handle, flag, number, pointer = wintypes.HANDLE, wintypes.BOOL, wintypes.DWORD, ctypes.c_void_p
    kernel.CreateJobObjectW.argtypes, kernel.CreateJobObjectW.restype = (pointer, wintypes.LPCWSTR), handle
    for function, arguments in (
        (kernel.SetInformationJobObject, (handle, ctypes.c_int, pointer, number)),
        (kernel.QueryInformationJobObject, (handle, ctypes.c_int, pointer, number, pointer)),
        (kernel.AssignProcessToJobObject, (handle, handle)),
        (kernel.TerminateJobObject, (handle, wintypes.UINT)),
        (kernel.CloseHandle, (handle,)),
    ):
        function.argtypes, function.restype = arguments, flag
    return kernel


groups = Jobs()
