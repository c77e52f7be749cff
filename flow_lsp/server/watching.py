"""Changes on the disk, told by the client (workspace/didChangeWatchedFiles), gathered before they are looked at.

Where the client cannot be asked to watch, the disk itself is looked at from time to time, the less often the longer
that takes.
"""

from __future__ import annotations

import asyncio
import os
import time
from collections.abc import Iterable
from itertools import chain
from typing import TYPE_CHECKING, Any

from flow_lsp.binding.model import CommandKey
from flow_lsp.files.globs import glob_matches
from flow_lsp.files.paths import absolute, is_manifest, is_source, resolved
from flow_lsp.files.uris import path_of
from flow_lsp.processes.programs import may_be_file
from flow_lsp.server.parameters import optional
from flow_lsp.text.paths import ancestors, inside, parent

if TYPE_CHECKING:
    from flow_lsp.server.language_server import LanguageServer

GATHER = 0.1  # seconds: saving by rename, a checkout or an installation come as many events
REGISTRATION = "flow-files"
GENERATED = (
    "flow_tools.py"  # what an implementation in Python says of itself to describe: it is asked when that changes
)
BETWEEN_LOOKS = 1.0  # seconds
MOST_SCRIPTS = 200  # names of files that commands name, which a client is asked to watch
LOOKING_SHARE = 50  # a look that took a second is followed by the next after that many


class Watcher:
    """What to watch, and what to do about it."""

    def __init__(self, server: LanguageServer) -> None:
        self._server = server
        self._paths: dict[str, None] = {}
        self._timer: asyncio.TimerHandle | None = None
        self._registered: tuple[str, ...] = ()
        self._scripts: dict[CommandKey, tuple[str, ...]] = {}  # the real paths of the files that a command names
        self._looking: asyncio.Task[None] | None = None

    def commands(self, keys: Iterable[CommandKey]) -> None:
        """Watches the files of the workspace that these commands name: the programs and scripts that answer Tools."""
        known = self._scripts
        self._scripts = {key: known[key] if key in known else self._files_of(key) for key in keys}
        if self._scripts.keys() != known.keys():
            self.register()

    def _files_of(self, key: CommandKey) -> tuple[str, ...]:
        roots = [resolved(folder) for folder in self._server.project.files.folders]
        paths = (resolved(absolute(os.path.join(key.directory, word))) for word in key.words if may_be_file(word))
        return tuple(path for path in paths if any(inside(path, root) for root in roots) and os.path.isfile(path))

    def start(self) -> None:
        """Begins to look at the disk, where the client watches nothing."""
        if not self._server.client.registers_watched_files and self._looking is None:
            self._looking = asyncio.get_running_loop().create_task(self._keep_looking())

    async def _keep_looking(self) -> None:
        from flow_lsp.files.polling import DiskLooks  # most clients watch

        await self._server.workspace_read()
        looks = DiskLooks(self._server.project.files, self._is_named, lambda: chain(*self._scripts.values()))
        while True:
            spent = 0.0
            steps = looks.look_steps()
            found: set[str] | None = None
            while found is None:
                begun = time.monotonic()
                try:
                    next(steps)
                except StopIteration as stopped:
                    found = stopped.value
                spent += time.monotonic() - begun
                await asyncio.sleep(0)
            self.told(found)
            await asyncio.sleep(max(BETWEEN_LOOKS, LOOKING_SHARE * spent))

    def register(self) -> None:
        """Asks the client to watch our files, and those that `flow.describe.watch` and `flow.contracts` name."""
        settings = self._server.project.settings
        contracts = dict.fromkeys(f"**/{_literal(path.rpartition('/')[2])}" for path in self._server.contracts.paths)
        scripts = {path.rpartition("/")[2] for paths in self._scripts.values() for path in paths} - {GENERATED}
        named = [f"**/{_literal(name)}" for name in sorted(scripts)[:MOST_SCRIPTS]]
        wanted = tuple(
            dict.fromkeys(
                ["**/*.flow", "**/flow.toml", f"**/{GENERATED}", *settings.describe_watch, *contracts, *named]
            )
        )
        if not self._server.client.registers_watched_files or wanted == self._registered:
            return
        request = self._server.endpoint.request
        if self._registered:
            request(
                "client/unregisterCapability",
                {"unregisterations": [{"id": REGISTRATION, "method": "workspace/didChangeWatchedFiles"}]},
            )
        self._registered = wanted
        options = {"watchers": [{"globPattern": glob} for glob in wanted]}
        registration = {
            "id": REGISTRATION,
            "method": "workspace/didChangeWatchedFiles",
            "registerOptions": options,
        }
        request("client/registerCapability", {"registrations": [registration]})

    def events(self, params: Any) -> None:
        """Takes events; the end of the burst decides, by what is there then."""
        uris = [optional(change, "uri", kind=str) for change in optional(params, "changes", kind=list) or []]
        self.told(path for uri in uris if uri is not None and (path := path_of(uri)) is not None)

    def told(self, paths: Iterable[str]) -> None:
        """What is at these paths may be another: it is looked at in a moment."""
        self._paths.update(dict.fromkeys(paths))
        if self._paths and self._timer is None:
            self._timer = asyncio.get_running_loop().call_later(GATHER, self._look)

    def close(self) -> None:
        """Nothing more is looked at."""
        for waiting in (self._timer, self._looking):
            if waiting is not None:
                waiting.cancel()

    def _look(self) -> None:
        self._timer = None
        paths, self._paths = self._paths, {}
        server = self._server
        changed = server.project.files.refresh_all(paths)
        commands: dict[Any, None] = {}
        moved = False
        if server.contracts.concerns(paths):
            server.contracts.look()
        for path in paths:
            if self._is_named(path):
                commands.update((key, None) for key in server.commands_above(path))
            real = resolved(path)
            if not (is_manifest(path) or is_source(path)) and server.project.forget_programs_at(path):
                moved = True
            commands.update((key, None) for key, files in self._scripts.items() if real in files)
        if moved:
            server.checker.schedule()
        if changed:
            server.files_changed(changed)
            commands.update((key, None) for key in server.commands_of(changed))
        if commands:
            server.asker.refresh(commands, "a file changed on the disk")

    def _is_named(self, path: str) -> bool:
        """Whether the file is a generated one, or `flow.describe.watch` names it, from a workspace folder or a
        manifest's directory.

        A client may tell of files that others want to hear of.
        """
        if path.rpartition("/")[2] == GENERATED:
            return True
        globs = self._server.project.settings.describe_watch
        if not globs or is_manifest(path) or is_source(path):
            return False
        real = resolved(path)
        bases = {directory for above in (path, real) for directory in ancestors(parent(above))}
        files = self._server.project.files
        bases &= {*files.folders, *map(resolved, files.folders), *map(parent, files.manifests())}
        relative = {file[len(base.rstrip("/")) + 1 :] for base in bases for file in (path, real) if inside(file, base)}
        return any(glob_matches(glob, name) for glob in globs for name in relative)


def _literal(name: str) -> str:
    """A glob of the LSP that only `name` matches."""
    return "".join(f"[{letter}]" if letter in "*?[]{}" else letter for letter in name)
