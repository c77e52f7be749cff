"""Looks at the disk: what came, changed and went, and nothing else."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from flow_lsp.files.polling import DiskLooks
from flow_lsp.files.workspace import WorkspaceFiles


def put(path: Path, text: str = "", *, age: int = 10) -> str:
    """A file that was written `age` seconds ago, so that its time is settled."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    settle(path, age)
    return str(path)


def settle(path: Path, age: int = 10) -> None:
    for each in (path, *path.parents):
        if each == each.parent or not os.access(each, os.W_OK) or str(each) in ("/", "/tmp"):
            break
        found = each.stat()
        os.utime(each, ns=(found.st_atime_ns, found.st_mtime_ns - age * 1_000_000_000))


@pytest.fixture
def looks(tmp_path: Path) -> DiskLooks:
    put(tmp_path / "a.flow", "one")
    put(tmp_path / "tools" / "b.flow", "two")
    put(tmp_path / "tools" / "flow.toml")
    put(tmp_path / "tools" / "serve.py")
    files = WorkspaceFiles([str(tmp_path)])
    files.scan()
    made = DiskLooks(files, named=lambda path: path.endswith(".py"))
    made.look()
    return made


def names(found: set[str], root: Path) -> list[str]:
    return sorted(str(Path(path).relative_to(root)) for path in found)


def test_the_first_look_gives_what_may_have_changed_since_it_was_read(tmp_path: Path) -> None:
    put(tmp_path / "a.flow")
    put(tmp_path / "flow.toml")
    put(tmp_path / "other.txt")
    files = WorkspaceFiles([str(tmp_path)])
    files.scan()
    put(tmp_path / "late.flow")
    assert names(DiskLooks(files).look(), tmp_path) == ["a.flow", "flow.toml", "late.flow"]


def test_the_first_look_gives_a_directory_that_no_scan_came_to(tmp_path: Path) -> None:
    put(tmp_path / "a.flow")
    files = WorkspaceFiles([str(tmp_path)])
    files.scan()
    put(tmp_path / "new" / "b.flow")
    put(tmp_path / "serve.py")
    looks = DiskLooks(files, named=lambda path: path.endswith(".py"))
    assert names(looks.look(), tmp_path) == ["a.flow", "new"]


def test_nothing_is_told_where_nothing_changed(looks: DiskLooks) -> None:
    assert looks.look() == set()
    assert looks.look() == set()


def test_what_is_written_is_told_once(looks: DiskLooks, tmp_path: Path) -> None:
    put(tmp_path / "tools" / "b.flow", "three", age=5)
    assert names(looks.look(), tmp_path) == ["tools/b.flow"]
    assert looks.look() == set()


def test_a_write_of_the_same_size_in_the_same_tick_is_told(looks: DiskLooks, tmp_path: Path) -> None:
    path = Path(put(tmp_path / "a.flow", "abc", age=0))
    found = path.stat()
    looks.look()
    path.write_text("xyz")
    os.utime(path, ns=(found.st_atime_ns, found.st_mtime_ns))
    assert names(looks.look(), tmp_path) == ["a.flow"]


def test_what_comes_and_goes_is_told(looks: DiskLooks, tmp_path: Path) -> None:
    put(tmp_path / "c.flow", age=3)
    put(tmp_path / "new" / "deep" / "d.flow", age=2)
    (tmp_path / "tools" / "b.flow").unlink()
    assert names(looks.look(), tmp_path) == ["c.flow", "new", "tools/b.flow"]


def test_a_directory_that_goes_is_told_with_what_was_in_it(looks: DiskLooks, tmp_path: Path) -> None:
    (tmp_path / "tools").rename(tmp_path.parent / "elsewhere")
    assert names(looks.look(), tmp_path) == ["tools", "tools/b.flow", "tools/flow.toml", "tools/serve.py"]


def test_what_came_with_its_directory_and_went_before_it_was_looked_at_is_told(tmp_path: Path) -> None:
    put(tmp_path / "a.flow")
    files = WorkspaceFiles([str(tmp_path)])
    files.scan()
    looks = DiskLooks(files)
    looks.look()
    put(tmp_path / "new" / "b.flow")
    (directory,) = looks.look()
    assert names(set(files.refresh(directory)), tmp_path) == ["new/b.flow"]
    (tmp_path / "new" / "b.flow").unlink()
    assert names(looks.look(), tmp_path) == ["new/b.flow"]
    assert looks.look() == set()


def test_files_that_are_named_count_and_no_others(looks: DiskLooks, tmp_path: Path) -> None:
    put(tmp_path / "tools" / "serve.py", "changed", age=4)
    put(tmp_path / "tools" / "notes.txt", "new", age=4)
    put(tmp_path / "tools" / "more.py", "new", age=4)
    assert names(looks.look(), tmp_path) == ["tools/more.py", "tools/serve.py"]


def test_what_a_scan_passes_by_is_passed_by(looks: DiskLooks, tmp_path: Path) -> None:
    put(tmp_path / "node_modules" / "x" / "x.flow")
    put(tmp_path / ".hidden" / "y.flow")
    assert looks.look() == set()


def test_a_manifest_above_the_folder_is_told(tmp_path: Path) -> None:
    put(tmp_path / "inner" / "a.flow")
    files = WorkspaceFiles([str(tmp_path / "inner")])
    files.scan()
    looks = DiskLooks(files)
    looks.look()
    put(tmp_path / "flow.toml")
    assert names(looks.look(), tmp_path) == ["flow.toml"]


def test_a_look_ends_its_slices_where_there_is_much_to_look_at(tmp_path: Path) -> None:
    for number in range(1_200):
        put(tmp_path / f"{number}.flow")
    files = WorkspaceFiles([str(tmp_path)])
    files.scan()
    assert len(list(DiskLooks(files).look_steps())) >= 2


def test_single_files_count_from_when_they_are_first_named(tmp_path: Path) -> None:
    put(tmp_path / "a.flow")
    program = put(tmp_path / ".venv" / "bin" / "serve", "one")
    files = WorkspaceFiles([str(tmp_path)])
    files.scan()
    also: list[str] = []
    looks = DiskLooks(files, also=lambda: also)
    looks.look()
    also.append(program)
    assert looks.look() == set()
    put(Path(program), "another", age=5)
    assert looks.look() == {program}
