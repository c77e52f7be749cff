"""Disk and unsaved text as one (B13, B14, B17, B18, B19)."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import pytest

from flow_lsp.files.reading import ReadProblem
from flow_lsp.files.workspace import WorkspaceFiles


def opened(*folders: Path) -> WorkspaceFiles:
    files = WorkspaceFiles(map(str, folders))
    files.scan()
    return files


def put(path: Path, text: str = "") -> str:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    return str(path)


def test_unsaved_text_wins_until_the_document_is_closed(tmp_path: Path) -> None:
    source = put(tmp_path / "a.flow", "disk")
    files = opened(tmp_path)
    assert files.text(source) == "disk"
    files.set_overlay(source, "unsaved")
    assert files.text(source) == "unsaved"
    put(tmp_path / "a.flow", "other")
    assert files.refresh(source) == frozenset()  # an event for an open file changes nothing
    assert files.text(source) == "unsaved"
    files.drop_overlay(source)
    assert files.text(source) == "other"


def test_a_text_is_read_again_when_it_is_told_to_have_changed(tmp_path: Path) -> None:
    source = put(tmp_path / "a.flow", "one")
    files = opened(tmp_path)
    assert files.text(source) == "one"
    put(tmp_path / "a.flow", "two")
    assert files.text(source) == "one"
    assert files.refresh(source) == {source}
    assert files.text(source) == "two"
    assert files.refresh(source) == frozenset()
    os.utime(source, ns=(0, 0))
    assert files.refresh(source) == frozenset()  # another stamp, the same text


def test_an_equal_text_of_the_same_size_within_one_tick_is_seen(tmp_path: Path) -> None:
    source = put(tmp_path / "a.flow", "one")
    files = opened(tmp_path)
    files.text(source)
    status = os.stat(source)
    put(tmp_path / "a.flow", "two")
    os.utime(source, ns=(status.st_atime_ns, status.st_mtime_ns))
    assert files.refresh(source) == {source}


def test_files_come_and_go(tmp_path: Path) -> None:
    files = opened(tmp_path)
    source = put(tmp_path / "new/deep/a.flow")
    assert files.refresh(source) == {source}
    assert files.sources() == [source]
    assert files.refresh(source) in ({source}, frozenset())
    os.remove(source)
    assert files.refresh(source) == {source}
    assert files.sources() == []
    assert files.refresh(source) == frozenset()
    assert isinstance(files.text(source), ReadProblem)


def test_a_rename_is_one_gone_and_one_come(tmp_path: Path) -> None:
    old = put(tmp_path / "c.flow")
    files = opened(tmp_path)
    os.rename(old, tmp_path / "d.flow")
    assert files.refresh(str(tmp_path / "d.flow")) | files.refresh(old) == {old, str(tmp_path / "d.flow")}
    assert files.sources() == [str(tmp_path / "d.flow")]


def test_a_save_by_rename_is_a_change_whatever_order_it_is_told_in(tmp_path: Path) -> None:
    manifest = put(tmp_path / "flow.toml", "one")
    files = opened(tmp_path)
    assert files.text(manifest) == "one"
    os.replace(put(tmp_path / "flow.toml~", "two"), manifest)
    assert files.refresh(manifest) | files.refresh(manifest) == {manifest}
    assert files.text(manifest) == "two"
    assert files.manifests()[-1] == manifest


def test_a_directory_comes_and_goes_with_all_it_holds(tmp_path: Path) -> None:
    put(tmp_path / "w/x/a.flow")
    put(tmp_path / "w/x/y/flow.toml")
    files = opened(tmp_path / "w")
    os.rename(tmp_path / "w/x", tmp_path / "w/z")
    gone = files.refresh(f"{tmp_path}/w/x")
    assert gone == {f"{tmp_path}/w/x/a.flow", f"{tmp_path}/w/x/y/flow.toml"}
    assert files.refresh(f"{tmp_path}/w/z") == {f"{tmp_path}/w/z/a.flow", f"{tmp_path}/w/z/y/flow.toml"}
    assert files.sources() == [f"{tmp_path}/w/z/a.flow"]
    os.rename(tmp_path / "w/z", tmp_path / "w/x")
    assert files.refresh(f"{tmp_path}/w/x") == gone


def test_a_directory_that_was_deleted_and_made_anew_holds_what_is_there_now(tmp_path: Path) -> None:
    """The end of a burst decides, by what is there then."""
    for name in ("a.flow", "same.flow", "y/flow.toml"):
        put(tmp_path / "w/x" / name)
    files = opened(tmp_path / "w")
    assert files.text(f"{tmp_path}/w/x/same.flow") == ""
    shutil.rmtree(tmp_path / "w/x")
    put(tmp_path / "w/x/b.flow")
    put(tmp_path / "w/x/same.flow", "another")
    told = files.refresh(f"{tmp_path}/w/x")
    assert told == {f"{tmp_path}/w/x/{name}" for name in ("a.flow", "b.flow", "same.flow", "y/flow.toml")}
    assert files.sources() == [f"{tmp_path}/w/x/b.flow", f"{tmp_path}/w/x/same.flow"]
    assert f"{tmp_path}/w/x/y/flow.toml" not in files.manifests()
    assert f"{tmp_path}/w/x/y" not in files.directories()
    assert [files.text(path) for path in files.sources()] == ["", "another"]
    put(tmp_path / "w/x/y/c.flow")
    assert files.refresh(f"{tmp_path}/w/x/y/c.flow") == {f"{tmp_path}/w/x/y/c.flow"}


def test_events_below_what_is_passed_by_change_nothing(tmp_path: Path) -> None:
    files = opened(tmp_path)
    for name in ("node_modules/a.flow", ".git/flow.toml", ".x.flow"):
        assert files.refresh(put(tmp_path / name)) == frozenset()
    assert files.refresh(str(tmp_path / "node_modules")) == frozenset()
    assert files.sources() == []


def test_a_document_counts_when_its_file_is_gone_or_never_was(tmp_path: Path) -> None:
    source = put(tmp_path / "a.flow", "disk")
    files = opened(tmp_path)
    files.set_overlay(source, "text")
    os.remove(source)
    assert files.refresh(source) == frozenset()
    assert files.sources() == [source]
    assert files.exists(source)
    fresh = str(tmp_path / "b.flow")
    assert not files.exists(fresh)
    files.set_overlay(fresh, "")
    assert files.exists(fresh)
    assert files.sources() == [source, fresh]
    files.drop_overlay(fresh)
    files.drop_overlay(source)
    assert files.sources() == []
    assert not files.exists(source)


def test_an_unsaved_manifest_counts(tmp_path: Path) -> None:
    files = opened(tmp_path)
    files.set_overlay(str(tmp_path / "flow.toml"), "")
    assert files.manifests()[-1] == str(tmp_path / "flow.toml")


def test_a_document_outside_every_folder_counts_with_the_manifests_above_it(tmp_path: Path) -> None:
    manifest = put(tmp_path / "flow.toml")
    source = put(tmp_path / "node_modules/sub/a.flow")
    inner = put(tmp_path / "node_modules/flow.toml")
    files = opened()
    assert files.sources() == []
    files.set_overlay(source, "")
    assert files.sources() == [source]
    assert files.manifests()[-2:] == [manifest, inner]


def test_manifests_above_the_folder_count_and_their_changes_do(tmp_path: Path) -> None:
    manifest = put(tmp_path / "flow.toml", "one")
    source = put(tmp_path / "w/deep/a.flow")
    files = opened(tmp_path / "w/deep")
    assert manifest in files.manifests()
    assert files.text(manifest) == "one"
    nearer = put(tmp_path / "w/flow.toml")
    assert files.refresh(nearer) == {nearer}
    assert {manifest, nearer} <= set(files.manifests())
    os.remove(manifest)
    assert files.refresh(manifest) == {manifest}
    assert manifest not in files.manifests()
    assert files.sources() == [source]


def test_nested_folders_count_a_file_once(tmp_path: Path) -> None:
    source = put(tmp_path / "sub/a.flow")
    for folders in ([tmp_path, tmp_path / "sub"], [tmp_path / "sub", tmp_path]):
        assert opened(*folders).sources() == [source]


def test_a_folder_that_goes_takes_its_files_along(tmp_path: Path) -> None:
    one, two = put(tmp_path / "one/a.flow"), put(tmp_path / "two/a.flow")
    files = opened(tmp_path / "one", tmp_path / "two")
    assert files.sources() == [one, two]
    files.set_folders([str(tmp_path / "two") + "/"])
    files.scan()
    assert files.sources() == [two]
    assert files.folders == (str(tmp_path / "two"),)


class TestThroughALink:
    """`w` is a link to `real`, and the client opened `w`."""

    @pytest.fixture
    def files(self, tmp_path: Path) -> WorkspaceFiles:
        put(tmp_path / "real/a.flow", "disk")
        put(tmp_path / "real/flow.toml")
        (tmp_path / "w").symlink_to("real")
        return opened(tmp_path / "w")

    def test_each_file_is_known_once_and_goes_by_the_clients_path(self, files: WorkspaceFiles, tmp_path: Path) -> None:
        assert files.sources() == [f"{tmp_path}/real/a.flow"]
        assert files.spelling(f"{tmp_path}/real/a.flow") == f"{tmp_path}/w/a.flow"
        assert files.spelling(f"{tmp_path}/real/flow.toml") == f"{tmp_path}/w/flow.toml"

    def test_events_for_the_real_path_reach_it(self, files: WorkspaceFiles, tmp_path: Path) -> None:
        assert files.text(f"{tmp_path}/w/a.flow") == "disk"
        put(tmp_path / "real/a.flow", "new")
        assert files.refresh(f"{tmp_path}/real/a.flow") == {f"{tmp_path}/real/a.flow"}
        fresh = put(tmp_path / "real/sub/b.flow")
        assert files.refresh(fresh) == {fresh}
        assert files.spelling(fresh) == f"{tmp_path}/w/sub/b.flow"
        put(tmp_path / "real/dir/c.flow")
        assert files.refresh(f"{tmp_path}/real/dir") == {f"{tmp_path}/real/dir/c.flow"}
        assert files.spelling(f"{tmp_path}/real/dir/c.flow") == f"{tmp_path}/w/dir/c.flow"

    def test_a_document_goes_by_the_path_it_was_opened_with(self, files: WorkspaceFiles, tmp_path: Path) -> None:
        key = files.set_overlay(f"{tmp_path}/real/a.flow", "one")
        assert key == f"{tmp_path}/real/a.flow"
        assert files.spelling(key) == key
        assert files.text(f"{tmp_path}/w/a.flow") == "one"
        assert files.exists(f"{tmp_path}/w/a.flow")
        os.remove(key)
        files.refresh(key)
        assert files.exists(f"{tmp_path}/w/a.flow")

    def test_of_two_documents_for_one_file_the_last_change_counts(self, files: WorkspaceFiles, tmp_path: Path) -> None:
        through, direct = f"{tmp_path}/w/a.flow", f"{tmp_path}/real/a.flow"
        files.set_overlay(through, "one")
        files.set_overlay(direct, "two")
        assert files.text(through) == "two"
        files.set_overlay(through, "three")
        assert files.text(direct) == "three"
        files.drop_overlay(through)
        assert files.text(through) == "two"
        assert files.is_open(direct)
        files.drop_overlay(direct)
        assert not files.is_open(direct)
        assert files.text(through) == "disk"

    def test_a_link_that_goes_takes_along_what_it_led_to(self, tmp_path: Path) -> None:
        put(tmp_path / "outside/a.flow")
        (tmp_path / "v").mkdir()
        (tmp_path / "v/link").symlink_to(tmp_path / "outside")
        files = opened(tmp_path / "v")
        assert files.sources() == [f"{tmp_path}/outside/a.flow"]
        os.remove(tmp_path / "v/link")
        assert files.refresh(f"{tmp_path}/v/link") == {f"{tmp_path}/outside/a.flow"}
        assert files.sources() == []
        (tmp_path / "v/link").symlink_to(tmp_path / "outside")
        (tmp_path / "v/up").symlink_to(tmp_path)
        assert files.refresh(f"{tmp_path}/v/up") == frozenset()
        assert files.refresh(f"{tmp_path}/v/link") == {f"{tmp_path}/outside/a.flow"}


def test_what_changes_during_a_scan_in_slices_is_not_lost(tmp_path: Path) -> None:
    for number in range(2500):
        put(tmp_path / f"{number}.txt")
    files = WorkspaceFiles([str(tmp_path)])
    steps = files.scan_steps()
    next(steps)
    source = put(tmp_path / "sub/a.flow")
    files.refresh(source)
    document = str(tmp_path / "b.flow")
    files.set_overlay(document, "text")
    for _ in steps:
        pass
    assert files.sources() == [document, source]


def test_a_scan_drops_texts_that_nobody_told_about(tmp_path: Path) -> None:
    source = put(tmp_path / "a.flow", "one")
    files = opened(tmp_path)
    assert files.text(source) == "one"
    put(tmp_path / "a.flow", "two")
    files.scan()
    assert files.text(source) == "two"


def test_names_that_are_no_text_are_told_and_left_out(tmp_path: Path) -> None:
    odd = os.fsdecode(os.fsencode(tmp_path) + b"/\xe9.flow")
    Path(odd).touch()
    files = opened(tmp_path)
    assert len(files.problems()) == 1
    assert files.refresh(odd) == frozenset()
    files.set_overlay(odd, "host A")
    assert files.sources() == []
    assert files.text(odd) == "host A"
    assert not files.exists("/\ud800")
    assert files.refresh("/a\0b.flow") == frozenset()


def test_a_file_that_is_forgotten_is_read_again(tmp_path: Path) -> None:
    source = put(tmp_path / "a.flow", "one")
    files = opened(tmp_path)
    assert files.text(source) == "one"
    files.forget(source)
    assert files.sources() == []
    put(tmp_path / "a.flow", "two")
    assert files.refresh(source) == {source}
    assert files.text(source) == "two"


def test_existence_is_kept_until_it_is_told_to_have_changed(tmp_path: Path) -> None:
    files = opened(tmp_path)
    path = str(tmp_path / "a.flow")
    assert not files.exists(path)
    put(tmp_path / "a.flow")
    assert not files.exists(path)
    files.refresh(path)
    assert files.exists(path)


def test_an_open_document_is_held_to_the_bounds_of_a_file(tmp_path: Path) -> None:
    files = opened(tmp_path)
    path = str(tmp_path / "a.flow")
    key = files.set_overlay(path, "\n" * 100_001)
    assert isinstance(files.text(key), ReadProblem)
    files.set_overlay(path, "one")
    assert files.text(key) == "one"
