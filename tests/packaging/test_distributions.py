"""The wheel and the sdist: what they say of themselves, what is in them, and that they can be made again."""

from __future__ import annotations

import email
import os
import shutil
import subprocess
import sys
import tarfile
import tomllib
import zipfile
from email.message import Message
from pathlib import Path, PurePosixPath

from conftest import MOMENT, TOOLS, Distributions, build, distributions_in
from packaging.requirements import Requirement
from tree_copies import ROOT

from flow_lsp import __version__

PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
LEFT_OUT = {".ci"}  # of this repository alone


def files_of_wheel(wheel: Path) -> dict[str, bytes]:
    with zipfile.ZipFile(wheel) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def files_of_sdist(sdist: Path) -> dict[str, bytes]:
    """The files by their paths below the one folder that the sdist holds."""
    with tarfile.open(sdist) as archive:
        members = archive.getmembers()
        assert {member.name.split("/")[0] for member in members} == {f"flow_lsp-{__version__}"}
        assert all(member.isfile() for member in members)
        read = {member.name.partition("/")[2]: archive.extractfile(member) for member in members}
        return {name: file.read() for name, file in read.items() if file is not None}


def files_of_tree(tree: Path) -> set[str]:
    return {path.relative_to(tree).as_posix() for path in tree.rglob("*") if path.is_file()}


def metadata(wheel: Path) -> Message:
    return email.message_from_bytes(files_of_wheel(wheel)[f"flow_lsp-{__version__}.dist-info/METADATA"])


def test_twine_finds_nothing_wrong(built: Distributions) -> None:
    words = [TOOLS / "bin" / "twine", "--no-color", "check", "--strict", built.wheel, built.sdist]
    done = subprocess.run(words, capture_output=True, text=True, timeout=60, check=False)
    assert (done.returncode, done.stdout.count("PASSED")) == (0, 2), done.stdout + done.stderr


def test_they_are_named_by_the_version_of_the_package(built: Distributions) -> None:
    assert built.wheel.name == f"flow_lsp-{__version__}-py3-none-any.whl"
    assert built.sdist.name == f"flow_lsp-{__version__}.tar.gz"


def test_the_metadata_say_what_it_is_and_what_it_needs(built: Distributions) -> None:
    said = metadata(built.wheel)
    assert (said["Name"], said["Version"]) == ("flow-lsp", __version__)
    assert said["Summary"] == PROJECT["description"]
    assert (said["License-Expression"], said["License-File"]) == ("MIT", "LICENSE")
    assert said["Description-Content-Type"] == "text/markdown"
    text = said.get_payload()
    assert isinstance(text, str)
    assert "is bound, and whether what its program" in text.replace("\n", " ").replace("  ", " ")
    needed = [Requirement(line) for line in said.get_all("Requires-Dist", [])]
    assert sorted(one.name for one in needed if one.marker is None) == ["jsonschema", "platformdirs"]
    assert said["Requires-Python"] == ">=3.11"
    classifiers = said.get_all("Classifier", [])
    assert "Typing :: Typed" in classifiers
    assert not [one for one in classifiers if one.startswith("License ::")]  # the expression says it


def test_no_address_is_given_that_does_not_stand_in_the_readme(built: Distributions) -> None:
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    addresses = [line.partition(", ")[2] for line in metadata(built.wheel).get_all("Project-URL", [])]
    assert [address for address in addresses if address not in readme] == []


def test_the_wheel_holds_the_package_its_pages_and_nothing_else(tree: Path, built: Distributions) -> None:
    ours = files_of_tree(tree)
    expected = {path for path in ours if path.startswith("flow_lsp/")}
    pages = [path for path in ours if path.startswith("docs/diagnostics/")]
    expected |= {f"flow_lsp/pages/{PurePosixPath(page).name}" for page in pages}
    about = f"flow_lsp-{__version__}.dist-info"
    expected |= {f"{about}/{name}" for name in ("METADATA", "WHEEL", "RECORD", "entry_points.txt", "licenses/LICENSE")}
    found = files_of_wheel(built.wheel)
    assert set(found) == expected
    assert "flow_lsp/py.typed" in found
    assert found[f"{about}/entry_points.txt"].decode() == "[console_scripts]\nflow-lsp = flow_lsp.cli.main:main\n"


def test_the_sdist_holds_the_tree_with_its_tests_and_nothing_that_was_built(tree: Path, built: Distributions) -> None:
    expected = {path for path in files_of_tree(tree) if path.split("/")[0] not in LEFT_OUT}
    found = set(files_of_sdist(built.sdist))
    assert found == expected | {"PKG-INFO"}
    assert {"tests/conftest.py", "tests/unit/cli/test_arguments.py", "Makefile", "LICENSE"} <= found


def test_neither_holds_a_cache_or_an_absolute_path(built: Distributions) -> None:
    for files in (files_of_wheel(built.wheel), files_of_sdist(built.sdist)):
        for name, data in files.items():
            path = PurePosixPath(name)
            assert not {"__pycache__", "node_modules", ".venv", ".tools", ".git"} & set(path.parts), name
            assert not path.is_absolute(), name
            assert ".." not in path.parts, name
            assert path.suffix not in {".pyc", ".whl", ".vsix"}, name
            assert str(ROOT).encode() not in data, name


def test_a_wheel_that_is_built_from_the_sdist_is_the_same(built: Distributions, tmp_path: Path) -> None:
    with tarfile.open(built.sdist) as archive:
        archive.extractall(tmp_path, filter="data")
    (again,) = build(tmp_path / f"flow_lsp-{__version__}", "--wheel").glob("*.whl")
    assert again.read_bytes() == built.wheel.read_bytes()


def test_the_sdist_holds_what_its_tests_need(built: Distributions, tmp_path: Path) -> None:
    """All of them can be read there, and those that need most of the tree pass."""
    with tarfile.open(built.sdist) as archive:
        archive.extractall(tmp_path, filter="data")
    tree = tmp_path / f"flow_lsp-{__version__}"
    for words, said in ((["--collect-only", "tests"], ""), (["tests/architecture", "tests/conformance"], "[100%]")):
        done = subprocess.run(
            [sys.executable, "-m", "pytest", "-q", *words],
            cwd=tree,
            env=os.environ | {"PYTHONPATH": str(tree)},
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            check=False,
            timeout=240,
        )
        assert done.returncode == 0, done.stdout[-5000:]
        assert said in done.stdout


def test_two_builds_of_one_tree_are_the_same_to_the_byte(tree: Path, built: Distributions, tmp_path: Path) -> None:
    """Whatever the times of the files, what may be written by whom, and where the tree lies."""
    other = tmp_path / "another place"
    shutil.copytree(tree, other)
    for path in other.rglob("*"):
        if path.is_file():
            os.utime(path, (1, 1))
            path.chmod(0o700 if os.access(path, os.X_OK) else 0o600)
    again = distributions_in(build(other))
    assert again.wheel.read_bytes() == built.wheel.read_bytes()
    assert again.sdist.read_bytes() == built.sdist.read_bytes()
    with tarfile.open(built.sdist) as archive:
        assert {member.mtime for member in archive.getmembers()} == {int(MOMENT)}
