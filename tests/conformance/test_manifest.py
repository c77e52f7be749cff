"""The conformance cases of kind manifest: what is said of each flow.toml, and how files are bound."""

from __future__ import annotations

import json
from pathlib import Path
from posixpath import dirname, join, relpath
from typing import Any

import pytest

from flow_lsp.manifest.model import Manifest
from flow_lsp.manifest.paths import nearest_directory
from flow_lsp.manifest.reader import read_manifest
from flow_lsp.text.lines import LineIndex

CASES = json.loads((Path(__file__).parent / "cases" / "manifest.json").read_text("utf-8"))["cases"]
ROOT = "/w"


def _manifests(files: dict[str, str]) -> dict[str, Manifest]:
    return {
        dirname(join(ROOT, path)): read_manifest(text)
        for path, text in files.items()
        if path.rsplit("/", 1)[-1] == "flow.toml"
    }


def _name(directory: str) -> str:
    return relpath(join(directory, "flow.toml"), ROOT)


def _binding(path: str, manifests: dict[str, Manifest]) -> dict[str, Any]:
    directory = nearest_directory(manifests, join(ROOT, path))
    if directory is None:
        return {"unbound": "no-manifest"}
    manifest = manifests[directory]
    if manifest.has_error:
        return {"refused": _name(directory)}
    index = manifest.index_by_path.get(relpath(join(ROOT, path), directory))
    if index is None:
        return {"unbound": "no-table", "manifest": _name(directory)}
    table = manifest.tables[index]
    assert table.kind is not None
    return {"manifest": _name(directory), table.kind.value: table.text, "words": list(table.words)}


def _diagnostics(manifests: dict[str, Manifest]) -> list[tuple[str, int, str]]:
    said = []
    for directory, manifest in manifests.items():
        lines = LineIndex.of(manifest.text)
        places = [(finding.span.start, finding.rule.code) for finding in manifest.findings]
        for index, table in enumerate(manifest.tables):
            if table.path is not None and nearest_directory(manifests, join(directory, table.path)) != directory:
                places.append((table.header_span.start + manifest.offset_of(index), "shadowed"))
        said += [(_name(directory), lines.line_of(start) + 1, code) for start, code in places]
    return said


@pytest.mark.parametrize("case", CASES, ids=[case["id"] for case in CASES])
def test_case(case: dict[str, Any]) -> None:
    manifests = _manifests(case["input"]["files"])
    expect = case["expect"]
    said = _diagnostics(manifests)
    for wanted in expect["diagnostics"]:
        matching = [
            each
            for each in said
            if (each[0], each[2]) == (wanted["path"], wanted["rule"]) and wanted["line"] in (None, each[1])
        ]
        assert matching, (wanted, said)
        said.remove(matching[0])
    assert said == []
    for path, binding in expect["bindings"].items():
        assert _binding(path, manifests) == binding
