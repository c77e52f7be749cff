"""The arguments of a call: every parameter is there, at its own type."""

from __future__ import annotations

from typing import Any

import pytest

from flow_lsp.codecs.arguments import ArgumentsCodec
from flow_lsp.codecs.codec import Codecs
from flow_lsp.codecs.refusals import RefusalKind, ValueRefused
from flow_lsp.types.terms import OptionOf, Primitive

CODECS = Codecs({})
FIND = ArgumentsCodec([("query", CODECS.codec(Primitive.TEXT)), ("a/limit", CODECS.codec(OptionOf(Primitive.INT)))])


def test_they_go_both_ways() -> None:
    args: Any = {"query": "x", "a/limit": {"Some": 3}, "more": 1}
    assert FIND.decode(args) == {"query": "x", "a/limit": 3}
    assert FIND.encode({"query": "x", "a/limit": None}) == '{"a/limit":"None","query":"x"}'
    assert FIND.unknown(args) == ["more"]


@pytest.mark.parametrize(
    ("args", "kind", "pointer", "sentence"),
    [
        ([], RefusalKind.TYPE, "", "An object is expected for the arguments, and this is an array."),
        ({"query": "x"}, RefusalKind.MISSING, "", 'The argument `a/limit` is missing. Write "None" or {"Some": …}.'),
        ({}, RefusalKind.MISSING, "", "The arguments `query` and 1 more are missing."),
        (
            {"qury": "x", "a/limit": "None"},
            RefusalKind.MISSING,
            "",
            "The argument `query` is missing. Is it meant by `qury`?",
        ),
        (
            {"query": "x", "a/limit": {"Some": "3"}},
            RefusalKind.TYPE,
            "/a~1limit/Some",
            "A whole number is expected for Int, and this is a string.",
        ),
    ],
)
def test_what_is_refused(args: Any, kind: RefusalKind, pointer: str, sentence: str) -> None:
    with pytest.raises(ValueRefused) as refused:
        FIND.decode(args)
    assert (refused.value.kind, refused.value.pointer, refused.value.sentence) == (kind, pointer, sentence)


def test_values_that_do_not_encode() -> None:
    for values, kind, pointer in (
        ({"query": "x"}, RefusalKind.MISSING, ""),
        ({"query": "x", "a/limit": "3"}, RefusalKind.TYPE, "/a~1limit/Some"),
    ):
        with pytest.raises(ValueRefused) as refused:
            FIND.encode(values)
        assert (refused.value.kind, refused.value.pointer) == (kind, pointer)
