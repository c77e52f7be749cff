"""The implementation's side, with bytes alone."""

from __future__ import annotations

import json

import pytest

from flow_lsp.protocol.call_outcomes import NotRun, Ok, Unknown
from flow_lsp.protocol.lines import ProtocolMisuse, call_line, cancel_line, reply_line
from flow_lsp.protocol.listing import read_listing
from flow_lsp.protocol.messages import Response, read_message, request_line
from flow_lsp.protocol.outcome import DescribeListing, ServedTool
from flow_lsp.protocol.serving import (
    CallReceived,
    CallRefused,
    CancelReceived,
    DescribeRequested,
    EndOfInput,
    ServingConnection,
    ServingEvent,
)
from flow_lsp.protocol.stream import Noise, Send
from flow_lsp.signature.signature import served_fingerprint
from flow_lsp.values.limits import Limits
from flow_lsp.values.strict_json import read_json

SIGNATURE = read_json('{"params":[["n",{"type":"integer"}]],"ok":{"type":"integer"},"err":{"not":{}},"generic":[]}')
FINGERPRINT = served_fingerprint(SIGNATURE)
assert isinstance(FINGERPRINT, str)
LISTING = DescribeListing("0.1", (ServedTool("k.f", FINGERPRINT, SIGNATURE, FINGERPRINT),))
CALL = b'{"jsonrpc":"2.0","method":"call","params":{"run":"r","call":"c","tool":"k.f","args":{"n":1}}}\n'
RECEIVED = CallReceived("r", "c", "k.f", {"n": 1})


def serving(limit: int = 1000) -> ServingConnection:
    return ServingConnection(LISTING, Limits(line_bytes=limit))


def refused(events: list[ServingEvent], run: str = "r", call: str = "c") -> str:
    """The reason for which the one call that came is answered NotRun."""
    first, second = events
    assert isinstance(first, CallRefused)
    assert second == Send(reply_line(run, call, NotRun(first.reason)))
    assert first.reason.endswith(".")
    return first.reason


@pytest.mark.parametrize("data", ["0.1", "0.9", "1.0", "99.0"])
def test_describe_is_answered_with_the_listing_whatever_version_the_host_has(data: str) -> None:
    host_asks = request_line(1, "describe", {"data": data})
    machine = serving()
    for _ in range(2):
        requested, send = machine.receive(host_asks)
        assert requested == DescribeRequested(data)
        assert isinstance(send, Send)
        answer = read_message(send.data[:-1])
        assert isinstance(answer, Response)
        assert answer.id == 1
        assert read_listing(answer.result) == LISTING


@pytest.mark.parametrize("params", [b"", b',"params":null', b',"params":{"data":1}', b',"params":[1]'])
def test_a_describe_that_names_no_version_is_answered_too(params: bytes) -> None:
    requested, send = serving().receive(b'{"jsonrpc":"2.0","id":"x","method":"describe"' + params + b"}\n")
    assert requested == DescribeRequested(None)
    assert isinstance(send, Send)
    assert json.loads(send.data)["id"] == "x"


def test_a_call_is_given_on_with_its_views_and_without_what_is_unknown() -> None:
    assert serving().receive(CALL) == [RECEIVED]
    line = call_line("r", "c", "k.f", '{"n":1.5}', '{"type":"integer"}', '{"ok":"Int"}')
    assert isinstance(line, bytes)
    [received] = serving().receive(line.replace(b'"tool"', b'"more":1,"tool"'))
    assert received == CallReceived("r", "c", "k.f", read_json('{"n":1.5}'), {"type": "integer"}, {"ok": "Int"})


@pytest.mark.parametrize(
    ("old", "new", "word"),
    [
        (b',"tool":"k.f"', b"", "names no Tool"),
        (b'"k.f"', b'""', "names no Tool"),
        (b'"k.f"', b"1", "names no Tool"),
        (b',"args":{"n":1}', b"", "args are no object"),
        (b'{"n":1}', b"[1]", "args are no object"),
        (b'{"n":1}', b"null", "args are no object"),
        (b'"n":1}', b'"n":1},"schema":null', "schema is null"),
        (b'"n":1}', b'"n":1},"types":null,"schema":{}', "types is null"),
        (b'"n":1', b'"n":' + b"[" * 513 + b"]" * 513, "nested more than 512"),
        (b'"n":1', b'"n":' + b"[" * 9999 + b"]" * 9999, "levels deep"),
        (b'"n":1', b'"n":1,"n":1', "twice"),
        (b'"n":1', b'"n":"\\ud800"', "half a character"),
        (b'"n":1', b'"n":"\xff"', "UTF-8"),
        (b'"n":1', b'"n":NaN', "NaN"),
        (b'"tool":"k.f"', b'"tool":"k.f","tool":"k.f"', "twice"),
    ],
)
def test_a_call_with_a_fault_whose_ids_can_be_read_is_not_run(old: bytes, new: bytes, word: str) -> None:
    assert word in refused(serving(100_000).receive(CALL.replace(old, new)))


@pytest.mark.parametrize("method", [b"call", b"cancel"])
@pytest.mark.parametrize(
    ("old", "new"),
    [
        (b'"run":"r",', b""),
        (b'"run":"r"', b'"run":""'),
        (b'"run":"r"', b'"run":1'),
        (b'"run":"r"', b'"run":"r","run":"r"'),
        (b'"call":"c"', b'"call":"\\udfff"'),
        (b'"args":{"n":1}}', b'"args":{"n":1}'),
        (b'"params":{', b'"params":[{'),
        (b'"params":{', b'"params":7,"other":{'),
        (b"2.0", b"1.0"),
    ],
)
def test_where_the_ids_cannot_be_read_it_is_noise(method: bytes, old: bytes, new: bytes) -> None:
    line = CALL.replace(b'"method":"call"', b'"method":"' + method + b'"')
    [noise] = serving().receive(line.replace(old, new))
    assert isinstance(noise, Noise)


def test_the_nesting_limit_holds_for_each_argument_from_its_own_root() -> None:
    [received] = serving(10_000).receive(CALL.replace(b'"n":1', b'"n":' + b"[" * 512 + b"]" * 512))
    assert isinstance(received, CallReceived)


def test_a_call_past_the_limit_is_not_run_and_the_next_line_is_read() -> None:
    long = CALL.replace(b'"n":1', b'"n":"' + b"x" * 2000 + b'"')
    other = CALL.replace(b'"c"', b'"d"')
    machine = serving()
    *events, received = machine.receive(long + other)
    assert f"{len(long) - 1} bytes, more than 1000" in refused(events)
    assert received == CallReceived("r", "d", "k.f", {"n": 1})
    [noise] = machine.receive(b'{"jsonrpc":"2.0","method":"cancel","params":{"x":"' + b"x" * 2000 + b'"}}\n')
    assert isinstance(noise, Noise)
    [*events] = machine.receive(long[:-5] + b"x" * 10_000 + b"\n")
    assert "more than 1000" in refused(events)


def test_a_second_call_under_open_ids_is_told_and_not_answered() -> None:
    machine = serving()
    long = CALL.replace(b'"n":1', b'"n":"' + b"x" * 2000 + b'"')
    assert machine.receive(CALL) == [RECEIVED]
    for again in (CALL, CALL.replace(b'"k.f"', b"1"), CALL.replace(b'"n":1', b'"n":NaN'), long):
        [noise] = machine.receive(again)
        assert isinstance(noise, Noise)
        assert noise.reason == "it is a call under the ids of one that is open"
    assert machine.open_pairs == [("r", "c")]
    assert machine.reply("r", "c", Ok("1")) == reply_line("r", "c", Ok("1"))
    assert machine.receive(CALL) == [RECEIVED]  # sent again: the author's code may recognize it


def test_a_call_has_one_reply() -> None:
    machine = serving()
    with pytest.raises(ProtocolMisuse):
        machine.reply("r", "c", Ok("1"))
    machine.receive(CALL)
    machine.reply("r", "c", Unknown("x"))
    with pytest.raises(ProtocolMisuse):
        machine.reply("r", "c", Ok("1"))


def test_a_reply_past_the_limit_is_unknown() -> None:
    machine = serving()
    machine.receive(CALL)
    line = machine.reply("r", "c", Ok('"' + "x" * 2000 + '"'))
    assert list(json.loads(line)["params"]["outcome"]) == ["Unknown"]
    assert len(line) <= 1001


def test_a_cancel_is_given_on_once_and_only_while_its_call_is_open() -> None:
    machine = serving()
    cancel = cancel_line("r", "c")
    assert machine.receive(cancel) == []
    machine.receive(CALL)
    assert machine.receive(cancel) == [CancelReceived("r", "c")]
    assert machine.receive(cancel) == []
    [noise] = machine.receive(CALL)
    assert isinstance(noise, Noise)
    machine.reply("r", "c", Ok("1"))
    assert machine.receive(cancel) == []


@pytest.mark.parametrize("method", ["ping", "cancel", "reply", "initialize"])
def test_another_request_is_answered_with_method_not_found(method: str) -> None:
    [send] = serving().receive(request_line(7, method, {}))
    assert isinstance(send, Send)
    answer = json.loads(send.data)
    assert (answer["id"], answer["error"]["code"]) == (7, -32601)


def test_a_call_with_an_id_is_not_run_and_its_request_answered() -> None:
    error, *events = serving().receive(CALL.replace(b'"method"', b'"id":5,"method"'))
    assert isinstance(error, Send)
    assert json.loads(error.data)["id"] == 5
    assert refused(events) == "The call has an id, and calls have none."


@pytest.mark.parametrize("line", [b'{"jsonrpc":"2.0","method":"log"}\n', reply_line("r", "c", Ok("1"))])
def test_another_notification_is_ignored(line: bytes) -> None:
    machine = serving()
    assert machine.receive(line) == []
    assert machine.noise_count == 0


@pytest.mark.parametrize(
    "line",
    [
        b"x",
        b"",
        b"[" + CALL[:-1] + b"]",
        b"42",
        b'{"jsonrpc":"2.0","id":1,"result":1}',
        b'{"jsonrpc":"2.0","id":1,"error":{}}',
        b'{"jsonrpc":"2.0","id":[],"method":"describe"',
    ],
)
def test_what_is_no_message_is_noise(line: bytes) -> None:
    machine = serving()
    [noise] = machine.receive(line + b"\n")
    assert isinstance(noise, Noise)
    assert machine.noise_count == 1


def test_the_end_of_input_is_told_and_what_is_left_is_no_message() -> None:
    assert serving().end() == [EndOfInput()]
    machine = serving()
    assert machine.receive(CALL[:-1]) == []
    noise, end = machine.end()
    assert isinstance(noise, Noise)
    assert end == EndOfInput()


def test_an_id_that_is_none_gets_no_answer() -> None:
    assert serving().receive(b'{"jsonrpc":"2.0","id":null,"method":"describe"}\n') == []
