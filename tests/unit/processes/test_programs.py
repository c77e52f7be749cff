"""What the first word of a command comes to."""

from __future__ import annotations

import errno
import os
from pathlib import Path

import pytest

from flow_lsp.processes import programs
from flow_lsp.processes.programs import (
    Program,
    ProgramProblem,
    ProgramProblemKind,
    command_stamps,
    file_stamp,
    resolve_program,
)


@pytest.fixture
def place(tmp_path: Path) -> Path:
    for path, mode in {
        "bin/tool": 0o755,
        "bin/plain": 0o644,
        "other/plain": 0o755,
        "other/tool": 0o755,
    }.items():
        file = tmp_path / path
        file.parent.mkdir(exist_ok=True)
        file.write_text("#!/bin/sh\n")
        file.chmod(mode)
    (tmp_path / "bin/folder").mkdir()
    return tmp_path


def path_of(result: Program | ProgramProblem) -> str:
    assert isinstance(result, Program), result
    return result.path


def problem_of(result: Program | ProgramProblem) -> tuple[ProgramProblemKind, str]:
    assert isinstance(result, ProgramProblem), result
    return result.kind, result.sentence


def test_a_word_with_a_separator_counts_from_the_directory(place: Path) -> None:
    assert path_of(resolve_program(str(place), "bin/tool", "")) == f"{place}/bin/tool"
    assert path_of(resolve_program(str(place), "./bin//./tool", "")) == f"{place}/bin/tool"
    assert path_of(resolve_program(str(place / "other"), "../bin/tool", "")) == f"{place}/other/../bin/tool"
    assert path_of(resolve_program(str(place), f"{place}/bin/tool", "")) == f"{place}/bin/tool"


def test_a_plain_word_is_looked_for_on_path_alone_in_order(place: Path) -> None:
    both = f"{place}/bin:{place}/other"
    assert path_of(resolve_program(str(place), "tool", both)) == f"{place}/bin/tool"
    assert path_of(resolve_program(str(place), "plain", both)) == f"{place}/other/plain"
    assert problem_of(resolve_program(str(place / "bin"), "tool", "/no/such"))[0] is ProgramProblemKind.NOT_ON_PATH


def test_relative_and_empty_path_entries_count_from_the_directory(place: Path) -> None:
    assert path_of(resolve_program(str(place), "tool", "bin")) == f"{place}/bin/tool"
    assert path_of(resolve_program(str(place / "other"), "tool", "/no/such:")) == f"{place}/other/tool"


def test_path_is_that_of_the_process_by_default(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", f"{place}/other")
    assert path_of(resolve_program(str(place), "tool")) == f"{place}/other/tool"
    monkeypatch.delenv("PATH")
    assert problem_of(resolve_program(str(place), "tool"))[1].endswith("PATH is empty or not set.")


def test_links_are_not_followed_in_the_path_for_a_program_may_go_by_its_name(place: Path) -> None:
    (place / "bin/alias").symlink_to("tool")
    assert path_of(resolve_program(str(place), "bin/alias", "")) == f"{place}/bin/alias"


@pytest.mark.parametrize(
    ("word", "kind", "said"),
    [
        ("bin/missing", ProgramProblemKind.NOT_FOUND, "bin/missing does not exist"),
        ("bin/tool/more", ProgramProblemKind.NOT_FOUND, "a part of its path is no directory"),
        ("bin/loop", ProgramProblemKind.NOT_FOUND, "leads back to itself"),
        ("bin/dangling", ProgramProblemKind.NOT_FOUND, "is a symbolic link to nothing"),
        ("bin/plain", ProgramProblemKind.NOT_EXECUTABLE, "chmod +x"),
        ("bin/folder", ProgramProblemKind.IS_DIRECTORY, "is a directory"),
        ("bin/pipe", ProgramProblemKind.NOT_EXECUTABLE, "may not be executed"),
        ("plain", ProgramProblemKind.NOT_EXECUTABLE, "chmod +x"),
        (
            "folder",
            ProgramProblemKind.NOT_ON_PATH,
            "folder is in no directory of PATH. Install it, or write its path; flow-lsp doctor lists PATH.",
        ),
        ("x" * 5000, ProgramProblemKind.NOT_ON_PATH, "is in no directory of PATH"),
        ("bin/" + "x" * 5000, ProgramProblemKind.NOT_FOUND, "cannot be reached"),
        ("", ProgramProblemKind.NO_NAME, "names no program"),
        ("a\0b", ProgramProblemKind.NO_NAME, "names no program"),
    ],
)
def test_a_problem_names_its_true_cause(place: Path, word: str, kind: ProgramProblemKind, said: str) -> None:
    (place / "bin/dangling").symlink_to("nowhere")
    (place / "bin/loop").symlink_to("loop")
    os.mkfifo(place / "bin/pipe")
    found, sentence = problem_of(resolve_program(str(place), word, f"{place}/bin"))
    assert found is kind
    assert said in sentence
    assert sentence.endswith(".")


def test_what_dots_lead_to_through_a_link_is_the_systems_to_say(place: Path) -> None:
    (place / "away").mkdir()
    (place / "away/inner").mkdir()
    (place / "away/tool").write_text("#!/bin/sh\n")
    (place / "away/tool").chmod(0o755)
    (place / "link").symlink_to("away/inner")
    found = path_of(resolve_program(str(place), "link/../tool", ""))
    assert Path(found).resolve() == place.resolve() / "away/tool"


def test_a_directory_that_may_not_be_entered_is_named_as_the_cause(
    place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(path: str) -> os.stat_result:
        raise PermissionError(errno.EACCES, "Permission denied", path)

    monkeypatch.setattr(programs.os, "stat", refuse)
    monkeypatch.setattr(programs.os.path, "isdir", lambda path: True)
    kind, sentence = problem_of(resolve_program("/locked", "bin/tool", ""))
    assert kind is ProgramProblemKind.NOT_FOUND
    assert "may not be entered" in sentence


def test_what_is_not_on_path_says_who_lists_the_path_that_was_searched(place: Path) -> None:
    _, sentence = problem_of(resolve_program(str(place), "npx", "/usr/nowhere:/opt/nowhere"))
    assert sentence == "npx is in no directory of PATH. Install it, or write its path; flow-lsp doctor lists PATH."


def test_a_missing_directory_is_not_called_a_missing_program(place: Path) -> None:
    kind, sentence = problem_of(resolve_program(str(place / "gone"), "sh"))
    assert kind is ProgramProblemKind.NO_DIRECTORY
    assert "gone" in sentence


def test_a_program_that_changes_has_another_stamp(place: Path) -> None:
    before = resolve_program(str(place), "bin/tool")
    assert isinstance(before, Program)
    assert before == resolve_program(str(place), "bin/tool")
    (place / "bin/tool").write_text("#!/bin/sh\nexit 1\n")
    after = resolve_program(str(place), "bin/tool")
    assert isinstance(after, Program)
    assert after.path == before.path
    assert after.stamp != before.stamp


def test_the_files_that_a_command_names_count_for_its_stamps(place: Path) -> None:
    program = resolve_program(str(place), "bin/tool")
    assert isinstance(program, Program)
    words = ("bin/tool", "other/plain", "--verbose", "nothing", "bin")
    stamps = command_stamps(str(place), words, program)
    assert stamps == (program.stamp, file_stamp(str(place / "other/plain")), None, None, None)
    (place / "other/plain").write_text("longer than before")
    assert command_stamps(str(place), words, program) != stamps


def test_windows_finds_what_path_extensions_add(monkeypatch: pytest.MonkeyPatch, place: Path) -> None:
    from flow_lsp.processes import windows

    monkeypatch.setattr(programs, "system", windows)
    monkeypatch.setenv("PATHEXT", ".EXE;.CMD")
    (place / "bin/npx").write_text("a script for another shell")
    (place / "bin/npx.CMD").write_text("the shim")
    assert path_of(resolve_program(str(place), "npx", f"{place}/bin")) == f"{place}/bin/npx.CMD"
    assert list(windows.spellings("a.exe")) == ["a.exe", "a.exe.EXE", "a.exe.CMD"]
    assert windows.has_separator("C:tool")
    assert windows.has_separator("bin\\tool")
    assert not windows.has_separator("tool")


@pytest.mark.parametrize("word", ["\ud800", "./\ud800", "bin/\udfff/tool"])
def test_half_a_character_is_no_name_of_a_program(place: Path, word: str) -> None:
    found = resolve_program(str(place), word, str(place / "bin"))
    assert isinstance(found, ProgramProblem)
    assert found.kind is ProgramProblemKind.NO_NAME
    found.sentence.encode()
