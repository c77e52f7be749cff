"""Documents of calls on the disk: whose they are, what is kept, and what is no document of ours."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from flow_lsp.host.call_files import CallFiles, CallTarget

TARGET = CallTarget("/w/search.flow", "search.find", "find", "sha256:1")
OTHER = CallTarget("/w/search.flow", "search.find", "find", "sha256:2")


@pytest.fixture
def files(tmp_path: Path) -> CallFiles:
    return CallFiles(str(tmp_path / "calls"))


def opened(files: CallFiles, target: CallTarget = TARGET, fresh: str = "{}\n", is_open: bool = False) -> Path:
    assert files.open(target, fresh, lambda text: f"{text} carried" if text.isascii() else None, is_open=is_open)
    return Path(files.path(target))


def test_what_is_opened_is_known_again_by_another_process(files: CallFiles, tmp_path: Path) -> None:
    path = opened(files)
    again = CallFiles(str(tmp_path / "calls"))
    assert again.target(str(path)) == TARGET
    assert again.read(str(path)) == "{}\n"


def test_a_target_has_one_place_whatever_its_signature(files: CallFiles) -> None:
    assert files.path(TARGET) == files.path(OTHER)
    assert files.path(TARGET) != files.path(CallTarget("/v/search.flow", "search.find", "find", "sha256:1"))
    assert Path(files.path(TARGET)).name == "find.flow-call.json"
    long = CallTarget("/w/a.flow", "a.x", "ü" * 300, "")
    assert len(os.fsencode(Path(files.path(long)).name)) < 255
    assert opened(files, long).exists()


def test_only_what_the_user_wrote_is_kept(files: CallFiles) -> None:
    path = opened(files)
    assert opened(files, fresh="new").read_text() == "{}\n"  # the signature is the same
    assert opened(files, OTHER, "new").read_text() == "new"  # it was never edited
    path.write_text("mine")
    assert opened(files, OTHER, "newer").read_text() == "mine"
    assert opened(files, TARGET, "newer").read_text() == "mine carried"
    assert opened(files, OTHER, "newest").read_text() == "mine carried carried"  # it is still the user's


def test_what_cannot_be_carried_and_what_is_open_stay_as_they_are(files: CallFiles) -> None:
    path = opened(files)
    path.write_text("ümlaut")
    assert opened(files, OTHER).read_text() == "ümlaut"
    path.write_text("mine")
    opened(files, TARGET, is_open=True)
    assert path.read_text() == "mine"
    assert files.target(str(path)) == OTHER  # so that it is carried once it is closed
    assert opened(files, TARGET).read_text() == "mine carried"


def test_the_result_stands_beside_the_arguments(files: CallFiles) -> None:
    path = opened(files)
    result = files.write_result(str(path), "what it came to")
    assert result == str(path.with_name("find.flow-result.json"))
    assert Path(result).read_text() == "what it came to"


@pytest.mark.parametrize(
    "name", ["find.json", "../find.flow-call.json", "find.flow-result.json", "deeper/find.flow-call.json"]
)
def test_nothing_else_is_a_document_of_ours(files: CallFiles, name: str) -> None:
    directory = opened(files).parent
    path = directory / name
    path.parent.mkdir(exist_ok=True)
    path.write_text("{}")
    assert files.target(str(path)) is None
    assert files.read(str(path)) is None
    assert files.write_result(str(path), "x") is None


def test_a_link_out_of_our_directory_is_not_followed_and_one_into_it_is_what_it_leads_to(
    files: CallFiles, tmp_path: Path
) -> None:
    path = opened(files)
    (tmp_path / "elsewhere.flow-call.json").write_text("theirs")
    link = path.with_name("link.flow-call.json")
    link.symlink_to(tmp_path / "elsewhere.flow-call.json")
    assert files.target(str(link)) is None
    assert files.read(str(link)) is None
    (tmp_path / "into").symlink_to(path.parent)
    assert files.target(str(tmp_path / "into" / path.name)) == TARGET


@pytest.mark.parametrize("about", ["", "[]", "{", '{"file": 1}', "[" * 100_000])
def test_what_is_not_known_to_be_of_a_tool_is_of_none_and_opening_mends_it(files: CallFiles, about: str) -> None:
    path = opened(files)
    path.write_text("mine")
    path.with_name("tool.json").write_text(about)
    assert files.target(str(path)) is None
    assert opened(files).read_text() == "mine carried"
    assert files.target(str(path)) == TARGET


def test_bytes_that_are_no_text_are_kept_as_they_are(files: CallFiles) -> None:
    path = opened(files)
    path.write_bytes(b"\xff")
    assert files.read(str(path)) == "\udcff"
    assert opened(files, OTHER).read_bytes() == b"\xff"


def test_where_nothing_can_be_kept_it_is_said(tmp_path: Path) -> None:
    (tmp_path / "calls").write_text("in the way")
    files = CallFiles(str(tmp_path / "calls"))
    assert not files.open(TARGET, "{}", lambda _: None, is_open=False)


def test_a_directory_that_others_may_write_to_counts_as_empty(files: CallFiles) -> None:
    path = opened(files)
    path.parent.chmod(0o777)
    assert files.target(str(path)) is None
    assert files.write_result(str(path), "x") is None
