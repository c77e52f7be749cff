"""What the disk has for the words of a command: from where, in what order, and within what bounds."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from flow_lsp.host import program_names
from flow_lsp.host.program_names import ProgramNames


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    root = tmp_path / "w"
    (root / "sub").mkdir(parents=True)
    return root


def program(path: Path, mode: int = 0o755) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("#!/bin/sh\n")
    path.chmod(mode)


def words(
    folder: Path, typed: str = "", before: tuple[str, ...] = (), directory: str = "sub", path: str = ""
) -> list[str]:
    """The words offered in the manifest of a directory of the folder, joined."""
    names = ProgramNames(path)
    offers, _ = names.offers(str(folder / directory), str(folder), before, typed)
    again, _ = names.offers(str(folder / directory), str(folder), before, typed)
    assert again == offers
    return [" ".join(offer.words) for offer in offers]


def test_programs_come_from_all_that_runs_here_and_then_from_the_path(folder: Path, tmp_path: Path) -> None:
    program(folder / ".venv" / "bin" / "weather")
    program(folder / ".venv" / "bin" / "activate")
    (folder / ".venv" / "pyvenv.cfg").write_text("")
    program(folder / "node_modules" / ".bin" / "search")
    (folder / "cli.js").write_text("")
    package = {"name": "@acme/kit", "bin": {"kit": "cli.js", "gone": "none.js", "out": "../../x.js", "bad": 1}}
    (folder / "package.json").write_text(json.dumps(package))
    (folder / "pyproject.toml").write_text('[project.scripts]\nserve = "a:b"\n[tool.poetry.scripts]\nother = "c"\n')
    program(folder / "sub" / "run.sh")
    program(folder / "sub" / "data.txt", 0o644)
    (folder / "sub" / "tools").mkdir()
    program(tmp_path / "bin" / "zig")
    program(tmp_path / "bin" / "notes", 0o644)
    assert words(folder, path=str(tmp_path / "bin")) == [
        "../.venv/bin/weather", "serve", "other", "node ../cli.js", "../node_modules/.bin/search", "./run.sh",
        "./tools/", "zig",
    ]  # fmt: skip
    assert words(folder, "SEA") == ["../node_modules/.bin/search"]
    (folder / "uv.lock").write_text("")
    assert "uv run serve" in words(folder)


def test_nothing_is_looked_for_above_the_workspace(folder: Path) -> None:
    (folder.parent / "pyproject.toml").write_text('[project.scripts]\nserve = "a:b"\n')
    assert words(folder) == []
    assert words(folder, directory=".") == ["./sub/"]


def test_files_after_a_separator_and_behind_a_program(folder: Path) -> None:
    program(folder / "sub" / "tools" / "run.py", 0o644)
    program(folder / "sub" / "tools" / "go")
    program(folder / "sub" / "tools" / ".hidden")
    (folder / "sub" / "tools" / "deep").mkdir()
    assert words(folder, "tools/") == ["tools/deep/", "tools/go"]
    assert words(folder, "tools/", ("python3",)) == ["tools/deep/", "tools/go", "tools/run.py"]
    assert words(folder, "./tools/ru", ("python3",)) == ["./tools/run.py"]
    assert words(folder, "tools/.", ("python3",)) == ["tools/.hidden"]
    assert words(folder, "", ("python3",)) == ["tools/"]
    assert words(folder, f"{folder}/sub/tools/g") == [f"{folder}/sub/tools/go"]
    assert words(folder, "none/") == []


def test_what_a_runner_runs(folder: Path) -> None:
    (folder / "pyproject.toml").write_text('[project.scripts]\nserve = "a:b"\n')
    program(folder / "node_modules" / ".bin" / "search")
    assert words(folder, "", ("uv", "run")) == ["serve"]
    assert words(folder, "", ("npx", "-y")) == ["search"]


@pytest.mark.parametrize("name", ["new\nline", "\x1b[31m", b"\xff\xfe".decode("utf-8", "surrogateescape"), "-x"])
def test_names_that_could_do_harm_are_left_out(folder: Path, name: str) -> None:
    program(folder / "sub" / name)
    assert words(folder, "", ("python3",)) == []


def test_names_that_need_quotes_are_offered_as_one_word(folder: Path) -> None:
    program(folder / "sub" / "my 'prog' $x")
    names = ProgramNames("")
    offers, complete = names.offers(str(folder / "sub"), str(folder), (), "my")
    assert [offer.words for offer in offers] == [("./my 'prog' $x",)]
    assert complete


@pytest.mark.parametrize(
    "text",
    ["[project", "project = 1", '[project]\nscripts = ["a"]', "[project.scripts]\n\"\\n\" = 'x'", "\xff", "[" * 9999],
)
def test_a_project_file_that_cannot_be_read_gives_nothing(folder: Path, text: str) -> None:
    for name in ("pyproject.toml", "package.json"):
        (folder / "sub" / name).write_text(text, encoding="latin-1")
    assert words(folder) == []


def test_a_huge_directory_is_looked_into_only_so_far(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(program_names, "MOST_ENTRIES", 5)
    for number in range(20):
        program(folder / "sub" / f"run{number}")
    assert len(words(folder)) == 5
    monkeypatch.setattr(program_names, "MOST_OFFERS", 3)
    offers, complete = ProgramNames("").offers(str(folder / "sub"), str(folder), (), "")
    assert (len(offers), complete) == (3, False)


def test_a_late_look_gives_what_it_has(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    program(folder / "sub" / "run")
    monkeypatch.setattr(program_names, "SECONDS", -1.0)
    names = ProgramNames("")
    offers, complete = names.offers(str(folder / "sub"), str(folder), (), "")
    assert not complete or offers == []
    monkeypatch.setattr(program_names, "SECONDS", 60.0)
    assert [offer.words for offer in names.offers(str(folder / "sub"), str(folder), (), "")[0]] == [("./run",)]


def test_what_is_new_in_a_directory_is_seen(folder: Path) -> None:
    names = ProgramNames("")
    assert names.offers(str(folder / "sub"), str(folder), (), "")[0] == []
    program(folder / "sub" / "run")
    os.utime(folder / "sub", ns=(1, 1))
    assert len(names.offers(str(folder / "sub"), str(folder), (), "")[0]) == 1
