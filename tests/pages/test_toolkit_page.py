"""The declarations, the implementation and the examples of docs/toolkit.md run as they are written."""

from __future__ import annotations

import doctest
import json
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from flow_lsp.cli.main import main
from flow_lsp.generating.generate import Generated, generate
from flow_lsp.values.strict_json import read_json

PAGE = Path(__file__).parents[2] / "docs" / "toolkit.md"
BLOCKS = re.findall(r"^```(\w+)\n(.*?)^```$", PAGE.read_text("utf-8"), re.MULTILINE | re.DOTALL)
[DECLARATIONS] = [text for language, text in BLOCKS if language == "flow"]
[MAIN] = [text for language, text in BLOCKS if language == "python" and not text.startswith(">>>")]


@pytest.fixture
def implementation(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Path:
    """The directory with the page's implementation."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "stations.flow").write_text(DECLARATIONS, "utf-8")
    assert main(["tools"]) == 0
    made = generate(read_json(capsys.readouterr().out))
    assert isinstance(made, Generated)
    (tmp_path / "flow_tools.py").write_text(made.module, "utf-8")
    (tmp_path / "main.py").write_text(MAIN, "utf-8")
    return tmp_path


def test_the_examples(implementation: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(implementation))
    before = {name: sys.modules.pop(name, None) for name in ("main", "flow_tools")}
    try:
        ran = doctest.testfile(str(PAGE), module_relative=False)
    finally:
        for name, module in before.items():
            sys.modules.pop(name, None)
            if module is not None:
                sys.modules[name] = module
    assert (ran.failed, ran.attempted > 15) == (0, True)


def test_the_implementation_is_served(implementation: Path) -> None:
    call = {"run": "r", "call": "c", "tool": "stations.latest", "args": {"station": "busy"}}
    messages: list[dict[str, Any]] = [
        {"jsonrpc": "2.0", "id": 1, "method": "describe", "params": {"data": "0.1"}},
        {"jsonrpc": "2.0", "method": "call", "params": call},
    ]
    given = "".join(json.dumps(message) + "\n" for message in messages)
    ran = subprocess.run([sys.executable, "main.py"], input=given, capture_output=True, text=True, check=True)
    answer, reply = map(json.loads, ran.stdout.splitlines())
    assert len(answer["result"]["tools"]) == 4
    assert reply["params"]["outcome"] == {"Failed": {"Busy": "PT90S"}}
    assert not ran.stderr


def test_the_implementation_is_typed(implementation: Path) -> None:
    checked = subprocess.run(
        [
            sys.executable,
            "-m",
            "mypy",
            "--strict",
            "--no-error-summary",
            "--cache-dir",
            str(implementation / "cache"),
            "main.py",
        ],
        capture_output=True,
        text=True,
        check=False,
    )
    assert checked.stdout == ""
