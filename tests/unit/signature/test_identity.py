"""Identities: their parts, and what they are matched by."""

from __future__ import annotations

import pytest

from flow_lsp.signature.identity import Identity, escaped_file, parse_identity, without_version


@pytest.mark.parametrize(
    ("text", "identity"),
    [
        ("acme/kit@1.2.0/search.find", Identity("search", "find", "acme/kit", "1.2.0")),
        ("acme/kit@1.2.0/tools/a.b.find", Identity("tools/a.b", "find", "acme/kit", "1.2.0")),
        ("std@0.1.0/json.Value", Identity("json", "Value", "std", "0.1.0")),
        ("tools/search.find", Identity("tools/search", "find")),
        ("a%40b.find", Identity("a%40b", "find")),
        ("find", None),
        (".find", None),
        ("tools/search.", None),
        ("acme/kit@1.2.0.find", None),
        ("@1/a.find", None),
        ("a.b/c", None),
        ("", None),
    ],
)
def test_identities(text: str, identity: Identity | None) -> None:
    assert parse_identity(text) == identity
    if identity is not None:
        assert str(identity) == text


@pytest.mark.parametrize(
    ("identity", "bare"),
    [
        ("acme/kit@1.2.0/search.find", "acme/kit/search.find"),
        ("acme/kit@1@2/search.find", "acme/kit/search.find"),
        ("tools/search.find", "tools/search.find"),
        ("tools/a%40b.find", "tools/a%40b.find"),
        ("odd@1", "odd@1"),
    ],
)
def test_without_version(identity: str, bare: str) -> None:
    assert without_version(identity) == bare


def test_what_an_identity_reserves_is_encoded_in_its_file() -> None:
    assert escaped_file("tools/a@b<c>,d#e%f.flow") == "tools/a%40b%3Cc%3E%2Cd%23e%25f"
    assert escaped_file("größe/x y.flow") == "größe/x y"


def test_a_text_of_nothing_but_signs_of_a_version_is_gone_through_once() -> None:
    text = "@" * 300_000
    assert without_version(text) == text
    assert without_version(text + "/a.b") == "/a.b"
    assert without_version("acme@1/kit.f@2/g") == "acme/kit.f@2/g"
