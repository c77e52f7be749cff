"""The implementation on the toolkit as a process, spoken to in bytes."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

from support.toolkit_programs import REPOSITORY, generated_text

CHILD = str(Path(__file__).with_name("toolkit_child.py"))
SOURCE = """
import std/json
pub enum Problem { Bad(Text), Odd { code: Int, why: Option<Text> } }
pub record Tagged<T> { name: Text }
@tool
pub fn act(how: Text, value: Int) -> Result<Text, Problem>
@tool
pub fn work(how: Text, value: Int) -> Result<Text, Problem>
@tool
pub fn total(items: List<Int>, note: Text) -> Result<Int, Never>
@tool
pub fn keep<T>(values: List<T>, how: Text) -> Result<Set<T>, Problem>
@tool
pub fn deep(levels: Int) -> Result<json.Value, Never>
@tool
pub fn tag<T>(name: Text) -> Result<Text, Never>
"""
DESCRIBE = {"jsonrpc": "2.0", "id": 1, "method": "describe", "params": {"data": "0.1"}}


def write_module(directory: Path) -> None:
    """Writes the generated module of SOURCE."""
    (directory / "flow_tools.py").write_text(generated_text(SOURCE), "utf-8")


def words(directory: Path, *served: str) -> tuple[str, ...]:
    """The command of the implementation whose module stands in `directory`."""
    return (sys.executable, "-S", "-E", CHILD, str(REPOSITORY), str(directory), *(served or ("Plain",)))


class ToolkitProcess:
    """One process. Its standard error goes to a file, so that nothing waits for us."""

    def __init__(self, directory: Path, *served: str) -> None:
        write_module(directory)
        self._errors = directory / "stderr"
        self._directory = directory
        with self._errors.open("wb") as errors:
            self.process = subprocess.Popen(
                words(directory, *served), stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=errors
            )
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self.input, self.output = self.process.stdin, self.process.stdout
        self._outcomes: dict[str, Any] = {}

    def send(self, *messages: Any) -> None:
        lines = [json.dumps(message, separators=(",", ":")).encode() + b"\n" for message in messages]
        self.input.write(b"".join(lines))
        self.input.flush()

    def message(self) -> Any:
        """The next message; each line is one, for nothing else may stand there."""
        line = self.output.readline()
        return json.loads(line) if line else None

    def describe(self, request_id: int | str = 1) -> Any:
        self.send({**DESCRIBE, "id": request_id})
        while (answer := self.message()) is not None and "result" not in answer:
            self._keep(answer)
        assert answer is not None
        assert answer["id"] == request_id
        return answer["result"]

    def call(self, call: str, tool: str, args: Any, **more: Any) -> None:
        params = {"run": "r", "call": call, "tool": f"tools.{tool}", "args": args, **more}
        self.send({"jsonrpc": "2.0", "method": "call", "params": params})

    def cancel(self, call: str) -> None:
        self.send({"jsonrpc": "2.0", "method": "cancel", "params": {"run": "r", "call": call}})

    def outcome(self, call: str) -> Any:
        """The outcome of a call, whatever comes before it; None where the output ends."""
        while call not in self._outcomes:
            message = self.message()
            if message is None:
                return None
            self._keep(message)
        return self._outcomes.pop(call)

    def asked(self, tool: str, how: str, value: int = 0, call: str = "one") -> Any:
        """The outcome of one call."""
        self.call(call, tool, {"how": how, "value": value})
        return self.outcome(call)

    def has_begun(self, name: str) -> None:
        """Waits until a function waits for the file `name`."""
        while not (self._directory / f"{name}.waiting").exists():
            os.sched_yield()

    def open(self, name: str) -> None:
        """Lets functions go on that wait for the file `name`."""
        (self._directory / name).touch()

    def close_input(self) -> None:
        self.input.close()

    def ended(self) -> int:
        """How it ended, by itself."""
        return self.process.wait(30)

    @property
    def errors(self) -> str:
        return self._errors.read_text("utf-8")

    def clean_up(self) -> None:
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait()
        if not self.input.closed:
            self.input.close()
        if not self.output.closed:
            self.output.close()

    def _keep(self, message: Any) -> None:
        assert message["method"] == "reply", message
        params = message["params"]
        assert params["call"] not in self._outcomes, "two replies for one call"
        self._outcomes[params["call"]] = params["outcome"]
