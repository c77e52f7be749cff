"""An implementation for tests of calls: what it does with each call is what the call's argument `how` names.

    python -S -E calling_child.py LISTING STARTS [CHANGE]

LISTING is a file with what it answers describe with; one byte is added to the file STARTS at each start. CHANGE names
what is different from the second start on. It uses the standard library alone, and shares no code with what it tests.
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

held: list[dict[str, str]] = []


def write(data: bytes) -> None:
    sys.stdout.buffer.write(data)
    sys.stdout.buffer.flush()


def send(message: object) -> None:
    write(json.dumps(message, separators=(",", ":")).encode() + b"\n")


def reply(pair: dict[str, str], outcome: object) -> None:
    send({"jsonrpc": "2.0", "method": "reply", "params": {**pair, "outcome": outcome}})


def ok(pair: dict[str, str], value: str = "done") -> None:
    reply(pair, {"Ok": value})


def raw_reply(pair: dict[str, str], outcome: bytes) -> None:
    params = json.dumps(pair)[:-1].encode()
    write(b'{"jsonrpc":"2.0","method":"reply","params":' + params + b',"outcome":' + outcome + b"}}\n")


def act(pair: dict[str, str], how: str, value: int) -> None:
    match how:
        case "ok":
            ok(pair, str(value))
        case "failed":
            reply(pair, {"Failed": "no luck"})
        case "not-run":
            reply(pair, {"NotRun": "not today"})
        case "unknown":
            reply(pair, {"Unknown": "who knows"})
        case "wrong-type":
            reply(pair, {"Ok": value})
        case "malformed":
            reply(pair, {"Okay": "x"})
        case "exit":
            os._exit(value)
        case "kill":
            os.kill(os.getpid(), signal.SIGKILL)
        case "reply-and-exit":
            ok(pair)
            os._exit(0)
        case "half-a-reply":
            write(b'{"jsonrpc":"2.0","method":"reply","params":{"run":"')
            os._exit(0)
        case "hold":
            held.append(pair)
        case "release":
            for each in reversed([*held, pair]):
                ok(each, each["call"])
            held.clear()
        case "twice":
            ok(pair, "first")
            ok(pair, "second")
        case "strays":
            ok({"run": "no-such", "call": pair["call"]})
            ok({"run": pair["run"], "call": "no-such"})
            ok(pair)
        case "big":
            ok(pair, "x" * value)
        case "utf8":
            raw_reply(pair, b'{"Ok":"\xff"}')
        case "surrogate":
            raw_reply(pair, b'{"Ok":"\\ud800"}')
        case "noise":
            write(b"npm notice\n\n[]\n" * value)
            ok(pair)
        case "stderr":
            for _ in range(value):
                os.write(2, b"E" * 65535 + b"\n")
            ok(pair)
        case "grandchild":
            subprocess.Popen([sys.executable, "-S", "-c", "import time; time.sleep(60)"])
            os._exit(0)
        case "slow":
            time.sleep(value / 1000)
            ok(pair)
        case "never" | "until-cancelled":
            held.append({**pair, "how": how})
        case _ if how.startswith("long"):
            ok(pair, str(len(how)))
        case "sleepy":  # reads nothing more for a while
            time.sleep(value / 1000)
            ok(pair)


def cancelled(pair: dict[str, str]) -> None:
    for each in list(held):
        if each.get("how") == "until-cancelled" and (each["run"], each["call"]) == (pair["run"], pair["call"]):
            held.remove(each)
            ok(pair, "stopped")


def main() -> None:
    listing = json.loads(Path(sys.argv[1]).read_text("utf-8"))
    starts = Path(sys.argv[2])
    with starts.open("ab") as file:
        file.write(b"x")
    change = sys.argv[3] if len(sys.argv) > 3 and starts.stat().st_size > 1 else ""
    if change == "serves-nothing":
        listing["tools"] = []
    elif change == "other-fingerprint":
        for tool in listing["tools"]:
            tool["signature"]["ok"] = {"type": "integer"}
            tool["fingerprint"] = "sha256:" + "0" * 64
    elif change == "other-major":
        listing["data"] = "1.0"
    elif change == "ignores-term":
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
    if len(sys.argv) > 3 and sys.argv[3] == "stubborn":
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
    if len(sys.argv) > 3 and sys.argv[3] == "dies-at-once":
        os._exit(7)
    for line in sys.stdin.buffer:
        message = json.loads(line)
        method, params = message["method"], message["params"]
        if method == "describe":
            send({"jsonrpc": "2.0", "id": message["id"], "result": listing})
        elif method == "cancel":
            cancelled({"run": params["run"], "call": params["call"]})
        elif method == "call":
            pair = {"run": params["run"], "call": params["call"]}
            assert params["tool"] == listing["tools"][0]["tool"], params
            act(pair, params["args"]["how"], params["args"]["value"])
    if len(sys.argv) > 3 and sys.argv[3] == "stubborn":
        time.sleep(60)


if __name__ == "__main__":
    main()
