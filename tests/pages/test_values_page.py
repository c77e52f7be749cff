"""The examples of docs/values.md run as they are written."""

from __future__ import annotations

import doctest
from pathlib import Path

import pytest

from flow_lsp.cli.main import main

PAGE = Path(__file__).parents[2] / "docs" / "values.md"
SOURCE = """pub record Hit { title: Text, score: Option<Decimal>, kind: Kind }
pub enum Kind { Note, Page(Int) }
@tool
pub fn find(query: Text) -> Result<List<Hit>, Never>
"""


def test_the_examples(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "search.flow").write_text(SOURCE, "utf-8")
    assert main(["tools"]) == 0
    (tmp_path / "listing.json").write_text(capsys.readouterr().out, "utf-8")
    ran = doctest.testfile(str(PAGE), module_relative=False)
    assert (ran.failed, ran.attempted > 10) == (0, True)
