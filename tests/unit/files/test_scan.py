"""Finding sources and manifests on a real disk (B11, B13)."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from flow_lsp.files.paths import manifest_directories, real
from flow_lsp.files.scan import ScanLimits, Visited, scan, scan_steps
from flow_lsp.text.paths import ancestors, inside, parent


def make(root: Path, *files: str) -> None:
    for file in files:
        (root / file).parent.mkdir(parents=True, exist_ok=True)
        (root / file).touch()


def below(root: Path, limits: ScanLimits | None = None) -> tuple[list[str], list[str], list[str]]:
    """Sources and manifests relative to the folder, and the sentences of problems."""
    found = scan(str(root), limits)
    return (
        [os.path.relpath(file.path, root) for file in found.sources],
        [os.path.relpath(file.path, root) for file in found.manifests],
        [problem.sentence for problem in found.problems],
    )


def test_sources_and_manifests_are_found_in_the_order_of_code_points(tmp_path: Path) -> None:
    make(
        tmp_path,
        "b.flow",
        "a/z.flow",
        "a/flow.toml",
        "flow.toml",
        "a.flow",
        "Z.flow",
        "ä.flow",
        "x.txt",
        "flow",
    )
    assert below(tmp_path) == (
        ["Z.flow", "a.flow", "a/z.flow", "b.flow", "ä.flow"],
        ["a/flow.toml", "flow.toml"],
        [],
    )


def test_what_is_nobodys_own_source_is_passed_by(tmp_path: Path) -> None:
    make(tmp_path, *(f"{name}/a.flow" for name in (".git", "node_modules", ".venv", "__pycache__", ".x")))
    make(tmp_path, "environment/a.flow", "environment/pyvenv.cfg", "environment/lib/b.flow", ".#a.flow")
    make(tmp_path, "sub/node_modules/flow.toml")
    assert below(tmp_path) == ([], [], [])


def test_the_folder_itself_is_looked_into_whatever_its_name(tmp_path: Path) -> None:
    make(tmp_path, ".git/a.flow", ".git/pyvenv.cfg")
    assert below(tmp_path / ".git")[0] == ["a.flow"]


def test_odd_names_are_names(tmp_path: Path) -> None:
    make(tmp_path, "100% #1 dir/a b%20c.flow", "new\nline/x.flow")
    assert below(tmp_path)[0] == ["100% #1 dir/a b%20c.flow", "new\nline/x.flow"]


def test_a_name_that_is_no_utf8_is_a_problem_and_no_source(tmp_path: Path) -> None:
    os.makedirs(os.fsencode(tmp_path) + b"/\xff")
    for name in (b"/\xe9.flow", b"/\xff/a.flow", b"/\xff/other"):
        Path(os.fsdecode(os.fsencode(tmp_path) + name)).touch()
    sources, _, problems = below(tmp_path)
    assert sources == []
    assert len(problems) == 2
    assert all("not UTF-8" in sentence for sentence in problems)


def test_a_loop_of_links_ends_at_once(tmp_path: Path) -> None:
    make(tmp_path, "lib/a/x.flow")
    (tmp_path / "lib/a/lib").symlink_to(tmp_path / "lib")
    (tmp_path / "lib/a/self").symlink_to("self")
    (tmp_path / "lib/up").symlink_to("../..")
    assert below(tmp_path) == (["lib/a/x.flow"], [], [])


def test_a_link_to_a_directory_is_followed_once_after_the_real_ones(tmp_path: Path) -> None:
    make(tmp_path / "outside", "x.flow", "flow.toml")
    make(tmp_path / "w", "z/real.flow")
    for name in ("b", "a"):
        (tmp_path / "w" / name).symlink_to(tmp_path / "outside")
    (tmp_path / "w/c").symlink_to("z")
    found = scan(str(tmp_path / "w"))
    outside = str(tmp_path / "outside")
    assert [tuple(file) for file in found.sources] == [
        (f"{tmp_path}/w/a/x.flow", f"{outside}/x.flow"),
        (f"{tmp_path}/w/z/real.flow", f"{tmp_path}/w/z/real.flow"),
    ]
    assert [file.real for file in found.manifests] == [f"{outside}/flow.toml"]
    assert found.roots == [f"{tmp_path}/w", outside]


def test_a_folder_opened_through_a_link_gives_the_paths_of_both(tmp_path: Path) -> None:
    make(tmp_path / "real", "a.flow")
    (tmp_path / "w").symlink_to("real")
    assert scan(str(tmp_path / "w")).sources == [(f"{tmp_path}/w/a.flow", f"{tmp_path}/real/a.flow")]


def test_a_source_is_known_by_what_it_links_to_and_a_manifest_by_where_it_stands(tmp_path: Path) -> None:
    make(tmp_path, "elsewhere/b.flow", "elsewhere/flow.toml")
    (tmp_path / "w").mkdir()
    (tmp_path / "w/a.flow").symlink_to("../elsewhere/b.flow")
    (tmp_path / "w/flow.toml").symlink_to("../elsewhere/flow.toml")
    found = scan(str(tmp_path / "w"))
    assert [file.real for file in found.sources] == [f"{tmp_path}/elsewhere/b.flow"]
    assert [file.real for file in found.manifests] == [f"{tmp_path}/w/flow.toml"]
    assert real(f"{tmp_path}/w/a.flow") == f"{tmp_path}/elsewhere/b.flow"
    assert real(f"{tmp_path}/w/flow.toml") == f"{tmp_path}/w/flow.toml"


def test_whatever_is_called_flow_toml_is_found(tmp_path: Path) -> None:
    make(tmp_path, "a/flow.toml/x", "d.flow/e.flow")
    (tmp_path / "b").mkdir()
    (tmp_path / "b/flow.toml").symlink_to("flow.toml")
    (tmp_path / "c.flow").symlink_to("nothing")
    assert below(tmp_path) == (["c.flow", "d.flow/e.flow"], ["a/flow.toml", "b/flow.toml"], [])


def test_nested_folders_count_once(tmp_path: Path) -> None:
    make(tmp_path, "a.flow", "sub/b.flow", "node_modules/c.flow")
    visited: Visited = set()
    found = [scan(str(tmp_path / name), None, visited) for name in ("", "sub", "node_modules")]
    assert [[os.path.basename(file.path) for file in one.sources] for one in found] == [
        ["a.flow", "b.flow"],
        [],
        ["c.flow"],
    ]


@pytest.mark.parametrize("limits", [ScanLimits(files=3), ScanLimits(entries=3)])
def test_the_scan_is_bounded_and_says_so(tmp_path: Path, limits: ScanLimits) -> None:
    make(tmp_path, *(f"{number}/a.flow" for number in range(5)))
    sources, _, problems = below(tmp_path, limits)
    assert len(sources) <= 3
    assert len(problems) == 1
    assert problems[0].startswith("More than 3 ")


def test_a_folder_that_is_none_is_said(tmp_path: Path) -> None:
    make(tmp_path, "a.flow")
    assert below(tmp_path / "gone")[2] == ["This folder does not exist."]
    assert below(tmp_path / "a.flow")[2] == ["This is no directory, so there is nothing to look for in it."]
    (tmp_path / "loop").symlink_to("loop")
    assert "cannot be looked into" in below(tmp_path / "loop")[2][0]


def test_a_directory_that_may_not_be_read_hides_nothing_else(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    make(tmp_path, "closed/a.flow", "open/b.flow")
    scandir = os.scandir

    def guarded(path: str):  # type: ignore[no-untyped-def]
        if path.endswith("closed"):
            raise PermissionError(13, "Permission denied")
        return scandir(path)

    monkeypatch.setattr(os, "scandir", guarded)
    assert below(tmp_path) == (
        ["open/b.flow"],
        [],
        ["This directory cannot be looked into: Permission denied."],
    )


def test_a_large_folder_is_scanned_in_slices(tmp_path: Path) -> None:
    make(tmp_path, *(f"{number}.txt" for number in range(4500)))
    assert list(scan_steps(str(tmp_path))) == [2000, 4000]


def test_manifests_are_looked_for_up_to_the_root_from_the_real_path(tmp_path: Path) -> None:
    make(tmp_path, "flow.toml", "a/b/c/x.flow", "a/b/flow.toml", "w/flow.toml")
    (tmp_path / "w/x.flow").symlink_to("../a/b/c/x.flow")
    expected = [f"{tmp_path}/a/b", str(tmp_path)]
    assert manifest_directories(f"{tmp_path}/a/b/c/x.flow")[:2] == expected
    assert manifest_directories(f"{tmp_path}/w/x.flow")[:2] == expected


@pytest.mark.parametrize(
    ("path", "above"),
    [("/a/b", "/a"), ("/a", "/"), ("/", "/"), ("C:/a", "C:/"), ("C:/", "C:/"), ("C:/a/b", "C:/a")],
)
def test_the_directory_above(path: str, above: str) -> None:
    assert parent(path) == above
    assert list(ancestors(path))[-1] in ("/", "C:/")


def test_being_inside_goes_by_whole_names() -> None:
    assert inside("/a/b", "/a")
    assert inside("/a", "/a")
    assert inside("/a", "/")
    assert not inside("/ab", "/a")
