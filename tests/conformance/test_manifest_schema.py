"""The schema of flow.toml, for other TOML tools, agrees with the rules as far as a schema can say them."""

from __future__ import annotations

import json
import tomllib
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft7Validator

from flow_lsp.manifest.reader import read_manifest

SCHEMA = json.loads((Path(__file__).parents[2] / "schemas" / "flow.toml.schema.json").read_text("utf-8"))
CASES = json.loads((Path(__file__).parent / "cases" / "manifest.json").read_text("utf-8"))["cases"]
# What no schema sees: two spellings of one path, a text that is no TOML, and how a command splits.
BEYOND = {"same-path", "toml"}


def codes_of(text: str) -> set[str]:
    return {finding.rule.code for finding in read_manifest(text).findings}


TEXTS = [
    text.removeprefix("\ufeff")
    for case in CASES
    for path, text in case["input"]["files"].items()
    if path.endswith("flow.toml")
] + [
    f'[tools."{key}"]\ncommand = "x"\n'
    for key in (
        "a.flow",
        "./a.flow",
        "sub//a.flow",
        ".hidden.flow",
        "...flow",
        "..flow",
        "a/..b/c.flow",
        "a/.../c.flow",
        "/a.flow",
        "../a.flow",
        "a/../b.flow",
        "a/..",
        "C:/a.flow",
        "c:a.flow",
        "a",
        "",
        "a\\\\b.flow",
        "a.flow/",
    )
]


def test_the_schema_is_one() -> None:
    Draft7Validator.check_schema(SCHEMA)


@pytest.mark.parametrize("text", [text for text in TEXTS if not codes_of(text) & BEYOND])
def test_it_says_what_the_rules_say(text: str) -> None:
    codes = codes_of(text)
    data: Any = tomllib.loads(text)
    assert Draft7Validator(SCHEMA).is_valid(data) == (not codes)
