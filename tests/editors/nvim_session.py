"""Runs a script of tests/editors/nvim in a Neovim that has the plugin alone, and leaves no process behind."""

from __future__ import annotations

import json
import os
import shutil
from pathlib import Path

from editor_process import run_editor
from editor_product import product_bin

ROOT = Path(__file__).resolve().parents[2]
SCRIPTS = Path(__file__).resolve().parent / "nvim"
PLUGIN = ROOT / "editors" / "nvim"
NEOVIM = ROOT / ".tools" / "nvim" / "bin" / "nvim"
GRAMMAR = ROOT / "editors" / "vscode" / "tests" / "grammar"
MISSING = "Neovim is not installed: run `make test-editors`."


def environment_of(home: Path, **more: str) -> dict[str, str]:
    """The environment of a user whose files all stand below `home`, with the plugin installed there as a package."""
    package = home / "data" / "nvim" / "site" / "pack" / "flow" / "start" / "flow-lsp"
    shutil.copytree(PLUGIN, package, dirs_exist_ok=True)
    return {
        "PATH": os.pathsep.join([str(product_bin()), os.environ["PATH"]]),
        "HOME": str(home),
        "LANG": "C.UTF-8",
        **{f"XDG_{kind}_HOME": str(home / kind.lower()) for kind in ("CONFIG", "DATA", "STATE", "CACHE")},
        "FLOW_LSP_STATE_DIRECTORY": str(home / "flow-lsp"),
        "FLOW_LSP_STRICT": "1",
        **more,
    }


def run(script: str, file: Path, home: Path, *options: str, path: str | None = None) -> None:
    """Opens `file` in Neovim and has every step of a script right; `path` is put before what else is on PATH."""
    assert NEOVIM.exists(), MISSING
    report = home / "report.json"
    environment = environment_of(
        home,
        FLOW_TEST_REPORT=str(report),
        FLOW_TEST_DIRECTORY=str(SCRIPTS),
        FLOW_TEST_GRAMMAR=str(GRAMMAR),
        FLOW_TEST_WORKSPACE=str(file.parent),
        FLOW_TEST_CALLING=str(home.resolve() / "calling"),
    )
    if path is not None:
        environment["PATH"] = os.pathsep.join([path, environment["PATH"]])
    command = [str(NEOVIM), "--headless", "-n", "-i", "NONE", *options]
    command += ["-c", f"luafile {SCRIPTS / script}", file.name]
    status, said = run_editor(command, file.parent, environment)
    assert report.exists(), f"Neovim ended with status {status} and said: {said}"
    steps = json.loads(report.read_text())
    wrong = {step["name"]: step.get("seen") for step in steps if not step["right"]}
    assert steps
    log = home / "state" / "nvim" / "lsp.log"
    noted = log.read_text()[-3000:] if log.exists() else "nothing"
    seen = json.dumps(wrong, indent=2, ensure_ascii=False)
    assert not wrong, f"these steps went wrong: {seen}\nNeovim noted of the server: {noted}\nand said: {said}"
    assert status == 0, said
