"""Looking at what a command starts: PATH entries, links, first lines. Nothing runs."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from flow_lsp.host.doctor.programs import look_at_program, path_entries
from flow_lsp.processes.programs import ProgramProblemKind


def program(path: Path, text: str = "#!/bin/sh\n") -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(text.encode())
    path.chmod(0o755)
    return path


@pytest.fixture
def on_path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("PATH", os.pathsep.join(str(tmp_path / name) for name in ("one", "two", "three")))
    return tmp_path


def test_the_entry_of_path_is_named_and_what_comes_after_it(on_path: Path) -> None:
    two, three = program(on_path / "two" / "tool"), program(on_path / "three" / "tool")
    facts = look_at_program(str(on_path), "tool")
    assert (facts.path, facts.entry, facts.others) == (str(two), str(on_path / "two"), (str(three),))
    assert facts.leads_to is None


def test_a_program_that_is_named_with_its_path_is_of_no_entry(on_path: Path) -> None:
    program(on_path / "two" / "tool")
    facts = look_at_program(str(on_path), "two/tool")
    assert (facts.entry, facts.others) == (None, ())
    assert facts.path == str(on_path / "two" / "tool")


def test_a_link_is_followed_to_its_end(on_path: Path) -> None:
    real = program(on_path / "real")
    (on_path / "one").mkdir()
    (on_path / "one" / "tool").symlink_to("../middle")
    (on_path / "middle").symlink_to("real")
    facts = look_at_program(str(on_path), "tool")
    assert (facts.path, facts.leads_to) == (str(on_path / "one" / "tool"), str(real))


def test_what_is_not_there_is_a_problem(on_path: Path) -> None:
    facts = look_at_program(str(on_path), "tool")
    assert facts.path is None
    assert facts.problem is not None
    assert facts.problem.kind is ProgramProblemKind.NOT_ON_PATH


@pytest.mark.parametrize(
    ("text", "interpreter", "problem"),
    [
        ("#!/bin/sh\nx", "/bin/sh", None),
        ("#! /bin/sh -e\nx", "/bin/sh", None),
        ("#!/usr/bin/env tool\n", "tool", None),
        ("#!/usr/bin/env -S tool --x\n", "tool", None),
        ("#!/usr/bin/env A=b tool\n", "tool", None),
        ("#!/usr/bin/env gone\n", None, "asks for gone, which is in no directory of PATH"),
        ("#!/no/such/interpreter -x\n", None, "names the interpreter /no/such/interpreter, which does not exist"),
        ("#!/bin/sh\r\nx", None, "ends with a carriage return"),
        ("#!\nx", None, "names no interpreter"),
        ("#!" + "x" * 5000, None, "longer than the system reads"),
        ("#!/bin/sh", "/bin/sh", None),
        ("#!/bin/\0\xff\n", None, "which does not exist"),
    ],
)
def test_the_first_line_of_a_script(on_path: Path, text: str, interpreter: str | None, problem: str | None) -> None:
    found = program(on_path / "three" / "tool") if interpreter == "tool" else None
    program(on_path / "script", text)
    first = look_at_program(str(on_path), "./script").first_line
    assert first is not None
    assert first.interpreter == (str(found) if found else interpreter)
    assert (problem is None) == (first.problem is None)
    assert problem is None or problem in (first.problem or "")
    assert bool(first.remedy) == bool(first.problem)


@pytest.mark.parametrize("text", ["", "\x7fELF", "echo\n"])
def test_what_is_no_script_has_no_first_line(on_path: Path, text: str) -> None:
    program(on_path / "script", text)
    assert look_at_program(str(on_path), "./script").first_line is None


def test_what_is_odd_about_path_is_said(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    entries = [str(tmp_path), "", "bin", str(tmp_path), str(tmp_path / "gone"), str(tmp_path / "file")]
    found = [entry.oddity.partition(":")[0] for entry in path_entries(os.pathsep.join(entries))]
    assert found == ["", "empty", "relative", "a second time", "does not exist", "is no directory"]
    assert path_entries("") == []
