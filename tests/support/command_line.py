"""What the tests of the command line share: files in the working directory, and implementations that answer."""

from __future__ import annotations

import json
import shlex
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

FIND = "@tool\nfn find(query: Text) -> Result<Int, Never>\n"
"""A file with one Tool."""

MCP_CHILD = str(Path(__file__).parents[1] / "children" / "mcp_child.py")

ANSWERS = """
import json, sys
tools = json.load(open("listing.json", encoding="utf-8"))
for line in sys.stdin:
    message = json.loads(line)
    if message.get("method") == "describe":
        result = {"data": "0.1", "tools": tools}
        print(json.dumps({"jsonrpc": "2.0", "id": message["id"], "result": result}), flush=True)
"""


@dataclass(frozen=True)
class Ran:
    """What one command came to."""

    status: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        """Standard output, read as JSON."""
        return json.loads(self.out)


Run = Callable[..., Ran]


def write(files: Mapping[str, str | bytes]) -> None:
    """Writes files, by their paths below the working directory."""
    for name, text in files.items():
        path = Path(name)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text.encode() if isinstance(text, str) else text)


def command_line(program: str = "serve.py") -> str:
    """A command that runs a script of the manifest's directory with this Python."""
    return f"'{sys.executable}' -S {program}"


def table(key: str, command: str) -> str:
    """One table of flow.toml."""
    return f'[tools."{key}"]\ncommand = """{command}"""\n'


def mcp_command(*arguments: str) -> str:
    """A command that starts the MCP server of the tests; see `tests/children/mcp_child.py`."""
    return shlex.join([sys.executable, "-S", "-E", MCP_CHILD, *arguments])


def mcp_table(key: str, command: str) -> str:
    """One table of flow.toml that binds to an MCP server."""
    return f'[tools."{key}"]\nmcp = {json.dumps(command)}\n'


def serve(run: Run, *targets: str, directory: str = ".", changed: Mapping[str, str] | None = None) -> None:
    """Puts an implementation in `directory` that serves these Tools (FILE:NAME) as they are declared now;
    with `changed`, by the text of their declarations after these replacements."""
    tools = []
    for target in targets:
        file, _, name = target.rpartition(":")
        before = Path(file).read_text(encoding="utf-8")
        text = before
        for old, new in (changed or {}).items():
            text = text.replace(old, new)
        Path(file).write_text(text, encoding="utf-8")
        fingerprint, _, identity = run("fingerprint", target).out.strip().partition("  ")
        signature = run("schema", target).json
        Path(file).write_text(before, encoding="utf-8")
        assert identity.endswith(f".{name}")
        tools.append({"tool": identity, "fingerprint": fingerprint, "signature": signature})
    write({f"{directory}/listing.json": json.dumps(tools), f"{directory}/serve.py": ANSWERS})
