"""An implementation on the toolkit for tests: `python -S -E toolkit_child.py REPOSITORY DIRECTORY OBJECT`.

The directory holds the generated module. OBJECT names the class that is served. `act` is async and `work` is not; the
argument `how` names one of an author's mistakes, or something that is none.
"""

from __future__ import annotations

import asyncio
import os
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import Any

sys.path[:0] = sys.argv[1:3]

from flow_tools import ActFailed, PROGRAM, ProblemBad, ProblemOdd, Tools, WorkFailed  # noqa: E402, I001

from flow_lsp.toolkit import ToolFailed, ToolNotRun, ValueSet, current_call  # noqa: E402

DIRECTORY = Path(sys.argv[2])
FOREVER = 60.0  # a bound for what is ended long before
held = asyncio.Event()


class Nasty(BaseException):
    def __str__(self) -> str:
        raise RuntimeError("no text either")


def recurse(depth: int) -> int:
    return recurse(depth + 1) + 1


def until(name: str) -> None:
    """Blocks until there is a file `name`."""
    (DIRECTORY / f"{name}.waiting").touch()
    begin = time.monotonic()
    while not (DIRECTORY / name).exists() and time.monotonic() < begin + FOREVER:
        time.sleep(0.005)


def nest(levels: int) -> Any:
    value: Any = 1
    for _ in range(levels):
        value = [value]
    return value


def done(how: str, value: int, failed: type[ToolFailed]) -> Any:
    """What both functions do alike; None where that is nothing."""
    match how:
        case "ok":
            return str(value)
        case "wrong-type":
            return value
        case "big":
            return "x" * value
        case "surrogate":
            return "\ud800"
        case "failed":
            raise failed(ProblemBad("no luck"))
        case "failed-odd":
            raise failed(ProblemOdd(value))
        case "failed-wrong":
            raise failed("no luck")
        case "not-run":
            raise ToolNotRun("not today")
        case "not-run-silently":
            raise ToolNotRun
        case "error":
            raise ValueError("the station is closed")
        case "exit":
            sys.exit(3)
        case "interrupt":
            raise KeyboardInterrupt
        case "generator-exit":
            raise GeneratorExit
        case "stop-iteration":
            raise StopIteration(7)
        case "cancelled-error":
            raise asyncio.CancelledError
        case "nasty":
            raise Nasty
        case "recursion":
            return str(recurse(0))
        case "os-exit":
            os._exit(value)
        case "input":
            return input()
        case "read-input":
            return repr(os.read(0, 100))
        case "print":
            print("printed by print")
            print("printed to __stdout__", file=sys.__stdout__, flush=True)
            os.write(1, b"written to 1\n")
            subprocess.run([sys.executable, "-S", "-E", "-c", "print('printed by a child')"], check=True)
            return "printed"
        case "block":
            until("gate")
            return "unblocked"
        case "thread" | "daemon-thread":
            stays = threading.Event()
            left = threading.Thread(target=stays.wait, args=(FOREVER,), name="left-behind", daemon=how[0] == "d")
            left.start()
            return "left"
        case "answered-before":
            return str(current_call().answered_before)
        case "ids":
            call = current_call()
            return f"{call.run}/{call.call}/{call.tool}/{call.types}"
        case "fork-and-return":
            os.fork()
            return "returned"
        case "fork":
            if not (child := os.fork()):
                until("gate")
                os._exit(0)
            return str(child)
        case _:
            return None


class Plain:
    """Both functions, and two more."""

    async def act(self, how: str, value: int) -> Any:
        match how:
            case "hold":
                await held.wait()
                return str(value)
            case "release":
                held.set()
                return "released"
            case "until-cancelled":
                try:
                    await asyncio.sleep(FOREVER)
                except asyncio.CancelledError:
                    return "stopped"
            case "cancelled":
                await asyncio.sleep(FOREVER)
            case "never":
                while True:
                    try:
                        await asyncio.sleep(FOREVER)
                    except asyncio.CancelledError:
                        continue
            case "briefly":
                await asyncio.sleep(0.2)
                return "done"
            case "executor":
                await asyncio.to_thread(until, "gate")
            case "task-exit":
                await asyncio.create_task(self.exit())
            case "forgotten-task-exit":
                self.task = asyncio.create_task(self.exit())
                return "ok"
            case "cancel-everything":
                for task in asyncio.all_tasks():
                    task.cancel()
                await asyncio.sleep(0)
            case "generator":
                return (each for each in "ab")
        return done(how, value, ActFailed)

    async def exit(self) -> None:
        sys.exit(4)

    def work(self, how: str, value: int) -> Any:
        match how:
            case "until-cancelled":
                current_call().cancelled.wait(FOREVER)
                return "stopped"
            case "never":
                until("never")
            case "briefly":
                time.sleep(0.2)
                return "done"
            case "awaitable":
                return self.act("ok", value)
            case "awaitable-cancelled":
                return self.act("until-cancelled", value)
            case "awaitable-error":
                return self.act("error", value)
            case "generator":
                return (each for each in "ab")
        return done(how, value, WorkFailed)

    def total(self, items: Any, note: str) -> int:
        return sum(items) + len(note)

    def keep(self, values: Any, how: str) -> Any:
        match how:
            case "made":
                return ValueSet([*values, current_call().types.carrier_text("T", '"PT1M"')])
            case "plain":
                return {1}
            case "no-codec":
                return current_call().types.codec("T")
        return ValueSet(sorted(values)) if how == "sorted" else frozenset(values)

    async def deep(self, levels: int) -> Any:
        return nest(levels)

    async def tag(self, name: str) -> str:
        return f"{name} {current_call().types.term('T')}"


class Lacking:
    """`act` takes another argument, and the others are missing or no functions."""

    total = 1

    def act(self, how: str, number: int) -> str:
        return how


if __name__ == "__main__":
    served = globals()[sys.argv[3]]
    tools: Tools = served if sys.argv[3:5] == ["Plain", "class"] else served()
    PROGRAM.serve(tools)
    print("cleaned up")
    if sys.argv[4:5] == ["stays"]:
        until("gate")
