"""The conformance cases of kind schema."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from flow_lsp.schema.projection import ProjectionProblem, Projector
from flow_lsp.types.shapes import ShapeProblem, template_from_json, term_from_json
from flow_lsp.types.terms import Template
from flow_lsp.values.canonical import canonical_text
from flow_lsp.values.strict_json import read_json

FILE = Path(__file__).parent / "cases" / "schema.json"
CASES: list[Any] = json.loads(FILE.read_text("utf-8"))["cases"]


@pytest.mark.parametrize("case", CASES, ids=[case["id"] for case in CASES])
def test_schema(case: dict[str, Any]) -> None:
    given = read_json(json.dumps(case["input"]))
    assert isinstance(given, dict)
    term = term_from_json(given["type"])
    assert not isinstance(term, ShapeProblem)
    types = given["types"]
    assert isinstance(types, dict)
    templates: dict[str, Template] = {}
    for local_id, written in types.items():
        template = template_from_json(written)
        assert isinstance(template, Template)
        templates[local_id] = template
    projected = Projector(templates).project(term, case["input"].get("generic", ()))
    if isinstance(projected, ProjectionProblem):
        assert projected.fault.value == case["expect"].get("refused"), projected.sentence
    else:
        assert canonical_text(projected.schema) == canonical_text(case["expect"].get("schema"))
