"""The small files that the host keeps."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from flow_lsp.host.store import FileStore, state_directory


@pytest.fixture
def store(tmp_path: Path) -> FileStore:
    return FileStore(str(tmp_path / "state" / "kept"), size_limit=100, count_limit=3)


def test_what_was_written_is_read_and_can_be_removed(store: FileStore) -> None:
    assert store.read("a") is None
    assert store.write("a", b"one")
    assert store.write("a", b"two")
    assert store.read("a") == b"two"
    store.remove("a")
    store.remove("a")
    assert store.read("a") is None


def test_the_directory_and_the_files_are_the_users_alone(store: FileStore) -> None:
    store.write("a", b"one")
    assert Path(store.directory).stat().st_mode & 0o777 == 0o700
    assert Path(store.directory, "a").stat().st_mode & 0o777 == 0o600


def test_nothing_is_read_from_where_others_may_write(store: FileStore) -> None:
    store.write("a", b"one")
    Path(store.directory).chmod(0o777)
    assert store.read("a") is None
    assert not store.write("a", b"two")
    Path(store.directory).chmod(0o700)
    assert store.read("a") == b"one"


def test_a_file_past_the_limit_is_neither_written_nor_read(store: FileStore) -> None:
    assert store.write("a", b"x" * 100)
    assert not store.write("a", b"x" * 101)
    assert store.read("a") == b"x" * 100
    Path(store.directory, "a").write_bytes(b"x" * 101)
    assert store.read("a") is None


def test_what_is_no_plain_file_is_not_read_or_waited_for(store: FileStore, tmp_path: Path) -> None:
    store.write("a", b"one")
    directory = Path(store.directory)
    (tmp_path / "elsewhere").write_bytes(b"theirs")
    (directory / "link").symlink_to(tmp_path / "elsewhere")
    (directory / "folder").mkdir()
    os.mkfifo(directory / "pipe")
    assert [store.read(name) for name in ("link", "folder", "pipe")] == [None, None, None]


def test_the_oldest_files_go(store: FileStore) -> None:
    for number in range(5):
        store.write(str(number), b"x")
        os.utime(Path(store.directory, str(number)), (number, number))
    store.write("new", b"x")
    assert sorted(path.name for path in Path(store.directory).iterdir()) == ["3", "4", "new"]


def test_a_place_that_cannot_be_written_is_no_error(tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"")
    store = FileStore(str(tmp_path / "file" / "kept"), size_limit=100, count_limit=3)
    assert not store.write("a", b"one")
    assert store.read("a") is None
    in_file = FileStore(str(tmp_path / "file"), size_limit=100, count_limit=3)
    assert not in_file.write("a", b"one")
    assert in_file.read("a") is None
    store.remove("a")


def test_a_name_that_is_taken_by_a_directory_is_no_error(store: FileStore) -> None:
    store.write("a", b"one")
    Path(store.directory, "b").mkdir()
    assert not store.write("b", b"two")
    assert sorted(path.name for path in Path(store.directory).iterdir()) == ["a", "b"]


def test_the_state_directory_can_be_chosen(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("FLOW_LSP_STATE_DIRECTORY", str(tmp_path))
    assert state_directory("consent") == str(tmp_path / "consent")
    monkeypatch.delenv("FLOW_LSP_STATE_DIRECTORY")
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "xdg"))
    assert Path(state_directory("consent")).name == "consent"
    assert "flow-lsp" in state_directory("consent")


@pytest.mark.parametrize("variable", ["FLOW_LSP_STATE_DIRECTORY", "XDG_STATE_HOME"])
def test_no_answer_is_taken_from_where_this_process_was_started(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, variable: str
) -> None:
    monkeypatch.chdir(tmp_path)  # a workspace that brings its own consent
    for name in ("FLOW_LSP_STATE_DIRECTORY", "XDG_STATE_HOME"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("HOME", str(tmp_path.parent / "home"))
    monkeypatch.setenv(variable, "state")
    found = Path(state_directory("consent"))
    assert found.is_absolute()
    assert not found.is_relative_to(tmp_path)
