"""Several files written as one: all of them, or none."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest

from flow_lsp.files.several import put_all


def state(folder: Path) -> dict[str, bytes | None]:
    """Everything below `folder`; None for a folder."""
    found = sorted(folder.rglob("*"))
    return {str(path.relative_to(folder)): path.read_bytes() if path.is_file() else None for path in found}


def test_files_are_put_into_folders_that_are_made(tmp_path: Path) -> None:
    assert put_all(str(tmp_path / "new" / "one"), {"a": b"1", "b/c/d": b"2"}) is None
    assert state(tmp_path / "new") == {"one": None, "one/a": b"1", "one/b": None, "one/b/c": None, "one/b/c/d": b"2"}


def test_what_stood_there_is_replaced_with_its_permissions_and_others_taken_away(tmp_path: Path) -> None:
    for name in ("a", "gone"):
        (tmp_path / name).write_bytes(b"old")
    (tmp_path / "a").chmod(0o750)
    assert put_all(str(tmp_path), {"a": b"new"}, ["gone"]) is None
    assert state(tmp_path) == {"a": b"new"}
    assert (tmp_path / "a").stat().st_mode & 0o777 == 0o750


@pytest.mark.parametrize("operation", ["replace", "unlink", "mkdir", "open"])
@pytest.mark.parametrize("after", range(3))
def test_where_one_cannot_be_written_everything_is_as_before(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, operation: str, after: int
) -> None:
    folder = tmp_path / "folder"
    folder.mkdir()
    for name in ("a", "b", "gone", "gone2", "gone3"):
        (folder / name).write_bytes(b"old")
    before = state(tmp_path)
    calls = iter(range(100))
    real = open if operation == "open" else getattr(os, operation)

    def failing(path: Any, *rest: Any, **more: Any) -> Any:
        writes = operation != "open" or rest[:1] == ("xb",)
        if writes and next(calls) == after:
            raise OSError(28, "No space left on device", path)
        return real(path, *rest, **more)

    files = {"a": b"1", "b": b"2", "x/c": b"3", "y/d": b"4", "z/e": b"5"}
    with monkeypatch.context() as patched:
        patched.setattr("builtins.open" if operation == "open" else f"os.{operation}", failing)
        found = put_all(str(folder), files, ["gone", "gone2", "gone3"])
    assert found is not None
    assert found.endswith(" cannot be written: No space left on device.")
    assert state(tmp_path) == before


def test_what_is_no_folder_is_said(tmp_path: Path) -> None:
    (tmp_path / "a").write_bytes(b"")
    assert put_all(str(tmp_path), {"a/b": b"1"}) == "a cannot be written: File exists."
    assert state(tmp_path) == {"a": b""}
