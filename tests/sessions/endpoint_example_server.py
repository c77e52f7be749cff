"""A small language server on the real endpoint, for the tests of the connection.

It reports every line that holds the word "bad". Words of a document make it misbehave on purpose: see the
handlers. `--tcp` listens on a free port of the loopback address and prints it on standard error.
"""

from __future__ import annotations

import asyncio
import os
import sys

from flow_lsp.findings.model import Finding, Rule, Severity
from flow_lsp.server.capabilities import ClientCapabilities, initialize_result
from flow_lsp.server.convert import DiagnosticOptions, DiagnosticWriter, hover
from flow_lsp.server.documents import Document, Documents
from flow_lsp.server.endpoint import Endpoint
from flow_lsp.server.messages import ErrorCode, JsonText, ResponseError
from flow_lsp.server.parameters import member, position
from flow_lsp.server.publisher import Items, Publisher, publish_params
from flow_lsp.server.pulling import document_answer, workspace_answer
from flow_lsp.server.streams import standard_streams, tcp_streams
from flow_lsp.text.spans import Span

BAD = Rule("bad-line", Severity.ERROR, "Line {line_text} is bad: {word}.", "A bad line.", "none")


class Example:
    def __init__(self, endpoint: Endpoint) -> None:
        self.endpoint = endpoint
        self.documents = Documents()
        self.publisher = Publisher(self.publish)
        self.writers: dict[str, DiagnosticWriter] = {}
        self.checks = 0
        self.changed: dict[str, None] = {}
        self.asked: asyncio.Future[object] | None = None
        endpoint.on_request("initialize", self.initialize)
        endpoint.on_request("textDocument/hover", self.hover)
        endpoint.on_request("textDocument/diagnostic", self.pull)
        endpoint.on_request("workspace/diagnostic", self.pull_all)
        endpoint.on_request("test/do", self.do)
        endpoint.on_notification("textDocument/didOpen", self.did_open)
        endpoint.on_notification("textDocument/didChange", self.did_change)
        endpoint.on_notification("textDocument/didClose", self.did_close)
        endpoint.on_notification("test/raise", self.raise_fault)
        endpoint.on_idle(self.check)
        endpoint.on_close(self.close)

    def initialize(self, params: object) -> object:
        client = ClientCapabilities.of(params)
        self.client = client
        self.documents.encoding = client.encoding
        self.publisher = Publisher(self.publish, client.pulls_diagnostics, client.refreshes_diagnostics)
        return initialize_result(client, "0", ["test.command"])

    # -- documents --------------------------------------------------------------------------------

    def did_open(self, params: object) -> None:
        document = self.documents.open(params)
        self.publisher.opened(document.key, document.uri, document.version, document.revision)
        self.changed[document.key] = None

    def did_change(self, params: object) -> None:
        document = self.documents.change(params)
        self.publisher.changed(document.key, document.version, document.revision)
        self.changed[document.key] = None

    def did_close(self, params: object) -> None:
        document = self.documents.close(params)
        self.publisher.closed(document.key)
        self.publisher.flush()

    def check(self) -> None:
        changed, self.changed = self.changed, {}
        for key in changed:
            document = self.documents.with_key(key)
            if document is not None:
                self.checks += 1
                self.publisher.put(key, "lines", self.items(document), document.revision)
        self.publisher.flush()

    def items(self, document: Document) -> Items:
        index = document.text.index
        findings = []
        start = 0
        for number, line in enumerate(document.text.text.split("\n")):
            found = line.find("bad")
            if found >= 0:
                span = Span(start + found, start + found + 3)
                findings.append(Finding(BAD, span, {"line_text": str(number), "word": line}))
            start += len(line) + 1
        writer = self.writers.setdefault(
            document.key, DiagnosticWriter(DiagnosticOptions(encoding=self.client.encoding))
        )
        return writer.write(findings, index)

    def publish(self, uri: str, version: int | None, items: Items) -> None:
        self.endpoint.notify("textDocument/publishDiagnostics", publish_params(uri, version, items))

    # -- requests ---------------------------------------------------------------------------------

    def hover(self, params: object) -> object:
        document = self.documents.asked(params)
        index = document.text.index
        line = position(params).line
        text = index.line(line) if line < index.line_count else ""
        return hover(text, None, index, self.client.encoding)

    def pull(self, params: object) -> JsonText:
        self.check()
        return document_answer(self.publisher, params)

    def pull_all(self, params: object) -> JsonText:
        self.check()
        return workspace_answer(self.publisher, params, self.endpoint.notify)

    def do(self, params: object) -> object:
        """What `what` names; the tests say what they expect of it."""
        what = member(params, "what", kind=str)
        if what == "print":
            print("a stray line")
            os.write(1, b"a stray write\n")
            os.system("echo a stray child; test -p /dev/stdin && echo with our input; cat")
        elif what == "raise":
            raise RuntimeError("on purpose")
        elif what == "refuse":
            raise ResponseError(ErrorCode.REQUEST_FAILED, "refused", {"retry": True})
        elif what == "unsayable":
            return float("nan")
        elif what == "sleep":
            return self.sleep()
        elif what == "echo":
            return member(params, "text", kind=str)
        elif what == "many":
            return "x" * member(params, "count", kind=int)
        elif what == "checks":
            return self.checks
        elif what == "ask":
            return self.ask()
        elif what == "ask-and-cancel":
            self.endpoint.request("test/question", {}).cancel()
        elif what == "ask-and-forget":
            self.endpoint.request("test/question", {})
        return what

    async def sleep(self) -> str:
        await asyncio.sleep(60)
        return "slept"

    async def ask(self) -> object:
        try:
            return await self.endpoint.request("test/question", {})
        except ResponseError as error:
            return {"code": error.code, "message": error.message}

    def raise_fault(self, params: object) -> None:
        raise RuntimeError("on purpose")

    async def close(self) -> None:
        await asyncio.sleep(0)
        os.write(2, b"closed\n")


async def main() -> int:
    if "--tcp" in sys.argv:
        source, sink = await tcp_streams(0, lambda port: print(f"port {port}", file=sys.stderr, flush=True))
    else:
        source, sink = standard_streams()
    endpoint = Endpoint(source, sink)
    Example(endpoint)
    return await endpoint.run()


if __name__ == "__main__":
    sys.exit(asyncio.run(main()))
