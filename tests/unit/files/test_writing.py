"""Files written as a whole, and never over what must stay."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from flow_lsp.files.writing import put_in_place, write_new


def names(folder: Path) -> set[str]:
    return {path.name for path in folder.iterdir()}


def test_a_file_is_put_in_place_with_the_permissions_of_the_one_before(tmp_path: Path) -> None:
    path = tmp_path / "a"
    assert put_in_place(str(path), b"one") is None
    path.chmod(0o640)
    assert put_in_place(str(path), b"two") is None
    assert (path.read_bytes(), path.stat().st_mode & 0o777) == (b"two", 0o640)
    assert names(tmp_path) == {"a"}


def test_what_holds_the_very_bytes_is_not_touched(tmp_path: Path) -> None:
    path = tmp_path / "a"
    path.write_bytes(b"one")
    before = path.stat()
    assert put_in_place(str(path), b"one") is None
    assert (path.stat().st_ino, path.stat().st_mtime_ns) == (before.st_ino, before.st_mtime_ns)


def test_a_link_stays_a_link(tmp_path: Path) -> None:
    (tmp_path / "to").mkdir()
    target, link = tmp_path / "to" / "a", tmp_path / "link"
    target.write_bytes(b"one")
    link.symlink_to(target)
    assert put_in_place(str(link), b"two") is None
    assert link.is_symlink()
    assert target.read_bytes() == b"two"


@pytest.mark.parametrize("write", [put_in_place, write_new])
def test_what_cannot_be_written_is_a_sentence_and_leaves_nothing(tmp_path: Path, write) -> None:
    problem = write(str(tmp_path / "gone" / "a"), b"one")
    assert problem == "It cannot be written: No such file or directory."
    assert names(tmp_path) == set()


def test_a_new_file_is_never_written_over_anything(tmp_path: Path) -> None:
    path, link = tmp_path / "a", tmp_path / "link"
    assert write_new(str(path), b"one") is None
    assert write_new(str(path), b"two") == "It exists already."
    os.symlink(tmp_path / "nothing", link)
    assert write_new(str(link), b"two") == "It exists already."
    assert (path.read_bytes(), names(tmp_path)) == (b"one", {"a", "link"})


def test_what_is_no_regular_file_stays(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "folder").mkdir()
    (tmp_path / "link").symlink_to(tmp_path / "pipe")
    for name in ("pipe", "folder", "link"):
        problem = put_in_place(str(tmp_path / name), b"one")
        assert problem == "It cannot be written: what stands there is no regular file."
    assert (tmp_path / "pipe").is_fifo()
