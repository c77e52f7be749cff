"""`file:` URIs and paths (B10, B11, B12)."""

from __future__ import annotations

import os

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from flow_lsp.files.uris import normalized, path_of, uri_of


@pytest.mark.parametrize(
    ("uri", "path"),
    [
        ("file:///p/a.flow", "/p/a.flow"),
        ("FILE:///p/a.flow", "/p/a.flow"),
        ("file:/p/a.flow", "/p/a.flow"),
        ("file://localhost/p/a.flow", "/p/a.flow"),
        ("file:///", "/"),
        ("file:///100%25%20%231%20dir/a%20b%2520c.flow", "/100% #1 dir/a b%20c.flow"),
        ("file:///p/ä b.flow", "/p/ä b.flow"),
        ("file:///p/%C3%A4.flow", "/p/ä.flow"),
        ("file:///p/%E4.flow", "/p/\udce4.flow"),
        ("file:///p%2Fa.flow", "/p/a.flow"),
        ("file:///c%3A/p/flow.toml", "C:/p/flow.toml"),
        ("file:///c:/p/flow.toml", "C:/p/flow.toml"),
        ("file:///C:", "C:/"),
        ("file://c:/p", "C:/p"),
        ("file:///c:p", "/c:p"),
        ("file://server/share/a.flow", "//server/share/a.flow"),
    ],
)
def test_a_file_uri_is_decoded_once_to_an_absolute_path(uri: str, path: str) -> None:
    assert path_of(uri) == path


@pytest.mark.parametrize(
    "uri",
    [
        "untitled:Untitled-1",
        "git:/p/a.flow?ref",
        "vscode-notebook-cell:/p/n#1",
        "file:///p/%zz.flow",
        "file:///p/%4",
        "file:///p/%",
        "file:///p/%00.flow",
        "file:///p/a.flow#1",
        "file:///p/a.flow?x",
        "file:a.flow",
        "file://server",
        "file:",
        "file",
        "",
        "/p/a.flow",
    ],
)
def test_what_names_no_file_has_no_path(uri: str) -> None:
    assert path_of(uri) is None
    assert normalized(uri) == uri


@pytest.mark.parametrize(
    ("path", "uri"),
    [
        ("/p/a.flow", "file:///p/a.flow"),
        ("/100% #1 dir/ä", "file:///100%25%20%231%20dir/%C3%A4"),
        ("C:/p/a b", "file:///C:/p/a%20b"),
        ("//server/share/x", "file://server/share/x"),
    ],
)
def test_a_path_is_written_as_a_uri_that_any_client_reads(path: str, uri: str) -> None:
    assert uri_of(path) == uri


def test_a_relative_path_has_no_uri() -> None:
    with pytest.raises(ValueError, match="absolute"):
        uri_of("p/a.flow")


@pytest.mark.parametrize(
    "spellings",
    [
        [
            "file:///c%3A/p/flow.toml",
            "file:///C:/p/flow.toml",
            "file:///c:/p/flow.toml",
            "file:///c%3a/p/flow.toml",
        ],
        ["file:///p/%C3%A4", "file:///p/%c3%a4", "file:///p/ä", "file://localhost/%70/ä", "file:/p/ä"],
        ["file://server/s/a", "file://SERVER/s/a", "file:////server/s/a"],
        ["untitled:A", "UNTITLED:A"],
    ],
)
def test_one_file_has_one_key_however_it_is_spelt(spellings: list[str]) -> None:
    assert len({normalized(uri) for uri in spellings}) == 1


def test_different_files_have_different_keys() -> None:
    assert normalized("file:///p/a%2520") != normalized("file:///p/a%20")
    assert normalized("untitled:A") != normalized("untitled:a")


NAMES = st.binary(max_size=8).map(lambda name: os.fsdecode(name.replace(b"\0", b"")))
HEADS = st.sampled_from(["/", "//", "///", "/c:/", "/c:", "//server/", "//localhost/", "//c:/", "C:/"])


@settings(deadline=None)
@given(HEADS, st.lists(NAMES, max_size=4))
def test_every_path_comes_back_from_its_uri(head: str, names: list[str]) -> None:
    path = head + "/".join(names)
    uri = uri_of(path)
    assert uri.isascii()
    assert path_of(uri) == path
    assert normalized(uri) == normalized(normalized(uri))


@settings(deadline=None)
@given(st.text(max_size=20), st.sampled_from(["", "file:", "file://", "file:///", "file:///c%3A"]))
def test_no_uri_makes_it_raise(text: str, head: str) -> None:
    path = path_of(head + text)
    key = normalized(head + text)
    assert normalized(key) == key
    if path is not None:
        assert path_of(key) is not None
