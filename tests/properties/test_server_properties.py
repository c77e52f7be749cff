"""Laws of the connection: framing does not depend on how the stream is cut, and what the client ends up with
is what was found last, whatever happened in between."""

from __future__ import annotations

import json

from hypothesis import given, settings
from hypothesis import strategies as st

from flow_lsp.server.messages import MessageFramer, MessageTooLargeError, decode, encode
from flow_lsp.server.publisher import Publisher

TEXTS = st.text(st.characters() | st.sampled_from('\ud800\udfff\r\n"\\\x00\u2028'))
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | TEXTS,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(TEXTS, inner, max_size=4),
    max_leaves=12,
)
PIECES = st.lists(
    st.binary(max_size=30)
    | st.sampled_from([b"\r\n\r\n", b"\n", b"Content-Length: ", b"Content-Length: 9", b"{}"])
    | st.just(b"content-length:2\r\n\r\n{}"),
    max_size=12,
)  # fmt: skip


def read(framer: MessageFramer, pieces: list[bytes]) -> tuple[list[bytes], list[str], bool]:
    bodies = []
    try:
        for piece in pieces:
            framer.feed(piece)
            while (body := framer.next_body()) is not None:
                bodies.append(body)
    except MessageTooLargeError:
        return bodies, framer.problems, True
    return bodies, framer.problems, False


@settings(deadline=None)
@given(st.lists(JSON, max_size=5), st.data())
def test_what_is_encoded_is_read_back_however_it_is_cut(values, data):
    stream = b"".join(encode({"id": 1, "result": value}) for value in values)
    pieces = []
    while stream:
        size = data.draw(st.integers(1, len(stream)))
        pieces.append(stream[:size])
        stream = stream[size:]
    framer = MessageFramer()
    bodies, problems, _ = read(framer, pieces)
    assert [decode(body)["result"] for body in bodies] == values
    assert not problems
    assert not framer.incomplete


@settings(deadline=None, max_examples=300)
@given(PIECES)
def test_bytes_of_any_kind_are_read_alike_in_one_piece_and_in_many(pieces):
    stream = b"".join(pieces)
    whole = read(MessageFramer(largest=50), [stream])
    assert read(MessageFramer(largest=50), pieces) == whole
    assert read(MessageFramer(largest=50), [bytes([byte]) for byte in stream]) == whole


@settings(deadline=None)
@given(st.binary(max_size=60))
def test_after_any_bytes_a_message_behind_an_empty_line_is_found(noise):
    """But for a beginning that is a message's: its length may swallow what follows."""
    if b"content-length" in noise.lower():
        return
    bodies, _, _ = read(MessageFramer(), [noise, b"\r\n\r\n", encode({"id": 7, "result": None})])
    assert [decode(body)["id"] for body in bodies] == [7]


KEYS = st.sampled_from(["a", "b"])
SETS = st.sampled_from([(), ("1",), ("2",), ("1", "2")])
EVENTS = st.lists(
    st.tuples(st.sampled_from(["open", "change", "close", "gone", "flush"]), KEYS, st.just(()), st.just(0))
    | st.tuples(st.sampled_from(["check", "describe"]), KEYS, SETS, st.integers(-1, 1)),
    max_size=40,
)


@settings(deadline=None, max_examples=300)
@given(EVENTS)
def test_the_client_has_what_was_found_last_for_the_text_it_has(events):
    """Random events against a model: the client keeps the last set for each URI. At the end every producer
    checks the text as it is, and then the client has just that, for open documents with their version."""
    shown: dict[str, tuple[int | None, tuple]] = {}
    sent: list[tuple] = []

    def send(uri, version, items):
        assert sent[-1:] != [(uri, version, items, revision)], "sent twice"
        if versions.get(uri) is None:
            assert version is None or not items
        else:
            assert version in (versions[uri], None)
        sent.append((uri, version, items, revision))
        shown[uri] = version, items

    publisher = Publisher(send)
    revision = 0
    versions: dict[str, int | None] = {}
    revisions: dict[str, int | None] = {}
    for event, key, items, age in events:
        opened = versions.get(key) is not None
        if event == "open":
            revision += 1
            versions[key], revisions[key] = revision * 10, revision
            publisher.opened(key, key, revision * 10, revision)
        elif event == "change" and opened:
            revision += 1
            versions[key], revisions[key] = revision * 10, revision
            publisher.changed(key, revision * 10, revision)
        elif event == "close" and opened:
            versions[key] = revisions[key] = None
            publisher.closed(key)
        elif event == "gone":
            publisher.gone(key)
        elif event == "flush":
            publisher.flush()
        elif event in ("check", "describe"):
            now = revisions.get(key)
            taken = publisher.put(key, event, items, now + age if opened else (None if age == 0 else 99), key)
            assert taken <= (age == 0)
    for key in ("a", "b"):
        publisher.put(key, "check", (f'"{key}"',), revisions.get(key), key)
        publisher.put(key, "describe", (), revisions.get(key), key)
    publisher.flush()
    assert shown == {key: (versions.get(key), (f'"{key}"',)) for key in ("a", "b")}
    before = len(sent)
    publisher.flush()
    assert len(sent) == before
    for key in ("a", "b"):
        assert json.loads(publisher.report(key).text)["items"] == [key]
