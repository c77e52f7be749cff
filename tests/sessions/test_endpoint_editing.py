"""A real client library (pytest-lsp) against the connection: what we send is valid LSP, in every encoding."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
import pytest_lsp
from lsprotocol import types
from pytest_lsp import ClientServerConfig, LanguageClient

SERVER = [sys.executable, str(Path(__file__).with_name("endpoint_example_server.py"))]
URI = "file:///p/a.flow"


def capabilities(encodings: list[str] | None, pull: bool = False) -> types.ClientCapabilities:
    offered = None if encodings is None else [types.PositionEncodingKind(name) for name in encodings]
    return types.ClientCapabilities(
        general=types.GeneralClientCapabilities(position_encodings=offered),
        workspace=types.WorkspaceClientCapabilities(
            diagnostics=types.DiagnosticWorkspaceClientCapabilities(refresh_support=True) if pull else None
        ),
        text_document=types.TextDocumentClientCapabilities(
            diagnostic=types.DiagnosticClientCapabilities() if pull else None
        ),
    )


@pytest_lsp.fixture(
    params=[None, ["utf-16"], ["utf-8", "utf-16"], ["utf-32"]],
    ids=["none offered", "utf-16", "utf-8", "utf-32"],
    config=ClientServerConfig(server_command=SERVER),
)
async def client(request, lsp_client: LanguageClient):
    offered = request.param
    result = await lsp_client.initialize_session(types.InitializeParams(capabilities=capabilities(offered)))
    assert result.capabilities.position_encoding == (offered or ["utf-16"])[0]
    assert result.capabilities.text_document_sync.change is types.TextDocumentSyncKind.Incremental
    assert result.server_info.name == "flow-lsp"
    yield lsp_client
    await lsp_client.shutdown_session()


@pytest_lsp.fixture(config=ClientServerConfig(server_command=SERVER))
async def pulling(lsp_client: LanguageClient):
    await lsp_client.initialize_session(types.InitializeParams(capabilities=capabilities(["utf-16"], pull=True)))
    yield lsp_client
    await lsp_client.shutdown_session()


def units(client: LanguageClient, text: str) -> int:
    """How many columns `text` takes for this client."""
    encoding = client.capabilities.general.position_encodings or ["utf-16"]
    return {"utf-8": len(text.encode()), "utf-16": len(text.encode("utf-16-le")) // 2, "utf-32": len(text)}[encoding[0]]


def open_document(client: LanguageClient, text: str, uri: str = URI, version: int = 1) -> None:
    document = types.TextDocumentItem(uri=uri, language_id="flow", version=version, text=text)
    client.text_document_did_open(types.DidOpenTextDocumentParams(text_document=document))


def change(client: LanguageClient, version: int, *changes, uri: str = URI) -> None:
    document = types.VersionedTextDocumentIdentifier(uri=uri, version=version)
    client.text_document_did_change(
        types.DidChangeTextDocumentParams(text_document=document, content_changes=list(changes))
    )


def replace(start: tuple[int, int], end: tuple[int, int], text: str) -> types.TextDocumentContentChangePartial:
    return types.TextDocumentContentChangePartial(
        range=types.Range(start=types.Position(*start), end=types.Position(*end)), text=text
    )


async def line(client: LanguageClient, number: int, uri: str = URI, character: int = 0) -> str:
    """The text of a line as the server has it."""
    hover = await client.text_document_hover_async(
        types.HoverParams(
            text_document=types.TextDocumentIdentifier(uri=uri), position=types.Position(number, character)
        )
    )
    return hover.contents.value


async def published(client: LanguageClient) -> list[types.Diagnostic]:
    await client.wait_for_notification("textDocument/publishDiagnostics")
    return list(client.diagnostics[URI])


async def test_columns_are_in_the_agreed_encoding(client: LanguageClient):
    open_document(client, "x\n😋é😋 bad")
    (diagnostic,) = await published(client)
    column = units(client, "😋é😋 ")
    assert diagnostic.range == types.Range(types.Position(1, column), types.Position(1, column + 3))
    assert (diagnostic.code, diagnostic.source) == ("bad-line", "flow")
    change(client, 2, replace((1, units(client, "😋é")), (1, units(client, "😋é😋")), "y"))
    assert await line(client, 1) == "😋éy bad"


async def test_changes_apply_in_order_each_once(client: LanguageClient):
    open_document(client, "ab")
    change(client, 2, replace((0, 0), (0, 0), "X"))
    assert await line(client, 0) == "Xab"
    change(client, 3, replace((0, 1), (0, 1), "\n"), replace((1, 0), (1, 0), "Y"))
    assert (await line(client, 0), await line(client, 1)) == ("X", "Yab")


@pytest.mark.parametrize("text", ["a = 1\nb = 2\n", "a = 1\r\nb = 2\r\n", "a = 1"])
async def test_a_column_behind_the_end_of_a_line_keeps_the_line_end(client: LanguageClient, text: str):
    open_document(client, text)
    change(client, 2, replace((0, 5), (0, 80), ""))
    assert await line(client, 0) == "a = 1"
    assert await line(client, 1) == ("b = 2" if "b" in text else "")


async def test_positions_that_do_not_exist_raise_nothing(client: LanguageClient):
    open_document(client, "😋")
    for place in ((0, 1), (40, 3), (0, 2**31 - 1)):
        await line(client, place[0], character=place[1])
    open_document(client, "", "file:///p/empty.flow")
    assert await line(client, 0, "file:///p/empty.flow") == ""


async def test_a_version_that_comes_again_or_goes_back_loses_nothing(client: LanguageClient):
    open_document(client, "five", version=5)
    for version, text in ((6, "six"), (6, "bad six"), (4, "four")):
        change(client, version, types.TextDocumentContentChangeWholeDocument(text=text))
        assert await line(client, 0) == text
    client.text_document_did_close(
        types.DidCloseTextDocumentParams(text_document=types.TextDocumentIdentifier(uri=URI))
    )
    open_document(client, "one", version=1)
    change(client, 7, types.TextDocumentContentChangeWholeDocument(text="x"), uri="file:///p/never-opened.flow")
    assert await line(client, 0) == "one"


@pytest.mark.parametrize("uri", ["file:///c%3A/p/a.flow", "untitled:Untitled-1", "git:/p/a.flow?ref", "x:/p/n#1"])
async def test_diagnostics_come_under_the_spelling_that_the_document_was_opened_with(client: LanguageClient, uri: str):
    open_document(client, "bad", uri)
    await client.wait_for_notification("textDocument/publishDiagnostics")
    assert [len(found) for found in client.diagnostics.values()] == [1]
    assert list(client.diagnostics) == [uri]
    assert await line(client, 0, uri) == "bad"


async def test_closing_clears(client: LanguageClient):
    open_document(client, "bad")
    assert len(await published(client)) == 1
    client.text_document_did_close(
        types.DidCloseTextDocumentParams(text_document=types.TextDocumentIdentifier(uri=URI))
    )
    assert await published(client) == []


async def test_pulling_and_what_is_unchanged(pulling: LanguageClient):
    open_document(pulling, "bad")
    identifier = types.TextDocumentIdentifier(uri=URI)
    first = await pulling.text_document_diagnostic_async(types.DocumentDiagnosticParams(identifier))
    assert isinstance(first, types.RelatedFullDocumentDiagnosticReport)
    assert [item.code for item in first.items] == ["bad-line"]
    again = types.DocumentDiagnosticParams(identifier, previous_result_id=first.result_id)
    second = await pulling.text_document_diagnostic_async(again)
    assert isinstance(second, types.RelatedUnchangedDocumentDiagnosticReport)
    change(pulling, 2, replace((0, 0), (0, 3), ""))
    third = await pulling.text_document_diagnostic_async(again)
    assert isinstance(third, types.RelatedFullDocumentDiagnosticReport)
    assert not third.items
    assert pulling.diagnostics == {}


async def test_pulling_the_workspace(pulling: LanguageClient):
    open_document(pulling, "bad")
    open_document(pulling, "bad", "file:///p/b.flow")
    report = await pulling.workspace_diagnostic_async(types.WorkspaceDiagnosticParams(previous_result_ids=[]))
    assert [(item.uri, item.version, len(item.items)) for item in report.items] == [
        (URI, 1, 1),
        ("file:///p/b.flow", 1, 1),
    ]
