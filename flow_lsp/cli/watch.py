"""`flow-lsp check --watch`: the same check again, at every change of a file or of a program that answers Tools."""

from __future__ import annotations

import argparse
import asyncio
import gc
import sys
import time
from collections.abc import Iterable, Mapping, Sequence

from flow_lsp.binding.model import CommandKey
from flow_lsp.cli.check import formatted
from flow_lsp.cli.implementations import ask, ended_by_signal, made_implementations
from flow_lsp.cli.report import make_report
from flow_lsp.cli.terminal import ProgressLine, amount, write
from flow_lsp.cli.usage import UsageError
from flow_lsp.cli.workspace import Workspace, open_workspace
from flow_lsp.files.polling import DiskLooks
from flow_lsp.host.implementations import Implementations
from flow_lsp.processes.programs import Program, command_stamps, resolve_program

BETWEEN_LOOKS = 0.3  # seconds
LOOKING_SHARE = 20  # a look that took a second is followed by the next after that many
_CLEAR = "\x1b[H\x1b[2J"  # what was scrolled away stays


def watch(options: argparse.Namespace) -> int:
    """Checks until a signal ends it, which raises KeyboardInterrupt or SystemExit. Raises UsageError."""
    if options.format != "text":
        raise UsageError("--watch prints text alone; leave --format out.")
    gc.enable()  # what is checked again and again leaves something behind each time
    opened = open_workspace(options)
    if options.contracts:
        from flow_lsp.cli.contracts import use_contracts

        use_contracts(opened.project, options.contracts)
    with ended_by_signal():
        asyncio.run(_Watch(opened, options).run())
    return 0


class _Watch:
    def __init__(self, opened: Workspace, options: argparse.Namespace) -> None:
        self._opened = opened
        self._options = options
        self._progress = ProgressLine()
        self._looks = DiskLooks(opened.project.files)
        self._stamps: Mapping[CommandKey, object] = {}

    async def run(self) -> None:
        implementations = made_implementations(self._opened, self._progress)
        try:
            while True:
                await self._check(implementations)
                while not await self._changed(implementations):
                    pass
        finally:
            self._progress.clear()
            await implementations.close()

    async def _check(self, implementations: Implementations) -> None:
        opened, describes = self._opened, not self._options.no_describe
        keys = opened.commands if describes else []
        self._stamps = _stamps(keys)
        implementations.keep_only(keys)
        if keys:
            await ask(implementations, keys, self._progress)
        opened.project.set_described(implementations.all_described(), implementations.undescribed())
        text = formatted(make_report(opened, described=describes), self._options)
        files = amount(len(opened.keys), "file")
        clear = _CLEAR if sys.stdout.isatty() else ""
        write(f"{clear}{text}\n[{time.strftime('%H:%M:%S')}] watching {files}; Ctrl-C ends it.\n")

    async def _changed(self, implementations: Implementations) -> bool:
        """Waits, looks, and takes in what is other than before; whether anything is."""
        begun = time.monotonic()
        found = self._looks.look()
        changed = {key for path in found for key in self._opened.project.files.refresh(path)}
        others = [key for key, stamp in _stamps(self._stamps).items() if stamp != self._stamps[key]]
        if not changed and not others:
            await asyncio.sleep(max(BETWEEN_LOOKS, LOOKING_SHARE * (time.monotonic() - begun)))
            return False
        project = self._opened.project
        project.touch(changed)
        project.drop_gone()
        project.forget_programs()
        implementations.refresh(others, "its program changed")
        before = self._opened
        self._opened = Workspace(project, before.whole, before.named, before.analysis)
        return True


def _stamps(keys: Iterable[CommandKey]) -> dict[CommandKey, object]:
    """What tells of each command that its program is another one."""
    return {key: _stamp(key) for key in keys}


def _stamp(key: CommandKey) -> Sequence[object]:
    program = resolve_program(key.directory, key.words[0])
    return (program.path, *command_stamps(key.directory, key.words, program)) if isinstance(program, Program) else ()
