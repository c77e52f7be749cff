"""The conformance cases of kind manifest: what is said of each flow.toml, and how files are bound."""

from __future__ import annotations

import json
from pathlib import Path
from posixpath import dirname, join, relpath
from typing import Any

import pytest
from support.snapshots import ROOT, Fixture, snapshot

from flow_lsp.analysis.engine import Analysis
from flow_lsp.analysis.snapshot import Snapshot
from flow_lsp.binding.model import Bound, Refused, Unbound
from flow_lsp.text.lines import LineIndex

CASES = json.loads((Path(__file__).parent / "cases" / "manifest.json").read_text("utf-8"))["cases"]
BESIDE = {"missing-file"}  # what the cases are not about


def _binding(of: Snapshot, path: str) -> dict[str, Any]:
    match of.binding_of(join(ROOT, path)):
        case Refused(manifest):
            return {"refused": relpath(manifest, ROOT)}
        case Unbound(reason, _, manifest):
            return {"unbound": str(reason)} | ({"manifest": relpath(manifest, ROOT)} if manifest else {})
        case Bound(key, _, place):
            assert place is not None
            text = place.manifest.tables[place.table].text
            return {"manifest": relpath(place.path, ROOT), str(key.kind): text, "words": list(key.words)}


def _diagnostics(of: Snapshot) -> list[tuple[str, int, str]]:
    said = []
    for directory, file in of.manifests.items():
        assert file.manifest is not None
        lines = LineIndex.of(file.manifest.text)
        for finding in Analysis().manifest_findings(of, directory):
            if finding.rule.code not in BESIDE:
                said.append((relpath(file.path, ROOT), lines.line_of(finding.span.start) + 1, finding.rule.code))
    return said


@pytest.mark.parametrize("case", CASES, ids=[case["id"] for case in CASES])
def test_case(case: dict[str, Any]) -> None:
    files = case["input"]["files"]
    of = snapshot(Fixture(files, {}))
    assert {dirname(join(ROOT, path)) for path in files if path.endswith("flow.toml")} == set(of.manifests)
    said = _diagnostics(of)
    for wanted in case["expect"]["diagnostics"]:
        matching = [
            each
            for each in said
            if (each[0], each[2]) == (wanted["path"], wanted["rule"]) and wanted["line"] in (None, each[1])
        ]
        assert matching, (wanted, said)
        said.remove(matching[0])
    assert said == []
    for path, binding in case["expect"]["bindings"].items():
        assert _binding(of, path) == binding
