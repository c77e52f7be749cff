"""A `.flow` file from the tools of an MCP server: `flow_text`.

A tool is declared under its own name, by which the adapter finds it (decisions 11); one whose name Flow cannot have is
left as a comment. The error type is json.Value: MCP has no schema for errors, and json.Value takes whatever JSON a
server sends. The success type is the outputSchema's. Without one it is json.Value, too, and not Text: the text block
must hold JSON, so that Text would decode JSON strings alone, which servers hardly write, and refuse every other JSON;
plain words are BadReply with either. The file says so where it matters.

The text is always read without a finding, and depends on nothing but the arguments.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from flow_lsp.findings.model import shown
from flow_lsp.importing.comments import doc_lines, note_lines
from flow_lsp.importing.flow_types import Direction, FlowTypes, Typed
from flow_lsp.importing.manifest_table import file_name, manifest_table
from flow_lsp.importing.names import TypeNames, camel, is_free_name
from flow_lsp.importing.plans import JSON, FieldPlan, Plan, RecordPlan
from flow_lsp.protocol.mcp.tools import McpTool

TOOL_LIMIT: Final = 400_000  # characters of what one tool comes to
FILE_LIMIT: Final = 8_000_000
NOTES_LIMIT: Final = 200
_NO_OUTPUT_SCHEMA: Final = (
    "It has no outputSchema: the one text block of its result must hold JSON; other text is BadReply."
)
UNNAMED_COMMAND: Final = "the command that starts the server"


@dataclass(frozen=True, slots=True)
class ImportResult:
    """A file's text; the table of flow.toml that binds it; and sentences about what a person should look at."""

    text: str
    manifest_table: str
    notes: tuple[str, ...]


def flow_text(
    server: str, tools: Sequence[McpTool], *, command: str = UNNAMED_COMMAND, file: str | None = None
) -> ImportResult:
    """The declarations of `tools`, those of the MCP server that calls itself `server`.

    `command` starts it, and `file` is where the text goes, relative to the manifest's directory. Never raises, whatever
    the tools are; linear in them.
    """
    names = TypeNames({tool.name for tool in tools})
    blocks: list[str] = []
    notes: list[str] = []
    declared: set[str] = set()
    size = 0
    for number, tool in enumerate(tools):
        written = _declared(tool, names) if tool.name not in declared else "the server lists another tool of that name"
        if isinstance(written, str):
            lines = _left_out(tool, written)
            notes.append(f"The tool `{shown(tool.name)}` is left out: {written}.")
        else:
            lines = written.lines
            declared.add(tool.name)
            notes += written.notes
        block = "\n".join(lines)
        size += len(block)
        if size > FILE_LIMIT:
            notes.append(f"The last {len(tools) - number} tools are left out: the file would be too large.")
            blocks.append("\n".join(note_lines(notes[-1:])))
            break
        blocks.append(block)
    head = [f'The tools of the MCP server "{shown(server)}", written from what it lists. Change what you know better.']
    if declared:
        head.append(f"MCP declares no errors, so the error type is {JSON}; an error in plain words is BadReply.")
    text = "\n".join(note_lines(head)) + "\n"
    if declared:
        text += "\nimport std/json\n"
    text += "".join(f"\n{block}\n" for block in blocks)
    if len(notes) > NOTES_LIMIT:
        notes[NOTES_LIMIT:] = [f"There are {len(notes) - NOTES_LIMIT} more such notes in the file."]
    return ImportResult(text, manifest_table(file or file_name(server), command), tuple(notes))


@dataclass(frozen=True, slots=True)
class _Written:
    lines: list[str]
    notes: list[str]


def _declared(tool: McpTool, names: TypeNames) -> _Written | str:
    """The declaration of `tool` with its types; or why there is none, as a clause."""
    if not is_free_name(tool.name):
        return "its name is no Flow name, and an MCP tool is found by the declaration's own name"
    if tool.needs_task:
        return "it takes calls as tasks alone, which this host does not make"
    prefix = camel(tool.name)
    taken = FlowTypes(tool.input_schema, Direction.TAKEN, prefix, names)
    params = taken.root_fields(prefix)
    if isinstance(params, str):
        return params
    fields, left_out = params
    plans = list(taken.plans)
    ok = Typed(JSON, note=_NO_OUTPUT_SCHEMA)
    if tool.output_schema is not None:
        given = FlowTypes(tool.output_schema, Direction.GIVEN, prefix, names)
        ok = given.root_type(prefix + "Result")
        plans += given.plans
    notes = [f"Its result: {ok.note}" if ok.note and tool.output_schema is not None else ok.note]
    notes = [note for note in (*left_out, *notes) if note]
    lines = _lines(tool, fields, ok.text, notes, plans)
    if sum(map(len, lines)) > TOOL_LIMIT:
        return "its declaration would be too large"
    called = f"`{shown(tool.name)}`"
    said = [f"{called}: {note}" for note in notes]
    said += [f"{called}, parameter `{shown(one.name)}`: {note}" for one in fields for note in one.notes]
    for plan in plans:
        if isinstance(plan, RecordPlan):
            said += [f"{called}, {plan.name}: {note}" for note in plan.notes]
            said += [f"{called}, {plan.name}.{one.name}: {note}" for one in plan.fields for note in one.notes]
    return _Written(lines, said)


def _lines(tool: McpTool, fields: list[FieldPlan], ok: str, notes: list[str], plans: list[Plan]) -> list[str]:
    result = f") -> Result<{ok}, {JSON}>"
    head = f"pub fn {tool.name}("
    function = [head, *(line for one in fields for line in one.lines()), result] if fields else [head + result]
    lines = [*note_lines(notes), *doc_lines(_doc(tool)), "@tool", *function]
    for plan in plans:
        lines += ["", *plan.lines()]
    return lines


def _left_out(tool: McpTool, why: str) -> list[str]:
    lines = note_lines([f"The tool `{shown(tool.name)}` is left out: {why}."])
    return [*lines, *(line.replace("///", "//", 1) for line in doc_lines(_doc(tool))[:1])]


def _doc(tool: McpTool) -> str:
    """Its title, where that says more than its name, and its description."""
    title = tool.title or ""
    says_more = title.casefold() not in (tool.name.casefold(), (tool.description or "").casefold())
    return "\n\n".join(part for part in (title if says_more else "", tool.description) if part)
