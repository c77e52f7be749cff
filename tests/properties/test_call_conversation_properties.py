"""Host and implementation, machine to machine: what one says the other is told, however the bytes are cut."""

from __future__ import annotations

from decimal import Decimal
from itertools import pairwise

from hypothesis import given, settings
from hypothesis import strategies as st
from strategies.json_strategies import json_values, texts

from flow_lsp.codecs.codec import Codecs
from flow_lsp.protocol.call_outcomes import BadReply, Failed, NotRun, Ok, SentOutcome, Unknown
from flow_lsp.protocol.connection import ConnectionEvent, HostConnection
from flow_lsp.protocol.describe import Answered
from flow_lsp.protocol.envelope import deep_value_end, read_envelope
from flow_lsp.protocol.ledger import Admitted, Call, Ledger
from flow_lsp.protocol.lines import call_line, cancel_line, reply_line
from flow_lsp.protocol.outcome import DescribeListing, ServedTool
from flow_lsp.protocol.replies import FaultyReply, ReplyReceived
from flow_lsp.protocol.served import fingerprints
from flow_lsp.protocol.serving import CallReceived, CallRefused, CancelReceived, ServingConnection, ServingEvent
from flow_lsp.protocol.stream import Noise, Send
from flow_lsp.signature.signature import served_fingerprint
from flow_lsp.types.terms import Primitive
from flow_lsp.values.canonical import canonical_text
from flow_lsp.values.limits import Limits
from flow_lsp.values.strict_json import Json

ANYTHING = Codecs({}, builds_opaque=False).codec(Primitive.JSON_VALUE)
SIGNATURE: Json = {"params": [["v", {}]], "ok": {}, "err": {}, "generic": []}
FINGERPRINT = str(served_fingerprint(SIGNATURE))
LISTING = DescribeListing("0.1", (ServedTool("k.f", FINGERPRINT, SIGNATURE, FINGERPRINT),))

ids = st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=4)
values = json_values(6)
outcomes: st.SearchStrategy[tuple[str, Json]] = st.one_of(
    st.tuples(st.sampled_from(["Ok", "Failed"]), values), st.tuples(st.sampled_from(["NotRun", "Unknown"]), texts)
)


def sent_outcome(name: str, value: Json) -> SentOutcome:
    if name == "Ok":
        return Ok(canonical_text(value))
    if name == "Failed":
        return Failed(canonical_text(value))
    return NotRun(str(value)) if name == "NotRun" else Unknown(str(value))


def cut(data: st.DataObject, text: bytes) -> list[bytes]:
    places = sorted(data.draw(st.lists(st.integers(0, len(text)), max_size=8)))
    return [text[start:end] for start, end in zip([0, *places], [*places, len(text)], strict=True)]


@settings(deadline=None, max_examples=150)
@given(st.dictionaries(st.tuples(ids, ids), st.tuples(values, outcomes, st.booleans()), max_size=6), st.data())
def test_what_the_implementation_says_is_what_the_host_admits(
    calls: dict[tuple[str, str], tuple[Json, tuple[str, Json], bool]], data: st.DataObject
) -> None:
    ledger, host, serving = Ledger(), HostConnection(), ServingConnection(LISTING)
    for (run, call), (value, _, _) in calls.items():
        ledger.open(Call(run, call, ANYTHING, ANYTHING, "k.f", FINGERPRINT, args_text=canonical_text({"v": value})))
    answer = b"".join(
        event.data for piece in cut(data, host.request()) for event in serving.receive(piece) if isinstance(event, Send)
    )
    [answered] = [event for piece in cut(data, answer) for event in host.receive(piece)]
    assert isinstance(answered, Answered)
    assert ledger.described(answered.listing.data, fingerprints(answered.listing)) == []

    to_implementation = b""
    while (ready := ledger.next_call()) is not None:
        pair = ready.call.run, ready.call.call
        line = ready.line()
        assert isinstance(line, bytes)
        ledger.begun(*pair)
        to_implementation += line
        assert ledger.sent(*pair) == []
        if calls[pair][2]:
            [cancel] = ledger.cancel(*pair)
            assert isinstance(cancel, Send)
            to_implementation += cancel.data

    received = [event for piece in cut(data, to_implementation) for event in serving.receive(piece)]
    wanted: list[ServingEvent] = []
    for (run, call), (value, _, cancelled) in calls.items():
        wanted.append(CallReceived(run, call, "k.f", {"v": value}))
        wanted += [CancelReceived(run, call)] if cancelled else []
    assert received == wanted
    order = data.draw(st.permutations(list(calls)))
    to_host = b"".join(serving.reply(*pair, sent_outcome(*calls[pair][1])) for pair in order)
    assert serving.open_pairs == []

    admitted = []
    for piece in cut(data, to_host):
        for event in host.receive(piece):
            assert isinstance(event, ReplyReceived)
            admitted += ledger.reply(event)
    assert [(told.run, told.call) for told in admitted if isinstance(told, Admitted)] == list(order)
    for told in admitted:
        assert isinstance(told, Admitted)
        name, value = calls[told.run, told.call][1]
        said = sent_outcome(name, value)
        assert type(told.outcome) is type(said)
        if isinstance(told.outcome, Ok | Failed) and isinstance(said, Ok | Failed):
            assert told.outcome.text == said.text
            assert canonical_text(told.outcome.value) == said.text  # type: ignore[arg-type]
        else:
            assert told.outcome == said
    assert ledger.open_pairs == []
    assert ledger.dropped == host.noise_count == serving.noise_count == 0


PIECES = [
    *(b"{", b"}", b"[", b"]", b'"', b":", b",", b"\\", b"\n", b"\r", b" ", b"\xff", b"\xef\xbb\xbf", b"\x00"),
    *(b"1", b"-", b"1e9", b"NaN", b"null", b'"\\ud800"', b'"id":1,', b'"jsonrpc":"2.0",', b'"params":{'),
    *(b'"run":"r",', b'"call":"c",', b'"outcome":', b'{"Ok":1}', b'{"Ok":{"a":1,"a":2}}', b'"tool":"k.f",'),
    *(b'"args":{}', b'"method":"reply",', b'"method":"call",', b'"method":"cancel",', b'"method":"describe",'),
    b'{"jsonrpc":"2.0","method":"reply","params":{"run":"r","call":"c","outcome":',
    b'{"jsonrpc":"2.0","method":"call","params":{"run":"r","call":"c","tool":"k.f","args":',
    b'{"jsonrpc":"2.0","id":1,"result":',
    b'{"jsonrpc":"2.0","id":"x","method":"describe"}\n',
    reply_line("r", "c", Ok("1")),
    reply_line("r", "d", Unknown("x" * 200)),
    cancel_line("r", "c"),
    call_line("r", "c", "k.f", '{"n":1}') or b"",
    b"x" * 60,
    b"[" * 2000,
    b"]" * 2000,
]
hostile = st.lists(st.sampled_from(PIECES) | st.binary(max_size=8), max_size=25).map(
    lambda pieces: b"".join(piece for piece in pieces if isinstance(piece, bytes))
)
limits = st.sampled_from([30, 120, 16 * 1024 * 1024])


def host_told(chunks: list[bytes], limit: int) -> tuple[list[ConnectionEvent], int]:
    host = HostConnection(limit)
    events = [event for chunk in chunks for event in host.receive(chunk)]
    return events + host.end(), host.noise_count


def serving_told(chunks: list[bytes], limit: int) -> tuple[list[ServingEvent], int]:
    serving = ServingConnection(LISTING, Limits(line_bytes=limit))
    events = [event for chunk in chunks for event in serving.receive(chunk)]
    return events + serving.end(), serving.noise_count


@settings(deadline=None, max_examples=300)
@given(hostile, limits, st.data())
def test_the_chunks_make_no_difference_and_nothing_raises(text: bytes, limit: int, data: st.DataObject) -> None:
    pieces = cut(data, text)
    assert host_told(pieces, limit) == host_told([text], limit)
    assert serving_told(pieces, limit) == serving_told([text], limit)
    ledger = Ledger()
    ledger.open(Call("r", "c", ANYTHING, ANYTHING))
    ledger.sent("r", "c")
    replies = [event for event in host_told(pieces, limit)[0] if isinstance(event, ReplyReceived | FaultyReply)]
    admitted = [told for reply in replies for told in ledger.reply(reply) if isinstance(told, Admitted)]
    assert len(admitted) == (1 if any(reply.call == "c" and reply.run == "r" for reply in replies) else 0)


@settings(deadline=None, max_examples=300)
@given(hostile, limits)
def test_every_call_that_is_refused_is_answered_not_run(text: bytes, limit: int) -> None:
    events, _ = serving_told([text], limit)
    for event, following in pairwise(events):
        if isinstance(event, CallRefused):
            assert isinstance(following, Send)
            [reply] = HostConnection().receive(following.data)
            assert isinstance(reply, ReplyReceived)
            assert list(reply.outcome) == ["NotRun"]  # type: ignore[arg-type]


@settings(deadline=None, max_examples=300)
@given(values, st.sampled_from(['{"a":1,"a":2}', '"\\udc00"', "NaN", "[" * 600 + "]" * 600, '"\udcff"']), st.data())
def test_a_fault_counts_inside_the_outcome_and_nowhere_else(value: Json, fault: str, data: st.DataObject) -> None:
    inside = data.draw(st.booleans())
    members = [f'"run":"r","call":"c","outcome":{{"Ok":{fault if inside else 1}}}', f'"v":{canonical_text(value)}']
    members += [] if inside else [f'"w":{fault}']
    line = f'{{"jsonrpc":"2.0","method":"reply","params":{{{",".join(data.draw(st.permutations(members)))}}}}}\n'
    [event] = HostConnection().receive(line.encode("utf-8", "surrogateescape"))
    assert isinstance(event, FaultyReply if inside else Noise)
    if isinstance(event, FaultyReply):
        ledger = Ledger()
        ledger.open(Call("r", "c", ANYTHING, ANYTHING))
        ledger.sent("r", "c")
        [admitted] = ledger.reply(event)
        assert isinstance(admitted, Admitted)
        assert isinstance(admitted.outcome, BadReply)


@settings(deadline=None, max_examples=500)
@given(hostile | values.map(lambda value: canonical_text(value).encode()))
def test_both_scanners_of_a_line_agree(text: bytes) -> None:
    letters = text.replace(b"[" * 2000, b"[[").replace(b"]" * 2000, b"]]").decode("latin-1")
    envelope = read_envelope(b'{"x":' + letters.encode("latin-1") + b"}")
    try:
        end = deep_value_end(letters, 0)
    except ValueError:
        end = -1
    rest = letters[end:].strip(" \t\r\n")
    if end >= 0 and not rest:
        assert envelope is not None
        assert envelope.whole
    if end < 0:
        assert envelope is None or not envelope.whole


def test_numbers_keep_their_digits_on_the_way() -> None:
    text = "3.141592653589793238462643383279502884190"
    ledger = Ledger()
    ledger.open(Call("r", "c", ANYTHING, ANYTHING))
    ledger.sent("r", "c")
    [reply] = HostConnection().receive(reply_line("r", "c", Ok(text)))
    assert isinstance(reply, ReplyReceived)
    [admitted] = ledger.reply(reply)
    assert isinstance(admitted, Admitted)
    assert admitted.outcome == Ok(text[:-1], Decimal(text))
