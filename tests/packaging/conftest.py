"""What a release is made of, built once from a copy of this tree, and an environment that holds the wheel alone.

`make test-packaging` installs what builds and checks into .tools/packaging, with the wheels of the run time's
dependencies, so that the tests themselves reach no network.
"""

from __future__ import annotations

import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest
from tree_copies import ROOT, copy_tree

TOOLS = ROOT / ".tools" / "packaging"
BOUND = 240  # seconds for one build or installation
MOMENT = "1700000000"  # the SOURCE_DATE_EPOCH of the builds


@dataclass(frozen=True, slots=True)
class Distributions:
    """A wheel and an sdist of one tree."""

    wheel: Path
    sdist: Path


@dataclass(frozen=True, slots=True)
class Installed:
    """An environment with the wheel and its dependencies, and a home of its own."""

    folder: Path
    home: Path

    @property
    def program(self) -> Path:
        return self.folder / "bin" / "flow-lsp"

    def environment(self) -> dict[str, str]:
        """As for a person who activated it: nothing of the environment that runs the tests is left."""
        return {
            "HOME": str(self.home),
            "LANG": "C.UTF-8",
            "PATH": os.pathsep.join([str(self.folder / "bin"), os.defpath]),
            "FLOW_LSP_STATE_DIRECTORY": str(self.home / "state"),
        }

    def run(self, *words: str, cwd: Path) -> subprocess.CompletedProcess[str]:
        """Runs `flow-lsp` with `words` in `cwd`."""
        return subprocess.run(
            [str(self.program), *words],
            cwd=cwd,
            env=self.environment(),
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            check=False,
            timeout=60,
        )


def build(tree: Path, *kinds: str) -> Path:
    """Builds `tree` with what .tools/packaging holds, offline; the folder of what came of it."""
    python = TOOLS / "bin" / "python"
    assert python.exists(), "What builds is not installed: run `make test-packaging`."
    out = tree.parent / f"{tree.name}-built"
    words = [str(python), "-m", "build", "--no-isolation", "--outdir", str(out), *kinds, str(tree)]
    environment = os.environ | {"SOURCE_DATE_EPOCH": MOMENT, "PIP_NO_INDEX": "1"}
    done = subprocess.run(words, env=environment, capture_output=True, text=True, timeout=BOUND, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return out


def distributions_in(folder: Path) -> Distributions:
    (wheel,) = folder.glob("*.whl")
    (sdist,) = folder.glob("*.tar.gz")
    return Distributions(wheel, sdist)


@pytest.fixture(scope="session")
def tree(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return copy_tree(tmp_path_factory.mktemp("tree") / "flow-lsp")


@pytest.fixture(scope="session")
def built(tree: Path) -> Distributions:
    return distributions_in(build(tree))


@pytest.fixture(scope="session")
def installed(built: Distributions, tmp_path_factory: pytest.TempPathFactory) -> Installed:
    folder = tmp_path_factory.mktemp("installed")
    one = Installed(folder / "environment", folder / "home")
    one.home.mkdir()
    subprocess.run([sys.executable, "-m", "venv", str(one.folder)], check=True, timeout=BOUND)
    words = [str(one.folder / "bin" / "python"), "-m", "pip", "--disable-pip-version-check", "--no-cache-dir"]
    wheels = ["--quiet", "--no-index", "--find-links", str(TOOLS / "wheels")]
    for command in (["install", *wheels, str(built.wheel)], ["check"]):
        done = subprocess.run(
            [*words, *command], env=one.environment(), capture_output=True, text=True, timeout=BOUND, check=False
        )
        assert done.returncode == 0, done.stdout + done.stderr
    return one
