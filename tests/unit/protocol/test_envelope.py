"""What can be read of a line that is not to be read strictly."""

from __future__ import annotations

import json

import pytest
from support.bounds import not_hopeless

from flow_lsp.protocol.envelope import Envelope, deep_value_end, read_envelope

HEAD = b'{"jsonrpc":"2.0","method":"reply","params":{"run":"r","call":"c","outcome":'


def envelope(line: bytes) -> Envelope:
    found = read_envelope(line)
    assert found is not None
    return found


@pytest.mark.parametrize("line", [b"", b" ", b"x", b"[{}]", b'"{}"', b"\xef\xbb\xbf{}", b"null"])
def test_what_is_no_object_has_no_envelope(line: bytes) -> None:
    assert read_envelope(line) is None


@pytest.mark.parametrize(
    "outcome",
    [
        b'{"a":1,"a":2}',
        b'{"Ok":"\\ud800"}',
        b'{"Ok":"\xff\xed\xa0\x80"}',
        b'{"Ok":NaN,"b":[-Infinity,Infinity]}',
        b'{"Ok":' + b"1" * 5000 + b"}",
        b"[" * 100_000 + b"]" * 100_000,
        b'{"a":' * 50_000 + b"{}" + b"}" * 50_000,
        b' \t\r[ 1 , "x\\"]" , -0.5e-7 , { } , [ ] , true , false , null ] ',
    ],
)
def test_what_the_grammar_allows_is_whole(outcome: bytes) -> None:
    found = envelope(HEAD + outcome + b"}}")
    assert found.whole
    assert found.pair == ("r", "c")
    assert found.is_notification("reply")
    [(start, end)] = found.inner["outcome"]
    assert found.line[start:end] == outcome.strip(b" \t\r")
    assert json.loads(found.without("outcome"))["params"] == {"run": "r", "call": "c", "outcome": None}


@pytest.mark.parametrize(
    "outcome",
    [
        b"",
        b"{]",
        b"[1,]",
        b'{"a":1,}',
        b"{1:2}",
        b"{'a':1}",
        b'{"a" 1}',
        b"01",
        b"1.",
        b".5",
        b"+1",
        b"1e",
        b"nan",
        b"True",
        b'"\t"',
        b'"\\x41"',
        b'"\\u12g4"',
        b'"',
        b"[1 2]",
        b"[" * 100_000 + b"]" * 99_999,
        b"[" * 100_000 + b"1,]" + b"]" * 99_999,
        b"[" * 100_000 + b"1}" + b"]" * 99_999,
        b'{"a":' * 100_000 + b"1]" + b"}" * 99_999,
        b"\xa0",
        b"\x0b1",
    ],
)
def test_what_is_no_json_by_the_grammar_is_not_whole(outcome: bytes) -> None:
    assert not envelope(HEAD + outcome + b"}}").whole


def test_nothing_may_follow_the_object_but_white_space() -> None:
    assert envelope(HEAD + b"1}} \r\t").whole
    assert not envelope(HEAD + b"1}} {}").whole


@pytest.mark.parametrize(
    ("line", "pair"),
    [
        (b'{"params":{"call":"c","run":"r"}}', ("r", "c")),
        ('{"params":{"c\\u0061ll":"\\u00fc\\n","run":"\U0001f980"}}'.encode(), ("\U0001f980", "ü\n")),
        (b'{"params":{"run":"r","call":"c","run":"r"}}', None),
        (b'{"params":{"run":"r","call":"c","\\u0072un":"r"}}', None),
        (b'{"params":{"run":"r","call":""}}', None),
        (b'{"params":{"run":"r","call":1}}', None),
        (b'{"params":{"run":"r","call":["c"]}}', None),
        (b'{"params":{"run":"r","call":"\\ud800"}}', None),
        (b'{"params":{"run":"r","call":"\xff"}}', None),
        (b'{"params":{"run":"r","x":{"call":"c"}}}', None),
        (b'{"run":"r","call":"c"}', None),
        (b'{"params":[{"run":"r","call":"c"}]}', None),
        (b'{"params":{}}', None),
        (b"{}", None),
    ],
)
def test_a_pair_is_two_strings_that_stand_once_in_params(line: bytes, pair: tuple[str, str] | None) -> None:
    assert envelope(line).pair == pair


@pytest.mark.parametrize(
    "line",
    [
        b'{"method":"reply","params":{}}',
        b'{"jsonrpc":"1.0","method":"reply"}',
        b'{"jsonrpc":2.0,"method":"reply"}',
        b'{"jsonrpc":"2.0","jsonrpc":"2.0","method":"reply"}',
        b'{"jsonrpc":"2.0","params":{}}',
        b'{"jsonrpc":"2.0","method":"call"}',
        b'{"jsonrpc":"2.0","method":"reply","method":"reply"}',
        b'{"jsonrpc":"2.0","method":"reply","id":null}',
        b'{"jsonrpc":"2.0","method":"reply","params":{},"params":{}}',
    ],
)
def test_what_is_no_notification_of_the_method(line: bytes) -> None:
    assert not envelope(line).is_notification("reply")


def test_of_a_line_that_is_cut_off_what_is_not_there_does_not_count() -> None:
    cut = envelope(b'{"params":{"run":"r","call":"c","outcome":{"Ok":"xxx')
    assert (cut.whole, cut.pair, cut.is_notification("reply")) == (False, ("r", "c"), True)
    assert not envelope(b'{"method":"call","params":{"run":"r","call":"c","outco').is_notification("reply")
    assert envelope(b'{"params":{"run":"r","call":"c').pair is None


def test_without_a_member_that_stands_twice_the_rest_can_be_read_strictly() -> None:
    line = b'{"params":{"outcome":{"a":1}, "run":"r", "\\u006futcome" : [2] ,"outcome":"\\"","call":"c"}}'
    found = envelope(line)
    assert found.whole
    assert len(found.inner["outcome"]) == 3
    pairs = json.loads(found.without("outcome"), object_pairs_hook=list)
    assert [key for key, _ in pairs[0][1]] == ["outcome", "run", "outcome 1", "outcome 2", "call"]


def test_a_member_that_stands_very_often_makes_the_line_none() -> None:
    assert not envelope(b'{"params":{' + b'"run":"r",' * 1000 + b'"call":"c"}}').whole


@pytest.mark.parametrize(
    "outcome",
    [
        pytest.param(b"[" * 800_000 + b"]" * 800_000, id="arrays"),
        pytest.param(b'{"":' * 300_000 + b"1" + b"}" * 300_000, id="objects"),
        pytest.param(b'[{"":' * 200_000 + b"1" + b"}]" * 200_000, id="both"),
        pytest.param(b"[" * 2000 + b"1," * 800_000 + b"1" + b"]" * 2000, id="items"),
        pytest.param(b"[" * 400_000 + b"1" + b"],1" * 399_999 + b"]", id="one by one"),
        pytest.param(b"[" * 2000 + b"[[1]]," * 200_000 + b"1" + b"]" * 2000, id="up and down"),
        pytest.param(b'"' + b"\\\\" * 8_000_000 + b'"', id="escapes"),
        pytest.param(b"1" * 16_000_000, id="digits"),
    ],
)
def test_a_line_of_any_kind_is_read_in_linear_time(outcome: bytes) -> None:
    with not_hopeless():
        assert envelope(HEAD + outcome + b"}}").whole
        assert not envelope(HEAD + outcome + b"}").whole


@pytest.mark.parametrize("text", ["[]", "{}", "1", '"x"', '[{"a":[],"b":{}},-1.5e3,NaN]', '{"a":{"b":[1,{}]},"c":2}'])
def test_both_scanners_find_the_same_end(text: str) -> None:
    assert deep_value_end(text, 0) == len(text)
    assert deep_value_end(f"  {text} ,", 2) == len(text) + 2
