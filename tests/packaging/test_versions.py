"""All parts of the project have one version, and one command gives them another."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
import tomllib
from datetime import date
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.version import Version
from tree_copies import ROOT

from flow_lsp import __version__

sys.path.insert(0, str(ROOT / "scripts"))
from bump import BumpError, found_versions, oldest_server, released, with_release

EXTENSION = ROOT / "editors" / "vscode"
NEXT = "7.41.13"  # nothing else has it


@pytest.fixture
def small(tree: Path, tmp_path: Path) -> Path:
    copy = tmp_path / "copy"
    shutil.copytree(tree, copy)
    return copy


def texts(root: Path) -> dict[str, bytes]:
    return {path.relative_to(root).as_posix(): path.read_bytes() for path in root.rglob("*") if path.is_file()}


def bumped(root: Path, *words: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, str(root / "scripts" / "bump.py"), *words]
    return subprocess.run(command, cwd=root, capture_output=True, text=True, check=False, timeout=60)


def test_every_place_has_the_version_of_the_package() -> None:
    found = list(found_versions(ROOT))
    assert len(found) == 8
    assert {(place.file, version) for place, _, version in found} == {
        (place.file, place.value(__version__)) for place, _, _ in found
    }


def test_nothing_else_says_that_flow_lsp_has_a_version() -> None:
    """Manifests of editor parts, and texts for users, that scripts/bump.py does not know."""
    known = {file for _, file, _ in found_versions(ROOT)}
    files = [
        *(ROOT / "editors").glob("*/*"),
        *(ROOT / "docs").glob("*.md"),
        *ROOT.glob("*.md"),
        ROOT / "pyproject.toml",
    ]
    said = re.compile(
        rf"flow[-_]lsp[ \"'=:@v-]{{1,5}}{re.escape(__version__)}\b|^\W*version\W{{1,5}}\d+\.\d+\.\d+", re.M | re.I
    )
    for file in files:
        if file.is_file() and file not in known and file.suffix in {".el", ".json", ".lua", ".md", ".toml", ".vim"}:
            assert not said.search(file.read_text(encoding="utf-8")), file


def test_a_bump_changes_every_place_and_nothing_else(small: Path) -> None:
    before = texts(small)
    ran = bumped(small, NEXT, "--date", "2030-01-02")
    assert (ran.returncode, ran.stderr) == (0, "")
    after = texts(small)
    changed = {name for name in after if after[name] != before[name]}
    places = {file.relative_to(small).as_posix() for _, file, _ in found_versions(small)}
    assert changed == places | {"CHANGELOG.md"} == set(ran.stdout.split())
    assert {(place.file, version) for place, _, version in found_versions(small)} == {
        (place.file, place.value(NEXT)) for place, _, _ in found_versions(small)
    }
    package = json.loads(after["editors/vscode/package.json"])
    lock = json.loads(after["editors/vscode/package-lock.json"])
    assert {package["version"], lock["version"], lock["packages"][""]["version"]} == {NEXT}
    assert 'OLDEST = "7.0.0"' in after["editors/vscode/src/server/version.ts"].decode()
    assert f'__version__ = "{NEXT}"' in after["flow_lsp/__init__.py"].decode()
    assert f"\n## Unreleased\n\n## {NEXT} (2030-01-02)\n\n- " in after["CHANGELOG.md"].decode()


def test_a_bump_leaves_other_packages_of_the_lock_alone(small: Path) -> None:
    before = json.loads((small / "editors" / "vscode" / "package-lock.json").read_text())
    assert bumped(small, NEXT).returncode == 0
    after = json.loads((small / "editors" / "vscode" / "package-lock.json").read_text())
    assert {name: one for name, one in before["packages"].items() if name} == {
        name: one for name, one in after["packages"].items() if name
    }


def test_the_first_release_may_have_the_version_that_stands_there(small: Path) -> None:
    if __version__ in released((small / "CHANGELOG.md").read_text()):
        pytest.skip("this version is released")
    assert bumped(small, __version__).stdout.split() == ["CHANGELOG.md"]
    assert bumped(small, __version__).stderr == f"bump: {__version__} is released already.\n"


@pytest.mark.parametrize(
    ("version", "sentence"),
    [
        ("0.0.0", "0.0.0 is older than"),
        ("1.2", "'1.2' is no version: give three numbers, as in 0.2.0."),
        ("v1.2.3", "is no version"),
        ("1.2.3rc1", "is no version"),
        ("1.02.3", "is no version"),
        ("9" * 100, "9' is no version"),
    ],
)
def test_what_is_no_newer_version_is_refused_and_changes_nothing(small: Path, version: str, sentence: str) -> None:
    before = texts(small)
    ran = bumped(small, version)
    assert ran.returncode == 2
    assert sentence in ran.stderr
    assert texts(small) == before


def test_with_nothing_to_release_or_a_place_that_is_lost_nothing_changes(small: Path) -> None:
    file = small / "editors" / "vscode" / "src" / "server" / "version.ts"
    file.write_text(file.read_text().replace("OLDEST =", "OLDEST  ="))
    before = texts(small)
    assert "version.ts holds no version" in bumped(small, NEXT).stderr
    assert texts(small) == before
    with pytest.raises(BumpError, match="nothing to release"):
        with_release("# Changelog\n\n## Unreleased\n\n## 0.1.0 (2026-01-01)\n\n- A.\n", NEXT, date(2026, 1, 2))


def test_the_oldest_server_is_the_first_of_the_versions_that_fit_together() -> None:
    versions = ["0.1.0", "0.1.7", "0.12.3", "1.0.0", "1.4.2", "2.0.1"]
    assert [oldest_server(one) for one in versions] == ["0.1.0", "0.1.0", "0.12.0", "1.0.0", "1.0.0", "2.0.0"]


def test_the_changelog_names_its_releases_in_order_and_this_one_last() -> None:
    text = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    headings = re.findall(r"^## (.*)$", text, re.MULTILINE)
    names = released(text)
    assert headings[0] == "Unreleased"
    assert len(headings) == len(names) + 1, "a heading below `Unreleased` is no VERSION (DATE)"
    assert names == sorted(names, key=Version, reverse=True)
    assert all(Version(name) <= Version(__version__) for name in names)


def test_the_server_in_the_extension_is_pinned_to_what_the_package_allows() -> None:
    wanted = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["dependencies"]
    text = (EXTENSION / "server" / "requirements.txt").read_text(encoding="utf-8")
    pinned = {one.name: one for one in map(Requirement, re.findall(r"^([a-z][^\\\n]*)", text, re.MULTILINE))}
    for need in map(Requirement, wanted):
        (pin,) = pinned[need.name].specifier
        assert pin.operator == "=="
        assert need.specifier.contains(pin.version), f"{need.name} is pinned to {pin.version}"
    hashed = re.findall(r"^[a-z][^\n]*\\\n +--hash=sha256:[0-9a-f]{64}", text, re.MULTILINE)
    assert len(hashed) == len(pinned)
