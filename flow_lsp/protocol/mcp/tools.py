"""A server's tools, and the pages of `tools/list` that they come on (MCP, "Tools" and "Pagination").

A cursor is the server's own and means nothing here. A cursor that repeats, or more pages, tools or bytes than the
bounds, would go on without end and refuses the listing. One entry that is no tool is left out, with a remark.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from flow_lsp.findings.model import shown
from flow_lsp.values.strict_json import Json, JsonObject

PAGES_LIMIT: Final = 1_000
TOOLS_LIMIT: Final = 10_000
BYTES_LIMIT: Final = 64 * 1024 * 1024  # of all pages together
CURSOR_LIMIT: Final = 64 * 1024  # characters of one cursor
REMARKS_LIMIT: Final = 20


@dataclass(frozen=True, slots=True)
class McpTool:
    """One tool as its server lists it. Schemas are as they came; `output_schema` is None where there is none.

    `needs_task` says that the server takes calls of it as tasks alone, which this client does not make.
    """

    name: str
    title: str | None
    description: str | None
    input_schema: JsonObject
    output_schema: JsonObject | None = None
    needs_task: bool = False


@dataclass(frozen=True, slots=True)
class PageProblem:
    """Why a listing cannot be used, as a clause."""

    reason: str


class ToolPages:
    """The pages of one listing. `tools` are those read so far, in order; `remarks` say what was left out."""

    def __init__(self) -> None:
        self.tools: list[McpTool] = []
        self.remarks: list[str] = []
        self._names: set[str] = set()
        self._cursors: set[str] = set()
        self._pages = 0
        self._entries = 0
        self._bytes = 0

    def add(self, result: Json, size: int) -> str | PageProblem | None:
        """Takes one page, the `result` of a line of `size` bytes. Gives the cursor of the next one, None behind
        the last."""
        entries = result.get("tools") if isinstance(result, dict) else None
        if not isinstance(entries, list):
            return PageProblem("its result has no array of tools")
        assert isinstance(result, dict)
        self._pages += 1
        self._entries += len(entries)
        self._bytes += size
        if self._entries > TOOLS_LIMIT:
            return PageProblem(f"it lists more than {TOOLS_LIMIT} tools")
        for entry in entries:
            self._add_entry(entry)
        return self._next(result.get("nextCursor"))

    def _next(self, cursor: Json) -> str | PageProblem | None:
        if cursor is None:
            return None
        if not isinstance(cursor, str):
            return PageProblem("its nextCursor is no string")
        if len(cursor) > CURSOR_LIMIT:
            return PageProblem(f"its nextCursor has more than {CURSOR_LIMIT} characters")
        if cursor in self._cursors:
            return PageProblem(f"it gave the cursor `{shown(cursor)}` twice, so its pages would never end")
        if self._pages >= PAGES_LIMIT or self._bytes > BYTES_LIMIT:
            bounds = f"{PAGES_LIMIT} pages or {BYTES_LIMIT} bytes"
            return PageProblem(f"its list of tools goes on past {bounds}")
        self._cursors.add(cursor)
        return cursor

    def _add_entry(self, entry: Json) -> None:
        tool = read_tool(entry)
        if isinstance(tool, str):
            self._remark(tool)
        elif tool.name in self._names:
            self._remark(f"The server lists the tool `{shown(tool.name)}` twice; what it says first is what counts.")
        else:
            self._names.add(tool.name)
            self.tools.append(tool)

    def _remark(self, sentence: str) -> None:
        if len(self.remarks) < REMARKS_LIMIT:
            self.remarks.append(sentence)


def read_tool(entry: Json) -> McpTool | str:
    """The tool that `entry` describes, or in a sentence why it is none."""
    if not isinstance(entry, dict):
        return "The server lists a tool that is no object; it is left out."
    name, schema = entry.get("name"), entry.get("inputSchema")
    if not isinstance(name, str) or not name:
        return "The server lists a tool without a name; it is left out."
    if not isinstance(schema, dict):
        return f"The tool `{shown(name)}` has no inputSchema that is an object; it is left out."
    output, annotations, execution = (entry.get(key) for key in ("outputSchema", "annotations", "execution"))
    title = entry.get("title")
    if title is None and isinstance(annotations, dict):
        title = annotations.get("title")  # where revisions before 2025-06-18 have it
    return McpTool(
        name,
        _text(title),
        _text(entry.get("description")),
        schema,
        output if isinstance(output, dict) else None,
        isinstance(execution, dict) and execution.get("taskSupport") == "required",
    )


def _text(value: Json) -> str | None:
    return value if isinstance(value, str) else None
