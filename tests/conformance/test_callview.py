"""The conformance cases of kind callview."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from flow_lsp.descriptions.problems import DescriptionProblem
from flow_lsp.descriptions.spec import read_spec
from flow_lsp.descriptions.view import MISSING, check_view
from flow_lsp.types.shapes import call_view_to_json
from flow_lsp.types.terms import TypeSpec
from flow_lsp.values.canonical import canonical_text
from flow_lsp.values.strict_json import read_json

FILE = Path(__file__).parent / "cases" / "callview.json"
CASES: list[Any] = json.loads(FILE.read_text("utf-8"))["cases"]
# The same cases with every number exact.
EXACT: Any = read_json(FILE.read_bytes())


@pytest.mark.parametrize("number", range(len(CASES)), ids=[case["id"] for case in CASES])
def test_callview(number: int) -> None:
    expect = CASES[number]["expect"]
    given = EXACT["cases"][number]["input"]
    spec = read_spec(given["spec"])
    assert isinstance(spec, TypeSpec)
    found = check_view(spec, given.get("view", MISSING), given.get("schema", MISSING))
    if isinstance(found, DescriptionProblem):
        assert str(found.rule) == expect.get("refused"), found
        assert found.sentence.endswith(".")
    else:
        assert expect == {"valid": True}
        assert canonical_text(call_view_to_json(found)) == canonical_text(given["view"])
