"""An editor for tests: the real server as a process, driven by a client that checks every message's shape.

`Editor` is one session in a `session_workspace.Workspace`. When a session ends it proves that the
server left with the status 0, that its output held nothing but messages, that its standard error says nothing of
a fault, and that no process is left.
"""

from __future__ import annotations

import asyncio
import os
import re
import sys
import time
import uuid
from collections.abc import Callable
from pathlib import Path
from typing import Any

from lsprotocol import types
from pygls.io_ import run_async
from pytest_lsp.client import DEFAULT_CLIENT_FEATURES, LanguageClient, register_lsp_features
from session_client import (
    CONVERTER,
    Question,
    Recorder,
    assert_only_messages,
    capabilities,
    plain_function,
    processes_with,
)
from session_workspace import Workspace

SECONDS = 20.0  # for any one event; far more than needed
SERVER = str(Path(sys.executable).with_name("flow-lsp"))


class Editor:
    """One session. `published` are all publications in order, `configuration` is what the client answers when it is
    asked for its settings, once `configuration_gate` is set, if it has one; `more_features` what else it answers."""

    more_features: dict[str, Any] = {}  # noqa: RUF012 - by method, and never changed

    def __init__(self, workspace: Workspace, state: Path) -> None:
        self.workspace = workspace
        self.published: list[types.PublishDiagnosticsParams] = []
        self.questions: list[Question] = []
        self.registrations: dict[str, types.Registration] = {}
        self.registered: list[str] = []  # everything ever registered or withdrawn, for the order
        self.progress: list[tuple[types.ProgressToken, dict[str, Any]]] = []
        self.created_progress: list[types.ProgressToken] = []
        self.configuration: object = None
        self.configuration_gate: asyncio.Event | None = None
        self.configurations_asked = 0
        self.refreshes = 0
        self.logs: list[str] = []
        self.marker = uuid.uuid4().hex
        self.environment = {
            **os.environ,
            "FLOW_LSP_STRICT": "1",
            "FLOW_LSP_STATE_DIRECTORY": str(state),
            "FLOW_LSP_TEST_MARKER": self.marker,
        }
        self._happened = asyncio.Event()
        self._versions: dict[str, int] = {}
        self.client = LanguageClient(converter_factory=lambda: CONVERTER)
        self._register()

    # -- the beginning and the end ----------------------------------------------------------------------

    async def start(
        self,
        can: types.ClientCapabilities | None = None,
        *,
        options: object = None,
        folders: list[str] | None = None,
        root_uri: str | None = None,
        command: list[str] | None = None,
    ) -> types.InitializeResult:
        """Starts the server and initializes it. `folders` are URIs; the workspace's folder where it is None."""
        server = await asyncio.create_subprocess_exec(
            *(command or [SERVER]),
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.PIPE,
            env=self.environment,
            limit=64 * 1024 * 1024,
        )
        self.process = server
        assert server.stdout is not None
        assert server.stderr is not None
        self._recorder = Recorder(server.stdout)
        self.client.protocol.set_writer(server.stdin)
        self._reading = asyncio.create_task(
            run_async(
                stop_event=self.client._stop_event,
                reader=self._recorder,
                protocol=self.client.protocol,
                error_handler=self.client.report_server_error,
            )
        )
        self._errors = asyncio.create_task(server.stderr.read())
        self.client.capabilities = can or capabilities()
        names = [self.workspace.uri()] if folders is None else folders
        params = types.InitializeParams(
            capabilities=self.client.capabilities,
            process_id=os.getpid(),
            root_uri=root_uri,
            workspace_folders=[types.WorkspaceFolder(uri=uri, name=uri) for uri in names] or None,
            initialization_options=options,
        )
        self.result = await self.answer(self.client.initialize_async(params))
        self.client.initialized(types.InitializedParams())
        return self.result

    async def leave(self) -> None:
        """Ends the session, and proves that it was clean."""
        await self.answer(self.client.shutdown_async(None))
        self.client.exit(None)
        await self.ended(0)

    async def ended(self, status: int | None) -> None:
        """The server has ended with `status`; its streams were clean, and nothing is left of it."""
        found = await asyncio.wait_for(self.process.wait(), SECONDS)
        errors = (await asyncio.wait_for(self._errors, SECONDS)).decode("utf-8", "replace")
        await asyncio.wait_for(self._reading, SECONDS)
        await self._close_input()
        assert self.left() == []
        assert "FAULT" not in errors, errors
        assert "Traceback" not in errors, errors
        assert found == status, errors
        assert self.client.error is None
        assert_only_messages(bytes(self._recorder.data))

    async def _close_input(self) -> None:
        assert self.process.stdin is not None
        self.process.stdin.close()
        try:
            await self.process.stdin.wait_closed()
        except (BrokenPipeError, ConnectionResetError):
            return

    async def abandon(self) -> None:
        """Ends what is left after a failed test."""
        if self.process.returncode is None:
            self.process.kill()
            await self.process.wait()
        for task in (self._reading, self._errors):
            task.cancel()
        await asyncio.gather(self._reading, self._errors, return_exceptions=True)
        await self._close_input()
        for pid in self.left():
            os.kill(pid, 9)

    def left(self) -> list[int]:
        """The processes that carry this session's marker."""
        return processes_with(self.marker)

    # -- waiting ------------------------------------------------------------------------------------------

    async def answer(self, request: Any) -> Any:
        """The answer to a request, within the bound."""
        return await asyncio.wait_for(request, SECONDS)

    async def until(self, condition: Callable[[], Any]) -> Any:
        """The first true value of `condition`, looked at after each message of the server."""
        deadline = time.monotonic() + SECONDS
        while not (found := condition()):
            self._happened.clear()
            left = deadline - time.monotonic()
            assert left > 0, f"it never came; published: {self.said()}, questions: {len(self.questions)}"
            assert not self._reading.done(), f"the server has ended: {self._errors}"
            try:
                await asyncio.wait_for(self._happened.wait(), min(left, 1.0))
            except TimeoutError:
                continue
        return found

    async def started(self, name: str = "starts", times: int = 1) -> None:
        """Waits until an implementation with `--log name` has been started so many times."""
        deadline = time.monotonic() + SECONDS
        while len(self.workspace.starts(name)) < times:
            assert time.monotonic() < deadline, f"{name}: {self.workspace.starts(name)}"
            await asyncio.wait({self._reading}, timeout=0.02)
        assert len(self.workspace.starts(name)) == times

    async def current(self, name: str, line: int = 0, character: int = 10) -> str:
        """The hover of a Tool once its implementation has been asked."""
        deadline = time.monotonic() + SECONDS
        while "answer: current" not in (text := await self.hover(name, line, character)):
            assert time.monotonic() < deadline, text
            await asyncio.wait({self._reading}, timeout=0.02)
        return text

    async def alone(self) -> None:
        """Waits until no process but the server is there; ending one takes some seconds at most."""
        deadline = time.monotonic() + SECONDS
        while (left := self.left()) != [self.process.pid]:
            assert time.monotonic() < deadline, f"processes are left: {left}"
            await asyncio.wait({self._reading}, timeout=0.02)

    async def quiet(self, seconds: float = 0.5) -> None:
        """Waits until the server has said nothing for so long: the one way to see that something does not come."""
        deadline = time.monotonic() + SECONDS
        while True:
            assert time.monotonic() < deadline, "the server does not come to rest"
            self._happened.clear()
            try:
                await asyncio.wait_for(self._happened.wait(), seconds)
            except TimeoutError:
                return

    async def everything_checked(self) -> dict[str, list[str]]:
        """Has all of the workspace checked now; what is then published, by file."""
        report = await self.pull_workspace()
        full = types.WorkspaceFullDocumentDiagnosticReport
        pulled = {item.uri: len(item.items) for item in report.items if isinstance(item, full)}
        assert all(pulled.get(uri, 0) == len(found) for uri, found in self.client.diagnostics.items())
        return self.said()

    # -- documents ----------------------------------------------------------------------------------------

    def open(self, name: str, text: str | None = None, *, version: int = 1, language: str | None = None) -> str:
        """Opens a file of the workspace, or a URI, and gives its URI."""
        uri = name if re.match(r"[a-z-]+:", name) else self.workspace.uri(name)
        if text is None:
            text = self.workspace.path(name).read_bytes().decode("utf-8-sig")
        language = language or ("toml" if uri.endswith(".toml") else "flow")
        self._versions[uri] = version
        item = types.TextDocumentItem(uri=uri, language_id=language, version=version, text=text)
        self.client.text_document_did_open(types.DidOpenTextDocumentParams(text_document=item))
        return uri

    def change(self, name: str, *changes: str | tuple[tuple[int, int], tuple[int, int], str]) -> int:
        """Changes an open document, by whole texts or by (start, end, text); gives the new version."""
        uri = self._uri(name)
        self._versions[uri] += 1
        content = [
            types.TextDocumentContentChangeWholeDocument(text=change)
            if isinstance(change, str)
            else types.TextDocumentContentChangePartial(
                range=types.Range(types.Position(*change[0]), types.Position(*change[1])), text=change[2]
            )
            for change in changes
        ]
        document = types.VersionedTextDocumentIdentifier(uri=uri, version=self._versions[uri])
        self.client.text_document_did_change(
            types.DidChangeTextDocumentParams(text_document=document, content_changes=content)
        )
        return self._versions[uri]

    def save(self, name: str) -> None:
        self.client.text_document_did_save(types.DidSaveTextDocumentParams(text_document=self.identifier(name)))

    def close(self, name: str) -> None:
        self._versions.pop(self._uri(name), None)
        self.client.text_document_did_close(types.DidCloseTextDocumentParams(text_document=self.identifier(name)))

    def identifier(self, name: str) -> types.TextDocumentIdentifier:
        return types.TextDocumentIdentifier(uri=self._uri(name))

    def version(self, name: str) -> int:
        return self._versions[self._uri(name)]

    def watched(self, *names: str, kind: types.FileChangeType = types.FileChangeType.Changed) -> None:
        """Events of the file watcher, all in one notification."""
        events = [types.FileEvent(uri=self._uri(name), type=kind) for name in names]
        self.client.workspace_did_change_watched_files(types.DidChangeWatchedFilesParams(changes=events))

    def change_folders(self, added: list[str] = (), removed: list[str] = ()) -> None:
        event = types.WorkspaceFoldersChangeEvent(
            added=[types.WorkspaceFolder(uri=uri, name=uri) for uri in added],
            removed=[types.WorkspaceFolder(uri=uri, name=uri) for uri in removed],
        )
        self.client.workspace_did_change_workspace_folders(types.DidChangeWorkspaceFoldersParams(event=event))

    def configure(self, settings: object = None) -> None:
        """The settings changed: `configuration` is what is asked for; `settings` is sent along."""
        self.client.workspace_did_change_configuration(types.DidChangeConfigurationParams(settings=settings))

    # -- requests -----------------------------------------------------------------------------------------

    async def hover(self, name: str, line: int, character: int) -> str:
        """The hover's text; empty where there is none."""
        params = types.HoverParams(self.identifier(name), types.Position(line, character))
        found = await self.answer(self.client.text_document_hover_async(params))
        return "" if found is None else found.contents.value

    async def complete(self, name: str, line: int, character: int) -> list[str]:
        params = types.CompletionParams(self.identifier(name), types.Position(line, character))
        found = await self.answer(self.client.text_document_completion_async(params))
        return [item.label for item in found.items]

    async def pull(self, name: str, previous: str | None = None) -> Any:
        params = types.DocumentDiagnosticParams(self.identifier(name), previous_result_id=previous)
        return await self.answer(self.client.text_document_diagnostic_async(params))

    async def pull_workspace(self, previous: list[types.PreviousResultId] = ()) -> types.WorkspaceDiagnosticReport:
        params = types.WorkspaceDiagnosticParams(previous_result_ids=list(previous))
        return await self.answer(self.client.workspace_diagnostic_async(params))

    async def describe(self, *names: str) -> None:
        """Runs the command flow.describe."""
        params = types.ExecuteCommandParams("flow.describe", [self._uri(name) for name in names] or None)
        await self.answer(self.client.workspace_execute_command_async(params))

    # -- what came ----------------------------------------------------------------------------------------

    def found(self, name: str) -> list[types.Diagnostic]:
        """What the editor shows for a file."""
        return list(self.client.diagnostics.get(self._uri(name), ()))

    def codes(self, name: str) -> list[str]:
        return sorted(str(item.code) for item in self.found(name))

    def message(self, name: str, code: str) -> str:
        """The message of the first finding of that code; empty where there is none."""
        return next((item.message for item in self.found(name) if item.code == code), "")

    def said(self) -> dict[str, list[str]]:
        """The codes that the editor shows, by file; files without any are left out."""
        root = self.workspace.uri() + "/"
        return {
            uri.removeprefix(root): sorted(str(item.code) for item in found)
            for uri, found in sorted(self.client.diagnostics.items())
            if found
        }

    def publications(self, name: str) -> list[types.PublishDiagnosticsParams]:
        return [params for params in self.published if params.uri == self._uri(name)]

    async def shows(self, name: str, *codes: str, version: int | None = None) -> list[types.Diagnostic]:
        """Waits until the editor shows exactly these codes for a file (of that version)."""

        def shown() -> bool:
            last = next((params for params in reversed(self.publications(name))), None)
            return last is not None and version in (None, last.version) and self.codes(name) == sorted(codes)

        await self.until(shown)
        return self.found(name)

    async def question(self, number: int = 0) -> Question:
        """Waits for the question of that number."""
        await self.until(lambda: len(self.questions) > number)
        return self.questions[number]

    # -- inside -------------------------------------------------------------------------------------------

    def _uri(self, name: str) -> str:
        return name if re.match(r"[a-z-]+:", name) else self.workspace.uri(name)

    def _register(self) -> None:
        client = self.client
        ours: dict[str, Any] = {
            types.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS: self._published,
            types.WINDOW_SHOW_MESSAGE_REQUEST: self._asked,
            types.WINDOW_WORK_DONE_PROGRESS_CREATE: self._progress_created,
            types.PROGRESS: self._progressed,
            types.WORKSPACE_CONFIGURATION: self._configuration_asked,
            types.WORKSPACE_DIAGNOSTIC_REFRESH: self._refreshed,
            types.CLIENT_REGISTER_CAPABILITY: self._registered,
            types.CLIENT_UNREGISTER_CAPABILITY: self._unregistered,
            types.WINDOW_LOG_MESSAGE: self._logged,
            **self.more_features,
        }
        features = {name: handler for name, handler in DEFAULT_CLIENT_FEATURES.items() if name not in ours}
        register_lsp_features(client, features)
        for name, handler in ours.items():
            client.feature(name)(plain_function(handler))

    def _published(self, params: types.PublishDiagnosticsParams) -> None:
        self.published.append(params)
        self.client.diagnostics[params.uri] = params.diagnostics
        self._happened.set()

    async def _asked(self, params: types.ShowMessageRequestParams) -> types.MessageActionItem | None:
        question = Question(params)
        self.questions.append(question)
        self._happened.set()
        return await question.answered

    def _progress_created(self, params: types.WorkDoneProgressCreateParams) -> None:
        assert params.token not in self.created_progress
        self.created_progress.append(params.token)
        self._happened.set()

    def _progressed(self, params: types.ProgressParams) -> None:
        value = params.value
        self.progress.append((params.token, value))
        self._happened.set()

    async def _configuration_asked(self, params: types.ConfigurationParams) -> list[Any]:
        self.configurations_asked += 1
        self._happened.set()
        assert [item.section for item in params.items] == ["flow"]
        if self.configuration_gate is not None:
            await self.configuration_gate.wait()
        return [self.configuration]

    def _refreshed(self, _: None) -> None:
        self.refreshes += 1
        self._happened.set()

    def _registered(self, params: types.RegistrationParams) -> None:
        for registration in params.registrations:
            assert registration.id not in self.registrations
            self.registrations[registration.id] = registration
            self.registered.append(f"+{registration.method}")
        self._happened.set()

    def _unregistered(self, params: types.UnregistrationParams) -> None:
        for gone in params.unregisterations:
            del self.registrations[gone.id]
            self.registered.append(f"-{gone.method}")
        self._happened.set()

    def _logged(self, params: types.LogMessageParams) -> None:
        self.logs.append(params.message)
        self._happened.set()
