"""The plugin in a real Neovim without a screen, on a copy of the example workspace.

`make test-editors` installs Neovim. The scripts in tests/editors/nvim hold the steps; what they saw is shown
when one is wrong.
"""

from __future__ import annotations

import json
import shlex
import shutil
import sys
from pathlib import Path

import pytest
from nvim_session import MISSING, NEOVIM, run
from support.callables import callable_tools

ROOT = Path(__file__).resolve().parents[2]
CHILD = ROOT / "tests" / "children" / "calling_child.py"
TRUSTED = "lua vim.lsp.config('flow_lsp', { settings = { flow = { trust = 'always' } } })"


@pytest.fixture
def workspace(tmp_path: Path) -> Path:
    """A copy of examples/weather that nothing above binds."""
    folder = tmp_path.resolve() / "weather"
    shutil.copytree(ROOT / "examples" / "weather", folder, ignore=shutil.ignore_patterns("__pycache__"))
    (folder / "other.toml").write_text("a = 1\n")
    return folder


@pytest.fixture
def calling(tmp_path: Path) -> Path:
    """A folder whose Tool `act` does with each call what its argument `how` names."""
    folder = tmp_path.resolve() / "calling"
    folder.mkdir()
    source = "@tool\npub fn act(how: Text, value: Int) -> Result<Text, Text>\n"
    act = callable_tools(source)["act"]
    served = {"tool": act.identity, "fingerprint": act.signature.fingerprint, "signature": act.signature.served}
    (folder / "listing.json").write_text(json.dumps({"data": "0.1", "tools": [served]}))
    (folder / "tools.flow").write_text(source)
    command = shlex.join([sys.executable, "-S", "-E", str(CHILD), "listing.json", "starts"])
    (folder / "flow.toml").write_text(f'[tools."tools.flow"]\ncommand = {json.dumps(command)}\n')
    return folder


def test_neovim_is_installed() -> None:
    assert NEOVIM.exists(), MISSING


def test_a_person_opens_the_example_and_sees_what_is_bound_and_fits(workspace: Path, tmp_path: Path) -> None:
    run("weather.lua", workspace / "weather.flow", tmp_path)


def test_a_person_calls_a_tool_and_sees_what_it_came_to(calling: Path, tmp_path: Path) -> None:
    run("call.lua", calling / "tools.flow", tmp_path, "--cmd", TRUSTED)


def test_a_call_asks_before_it_runs_anything_and_says_why_nothing_ran(calling: Path, tmp_path: Path) -> None:
    run("call_untrusted.lua", calling / "tools.flow", tmp_path)


def test_arguments_are_known_again_and_whatever_the_user_configured(calling: Path, tmp_path: Path) -> None:
    run("call.lua", calling / "tools.flow", tmp_path, "--cmd", TRUSTED)
    (arguments,) = (tmp_path / "flow-lsp" / "calls").glob("*/act.flow-call.json")
    arguments.write_text('{"how": "ok", "value": 7}')
    run("call_later.lua", arguments, tmp_path, "--cmd", TRUSTED)


def test_without_lenses_the_commands_call(calling: Path, tmp_path: Path) -> None:
    run("call_unlensed.lua", calling / "tools.flow", tmp_path, "--cmd", f"{TRUSTED}; vim.g.flow_lsp_code_lens = false")


def test_documents_about_a_tool_are_shown_as_it_is_by_now(calling: Path, tmp_path: Path) -> None:
    run("tool_texts.lua", calling / "tools.flow", tmp_path, "--cmd", TRUSTED)


def test_checkhealth_says_what_is_there_and_what_is_missing(workspace: Path, tmp_path: Path) -> None:
    run("health.lua", workspace / "weather.flow", tmp_path)


def test_the_server_can_be_left_for_the_user_to_start(workspace: Path, tmp_path: Path) -> None:
    run("disabled.lua", workspace / "weather.flow", tmp_path, "--cmd", "let g:flow_lsp_enabled = v:false")


def test_the_server_is_started_for_our_files_alone_and_with_the_right_folder(workspace: Path, tmp_path: Path) -> None:
    run("roots.lua", workspace / "weather.flow", tmp_path, "--cmd", "let g:flow_lsp_enabled = v:false")


def test_declarations_are_coloured_as_the_grammar_has_it(workspace: Path, tmp_path: Path) -> None:
    run("colours.lua", workspace / "weather.flow", tmp_path, "--cmd", "let g:flow_lsp_enabled = v:false")
