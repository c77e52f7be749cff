"""The contracts files of the setting `flow.contracts`, kept in step with the disk.

They are read in a thread, one reading after another; while a file cannot be used, its contracts count as none and the
user is told once.
"""

from __future__ import annotations

import asyncio
import os
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass

from flow_lsp.analysis.snapshot import Described
from flow_lsp.binding.model import CommandKey
from flow_lsp.files.paths import absolute, resolved
from flow_lsp.files.reading import FileStamp, file_stamp
from flow_lsp.findings.model import shown
from flow_lsp.host.project import Project
from flow_lsp.server.endpoint import Endpoint, MessageType


@dataclass(frozen=True, slots=True)
class _Read:
    """What was read of one file, and of what state of it; a sentence where it gave no contracts."""

    stamp: FileStamp | None
    contracts: Mapping[CommandKey, Described]
    problem: str | None


class ContractsFiles:
    """Gives the project what the files recorded. `changed` is called when findings may be others."""

    def __init__(self, endpoint: Endpoint, project: Project, changed: Callable[[], None]) -> None:
        self._endpoint = endpoint
        self._project = project
        self._changed = changed
        self._read: dict[str, _Read] = {}
        self._reading: asyncio.Task[None] | None = None
        self._again = False

    @property
    def paths(self) -> dict[str, str]:
        """The files, as the setting has them, by their absolute paths. One that is relative to a folder is left out
        where there is no folder."""
        folders = self._project.files.folders
        usable = [path for path in self._project.settings.contracts if folders or os.path.isabs(path)]
        return {absolute(os.path.join(folders[0] if folders else "/", path)): path for path in usable}

    def look(self) -> None:
        """Reads the files of which another state stands on the disk than was read, or that were not read yet."""
        if self._reading is not None:
            self._again = True
        elif self._read or self._project.settings.contracts:
            self._reading = asyncio.get_running_loop().create_task(self._look())

    def concerns(self, paths: Iterable[str]) -> bool:
        """Whether one of these paths, which changed on the disk, may be one of the files or a folder on its way."""
        files = {spelt for path in self.paths for spelt in (path, resolved(path))}
        return any(file == path or file.startswith(path + "/") for path in paths for file in files)

    async def close(self) -> None:
        """Nothing more is read."""
        if self._reading is not None:
            self._reading.cancel()

    async def _look(self) -> None:
        try:
            self._again = True
            while self._again:
                self._again = False
                paths = self.paths
                read = await asyncio.to_thread(_read_all, paths, dict(self._read))
                self._take(read)
        finally:
            self._reading = None

    def _take(self, read: dict[str, _Read]) -> None:
        from flow_lsp.host.contracts import newest

        before, self._read = self._read, read
        for path, one in read.items():
            known = before.get(path)
            if one.problem is not None and (known is None or known.problem != one.problem):
                self._endpoint.notify("window/showMessage", {"type": int(MessageType.WARNING), "message": one.problem})
        contracts = newest(one.contracts for one in read.values())
        if contracts != self._project.contracts:
            self._project.set_contracts(contracts)
            self._changed()


def _read_all(paths: Mapping[str, str], known: Mapping[str, _Read]) -> dict[str, _Read]:
    return {path: _read_one(path, name, known.get(path)) for path, name in paths.items()}


def _read_one(path: str, name: str, known: _Read | None) -> _Read:
    from flow_lsp.host.contracts import ContractsProblem, in_folder, read_contracts_file

    stamp = file_stamp(path)
    if known is not None and known.stamp is not None and stamp is not None and known.stamp.shows_unchanged(stamp):
        return known
    found = read_contracts_file(path)
    if not isinstance(found, ContractsProblem):
        return _Read(stamp, in_folder(found, path), None)
    problem = f"The contracts file {shown(name)}{found.where} cannot be used. {found.sentence}"
    return _Read(stamp, {}, problem)
