"""The language server: what the client says comes in here, and each thing is handed to the part that knows.

One owner: everything here runs on the connection's event loop, and handlers change state in their synchronous part.
"""

from __future__ import annotations

import asyncio
import os
from collections.abc import Iterator
from typing import Any

from flow_lsp import __version__
from flow_lsp.analysis.engine import Analysis
from flow_lsp.binding.model import CommandKey
from flow_lsp.files.paths import is_manifest, parent
from flow_lsp.files.uris import normalized, path_of
from flow_lsp.files.workspace import WorkspaceFiles
from flow_lsp.host.pages import page_address
from flow_lsp.host.project import Project
from flow_lsp.host.settings import HostSettings, read_settings
from flow_lsp.server import commands, watching
from flow_lsp.server.asking import Asker
from flow_lsp.server.capabilities import (
    ClientCapabilities,
    folder_changes,
    initialize_result,
    workspace_folders,
)
from flow_lsp.server.checking import Checker
from flow_lsp.server.documents import Documents, Language
from flow_lsp.server.endpoint import Endpoint, MessageType
from flow_lsp.server.features.completion import completion
from flow_lsp.server.features.hover import hover
from flow_lsp.server.messages import JsonText, ResponseError
from flow_lsp.server.parameters import optional
from flow_lsp.server.publisher import Items, Publisher, publish_params

FIRST_CHECK = 0.01  # seconds after the workspace was read


class LanguageServer:
    """One session with one editor."""

    def __init__(self, endpoint: Endpoint) -> None:
        self.endpoint = endpoint
        self.client = ClientCapabilities()
        self.project = Project(WorkspaceFiles())
        self.analysis = Analysis()
        self.documents = Documents()
        self.publisher = Publisher(self._publish)
        self.checker: Checker
        self.asker: Asker
        self._user_settings = HostSettings()
        self._loading: asyncio.Task[None] | None = None
        self._waiting_for_workspace: asyncio.Event = asyncio.Event()
        requests = {
            "initialize": self._initialize,
            "textDocument/hover": lambda params: hover(self, params),
            "textDocument/completion": lambda params: completion(self, params),
            "textDocument/diagnostic": self._pull_document,
            "workspace/diagnostic": self._pull_workspace,
            "workspace/executeCommand": lambda params: commands.execute(self, params),
        }
        notifications = {
            "initialized": self._initialized,
            "textDocument/didOpen": self._opened,
            "textDocument/didChange": self._changed,
            "textDocument/didSave": self._saved,
            "textDocument/didClose": self._closed,
            "workspace/didChangeConfiguration": self._configured,
            "workspace/didChangeWorkspaceFolders": self._folders_changed,
            "workspace/didChangeWatchedFiles": lambda params: self._watcher.events(params),
        }
        for method, handler in requests.items():
            endpoint.on_request(method, handler)
        for method, notified in notifications.items():
            endpoint.on_notification(method, notified)
        endpoint.on_idle(self._idle)
        endpoint.on_close(self._close)

    # -- the beginning ----------------------------------------------------------------------------------

    def _initialize(self, params: Any) -> dict[str, Any]:
        self.client = ClientCapabilities.of(params)
        options = optional(params, "initializationOptions", kind=dict) or {}
        given = options.get("flow", options)
        self._user_settings, problems = read_settings(given, HostSettings(), from_user=True)
        for problem in problems:
            self.endpoint.log(MessageType.WARNING, problem)
        self.project.files.set_folders(
            path for uri in workspace_folders(params) if (path := path_of(uri)) is not None
        )
        self.project.set_settings(self._user_settings)
        self.documents.encoding = self.client.encoding
        self.publisher = Publisher(
            self._publish, self.client.pulls_diagnostics, self.client.refreshes_diagnostics, f"{os.getpid()}-"
        )
        self.checker = Checker(self.project, self.analysis, self.documents, self.publisher, page_address, self.client)
        self.checker.on_checked = self._everything_checked
        trusted = optional(options, "workspaceTrusted", kind=bool)
        self.asker = Asker(
            self.endpoint, self.project, self.client, trusted is not False, lambda: self.checker.schedule(0.0)
        )
        self._watcher = watching.Watcher(self)
        return initialize_result(self.client, __version__, commands.COMMANDS)

    async def _initialized(self, _: Any) -> None:
        self._loading = asyncio.create_task(self._load())
        self._watcher.register()
        if self.client.registers_configuration:
            self.endpoint.request(
                "client/registerCapability",
                {
                    "registrations": [
                        {
                            "id": "flow-configuration",
                            "method": "workspace/didChangeConfiguration",
                            "registerOptions": {"section": "flow"},
                        }
                    ]
                },
            )
        await self._pull_settings()

    async def _load(self) -> None:
        """Reads the workspace in slices, so that whatever arrives meanwhile is handled."""
        for _ in self.project.load_steps():
            await asyncio.sleep(0)
        for problem in self.project.files.problems():
            self.endpoint.log(MessageType.WARNING, f"{problem.path}: {problem.sentence}")
        self.checker.ready = True
        self._waiting_for_workspace.set()
        self.project.surroundings_changed()
        self.checker.schedule(FIRST_CHECK)

    def reload(self) -> None:
        """Reads the workspace again: its folders are others."""
        if self._loading is not None:
            self._loading.cancel()
        self._loading = asyncio.get_running_loop().create_task(self._load())

    async def _close(self) -> None:
        if hasattr(self, "checker"):
            if self._loading is not None:
                self._loading.cancel()
            self.checker.close()
            self._watcher.close()
            await self.asker.close()

    # -- documents --------------------------------------------------------------------------------------

    def _opened(self, params: Any) -> None:
        document = self.documents.open(params)
        self.publisher.opened(document.key, document.uri, document.version, document.revision)
        self.checker.edited(document)

    def _changed(self, params: Any) -> None:
        document = self.documents.change(params)
        self.publisher.changed(document.key, document.version, document.revision)
        self.checker.edited(document)

    def _saved(self, params: Any) -> None:
        document = self.documents.asked(params)
        key = self.checker.sync(document)
        if key is not None and document.language is not Language.OTHER:
            self.project.surroundings_changed()
            self.checker.schedule()
            snapshot = self.project.snapshot()
            self.asker.refresh(self.analysis.commands_of(snapshot, key), f"{key} was saved")

    def _closed(self, params: Any) -> None:
        document = self.documents.close(params)
        if document.path is not None:
            key = self.project.files.drop_overlay(document.path)
            self.project.touch([key])
            self.project.drop_gone()
        self.publisher.closed(document.key)
        self.checker.closed(document)

    def _idle(self) -> None:
        if hasattr(self, "checker"):
            self.checker.check_edited()
            self._refresh_pulled()

    def _refresh_pulled(self) -> None:
        if self.client.refreshes_diagnostics and self.publisher.take_refresh():
            self.endpoint.request("workspace/diagnostic/refresh", None)

    # -- diagnostics ------------------------------------------------------------------------------------

    def _publish(self, uri: str, version: int | None, items: Items) -> None:
        self.endpoint.notify("textDocument/publishDiagnostics", publish_params(uri, version, items))

    def _pull_document(self, params: Any) -> JsonText:
        document = self.documents.asked(params)
        self.checker.check_now(document)
        return self.publisher.report(document.key, optional(params, "previousResultId", kind=str))

    async def _pull_workspace(self, params: Any) -> JsonText:
        await self._waiting_for_workspace.wait()
        self.checker.check_all()
        previous = {}
        for entry in optional(params, "previousResultIds", kind=list) or []:
            uri, value = optional(entry, "uri", kind=str), optional(entry, "value", kind=str)
            if uri is not None and value is not None:
                previous[normalized(uri)] = uri, value
        return JsonText(f'{{"items":[{",".join(self.publisher.workspace_report(previous))}]}}')

    # -- implementations --------------------------------------------------------------------------------

    def _everything_checked(self) -> None:
        """The moment to look which commands are bound now."""
        snapshot = self.project.snapshot()
        open_keys: list[CommandKey] = []
        for document in self.documents:
            key = self.checker.sync(document)
            if key is not None and document.language is not Language.OTHER:
                open_keys.extend(self.analysis.commands_of(snapshot, key))
        self.asker.want(list(dict.fromkeys(open_keys)), self._all_commands(), "the workspace was checked")
        self._refresh_pulled()

    def _all_commands(self) -> Iterator[CommandKey]:
        snapshot = self.project.snapshot()
        for file in snapshot.manifests.values():
            yield from self.analysis.commands_of(snapshot, file.path)
        yield from snapshot.settings.overrides.values()

    # -- settings and folders ---------------------------------------------------------------------------

    async def _configured(self, params: Any) -> None:
        if self.client.configuration:
            await self._pull_settings()
        else:
            self._take_settings(optional(params, "settings", "flow", kind=dict))

    async def _pull_settings(self) -> None:
        if not self.client.configuration:
            return
        try:
            answer = await self.endpoint.request("workspace/configuration", {"items": [{"section": "flow"}]})
        except ResponseError:
            return
        if isinstance(answer, list) and answer:
            self._take_settings(answer[0])

    def _take_settings(self, values: object) -> None:
        settings, problems = read_settings(values, self._user_settings, from_user=False)
        for problem in problems:
            self.endpoint.log(MessageType.WARNING, problem)
        if settings != self.project.settings:
            self.project.set_settings(settings)
            self.asker.settings_changed()
            self._watcher.register()
            self.checker.schedule(0.0)

    def _folders_changed(self, params: Any) -> None:
        added, removed = folder_changes(params)
        gone = {path_of(uri) for uri in removed}
        folders = [folder for folder in self.project.files.folders if folder not in gone]
        folders.extend(path for uri in added if (path := path_of(uri)) is not None)
        if tuple(folders) != self.project.files.folders:
            self.project.files.set_folders(folders)
            self.project.surroundings_changed()
            self.reload()

    # -- for the features -------------------------------------------------------------------------------

    def files_changed(self, keys: set[str]) -> None:
        """The texts of these files are others, or they came or went."""
        self.project.touch(keys)
        self.project.drop_gone()
        self.project.surroundings_changed()
        self.checker.schedule(0.0 if any(map(is_manifest, keys)) else 0.05)

    def commands_below(self, path: str) -> list[CommandKey]:
        """The commands of the nearest manifest above `path`."""
        snapshot = self.project.snapshot()
        directory = parent(path)
        while True:
            file = snapshot.manifests.get(directory)
            if file is not None:
                return list(self.analysis.commands_of(snapshot, file.path))
            above = parent(directory)
            if above == directory:
                return []
            directory = above
