"""The story of editor_story.py in a real Neovim without a screen, and what happens where nobody agrees.

`make test-editors` installs Neovim. The steps are those of the scripts in tests/editors/nvim.
"""

from __future__ import annotations

from pathlib import Path

import pytest
from editor_story import COMMAND, SOURCE, make_story
from nvim_session import run

WITNESS = "started"


@pytest.fixture
def weather(tmp_path: Path) -> Path:
    """The workspace of the story, in a folder of the user's own."""
    return make_story(tmp_path.resolve() / "weather")


@pytest.fixture
def bound(weather: Path) -> Path:
    """The same, bound to a command that notes when it was started."""
    (weather / "flow.toml").write_text(f'[tools."{SOURCE}"]\ncommand = "{COMMAND}"\n')
    program = weather / "weather_tools.py"
    note = f"open({str(weather / WITNESS)!r}, 'a').write('x')\n"
    lines = program.read_text().splitlines(keepends=True)
    place = next(
        index for index, line in enumerate(lines) if line.startswith(("import", "from")) and "__future__" not in line
    )
    program.write_text("".join([*lines[:place], note, *lines[place:]]))
    return weather


def test_a_person_binds_a_file_sees_drift_mends_it_and_calls_a_tool(weather: Path, tmp_path: Path) -> None:
    run("story.lua", weather / SOURCE, tmp_path)
    assert (weather / "flow.toml").read_text() == f'[tools."{SOURCE}"]\ncommand = "{COMMAND}"\n'


def test_without_consent_nothing_is_started(bound: Path, tmp_path: Path) -> None:
    run("story_untrusted.lua", bound / SOURCE, tmp_path)
    assert not (bound / WITNESS).exists()


def test_the_witness_of_a_start_is_there_when_one_agrees(bound: Path, tmp_path: Path) -> None:
    run("weather_agreed.lua", bound / SOURCE, tmp_path)
    assert (bound / WITNESS).exists()


def test_the_whole_command_is_shown_whatever_the_chooser_shows(bound: Path, tmp_path: Path) -> None:
    run("consent_whole.lua", bound / SOURCE, tmp_path)
    assert not (bound / WITNESS).exists()
