"""Fixtures of the command line's tests: an empty working directory, and `main` run in this process."""

from __future__ import annotations

from pathlib import Path

import pytest
from support.command_line import Ran, Run

from flow_lsp.cli.main import main


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty working directory, with the state of the user beside it."""
    here = tmp_path / "here"
    here.mkdir()
    monkeypatch.chdir(here)
    monkeypatch.setenv("FLOW_LSP_STATE_DIRECTORY", str(tmp_path / "state"))
    monkeypatch.setenv("TERM", "dumb")
    return here


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]) -> Run:
    """Runs the command line in this process; arguments that cannot be read give their status too."""

    def run(*arguments: str) -> Ran:
        capsys.readouterr()
        try:
            status = main(arguments)
        except SystemExit as ended:
            status = int(ended.code or 0)
        said = capsys.readouterr()
        return Ran(status, said.out, said.err)

    return run
