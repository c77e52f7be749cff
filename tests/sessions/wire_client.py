"""A client of bytes: starts a server and reads its output strictly, for what no well-behaved client sends."""

from __future__ import annotations

import json
import os
import re
import select
import subprocess
import sys
import time
from pathlib import Path

EXAMPLE_SERVER = [sys.executable, str(Path(__file__).with_name("endpoint_example_server.py"))]
SECONDS = 20.0  # for any one answer; far more than needed
_HEADER = re.compile(rb"Content-Length: ([0-9]+)\r\n\r\n")


def framed(message: object) -> bytes:
    """A message as a client writes it; bytes are taken as the body."""
    body = message if isinstance(message, bytes) else json.dumps(message).encode()
    return b"Content-Length: %d\r\n\r\n%b" % (len(body), body)


def request(number: int | str, method: str, params: object = None) -> dict:
    return {"jsonrpc": "2.0", "id": number, "method": method, "params": params}


def notification(method: str, params: object = None) -> dict:
    return {"jsonrpc": "2.0", "method": method, "params": params}


def did_open(text: str, version: int = 1, uri: str = "file:///p/a.flow") -> dict:
    document = {"uri": uri, "languageId": "flow", "version": version, "text": text}
    return notification("textDocument/didOpen", {"textDocument": document})


def did_change(changes: list, version: int | None, uri: str = "file:///p/a.flow") -> dict:
    document = {"uri": uri, "version": version}
    return notification("textDocument/didChange", {"textDocument": document, "contentChanges": changes})


def insertion(line: int, character: int, text: str) -> dict:
    place = {"line": line, "character": character}
    return {"range": {"start": place, "end": place}, "text": text}


class Wire:
    """One server process. `messages` are all that came and were not taken, `errors` its standard error."""

    def __init__(self, command: list[str] = EXAMPLE_SERVER, strict: bool = False, **popen) -> None:
        environment = {**os.environ, "FLOW_LSP_STRICT": "1" if strict else "0"}
        self.process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, bufsize=0,
            env=environment, **popen,
        )  # fmt: skip
        self.messages: list[dict] = []
        self.errors = b""
        self._output = b""
        self._open = {self.process.stdout.fileno(), self.process.stderr.fileno()}

    def __enter__(self) -> Wire:
        return self

    def __exit__(self, *_) -> None:
        self.process.kill()
        self.process.wait()
        for stream in (self.process.stdin, self.process.stdout, self.process.stderr):
            stream.close()

    def send(self, *messages: object) -> None:
        """All of `messages` in one write."""
        self.send_bytes(b"".join(map(framed, messages)))

    def send_bytes(self, data: bytes) -> None:
        left = memoryview(data)
        while left:
            left = left[self.process.stdin.write(left) :]

    def initialize(self, capabilities: dict | None = None, **params) -> dict:
        self.send(
            request("initialize", "initialize", {"processId": None, "capabilities": capabilities or {}, **params})
        )
        result = self.answer("initialize")["result"]
        self.send(notification("initialized", {}))
        return result

    def ask(self, number: int | str, method: str, params: object = None) -> dict:
        self.send(request(number, method, params))
        return self.answer(number)

    def do(self, what: str, number: int | str = "do", **params) -> dict:
        return self.ask(number, "test/do", {"what": what, **params})

    def answer(self, number: int | str | None) -> dict:
        return self.wait(lambda message: "method" not in message and message["id"] == number)

    def publication(self, version: int | None = None) -> dict:
        """The next publication (of that version)."""
        return self.wait(
            lambda message: (
                message.get("method") == "textDocument/publishDiagnostics"
                and version in (None, message["params"].get("version"))
            )
        )["params"]

    def wait(self, wanted) -> dict:
        """The first message that is wanted; it and those before are taken out."""
        deadline = time.monotonic() + SECONDS
        seen = 0
        while True:
            for number, message in enumerate(self.messages[seen:], seen):
                if wanted(message):
                    del self.messages[: number + 1]
                    return message
            seen = len(self.messages)
            assert self._open, f"the server has ended: {self.errors.decode()}"
            self._read(deadline)

    def end(self, close: bool = False) -> int:
        """The exit status, once everything it wrote is read."""
        if close:
            self.process.stdin.close()
        deadline = time.monotonic() + SECONDS
        while self._open:
            self._read(deadline)
        assert not self._output, f"bytes outside any message: {self._output!r}"
        return self.process.wait(SECONDS)

    def leave(self) -> int:
        """shutdown, exit, and the exit status."""
        assert self.ask("shutdown", "shutdown")["result"] is None
        self.send(notification("exit"))
        return self.end()

    def wait_for_errors(self, text: bytes) -> None:
        deadline = time.monotonic() + SECONDS
        while text not in self.errors:
            assert self._open, f"the server has ended: {self.errors.decode()}"
            self._read(deadline)

    def _read(self, deadline: float) -> None:
        left = deadline - time.monotonic()
        ready = select.select(list(self._open), [], [], max(left, 0))[0]
        assert ready, f"nothing came in time; before: {self.messages} {self.errors.decode()}"
        for descriptor in ready:
            data = os.read(descriptor, 65536)
            if not data:
                self._open.discard(descriptor)
            elif descriptor == self.process.stderr.fileno():
                self.errors += data
            else:
                self._output += data
        while (found := _HEADER.match(self._output)) and len(self._output) >= found.end() + int(found[1]):
            end = found.end() + int(found[1])
            message = json.loads(self._output[found.end() : end].decode("utf-8"))
            assert message["jsonrpc"] == "2.0"
            self.messages.append(message)
            self._output = self._output[end:]
        assert b"Content-Length: ".startswith(self._output[:16]) or self._output.startswith(b"Content-Length: "), (
            f"bytes outside any message: {self._output[:200]!r}"
        )
