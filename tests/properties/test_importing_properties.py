"""Laws of importing: the text is read without a finding, is the same each time, and its types fit the schemas."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Any

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from jsonschema import Draft202012Validator
from strategies.json_schemas import Sampled, hostile_texts, sampled, tool_entries
from strategies.value_strategies import values_of
from support.flow_declarations import checked, declared, signature

from flow_lsp.codecs.codec import Codecs
from flow_lsp.importing.flow_file import flow_text
from flow_lsp.manifest.reader import read_manifest
from flow_lsp.protocol.mcp.arguments import arguments_text
from flow_lsp.protocol.mcp.compared import AdviceKind, compared
from flow_lsp.protocol.mcp.tools import McpTool, read_tool
from flow_lsp.values.strict_json import read_json


def tools_of(entries: list[Any]) -> list[McpTool]:
    return [tool for tool in map(read_tool, entries) if isinstance(tool, McpTool)]


@settings(deadline=None, max_examples=300)
@given(hostile_texts, st.lists(tool_entries(), max_size=4))
def test_what_is_written_is_read_without_a_finding_and_has_fingerprints(server: str, entries: list[Any]) -> None:
    tools = tools_of(entries)
    made = flow_text(server, tools)
    found = checked(made.text)
    assert [(finding.rule.code, finding.message) for finding in found.findings] == []
    made.text.encode("utf-8")
    assert "\r" not in made.text
    for tool in found.tools:
        assert signature(tool).fingerprint
    left_out = [note for note in made.notes if "is left out" in note and note.startswith("The tool")]
    assert len(found.tools) + len(left_out) == len(tools)
    assert all(note.isprintable() for note in made.notes)
    assert flow_text(server, tools) == made


@settings(deadline=None, max_examples=200)
@given(hostile_texts, hostile_texts)
def test_the_table_names_the_file_and_the_command(server: str, command: str) -> None:
    made = flow_text(server, [], command=command)
    manifest = read_manifest(made.manifest_table)
    [table] = manifest.tables
    assert table.path is not None
    assert tomllib.loads(made.manifest_table) == {
        "tools": {
            table.path: {"mcp": "".join("\ufffd" if "\ud800" <= letter <= "\udfff" else letter for letter in command)}
        }
    }


@settings(deadline=None, max_examples=300)
@given(sampled())
def test_each_value_that_an_output_schema_allows_decodes(made: Sampled) -> None:
    tool = read_tool({"name": "f", "inputSchema": {}, "outputSchema": made.schema})
    assume(isinstance(tool, McpTool))
    assert isinstance(tool, McpTool)
    [found] = declared(flow_text("s", [tool]).text)
    assert found.spec is not None
    codec = Codecs(found.spec.declarations, builds_opaque=False).codec(found.spec.ok)
    for value in made.values:
        assert Draft202012Validator(made.schema).is_valid(value)
        codec.decode(read_json(json.dumps(value)))


@settings(deadline=None, max_examples=300)
@given(sampled(), st.data())
def test_each_argument_of_a_written_type_is_one_that_the_tool_takes(made: Sampled, data: st.DataObject) -> None:
    schema = {"type": "object", "properties": {"p": made.schema}, "required": ["p"]}
    tool = read_tool({"name": "f", "inputSchema": schema, "outputSchema": {"type": "null"}})
    assert isinstance(tool, McpTool)
    imported = flow_text("s", [tool])
    assume(not imported.notes)  # what types cannot say is noted
    [found] = declared(imported.text)
    assert found.spec is not None
    [param] = found.spec.params
    codec = Codecs(found.spec.declarations).codec(param.type)
    value = read_json(codec.encode(data.draw(values_of(found.spec.declarations, param.type, codec))))
    sent = json.loads(arguments_text([param], {"p": value}))
    optional = "p" not in sent
    assert optional or Draft202012Validator(schema).is_valid(sent)


@settings(deadline=None, max_examples=300)
@given(sampled(), sampled())
def test_nothing_is_advised_of_what_was_written_but_what_its_notes_say(taken: Sampled, given_: Sampled) -> None:
    schema = {"type": "object", "properties": {"p": taken.schema}, "required": ["p"]}
    tool = read_tool({"name": "f", "inputSchema": schema, "outputSchema": given_.schema})
    assume(isinstance(tool, McpTool))
    assert isinstance(tool, McpTool)
    made = flow_text("s", [tool])
    [found] = declared(made.text)
    said = [one for one in compared(signature(found).served, tool) if one.kind is not AdviceKind.NO_OUTPUT_SCHEMA]
    assert not said or made.notes


@pytest.mark.parametrize("seed", ["0", "1"])
def test_the_bytes_do_not_depend_on_hash_seeds(seed: str) -> None:
    code = (
        "import sys; sys.path.insert(0, 'tests'); from strategies.json_schemas import RECURSIVE\n"
        "from flow_lsp.importing.flow_file import flow_text; from flow_lsp.protocol.mcp.tools import read_tool\n"
        "t = [read_tool({'name': n, 'inputSchema': {}, 'outputSchema': RECURSIVE}) for n in ('a', 'b')]\n"
        "import hashlib; print(hashlib.sha256(flow_text('s', t).text.encode()).hexdigest())"
    )
    root = Path(__file__).parents[2]

    def run(hash_seed: str) -> str:
        environment = {**os.environ, "PYTHONHASHSEED": hash_seed}
        return subprocess.run(
            [sys.executable, "-c", code], cwd=root, env=environment, capture_output=True, text=True, check=True
        ).stdout

    assert run(seed) == run("2")
