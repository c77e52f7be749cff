"""The conformance cases of kind canonical: a text decoded at a type, and what its value is written as."""

from __future__ import annotations

import base64
import json
from pathlib import Path
from typing import Any

import pytest

from flow_lsp.codecs.codec import Codec, Codecs
from flow_lsp.codecs.refusals import ValueRefused
from flow_lsp.types.shapes import template_from_json, term_from_json
from flow_lsp.types.terms import Template
from flow_lsp.values.strict_json import JsonRefused

CASES: list[Any] = json.loads((Path(__file__).parent / "cases" / "canonical.json").read_text("utf-8"))["cases"]


def _codec(given: dict[str, Any]) -> Codec:
    declarations = {}
    for local_id, value in given["types"].items():
        template = template_from_json(value)
        assert isinstance(template, Template)
        declarations[local_id] = template
    term: Any = term_from_json(given["type"])
    return Codecs(declarations, builds_opaque=given.get("from") != "reply").codec(term)


@pytest.mark.parametrize("case", CASES, ids=[case["id"] for case in CASES])
def test_canonical(case: dict[str, Any]) -> None:
    given, expected = case["input"], case["expect"]
    codec = _codec(given)
    data = base64.b64decode(given["base64"]) if "base64" in given else given["text"].encode()
    if "text" in expected:
        value = codec.read(data)
        assert codec.encode(value) == expected["text"]
        assert codec.read(expected["text"]) == value
        return
    with pytest.raises((JsonRefused, ValueRefused)) as refused:
        codec.read(data)
    fault = refused.value
    assert str(fault.kind) == expected["refused"]
    if "at" in expected:
        assert isinstance(fault, ValueRefused)
        assert fault.pointer == expected["at"]
    assert fault.sentence.endswith((".", "?"))
