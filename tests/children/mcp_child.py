"""An MCP server for tests, which lists what a file says, and can be made to misbehave.

    python -S -E mcp_child.py [BEHAVIOUR] [--tools FILE] [--log FILE] [--gate FILE] [--name NAME] [--revision REVISION]

Standard library alone, and it shares no code with what it tests. Each behaviour is one function; `good` is the one
without a name. `--tools`: a JSON list of tools as tools/list gives them, one on each page; a member `gives` of one is
left out there, and is the result of its calls, which without it give back their arguments. `--log`: a line with the
process's number is added at the start. `--gate`: nothing is answered before the file is there.
"""

from __future__ import annotations

import json
import os
import signal
import sys
import time
from pathlib import Path
from typing import Any

FOREVER = 60.0  # a bound for what should have been ended long before

TOOLS: list[Any] = [
    {
        "name": "find",
        "description": "Finds things.\nIn several lines.",
        "inputSchema": {"type": "object", "properties": {"query": {"type": "string"}}, "required": ["query"]},
        "outputSchema": {"type": "object", "properties": {"query": {"type": "string"}}, "required": ["query"]},
    },
    {"name": "get-sum", "title": "Sum", "inputSchema": {"type": "object"}},
]


def options() -> dict[str, str]:
    words = sys.argv[1:]
    found = {"behaviour": "good"} if not words or words[0].startswith("--") else {"behaviour": words.pop(0)}
    found.update((name.removeprefix("--"), value) for name, value in zip(words[::2], words[1::2], strict=True))
    return found


OPTIONS = options()


def tools() -> list[Any]:
    return json.loads(Path(OPTIONS["tools"]).read_text("utf-8")) if "tools" in OPTIONS else TOOLS


def write(text: str) -> None:
    sys.stdout.buffer.write(text.encode())
    sys.stdout.buffer.flush()


def send(**members: Any) -> None:
    write(json.dumps({"jsonrpc": "2.0", **members}) + "\n")


def read() -> Any:
    """The next message; the process ends with its input."""
    line = sys.stdin.buffer.readline()
    if not line:
        sys.exit(0)
    return json.loads(line)


def answer(request: Any, result: Any) -> None:
    send(id=request["id"], result=result)


def initialize(revision: str = "2025-11-25", **capabilities: Any) -> None:
    request = read()
    assert request["method"] == "initialize", request
    assert request["params"]["capabilities"] == {"roots": {}}, request
    info = {"name": OPTIONS.get("name", "child"), "version": "1.5"}
    revision = OPTIONS.get("revision", revision)
    answer(request, {"protocolVersion": revision, "capabilities": capabilities, "serverInfo": info})
    assert read()["method"] == "notifications/initialized"


def serve(stop_after: int | None = None) -> None:
    """Answers lists and calls until the input ends; with `stop_after`, so many pages of tools alone."""
    while True:
        request = read()
        if request.get("method") == "tools/list":
            listed = [{name: value for name, value in tool.items() if name != "gives"} for tool in tools()]
            at = int(request["params"].get("cursor", "0"))
            if stop_after is not None and at >= stop_after:
                continue
            more = {"nextCursor": str(at + 1)} if at + 1 < len(listed) else {}
            answer(request, {"tools": listed[at : at + 1], **more})
        elif request.get("method") == "tools/call":
            called = next(tool for tool in tools() if tool["name"] == request["params"]["name"])
            answer(request, called.get("gives", {"structuredContent": request["params"]["arguments"]}))


def good() -> None:
    initialize(tools={})
    serve()


def noisy() -> None:
    """Prints before and between its answers, and logs to standard error."""
    print("starting up", file=sys.stderr, flush=True)
    write("Need to install the following packages:\n")
    initialize(tools={})
    write("listening\n")
    serve()


def asks() -> None:
    """Wants answers of its own before it lists anything."""
    initialize(tools={"listChanged": True})
    send(id=7, method="ping")
    assert read()["method"] == "tools/list"
    assert read() == {"jsonrpc": "2.0", "id": 7, "result": {}}
    send(id="r", method="roots/list")
    (root,) = read()["result"]["roots"]
    send(id="s", method="sampling/createMessage", params={})
    assert read()["error"]["code"] == -32601
    entry = {"name": root["uri"], "inputSchema": {"type": "object"}}
    send(id="flow-lsp/tools/list/1", result={"tools": [entry]})
    serve()


def no_tools() -> None:
    initialize(prompts={})
    serve()


def refuses() -> None:
    request = read()
    send(id=request["id"], error={"code": -32602, "message": "Unsupported", "data": {"supported": ["2099-01-01"]}})
    serve()


def no_mcp() -> None:
    """A process that speaks JSON-RPC, and nothing of MCP."""
    send(id=read()["id"], error={"code": -32601, "message": "method not found"})
    serve()


def half() -> None:
    """The second page never comes."""
    initialize(tools={})
    serve(stop_after=1)


def circle() -> None:
    """Pages without end."""
    initialize(tools={})
    while True:
        answer(read(), {"tools": [], "nextCursor": "again"})


def silent() -> None:
    while True:
        read()


def exits() -> None:
    print("usage: mcp_child stdio", file=sys.stderr, flush=True)
    sys.exit(3)


def stubborn() -> None:
    """Ends neither with its input nor by SIGTERM."""
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    initialize(tools={})
    try:
        serve()
    except SystemExit:
        time.sleep(FOREVER)


if __name__ == "__main__":
    if "log" in OPTIONS:
        with Path(OPTIONS["log"]).open("a", encoding="utf-8") as file:
            file.write(f"{os.getpid()}\n")
    deadline = time.monotonic() + FOREVER
    while "gate" in OPTIONS and not Path(OPTIONS["gate"]).exists() and time.monotonic() < deadline:
        time.sleep(0.01)
    try:
        globals()[OPTIONS["behaviour"].replace("-", "_")]()
    except BrokenPipeError:
        os._exit(0)
