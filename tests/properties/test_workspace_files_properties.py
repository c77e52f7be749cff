"""What WorkspaceFiles knows after it was told of each change is what one that looks afresh finds."""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from hypothesis import given, settings
from hypothesis import strategies as st

from flow_lsp.files.workspace import WorkspaceFiles

DIRECTORIES = ["w", "w/a", "w/a/b", "w/node_modules", "w/c", "w/.d", "x", "x/y"]
NAMES = ["s.flow", "t.flow", "flow.toml", "note.txt"]
PATHS = st.builds("{}/{}".format, st.sampled_from(DIRECTORIES), st.sampled_from(NAMES))
ACTIONS = st.one_of(
    st.tuples(st.just("write"), PATHS, st.sampled_from(["", "one", "two"])),
    st.tuples(st.just("remove"), PATHS | st.sampled_from(DIRECTORIES[1:]), st.just("")),
    st.tuples(st.just("rename"), st.sampled_from(DIRECTORIES[1:]), st.sampled_from(DIRECTORIES[1:])),
    st.tuples(st.just("open"), PATHS, st.sampled_from(["unsaved", "typed"])),
    st.tuples(st.just("close"), PATHS, st.just("")),
    st.tuples(st.just("look"), PATHS, st.just("")),
    st.tuples(st.just("tell"), st.just(""), st.just("")),
)


@contextmanager
def directory() -> Iterator[Path]:
    path = Path(tempfile.mkdtemp()).resolve()
    try:
        (path / "w").mkdir()
        yield path
    finally:
        shutil.rmtree(path)


def act(
    root: Path, files: WorkspaceFiles, documents: dict[str, str], action: tuple[str, str, str], untold: dict[str, None]
) -> None:
    """Does one thing to the disk or an editor. What a client would tell of the disk is gathered in `untold`, and told
    at once whatever happened since."""
    kind, name, more = action
    path = root / name
    told = [str(path)]
    if kind == "write":
        path.parent.mkdir(parents=True, exist_ok=True)
        if path.is_dir():
            return
        path.write_text(more)
    elif kind == "remove" and path.is_dir():
        shutil.rmtree(path)
    elif kind == "remove":
        path.unlink(missing_ok=True)
    elif kind == "rename":
        other = root / more
        if not path.exists() or other.exists() or other.is_relative_to(path):
            return
        other.parent.mkdir(parents=True, exist_ok=True)
        path.rename(other)
        told.append(str(other))
    elif kind == "open":
        documents[str(path)] = more
        files.set_overlay(str(path), more)
        return
    elif kind == "close":
        if documents.pop(str(path), None) is not None:
            files.drop_overlay(str(path))
        return
    elif kind == "look":
        files.text(str(path))
        files.exists(str(path))
        return
    elif kind == "tell":
        told = []
        for one in untold:
            files.refresh(one)
        untold.clear()
    untold.update(dict.fromkeys(told))


@settings(deadline=None, max_examples=150)
@given(st.lists(ACTIONS, max_size=15))
def test_being_told_of_changes_comes_to_the_same_as_looking_afresh(
    actions: list[tuple[str, str, str]],
) -> None:
    with directory() as root:
        folders = [str(root / "w")]
        files = WorkspaceFiles(folders)
        files.scan()
        documents: dict[str, str] = {}
        untold: dict[str, None] = {}
        for action in [*actions, ("tell", "", "")]:
            act(root, files, documents, action, untold)
        fresh = WorkspaceFiles(folders)
        fresh.scan()
        for path, text in documents.items():
            fresh.set_overlay(path, text)
        assert files.sources() == fresh.sources()
        # A closed document may have brought in a manifest outside; one more than is needed does no harm.
        assert set(fresh.manifests()) <= set(files.manifests())
        for path in {*fresh.sources(), *fresh.manifests(), *documents}:
            assert files.text(path) == fresh.text(path)
            assert files.exists(path) == fresh.exists(path)
        for path in files.manifests():
            assert path in documents or os.path.lexists(path)
