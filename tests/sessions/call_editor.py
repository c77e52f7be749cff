"""An editor that opens documents of arguments and calls with them, and a workspace whose Tools can be called.

The Tool `act` is answered by `tests/children/calling_child.py`: what a call does is what its argument `how` names.
"""

from __future__ import annotations

import asyncio
import json
import shlex
import sys
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlparse

from editor_session import Editor
from lsprotocol import types
from session_client import capabilities
from session_workspace import Workspace
from support.callables import callable_tools

CHILD = str(Path(__file__).parents[1] / "children" / "calling_child.py")
SOURCE = "tools.flow"
ACT = "@tool\npub fn act(how: Text, value: Int) -> Result<Text, Text>\n"
ALWAYS = {"trust": "always"}


def can_call(
    *,
    show: bool = True,
    refresh: bool = True,
    register: bool = False,
    progress: bool = True,
    pull: bool = False,
    questions: bool = True,
) -> types.ClientCapabilities:
    """What the client says that it can do."""
    can = capabilities(progress=progress, pull=pull, refresh=pull, questions=questions)
    assert can.window is not None
    assert can.workspace is not None
    assert can.text_document is not None
    can.window.show_document = types.ShowDocumentClientCapabilities(support=show)
    can.workspace.code_lens = types.CodeLensWorkspaceClientCapabilities(refresh_support=refresh)
    can.text_document.synchronization = types.TextDocumentSyncClientCapabilities(dynamic_registration=register)
    can.text_document.completion = types.CompletionClientCapabilities(dynamic_registration=register)
    can.text_document.code_lens = types.CodeLensClientCapabilities(dynamic_registration=register)
    if pull:
        can.text_document.diagnostic = types.DiagnosticClientCapabilities(dynamic_registration=register)
    return can


def command(*more: str) -> str:
    """The command line of the child."""
    return shlex.join([sys.executable, "-S", "-E", CHILD, "listing.json", "starts", *more])


def bind(workspace: Workspace, *more: str, source: str = ACT) -> None:
    """Writes the Tool `act`, what answers it, and the table between them."""
    act = callable_tools(source)["act"]
    tool = {"tool": act.identity, "fingerprint": act.signature.fingerprint, "signature": act.signature.served}
    workspace.write("listing.json", json.dumps({"data": "0.1", "tools": [tool]}))
    workspace.write(SOURCE, source)
    workspace.write("flow.toml", f'[tools."{SOURCE}"]\ncommand = {json.dumps(command(*more))}\n')


def starts(workspace: Workspace) -> int:
    """How often the child was started."""
    path = workspace.path("starts")
    return path.stat().st_size if path.exists() else 0


def path_of(uri: str) -> Path:
    """The file of a URI."""
    return Path(unquote(urlparse(uri).path))


def arguments(how: str, value: int = 0) -> str:
    return json.dumps({"how": how, "value": value})


class CallingEditor(Editor):
    """`can_show` is whether showing a document succeeds."""

    def __init__(self, workspace: Workspace, state: Path) -> None:
        self.shown: list[types.ShowDocumentParams] = []
        self.can_show = True
        self.lens_refreshes = 0
        self.more_features = {
            types.WINDOW_SHOW_DOCUMENT: self._show,
            types.WORKSPACE_CODE_LENS_REFRESH: self._refresh_lenses,
        }
        super().__init__(workspace, state)

    async def lenses(self, name: str = SOURCE) -> list[types.CodeLens]:
        params = types.CodeLensParams(self.identifier(name))
        return list(await self.answer(self.client.text_document_code_lens_async(params)) or ())

    async def titles(self, name: str = SOURCE) -> list[str]:
        return [lens.command.title for lens in await self.lenses(name) if lens.command]

    async def lens(self, beginning: str, name: str = SOURCE) -> str:
        """Waits until the first lens of a document begins so, asking when the server says so; its title."""
        while True:
            before = self.lens_refreshes
            found = await self.titles(name)
            if found and found[0].startswith(beginning):
                return found[0]
            await self.until(lambda before=before: self.lens_refreshes > before)

    def send(self, name: str, *given: object, token: str | None = None) -> asyncio.Future[Any]:
        """Runs a command; its answer to come."""
        params = types.ExecuteCommandParams(name, list(given), work_done_token=token)
        return asyncio.ensure_future(self.client.workspace_execute_command_async(params))

    async def run(self, name: str, *given: object) -> Any:
        return await self.answer(self.send(name, *given))

    async def run_lens(self, name: str, title: str) -> Any:
        """Runs the command of the first lens of that title."""
        (lens, *_) = [lens for lens in await self.lenses(name) if lens.command and lens.command.title == title]
        assert lens.command is not None
        return await self.run(lens.command.command, *(lens.command.arguments or ()))

    async def arguments_of(self, tool: str = "act", text: str | None = None, source: str = SOURCE) -> str:
        """Opens the arguments of a Tool as an editor does, with another text if one is given; the URI."""
        result = await self.run("flow.call.open", self.workspace.uri(source), tool)
        uri = result["uri"] if isinstance(result, dict) else result.uri
        self.open(uri, path_of(uri).read_text("utf-8"), language="json")
        if text is not None:
            self.change(uri, text)
        return uri

    async def call(self, uri: str) -> dict[str, Any]:
        """Calls, and gives the answer as a plain object."""
        return plain(await self.run("flow.call", uri))

    def _show(self, params: types.ShowDocumentParams) -> types.ShowDocumentResult:
        self.shown.append(params)
        self._happened.set()
        return types.ShowDocumentResult(success=self.can_show)

    def _refresh_lenses(self, _: None) -> None:
        self.lens_refreshes += 1
        self._happened.set()


def plain(answer: Any) -> dict[str, Any]:
    """The answer of a command, which the client's library wraps, as a dict."""
    return answer if isinstance(answer, dict) else {name: getattr(answer, name) for name in answer._fields}


async def started(one: CallingEditor, can: types.ClientCapabilities | None = None, **options: Any) -> str:
    """A session, and the URI of the arguments of `act`."""
    await one.start(can or can_call(), options={**ALWAYS, **options})
    one.open(SOURCE)
    return await one.arguments_of()


async def act(one: CallingEditor, uri: str, how: str, value: int = 0) -> dict[str, Any]:
    one.change(uri, arguments(how, value))
    return await one.call(uri)


def outcome(answer: dict[str, Any]) -> tuple[str, Any]:
    (found,) = json.loads(answer["outcome"]).items()
    return found


def result(answer: dict[str, Any]) -> dict[str, Any]:
    return json.loads(path_of(answer["uri"]).read_text("utf-8"))


async def out(one: CallingEditor, uri: str, how: str, token: str | None = None) -> asyncio.Future[Any]:
    """A call that was sent and holds."""
    one.change(uri, arguments(how))
    before = len(one.progress)
    call = one.send("flow.call", uri, token=token)
    await one.until(lambda: any(value.get("message") == "running" for _, value in one.progress[before:]))
    return call
