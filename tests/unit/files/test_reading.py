"""Reading files: every bad one gives one sentence, at once."""

from __future__ import annotations

import os
import socket
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from flow_lsp.files.reading import (
    PARTS_LIMIT,
    SIZE_LIMIT,
    ReadProblem,
    ReadProblemKind,
    TextRead,
    excess,
    file_stamp,
    read_text,
)


def problem(path: Path | str, size_limit: int = 1000) -> ReadProblem:
    found = read_text(str(path), size_limit)
    assert isinstance(found, ReadProblem)
    assert found.sentence.endswith(".")
    assert found.sentence.isprintable()
    return found


def text(path: Path) -> TextRead:
    found = read_text(str(path))
    assert isinstance(found, TextRead)
    return found


def test_text_is_given_with_its_line_ends_as_they_are(tmp_path: Path) -> None:
    file = tmp_path / "a.flow"
    file.write_bytes("// ä\r\nx\u2028y\rz\n".encode())
    assert text(file).text == "// ä\r\nx\u2028y\rz\n"


def test_a_byte_order_mark_is_no_part_of_the_text(tmp_path: Path) -> None:
    file = tmp_path / "flow.toml"
    file.write_bytes(b"\xef\xbb\xbf" + b'[tools."a.flow"]')
    assert text(file).text == '[tools."a.flow"]'
    assert text(file).byte_order_mark
    file.write_bytes(b"\xef\xbb\xbf\xef\xbb\xbfa")
    assert text(file).text == "\ufeffa"  # a second one is a character like another


@pytest.mark.parametrize(
    ("data", "place"),
    [
        (b"\xe9", "0xE9 at line 1, column 1"),
        (b"a\r\nb\rc\nd\xc3\xa4\xff", "0xFF at line 4, column 3"),
        (b"\xef\xbb\xbfa\xc3", "0xC3 at line 1, column 2"),
        (b"\xed\xa0\x80", "0xED at line 1, column 1"),
        (b"\xf0\x9f\x98\x8b\xc0\x80", "0xC0 at line 1, column 2"),
    ],
)
def test_what_is_no_utf8_is_told_with_its_place(tmp_path: Path, data: bytes, place: str) -> None:
    file = tmp_path / "a.flow"
    file.write_bytes(data)
    found = problem(file)
    assert found.kind is ReadProblemKind.NOT_UTF8
    assert place in found.sentence


def test_utf16_is_named(tmp_path: Path) -> None:
    file = tmp_path / "a.flow"
    file.write_bytes("host A".encode("utf-16"))
    assert "UTF-16" in problem(file).sentence


def test_the_size_is_bounded(tmp_path: Path) -> None:
    file = tmp_path / "a.flow"
    file.write_bytes(b"x" * 1000)
    assert isinstance(read_text(str(file), 1000), TextRead)
    file.write_bytes(b"x" * 1001)
    assert problem(file, 1000).kind is ReadProblemKind.TOO_LARGE
    os.truncate(file, 1 << 40)  # sparse: read, it would take the memory of the machine
    found = read_text(str(file))
    assert isinstance(found, ReadProblem)
    assert "4,194,304 bytes" in found.sentence


def test_a_file_that_says_no_size_is_bounded_as_well() -> None:
    assert problem("/proc/self/smaps", 100).kind is ReadProblemKind.TOO_LARGE


def test_a_directory_is_no_file(tmp_path: Path) -> None:
    (tmp_path / "flow.toml").mkdir()
    assert problem(tmp_path / "flow.toml").kind is ReadProblemKind.DIRECTORY


def test_pipes_sockets_and_devices_are_not_read(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "a.flow")
    assert problem(tmp_path / "a.flow").kind is ReadProblemKind.NOT_REGULAR
    with socket.socket(socket.AF_UNIX) as listening:
        listening.bind(str(tmp_path / "b.flow"))
        assert problem(tmp_path / "b.flow").kind is ReadProblemKind.NOT_REGULAR
    assert problem("/dev/zero").kind is ReadProblemKind.NOT_REGULAR


def test_links_that_lead_nowhere_are_told_apart(tmp_path: Path) -> None:
    (tmp_path / "loop.flow").symlink_to("loop.flow")
    (tmp_path / "to.flow").symlink_to("fro.flow")
    (tmp_path / "fro.flow").symlink_to("to.flow")
    (tmp_path / "gone.flow").symlink_to("nothing")
    assert problem(tmp_path / "loop.flow").kind is ReadProblemKind.LINK_LOOP
    assert problem(tmp_path / "to.flow").kind is ReadProblemKind.LINK_LOOP
    assert problem(tmp_path / "gone.flow").kind is ReadProblemKind.LINK_TO_NOTHING


@pytest.mark.parametrize("path", ["/nowhere/a.flow", "/dev/null/a.flow", "/a\0b", "/\ud800", "/" + "x" * 5000, ""])
def test_a_file_that_cannot_be_is_missing(path: str) -> None:
    assert problem(path).kind is ReadProblemKind.MISSING
    assert file_stamp(path) is None


@pytest.mark.parametrize(
    ("error", "kind"),
    [
        (PermissionError(13, "Permission denied"), ReadProblemKind.NO_PERMISSION),
        (OSError(5, "Input/output error"), ReadProblemKind.UNREADABLE),
    ],
)
def test_what_the_system_refuses_is_said(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, error: OSError, kind: ReadProblemKind
) -> None:
    def refuse(*_: object) -> int:
        raise error

    (tmp_path / "a.flow").touch()
    monkeypatch.setattr(os, "open", refuse)
    assert problem(tmp_path / "a.flow").kind is kind


def test_a_stamp_proves_no_change_only_after_the_clock_went_on(tmp_path: Path) -> None:
    file = tmp_path / "a.flow"
    file.write_text("a")
    fresh = file_stamp(str(file))
    assert fresh is not None
    assert not fresh.shows_unchanged(fresh)  # it may have been written again within the same tick
    os.utime(file, ns=(0, fresh.modified_ns - 10**9))
    settled = file_stamp(str(file))
    again = file_stamp(str(file))
    assert settled is not None
    assert again is not None
    assert settled.shows_unchanged(again)
    assert not fresh.shows_unchanged(again)


@settings(deadline=None)
@given(st.binary(max_size=60))
def test_whatever_is_in_a_file_it_gives_its_text_or_a_sentence(data: bytes) -> None:
    path = os.memfd_create("text")
    try:
        os.write(path, data)
        found = read_text(f"/proc/self/fd/{path}")
    finally:
        os.close(path)
    if isinstance(found, TextRead):
        assert data in (found.text.encode(), b"\xef\xbb\xbf" + found.text.encode())
    else:
        with pytest.raises(UnicodeDecodeError):
            data.decode()
        assert found.kind is ReadProblemKind.NOT_UTF8


@pytest.mark.parametrize("text", ["[a]\n", "\r", "\r\n", "1,"])
def test_a_text_of_too_many_parts_is_not_read(tmp_path: Path, text: str) -> None:
    file = tmp_path / "flow.toml"
    file.write_bytes((text * PARTS_LIMIT).encode())
    assert isinstance(read_text(str(file)), TextRead)
    file.write_bytes((text * (PARTS_LIMIT + 1)).encode())
    found = problem(file, SIZE_LIMIT)
    assert found.kind is ReadProblemKind.TOO_LARGE
    assert "100,000 lines and commas" in found.sentence


def test_a_text_counts_by_its_bytes_in_an_editor_too() -> None:
    assert excess("é" * (SIZE_LIMIT // 2)) is None
    for text in ("é" * (SIZE_LIMIT // 2 + 1), "x" * (SIZE_LIMIT + 1), "\ud800" * (SIZE_LIMIT // 2)):
        found = excess(text)
        assert found is not None
        assert found.kind is ReadProblemKind.TOO_LARGE
