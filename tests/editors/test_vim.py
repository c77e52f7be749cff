"""The plugin for Vim in a real Vim without a screen, with each of the language clients that it speaks to.

`make test-editors` installs Vim and ALE from the system's packages. The other clients are in no package registry: they
are tried by hand, with vim_clones.py.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
SCRIPTS = Path(__file__).resolve().parent / "vim"
PLUGIN = ROOT / "editors" / "vim"
ALE = Path("/usr/share/vim-ale")
BOUND = 100  # seconds for a whole session


@pytest.fixture
def example(tmp_path: Path) -> Path:
    """A copy of examples/weather that nothing above binds, with another TOML file."""
    folder = tmp_path.resolve() / "weather"
    shutil.copytree(ROOT / "examples" / "weather", folder, ignore=shutil.ignore_patterns("__pycache__"))
    (folder / "other.toml").write_text("bogus = 1\n")
    return folder


def play(
    script: str, folder: Path, tmp_path: Path, clients: dict[str, Path], trust: str = "always"
) -> subprocess.CompletedProcess[str]:
    """Plays `script` in `folder`, in a Vim with this plugin and those of `clients` alone, linked as the README says;
    what Vim said. Every step of it is right."""
    packages = tmp_path / "home" / ".vim" / "pack" / "flow" / "start"
    packages.mkdir(parents=True)
    for name, target in (("flow-lsp", PLUGIN), *clients.items()):
        (packages / name).symlink_to(target)
    settings = tmp_path / "vimrc"
    settings.write_text(
        "set nocompatible nomore noswapfile viminfo= hidden\nfiletype plugin indent on\nsyntax on\n"
        f"let g:flow_lsp_settings = {{'trust': '{trust}'}}\nsource {SCRIPTS / script}\n"
    )
    report = tmp_path / "report.json"
    environment = {
        "PATH": os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]]),
        "HOME": str(tmp_path / "home"),
        "LANG": "C.UTF-8",
        "TERM": "dumb",
        "FLOW_LSP_STATE_DIRECTORY": str(tmp_path / "state"),
        "FLOW_LSP_STRICT": "1",
        "FLOW_TEST_REPORT": str(report),
        "FLOW_TEST_DIRECTORY": str(SCRIPTS),
        "FLOW_TEST_CLIENT": next(iter(clients), ""),
    }
    words = ["vim", "-u", str(settings), "--not-a-term", "-n", "-i", "NONE"]
    keyboard, held = os.pipe()  # nobody types, and the end of the input would end Vim
    try:
        done = subprocess.run(
            words,
            cwd=folder,
            env=environment,
            stdin=keyboard,
            capture_output=True,
            text=True,
            errors="replace",
            timeout=BOUND,
            check=False,
        )
    finally:
        os.close(keyboard)
        os.close(held)
    assert report.exists(), f"Vim ended with status {done.returncode} and said: {done.stdout[-3000:]}{done.stderr}"
    steps = json.loads(report.read_text())
    wrong = {step["name"]: step["seen"] for step in steps if not step["right"]}
    assert not wrong, json.dumps(wrong, indent=2, ensure_ascii=False)
    assert steps
    return done


def test_vim_is_installed_and_can_run_jobs() -> None:
    assert shutil.which("vim"), "Vim is not installed: run `make test-editors`."
    said = subprocess.run(["vim", "--version"], capture_output=True, text=True, check=True, timeout=60).stdout
    assert {"+job", "+channel", "+popupwin"} <= set(said.split())


def test_the_example_is_judged_with_ale(example: Path, tmp_path: Path) -> None:
    play("story.vim", example, tmp_path, {"ale": ALE})


def test_without_a_question_that_can_be_put_nothing_runs(example: Path, tmp_path: Path) -> None:
    play("untrusted.vim", example, tmp_path, {"ale": ALE}, trust="ask")


def test_the_files_and_the_folder_of_the_server_are_those_of_the_other_editors(tmp_path: Path) -> None:
    folder = tmp_path / "places"
    (folder / "a" / "b").mkdir(parents=True)
    done = play("places.vim", folder, tmp_path, {})
    assert "Error detected" not in done.stdout  # nor is anything wrong where no client is there at all
