"""Each page's example triggers its code at the marked place, and the fixed one does not."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from support.mcp_answers import of_page

from flow_lsp.analysis.call_tools import call_findings, tool_to_call
from flow_lsp.analysis.engine import Analysis
from flow_lsp.analysis.snapshot import Described, Standing
from flow_lsp.files.workspace import WorkspaceFiles
from flow_lsp.findings.catalogue import RULES
from flow_lsp.findings.model import Finding
from flow_lsp.host.project import Project
from flow_lsp.protocol.describe import Answered, DescribeConversation, Noise, Refused
from flow_lsp.protocol.outcome import DescribeOutcome
from flow_lsp.signature.signature import served_fingerprint
from flow_lsp.text.lines import LineIndex, PositionEncoding
from flow_lsp.values.strict_json import read_json

PAGES = Path(__file__).parents[2] / "docs" / "diagnostics"
FENCE = re.compile(r"^```(\w+)(?: ([^\n]*))?\n(.*?)^```$", re.MULTILINE | re.DOTALL)
CARETS = re.compile(r"^\s*(?:#|//)\s*(\^+)\s*$")

# Whether Tools are bound, and by what, is not what the pages of other rules are about.
BESIDE = {"unbound-no-manifest", "unbound-no-table", "unbound-no-program", "program-not-found", "missing-file"}

Mark = tuple[str, int, int, int]  # file, line, first column, column after the last; from 1


@dataclass
class Example:
    """The workspace of one section of a page."""

    files: dict[str, bytes] = field(default_factory=dict)
    marks: set[Mark] = field(default_factory=set)
    answer: str | None = None
    not_run: bool = False
    server: Described | None = None  # what an MCP server said
    calls: dict[str, tuple[str, str]] = field(default_factory=dict)  # the file and Tool, and the text of arguments


def example(section: str) -> Example:
    found = Example()
    for language, info, body in FENCE.findall(section):
        words = dict(word.partition("=")[::2] for word in info.split())
        if "at" in words:
            line, _, columns = words["at"].partition(":")
            first, _, last = columns.partition("-")
            found.marks.add((words.get("file", "call"), int(line), int(first), int(last)))
        if "file" in words:
            found.files[words["file"]] = body.encode(words.get("encoding", "utf-8"))
            found.marks |= marks(words["file"], body)
        elif "call" in words:
            found.calls["call"] = words["call"], body
        elif "not-run" in words:
            found.not_run = True
        elif "mcp" in words:
            found.server = of_page(language, body)
        elif "describe" in words:
            found.answer = answer_line(language, body)
    return found


def marks(name: str, text: str) -> set[Mark]:
    found: set[Mark] = set()
    above = 0
    for number, line in enumerate(text.split("\n"), 1):
        if carets := CARETS.match(line):
            found.add((name, above, carets.start(1) + 1, carets.end(1) + 1))
        else:
            above = number
    return found


def answer_line(language: str, body: str) -> str:
    """What the implementation writes; `sha256:…` stands for the fingerprint of the signature beside it."""
    if language == "json":
        body = '{"jsonrpc": "2.0", "id": 1, "result": ' + " ".join(body.split("\n")) + "}\n"
    lines = []
    for line in body.splitlines(keepends=True):
        if line.startswith("{"):
            message = json.loads(line)
            tools = message["result"]["tools"]
            for tool in tools if isinstance(tools, list) else []:
                if tool["fingerprint"] == "sha256:…":
                    tool["fingerprint"] = served_fingerprint(read_json(json.dumps(tool["signature"])))
            line = json.dumps(message) + "\n"
        lines.append(line)
    return "".join(lines)


def described(found: Example) -> Described | None:
    if found.not_run:
        return Described(Standing.NOT_TRUSTED, reason="The setting flow.trust is never.")
    if found.answer is None:
        return found.server
    conversation = DescribeConversation()
    listing = failure = None
    noise = []
    for event in [*conversation.receive(found.answer.encode()), *conversation.end()]:
        if isinstance(event, Answered):
            listing = event.listing
        elif isinstance(event, Refused):
            failure = event.failure
        elif isinstance(event, Noise):
            noise.append(event.text)
    return Described(
        Standing.CURRENT, DescribeOutcome(listing, failure, tuple(noise), noise_count=len(noise)), "12:00:00"
    )


def findings_of(found: Example, folder: Path) -> set[tuple[str, Mark]]:
    for name, data in found.files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)
    project = Project(WorkspaceFiles([str(folder)]))
    project.load()
    answer = described(found)
    if answer is not None:
        manifests = project.snapshot().manifests.values()
        commands = [key for file in manifests for key in Analysis().commands_of(project.snapshot(), file.path)]
        project.set_described(dict.fromkeys(commands, answer), project.snapshot().undescribed)
    analysis, snapshot = Analysis(), project.snapshot()
    said = set()
    for name in found.files:
        key = str(folder / name)
        text = project.files.text(key)
        said |= placed(name, text if isinstance(text, str) else "", analysis.findings(snapshot, key))
    for name, (target, text) in found.calls.items():
        file, _, tool = target.partition(":")
        called = tool_to_call(analysis, snapshot, str(folder / file), tool)
        said |= placed(name, text, call_findings(analysis, snapshot, called, text))
    return said


def placed(name: str, text: str, findings: Sequence[Finding]) -> set[tuple[str, Mark]]:
    index = LineIndex.of(text)
    said = set()
    for finding in findings:
        start = index.position(finding.span.start, PositionEncoding.UTF32)
        end = index.position(finding.span.end, PositionEncoding.UTF32)
        assert end.line >= start.line
        last = end.character if end.line == start.line else len(index.line(start.line))
        said.add((finding.rule.code, (name, start.line + 1, start.character + 1, last + 1)))
    return said


@pytest.mark.parametrize("code", sorted(RULES))
def test_the_page_shows_what_it_says(code: str, tmp_path: Path) -> None:
    text = (PAGES / f"{code}.md").read_text(encoding="utf-8")
    assert text.startswith(f"# {code}\n")
    assert "## Why it matters" in text
    failing, fixed = text.split("## Example", 1)[1].split("## How to fix it", 1)
    wrong = example(failing)
    assert wrong.marks, "the example marks no place"
    said = findings_of(wrong, tmp_path / "wrong")
    assert {mark for found, mark in said if found == code} == wrong.marks
    assert not {found for found, _ in said} - {code} - BESIDE
    right = findings_of(example(fixed), tmp_path / "fixed")
    assert not {found for found, _ in right} - (BESIDE - {code})
