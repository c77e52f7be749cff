from __future__ import annotations

import json

import pytest

from flow_lsp.server.messages import (
    LARGEST_HEADER,
    JsonText,
    MessageFramer,
    MessageTooLargeError,
    decode,
    encode,
    json_text,
)


def bodies(framer: MessageFramer, data: bytes) -> list[bytes]:
    framer.feed(data)
    found = []
    while (body := framer.next_body()) is not None:
        found.append(body)
    return found


def test_bodies_are_cut_by_their_length_in_bytes():
    framer = MessageFramer()
    text = '"é😀"'.encode()
    assert bodies(framer, b"Content-Length: %d\r\n\r\n%bContent-Length: 2\r\n\r\n{}" % (len(text), text)) == [
        text,
        b"{}",
    ]
    assert not framer.incomplete


def test_a_part_of_a_message_is_known_as_such():
    framer = MessageFramer()
    assert not framer.incomplete
    assert bodies(framer, b"Con") == []
    assert framer.incomplete
    assert bodies(framer, b"tent-Length: 2\r\n\r\n") == []
    assert framer.incomplete
    assert bodies(framer, b"{}") == [b"{}"]
    assert not framer.incomplete


def test_an_empty_body_is_a_body():
    assert bodies(MessageFramer(), b"Content-Length: 0\r\n\r\n") == [b""]


def test_a_body_up_to_the_bound_is_read_and_one_above_it_is_not():
    assert bodies(MessageFramer(largest=3), b"Content-Length: 3\r\n\r\n123") == [b"123"]
    with pytest.raises(MessageTooLargeError):
        bodies(MessageFramer(largest=3), b"Content-Length: 4\r\n\r\n")


def test_a_header_behind_other_bytes_is_still_found():
    framer = MessageFramer()
    assert bodies(framer, b'rest of a body"}Content-Length: 2\r\n\r\n{}') == [b"{}"]
    assert len(framer.problems) == 1


def test_after_a_broken_header_the_next_is_found_and_bytes_between_are_not_kept():
    framer = MessageFramer()
    assert bodies(framer, b"nothing\r\n\r\n" + b"x" * 1_000_000) == []
    assert len(framer._buffer) < 100
    assert bodies(framer, b"Content-Le") == []
    assert bodies(framer, b"ngth: 2\r\n\r\n{}") == [b"{}"]
    assert len(framer.problems) == 1


def test_a_header_without_end_is_given_up_and_not_kept():
    framer = MessageFramer()
    for _ in range(100):
        assert bodies(framer, b"Content-Length: 5 and so on ".ljust(LARGEST_HEADER // 4)) == []
        assert len(framer._buffer) <= 2 * LARGEST_HEADER
    assert framer.problems
    assert bodies(framer, b"\r\n\r\nContent-Length: 2\r\n\r\n{}") == [b"{}"]


@pytest.mark.parametrize(
    "text", ["NaN", "Infinity", "-Infinity", "[", "[" * 100_000, "", "1 2", "\ufeff{}", "9" * 5000]
)
def test_what_is_no_json_is_a_value_error(text):
    with pytest.raises(ValueError):
        decode(text.encode())


def test_bytes_that_are_no_utf8_are_a_value_error():
    with pytest.raises(ValueError):
        decode(b'"\xff"')


@pytest.mark.parametrize("body", [b'"\\ud800"', b'"\xed\xa0\x80"'])
def test_half_characters_are_kept(body):
    assert decode(body) == "\ud800"


def test_half_characters_are_written_as_escapes():
    data = encode({"id": 1, "result": {"\ud800": ["é\udfff\\"]}})
    header, _, body = data.partition(b"\r\n\r\n")
    assert header == b"Content-Length: %d" % len(body)
    assert json.loads(body) == {"jsonrpc": "2.0", "id": 1, "result": {"\ud800": ["é\udfff\\"]}}
    assert "é".encode() in body


def test_written_json_is_put_in_as_it_is():
    assert encode({"method": "m", "params": JsonText("[1, 2]")}).endswith(
        b'{"jsonrpc":"2.0","method":"m","params":[1, 2]}'
    )


@pytest.mark.parametrize("value", [float("nan"), float("inf"), object(), {1, 2}, b"x"])
def test_what_json_cannot_say_is_an_error(value):
    with pytest.raises((TypeError, ValueError)):
        json_text(value)
