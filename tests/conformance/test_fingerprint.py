"""The conformance cases of kind fingerprint, from the TypeSpec and from what describe would list of it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from flow_lsp.signature.signature import Signature, served_fingerprint, signature_of
from flow_lsp.types.shapes import spec_from_json
from flow_lsp.types.terms import TypeSpec
from flow_lsp.values.strict_json import read_json

FILE = Path(__file__).parent / "cases" / "fingerprint.json"
CASES: list[Any] = json.loads(FILE.read_text("utf-8"))["cases"]


@pytest.mark.parametrize("case", CASES, ids=[case["id"] for case in CASES])
def test_fingerprint(case: dict[str, Any]) -> None:
    spec = spec_from_json(read_json(json.dumps(case["input"]["spec"])))
    assert isinstance(spec, TypeSpec)
    signature = signature_of(spec)
    assert isinstance(signature, Signature)
    assert signature.canonical == case["expect"]["canonical"]
    assert signature.fingerprint == case["expect"]["fingerprint"]
    assert served_fingerprint(read_json(json.dumps(signature.served))) == signature.fingerprint
