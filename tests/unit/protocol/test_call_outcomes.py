"""What the outcome of a reply comes to."""

from __future__ import annotations

from typing import Any

import pytest

from flow_lsp.codecs.codec import Codec, Codecs
from flow_lsp.protocol.call_outcomes import BadReply, Failed, NotRun, Ok, Unknown, read_outcome
from flow_lsp.types.terms import Field, Kind, ListOf, Named, Primitive, Template
from flow_lsp.values.strict_json import read_json

HIT = Template("Hit", "k.Hit", 1, (), False, Kind.RECORD, fields=(Field("title", Primitive.TEXT),))
TICKET = Template("Ticket", "k.Ticket", 1, (), True, Kind.RECORD, fields=(Field("id", Primitive.TEXT),))
CODECS = Codecs({"hit": HIT, "ticket": TICKET}, builds_opaque=False)
INT, TEXT = CODECS.codec(Primitive.INT), CODECS.codec(Primitive.TEXT)


def outcome(text: str, ok: Codec = INT, err: Codec = TEXT) -> Any:
    return read_outcome(read_json(text), ok, err)


def test_values_are_decoded_against_their_own_types_and_admitted_in_canonical_form() -> None:
    assert outcome('{"Ok":1e3}') == Ok("1000", 1000)
    assert outcome('{"Failed":"\\u00fc"}') == Failed('"ü"', "ü")
    assert outcome('{"Ok":null}', CODECS.codec(Primitive.UNIT)) == Ok("null", None)


def test_reasons_are_passed_on_as_they_are() -> None:
    assert outcome('{"NotRun":""}') == NotRun("")
    assert outcome('{"Unknown":"\\u001b[2J\\n"}') == Unknown("\x1b[2J\n")


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("null", "The outcome is null, not an object."),
        ('"Ok"', "The outcome is a string, not an object."),
        ("[]", "The outcome is an array, not an object."),
        ("{}", "The outcome has 0 members, not exactly one of Ok, Failed, NotRun and Unknown."),
        ('{"Ok":1,"x":1}', "The outcome has 2 members, not exactly one of Ok, Failed, NotRun and Unknown."),
        ('{"BadReply":"no"}', "The outcome is `BadReply`, which is none of Ok, Failed, NotRun and Unknown."),
        ('{"ok":1}', "The outcome is `ok`, which is none of Ok, Failed, NotRun and Unknown."),
        ('{"NotRun":null}', "The reason of NotRun is null, not a string."),
        ('{"Unknown":1}', "The reason of Unknown is a number, not a string."),
        (
            '{"Ok":"1"}',
            "The value of Ok is not one of the declared type: A whole number is expected for Int, and this is a "
            "string.",
        ),
    ],
)
def test_what_is_malformed_is_a_bad_reply_that_says_why(text: str, reason: str) -> None:
    assert outcome(text) == BadReply(reason)


def test_a_refusal_says_where_in_the_value() -> None:
    hits = CODECS.codec(ListOf(Named("hit")))
    bad = outcome('{"Ok":[{"title":"a"},{"title":2}]}', hits)
    assert isinstance(bad, BadReply)
    assert bad.reason.endswith("this is a number (at /1/title).")


@pytest.mark.parametrize("term", [Primitive.NEVER, Named("ticket")])
def test_never_and_opaque_types_are_not_built(term: Any) -> None:
    assert isinstance(outcome('{"Ok":{"id":"x"}}', CODECS.codec(term)), BadReply)


@pytest.mark.parametrize("number", ["1e5000", "7e3000000000", "-7e-3000000000", "1.5"])
@pytest.mark.parametrize("term", [Primitive.INT, ListOf(Primitive.INT)])
def test_a_number_past_the_limits_is_a_bad_reply(number: str, term: Any) -> None:
    value = number if term is Primitive.INT else f"[{number}]"
    assert isinstance(outcome(f'{{"Ok":{value}}}', CODECS.codec(term)), BadReply)


def test_the_nesting_limit_holds_from_the_values_own_root_also_in_what_the_type_ignores() -> None:
    anything = CODECS.codec(Primitive.JSON_VALUE)
    deepest: Any = []
    for _ in range(511):
        deepest = [deepest]
    assert read_outcome({"Ok": deepest}, anything, TEXT) == Ok("[" * 512 + "]" * 512, deepest)
    deep = [deepest]
    assert read_outcome({"Ok": deep}, anything, TEXT) == BadReply(
        "The value of Ok is nested more than 512 levels deep."
    )
    ignored = {"Failed": {"title": "a", "more": deep}}
    assert isinstance(read_outcome(ignored, TEXT, CODECS.codec(Named("hit"))), BadReply)


def test_what_a_reason_repeats_of_the_value_is_bounded() -> None:
    bad = outcome('{"' + "x" * 100_000 + '":1}')
    assert isinstance(bad, BadReply)
    assert len(bad.reason) < 300
