"""An editor for tests: the real server as a process, driven by a client that checks every message's shape.

`Workspace` is a folder written from one text; `Editor` is one session in it. When a session ends it proves that the
server left with the status 0, that its output held nothing but messages, that its standard error says nothing of
a fault, and that no process is left.
"""

from __future__ import annotations

import asyncio
import json
import os
import re
import shlex
import sys
import time
import uuid
from collections.abc import Callable
from pathlib import Path
from typing import Any

from lsprotocol import types
from pygls.protocol import default_converter
from pytest_lsp.client import DEFAULT_CLIENT_FEATURES, LanguageClient, register_lsp_features

SERVER = str(Path(sys.executable).with_name("flow-lsp"))
IMPLEMENTATION = str(Path(__file__).with_name("answering_implementation.py"))
SECONDS = 20.0  # for any one event; far more than needed
FIND = "@tool fn find(query: Text) -> Result<Int, Text>\n"
"""A Tool that the implementation serves as it is here, when it stands in tools/search.flow."""


def command(*arguments: object) -> str:
    """A command line that starts the implementation for tests; see `answering_implementation.py`."""
    return shlex.join([sys.executable, "-S", "-E", IMPLEMENTATION, *map(str, arguments)])


def table(path: str, line: str) -> str:
    """A table of a flow.toml that binds `path` to a command line."""
    return f'[tools."{path}"]\ncommand = {json.dumps(line)}\n'


class Workspace:
    """A folder with files from one text: each part begins with a line `--- path`."""

    def __init__(self, folder: Path, text: str = "") -> None:
        self.folder = folder
        folder.mkdir(parents=True, exist_ok=True)
        for part in re.split(r"^--- ", text, flags=re.MULTILINE)[1:]:
            name, _, content = part.partition("\n")
            self.write(name.strip(), content)

    def path(self, name: str) -> Path:
        return self.folder / name

    def uri(self, name: str = "") -> str:
        return self.path(name).as_uri()

    def write(self, name: str, content: str | bytes) -> None:
        """Writes as an editor saves: whole, under another name first."""
        path = self.path(name)
        path.parent.mkdir(parents=True, exist_ok=True)
        other = path.with_name(path.name + ".new")
        other.write_bytes(content.encode() if isinstance(content, str) else content)
        other.replace(path)

    def serve(self, *tools: tuple[str, dict[str, object]], name: str = "served.json") -> None:
        """What the implementation serves: identities, and what of the plain signature is another."""
        self.write(name, json.dumps(tools))

    def starts(self, name: str = "starts") -> list[int]:
        """The process ids of all that were started with `--log`, in order."""
        path = self.path(name)
        return [int(line) for line in path.read_text().split()] if path.exists() else []


def capabilities(
    encodings: tuple[str, ...] | None = ("utf-16",),
    *,
    pull: bool = False,
    refresh: bool = False,
    progress: bool = False,
    markdown: bool = True,
    configuration: bool = False,
    watch: bool = True,
    questions: bool = True,
    related: bool = True,
) -> types.ClientCapabilities:
    """What the client says that it can do."""
    offered = None if encodings is None else [types.PositionEncodingKind(name) for name in encodings]
    kind = types.MarkupKind.Markdown if markdown else types.MarkupKind.PlainText
    return types.ClientCapabilities(
        general=types.GeneralClientCapabilities(position_encodings=offered),
        text_document=types.TextDocumentClientCapabilities(
            hover=types.HoverClientCapabilities(content_format=[kind]),
            diagnostic=types.DiagnosticClientCapabilities() if pull else None,
            publish_diagnostics=types.PublishDiagnosticsClientCapabilities(
                related_information=related, code_description_support=True, version_support=True
            ),
        ),
        workspace=types.WorkspaceClientCapabilities(
            configuration=configuration,
            workspace_folders=True,
            diagnostics=types.DiagnosticWorkspaceClientCapabilities(refresh_support=refresh),
            did_change_configuration=types.DidChangeConfigurationClientCapabilities(
                dynamic_registration=configuration
            ),
            did_change_watched_files=types.DidChangeWatchedFilesClientCapabilities(
                dynamic_registration=watch
            ),
        ),
        window=types.WindowClientCapabilities(
            work_done_progress=progress,
            show_message=types.ShowMessageRequestClientCapabilities() if questions else None,
        ),
    )


class Question:
    """A question that the server put; `answer` is what the user does."""

    def __init__(self, params: types.ShowMessageRequestParams) -> None:
        self.message = params.message
        self.titles = [action.title for action in params.actions or ()]
        self.answered: asyncio.Future[types.MessageActionItem | None] = (
            asyncio.get_running_loop().create_future()
        )

    def answer(self, title: str | None) -> None:
        """Chooses one, or closes the question with None."""
        assert title is None or title in self.titles
        self.answered.set_result(None if title is None else types.MessageActionItem(title=title))


class _Recorder:
    """The server's output on its way to the client, kept whole."""

    def __init__(self, reader: asyncio.StreamReader) -> None:
        self._reader = reader
        self.data = bytearray()

    async def readline(self) -> bytes:
        line = await self._reader.readline()
        self.data += line
        return line

    async def readexactly(self, size: int) -> bytes:
        data = await self._reader.readexactly(size)
        self.data += data
        return data


class Editor:
    """One session. `published` are all publications in order, `configuration` what the client answers when it is asked."""

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
        self.client = LanguageClient(converter_factory=default_converter)
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
        assert server.stdout is not None and server.stderr is not None
        from pygls.io_ import run_async

        self._recorder = _Recorder(server.stdout)
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
        found = []
        for entry in Path("/proc").iterdir():
            if entry.name.isdigit():
                try:
                    state = (entry / "stat").read_text().rpartition(")")[2].split()[0]
                    if state != "Z" and self.marker.encode() in (entry / "environ").read_bytes():
                        found.append(int(entry.name))
                except OSError:
                    continue
        return found

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

    async def file(self, name: str) -> Path:
        """Waits for a file that a child of the server writes."""
        path = self.workspace.path(name)
        deadline = time.monotonic() + SECONDS
        while not path.exists():
            assert time.monotonic() < deadline, f"{name} never came"
            await asyncio.wait({self._reading}, timeout=0.02)
        return path

    async def quiet(self, seconds: float = 0.5) -> None:
        """Waits until the server has said nothing for so long: the one way to see that something does not come."""
        while True:
            self._happened.clear()
            try:
                await asyncio.wait_for(self._happened.wait(), seconds)
            except TimeoutError:
                return

    async def everything_checked(self) -> dict[str, list[str]]:
        """Has all of the workspace checked now; what is then published, by file."""
        report = await self.pull_workspace()
        pulled = {item.uri: len(item.items) for item in report.items if isinstance(item, types.WorkspaceFullDocumentDiagnosticReport)}
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
        self.client.text_document_did_close(
            types.DidCloseTextDocumentParams(text_document=self.identifier(name))
        )

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
        self.client.workspace_did_change_workspace_folders(
            types.DidChangeWorkspaceFoldersParams(event=event)
        )

    def configure(self, settings: object = None) -> None:
        """The settings changed: `configuration` is what is asked for; `settings` is sent along."""
        self.client.workspace_did_change_configuration(
            types.DidChangeConfigurationParams(settings=settings)
        )

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
        """The message of the one finding of that code."""
        (message,) = [item.message for item in self.found(name) if item.code == code]
        return message

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
        }
        features = {name: handler for name, handler in DEFAULT_CLIENT_FEATURES.items() if name not in ours}
        register_lsp_features(client, features)
        for name, handler in ours.items():
            client.feature(name)(_function(handler))

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


def _function(method: Any) -> Any:
    """A bound method as a function, which is what a client takes."""
    if asyncio.iscoroutinefunction(method):

        async def waiting(params: Any) -> Any:
            return await method(params)

        return waiting

    def immediate(params: Any) -> Any:
        return method(params)

    return immediate


def assert_only_messages(data: bytes) -> None:
    """Every byte of the server's output belongs to a message with its header."""
    place = 0
    while place < len(data):
        header = re.compile(rb"Content-Length: ([0-9]+)\r\n\r\n").match(data, place)
        assert header, f"bytes outside any message: {data[place : place + 200]!r}"
        place = header.end() + int(header[1])
        assert json.loads(data[header.end() : place].decode("utf-8"))["jsonrpc"] == "2.0"
    assert place == len(data)
