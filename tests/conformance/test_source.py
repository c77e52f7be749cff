"""The conformance cases of kind `source`: files in, the tools listing out."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from strategies.flow_workspaces import FOLDER, FileMap, check_all

from flow_lsp.source.listing import tools_listing

CASES = json.loads((Path(__file__).parent / "cases" / "source.json").read_text(encoding="utf-8"))["cases"]


def with_stable_ids(listing: dict[str, Any]) -> dict[str, Any]:
    """`listing` with its local ids replaced by their order of first use, breadth first from the Tools."""
    order: dict[str, str] = {}

    def visit(value: Any) -> Any:
        if isinstance(value, dict):
            if set(value) == {"declaration", "args"}:
                order.setdefault(value["declaration"], f"id{len(order)}")
                return {"declaration": order[value["declaration"]], "args": visit(value["args"])}
            if set(value) == {"owner", "index"}:
                return {"owner": order.get(value["owner"], value["owner"]), "index": value["index"]}
            return {name: visit(member) for name, member in value.items()}
        return [visit(member) for member in value] if isinstance(value, list) else value

    tools = visit(listing["tools"])
    types: dict[str, Any] = {}
    while len(types) < len(order):
        for name, number in list(order.items()):
            if number not in types:
                types[number] = visit(listing["types"][name])
    assert len(types) == len(listing["types"]), "a declaration that no tool reaches"
    return {"data": listing["data"], "tools": tools, "types": types}


def leave_out(expected: Any, given: Any) -> Any:
    """`given` with what the expectation says nothing about taken from it."""
    for want, entry in zip(expected["tools"], given["tools"], strict=False):
        if want["line"] is None:
            entry["line"] = None
    return given


@pytest.mark.parametrize("case", CASES, ids=[case["id"] for case in CASES])
def test_case(case: dict[str, Any]) -> None:
    workspace = FileMap(case["input"]["files"], case["input"].get("repositories", {}))
    checked = check_all(workspace)
    expected = case["expect"]
    if "listing" in expected:
        listing = tools_listing(checked, FOLDER)
        want = with_stable_ids(expected["listing"])
        assert with_stable_ids(leave_out(expected["listing"], listing)) == want
    if "problems" in expected:
        problems = [
            {
                "file": file.path.removeprefix(FOLDER + "/"),
                "line": file.source.text.count("\n", 0, finding.span.start) + 1,
                "rule": finding.rule.code,
            }
            for file in checked
            for finding in file.findings
            if finding.rule.severity == 1
        ]
        assert sorted(problems, key=str) == sorted(expected["problems"], key=str)
