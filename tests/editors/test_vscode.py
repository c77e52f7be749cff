"""A real VS Code with the packaged extension: trust, the managed server, and what the extension host is told.

`make test-editors` installs what this needs; the scripts in tests/editors/vscode hold the steps.
"""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
from editor_story import COMMAND, make_story
from vscode_session import BOUND, PRODUCT, SYSTEM, Session, missing

pytestmark = pytest.mark.timeout(BOUND + 60)


def bound_story(folder: Path) -> Path:
    """The workspace of the story, already bound to its implementation."""
    make_story(folder)
    (folder / "flow.toml").write_text(f'[tools."weather.flow"]\ncommand = "{COMMAND}"\n')
    return folder


def noting(program: Path, note: Path, real: Path) -> None:
    """Makes a program that notes that it serves, and is otherwise another one."""
    program.parent.mkdir(parents=True, exist_ok=True)
    program.write_text(f'#!/bin/sh\n[ "$1" != serve ] || : >>"{note}"\nexec "{real}" "$@"\n')
    program.chmod(0o755)


def test_all_that_vs_code_needs_is_installed() -> None:
    assert missing() == ""


def test_nothing_of_an_untrusted_workspace_is_started_until_it_is_trusted(tmp_path: Path) -> None:
    workspace = bound_story(tmp_path.resolve() / "weather")
    implementation = workspace / "weather_tools.py"
    implementation.write_text(
        f"open('started-weather_tools', 'w').close()\n{without_future(implementation.read_text())}"
    )
    noting(workspace / ".venv" / "bin" / "flow-lsp", workspace / "started-server", PRODUCT / "flow-lsp")
    Session("untrusted.mjs", workspace).run()


def without_future(text: str) -> str:
    """A module without the import that must come first in it, for something else does."""
    return text.replace("from __future__ import annotations\n", "")


def test_without_a_server_one_button_installs_the_one_that_came_with_the_extension(tmp_path: Path) -> None:
    programs = tmp_path / "programs"
    programs.mkdir()
    (programs / "python3").symlink_to(Path(sys.base_prefix) / "bin" / "python3")
    workspace = make_story(tmp_path.resolve() / "weather")
    Session("managed.mjs", workspace, path=f"{programs}:{SYSTEM}").run()


def test_the_extension_answers_what_vs_code_asks(tmp_path: Path) -> None:
    workspace = bound_story(tmp_path.resolve() / "weather")
    Session("api.mjs", workspace, arguments={"suite": "language.cjs"}).run()


def test_the_server_is_taken_from_the_setting_the_workspace_and_the_path_in_this_order(tmp_path: Path) -> None:
    workspace = bound_story(tmp_path.resolve() / "weather")
    notes = tmp_path / "notes"
    notes.mkdir()
    for name, program in (
        ("workspace", workspace / ".venv" / "bin"),
        ("setting", tmp_path),
        ("path", tmp_path / "bin"),
    ):
        noting(program / "flow-lsp", notes / name, PRODUCT / "flow-lsp")
    arguments: dict[str, object] = {"suite": "server.cjs", "notes": str(notes), "setting": str(tmp_path / "flow-lsp")}
    path = f"{tmp_path / 'bin'}:{PRODUCT}:{SYSTEM}"
    Session("api.mjs", workspace, name="server", path=path, arguments=arguments).run()
