"""The language server: what the client says comes in here, and each thing is handed to the part that knows.

One owner: everything here runs on the connection's event loop, and handlers change state in their synchronous part.
"""

from __future__ import annotations

import asyncio
import os
import time
from collections.abc import Callable, Iterable, Set
from functools import partial
from typing import TYPE_CHECKING, Any

from flow_lsp import __version__
from flow_lsp.analysis.engine import Analysis
from flow_lsp.binding.model import CommandKey
from flow_lsp.files.paths import MANIFEST_NAME, is_manifest, is_source
from flow_lsp.files.uris import path_of
from flow_lsp.files.workspace import WorkspaceFiles
from flow_lsp.findings.model import shown
from flow_lsp.host.pages import page_address
from flow_lsp.host.project import Project
from flow_lsp.host.settings import HostSettings, read_settings
from flow_lsp.server import commands, pulling, watching
from flow_lsp.server.asking import Asker
from flow_lsp.server.call_progress import shown_reading
from flow_lsp.server.capabilities import (
    ClientCapabilities,
    folder_changes,
    initialize_result,
    workspace_folders,
)
from flow_lsp.server.checking import Checker
from flow_lsp.server.contracts import ContractsFiles
from flow_lsp.server.documents import Documents, Language
from flow_lsp.server.endpoint import Endpoint, MessageType
from flow_lsp.server.features.code_lens import Lenses
from flow_lsp.server.features.completion import completion
from flow_lsp.server.features.hover import hover
from flow_lsp.server.features.inlay_hint import Hints
from flow_lsp.server.features.table import FEATURES, answer_of
from flow_lsp.server.messages import JsonText, ResponseError
from flow_lsp.server.parameters import optional
from flow_lsp.server.publisher import Items, Publisher, publish_params
from flow_lsp.server.registrations import register_call_documents, register_configuration
from flow_lsp.server.slices import Growth, worked_off
from flow_lsp.text.paths import ancestors, joined, parent

if TYPE_CHECKING:
    from flow_lsp.server.calls import Calls
    from flow_lsp.server.features.tool_view import ToolView

FIRST_CHECK = 0.01  # seconds after the workspace was read
TYPED = 1.0  # seconds without an edit of a flow.toml after which what was typed in it may be started


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
        self.contracts: ContractsFiles
        self.lenses = Lenses(self)
        self.hints = Hints(self)
        self.looks: list[Callable[[], None]] = [self.lenses.look, self.hints.look]
        """Called when everything was checked: each has the client ask again where it would be answered otherwise."""
        self._calls: Calls | None = None
        self._tool_view: ToolView | None = None
        self._user_settings = HostSettings()
        self._loading: asyncio.Task[None] | None = None
        self._workspace_read = asyncio.Event()
        self._growth = Growth()
        self._settings_asked = 0  # how many times, to take the newest answer alone
        self._typed_at = -TYPED  # when a flow.toml was last edited and not saved, on the clock of `time.monotonic`
        self._typed: asyncio.TimerHandle | None = None
        requests = {
            "initialize": self._initialize,
            "textDocument/hover": lambda params: hover(self, params),
            "textDocument/completion": lambda params: completion(self, params),
            "textDocument/codeLens": self.lenses.answer,
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
            "workspace/didCreateFiles": self._files_happened,
            "workspace/didRenameFiles": self._files_happened,
            "workspace/didDeleteFiles": self._files_deleted,
            "window/workDoneProgress/cancel": lambda params: self.calls.cancel_progress(params),
        }
        for method, handler in requests.items():
            endpoint.on_request(method, handler)
        for method in FEATURES:
            endpoint.on_request(method, partial(self._answer, method))
        for method, notified in notifications.items():
            endpoint.on_notification(method, notified)
        endpoint.on_idle(self._idle)
        endpoint.on_close(self._close)

    def _answer(self, method: str, params: Any) -> Any:
        return answer_of(method)(self, params)

    # -- the beginning ----------------------------------------------------------------------------------

    def _initialize(self, params: Any) -> dict[str, Any]:
        self.client = ClientCapabilities.of(params)
        options = optional(params, "initializationOptions", kind=dict) or {}
        given = options.get("flow", options)
        self._user_settings, problems = read_settings(given, HostSettings(), from_user=True)
        for problem in problems:
            self.endpoint.log(MessageType.WARNING, problem)
        self.project.files.set_folders(path for uri in workspace_folders(params) if (path := path_of(uri)) is not None)
        self.project.set_settings(self._user_settings)
        self.documents.encoding = self.client.encoding
        self.publisher = Publisher(
            self._publish, self.client.pulls_diagnostics, self.client.refreshes_diagnostics, f"{os.getpid()}-"
        )
        self.checker = Checker(
            self.project, self.analysis, self.documents, self.publisher, page_address, self.client, self.endpoint.fault
        )
        self.checker.on_checked = self._everything_checked
        self.checker.arguments = lambda document: self.calls.findings(document)
        # Whatever is said of trust but true means that there is none.
        said = [place.get("workspaceTrusted") for place in (options, given) if isinstance(place, dict)]
        trusted = all(value is None or value is True for value in said)
        self.asker = Asker(self.endpoint, self.project, self.client, trusted, lambda: self.checker.schedule(0.0))
        self.contracts = ContractsFiles(self.endpoint, self.project, lambda: self.checker.schedule(0.0))
        self._watcher = watching.Watcher(self)
        return initialize_result(self.client, __version__, commands.COMMANDS)

    async def _initialized(self, _: Any) -> None:
        self._loading = asyncio.create_task(self._load())
        if self.client.views_tools:
            self.tool_view.begin()
        self._watcher.register()
        self._watcher.start()
        register_call_documents(self.endpoint, self.client)
        register_configuration(self.endpoint, self.client)
        await self._pull_settings()
        self.asker.go_on()
        self.contracts.look()
        self.checker.schedule(0.0)

    async def _load(self) -> None:
        """Reads the workspace in slices, so that whatever arrives meanwhile is handled."""
        self._growth.begin()
        await worked_off(shown_reading(self.project.load_steps(), self.endpoint, self.client.work_done_progress))
        for problem in self.project.files.problems():
            self.endpoint.log(MessageType.WARNING, f"{problem.path}: {problem.sentence}")
        self.checker.ready = True
        self._workspace_read.set()
        self.project.surroundings_changed()
        self.checker.schedule(FIRST_CHECK)

    def reload(self) -> None:
        """Reads the workspace again: its folders are others."""
        if self._loading is not None:
            self._loading.cancel()
        self._loading = asyncio.get_running_loop().create_task(self._load())

    async def _close(self) -> None:
        self._growth.end()
        if hasattr(self, "checker"):
            if self._loading is not None:
                self._loading.cancel()
            if self._typed is not None:
                self._typed.cancel()
            self.checker.close()
            self._watcher.close()
            await self.contracts.close()
            if self._calls is not None:
                await self._calls.close()
            await self.asker.close()

    # -- documents --------------------------------------------------------------------------------------

    def _opened(self, params: Any) -> None:
        document = self.documents.open(params)
        if document.path is None and document.uri[:5].lower() == "file:":
            self.endpoint.log(MessageType.WARNING, f"{shown(document.uri)} names no file: its text is checked alone.")
        self.publisher.opened(document.key, document.uri, document.version, document.revision)
        self.checker.edited(document)

    def _changed(self, params: Any) -> None:
        document = self.documents.change(params)
        self.publisher.changed(document.key, document.version, document.revision)
        self.checker.edited(document)
        if document.language is Language.MANIFEST:
            self._typed_at = time.monotonic()

    def _saved(self, params: Any) -> None:
        document = self.documents.asked(params)
        key = self.checker.sync(document)
        if key is not None and document.language is not Language.OTHER:
            if document.language is Language.MANIFEST:
                self._typed_at = -TYPED
            self.project.surroundings_changed()
            self.checker.schedule()
            self.asker.refresh(self.commands_of([key]), f"{key} was saved")
            self.contracts.look()  # a client may watch nothing

    def _closed(self, params: Any) -> None:
        document = self.documents.close(params)
        if document.path is not None and document.language is not Language.ARGUMENTS:
            key = self.project.files.drop_overlay(document.path)
            self.project.touch([key])
            self.project.drop_gone()
        self.publisher.closed(document.key)
        self.checker.closed(document)
        self.lenses.closed(document)
        self.hints.closed(document)

    def _files_happened(self, params: Any) -> None:
        from flow_lsp.server.file_operations import happened

        happened(self, params)

    async def _files_deleted(self, params: Any) -> None:
        from flow_lsp.server.file_operations import deleted

        await deleted(self, params)

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
        return pulling.document_answer(self.publisher, params)

    async def _pull_workspace(self, params: Any) -> JsonText:
        await self._workspace_read.wait()
        await self.checker.check_all()
        return pulling.workspace_answer(self.publisher, params, self.endpoint.notify)

    # -- implementations --------------------------------------------------------------------------------

    def _everything_checked(self) -> None:
        """The moment to look which commands are bound now: at once, or when a flow.toml is not being typed in.

        A command that is only half typed is not one to start, or to put a question about.
        """
        self._refresh_pulled()
        for look in self.looks:
            look()
        self._want_commands()

    def _want_commands(self) -> None:
        if self._typed is not None:
            self._typed.cancel()
            self._typed = None
        pause = self._typed_at + TYPED - time.monotonic()
        if pause > 0:
            self._typed = asyncio.get_running_loop().call_later(pause, self._want_commands)
            return
        keys = [self.checker.sync(document) for document in self.documents if document.language is not Language.OTHER]
        everywhere = [*self.project.files.manifests()]
        if self.project.settings.overrides:
            everywhere.extend(self.project.source_keys())
        snapshot = self.project.snapshot()
        kept = [key for file in everywhere for key in self.analysis.commands_in_view(snapshot, file)]
        opened = self.commands_of(key for key in keys if key is not None)
        others = self.commands_of(everywhere)
        self._watcher.commands([*opened, *others])
        self.asker.want(opened, others, kept, "the workspace was checked")
        if self._calls is not None:
            self._calls.look({*opened, *others, *kept}.__contains__)

    # -- settings and folders ---------------------------------------------------------------------------

    async def _configured(self, params: Any) -> None:
        if self.client.configuration:
            await self._pull_settings()
        else:
            self._take_settings(optional(params, "settings", "flow", kind=dict))

    async def _pull_settings(self) -> None:
        if not self.client.configuration:
            return
        self._settings_asked += 1
        number = self._settings_asked
        try:
            answer = await self.endpoint.request("workspace/configuration", {"items": [{"section": "flow"}]})
        except ResponseError:
            return
        if isinstance(answer, list) and answer and number == self._settings_asked:
            self._take_settings(answer[0])

    def _take_settings(self, values: object) -> None:
        settings, problems = read_settings(values, self._user_settings, from_user=False)
        for problem in problems:
            self.endpoint.log(MessageType.WARNING, problem)
        if settings != self.project.settings:
            self.project.set_settings(settings)
            self.asker.settings_changed()
            if self._calls is not None:
                self._calls.settings_changed()
            self._watcher.register()
            self.contracts.look()
            self.checker.schedule(0.0)

    def _folders_changed(self, params: Any) -> None:
        added, removed = folder_changes(params)
        before = self.project.files.folders
        gone = {path.rstrip("/") or "/" for uri in removed if (path := path_of(uri)) is not None}
        folders = [folder for folder in before if folder not in gone]
        folders.extend(path for uri in added if (path := path_of(uri)) is not None)
        self.project.files.set_folders(folders)
        if before != self.project.files.folders:
            self.project.surroundings_changed()
            self.contracts.look()
            self.reload()

    # -- for the features -------------------------------------------------------------------------------

    @property
    def calls(self) -> Calls:
        """Documents of arguments and calls; made when the first is met, for most sessions call nothing."""
        if self._calls is None:
            from flow_lsp.server.calls import Calls

            self._calls = Calls(self)
        return self._calls

    @property
    def tool_view(self) -> ToolView:
        """The view of all Tools; made when it is first needed, for most clients have none."""
        if self._tool_view is None:
            from flow_lsp.server.features.tool_view import ToolView

            self._tool_view = ToolView(self)
        return self._tool_view

    @property
    def reading(self) -> bool:
        """Whether the workspace is being read."""
        return self._loading is not None and not self._loading.done()

    def sync_documents(self) -> None:
        """Gives the project the texts of all open documents as they stand."""
        for document in self.documents:
            self.checker.sync(document)

    def files_changed(self, keys: Set[str]) -> None:
        """The texts of these files are others, or they came or went."""
        self.project.touch(keys)
        self.project.drop_gone()
        self.project.surroundings_changed()
        self.checker.schedule(0.0 if any(map(is_manifest, keys)) else 0.05)

    def told(self, paths: Iterable[str]) -> None:
        """What is at these paths on the disk may be another."""
        self._watcher.told(paths)

    async def workspace_read(self) -> None:
        """Waits until the workspace has been read."""
        await self._workspace_read.wait()

    def commands_of(self, keys: Iterable[str]) -> list[CommandKey]:
        """The commands that these manifests and sources name or are answered by, each once."""
        snapshot = self.project.snapshot()
        files = [key for key in keys if is_manifest(key) or is_source(key)]
        return list(dict.fromkeys(found for key in files for found in self.analysis.commands_of(snapshot, key)))

    def commands_above(self, path: str) -> list[CommandKey]:
        """The commands of every manifest in whose directory the file at `path` is, at any depth."""
        return self.commands_of(joined(directory, MANIFEST_NAME) for directory in ancestors(parent(path)))
