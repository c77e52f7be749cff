"""The package for Emacs in a real Emacs in batch: its colours, the story of editor_story.py, and what nobody agreed to.

`make test-editors` installs Emacs and Eglot from the system's packages. The steps are those of the scripts in
tests/editors/emacs.
"""

from __future__ import annotations

import json
import os
import shutil
from pathlib import Path

import pytest
from editor_process import run_editor
from editor_product import product_bin
from editor_story import COMMAND, SOURCE, make_story

ROOT = Path(__file__).resolve().parents[2]
SCRIPTS = Path(__file__).resolve().parent / "emacs"
PACKAGE = ROOT / "editors" / "emacs"
GRAMMAR = ROOT / "editors" / "vscode" / "tests" / "grammar"
MISSING = "Emacs is not installed: run `make test-editors`, or `apt-get install emacs-nox elpa-eglot`."
INSTALLED = "/usr/share/emacs/site-lisp/elpa/*-[0-9]*"
SYSTEM = f'(dolist (found (file-expand-wildcards "{INSTALLED}")) (add-to-list \'load-path found))'
WITNESS = "started"


@pytest.fixture
def weather(tmp_path: Path) -> Path:
    """The workspace of the story, in a folder of the user's own."""
    return make_story(tmp_path.resolve() / "weather")


def emacs(directory: Path, home: Path, *words: str, **more: str) -> tuple[int, str]:
    """Runs an Emacs in batch without anybody's configuration: its status, and what it said."""
    program = shutil.which("emacs")
    assert program is not None, MISSING
    environment = {
        "PATH": os.pathsep.join([str(product_bin()), os.environ["PATH"]]),
        "HOME": str(home),
        "LANG": "C.UTF-8",
        "FLOW_LSP_STATE_DIRECTORY": str(home / "flow-lsp"),
        "FLOW_LSP_STRICT": "1",
        **{name: value for name, value in os.environ.items() if name == "FLOW_TEST_EGLOT"},
        **more,
    }
    status, said = run_editor([program, "-Q", "--batch", *words], directory, environment)
    return status, said[-4000:]


def run(script: str, workspace: Path, home: Path) -> None:
    """Has every step of a script right."""
    report = home / "report.json"
    status, said = emacs(
        workspace,
        home,
        "-l",
        str(SCRIPTS / script),
        FLOW_TEST_REPORT=str(report),
        FLOW_TEST_DIRECTORY=str(SCRIPTS),
        FLOW_TEST_PACKAGE=str(PACKAGE),
        FLOW_TEST_GRAMMAR=str(GRAMMAR),
        FLOW_TEST_WORKSPACE=str(workspace),
    )
    assert report.exists(), f"Emacs ended with status {status} and said: {said}"
    steps = json.loads(report.read_text())
    wrong = {step["name"]: step["seen"] for step in steps if not step["right"]}
    assert steps
    assert not wrong, f"these steps went wrong: {json.dumps(wrong, indent=2, ensure_ascii=False)}\nEmacs said: {said}"
    assert status == 0, said


def test_emacs_is_installed() -> None:
    assert shutil.which("emacs") is not None, MISSING


def test_the_package_compiles_without_a_warning_and_its_documentation_is_in_order(tmp_path: Path) -> None:
    package = tmp_path / "package"
    shutil.copytree(PACKAGE, package, ignore=shutil.ignore_patterns("*.elc"))
    files = sorted(path.name for path in package.glob("*.el"))
    words = ["--eval", SYSTEM, "-L", ".", "--eval", "(setq byte-compile-error-on-warn t)"]
    status, said = emacs(package, tmp_path, *words, "-f", "batch-byte-compile", *files)
    assert status == 0, said
    assert "Warning" not in said
    checks = " ".join(f'(checkdoc-file "{name}")' for name in files)
    status, said = emacs(package, tmp_path, "--eval", f"(progn (require 'checkdoc) {checks})")
    assert (status, said) == (0, "")


def test_declarations_are_coloured_as_the_grammar_has_it_and_indented(tmp_path: Path) -> None:
    run("colours.el", tmp_path, tmp_path)


def test_a_person_binds_a_file_sees_drift_mends_it_and_calls_a_tool(weather: Path, tmp_path: Path) -> None:
    run("story.el", weather, tmp_path)
    assert (weather / "flow.toml").read_text() == f'[tools."{SOURCE}"]\ncommand = "{COMMAND}"\n'


def test_without_consent_nothing_is_started(weather: Path, tmp_path: Path) -> None:
    (weather / "flow.toml").write_text(f'[tools."{SOURCE}"]\ncommand = "{COMMAND}"\n')
    (weather / "other.toml").write_text("a = 1\n")
    (weather / "weather_tools.py").write_text(f"open({str(weather / WITNESS)!r}, 'w').close()\n")
    run("untrusted.el", weather, tmp_path)
    assert not (weather / WITNESS).exists()
