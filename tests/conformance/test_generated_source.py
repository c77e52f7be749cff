"""The conformance cases of kind `source`, generated: what is listed without a problem is Python that imports."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from strategies.flow_workspaces import FOLDER, FileMap, check_all
from support.generated import checked_by_mypy, checked_by_ruff, imported

from flow_lsp.generating.generate import Generated, GenerationRefused, generate
from flow_lsp.source.listing import tools_listing

CASES = json.loads((Path(__file__).parent / "cases" / "source.json").read_text(encoding="utf-8"))["cases"]


def listing_of(case: dict[str, Any]) -> dict[str, Any]:
    """The listing of the case's files."""
    return tools_listing(check_all(FileMap(case["input"]["files"], case["input"].get("repositories", {}))), FOLDER)


@pytest.mark.parametrize("case", CASES, ids=[case["id"] for case in CASES])
def test_a_case_is_generated_or_every_problem_of_it_is_a_reason(case: dict[str, Any]) -> None:
    listing = listing_of(case)
    found = generate(listing)
    if isinstance(found, GenerationRefused):
        assert len(found.reasons) == max(1, len(listing["problems"]))
        return
    assert listing["problems"] == []
    module = imported(found.module)
    assert set(module.PROGRAM.methods) == {tool["tool"] for tool in listing["tools"]}
    assert set(module.PROGRAM.classes) == {
        local_id for local_id, template in listing["types"].items() if template["kind"] in ("record", "enum")
    }
    for method, parameters in module.PROGRAM.methods.values():
        code = getattr(module.Tools, method).__code__
        assert code.co_varnames[: code.co_argcount] == ("self", *parameters)


def test_all_of_them_pass_mypy_strict_and_ruff(tmp_path: Path) -> None:
    texts: dict[str, str] = {}
    for number, case in enumerate(CASES):
        made = generate(listing_of(case), f"case_{number}")
        if isinstance(made, Generated):
            texts[made.name] = made.module
            texts[f"main_{number}"] = made.main()
    assert len(texts) > 40
    assert checked_by_mypy(tmp_path, texts) == ""
    assert checked_by_ruff(tmp_path, texts) == ""
