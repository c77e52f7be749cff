"""What is asked of Windows, with a kernel that only records: the order of the calls, and the layouts of winnt.h."""

from __future__ import annotations

import ctypes
import subprocess
from typing import Any

import pytest

from flow_lsp.processes import windows
from flow_lsp.processes.windows import Jobs


class Process:
    pid = 77
    _handle = 5


class Kernel:
    """Jobs are numbered from 100; `refused` names the call that fails."""

    def __init__(self, refused: str = "", active: int = 0) -> None:
        self.refused = refused
        self.active = active
        self.calls: list[tuple[Any, ...]] = []

    def CreateJobObjectW(self, *arguments: Any) -> int:  # noqa: N802
        return self._called("CreateJobObjectW", *arguments) and 100

    def SetInformationJobObject(self, job: int, kind: int, limits: Any, size: int) -> int:  # noqa: N802
        return self._called("SetInformationJobObject", job, kind, limits._obj.basic.limit_flags, size)

    def QueryInformationJobObject(self, job: int, kind: int, found: Any, size: int, _: Any) -> int:  # noqa: N802
        found._obj.active_processes = self.active
        return self._called("QueryInformationJobObject", job, kind, size)

    def __getattr__(self, name: str) -> Any:
        return lambda *arguments: self._called(name, *arguments)

    def _called(self, name: str, *arguments: Any) -> int:
        self.calls.append((name, *arguments))
        return int(name != self.refused)


def jobs_with(kernel: Kernel, monkeypatch: pytest.MonkeyPatch) -> Jobs:
    monkeypatch.setattr(windows, "_kernel", lambda: kernel)
    jobs = Jobs()
    monkeypatch.setattr(windows, "groups", jobs)
    with jobs.starting(0) as started:
        started(Process())  # type: ignore[arg-type]
    return jobs


def test_a_child_is_put_into_a_job_that_ends_with_its_handle(monkeypatch: pytest.MonkeyPatch) -> None:
    kernel = Kernel(active=2)
    jobs = jobs_with(kernel, monkeypatch)
    size = ctypes.sizeof(windows.ExtendedLimits)
    assert kernel.calls == [
        ("CreateJobObjectW", None, None),
        ("SetInformationJobObject", 100, 9, 0x2000, size),
        ("AssignProcessToJobObject", 100, 5),
    ]
    assert windows.group_is_alive(77)
    kernel.active = 0
    assert not windows.group_is_there(77)
    assert windows.signal_group(77, windows.KILL)
    jobs.close()
    assert kernel.calls[-2:] == [("TerminateJobObject", 100, 9), ("CloseHandle", 100)]
    jobs.discard(77)
    assert not windows.group_is_alive(77)
    assert kernel.calls[-1:] == [("CloseHandle", 100)]


@pytest.mark.parametrize("refused", ["CreateJobObjectW", "SetInformationJobObject", "AssignProcessToJobObject"])
def test_a_child_goes_on_without_a_job(monkeypatch: pytest.MonkeyPatch, refused: str) -> None:
    kernel = Kernel(refused)
    jobs = jobs_with(kernel, monkeypatch)
    assert (("CloseHandle", 100) in kernel.calls) == (refused != "CreateJobObjectW")
    asked: list[list[str]] = []

    def run(command: list[str], **_: object) -> subprocess.CompletedProcess[bytes]:
        asked.append(command)
        return subprocess.CompletedProcess(command, 0)

    monkeypatch.setattr(subprocess, "run", run)
    assert windows.signal_group(77, windows.KILL)
    assert windows.signal_group(77, windows.TERMINATE)
    assert asked == [["taskkill", "/T", "/F", "/PID", "77"], ["taskkill", "/T", "/PID", "77"]]
    assert not windows.group_is_alive(77)
    jobs.close()


@pytest.mark.skipif(ctypes.sizeof(ctypes.c_void_p) != 8, reason="the sizes are those of 64 bits")
def test_structures_have_the_sizes_of_the_documentation() -> None:
    sizes = [ctypes.sizeof(kind) for kind in (windows.BasicLimits, windows.ExtendedLimits, windows.Accounting)]
    assert sizes == [64, 144, 48]
