"""What the client of a session is made of: what it can do, questions put to it, and what proves a clean end."""

from __future__ import annotations

import asyncio
import json
import re
from pathlib import Path
from typing import Any

from lsprotocol import types
from pygls.protocol import default_converter

CONVERTER = default_converter()
"""Of all clients: it writes functions for each type when it first meets it, which takes longer than a session."""


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
            did_change_configuration=types.DidChangeConfigurationClientCapabilities(dynamic_registration=configuration),
            did_change_watched_files=types.DidChangeWatchedFilesClientCapabilities(dynamic_registration=watch),
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
        self.answered: asyncio.Future[types.MessageActionItem | None] = asyncio.get_running_loop().create_future()

    def answer(self, title: str | None) -> None:
        """Chooses one, or closes the question with None."""
        assert title is None or title in self.titles
        self.answered.set_result(None if title is None else types.MessageActionItem(title=title))


class Recorder:
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


def plain_function(method: Any) -> Any:
    """A bound method as a function, which is what a client takes."""
    if asyncio.iscoroutinefunction(method):

        async def waiting(params: Any) -> Any:
            return await method(params)

        return waiting

    def immediate(params: Any) -> Any:
        return method(params)

    return immediate


def processes_with(marker: str) -> list[int]:
    """The processes in whose environment the marker is."""
    found = []
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                state = (entry / "stat").read_text().rpartition(")")[2].split()[0]
                if state != "Z" and marker.encode() in (entry / "environ").read_bytes():
                    found.append(int(entry.name))
            except OSError:
                continue
    return found


def assert_only_messages(data: bytes) -> None:
    """Every byte of the server's output belongs to a message with its header."""
    place = 0
    while place < len(data):
        header = re.compile(rb"Content-Length: ([0-9]+)\r\n\r\n").match(data, place)
        assert header, f"bytes outside any message: {data[place : place + 200]!r}"
        place = header.end() + int(header[1])
        assert json.loads(data[header.end() : place].decode("utf-8"))["jsonrpc"] == "2.0"
    assert place == len(data)
