"""Published MCP servers on the command line, from nothing to a call: described, imported, checked, called."""

from __future__ import annotations

import json
import os
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
TIME = str(ROOT / ".tools" / "mcp" / "bin" / "mcp-server-time")
EVERYTHING = str(ROOT / ".tools" / "mcp-node" / "node_modules" / ".bin" / "mcp-server-everything") + " stdio"


class CommandLine:
    """flow-lsp in a folder of its own, as a user runs it."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.environment = {**os.environ, "FLOW_LSP_STATE_DIRECTORY": str(folder / "state")}

    def __call__(self, *arguments: str, status: int = 0) -> str:
        """Standard output of a command that ends with `status`."""
        ran = subprocess.run(
            [sys.executable, "-m", "flow_lsp.cli.main", *arguments],
            cwd=self.folder,
            env=self.environment,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=100,
        )
        self.err = ran.stderr
        assert ran.returncode == status, ran.stdout + ran.stderr
        return ran.stdout


@pytest.fixture
def flow(tmp_path: Path) -> CommandLine:
    return CommandLine(tmp_path)


def test_a_python_server_is_put_behind_flow_by_one_command(flow: CommandLine) -> None:
    assert flow("import-mcp", TIME, "-o", "time.flow", "--manifest") == ""
    assert "time.flow declares 2 Tools of mcp-time 2026.10.19." in flow.err
    checked = flow("check", "--trust", "--timeout", "60", "--verbose")
    assert checked.endswith("All clear: 2 Tools in 2 files checked.\n")
    assert checked.count("offered  time.") == 2
    assert checked.count(", mcp-time 2026.10.19\n") == 2
    called = flow("call", "time.flow:get_current_time", "--args", '{"timezone": "Asia/Tokyo"}', "--trust")
    assert json.loads(called)["Ok"]["timezone"] == "Asia/Tokyo"
    flow("call", "time.flow:get_current_time", "--args", '{"timezone": "Nowhere"}', "--trust", status=6)


def test_the_example_is_what_that_command_writes(flow: CommandLine) -> None:
    example = ROOT / "examples" / "mcp-time"
    flow("import-mcp", TIME, "-o", "time.flow", "--manifest")
    assert (flow.folder / "time.flow").read_text("utf-8") == (example / "time.flow").read_text("utf-8")
    manifest = (flow.folder / "flow.toml").read_text("utf-8")
    assert manifest.replace(TIME, "uvx mcp-server-time") == (example / "flow.toml").read_text("utf-8")


def test_a_node_server_is_described_imported_and_checked(flow: CommandLine) -> None:
    described = flow("describe", "--mcp", EVERYTHING)
    assert "  MCP server mcp-servers/everything 2.0.0, MCP 2025-11-25, " in described
    assert "  echo " in described
    flow("import-mcp", EVERYTHING, "-o", "everything.flow", "--manifest")
    assert "The tool `get-sum` is left out: its name is no Flow name" in flow.err
    found = json.loads(flow("check", "--trust", "--timeout", "60", "--format", "json"))
    assert [(tool["tool"], tool["state"]) for tool in found["tools"]] == [("everything.echo", "offered")]
    assert [each["code"] for each in found["diagnostics"]] == ["mcp-no-output-schema"]
    called = flow("call", "everything.flow:echo", "--args", '{"message": "hello"}', "--trust", status=6)
    assert "Echo: hello" in json.loads(called)["BadReply"]  # as the hint said beforehand


def test_what_a_node_server_has_no_tool_for_names_the_one_that_may_be_meant(flow: CommandLine) -> None:
    source = "@tool\nfn get_sum(a: Decimal, b: Decimal) -> Result<Decimal, Never>\n"
    (flow.folder / "a.flow").write_text(source, "utf-8")
    (flow.folder / "flow.toml").write_text(f'[tools."a.flow"]\nmcp = {json.dumps(EVERYTHING)}\n', "utf-8")
    checked = flow("check", "--trust", "--timeout", "60", status=1)
    assert "offers no tool `get_sum`. It has `get-sum`" in checked
    assert "  no tool for a.get_sum\n" in flow("describe", "--trust", "--timeout", "60")


def test_what_a_server_offered_is_recorded_and_used_where_it_is_not_installed(flow: CommandLine) -> None:
    flow("import-mcp", TIME, "-o", "time.flow", "--manifest")
    flow("describe", "--trust", "--timeout", "60", "--record", "contracts.json")
    manifest = (flow.folder / "flow.toml").read_text("utf-8")
    (contract,) = json.loads((flow.folder / "contracts.json").read_text("utf-8"))["contracts"]
    assert contract["server"]["name"] == "mcp-time"
    (flow.folder / "flow.toml").write_text(manifest.replace(TIME, "not-installed-here"), "utf-8")
    contract["words"] = ["not-installed-here"]
    (flow.folder / "contracts.json").write_text(json.dumps({"version": 1, "contracts": [contract]}), "utf-8")
    assert "All clear as recorded: 2 Tools" in flow("check", "--trust", "--contracts", "contracts.json")


def test_a_server_that_takes_an_argument_to_speak_so_says_what_it_was(flow: CommandLine) -> None:
    words = shlex.split(EVERYTHING)
    described = flow("describe", "--mcp", f"{words[0]} nonsense", "--timeout", "30", status=1)
    assert "before it answered." in described
    assert "  standard error: " in described
