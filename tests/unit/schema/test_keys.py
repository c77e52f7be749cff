"""Keys of types, and references to them."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from flow_lsp.schema.keys import declaration_key, key_without_versions, reference, referenced_key


@pytest.mark.parametrize(
    ("key", "ref"),
    [
        ("acme/kit@1.2.0/tools/search.Hit", "#/$defs/acme~1kit@1.2.0~1tools~1search.Hit"),
        ("a~1 b%.R", "#/$defs/a~01%20b%25.R"),
        ("größe.R", "#/$defs/gr%C3%B6%C3%9Fe.R"),
        ("k.P<(Int,json.Value)>", "#/$defs/k.P%3C(Int,json.Value)%3E"),
        ("k.P#2<fn(A)->B>", "#/$defs/k.P%232%3Cfn(A)-%3EB%3E"),
        ('k.[]{}|^`"\\', "#/$defs/k.%5B%5D%7B%7D%7C%5E%60%22%5C"),
    ],
)
def test_references(key: str, ref: str) -> None:
    assert reference(key) == ref
    assert referenced_key(ref) == key


@given(st.text(st.characters(exclude_categories=["Cs"])))
@settings(max_examples=200, deadline=None)
def test_a_reference_leads_back_to_its_key(key: str) -> None:
    ref = reference(key)
    assert ref.isascii()
    assert "/" not in ref.removeprefix("#/$defs/")
    assert referenced_key(ref) == key


@pytest.mark.parametrize("ref", ["", "#", "#/$defs/a/b", "#/$def/a", "other#/$defs/a", "#/$defs/%FF"])
def test_what_is_no_reference_to_a_definition(ref: str) -> None:
    assert referenced_key(ref) is None


def test_lower_case_hexadecimal_is_read() -> None:
    assert referenced_key("#/$defs/a%3cb%3E") == "a<b>"


@pytest.mark.parametrize(
    ("key", "bare"),
    [
        ("acme/kit@1.2.0/page.Page", "acme/kit/page.Page"),
        ("a@1/k.Box<a@1/k.Box<(Int,b/c@2.0/d/e.F#2)>>", "a/k.Box<a/k.Box<(Int,b/c/d/e.F#2)>>"),
        ("tools/a%40b.R", "tools/a%40b.R"),
        ("a@1@2/k.R", "a/k.R"),
        ("a@1", "a@1"),
        ("k.R<std@0.1.0/result.Result<Int,Text>>", "k.R<std/result.Result<Int,Text>>"),
    ],
)
def test_versions_are_left_out_everywhere(key: str, bare: str) -> None:
    assert key_without_versions(key) == bare


def test_ordinals_stand_before_arguments() -> None:
    assert declaration_key("k.R", 1) == "k.R"
    assert declaration_key("k.R", 3) == "k.R#3"
    assert declaration_key("k.R", 2, ["Int", "k.Q"]) == "k.R#2<Int,k.Q>"


def test_a_key_of_nothing_but_signs_of_a_version_is_gone_through_once() -> None:
    key = "@" * 300_000
    assert key_without_versions(key) == key
    assert key_without_versions(key + "/a.B<c@1/d.E,f@2>") == "/a.B<c/d.E,f@2>"
