"""An implementation for tests: the first argument names how it behaves, the others are for that behaviour.

Started as `python -S -E child_implementation.py BEHAVIOUR ...`, for a quick start; so it uses the standard
library alone, and shares no code with what it tests. Each behaviour is one function.
"""

from __future__ import annotations

import hashlib
import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

FOREVER = 60.0  # a bound for what should have been ended long before


def canonical(value: object) -> str:
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False)


def signature(**changes: object) -> dict[str, object]:
    plain = {"params": [["query", {"type": "string"}]], "ok": {"type": "integer"}, "err": {"type": "string"}}
    return {**plain, "generic": [], **changes}


def entry(tool: str = "tools/search.find", **changes: object) -> dict[str, object]:
    described = signature(**changes)
    hashed = hashlib.sha256(canonical(described).encode()).hexdigest()
    return {"tool": tool, "fingerprint": f"sha256:{hashed}", "signature": described}


def response(tools: list[dict[str, object]] | None = None, data: str = "0.1", **more: object) -> dict[str, object]:
    result = {"data": data, "tools": [entry()] if tools is None else tools}
    return {"jsonrpc": "2.0", "id": 1, "result": result, **more}


def write(data: bytes | str) -> None:
    sys.stdout.buffer.write(data.encode() if isinstance(data, str) else data)
    sys.stdout.buffer.flush()


def send(message: object) -> None:
    write(canonical(message) + "\n")


def await_request() -> dict[str, object]:
    request = json.loads(sys.stdin.buffer.readline())
    assert request["method"] == "describe", request
    assert request["params"] == {"data": "0.1"}, request
    return request


def await_end_of_input() -> None:
    while sys.stdin.buffer.read(65536):
        pass


def good() -> None:
    await_request()
    send(response())
    await_end_of_input()


def slow(seconds: str) -> None:
    await_request()
    time.sleep(float(seconds))
    send(response())
    await_end_of_input()


def counted(path: str, seconds: str = "0") -> None:
    """Leaves one line in `path` for each start."""
    with Path(path).open("a", encoding="utf-8") as file:
        file.write("started\n")
    slow(seconds)


def silent() -> None:
    await_request()
    await_end_of_input()


def deaf() -> None:
    """Neither answers nor minds that its input was closed."""
    time.sleep(FOREVER)


def ignores_term() -> None:
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    await_request()
    send(response())
    time.sleep(FOREVER)


def exits(status: str) -> None:
    sys.stderr.write("Traceback: the \x1b[31mweather\x1b[0m key is missing\n")
    sys.stderr.flush()
    os._exit(int(status))


def dies() -> None:
    await_request()
    os.kill(os.getpid(), signal.SIGSEGV)


def garbage() -> None:
    await_request()
    write(bytes(range(256)) * 200)


def invalid_utf8() -> None:
    await_request()
    write(b'{"jsonrpc":"2.0","id":1,"result":{"data":"0.1","tools":[],"note":"\xff"}}\n')


def with_bom() -> None:
    await_request()
    write(b"\xef\xbb\xbf" + canonical(response()).encode() + b"\n")


def with_crlf() -> None:
    await_request()
    write(canonical(response()) + "\r\n")
    await_end_of_input()


def separators() -> None:
    """U+2028, U+2029, U+0085 and form feed end no line; the last is escaped, for JSON wants it so."""
    await_request()
    tool = entry("tools/search.find", ok={"type": "string", "description": "a\u2028b\u2029c\u0085d\fe"})
    undescribed = entry("tools/search.find", ok={"type": "string"})
    send(response([{**tool, "fingerprint": undescribed["fingerprint"]}]))
    await_end_of_input()


def noisy() -> None:
    """Lines that are no messages, before and after the answer, and half a line at the end."""
    await_request()
    write('npm notice new version\n\n42\nnull\n[]\n"x"\n{}\n')
    send(response())
    write('{"jsonrpc":"2.0"')


def noise_flood(lines: str) -> None:
    await_request()
    write("progress: still at it, please wait\n" * int(lines))
    send(response())
    await_end_of_input()


def endless_noise() -> None:
    await_request()
    while True:
        write("tick\n" * 10_000)


def sized(length: str, then: str = "waits") -> None:
    """The answer is a line of exactly `length` bytes, its LF included."""
    await_request()
    bare = canonical(response(note=""))
    send(response(note="x" * (int(length) - len(bare) - 1)))
    if then == "waits":
        await_end_of_input()


def long_noise(length: str) -> None:
    """A line of `length` bytes that is no message, and then the answer."""
    await_request()
    write("x" * int(length) + "\n")
    send(response())
    await_end_of_input()


def long_answer(length: str) -> None:
    await_request()
    write('{"jsonrpc":"2.0","id":1,"result":{"data":"0.1","note":"')
    write("x" * int(length))
    write('","tools":[]}}\n')
    await_end_of_input()


def endless_line() -> None:
    await_request()
    while True:
        write("x" * 65536)


def twice() -> None:
    await_request()
    send(response())
    send(response([]))
    await_end_of_input()


def error_response() -> None:
    await_request()
    send({"jsonrpc": "2.0", "id": 1, "error": {"code": -32601, "message": "no such method\nas describe"}})
    await_end_of_input()


def other_major() -> None:
    await_request()
    send(response([{"another": "shape"}], data="1.0"))
    await_end_of_input()


def newer_minor() -> None:
    await_request()
    send(response([{**entry(), "since": "0.7"}], data="0.7"))
    await_end_of_input()


def wrong_fingerprint() -> None:
    await_request()
    wrong = {**entry("tools/search.wrong"), "fingerprint": "sha256:" + "0" * 64}
    send(response([entry("tools/search.right"), wrong]))
    await_end_of_input()


def duplicates() -> None:
    await_request()
    send(response([entry("tools/search.find"), entry("tools/search.find", ok={"type": "string"})]))
    await_end_of_input()


def two_versions() -> None:
    await_request()
    send(response([entry("acme/kit@1.0.0/a.find"), entry("acme/kit@2.0.0/a.find", ok={"type": "string"})]))
    await_end_of_input()


def asks_host() -> None:
    """Sends a request and a notification first, and answers only once the request was refused."""
    await_request()
    send({"jsonrpc": "2.0", "method": "log", "params": {}})
    send({"jsonrpc": "2.0", "id": "their-1", "method": "sampling", "params": {}})
    reply = json.loads(sys.stdin.buffer.readline())
    assert reply["id"] == "their-1", reply
    assert reply["error"]["code"] == -32601, reply
    send(response())
    await_end_of_input()


def floods_host() -> None:
    """Sends requests, and never reads what they are answered with."""
    request = canonical({"jsonrpc": "2.0", "id": "x" * 4000, "method": "sampling"}) + "\n"
    write(request * 2000)
    send(response())
    time.sleep(FOREVER)


def half_line() -> None:
    await_request()
    write(canonical(response())[:40])


def last_line_without_end() -> None:
    """The whole answer, but for its LF: no message."""
    await_request()
    write(canonical(response()))


def closes_output() -> None:
    await_request()
    os.close(1)
    time.sleep(FOREVER)


def answers_and_exits() -> None:
    """Does not wait for anything, not even for the request."""
    send(response())


def error_flood(size: str) -> None:
    """`size` bytes on standard error, a MiB of them without a line end, before the answer."""
    await_request()
    block = b"E" * 65536
    for _ in range(int(size) // len(block)):
        os.write(2, block)
    os.write(2, b"\nthe last words\n")
    send(response())
    await_end_of_input()


def grandchild(answer: str) -> None:
    """Leaves a process that holds all three pipes and ignores SIGTERM, and exits."""
    ready_read, ready_write = os.pipe()
    code = (
        "import os, signal, time; signal.signal(signal.SIGTERM, signal.SIG_IGN); "
        f"os.write({ready_write}, b'x'); time.sleep({FOREVER})"
    )
    subprocess.Popen([sys.executable, "-S", "-E", "-c", code], pass_fds=(ready_write,))
    os.read(ready_read, 1)
    if answer == "answers":
        await_request()
        send(response())


def env(name: str) -> None:
    """Names an environment variable's value, and its directory, as tools."""
    await_request()
    send(response([entry(os.environ.get(name, "")), entry(str(Path.cwd()))]))
    await_end_of_input()


if __name__ == "__main__":
    behaviours = {name.replace("_", "-"): value for name, value in globals().items() if callable(value)}
    try:
        behaviours[sys.argv[1]](*sys.argv[2:])
    except BrokenPipeError:
        os._exit(0)
