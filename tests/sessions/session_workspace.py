"""A folder to work in, written from one text, and the implementation that its commands start."""

from __future__ import annotations

import json
import re
import shlex
import sys
from pathlib import Path

IMPLEMENTATION = str(Path(__file__).with_name("answering_implementation.py"))
FIND = "@tool fn find(query: Text) -> Result<Int, Text>\n"
"""A Tool that the implementation serves as it is here, when it stands in tools/search.flow."""


def command(*arguments: object) -> str:
    """A command line that starts the implementation for tests; see `answering_implementation.py`."""
    return shlex.join([sys.executable, "-S", "-E", IMPLEMENTATION, *map(str, arguments)])


def table(path: str, line: str) -> str:
    """A table of a flow.toml that binds `path` to a command line."""
    return f'[tools."{path}"]\ncommand = {json.dumps(line)}\n'


class Workspace:
    """A folder with files from one text: each part begins with a line `--- path`."""

    def __init__(self, folder: Path, text: str = "") -> None:
        self.folder = folder
        folder.mkdir(parents=True, exist_ok=True)
        for part in re.split(r"^--- ", text, flags=re.MULTILINE)[1:]:
            name, _, content = part.partition("\n")
            self.write(name.strip(), content)

    def path(self, name: str) -> Path:
        return self.folder / name

    def uri(self, name: str = "") -> str:
        return self.path(name).as_uri()

    def write(self, name: str, content: str | bytes) -> None:
        """Writes as an editor saves: whole, under another name first."""
        path = self.path(name)
        path.parent.mkdir(parents=True, exist_ok=True)
        other = path.with_name(path.name + ".new")
        other.write_bytes(content.encode() if isinstance(content, str) else content)
        other.replace(path)

    def serve(self, *tools: tuple[str, dict[str, object]], name: str = "served.json") -> None:
        """What the implementation serves: identities, and what of the plain signature is another."""
        self.write(name, json.dumps(tools))

    def starts(self, name: str = "starts") -> list[int]:
        """The process ids of all that were started with `--log`, in order."""
        path = self.path(name)
        return [int(line) for line in path.read_text().split()] if path.exists() else []
